//go:build cgo

package experiments_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tune2048/configs/config"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// walked is an experiment whose playoff grows with its tuning. A walk gives its last stage the
// length.
const walked = `
name: walked
heuristic:
  features:
    - {feature: empty, name: a, weight: {min: 0, max: 1, start: 0.2, scale: linear}}
    - {feature: merges, name: b, weight: {min: 1, max: 1000, start: 300, scale: log}}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 6}
stages: [{name: first, generations: 2, games: 8, rounds: ROUNDS}, {name: last, LENGTH}]
playoff: {finalists: 5, rounds: 3}
validation: {games: 20, search: [{depth: 1}, {depth: 2}]}
ablation: {games: 4}
references: {other: {weights: {a: 0.5}}}
`

const (
	firstStage = 2 // generations
	longest    = 9 // generations of an ending that time ends, about
)

// walk is a run whose owner asks for it again and again, at other lengths.
type walk struct {
	testing.TB
	random  *rand.Rand
	path    string
	seed    uint64
	rounds  int                           // of the first stage; others make another run
	crashes bool                          // some players cannot play some games
	played  map[[2]uint64]bool            // games that no death lost, by seed and moves; nil: some may be played twice
	roots   map[string]bool               // by what makes another run
	anew    bool                          // there was a -new
	judged  map[int64]*experiments.Length // where the tuning of an ending ended
	calls   int                           // of the longest process
	store   *results.Store                // nil: the last process died
}

// length returns the config with a length of its last stage.
func (w *walk) length(format string, number int) *config.Config {
	c := parse(w, walked, "LENGTH", fmt.Sprintf(format, number), "ROUNDS", fmt.Sprint(w.rounds))
	c.Seed, c.Store.Games = w.seed, []string{"all", "validation"}[w.seed%2]
	return c
}

// straight returns the config that plays a number of generations in all.
func (w *walk) straight(generations int) *config.Config {
	c, err := w.length("generations: %d", 1).WithGenerations(min(firstStage, generations), max(0, generations-firstStage))
	must(w, err)
	return c
}

// Play draws a score for each job, in a random order. What comes of a seed depends on the player
// alone. Some games crash, but none of the start weights: of tuning one in 60, of others one in 4.
func (w *walk) Play(ctx context.Context, b simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	outcomes := make([]simulator.Outcome, len(b.Jobs))
	begun := 0 // jobs whose parts the limit lets begin
	for _, part := range append(slices.Clone(b.Parts), len(b.Jobs)) {
		begun = part
		if part < len(b.Jobs) && !b.More() {
			break
		}
	}
	for _, i := range w.random.Perm(begun) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		job, o := b.Jobs[i], &outcomes[i]
		values := b.Players[job.Player].Values
		source := portable.NewSource(portable.Hash(job.Seed, b.Search.String(), math.Float64bits(values[0]),
			math.Float64bits(values[1])))
		o.Score = math.Trunc(1000 * (1 + values[0]) * portable.Exp(0.5*source.Normal()))
		o.MaxTile, o.Moves, o.Nodes = 1024, 1+int(source.Float64()*(1<<30)), 1000+int64(o.Score)
		if often := map[bool]float64{true: 1. / 60, false: 1. / 4}[job.Seed < 1<<51]; w.crashes && values[0] != 0.2 &&
			source.Float64() < often {
			o.Failed = fmt.Sprintf("crashed on seed %d", job.Seed)
		}
		game := [2]uint64{job.Seed, uint64(o.Moves)}
		if w.played[game] {
			return nil, fmt.Errorf("the game of %v with seed %d is played twice", values, job.Seed)
		}
		if err := finished(i, *o); err != nil {
			return nil, err
		}
		if w.played != nil {
			w.played[game] = true
		}
	}
	return outcomes, ctx.Err()
}

// process is a process's store. The process ends at a call: it is interrupted, or dies before or
// after the call took effect, and then loses some of the games that are not committed.
type process struct {
	*results.Store
	*walk
	left      int    // calls until the end
	interrupt func() // nil: it dies
	after     bool
	held      []experiments.Game
}

var errDied = errors.New("the process died")

