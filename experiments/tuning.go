package experiments

import (
	"context"
	"iter"
	"slices"

	"tune2048/configs/config"
	"tune2048/engine/portable"
	"tune2048/tuner"
)

// tune is the tuning phase, the one loop of the product: it carries the stages out, generation by
// generation, and returns the centre of the search.
func (s *state) tune(ctx context.Context) (centre []float64, err error) {
	optimizer, err := newOptimizer(s.Config)
	if err != nil {
		return nil, err
	}
	for i, stage := range s.Config.Stages {
		optimizer.NextStage()
		s.stage = s.beginStage(ctx, stage)
		for g := 0; s.fits(g) && !s.stopped; g++ {
			if err := s.generation(ctx, optimizer, g); err != nil {
				return nil, err
			}
			if err := s.decideStop(ctx, s.Config.Stages[i:], g); err != nil {
				return nil, err
			}
		}
		s.stageLengths = append(s.stageLengths, s.stage.centres.n)
		if s.stopped {
			break
		}
	}
	return optimizer.Centre(), nil
}

// beginStage begins a stage.
func (s *state) beginStage(ctx context.Context, stage config.Stage) *stageState {
	at := Place{Phase: PhaseTuning, Stage: stage.Name, Search: stage.Search.String()}
	return &stageState{Stage: stage, before: s.games, looked: s.games,
		field: newField(s.Config.Objective, at, s.reread(ctx)), looks: NewLooks(s.Config.Objective)}
}

// judge ends the tuning: what follows belongs to the ending.
func (s *state) judge(ctx context.Context) error {
	run, err := s.Store.Judge(ctx, s.run.ID, Length{Generations: s.progress.Generations, Stopped: s.stopped,
		Candidates: s.candidates.next, Questions: s.asked})
	if err == nil {
		s.run, s.progress.Run = run, run
		s.candidates.readFrom(ctx, s.Store, run.ID)
	}
	return err
}

// generation asks for candidates, plays them, passes their fitness to the optimizer and records it.
// Then it looks at the centre, if that is due.
func (s *state) generation(ctx context.Context, optimizer *tuner.Optimizer, g int) error {
	numbers, err := s.register(ctx, optimizer.Ask(), s.stage.Name, g)
	if err != nil {
		return err
	}
	s.candidates.forget(numbers)
	s.failed.forget(s.candidates.inUse)
	s.stage.field.putAway()
	most, games := s.stage.Length()
	if n, _, likely := foretell(s.Config, s.stage.Stage, most-g, games-s.stageGames(), s.games); n > 0 {
		s.progress.Left = likely + s.looksWithin(likely, n)
	}
	s.population = distinct(numbers)
	if err := s.accept(Block{Place: Place{Phase: PhaseTuning, Generation: g}}, nil); err != nil { // all may have failed before
		return err
	}
	// Candidates stop early that are clearly not among those that the optimizer selects.
	stage := s.stage.Stage
	stage.Games = stage.GamesAfter(s.games)
	played, _, err := s.race(ctx, PhaseTuning, stage, g, s.population, optimizer.Selected())
	if err != nil {
		return err
	}
	s.cost.add(played)
	for _, e := range played {
		s.stage.field.add(e)
	}
	// The lower bound of all games of the stage: so a survivor that was measured often leads a
	// newcomer that was lucky once.
	bounds := s.stage.field.Lower(numbers)
	if s.readError != nil {
		return s.readError
	}
	if err := optimizer.Tell(bounds); err != nil {
		return err
	}
	centre := optimizer.Centre()
	s.stage.centres.add(centre)
	s.progress.Generations++
	if s.stage.Name == s.Config.Stages[len(s.Config.Stages)-1].Name && !s.progress.replaying {
		s.replan(ctx, s.progress.Left)
	}
	s.report()
	looked, err := s.look(ctx, centre, g)
	if err != nil {
		return err
	}
	return s.watch(ctx, centre, g, looked)
}

