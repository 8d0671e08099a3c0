package summary

import (
	"cmp"
	"math"
	"slices"

	"tune2048/configs/config"
	"tune2048/experiments"
)

// Weight is a tuned weight: its range and the champion's value.
type Weight struct {
	Name     string   `json:"name"`
	Min      float64  `json:"min"`
	Max      float64  `json:"max"`
	Scale    string   `json:"scale"`         // by which it was tuned: linear, log or ratio
	Near     float64  `json:"near,omitzero"` // of a ratio scale: values nearer to 0 are nearly linear; 0: a hundredth of the range
	Start    float64  `json:"start"`
	Champion *float64 `json:"champion"`
	Edge     string   `json:"edge"` // min or max if the champion lies there; or empty
}

// weights fills in the tuned weights.
func (s *Summary) weights(config *config.Config, candidates []experiments.Candidate) {
	for _, t := range config.Tunable() {
		s.Weights = append(s.Weights, Weight{Name: t.Name, Min: t.Min, Max: t.Max,
			Scale: t.Scale, Near: t.Near, Start: t.Value})
	}
	for _, c := range candidates {
		values, complete := s.Values(c)
		if !complete || c.Number != s.Run.Champion {
			continue
		}
		for i, of := range config.Tunable() {
			w := &s.Weights[i]
			w.Champion = &values[i]
			if values[i] != w.Start { // otherwise the config put it there
				w.Edge = of.Edge(values[i])
			}
		}
	}
}

// Values returns a candidate's tuned weights in the order of the config, or false if one is
// missing.
func (s *Summary) Values(c experiments.Candidate) (values []float64, complete bool) {
	for _, w := range s.Weights {
		i := slices.IndexFunc(c.Weights, func(given experiments.Weight) bool { return given.Name == w.Name })
		if i < 0 {
			return nil, false
		}
		values = append(values, c.Weights[i].Value)
	}
	return values, true
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
			c.Verdict, c.Ratio = experiments.NoDifference, experiments.Unchanged
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