func (p *process) call(effect func() error) error {
	p.left--
	if p.left == 0 && p.interrupt != nil {
		p.interrupt()
	}
	if p.left > 0 || p.interrupt != nil {
		return effect()
	}
	if p.left == 0 && p.after {
		effect()
	}
	for _, g := range p.held {
		if p.random.IntN(2) == 0 {
			delete(p.played, [2]uint64{g.Seed, uint64(g.Moves)})
		} else {
			must(p, p.Store.AddGame(p.Context(), g.Run, g))
		}
	}
	p.held = nil
	return errDied
}

// commit carries out a call that commits the games before it.
func (p *process) commit(effect func() error) error {
	return p.call(func() error {
		for _, g := range p.held {
			must(p, p.Store.AddGame(p.Context(), g.Run, g))
		}
		p.held = nil
		return effect()
	})
}

func (p *process) AddGame(_ context.Context, run int64, g experiments.Game) error {
	g.Run = run
	return p.call(func() error { p.held = append(p.held, g); return nil })
}

func (p *process) AddCandidates(ctx context.Context, run int64, all []experiments.Candidate) error {
	return p.commit(func() error { return p.Store.AddCandidates(ctx, run, all) })
}

func (p *process) Known(ctx context.Context, run int64, questions []experiments.Question) (all []experiments.Known,
	err error) {
	err = p.commit(func() error { all, err = p.Store.Known(ctx, run, questions); return err })
	return all, err
}

func (p *process) AddEvaluations(ctx context.Context, run int64, all []experiments.Evaluation, keep bool) error {
	return p.commit(func() error { return p.Store.AddEvaluations(ctx, run, all, keep) })
}

func (p *process) Judge(ctx context.Context, run int64, tuned experiments.Length) (taken experiments.Run, err error) {
	err = p.commit(func() error {
		if before := p.judged[run]; before != nil &&
			(before.Generations != tuned.Generations || before.Candidates != tuned.Candidates ||
				before.Questions != tuned.Questions) {
			p.Errorf("the tuning of ending %d ended with %+v, now with %+v", run, *before, tuned)
		}
		taken, err = p.Store.Judge(ctx, run, tuned)
		p.judged[taken.ID] = &tuned
		return err
	})
	return taken, err
}

func (p *process) SetSize(ctx context.Context, run int64, at experiments.Place, size experiments.Size,
	left map[int]int) error {
	return p.commit(func() error { return p.Store.SetSize(ctx, run, at, size, left) })
}

func (p *process) SetChampion(ctx context.Context, run int64, candidate int, salt string) error {
	return p.commit(func() error { return p.Store.SetChampion(ctx, run, candidate, salt) })
}

func (p *process) AddComparisons(ctx context.Context, run int64, all []experiments.Comparison) error {
	return p.commit(func() error { return p.Store.AddComparisons(ctx, run, all) })
}

func (p *process) Finish(ctx context.Context, run int64, status string) error {
	return p.commit(func() error { return p.Store.Finish(ctx, run, status) })
}

// process carries a config out until it ends, or until a number of calls of its store. edit may
// change the experiment.
func (w *walk) process(c *config.Config, calls int, edit func(*experiments.Experiment)) error {
	ctx, cancel := context.WithCancel(w.Context())
	defer cancel()
	p := &process{Store: w.opened(), walk: w, left: calls, after: w.random.IntN(2) == 0}
	if w.random.IntN(3) > 0 {
		p.interrupt = cancel
	}
	x := experiments.Experiment{Config: c, Store: p, Simulator: w}
	edit(&x)
	_, err := x.Run(ctx)
	w.calls = max(w.calls, calls-p.left)
	if errors.Is(err, errDied) {
		w.close()
	}
	return err
}

// opened returns the store.
func (w *walk) opened() *results.Store {
	if w.store == nil {
		var err error
		w.store, err = results.Open(w.path)
		must(w, err)
	}
	return w.store
}

func (w *walk) close() {
	must(w, w.opened().Close())
	w.store = nil
}

// endings returns all endings, the newest first.
func (w *walk) endings() []results.Run {
	runs, err := w.opened().Reader().Runs(w.Context())
	must(w, err)
	return runs
}

// hasty is a limit that decides at random.
type hasty struct{ *rand.Rand }

