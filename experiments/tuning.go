package experiments

import (
	"context"
	"slices"

	"tune2048/configs/config"
	"tune2048/engine/portable"
	"tune2048/tuner"
)

// tune is the tuning phase, the one loop of the product: it carries the stages out, generation by
// generation, and returns the numbers of the finalists.
func (s *state) tune(ctx context.Context) (finalists []int, err error) {
	optimizer, err := newOptimizer(s.Config)
	if err != nil {
		return nil, err
	}
	for i, stage := range s.Config.Stages {
		optimizer.NextStage()
		s.stage, s.centres, s.began, s.looked, s.looks, s.rise = stage, nil, s.games, s.games, NewLooks(s.Config.Objective), rise{}
		for g := 0; s.fits(g) && !s.stopped; g++ {
			if err := s.generation(ctx, optimizer, g); err != nil {
				return nil, err
			}
			if err := s.decideStop(ctx, s.Config.Stages[i:], g); err != nil {
				return nil, err
			}
		}
		if s.lasted = append(s.lasted, len(s.centres)); s.stopped {
			break
		}
	}
	return s.finalists(ctx, optimizer.Centre())
}

// generation asks for candidates, plays them, passes their fitness to the optimizer and records it.
// Then it looks at the centre, if that is due.
func (s *state) generation(ctx context.Context, optimizer *tuner.Optimizer, g int) error {
	s.candidates.forget()
	numbers, err := s.register(ctx, optimizer.Ask(), s.stage.Name, g)
	if err != nil {
		return err
	}
	most, games := s.stage.Length()
	if n, _, likely := foretell(s.Config, s.stage, most-g, games-s.played(), s.games); n > 0 {
		s.progress.Left = likely + s.looksWithin(likely, n)
	}
	s.population = distinct(numbers)
	if err := s.accept(Block{Place: Place{Phase: PhaseTuning, Generation: g}}, nil); err != nil { // all may have failed before
		return err
	}
	// Candidates stop early that are clearly not among those that the optimizer selects.
	stage := s.stage
	stage.Games = stage.GamesAfter(s.games)
	played, _, err := s.race(ctx, PhaseTuning, stage, g, s.population, optimizer.Selected())
	if err != nil {
		return err
	}
	s.cost.add(played)
	// The lower bound of all games of the stage: so a survivor that was measured often leads a
	// newcomer that was lucky once.
	standings := s.standingsAt(PhaseTuning, stage.Name, stage.Search.String())
	if err := optimizer.Tell(standings.Lower(numbers)); err != nil {
		return err
	}
	s.centres = append(s.centres, optimizer.Centre())
	s.progress.Generations++
	s.report()
	looked, err := s.look(ctx, s.centres[g], g)
	if err != nil {
		return err
	}
	return s.watch(ctx, s.centres[g], g, looked)
}

func newOptimizer(c *config.Config) (*tuner.Optimizer, error) {
	return tuner.New(c.Optimizer, tuner.NewSpace(c.Tunable(), c.Heuristic.Order...),
		portable.Hash(c.Seed, "optimizer"), c.Starts...)
}

// played returns the games of the stage at hand.
func (s *state) played() int64 { return s.games - s.began }

// fits reports whether the stage at hand has a generation g: whether its games are there if all
// candidates play all of theirs, whether its centre may still rise, and whether the run can hold
// what follows.
func (s *state) fits(g int) bool {
	generations, most := s.stage.Length()
	games := int64(s.stage.GamesAfter(s.games)) * int64(s.Config.Optimizer.Candidates())
	return g < generations && !s.rise.over(s.stage.Patience, g) && s.played()+games <= most &&
		s.asked < MaxGames/10*9 && s.candidates.next < MaxCandidates/10*9
}

// decideStop asks whether tuning ends with generation g, or takes the recorded answer. stages are
// the one at hand and those after it.
func (s *state) decideStop(ctx context.Context, stages []config.Stage, g int) error {
	if !s.fits(g + 1) {
		stages = stages[1:]
	}
	switch {
	case s.run.StoppedAfter > 0:
		s.stopped = s.progress.Generations >= s.run.StoppedAfter
		return nil
	case s.Limit == nil || s.progress.replaying || len(stages) == 0 || ctx.Err() != nil ||
		!s.Limit.Ends(s.nextGeneration(ctx, stages[0])):
		return nil
	}
	s.stopped, s.run.StoppedAfter = true, s.progress.Generations
	return s.Store.SetStop(ctx, s.run.ID, s.progress.Generations)
}

// nextGeneration is the next generation, and puts what follows the tuning so far into the plan.
func (s *state) nextGeneration(ctx context.Context, stage config.Stage) PlannedPart {
	s.progress.Plan = slices.Concat(s.progress.Plan[:len(s.Config.Stages)], s.planner.after(ctx, s.cost.games, s.stage.Search, len(s.centres) >= leastTrend))
	s.report()
	b := planned(PhaseTuning, stage.Search, s.Config.Optimizer.Candidates(), stage.GamesAfter(s.games), stage.Rounds)
	if b.Stage = stage.Name; b.Stage == s.stage.Name {
		b.Expected += s.looksWithin(b.Expected, 1)
	}
	return b
}
