package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"gopkg.in/yaml.v3"

	"tune2048/engine"
	"tune2048/experiments/fitness"
	"tune2048/tuner"
)

// Stage is a part of the tuning phase: generations of candidates at the same search settings.
type Stage struct {
	Name   string          `yaml:"name" want:"name"` // unique within the experiment
	Search engine.Settings `yaml:"search"`
	// MaxGames is for the whole stage: a generation that could exceed it does not begin. At least
	// one fits. 0: no limit.
	MaxGames    int `yaml:"max_games" want:"[0,10000000]"`
	Generations int `yaml:"generations" want:"[1,1000000]"` // at most this many
	Games       int `yaml:"games" want:"[1,10000000]"`      // of a candidate in a generation at most
	// in which these games are dealt; a race stops losers; 1: no racing
	Rounds int `yaml:"rounds" want:"[1,100]"`
	// Open: the file gives neither generations nor max_games. It is no part of the identity.
	Open bool
}

// Playoff is the phase in which finalists play fresh seeds to name the champion.
type Playoff struct {
	// at least the population's centre and the start weights
	Finalists int             `yaml:"finalists" want:"[2,10000]"`
	Games     int             `yaml:"games" want:"[1,10000000]"` // of each finalist at most
	Rounds    int             `yaml:"rounds" want:"[1,100]"`     // in which these games are dealt, as in a Stage
	Search    engine.Settings `yaml:"search"`
}

// Validation is the phase in which champion, start weights and references play held-out seeds.
type Validation struct {
	// of each player at a search that does not say otherwise
	Games  int               `yaml:"games" want:"[2,10000000]"`
	Search []ValidatedSearch `yaml:"search"` // at least one
}

// ValidatedSearch is a search at which held-out seeds are played.
type ValidatedSearch struct {
	engine.Settings
	Games int // of each player at this search; 0: as in the validation
}

