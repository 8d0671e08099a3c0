package summary

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"tune2048/configs/config"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/tuner"
)

// Weight is a tuned weight: its range, the champion's value, and where the search ended.
type Weight struct {
	Name     string   `json:"name"`
	Min      float64  `json:"min"`
	Max      float64  `json:"max"`
	Scale    string   `json:"scale"`         // by which it was tuned: linear, log or ratio
	Near     float64  `json:"near,omitzero"` // of a ratio scale: see tuner.Parameter; 0 is left out
	Start    float64  `json:"start"`
	Champion *float64 `json:"champion"`
	Edge     string   `json:"edge"` // where the search ended: min or max, see tuner.Parameter.Edge; or empty
	// Population is where tuning ended, or null before its first generation.
	Population *Band `json:"population"`
}

// Band has quantiles of the population's values of a weight.
type Band struct {
	P05 float64 `json:"p05"`
	P25 float64 `json:"p25"`
	P50 float64 `json:"p50"`
	P75 float64 `json:"p75"`
	P95 float64 `json:"p95"`
}

// population is how many candidates the quantiles of a population are made of, at least.
const population = 20

// weights fills in the tuned weights.
func (s *Summary) weights(config *config.Config, candidates []experiments.Candidate) {
	for _, t := range config.Tunable() {
		s.Weights = append(s.Weights, Weight{Name: t.Name, Min: t.Min, Max: t.Max,
			Scale: cmp.Or(t.Scale, tuner.LinearScale), Near: t.Near, Start: t.Value})
	}
	positions := map[string]int{} // of the first generation of each stage
	for i := len(s.Generations) - 1; i >= 0; i-- {
		positions[s.Generations[i].Stage] = i
	}
	born := make([][][]float64, len(s.Generations)) // values of the candidates that tuning first asked for in each
	tuned := func(number int) bool {
		return slices.ContainsFunc(s.totals, func(t *experiments.Standings) bool { return t.Phase == experiments.PhaseTuning && t.Of[number] != nil })
	}
	for _, c := range candidates {
		values, complete := s.values(c)
		if !complete {
			continue
		}
		if c.Number == s.Run.Champion {
			for i, of := range config.Tunable() {
				w := &s.Weights[i]
				if w.Champion = &values[i]; values[i] != w.Start { // otherwise the config put it there
					w.Edge = of.Edge(values[i])
				}
			}
		}
		first, known := positions[c.Stage]
		if at := first + c.Generation; known && tuned(c.Number) && at >= first && at < len(born) {
			born[at] = append(born[at], values)
		}
	}
	s.population(born)
}

// values returns a candidate's tuned weights in the order of the config, or false if one is
// missing.
func (s *Summary) values(c experiments.Candidate) (values []float64, complete bool) {
	for _, w := range s.Weights {
		i := slices.IndexFunc(c.Weights, func(given experiments.Weight) bool { return given.Name == w.Name })
		if i < 0 {
			return nil, false
		}
		values = append(values, c.Weights[i].Value)
	}
	return values, true
}

// population adds where tuning ended: the last generation, and those before it while the candidates
// are too few.
func (s *Summary) population(born [][][]float64) {
	var last [][]float64
	for at := len(born) - 1; at >= 0 && len(last) < population; at-- {
		last = append(last, born[at]...)
	}
	if last == nil {
		return
	}
	for i := range s.Weights {
		var values []float64
		for _, candidate := range last {
			values = append(values, candidate[i])
		}
		s.Weights[i].Population = new(newBand(values))
	}
}

// newBand has the quantiles of some values.
func newBand(values []float64) Band {
	slices.Sort(values)
	at := func(q float64) float64 { return Drawn(stats.Quantile(values, q)) }
	return Band{at(0.05), at(0.25), at(0.5), at(0.75), at(0.95)}
}

// Drawn is a number with five digits that count, for the eye alone.
func Drawn(x float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 5, 64), 64)
	return short
}

// Feature is the champion without a feature, against the champion. A feature of weight 0 was not
// played: its comparison has no games.
type Feature struct {
	Name   string
	Weight float64
	experiments.Comparison
}

// features fills in the features, the most valuable one first.
func (s *Summary) features(config *config.Config, candidates []experiments.Candidate,
	comparisons []experiments.Comparison) {
	played := map[string]experiments.Comparison{} // by question
	for _, c := range comparisons {
		if c.Phase == experiments.PhaseAblation {
			played[c.Question] = c
		}
	}
	if len(played) == 0 {
		return
	}
	weights := map[string]float64{}
	for _, w := range config.Weights {
		weights[w.Name] = w.Value
	}
	for _, c := range candidates {
		for _, w := range c.Weights {
			if c.Number == s.Run.Champion {
				weights[w.Name] = w.Value
			}
		}
	}
	for _, f := range config.Heuristic.Features {
		c, ok := played[experiments.Ablated(&config.Heuristic, f.Name)]
		switch {
		case ok:
		case weights[f.Name] == 0 && config.Heuristic.Bot == nil:
			c.Verdict, c.Ratio = experiments.CanBeLeftOut, experiments.Unchanged
			c.Search, c.Objective = config.Ablation.Search.String(), s.Objective.String()
		default:
			continue
		}
		s.Features = append(s.Features, Feature{f.Name, weights[f.Name], c})
	}
	slices.SortStableFunc(s.Features, func(a, b Feature) int { return cmp.Compare(a.Worth(), b.Worth()) })
}

// Worth is the relative change without the feature, or the difference where that is not known.
func (f Feature) Worth() float64 {
	if math.IsInf(f.Ratio.Value, 0) {
		return f.Difference.Value
	}
	return f.Ratio.Value - 1
}
