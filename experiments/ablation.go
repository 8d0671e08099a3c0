package experiments

import (
	"context"
	"fmt"
	"slices"

	"tune2048/engine/heuristic"
)

// Verdicts on a feature, which are those on the champion without it.
const (
	Matters       = Worse        // without it the champion is worse
	CanBeLeftOut  = NoDifference // without it the champion is not worse than by the config's ablation.difference
	BetterWithout = Better
)

// originAblation is the origin of the champion without a feature.
const originAblation = "ablation"

// ablate leaves the features out of the champion, one at a time, and compares each with the champion
// until it is decided or the games of the config are spent. A feature with the weight 0 has no say in
// any board's value and is not played.
func (s *state) ablate(ctx context.Context, champion int) error {
	c := s.Config.Ablation
	if c.Games == 0 {
		return nil
	}
	var pairs []pair
	var questions []string
	for _, f := range s.Config.Family.Features {
		if number := s.without(f, champion); number != champion { // its weight is not 0
			pairs, questions = append(pairs, pair{number, champion}), append(questions, "without "+f.Name)
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	if err := s.candidates.record(ctx, s.Store, s.run); err != nil {
		return err
	}
	s.progress.beginPhase(PhaseAblation)
	contrasts, err := s.settle(ctx, PhaseAblation, c.Search, c.Games, c.Difference, pairs)
	if err != nil {
		return err
	}
	for i := range contrasts {
		contrasts[i].Question = questions[i]
	}
	if err := s.Store.AddContrasts(ctx, s.run.ID, contrasts); err != nil {
		return fmt.Errorf("record the ablation: %w", err)
	}
	return nil
}

// without registers the champion without a feature.
func (s *state) without(f heuristic.Feature, champion int) (number int) {
	vector := slices.Clone(s.candidates.vectors[champion])
	for i, w := range s.candidates.weights {
		if w.Name == f.Name {
			vector[i] = 0
		}
	}
	number, _ = s.candidates.add(Candidate{Origin: originAblation, Name: "without " + f.Name, Dead: s.candidates.list[champion].Dead}, vector)
	return number
}
