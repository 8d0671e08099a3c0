package experiments

import (
	"context"
	"fmt"

	"tune2048/tuner"
)

// Verdicts on a trend.
const (
	StillRising = Worse        // the earlier centre was worse
	Flat        = NoDifference // the earlier centre was not worse than by the config's ablation.difference
	Falling     = Better
)

// leastTrend is the least number of generations that have a first and a second half.
const leastTrend = 4

// trend compares the populations' centre half way through the last stage with the centre at its end,
// on fresh games, until it is decided or the games of the config's ablation are spent. The luckiest
// candidates of the two times would show nothing.
func (s *state) trend(ctx context.Context) error {
	c := s.Config.Ablation
	if c.Games == 0 || len(s.centres) < leastTrend {
		return nil
	}
	half := len(s.centres)/2 - 1 // generation, from 0, of the earlier centre
	numbers, err := s.register(ctx, []tuner.Candidate{
		{Values: s.centres[half], Origin: tuner.OriginCentre}, {Values: s.centres[len(s.centres)-1], Origin: tuner.OriginCentre},
	}, s.tuned, half)
	if err != nil || numbers[0] == numbers[1] {
		return err
	}
	s.progress.beginPhase(PhaseTrend)
	contrasts, err := s.settle(ctx, PhaseTrend, c.Search, c.Games, c.Difference, []pair{{numbers[0], numbers[1]}})
	if err != nil {
		return err
	}
	if err := s.Store.AddContrasts(ctx, s.run.ID, contrasts); err != nil {
		return fmt.Errorf("record the trend: %w", err)
	}
	return nil
}
