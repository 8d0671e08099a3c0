package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"gopkg.in/yaml.v3"

	"tune2048/engine"
	"tune2048/engine/key"
	"tune2048/experiments/fitness"
)

// A size is a number of generations, games or rounds. Of those that a file leaves out or writes as
// auto, the program chooses all that follow from other keys: see complete.

// Stage is a part of the tuning phase: generations of candidates at the same search settings.
type Stage struct {
	Name        string // unique within the experiment
	Search      engine.Settings
	MaxGames    int // of the whole stage, at least one generation; 0: no limit
	Generations int // at most
	Games       int // of a candidate in a generation at most
	Rounds      int // in which these games are dealt; a race stops losers; 1: no racing

	// Open: the file gives neither generations nor max_games. It is no part of the identity.
	Open bool
}

func (s *Stage) Keys() []key.Key {
	return []key.Key{
		{Name: "name", Doc: "of the stage; each has its own", To: &s.Name, Named: true},
		searchKey(&s.Search),
		{Name: "max_games", Doc: "of the stage: a generation that could exceed it does not begin; 0: no limit",
			To: &s.MaxGames, Default: 0, Range: key.Between(0, MaxGames)},
		{Name: "generations", Doc: "at most; auto: 30, or what fits max_games",
			To: &s.Generations, Auto: 0, Range: key.Between(1, MaxGenerations)},
		{Name: "games", Doc: "of a candidate in a generation; auto: 8, or what fits max_games",
			To: &s.Games, Auto: 0, Range: key.Between(1, MaxGames)},
		{Name: "rounds", Doc: "in which these games are dealt: after each a race stops the losers",
			To: &s.Rounds, Default: 1, Range: key.Between(1, 100)},
	}
}

// Playoff is the phase in which finalists play fresh seeds to name the champion.
type Playoff struct {
	Finalists int // at least the population's centre and the start weights
	Games     int // of each finalist at most
	Rounds    int // in which these games are dealt, as in a Stage
	Search    engine.Settings
}

func (p *Playoff) Keys() []key.Key {
	return []key.Key{
		{Name: "finalists", Doc: "the population's centre and the start weights among them; auto: 8, or 2 and one more for 2,500 of max_games",
			To: &p.Finalists, Auto: 0, Range: key.Between(2, 10_000)},
		{Name: "games", Doc: "of each finalist at most; auto: 500, or a tenth of max_games in all; more after a long tuning", To: &p.Games, Auto: 0, Range: key.Between(1, MaxGames)},
		{Name: "rounds", Doc: "in which these games are dealt; auto: 10, or each game by itself",
			To: &p.Rounds, Auto: 0, Range: key.Between(1, 100)},
		searchKey(&p.Search),
	}
}

// Validation is the phase in which champion, start weights and references play held-out seeds.
type Validation struct {
	Games  int               // of each player at a search that does not say otherwise
	Search []ValidatedSearch // at least one
}

func (v *Validation) Keys() []key.Key {
	return []key.Key{
		{Name: "games", Doc: "held-out games of each player at each search; auto: 2,000; more after a long tuning", To: &v.Games, Auto: 0, Range: key.Between(2, MaxGames)},
		{Name: "search", Doc: "one search or a list of them, each perhaps with games of its own", To: &v.Search,
			Range: key.Between(1, 16), Items: "searches"},
	}
}

// ValidatedSearch is a search at which held-out seeds are played.
type ValidatedSearch struct {
	engine.Settings
	Games int // of each player at this search; 0: as in the validation
}

func (v *ValidatedSearch) Keys() []key.Key {
	return append(v.Settings.Keys(), key.Key{Name: "games", Doc: "of each player at this search", To: &v.Games,
		Range: key.Between(2, MaxGames)})
}

// Ablation is the phase that plays the champion without each of its features, and asks whether the
// tuning still got somewhere.
type Ablation struct {
	Games      int     // of each player at most; 0: there is no such phase
	Difference float64 // a share: what costs less can be left out
	Search     engine.Settings
}