func (h hasty) Ends(experiments.PlannedPart) bool     { return h.IntN(4) == 0 }
func (h hasty) Fit([]experiments.PlannedPart) float64 { return []float64{1, 1, h.Float64()}[h.IntN(3)] }
func (h hasty) Over() bool                            { return h.IntN(8) == 0 }
func (h hasty) Together(int) int                      { return 1 + h.IntN(3) }

// TestCutRunsGoOnAndVerify: a limit cuts parts of a run at random, and the process is interrupted
// or dies at random calls. The run goes on, with a limit or without, no game is played twice, and a
// verification that has its records alone makes the same rows, sizes and fingerprint.
func TestCutRunsGoOnAndVerify(t *testing.T) {
	runs, seed := 60, uint64(time.Now().UnixNano())
	if testing.Short() {
		runs = 12
	}
	t.Log("seed", seed)
	cut := 0
runs:
	for i := range runs {
		w := &walk{TB: t, random: rand.New(rand.NewPCG(seed, uint64(i))), path: filepath.Join(t.TempDir(), "cut.db"),
			seed: 1 + uint64(i), rounds: 1 + i%4,
			crashes: i%3 == 0, played: map[[2]uint64]bool{}, judged: map[int64]*experiments.Length{}}
		if w.crashes {
			w.played = nil
		}
		c := w.straight(firstStage + 1 + w.random.IntN(4))
		for calls := 1 + w.random.IntN(60); ; calls += w.random.IntN(200) {
			err := w.process(c, calls, func(x *experiments.Experiment) {
				if w.random.IntN(4) > 0 {
					x.Limit = hasty{w.random}
				}
			})
			if err == nil {
				break
			}
			if w.crashes && strings.Contains(err.Error(), "cannot be played") { // half of a generation crashed
				continue runs
			}
			if !errors.Is(err, errDied) && !errors.Is(err, context.Canceled) {
				t.Fatalf("run %d: %v", i, err)
			}
		}
		run := w.endings()[0]
		before := cut
		for _, size := range run.Sizes {
			if size.Played < size.Planned {
				cut++
			}
		}
		again, err := w.opened().Reader().Redo(t.Context(), run, c, nil)
		must(t, err)
		if len(again.Differences) > 0 || run.Fingerprint == "" {
			t.Errorf("run %d, sizes %v: %s", i, run.Sizes, strings.Join(again.Differences, "\n"))
		}
		if told := slices.Contains(again.Unverified,
			"how many games -for left each part: a clock decided it"); told != (cut > before) {
			t.Errorf("run %d, sizes %v: not verified are %q", i, run.Sizes, again.Unverified)
		}
		must(t, again.Close())
		w.close()
	}
	if cut < runs {
		t.Errorf("%d parts of %d runs were cut", cut, runs)
	}
}

// stops is a limit that ends the tuning, and leaves time for all that follows.
type stops func() bool

func (s stops) Ends(experiments.PlannedPart) bool     { return s() }
func (s stops) Fit([]experiments.PlannedPart) float64 { return 1 }
func (s stops) Over() bool                            { return false }
func (s stops) Together(int) int                      { return 1 }

// step asks for the run at another length, as a longer or shorter config, -more and -for do. The
// process may end before the run does, at any time and several times. Then the same command resumes
// it, at once or after another step.
func (w *walk) step() {
	if w.random.IntN(6) == 0 {
		w.rounds = 6 - w.rounds
		if w.anew {
			w.played = nil // this one does not share the games of -new
		}
	}
	c, last := w.straight(firstStage+1+w.random.IntN(6)), 0
	for _, run := range w.endings() {
		if run.Tuning == c.Tuning() {
			last = max(last, run.Generations)
		}
	}
	edit := func(*experiments.Experiment) {}
	switch w.random.IntN(4) {
	case 0:
		c = w.length("max_games: %d", 12+w.random.IntN(100))
	case 1:
		c = w.straight(max(last, firstStage) + 1 + w.random.IntN(2))
	case 2:
		c, edit = c.Endless(), func(x *experiments.Experiment) {
			generations := 0
			x.GoOn, x.Observe = true, func(p experiments.Progress) { generations = p.Generations }
			x.Limit = stops(func() bool {
				return generations >= max(1, last) && (generations >= longest || w.random.IntN(3) == 0)
			})
		}
	}
	first := edit
	if w.random.IntN(8) == 0 { // -new, which plays its own games
		first = func(x *experiments.Experiment) { edit(x); x.New = true }
		w.anew, w.roots[fmt.Sprint("new ", len(w.roots))] = true, true
		clear(w.played)
	} else if !slices.ContainsFunc(w.endings(), func(run results.Run) bool { return run.Tuning == c.Tuning() }) {
		w.roots[c.Tuning()] = true
	}
	for kills := w.random.IntN(3); kills > 0; kills-- {
		err := w.process(c, 1+w.random.IntN(w.calls), first)
		first = edit
		switch {
		case err == nil:
			return
		case !errors.Is(err, errDied) && !errors.Is(err, context.Canceled):
			w.Fatal(err)
		}
		if w.random.IntN(6) == 0 {
			w.played = nil // an ending that is open shares only what it has evaluated
			w.step()
		}
	}
	must(w, w.process(c, math.MaxInt, first))
}