// Ablation is the phase that plays the champion without each of its features, and asks whether the
// tuning still got somewhere.
type Ablation struct {
	Games      int             `yaml:"games" want:"[0,10000000]"` // of each player at most; 0: there is no such phase
	Difference float64         `yaml:"difference" want:"(0,1)"`   // a share: what costs less can be left out
	Search     engine.Settings `yaml:"search"`
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

// Play returns the search of move, play and exports: the config's own. If that is the default and
// no held-out game was searched so, it is the last search of the validation.
func (c *Config) Play() engine.Settings {
	standard, validated := engine.FixedDepth(3).String(), c.Validation.Searches()
	known := func(s engine.Settings) bool { return s.String() == standard }
	if c.Search.String() != standard || len(validated) == 0 || slices.ContainsFunc(validated, known) {
		return c.Search
	}
	return validated[len(validated)-1]
}

// MaxGenerations of a stage: more than can be played in a lifetime.
const MaxGenerations = 1_000_000

// The playoff's defaults where there is no budget to fit, and the ablation's.
const (
	standardFinalists    = 8
	standardPlayoffGames = 500
	standardDifference   = 0.02
)

// The most that their defaults grow to: the standard errors are then 0.6, 0.3 and 0.9%.
const (
	mostPlayoffGames    = 10_000
	mostValidationGames = 40_000
	mostAblationGames   = 4000
)

// complete gives each key that was left out its default, and checks what holds between keys.
func (c *Config) complete(d *document) {
	c.searchOr(&c.Search, engine.FixedDepth(3))
	if len(c.Stages) == 0 {
		c.Stages = []Stage{{Name: "tune"}}
	}
	b := c.budget()
	c.completeOptimizer(d, b)
	names := map[string]string{}
	for i := range c.Stages {
		key := fmt.Sprintf("stages[%d]", i)
		c.completeStage(d, key, &c.Stages[i], i)
		name := c.Stages[i].Name
		if names[name] != "" {
			d.refuse(key+".name", "the name %s is taken by %s: want a name of its own", name, names[name])
		}
		names[name] = key
	}
	if c.Family.Bot != nil { // which may be slow: all follows the games of tuning
		b = c.tuned()
	}
	p, v, a := &c.Playoff, &c.Validation, &c.Ablation
	p.Finalists = cmp.Or(p.Finalists, b.or(standardFinalists, int(min(2+b/2500, standardFinalists))))
	played, validated, ablated := c.standard()
	p.Games = cmp.Or(p.Games, played)
	d.rounds("playoff.rounds", &p.Rounds, 10, p.Games)
	c.searchOr(&p.Search, c.Search)
	v.Games = cmp.Or(v.Games, validated)
	if len(v.Search) == 0 {
		v.Search = []ValidatedSearch{{Settings: c.Search}}
	}
	first := map[string]string{}
	for i, h := range v.Search {
		key := fmt.Sprintf("validation.search[%d]", i)
		if other := first[h.String()]; other != "" && !reflect.ValueOf(h.Settings).IsZero() {
			d.refuse(key, "the same settings as %s (%s): want each once", other, h)
		}
		first[h.String()] = key
	}
	switch a.Games {
	case -1:
		a.Games = min(ablated, v.Games)
	case 1:
		d.refuse("ablation.games", "want 0 for none, or at least 2, got 1")
	}
	c.searchOr(&a.Search, p.Search)
}

// standard returns the default games of playoff, validation and ablation, each of a player. The
// playoff takes a tenth of the games of the tuning, and no more than its default without a budget.
func (c *Config) standard() (played, validated, ablated int) {
	b, validated, ablated := c.budget(), 2000, mostAblationGames
	if c.Family.Bot != nil {
		b = c.tuned()
		validated, ablated = int(min(max(b/5, 40), 2000)), 0
	}
	return b.or(standardPlayoffGames, b.playoff(c.Playoff.Finalists)), validated, ablated
}

// playoff returns the games of each finalist: a tenth of the budget in all.
func (b budget) playoff(finalists int) int {
	return min(max(1, int(b)/10/finalists), standardPlayoffGames)
}

// Grown returns the config as it is judged after a tuning of so many games. Games at their defaults
// grow: the playoff to a twentieth of the tuning, a player's validation to a hundredth. Otherwise a
// night would choose its champion by 500 games. A bot may be slow, so its games stay.
func (c *Config) Grown(tuning int64) *Config {
	if c.Family.Bot != nil {
		return c
	}
	grown := *c
	p, v, a := &grown.Playoff, &grown.Validation, &grown.Ablation
	played, validated, ablated := c.standard()
	ablated = min(ablated, v.Games)
	if p.Games == played {
		p.Games = max(played, int(min(tuning/20/int64(p.Finalists), mostPlayoffGames)))
	}
	if v.Games == validated {
		v.Games = max(validated, int(min(tuning/100, mostValidationGames)))
	}
	if a.Games == ablated {
		a.Games = min(mostAblationGames, v.Games)
	}
	return &grown
}

// searchOr gives a search that was left out its default. A bot searches in its own way.
func (c *Config) searchOr(to *engine.Settings, standard engine.Settings) {
	if c.Family.Bot != nil {
		*to = engine.BotSettings()
	} else if reflect.ValueOf(*to).IsZero() {
		*to = standard
	}
}

// rounds completes the rounds in which games are dealt. The default is made to fit.
func (d *document) rounds(key string, to *int, standard, games int) {
	if *to = cmp.Or(*to, min(standard, games)); *to > games {
		d.refuse(key, "want at most %d, got %d", games, *to)
	}
}

func (c *Config) completeStage(d *document, key string, s *Stage, i int) {
	s.Name = cmp.Or(s.Name, fmt.Sprintf("stage-%d", i+1))
	c.searchOr(&s.Search, c.Search)
	s.Open = s.Generations == 0 && s.MaxGames == 0
	b, candidates := budget(s.MaxGames), c.Optimizer.Candidates()
	_, fitting := tuner.AlgorithmOf(c.Optimizer.Algorithm).Budget(s.MaxGames, 0)
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
func (n node) heldOut(to *[]ValidatedSearch) {
	all := []node{n}
	if n.Kind != yaml.MappingNode && !n.doc.bot {
		all = n.items("[1,16] searches")
	}
	*to = make([]ValidatedSearch, len(all))
	for i, n := range all {
		n.search(&(*to)[i].Settings, &(*to)[i].Games)
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

// searchKeys are the keys of a search. A search that is given stands for itself: it takes nothing
// over from the default one.
type searchKeys struct {
	Depth          int            `yaml:"depth" want:"[1,31]"`
	ByEmpty        []emptyDepth   `yaml:"depth_by_empty" want:"[1,17] {above: N, depth: N}"`
	ByDistinct     *distinctDepth `yaml:"depth_by_distinct"`
	MinProbability float64        `yaml:"min_probability" want:"[0,1)"`
}

type emptyDepth struct {
	Above *int `yaml:"above" want:"[0,15]"` // nil: all other boards
	Depth int  `yaml:"depth" want:"[1,31]" example:"3"`
}

type distinctDepth struct {
	Minus int `yaml:"minus" want:"[0,15]" example:"2"`
	Least int `yaml:"least" want:"[0,15]" example:"3"`
}

// search reads how a player searches, and its own games unless games is nil.
func (n node) search(to *engine.Settings, games *int) {
	if n.doc.bot {
		n.problem("want none: a player searches in its own way")
		return
	}
	f, ok := n.fields()
	if !ok {
		return
	}
	var keys searchKeys
	before := len(n.doc.problems)
	f.decode(&keys)
	f.oneOf("depth", "depth_by_empty", "depth_by_distinct")
	sound := len(n.doc.problems) == before
	if games != nil {
		f.read("games", games, "[2,10000000]")
	}
	f.done()
	x := engine.Settings{
		Rule:           engine.DepthRule{Fixed: keys.Depth, ByDistinct: (*engine.DistinctLayers)(keys.ByDistinct)},
		MinProbability: keys.MinProbability,
	}
	for _, e := range keys.ByEmpty {
		above := -1
		if e.Above != nil {
			above = *e.Above
		}
		x.Rule.ByEmpty = append(x.Rule.ByEmpty, engine.EmptyDepth{Above: above, Depth: e.Depth})
	}
	// The engine has the last word, so that its rules and these cannot drift apart.
	if err := x.Validate(); sound && err != nil {
		n.problem("%v", err)
	} else if sound {
		*to = x
	}
}
