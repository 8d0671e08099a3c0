package config

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"

	"tune2048/engine"
	"tune2048/engine/key"
	"tune2048/experiments/fitness"
	"tune2048/tuner"
)

// A size is a number of generations, games or rounds. One that a file leaves out or writes as auto
// stays so: it follows from the games that were played before it. So no size hangs on the length of
// a tuning that is not over.

// Stage is a part of the tuning phase: generations of candidates at the same search settings.
type Stage struct {
	Name        string // unique within the experiment
	Search      engine.Settings
	MaxGames    int // of the whole stage, at least one generation; 0: no limit; AutoGames: see Length
	Generations int // at most; 0: auto
	Games       int // of a candidate in a generation at most; 0: auto, see GamesAfter
	Rounds      int // in which these games are dealt; a race stops losers; 1: no racing
	Patience    int // generations without clear progress after which the stage ends; 0: it goes on

	open int64 // the games where neither is given
}

func (s *Stage) Keys() []key.Key {
	return []key.Key{
		{Name: "name", Doc: "of the stage; each has its own: `tune` where there is one stage, otherwise `stage-1`, " +
			"`stage-2` ...", To: &s.Name, Named: true},
		searchKey(&s.Search),
		{Name: "max_games", Doc: "of the stage: a generation that could exceed it does not begin; 0: no limit; auto: " +
			"10,000, or no limit beside generations",
			To: &s.MaxGames, Default: 0, Auto: AutoGames, Range: key.Between(0, MaxGames)},
		{Name: "generations", Doc: "at most; auto: no limit",
			To: &s.Generations, Auto: 0, Range: key.Between(1, MaxGenerations)},
		{Name: "games", Doc: "of a candidate in a generation; auto: 2 at first, and one more for each 2,500 games of " +
			"tuning up to 8; from there they grow with the games of tuning to the power of 3/4, up to 400",
			To: &s.Games, Auto: 0, Range: key.Between(1, MaxGames)},
		{Name: "rounds", Doc: "in which these games are dealt: after each a race stops the losers",
			To: &s.Rounds, Default: 1, Range: key.Between(1, 100)},
		{Name: "patience", Doc: "generations after which the stage ends early, if the centre of the search was not seen to " +
			"rise in them and enough games were played to see a rise of 3%: about 50,000 of tuning. For that, centre and an " +
			"earlier one play up to a fifth more games; 0: it goes on",
			To: &s.Patience, Default: 0, Quiet: true, Range: key.Between(0, MaxGenerations)},
	}
}

// last makes a number of generations the length of the stage, which nothing else ends.
//
// A stage with patience goes on playing its games, for they have a part of the run's numbers.
func (s *Stage) last(generations int) {
	s.Generations, s.MaxGames = generations, 0
	if s.Patience > 0 {
		s.Patience = MaxGenerations
	}
}

// Open reports whether the file gives neither generations nor max_games.
func (s Stage) Open() bool { return s.MaxGames == AutoGames }

// Length returns the most generations and games of the stage.
func (s Stage) Length() (generations int, games int64) {
	generations, games = cmp.Or(s.Generations, MaxGenerations), int64(cmp.Or(s.MaxGames, math.MaxInt))
	if s.Open() {
		games = s.open
	}
	return generations, games
}

// GamesAfter returns the games of a candidate in a generation that begins after a number of games
// of tuning. With few in all, few games for many candidates lead further than many for few. Near
// the optimum it takes more to see a difference. Above UsualGames they grow with the games of
// tuning to the power of 3/4. So the noise falls as the search narrows, and a night has thousands
// of candidates that are known well in place of millions that nobody knows.
func (s Stage) GamesAfter(played int64) int {
	games := 2 + played/gamesGrow
	if games > UsualGames {
		times := math.Sqrt(float64(played) / ((UsualGames - 2) * gamesGrow))
		games = int64(UsualGames * times * math.Sqrt(times))
	}
	return cmp.Or(s.Games, int(min(games, maxGames)))
}

const (
	// UsualGames are the games of a candidate after 15,000 games of tuning.
	UsualGames = 8

	openGames      = 10_000 // of a stage without a length
	openGamesOfOne = 2500   // likewise, with a single weight to tune
	gamesGrow      = 2500   // games of tuning after which a candidate gets one more, up to UsualGames
	maxGames       = 400    // of a candidate: after 3 million of tuning
)

// Playoff is the phase in which finalists play fresh seeds to name the champion.
type Playoff struct {
	Finalists int // at least the population's centre and the start weights; 0: auto
	Games     int // of each finalist at most; 0: auto
	Rounds    int // in which these games are dealt, as in a Stage; 0: auto
	Search    engine.Settings
}

