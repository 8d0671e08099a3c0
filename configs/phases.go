package configs

import (
	"fmt"

	"tune2048/engine"
	"tune2048/experiments/fitness"
	"tune2048/tuner"
)

// Stage is a part of the tuning phase: generations of candidates at the same search settings.
type Stage struct {
	Name        string // unique within the experiment
	Search      engine.Settings
	Generations int // at most this many, at least 1
	Games       int // of a candidate in a generation at most, at least 1
	Rounds      int // in which these games are dealt, 1 to Games; a race stops losers; 1: no racing
	// MaxGames is for the whole stage: a generation that could exceed it does not begin. At least
	// one fits. 0: no limit.
	MaxGames int
	// Open: the file gives neither generations nor max_games. It is no part of the identity.
	Open bool
}

// Validation is the phase in which champion, start weights and references play held-out seeds.
type Validation struct {
	Games  int               // of each player at a search that does not say otherwise, at least 2
	Search []ValidatedSearch // at least one
}

// ValidatedSearch is a search at which held-out seeds are played.
type ValidatedSearch struct {
	engine.Settings
	Games int // of each player at this search; 0: as in the validation
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

// Limits of a run's size in memory, and of the games that it can play in a lifetime.
const (
	maxStages      = 32
	maxValidations = 16
	MaxGenerations = 1_000_000 // of a stage
	maxGames       = 10_000_000
	maxRounds      = 100
)

// The playoff's defaults where there is no budget to fit.
const (
	standardFinalists    = 8
	standardPlayoffGames = 500
)

// describePhases describes the games of each phase, and their purpose.
func (c *Config) describePhases(s *section, b budget) {
	var tune Stage
	tune.describe(empty(), c, "tune")
	entry(s, "stages", &c.Stages, []Stage{tune}, stages(c))
	validated := 2000
	if c.Family.Bot != nil { // which may be slow: all follows the games of tuning
		b = c.tuned()
		validated = b.standard(s, validated, b.validationGames())
	}
	entry(s, "objective", &c.Objective, fitness.MeanScore, objective())
	s.section("playoff", func(s *section) {
		p := &c.Playoff
		entry(s, "finalists", &p.Finalists, b.standard(s, standardFinalists, b.finalists()), whole(2, maxPopulation))
		entry(s, "games", &p.Games, b.standard(s, standardPlayoffGames, b.playoffGames(p.Finalists)), whole(1, maxGames))
		describeRounds(s, &p.Rounds, 10, p.Games)
		c.searchOf(s, &p.Search, c.Search)
	})
	s.section("validation", func(s *section) {
		v := &c.Validation
		entry(s, "games", &v.Games, validated, whole(2, maxGames))
		if once := []ValidatedSearch{{Settings: c.Search}}; c.Family.Bot == nil {
			entry(s, "search", &v.Search, once, heldOut())
		} else {
			v.Search = once
			c.searchOf(s, &v.Search[0].Settings, c.Search)
		}
	})
	s.section("ablation", func(s *section) {
		a, standard := &c.Ablation, min(4000, c.Validation.Games)
		if c.Family.Bot != nil {
			standard = 0
		}
		entry(s, "games", &a.Games, standard, whole(0, maxGames))
		if a.Games == 1 {
			s.refuse("games", "want 0 for none, or at least 2, got 1")
		}
		entry(s, "difference", &a.Difference, 0.02, within(share))
		c.searchOf(s, &a.Search, c.Playoff.Search)
	})
}

// share is a range from 0 to 1 without its ends.
var share = tuner.Range{Low: 0, High: 1, LowOut: true, HighOut: true}

// stages are the stages of the tuning phase. Each has a name of its own.
func stages(c *Config) kind[[]Stage] {
	taken := map[string]string{}
	return blocks("stages", 1, maxStages, func(i int) kind[Stage] {
		return mapping(func(s *section, stage *Stage) {
			stage.describe(s, c, fmt.Sprintf("stage-%d", i+1))
			if other := taken[stage.Name]; other != "" {
				s.refuse("name", "the name %s is taken by %s: want a name of its own", stage.Name, other)
			}
			taken[stage.Name] = s.mapping.key
		})
	})
}

func (stage *Stage) describe(s *section, c *Config, called string) {
	entry(s, "name", &stage.Name, called, name())
	c.searchOf(s, &stage.Search, c.Search)
	entry(s, "max_games", &stage.MaxGames, 0, whole(0, maxGames))
	stage.Open = s.missing("generations") && s.missing("max_games")
	b := budget(stage.MaxGames)
	entry(s, "generations", &stage.Generations, b.standard(s, 30, 0), whole(1, MaxGenerations))
	entry(s, "games", &stage.Games, b.standard(s, 8, b.games(c.Optimizer.Algorithm)), whole(1, maxGames))
	describeRounds(s, &stage.Rounds, 1, stage.Games)
	if stage.Generations == 0 {
		stage.Generations = b.generations(stage, c)
	}
	least := stage.Games * c.Optimizer.Candidates()
	// The default population hangs on the heuristic, see budget.
	if d := s.mapping.doc; stage.MaxGames > 0 && stage.MaxGames < least && s.sound("name", "search", "generations", "rounds") &&
		!d.wrong("heuristic") && !d.wrong("optimizer") {
		s.refuse("max_games", "want at least %d, the games of one generation (%d candidates, games %d), got %d",
			least, c.Optimizer.Candidates(), stage.Games, stage.MaxGames)
	}
}

// describeRounds describes the rounds in which games are dealt. The default is made to fit.
func describeRounds(s *section, to *int, standard, games int) {
	entry(s, "rounds", to, min(standard, games), whole(1, min(games, maxRounds)))
}

// heldOut is one search or a list of them, each of which may have its own games.
func heldOut() kind[[]ValidatedSearch] {
	first := map[string]string{}
	one := mapping(func(s *section, h *ValidatedSearch) {
		describeHeldOut(s, h)
		if other := first[h.String()]; other != "" && s.sound("games") {
			s.refuse("", "the same settings as %s (%s): want each once", other, h)
		}
		first[h.String()] = s.mapping.key
	})
	one.schema = func() object { return reference("held_out") }
	k := list("searches", 1, maxValidations, same(one))
	return kind[[]ValidatedSearch]{
		read: func(n node) ([]ValidatedSearch, bool) {
			if n.isMapping() {
				h, ok := one.read(n)
				return []ValidatedSearch{h}, ok
			}
			return k.read(n)
		},
		text:   k.text,
		schema: func() object { return anyOf(one.schema(), k.schema()) },
	}
}

func describeHeldOut(s *section, h *ValidatedSearch) {
	describeSearch(s, &h.Settings)
	optional(s, "games", &h.Games, 0, whole(2, maxGames))
}

// objective is the name of an objective, or {name: number} if it has a number.
func objective() kind[fitness.Objective] {
	numbered := mapping(describeObjective)
	examples := map[string]fitness.Objective{}
	var texts, alone []string
	for _, k := range fitness.Kinds {
		example, _ := k.New(k.Example)
		texts = append(texts, example.String())
		examples[example.String()] = example
		if k.Example == 0 {
			alone = append(alone, k.Name)
		}
	}
	return kind[fitness.Objective]{
		read: func(n node) (o fitness.Objective, ok bool) {
			if n.isMapping() {
				return numbered.read(n)
			}
			for i, k := range fitness.Kinds {
				if k.Example != 0 && n.isWord(k.Name) {
					n.problem("%s wants a number: %s", k.Name, texts[i])
					return o, false
				}
			}
			text, ok := word(texts...).read(n)
			return examples[text], ok
		},
		text:   func(o fitness.Objective, _ bool) string { return o.String() },
		schema: func() object { return anyOf(object{"enum": alone}, numbered.schema()) },
	}
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
		optional(s, k.Name, &x, 0, within(k.Range))
		if s.has(k.Name) && k.Range.Contains(x) {
			var err error
			if *o, err = k.New(x); err != nil {
				s.refuse(k.Name, "%v", err)
			}
		}
	}
	s.oneOf(names...)
}

// ParseObjective reads an objective as [fitness.Objective.String] writes it.
func ParseObjective(text string) (o fitness.Objective, err error) {
	d := &document{path: "objective"}
	err = d.read([]byte(text), func(n node) { o, _ = objective().read(n) })
	return o, err
}
