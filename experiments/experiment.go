package experiments

import (
	"context"

	"tune2048/configs"
	"tune2048/engine/simulator"
)

// Simulator plays batches of games; see simulator.Pool.Play for the contract.
type Simulator interface {
	Play(ctx context.Context, batch simulator.Batch, finished func(job int, o simulator.Outcome) error) ([]simulator.Outcome, error)
}

// Experiment is what Run carries out.
type Experiment struct {
	Config     *configs.Config
	Simulator  Simulator
	Store      Store
	New        bool           // start afresh even if the store has a run of this config
	GoesOnFrom int64          // a finished run of the store that this one goes on from; 0: none
	StopAfter  int            // generations after which the tuning of a new run ends; 0: as Config says
	Observe    func(Progress) // told of everything that goes on; may be nil
	// Stop is asked at the end of each generation but the last whether tuning should end there, with -for; may be nil. It is
	// told of the next generation. The answer is stored, and replayed instead of asked again.
	Stop func(next PlannedPart) bool
	// Settle is called when all games are there. The run is finished only if it returns nil: with
	// workers it waits for the replays of their games. It may be nil.
	Settle func(context.Context) error
}

// Result is what a finished run found.
type Result struct {
	Run       Run
	Champion  Candidate
	InSample  Standing    // of the champion in the playoff that chose it: too good on average
	Validated []Validated // one for each search of the validation
	Ablation  []LeftOut   // one for each feature, in the order of the config; none if the config leaves it out
	Trend     *Trend      // nil if the config leaves ablation out, or tuning was too short to have one
	Edges     []Edge      // the champion's weights at an edge of their range
	Finalists int
	Games     int64 // of the whole run
	Tuning    int64 // of those, games of tuning
	ReadBack  int64 // of those, read back from the store
}

// Validated are the held-out figures at one search.
type Validated struct {
	Search     string
	Champion   Standing
	Start      Standing
	Gain       *Contrast // champion minus start weights
	References []ReferenceResult
}

// ReferenceResult are a reference's held-out figures.
type ReferenceResult struct {
	Name string
	Standing
	Gain *Contrast // champion minus reference
}

// Verdict says in words whether the champion beats the start weights at this search.
func (v Validated) Verdict() string {
	switch {
	case v.Champion.Candidate == v.Start.Candidate:
		return "no gain found: the start weights are the champion"
	case v.Gain.Verdict == Better:
		return "better than the start weights"
	case v.Gain.Verdict == Worse:
		return "worse than the start weights"
	default:
		return "no gain found"
	}
}

// StartNumber is the Candidate.Number of the start weights in every run: they are the first candidate that is asked for.
const StartNumber = 0

// state is a run under way.
type state struct {
	Experiment
	run        Run
	candidates registry
	nextGame   int64 // number of the first game of the next block
	progress   Progress
	at         Place         // phase, stage and search at hand
	standings  *standings    // in these
	stage      configs.Stage // the stage at hand, in the end the last one
	began      int64         // number of its first game
	centres    [][]float64   // of the search, after each of its generations
	lasted     []int         // generations, by stage
	stopped    bool          // tuning was ended before its last generation
}

// Run carries the experiment out, or on: what the store already has is not played again. When ctx is done the
// run is left as interrupted and the error is ctx's. A finished run is read back without playing.
func (x Experiment) Run(ctx context.Context) (result Result, err error) {
	if err := CheckPlan(x.Config); err != nil {
		return result, err
	}
	run, err := x.Store.Begin(ctx, x.spec())
	if err != nil {
		return result, err
	}
	defer func() { err = finish(ctx, x.Store, run.ID, err) }()
	s := &state{Experiment: x, run: run, candidates: newRegistry(x.Config), progress: newProgress(x.Config, run)}
	if result, err = s.carryOut(ctx); err == nil && x.Settle != nil {
		err = x.Settle(ctx)
	}
	if err != nil {
		return Result{}, err
	}
	result.Run = run
	return result, nil
}

// carryOut goes through the phases of the run.
func (s *state) carryOut(ctx context.Context) (result Result, err error) {
	if s.candidates.stored, err = s.Store.Candidates(ctx, s.run.ID); err != nil {
		return result, err
	}
	s.report()

	finalists, err := s.tune(ctx)
	if err != nil {
		return result, err
	}
	tuning := s.nextGame
	champion, inSample, err := s.playoff(ctx, finalists)
	if err != nil {
		return result, err
	}
	validated, err := s.validate(ctx, champion)
	if err != nil {
		return result, err
	}
	ablation, err := s.ablate(ctx, champion)
	if err != nil {
		return result, err
	}
	trend, err := s.trend(ctx)
	if err != nil {
		return result, err
	}
	edges, err := Edges(&s.Config.Family, s.candidates.vectors[champion].Genome(&s.Config.Family))
	if err != nil {
		return result, err
	}
	return Result{
		Champion: s.candidates.list[champion], InSample: inSample, Validated: validated, Ablation: ablation, Trend: trend, Edges: edges,
		Finalists: len(finalists), Games: s.progress.Done, Tuning: tuning, ReadBack: s.progress.ReadBack,
	}, nil
}

// spec is the identity of the run.
func (x Experiment) spec() RunSpec {
	c := x.Config
	return RunSpec{
		Name: c.Name, Kind: KindTune, ConfigYAML: string(c.YAML()), ConfigHash: c.Hash, Seed: c.Seed,
		Signature: simulator.Signature, Objective: c.Objective.String(), New: x.New, GoesOnFrom: x.GoesOnFrom, StopAfter: x.StopAfter,
	}
}

// finish ends a run, whatever happened: what was found is committed and the run is unlocked. It returns the error of the
// run, or else that of ending it.
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
