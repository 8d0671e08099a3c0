package experiments

import (
	"context"
	"fmt"

	"tune2048/engine/heuristic"
	"tune2048/experiments/stats"
)

// LeftOut is what the champion comes to without one of its features.
type LeftOut struct {
	Feature string   // its name
	Weight  float64  // the champion's
	Change  Contrast // without the feature against with it; its verdict is one of the below
}

// Verdicts on a feature, which are those on the champion without it.
const (
	Matters       = Worse        // without it the champion is worse
	CanBeLeftOut  = NoDifference // without it the champion is not worse than by the config's ablation.difference
	BetterWithout = Better
)

// originAblation is the origin of the champion without a feature.
const originAblation = "ablation"

// ablate leaves the features out of the champion, one at a time, and compares each with the champion until it is decided or
// the games of the config are spent. A feature with the weight 0 has no say in any board's value.
func (s *state) ablate(ctx context.Context, champion int) ([]LeftOut, error) {
	c := s.Config.Ablation
	if c.Games == 0 {
		return nil, nil
	}
	var found []LeftOut
	var pairs []pair
	var at []int // of the pairs in found
	for _, f := range s.Config.Family.Features {
		number, weight := s.without(f, champion)
		found = append(found, LeftOut{Feature: f.Name, Weight: weight, Change: Contrast{Verdict: CanBeLeftOut, Ratio: stats.Estimate{Value: 1, Interval: stats.Interval{Low: 1, High: 1}}}})
		if number != champion { // its weight is not 0
			pairs, at = append(pairs, pair{number, champion}), append(at, len(found)-1)
		}
	}
	if len(pairs) == 0 {
		return found, nil
	}
	if err := s.candidates.record(ctx, s.Store, s.run); err != nil {
		return nil, err
	}
	s.progress.beginPhase(PhaseAblation)
	contrasts, err := s.settle(ctx, PhaseAblation, c.Search, c.Games, c.Difference, pairs)
	if err != nil {
		return nil, err
	}
	for i := range contrasts {
		contrasts[i].Question = "without " + found[at[i]].Feature
		found[at[i]].Change = contrasts[i]
	}
	if err := s.Store.AddContrasts(ctx, s.run.ID, contrasts); err != nil {
		return nil, fmt.Errorf("record the ablation: %w", err)
	}
	return found, nil
}

// without registers the champion without a feature, and returns the feature's weight too.
func (s *state) without(f heuristic.Feature, champion int) (number int, weight float64) {
	vector := append(heuristic.Vector(nil), s.candidates.vectors[champion]...)
	for i, w := range s.candidates.weights {
		if w.Name == f.Name {
			weight, vector[i] = vector[i], 0
		}
	}
	number, _ = s.candidates.add(Candidate{Origin: originAblation, Name: "without " + f.Name, Dead: s.candidates.list[champion].Dead}, vector)
	return number, weight
}