// reread reads evaluations from the store, for the field. An error ends them, and stays in
// readError.
func (s *state) reread(ctx context.Context) Again {
	return func(at Place, numbers []int, from, below int) iter.Seq[Evaluation] {
		return func(yield func(Evaluation) bool) {
			for e, err := range s.Store.Tuned(ctx, s.run.ID, at, numbers, from, below) {
				if err != nil {
					s.readError = err
					return
				}
				if !yield(e) {
					return
				}
			}
		}
	}
}

// centres are the centres of a stage's search, after each generation. Those before the one half way
// are forgotten: it only moves on.
type centres struct {
	n    int         // how many there were
	list [][]float64 // the last ones
}

func (c *centres) add(centre []float64) {
	c.n, c.list = c.n+1, append(c.list, centre)
	for c.n-len(c.list) < c.half() {
		c.list[0], c.list = nil, c.list[1:]
	}
}

// half is the generation half way, from 0.
func (c *centres) half() int { return c.n/2 - 1 }

// after returns the centre after a generation, from 0: half way or later.
func (c *centres) after(generation int) []float64 { return c.list[generation-(c.n-len(c.list))] }

func newOptimizer(c *config.Config) (*tuner.Optimizer, error) {
	return tuner.New(c.Optimizer, tuner.NewSpace(c.Tunable(), c.Heuristic.Order...),
		portable.Hash(c.Seed, "optimizer"), c.Starts...)
}

// stageGames returns the games of the stage at hand.
func (s *state) stageGames() int64 { return s.games - s.stage.before }

// fits reports whether the stage at hand has a generation g: whether its games are there if all
// candidates play all of theirs, whether its centre may still rise, and whether the run can hold
// what follows.
func (s *state) fits(g int) bool {
	return HasRoom(s.Config, s.stage.Stage, g, s.stage.before, s.stageGames()) &&
		!s.stage.rise.over(s.stage.Patience, g) &&
		s.asked < MaxGames/10*9 && s.candidates.next < MaxCandidates/10*9
}

// HasRoom reports whether a stage has a generation g, and games for it. It began after a number of
// games of tuning, and has played so many itself.
func HasRoom(c *config.Config, stage config.Stage, g int, began, played int64) bool {
	generations, most := stage.Length()
	games := int64(stage.GamesAfter(began+played)) * int64(c.Optimizer.Candidates())
	return g < generations && played+games <= most
}

// decideStop asks whether tuning ends with generation g, or takes the recorded answer. stages are
// the one at hand and those after it.
func (s *state) decideStop(ctx context.Context, stages []config.Stage, g int) error {
	if !s.fits(g + 1) {
		stages = stages[1:]
	}
	switch {
	case s.run.Generations > 0:
		s.stopped = s.progress.Generations >= s.run.Generations && len(stages) > 0
		return nil
	case s.Limit == nil || s.progress.replaying || len(stages) == 0 || ctx.Err() != nil ||
		!s.Limit.Ends(s.nextGeneration(ctx, stages[0])):
		return nil
	}
	s.stopped = true
	return nil
}

// replan puts what follows the tuning into the plan, if that has so many games to come.
func (s *state) replan(ctx context.Context, games int64) {
	cost := func() float64 { return s.cost.games() + float64(games) }
	trend := s.stage.centres.n >= minTrend || games > 0 && s.progress.Plan[len(s.progress.Plan)-1].Phase == PhaseTrend
	follows := s.planner.after(ctx, cost, s.stage.Search, trend)
	s.progress.Plan = slices.Concat(s.progress.Plan[:len(s.Config.Stages)], follows)
}

// nextGeneration is the next generation. The plan gets what follows if there is none.
func (s *state) nextGeneration(ctx context.Context, stage config.Stage) PlannedPart {
	s.replan(ctx, 0)
	s.report()
	b := planned(PhaseTuning, stage.Search, s.Config.Optimizer.Candidates(), stage.GamesAfter(s.games), stage.Rounds)
	b.Stage = stage.Name
	if b.Stage == s.stage.Name {
		b.Expected += s.looksWithin(b.Expected, 1)
	}
	return b
}