func (a *Ablation) Keys() []key.Key {
	return []key.Key{
		{Name: "games", Doc: "of each player at most; 0: no such phase; auto: as the validation, at most 4,000", To: &a.Games, Auto: autoGames, Range: key.Between(0, MaxGames)},
		{Name: "difference", Doc: "a share: a feature that costs less can be left out", To: &a.Difference, Default: 0.02,
			Range: key.Range{Low: 0, High: 1, LowOut: true, HighOut: true}},
		searchKey(&a.Search),
	}
}

// autoGames is Ablation.Games where the file leaves them out: 0 is none.
const autoGames = -1

func searchKey(to *engine.Settings) key.Key {
	return key.Key{Name: "search", Doc: "by default the config's own", To: to}
}

// GamesAt returns the games of each player at search i.
func (v Validation) GamesAt(i int) int {
	if n := v.Search[i].Games; n > 0 {
		return n
	}
	return v.Games
}

// Searches returns the settings of each search.
func (v Validation) Searches() (all []engine.Settings) {
	for _, h := range v.Search {
		all = append(all, h.Settings)
	}
	return all
}

// Play returns the search of move, play and exports: the config's own. Where the file leaves it out
// and no held-out game was searched so, it is the last search of the validation.
func (c *Config) Play() engine.Settings {
	validated := c.Validation.Searches()
	known := func(s engine.Settings) bool { return s.String() == c.Search.String() }
	if !reflect.ValueOf(c.file.Search).IsZero() || len(validated) == 0 || slices.ContainsFunc(validated, known) {
		return c.Search
	}
	return validated[len(validated)-1]
}

// MaxGames is more games than a phase of a run can count.
const MaxGames = 10_000_000

// MaxGenerations of a stage: more than can be played in a lifetime.
const MaxGenerations = 1_000_000

// The playoff's defaults where there is no budget to fit.
const (
	standardFinalists    = 8
	standardPlayoffGames = 500
)

// The most that their defaults grow to: the standard errors are then 0.6, 0.3 and 0.9%.
const (
	mostPlayoffGames    = 10_000
	mostValidationGames = 40_000
	mostAblationGames   = 4000
)

// complete chooses all that the file leaves open, and checks what holds between keys.
func (c *Config) complete(d *document) {
	c.written()
	b := c.budget()
	c.completeOptimizer(d, b)
	names := map[string]string{}
	for i := range c.Stages {
		key := fmt.Sprintf("stages[%d]", i)
		c.completeStage(d, key, &c.Stages[i])
		name := c.Stages[i].Name
		if names[name] != "" {
			d.refuse(key+".name", "the name %s is taken by %s: want a name of its own", name, names[name])
		}
		names[name] = key
	}
	if c.Heuristic.Bot != nil { // which may be slow: all follows the games of tuning
		b = c.tuned()
	}
	p, v, a := &c.Playoff, &c.Validation, &c.Ablation
	p.Finalists = cmp.Or(p.Finalists, b.or(standardFinalists, int(min(2+b/2500, standardFinalists))))
	played, validated, ablated := c.standard()
	p.Games = cmp.Or(p.Games, played)
	d.rounds("playoff.rounds", &p.Rounds, 10, p.Games)
	v.Games = cmp.Or(v.Games, validated)
	first := map[string]string{}
	for i, h := range v.Search {
		key := fmt.Sprintf("validation.search[%d]", i)
		if other := first[h.String()]; other != "" && !reflect.ValueOf(h.Settings).IsZero() {
			d.refuse(key, "the same settings as %s (%s): want each once", other, h)
		}
		first[h.String()] = key
	}
	switch a.Games {
	case autoGames:
		a.Games = min(ablated, v.Games)
	case 1:
		d.refuse("ablation.games", "want 0 for none, or at least 2, got 1")
	}
}

