package summary

import (
	"slices"

	"tune2048/experiments"
)

// Stage is a stage of tuning. Games count from the run's start.
type Stage struct {
	Name        string `json:"name"`
	Search      string `json:"search"`
	From        int64  `json:"from"` // games played before it
	To          int64  `json:"to"`
	Generations int    `json:"-"` // that ended
}

// tuning says how the tuning went. handOver is the number of generations after which CMA-ES takes
// over, or 0 if it does not.
func (s *Summary) tuning(handOver int) {
	s.Generations, s.totals.Generations = s.totals.Generations, nil
	for i, g := range s.Generations {
		if n := len(s.Stages); n == 0 || s.Stages[n-1].Name != g.Stage || s.Stages[n-1].Search != g.Search {
			stage := Stage{Name: g.Stage, Search: g.Search}
			if i > 0 {
				stage.From = s.Generations[i-1].Played
			}
			s.Stages = append(s.Stages, stage)
		}
		stage := &s.Stages[len(s.Stages)-1]
		stage.To = g.Played
		stage.Generations++
	}
	for _, looks := range s.looks {
		for _, look := range looks.Each() {
			s.Looks = append(s.Looks, Look{look, s.playedBy(look.Place)})
		}
		if shown := looks.Shown(); shown != nil { // otherwise the stage before is shown
			s.Centre = shown
		}
	}
	if handOver > 0 && len(s.Stages) > 0 {
		if before := min(handOver, s.Stages[0].Generations); 0 < before && before < len(s.Generations) {
			s.HandOver = s.Generations[before-1]
		}
	}
}

// Look is a look at the centre of the search, with the games of tuning before it.
type Look struct {
	experiments.Look
	Played int64
}

// playedBy returns the games of tuning until the generation of a place has ended.
func (s *Summary) playedBy(at experiments.Place) int64 {
	i := slices.IndexFunc(s.Generations, func(g experiments.Generation) bool {
		return g.Stage == at.Stage && g.Search == at.Search && g.Number == at.Generation
	})
	if i < 0 { // somebody deleted it
		return 0
	}
	return s.Generations[i].Played
}

// Stage returns the stage of a name, or nil.
func (s *Summary) Stage(name string) *Stage {
	if i := slices.IndexFunc(s.Stages, func(stage Stage) bool { return stage.Name == name }); i >= 0 {
		return &s.Stages[i]
	}
	return nil
}

// Trend compares the population's centre half way through the last stage with the centre at its
// end, on fresh games.
type Trend struct {
	experiments.Comparison
	Stage          string
	Centres        []Player // the earlier and the last one, as far as they are known
	Generation, Of int      // of the stage, from 1, of the two centres
	From, To       int64    // games of tuning at the two centres
}

// trend fills in the trend.
func (s *Summary) trend(comparisons []experiments.Comparison) {
	i := slices.IndexFunc(comparisons, func(c experiments.Comparison) bool { return c.Phase == experiments.PhaseTrend })
	if i < 0 || len(s.Generations) == 0 {
		return
	}
	last := s.Generations[len(s.Generations)-1]
	stage := s.Stage(last.Stage)
	half := stage.Generations / 2 // generations until the earlier centre
	if half == 0 {
		return
	}
	t := &Trend{Comparison: comparisons[i], Stage: stage.Name, Generation: half, Of: stage.Generations,
		To: last.Played}
	t.From = s.Generations[len(s.Generations)-stage.Generations+half-1].Played
	all := s.at(experiments.PhaseTrend, t.Search)
	for _, number := range []int{t.Candidate, t.Baseline} {
		if at := slices.IndexFunc(all, func(one *experiments.Standing) bool { return one.Candidate == number }); at >= 0 {
			t.Centres = append(t.Centres, s.player(all[at], Centre))
		}
	}
	s.Trend = t
}
