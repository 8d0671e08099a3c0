package experiments

import (
	"context"
	"fmt"
	"math"

	"tune2048/configs/config"
	"tune2048/engine/simulator"
)

// Experiment is the input of Run.
type Experiment struct {
	Config    *config.Config
	Simulator Simulator
	Store     Store
	New       bool // start afresh even if the store has a run of this config
	GoOn      bool // see RunSpec, like Resume
	Resume    int64
	Observe   func(Progress) // called at every step; may be nil
	Limit     Limit          // ends the run in time; may be nil
	// Settle waits for the replays of workers' games, before the run is finished. The run ends with
	// its error. It may be nil.
	Settle func(ctx context.Context) error
}

// StartNumber is the Candidate.Number of the start weights in every run: they are the first
// candidate that is asked for.
const StartNumber = 0

// state is a tuning under way.
type state struct {
	Experiment
	*session
	stage        *stageState // the stage at hand, in the end the last one
	population   []int       // the candidates of the generation at hand
	readError    error       // of the store, where the field of a stage needed it
	stageLengths []int       // generations, by stage
	cost         spent       // by the tuning
	planner      *Planner
	stopped      bool // tuning was ended before its last generation
}

// stageState is a stage under way. The next stage begins with another one.
type stageState struct {
	config.Stage
	before  int64   // games of tuning before the stage
	looked  int64   // likewise before the last look at the centre, or before the stage
	field   *Field  // ranks the candidates
	centres centres // of the optimizer
	looks   *Looks  // at the centre
	rise    rise    // of the centre
}

// Run carries the experiment out, or on: what the store already has is not played again. The
// findings are in the store, as evaluations and comparisons. The Run is the one that Begin
// returned. When ctx is done the run is left as interrupted and the error is ctx's. A finished run
// is left as it is.
func (x Experiment) Run(ctx context.Context) (run Run, err error) {
	c := x.Config
	if err := CheckPlan(c); err != nil {
		return run, err
	}
	run, err = begin(ctx, x.Store, RunSpec{
		Name: c.Name, Kind: KindTune, ConfigYAML: string(c.YAML()), ConfigHash: c.Hash, Seed: c.Seed, Note: c.Note,
		Tuner: Tuner, Signature: simulator.Signature, Objective: c.Objective.String(), New: x.New, GoOn: x.GoOn,
		Resume: x.Resume, Generations: c.Generations(), Tuning: c.Tuning(),
	}, &c.Heuristic)
	if err != nil {
		return run, err
	}
	s := newState(ctx, x, run)
	defer func() {
		run = s.run
		s = nil // the figures of millions of candidates need its memory
		err = finish(ctx, x.Store, run.ID, err)
	}()
	s.report()
	if run.Status == Finished { // nothing is left to do
		return run, nil
	}
	centre, err := s.tune(ctx)
	if err != nil {
		return run, err
	}
	if err := s.judge(ctx); err != nil || s.run.Status == Finished {
		return run, err
	}
	finalists, err := s.finalists(ctx, centre)
	if err != nil {
		return run, err
	}
	ranked, err := s.playoff(ctx, finalists)
	if err != nil {
		return run, err
	}
	champion, err := s.crown(ctx, ranked)
	if err != nil {
		return run, err
	}
	if err := s.ablate(ctx, champion); err != nil {
		return run, err
	}
	if err := s.trend(ctx); err != nil {
		return run, err
	}
	if x.Settle != nil {
		return run, x.Settle(ctx)
	}
	return run, nil
}

func newState(ctx context.Context, x Experiment, run Run) *state {
	c := x.Config
	s := &state{Experiment: x, planner: NewPlanner(c)}
	s.session = newSession(x.Store, run, x.Simulator, c.Objective, s.planner.Plan(ctx, math.MaxInt), x.Observe)
	s.limit = x.Limit
	s.seed, s.candidates, s.storing, s.session.accept = c.Seed, newRegistry(c), c.Store.Games, s.accept
	s.candidates.readFrom(ctx, x.Store, run.ID)
	s.number = func(Block, int, int) int {
		s.asked++
		return s.asked - 1
	}
	return s
}

// accept stops the run where the start weights cannot be played, or half of a generation. What a
// program does to all is not a candidate's fault, so it is not recorded. A candidate that refuses
// its weights does what it should: such a generation may be full of them but for one.
func (s *state) accept(b Block, evaluations []Evaluation) error {
	for _, e := range evaluations {
		if e.Failure != "" && e.Candidate == StartNumber {
			return fmt.Errorf("the start weights cannot be played: %w", s.failure(e.Candidate))
		}
	}
	if b.Phase != PhaseTuning {
		return nil
	}
	lost, refused, example := 0, 0, -1
	for _, number := range s.population {
		switch {
		case s.failed.refused.has(number):
			refused++
		case s.failed.has(number):
			lost, example = lost+1, number
		}
	}
	switch n := len(s.population); {
	case lost > 0 && 2*lost >= n:
		return fmt.Errorf("%d of %d candidates of generation %d cannot be played (mend the bot, narrow the ranges, "+
			"or let the bot refuse such weights): %w", lost, n, b.Generation+1, s.failure(example))
	case refused > 0 && lost+refused == n:
		return fmt.Errorf("no candidate of generation %d can be played, and %d of %d are refused (narrow the ranges, or "+
			"give weights that must ascend an order): %w", b.Generation+1, refused, n, s.failure(s.population[0]))
	}
	return nil
}

func (s *state) failure(number int) error {
	fault, known := s.failed.faults[number]
	if !known {
		return fmt.Errorf("candidate %d failed in an earlier generation (tune report shows how)", number)
	}
	return simulator.Failure(s.candidates.player(number), fault)
}

// finish ends a run, whatever happened: it commits the findings and unlocks the run. It returns the
// error of the run, or else the error of ending it.
func finish(ctx context.Context, store Store, run int64, err error) error {
	status := Finished
	switch {
	case err != nil && ctx.Err() != nil:
		status = Interrupted
	case err != nil:
		status = Failed
	}
	if finishErr := store.Finish(context.WithoutCancel(ctx), run, status); err == nil {
		return finishErr
	}
	return err
}