// written gives each stage its name and each phase its search, and keeps the config as it is then:
// it identifies the experiment, and has no size that follows from others.
func (c *Config) written() {
	search := c.Search
	searchOr(&search, engine.FixedDepth(3))
	if len(c.Stages) == 0 {
		c.Stages = []Stage{{Name: "tune", Rounds: 1}}
	}
	for i := range c.Stages {
		s := &c.Stages[i]
		s.Name = cmp.Or(s.Name, fmt.Sprintf("stage-%d", i+1))
		s.Open = s.Generations == 0 && s.MaxGames == 0
	}
	file := *c
	for _, x := range []*Config{&file, c} {
		x.Stages = slices.Clone(c.Stages)
		if x == c && c.Heuristic.Bot != nil { // which searches in its own way
			search = engine.BotSettings()
		}
		if x == c || c.Heuristic.Bot == nil {
			for i := range x.Stages {
				searchOr(&x.Stages[i].Search, search)
			}
			if searchOr(&x.Playoff.Search, search); len(x.Validation.Search) == 0 {
				x.Validation.Search = []ValidatedSearch{{Settings: search}}
			}
			searchOr(&x.Ablation.Search, x.Playoff.Search)
		}
	}
	file.Optimizer = c.Optimizer.Clone()
	c.file, c.Search = &file, search
	c.left = [3]int{file.Playoff.Games, file.Validation.Games, file.Ablation.Games}
}

// standard returns the default games of playoff, validation and ablation, each of a player. The
// playoff takes a tenth of the games of the tuning, and no more than its default without a budget.
func (c *Config) standard() (played, validated, ablated int) {
	b, validated, ablated := c.budget(), 2000, mostAblationGames
	if c.Heuristic.Bot != nil {
		b = c.tuned()
		validated, ablated = int(min(max(b/5, 40), 2000)), 0
	}
	return b.or(standardPlayoffGames, b.playoff(c.Playoff.Finalists)), validated, ablated
}

// playoff returns the games of each finalist: a tenth of the budget in all.
func (b budget) playoff(finalists int) int {
	return min(max(1, int(b)/10/finalists), standardPlayoffGames)
}

// Grown returns the config as it is judged after a tuning of so many games. Games that the file
// leaves out grow: the playoff to a twentieth of the tuning, a player's validation to a hundredth.
// Otherwise a night would choose its champion by 500 games. A bot may be slow, so its games stay.
func (c *Config) Grown(tuning int64) *Config {
	if c.Heuristic.Bot != nil {
		return c
	}
	grown := *c
	p, v, a := &grown.Playoff, &grown.Validation, &grown.Ablation
	if c.file.Playoff.Games == 0 {
		p.Games = max(p.Games, int(min(tuning/20/int64(p.Finalists), mostPlayoffGames)))
	}
	if c.file.Validation.Games == 0 {
		v.Games = max(v.Games, int(min(tuning/100, mostValidationGames)))
	}
	if c.file.Ablation.Games == autoGames {
		a.Games = min(mostAblationGames, v.Games)
	}
	return &grown
}

// completeOptimizer gives the settings that follow from others their values: the population fits
// the budget.
func (c *Config) completeOptimizer(d *document, b budget) {
	for i := range c.Optimizer.Keys() {
		k := c.Optimizer.Keys()[i] // which may follow from the settings before it
		switch auto := k.Auto != nil && k.Value() == float64(k.Auto.(int)); {
		case auto && k.Name == "population" && b > 0:
			population, _ := c.Optimizer.Budget(int(b), len(c.Tunable()))
			k.SetNumber(float64(population))
		case auto:
			k.SetDefault()
		case !k.Range.Contains(k.Value()):
			d.refuse("optimizer."+k.Name, "want a number %s, got %v", k.Range, k.Value())
		}
	}
}

// searchOr gives a search that was left out its default.
func searchOr(to *engine.Settings, standard engine.Settings) {
	if reflect.ValueOf(*to).IsZero() {
		*to = standard
	}
}

// rounds completes the rounds in which games are dealt. The default is made to fit.
func (d *document) rounds(key string, to *int, standard, games int) {
	if *to = cmp.Or(*to, min(standard, games)); *to > games {
		d.refuse(key, "want at most %d, got %d", games, *to)
	}
}

