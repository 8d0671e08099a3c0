package configs

import (
	"fmt"

	"tune2048/engine"
	"tune2048/experiments/fitness"
	"tune2048/tuner"
)

// Stage is a part of the tuning phase: generations of candidates that play at the same search settings.
type Stage struct {
	Name        string // unique within the experiment
	Search      engine.Settings
	Generations int // at most this many, at least 1
	Games       int // of a candidate in a generation at most, at least 1
	Rounds      int // in which these games are dealt, 1 to Games: who is clearly out after one stops; 1: no racing
	MaxGames    int // of the whole stage: a generation that could exceed it does not begin; at least one fits; 0: no limit
}

// Playoff is the phase in which finalists play fresh seeds to name the champion.
type Playoff struct {
	Finalists int // at least 2: the population's centre and the start weights
	Games     int // of each finalist at most, at least 1
	Rounds    int // in which these games are dealt, 1 to Games, as in a Stage
	Search    engine.Settings
}

// Validation is the phase in which the champion, the start weights and the references play held-out seeds.
type Validation struct {
	Games  int               // of each player at a search that does not say otherwise, at least 2
	Search []ValidatedSearch // at least one
}

// ValidatedSearch is a search at which held-out seeds are played.
type ValidatedSearch struct {
	engine.Settings
	Games int // of each player at this search; 0: those of the validation
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

// Ablation is the phase that plays the champion without each of its features, and finds out whether the tuning still got
// somewhere.
type Ablation struct {
	Games      int     // of each player at most; 0: there is no such phase
	Difference float64 // a share: what costs less can be left out, in (0, 1)
	Search     engine.Settings
}

// Limits of what a run can hold in memory, or play in a lifetime.
const (
	maxStages      = 32
	maxValidations = 16
	maxGenerations = 1_000_000
	maxGames       = 10_000_000
	maxRounds      = 100
	maxRestarts    = 100
)

// The playoff's defaults where there is no budget to fit.
const (
	standardFinalists    = 8
	standardPlayoffGames = 500
)

// describePhases describes what is played, and what for.
func (c *Config) describePhases(s *section, b budget) {
	describeStages(s, c)
	entry(s, "objective", &c.Objective, fitness.MeanScore, node.objective, func(o fitness.Objective, _ bool) string { return o.String() })
	s.section("playoff", func(s *section) {
		p := &c.Playoff
		s.whole("finalists", &p.Finalists, b.standard(s, standardFinalists, b.finalists()), 2, maxPopulation)
		s.whole("games", &p.Games, b.standard(s, standardPlayoffGames, b.playoffGames(p.Finalists)), 1, maxGames)
		s.rounds(&p.Rounds, 10, p.Games)
		s.search("search", &p.Search, c.Search)
	})
	s.section("validation", func(s *section) {
		s.whole("games", &c.Validation.Games, 2000, 2, maxGames)
		entry(s, "search", &c.Validation.Search, []ValidatedSearch{{Settings: c.Search}}, node.searches, func(all []ValidatedSearch, full bool) string {
			return list(all, func(h ValidatedSearch) string { return flow(full, h.describe) })
		})
	})
	s.section("ablation", func(s *section) {
		p := &c.Ablation
		s.wholeOrNone("games", &p.Games, min(4000, c.Validation.Games))
		s.number("difference", &p.Difference, 0.02, tuner.Range{Low: 0, High: 1, LowOut: true, HighOut: true})
		s.search("search", &p.Search, c.Playoff.Search)
	})
}

// wholeOrNone describes a number of games that may be 0.
func (s *section) wholeOrNone(key string, to *int, standard int) {
	s.whole(key, to, standard, 0, maxGames)
	if s.reading && *to == 1 {
		s.entries[key].problem("want 0 for none, or at least 2, got 1")
	}
}

// describeStages describes the stages of the tuning phase: one, called tune, unless they are given.
func describeStages(s *section, c *Config) {
	one := []Stage{{Name: "tune"}}
	one[0].describe(&section{reading: true}, "tune", c)
	entry(s, "stages", &c.Stages, one, func(n node) ([]Stage, bool) { return n.stages(c) }, func(stages []Stage, full bool) string {
		var texts []string
		for i, stage := range stages {
			texts = append(texts, flow(full, func(s *section) { stage.describe(s, nameOfStage(i), c) }))
		}
		return items(texts)
	})
}

func nameOfStage(i int) string { return fmt.Sprintf("stage-%d", i+1) }

func (stage *Stage) describe(s *section, name string, c *Config) {
	s.name("name", &stage.Name, name)
	s.search("search", &stage.Search, c.Search)
	s.whole("max_games", &stage.MaxGames, 0, 0, maxGames)
	b := budget(stage.MaxGames)
	s.whole("generations", &stage.Generations, b.standard(s, 30, 0), 1, maxGenerations)
	s.whole("games", &stage.Games, b.standard(s, 8, b.games(c.Optimizer.Algorithm)), 1, maxGames)
	s.rounds(&stage.Rounds, 1, stage.Games)
	if stage.Generations == 0 {
		stage.Generations = b.generations(stage, c)
	}
	least := stage.Games * c.Optimizer.Population
	if n, given := s.get("max_games"); given && s.reading && stage.MaxGames > 0 && stage.MaxGames < least && n.doc.found == 0 && !n.doc.stored {
		n.problem("want at least %d, the games of one generation (population %d, games %d), got %d",
			least, c.Optimizer.Population, stage.Games, stage.MaxGames)
	}
}

// stages reads a list of stages.
func (n node) stages(c *Config) (stages []Stage, ok bool) {
	items, ok := n.items("stages", 1, maxStages)
	owner := map[string]node{}
	for i, item := range items {
		var stage Stage
		item.section(func(s *section) {
			stage.describe(s, nameOfStage(i), c)
			if other, taken := owner[stage.Name]; taken {
				at, named := s.get("name")
				if !named {
					at = item
				}
				at.problem("the name %s is taken by %s: want a name of its own", stage.Name, other.key)
			}
		})
		owner[stage.Name] = item
		stages = append(stages, stage)
	}
	return stages, ok
}

// rounds describes the rounds in which games are dealt; the default is made to fit.
func (s *section) rounds(to *int, standard, games int) {
	s.whole("rounds", to, min(standard, games), 1, min(games, maxRounds))
}

func (h *ValidatedSearch) describe(s *section) {
	describeSearch(s, &h.Settings)
	if s.reading || h.Games > 0 {
		s.whole("games", &h.Games, 0, 2, maxGames)
	}
}

// searches reads one search or a list of them, each of which may have its own games.
func (n node) searches() (searches []ValidatedSearch, ok bool) {
	given := []node{n}
	if !n.isMapping() {
		if given, ok = n.items("searches", 1, maxValidations); !ok {
			return nil, false
		}
	}
	first := map[string]node{}
	for _, one := range given {
		var h ValidatedSearch
		if !one.settings(&h.Settings, h.describe) {
			continue
		}
		if other, twice := first[h.String()]; twice {
			one.problem("the same settings as %s (%s): want each once", other.key, h)
			continue
		}
		first[h.String()] = one
		searches = append(searches, h)
	}
	return searches, true
}

// objective reads the name of an objective, or {name: number} if it has a number.
func (n node) objective() (o fitness.Objective, ok bool) {
	if n.isMapping() {
		ok = n.section(func(s *section) { describeObjective(s, &o) })
		return o, ok && o != fitness.Objective{}
	}
	examples := map[string]fitness.Objective{}
	var texts []string
	for _, k := range fitness.Kinds {
		example, _ := k.New(k.Example)
		if k.Example != 0 && n.isText() && n.yaml.Value == k.Name {
			n.problem("%s wants a number: %s", k.Name, example)
			return o, false
		}
		texts = append(texts, example.String())
		examples[example.String()] = example
	}
	text, ok := n.choice(texts...)
	return examples[text], ok
}

// ParseObjective reads an objective as [fitness.Objective.String] writes it.
func ParseObjective(text string) (o fitness.Objective, err error) {
	err = readDocument([]byte(text), "objective", func(n node) { o, _ = n.objective() })
	return o, err
}

// describeObjective describes the objectives that have a number.
func describeObjective(s *section, o *fitness.Objective) {
	var names []string
	for _, k := range fitness.Kinds {
		if k.Example == 0 {
			continue
		}
		names = append(names, k.Name)
		x := 0.0
		s.number(k.Name, &x, 0, k.Range)
		if n, given := s.get(k.Name); given && k.Range.Contains(x) {
			var err error
			if *o, err = k.New(x); err != nil {
				n.problem("%v", err)
			}
		}
	}
	s.onlyOne(names...)
}