func (p *Playoff) Keys() []key.Key {
	return []key.Key{
		{Name: "finalists", Doc: "the population's centre and the start weights among them; auto: 2, and one more for each " +
			"2,500 games of tuning, up to 8",
			To: &p.Finalists, Auto: 0, Range: key.Between(2, 10_000)},
		{Name: "games", Doc: "of each finalist at most; auto: by the tuning's cost", To: &p.Games, Auto: 0,
			Range: key.Between(1, MaxGames)},
		{Name: "rounds", Doc: "in which these games are dealt, at most; auto: 10", To: &p.Rounds, Auto: 0,
			Range: key.Between(1, 100)},
		searchKey(&p.Search),
	}
}

// Validation is the phase in which champion, start weights and references play held-out seeds.
type Validation struct {
	Games  int               // of each player at a search that does not say otherwise; 0: auto
	Search []ValidatedSearch // at least one
}

func (v *Validation) Keys() []key.Key {
	return []key.Key{
		{Name: "games", Doc: "held-out games of each player at each search; auto: by the tuning's cost", To: &v.Games,
			Auto: 0, Range: key.Between(2, MaxGames)},
		{Name: "search", Doc: "one search or a list of them, each perhaps with games of its own",
			To:    shown(&v.Search, v.Searches()...),
			Range: key.Between(1, 16), Items: searches},
	}
}

// ValidatedSearch is a search at which held-out seeds are played.
type ValidatedSearch struct {
	engine.Settings
	Games int // of each player at this search; 0: auto, as in the validation
}

func (v *ValidatedSearch) Keys() []key.Key {
	return append(v.Settings.Keys(), key.Key{Name: "games", Doc: "of each player at this search; auto: as in the " +
		"validation",
		To: &v.Games, Default: 0, Auto: 0, Quiet: true, Range: key.Between(2, MaxGames)})
}

// Ablation is the phase that plays the champion without each of its features, and asks whether the
// tuning still got somewhere.
type Ablation struct {
	Games      int     // of each player at most; 0: there is no such phase
	Difference float64 // a share: what costs less can be left out
	Search     engine.Settings
}

func (a *Ablation) Keys() []key.Key {
	search := searchKey(&a.Search)
	search.Doc = "by default the playoff's"
	return []key.Key{
		{Name: "games", Doc: "of each player at most; 0: no such phase; auto: by the tuning's cost", To: &a.Games,
			Auto: AutoGames, Range: key.Between(0, MaxGames)},
		{Name: "difference", Doc: "a share: a feature that costs less can be left out", To: &a.Difference, Default: 0.02,
			Range: key.Range{Low: 0, High: 1, LowOut: true, HighOut: true}},
		search,
	}
}

// searches are the items of a list of them.
const searches = "searches"

// AutoGames is a number of games that the file leaves out, where 0 means something else.
const AutoGames = -1

func searchKey(to *engine.Settings) key.Key {
	return key.Key{Name: "search", Doc: "by default the config's own", To: shown(to, *to)}
}

// shown is where a config has searches, of which one is of settings. A bot searches in its own way,
// of which no config says anything.
func shown[T any](to *T, of ...engine.Settings) *T {
	if len(of) > 0 && of[0].Bot {
		return new(T)
	}
	return to
}

// GamesAt returns the games of each player at search i.
func (v Validation) GamesAt(i int) int { return cmp.Or(v.Search[i].Games, v.Games) }

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
	if !reflect.ValueOf(c.written.search).IsZero() || len(validated) == 0 || slices.ContainsFunc(validated, known) {
		return c.Search
	}
	return validated[len(validated)-1]
}

// MaxGames is more games than a phase of a run can count.
const MaxGames = 10_000_000

// MaxGenerations of a stage: more than can be played in a lifetime.
const MaxGenerations = 1_000_000