func (c *Config) completeStage(d *document, key string, s *Stage) {
	b, candidates := budget(s.MaxGames), c.Optimizer.Candidates()
	_, fitting := c.Optimizer.Budget(s.MaxGames, 0)
	s.Games = cmp.Or(s.Games, b.or(8, fitting))
	d.rounds(key+".rounds", &s.Rounds, 1, s.Games)
	round := (s.Games + s.Rounds - 1) / s.Rounds // as if races stopped all candidates after it
	s.Generations = cmp.Or(s.Generations, b.or(30, min(max(1, s.MaxGames/(round*candidates)), MaxGenerations)))
	least := s.Games * candidates
	if s.MaxGames > 0 && s.MaxGames < least {
		d.refuse(key+".max_games", "want at least %d, the games of one generation (%d candidates, games %d), got %d",
			least, candidates, s.Games, s.MaxGames)
	}
}

// heldOut reads one search or a list of them, each of which may have its own games.
func (n node) heldOut(to *[]ValidatedSearch, k key.Key) {
	all := []node{n}
	if n.Kind != yaml.MappingNode && !n.doc.bot {
		all = n.items(k)
	}
	*to = make([]ValidatedSearch, len(all))
	for i, n := range all {
		n.search(&(*to)[i].Settings, &(*to)[i])
	}
}

// objective reads the name of an objective, or {name: number} if it has a number.
func (n node) objective(to *fitness.Objective) {
	var names, texts []string
	name, number := n.Value, node{}
	if n.isMapping() && len(n.Content) == 2 {
		f, _ := n.fields()
		name = f.Content[0].Value
		number = f.entries[name]
	}
	for _, k := range fitness.Kinds {
		example, _ := k.New(k.Example)
		names, texts = append(names, k.Name), append(texts, example.String())
		if k.Name != name {
			continue
		}
		if (k.Example == 0) != (number.Node == nil) {
			n.want(example.String())
			return
		}
		x := 0.0
		if number.Node != nil {
			number.number(&x, k.Range)
		}
		if o, err := k.New(x); err == nil {
			*to = o
		} else if k.Range.Contains(x) {
			number.problem("%v", err)
		}
		return
	}
	n.problem("want %s, got %s%s", either(texts), n.describe(), DidYouMean(name, names))
}

// ParseObjective reads an objective as [fitness.Objective.String] writes it.
func ParseObjective(text string) (o fitness.Objective, err error) {
	d := &document{path: "objective"}
	err = d.read([]byte(text), func(n node) { n.objective(&o) })
	return o, err
}

// budget is how many games a config gives to its tuning. Numbers that the config then leaves out
// fit it, see complete. README.md has them as a table, and tuner/README.md what they reach. What
// fits a budget is always written, even where it is the default without one. So the hash has the
// numbers that are played, and a version with other functions makes another run.
type budget int

// budget returns the sum of the stages' max_games, or 0 unless each has one.
func (c *Config) budget() (games budget) {
	for _, stage := range c.Stages {
		if stage.MaxGames == 0 {
			return 0
		}
		games += budget(stage.MaxGames)
	}
	return games
}

// tuned is how many games the tuning takes at most, for a bot.
func (c *Config) tuned() (games budget) {
	for _, stage := range c.Stages {
		games += budget(stage.Generations * stage.Games * c.Optimizer.Candidates())
	}
	return games
}

// or is the default of a number: the one that fits the budget, or a fixed one if there is none.
func (b budget) or(fixed, fitting int) int {
	if b == 0 {
		return fixed
	}
	return fitting
}

// search reads how a player searches. The section has the settings, and perhaps other keys. A
// search that is given stands for itself: it takes nothing over from the default one.
func (n node) search(to *engine.Settings, section key.Section) {
	if n.doc.bot {
		n.problem("want none: a player searches in its own way")
		return
	}
	f, ok := n.fields()
	if !ok {
		return
	}
	before := len(n.doc.problems)
	f.section(section)
	f.oneOf("depth", "depth_by_empty", "depth_by_distinct")
	sound := len(n.doc.problems) == before
	f.done()
	// The engine has the last word, so that its rules and these cannot drift apart.
	if err := to.Validate(); sound && err != nil {
		n.problem("%v", err)
	}
}