// TestWalksEndAsStraightRuns: however a run came to an ending, that has the findings of a run which
// was asked for that length alone, to the bit. If it is the only ending, all rows are the same. No
// game is played twice, and time ends a tuning once.
func TestWalksEndAsStraightRuns(t *testing.T) {
	walks, seed := 110, uint64(time.Now().UnixNano())
	if testing.Short() {
		walks = 20
	}
	folder, err := os.MkdirTemp("/dev/shm", "walk") // a disk waits for each commit
	if err != nil {
		folder = t.TempDir()
	}
	defer os.RemoveAll(folder)
	t.Log("seed", seed)
	type length struct {
		seed                uint64
		crashes             bool
		rounds, generations int
	}
	fingerprints, contents, endings, compared := map[length]string{}, map[length]string{}, 0, 0 // of straight runs
	for i := range walks {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		w := &walk{TB: t, random: random, path: filepath.Join(folder, fmt.Sprint(i, ".db")), seed: 1 + random.Uint64N(6),
			rounds: 2, crashes: random.IntN(2) == 0,
			played: map[[2]uint64]bool{}, roots: map[string]bool{}, judged: map[int64]*experiments.Length{}, calls: 300}
		if w.crashes {
			w.played = nil
		}
		for range 1 + random.IntN(3) {
			w.step()
		}
		all := w.endings()
		for _, run := range all {
			if w.anew && run.Status != experiments.Finished {
				continue // a new run of its config came before it was resumed
			}
			c, err := run.Config()
			must(t, err)
			w.rounds = c.Stages[0].Rounds
			at := length{w.seed, w.crashes, w.rounds, run.Generations}
			if fingerprints[at] == "" {
				alone := *w
				alone.path, alone.store, alone.played, alone.judged = filepath.Join(folder, fmt.Sprint(at, ".db")), nil, nil,
					map[int64]*experiments.Length{}
				must(t, alone.process(alone.straight(at.generations), math.MaxInt, func(*experiments.Experiment) {}))
				fingerprints[at] = alone.endings()[0].Fingerprint
				alone.close()
				contents[at] = rows(t, alone.path)
			}
			endings++
			if run.Status != experiments.Finished || run.Fingerprint != fingerprints[at] || run.StoppedAfter > 0 &&
				run.StoppedAfter != run.Generations {
				t.Errorf("walk %d of %d, %+v: %s is %s after %d generations with the fingerprint %.8s, want %.8s", i, seed, at,
					run.Name, run.Status, run.StoppedAfter, run.Fingerprint, fingerprints[at])
			}
			if len(all) == 1 && c.Hash == w.straight(at.generations).Hash {
				compared++
				if rows(t, w.path) != contents[at] {
					t.Errorf("walk %d of %d, %+v: other rows", i, seed, at)
				}
			}
		}
		roots := map[string]bool{}
		for _, run := range all {
			roots[run.Root] = true
		}
		if len(roots) != len(w.roots) {
			t.Errorf("walk %d of %d: runs %v, want %d", i, seed, roots, len(w.roots))
		}
		w.close()
	}
	t.Logf("%d endings, %d different ones, %d with all rows", endings, len(fingerprints), compared)
}
