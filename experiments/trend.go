package experiments

import (
	"context"
	"fmt"

	"tune2048/tuner"
)

// Trend says whether the tuning was still getting somewhere: the centre of the search half way through the last stage against
// the centre at its end, on fresh games. The luckiest candidates of the two times would tell nothing.
type Trend struct {
	Stage       string
	Generation  int      // after which the earlier centre was taken, from 0
	Generations int      // of the stage
	Change      Contrast // the earlier centre against the last one; its verdict is one of the below
}

// Verdicts on a trend.
const (
	StillRising = Worse        // the earlier centre was worse
	Flat        = NoDifference // the earlier centre was not worse than by the config's ablation.difference
	Falling     = Better
)

// leastTrend is the least number of generations that have a first and a second half.
const leastTrend = 4

// trend compares the two centres until it is decided or the games of the config's ablation are spent.
func (s *state) trend(ctx context.Context) (*Trend, error) {
	c, stage := s.Config.Ablation, s.stage.Name
	if c.Games == 0 || len(s.centres) < leastTrend {
		return nil, nil
	}
	t := &Trend{Stage: stage, Generation: len(s.centres)/2 - 1, Generations: len(s.centres)}
	numbers, err := s.register(ctx, []tuner.Candidate{
		{Values: s.centres[t.Generation], Origin: tuner.OriginCentre}, {Values: s.centres[len(s.centres)-1], Origin: tuner.OriginCentre},
	}, stage, t.Generation)
	if err != nil || numbers[0] == numbers[1] {
		return nil, err
	}
	s.progress.beginPhase(PhaseTrend)
	contrasts, err := s.settle(ctx, PhaseTrend, c.Search, c.Games, c.Difference, []pair{{numbers[0], numbers[1]}})
	if err != nil {
		return nil, err
	}
	t.Change = contrasts[0]
	if err := s.Store.AddContrasts(ctx, s.run.ID, contrasts); err != nil {
		return nil, fmt.Errorf("record the trend: %w", err)
	}
	return t, nil
}