// complete gives what the file leaves open, and hangs on no tuning, its value: each stage its name,
// each phase its search, the optimizer its numbers. It checks what holds between keys.
func (c *Config) complete(d *document) {
	c.Search = c.written.search
	searchOr(&c.Search, engine.FixedDepth(3))
	if c.Heuristic.Bot != nil {
		c.Search = engine.Settings{Bot: true}
		c.Objective = c.Objective.Within(c.Heuristic.Bot.Score)
	}
	if len(c.Stages) == 0 {
		c.Stages = []Stage{{Rounds: 1}}
	}
	if len(c.Stages) == 1 {
		c.Stages[0].Name = cmp.Or(c.Stages[0].Name, "tune")
	}
	for i := range c.Stages {
		s := &c.Stages[i]
		s.Name = cmp.Or(s.Name, fmt.Sprintf("stage-%d", i+1))
		if s.MaxGames <= 0 && s.Generations == 0 {
			s.MaxGames = AutoGames
		} else {
			s.MaxGames = max(s.MaxGames, 0)
		}
		searchOr(&s.Search, c.Search)
	}
	searchOr(&c.Playoff.Search, c.Search)
	searchOr(&c.Ablation.Search, c.Playoff.Search)
	if len(c.Validation.Search) == 0 {
		c.Validation.Search = []ValidatedSearch{{Settings: c.Search}}
	}
	c.completeOptimizer(d)
	names := map[string]string{}
	for i := range c.Stages {
		key := fmt.Sprintf("stages[%d]", i)
		s, candidates := c.Stages[i], c.Optimizer.Candidates()
		if s.Games > 0 && s.Rounds > s.Games {
			d.refuse(key+".rounds", "want at most %d, got %d", s.Games, s.Rounds)
		}
		games := s.GamesAfter(0)
		open := openGames
		if len(c.Tunable()) == 1 {
			open = openGamesOfOne
		}
		c.Stages[i].open = int64(max(open, games*candidates)) // at least one generation
		if least := games * candidates; s.MaxGames > 0 && s.MaxGames < least {
			d.refuse(key+".max_games", "want at least %d, the games of one generation (%d candidates, games %d), got %d",
				least, candidates, games, s.MaxGames)
		}
		name := s.Name
		if names[name] != "" {
			d.refuse(key+".name", "the name %s is taken by %s: want a name of its own", name, names[name])
		}
		names[name] = key
	}
	first := map[string]string{}
	for i, h := range c.Validation.Search {
		key := fmt.Sprintf("validation.search[%d]", i)
		if other := first[h.String()]; other != "" {
			d.refuse(key, "the same settings as %s (%s): want each once", other, h)
		}
		first[h.String()] = key
	}
	if c.Ablation.Games == 1 {
		d.refuse("ablation.games", "want 0 for none, or at least 2, got 1")
	}
}

// completeOptimizer gives the settings that follow from others their values: the population fits
// the number of weights.
func (c *Config) completeOptimizer(d *document) {
	c.Optimizer = tuner.Copy(c.written.optimizer)
	for i := range c.Optimizer.Keys() {
		k := c.Optimizer.Keys()[i] // which may follow from the settings before it
		switch auto := k.Auto != nil && k.Value() == float64(k.Auto.(int)); {
		case auto && k.Name == "population":
			k.SetNumber(float64(c.Optimizer.Fit(len(c.Tunable()))))
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

// objective reads the name of an objective, or {name: number} if it has a number.
func (n node) objective(to *fitness.Objective) {
	var texts []string
	for _, k := range fitness.Kinds {
		example, _ := k.New(k.Example)
		texts = append(texts, example.String())
		if k.Example == 0 && n.isText() && n.Value == k.Name {
			*to = example
			return
		}
		if k.Example != 0 && n.isMapping() && len(n.Content) == 2 && n.Content[0].Value == k.Name {
			f, _ := n.fields()
			x, ok := f.entries[k.Name].numberOr("a number in decimal digits")
			if o, err := k.New(x); err == nil {
				*to = o
			} else if rank := int(x); ok && x == float64(rank) && rank > 1 && rank <= 16 {
				f.entries[k.Name].problem("%v: write the tile, %d, not its rank", err, 1<<rank)
			} else if ok {
				f.entries[k.Name].problem("%v", err)
			}
			return
		}
	}
	n.problem("want %s, got %s%s", either(texts), n.describe(), DidYouMean(n.Value, texts))
}

// ParseObjective reads an objective as [fitness.Objective.String] writes it.
func ParseObjective(text string) (o fitness.Objective, err error) {
	d := &document{path: "objective"}
	err = d.read([]byte(text), func(n node) { n.objective(&o) })
	return o, err
}

// search reads how a player searches. The section has the settings, and perhaps other keys. A
// search that is given stands for itself: it takes nothing over from the default one.
func (n node) search(to *engine.Settings, section key.Section) {
	if n.doc.bot {
		n.problem("want none: a player searches in its own way")
		return
	}
	if !n.isMapping() {
		n.want("a mapping such as {depth: 3}")
		return
	}
	f, _ := n.fields()
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
