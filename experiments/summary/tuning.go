package summary

import (
	"math"
	"slices"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// Stage is a stage of tuning. Games count from the run's start.
type Stage struct {
	Name        string `json:"name"`
	Search      string `json:"search"`
	From        int64  `json:"from"` // games played before it
	To          int64  `json:"to"`
	Generations int    `json:"-"` // that ended
	// Rose is the number of games when the mean was last seen to rise. null: it rose till the end.
	Rose *int64 `json:"rose"`
}

// Generation is a generation of tuning, with the games of tuning at its end.
type Generation struct {
	experiments.Generation
	Played int64
}

// restless is the number of generations without progress after which the mean has stopped rising.
const restless = 6

// tuning says how the tuning went. handOver is the number of generations after which CMA-ES takes
// over, or 0 if it does not.
func (s *Summary) tuning(handOver int) {
	for _, t := range s.totals.Stages {
		stage := Stage{Name: t.Stage, Search: t.Search}
		if n := len(s.Generations); n > 0 {
			stage.From = s.Generations[n-1].Played
		}
		stage.To = stage.From
		first := len(s.Generations)
		var own []experiments.Generation
		for _, g := range s.totals.Generations {
			if g.Stage == t.Stage && g.Search == t.Search {
				stage.To += g.Games
				own, s.Generations = append(own, g), append(s.Generations, Generation{g, stage.To})
			}
		}
		stage.Generations = len(own)
		from := 0 // CMA-ES begins with wide steps, so its means are not compared with those before
		if first == 0 && handOver < len(own) {
			from = handOver
		}
		if rose := from + experiments.LastRise(own[from:]); len(own)-1-rose >= restless {
			stage.Rose = &s.Generations[first+rose].Played
		}
		s.Stages = append(s.Stages, stage)
		if t.Start != nil {
			s.Start = new(s.player(t.Start, Start))
		}
	}
	if handOver > 0 && len(s.Stages) > 0 {
		if before := min(handOver, s.Stages[0].Generations); 0 < before && before < len(s.Generations) {
			s.HandOver = s.Generations[before-1]
		}
	}
}

// SoFarOf is the number of generations that say how good a search is.
const SoFarOf = 6

// SoFar returns the mean fitness of the candidates of consecutive generations of the last stage,
// with a 95% interval and the last of these generations. They are the SoFarOf generations whose
// interval begins highest. A champion is hardly worse, and early in a search better. The best
// candidate by its few games would promise too much. The first generations are random, so the
// figure is not known before SoFarOf of them.
func (s *Summary) SoFar() (best stats.Estimate, last Generation, known bool) {
	for end := SoFarOf; end <= len(s.Generations); end++ {
		mean, variance := 0.0, 0.0
		window := s.Generations[end-SoFarOf : end]
		for _, g := range window {
			mean += g.MeanFitness.Value / SoFarOf
			variance += float64(g.MeanFitness.Margin() * g.MeanFitness.Margin())
		}
		margin := math.Sqrt(variance) / SoFarOf
		now := stats.Estimate{Value: mean, Interval: stats.Interval{Low: mean - margin, High: mean + margin}}
		newest := s.Generations[len(s.Generations)-1].Stage
		if window[0].Stage == newest && (!known || now.Interval.Low > best.Interval.Low) {
			best, last, known = now, window[SoFarOf-1], true
		}
	}
	return best, last, known
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
