package experiments

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"tune2048/configs"
	"tune2048/engine/simulator"
)

// TestRunsEndAsTheyDid: finished, interrupted where the context is done, and failed otherwise. The
// error is the run's own, if it has one.
func TestRunsEndAsTheyDid(t *testing.T) {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	broken := errors.New("broken")
	for _, c := range []struct {
		ctx    context.Context
		err    error
		status string
	}{{context.Background(), nil, Finished}, {done, nil, Finished}, {done, context.Canceled, Interrupted}, {context.Background(), broken, Failed}} {
		store := newMemory()
		if err := finish(c.ctx, store, 1, c.err); err != c.err || store.run.Status != c.status {
			t.Errorf("%v: %s with %v, want %s", c.err, store.run.Status, err, c.status)
		}
		store.dead = true
		if err := finish(c.ctx, store, 1, c.err); err == nil || c.err != nil && err != c.err {
			t.Errorf("%v: the store died and the error is %v", c.err, err)
		}
	}
}

// TestKeepsWhatIsAskedFor: rows of games, by phase.
func TestKeepsWhatIsAskedFor(t *testing.T) {
	for _, phase := range []string{PhaseTuning, PhasePlayoff, PhaseValidation, PhaseAblation} {
		for asked, want := range map[string]bool{configs.StoreNone: false, configs.StoreValidation: phase != PhaseTuning, configs.StoreAll: true} {
			if got := Keeps(asked, phase); got != want {
				t.Errorf("%s: keeps those of %s: %v", asked, phase, got)
			}
		}
	}
}

// TestCandidatesSayHowTheyDiffer: the tunable weights, then the fixed ones that are not as in the
// config.
func TestCandidatesSayHowTheyDiffer(t *testing.T) {
	c := synthetic(t, "heuristic:\n  features:\n    - {feature: line, weight: 1000}\n    - {feature: empty, weight: {min: 0, max: 9, start: 3}}\n    - {feature: merges, weight: 5}\n"+
		"references: {same: {weights: {empty: 3}}, other: {weights: {empty: 4, merges: 6}}}\n")
	r := newRegistry(c)
	r.add(Candidate{Dead: c.Family.Dead}, r.start)
	numbers := r.addReferences(nil)
	if numbers[0] != 1 || numbers[1] != StartNumber {
		t.Errorf("references are candidates %v", numbers)
	}
	for number, want := range [][]Weight{{{"empty", 3}}, {{"empty", 4}, {"merges", 6}}} {
		if got := r.list[number].Weights; !reflect.DeepEqual(got, want) {
			t.Errorf("candidate %d has %v, want %v", number, got, want)
		}
	}
}

// TestProgressShowsTheStart as it stands in the stage, by itself: what is shown does not change
// later.
func TestProgressShowsTheStart(t *testing.T) {
	var told []Progress
	var were []Standing
	x := Experiment{Config: synthetic(t, whole), Simulator: hill(1, 0.7, 0.4, 0.6), Store: newMemory(), Observe: func(p Progress) {
		if p.Start != nil && p.Phase == PhaseTuning {
			told, were = append(told, p), append(were, *p.Start)
		}
	}}
	if _, err := x.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if len(told) == 0 || told[0].Stage != "explore" || told[0].Generation != 0 {
		t.Fatal("the start weights are not shown from the first generation on")
	}
	for i, p := range told {
		if p.Start.Candidate != StartNumber || p.Start.Score.N == 0 || !reflect.DeepEqual(*p.Start, were[i]) {
			t.Errorf("shown are %+v, as they were %+v", *p.Start, were[i])
		}
	}
}

// afar is a simulator whose games a worker plays.
type afar struct{ Simulator }

func (a afar) Play(ctx context.Context, b simulator.Batch, finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	return a.Simulator.Play(ctx, b, func(job int, o simulator.Outcome) error {
		o.Worker = "afar"
		return finished(job, o)
	})
}

// TestGamesOfWorkersAreAudited: replays that waited when the run was interrupted are not lost. The
// run that goes on has all rows of workers' games audited, and those that are not kept at once.
func TestGamesOfWorkersAreAudited(t *testing.T) {
	for _, rows := range []string{configs.StoreAll, configs.StoreNone} {
		store := &keeper{memory: newMemory()}
		played, audited := 0, 0
		ctx, interrupt := context.WithCancel(context.Background())
		l := hill(1, 0.7, 0.4, 0.6)
		l.begins = func() {
			if played++; played == 400 {
				interrupt()
			}
		}
		x := Experiment{Config: synthetic(t, whole+"store: {games: "+rows+"}\n"), Simulator: afar{l}, Store: store, Archive: &archive{}}
		x.Audit = func(_ context.Context, b simulator.Batch, outcomes []simulator.Outcome) error {
			for job, o := range outcomes {
				again, err := l.Play(context.Background(), simulator.Batch{Players: b.Players, Jobs: b.Jobs[job : job+1]}, func(int, simulator.Outcome) error { return nil })
				if o.Worker != "afar" || err != nil || again[0].Result != o.Result {
					t.Fatalf("%s: audited is %+v, played again %+v, %v", rows, o, again, err)
				}
			}
			played -= len(outcomes)
			audited += len(outcomes)
			return nil
		}
		if _, err := x.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if before := len(store.games); rows == configs.StoreAll && audited > 0 || rows == configs.StoreNone && (audited == 0 || audited == before) {
			t.Errorf("%s: %d of %d games are audited before the interruption", rows, audited, before)
		}
		x.Archive = &archive{games: store.games}
		if rows == configs.StoreNone {
			x.Archive = &archive{}
		}
		if _, err := x.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if rows == configs.StoreAll && audited != 399 || rows == configs.StoreNone && audited != len(store.games) {
			t.Errorf("%s: %d of %d games are audited", rows, audited, len(store.games))
		}
	}
}

// TestARunGoesOnAfterAWrongGame: an error of Audit stops the run, also after all games. The wrong
// game stays in the store. The same command ends the run.
func TestARunGoesOnAfterAWrongGame(t *testing.T) {
	for _, rows := range []string{configs.StoreAll, configs.StoreNone} {
		store, wrong := &keeper{memory: newMemory()}, errors.New("a worker was wrong")
		x := Experiment{Config: synthetic(t, whole+"store: {games: "+rows+"}\n"), Simulator: afar{hill(1, 0.7, 0.4, 0.6)}, Store: store, Archive: &archive{}}
		x.Audit = func(_ context.Context, b simulator.Batch, _ []simulator.Outcome) error {
			if rows == configs.StoreAll && (store.run.Status == Finished || len(store.comparisons) == 0) {
				t.Error("the run is finished before its audit, or not all is played")
			}
			if rows == configs.StoreAll || slices.ContainsFunc(b.Jobs, func(j simulator.Job) bool { return j.Seed == store.games[0].Seed }) {
				return wrong
			}
			return nil
		}
		if _, err := x.Run(context.Background()); err != wrong || store.run.Status != Failed {
			t.Fatalf("%s: the run is %s: %v", rows, store.run.Status, err)
		}
		x.Archive = &archive{games: store.games}
		if rows == configs.StoreAll {
			x.Audit = func(_ context.Context, _ simulator.Batch, outcomes []simulator.Outcome) error {
				if len(outcomes) > 0 {
					return wrong
				}
				return nil
			}
		}
		if _, err := x.Run(context.Background()); err != nil || store.run.Status != Finished {
			t.Errorf("%s: the run is %s: %v", rows, store.run.Status, err)
		}
	}
}
