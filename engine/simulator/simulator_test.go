package simulator_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
)

// nneonneo is the family of nneonneo/2048-ai with its published constants.
func nneonneo() eval.Player {
	merges, mono, sum := eval.Defaults(eval.Merges), eval.Defaults(eval.Monotonicity), eval.Defaults(eval.Sum)
	merges.Count = eval.Runs
	mono.Tile, mono.Blanks, sum.Tile = eval.Rank, eval.Keep, eval.Rank
	h := &eval.Heuristic{Symmetry: eval.SymmetryNone}
	values := h.Add(nil, eval.Defaults(eval.Line), 200000)
	values = h.Add(values, eval.Defaults(eval.Empty), 270)
	values = h.Add(values, merges, 700)
	values = h.Add(values, mono, -47, 4)
	values = h.Add(values, sum, -11, 3.5)
	return eval.NewForm(engine.DefaultRules(), h).Player(values)
}

// batch is players of slightly different weights with a few games each.
func batch(players, games int) simulator.Batch {
	form := nneonneo().Form
	b := simulator.Batch{Search: engine.FixedDepth(2)}
	for i := range players {
		values := nneonneo().Values
		values[1] += float64(10 * i)
		b.Players = append(b.Players, form.Player(values))
		for g := range games {
			b.Jobs = append(b.Jobs, simulator.Job{Player: i, Seed: uint64(1000*i + g)})
		}
	}
	return b
}

// TestOutcomesDoNotDependOnWorkers: each is reported once, and returned.
func TestOutcomesDoNotDependOnWorkers(t *testing.T) {
	var first [2][]engine.Result // by search
	b := batch(9, 5)
	for _, workers := range []int{1, 2, 7} {
		pool := simulator.NewPool(workers)
		for i := range 4 { // the third batch uses the memory of the first
			b.Search = engine.FixedDepth(1 + i%2)
			reported := map[int]engine.Result{}
			outcomes, err := pool.Play(context.Background(), b, func(job int, o simulator.Outcome) error {
				if _, twice := reported[job]; twice {
					t.Errorf("%d workers: job %d is reported twice", workers, job)
				}
				reported[job] = o.Result
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			var results []engine.Result
			for job, o := range outcomes {
				results = append(results, o.Result)
				if found, known := reported[job]; !known || found != o.Result {
					t.Errorf("%d workers, job %d: reported %v, returned %v", workers, job, found, o.Result)
				}
			}
			if first[i%2] == nil {
				first[i%2] = results
			}
			if !slices.Equal(results, first[i%2]) {
				t.Fatalf("%d workers: other outcomes than 1 worker", workers)
			}
		}
	}
}

func TestErrorOfFinishedEndsTheBatch(t *testing.T) {
	full := errors.New("disk full")
	calls := 0
	_, err := simulator.NewPool(2).Play(context.Background(), batch(3, 50), func(int, simulator.Outcome) error {
		calls++
		return full
	})
	if !errors.Is(err, full) || calls != 1 {
		t.Fatalf("got error %v after %d calls, want %v after 1", err, calls, full)
	}
}

// TestCancelled: no new game begins. With one worker that is exact. Another worker may end games
// while the first still reports its own, and all played games are reported.
func TestCancelled(t *testing.T) {
	for _, workers := range []int{1, 2} {
		ctx, cancel := context.WithCancel(context.Background())
		b := batch(3, 1000)
		n := 0
		_, err := simulator.NewPool(workers).Play(ctx, b, func(int, simulator.Outcome) error {
			n++
			if n == 10 {
				cancel()
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("%d workers: got %v, want context.Canceled", workers, err)
		}
		if n < 10 || n >= len(b.Jobs) || workers == 1 && n > 10 {
			t.Fatalf("%d workers: %d of %d games were finished, want the 10 before the cancellation and those under way",
				workers, n, len(b.Jobs))
		}
	}
}

func TestBadWeightsAreAnError(t *testing.T) {
	b := batch(2, 2)
	b.Players[1].Values = []float64{1, 2}
	if _, err := simulator.NewPool(2).Play(context.Background(), b, nil); err == nil ||
		!strings.Contains(err.Error(), "want 7 weights, got 2") {
		t.Fatalf("got %v", err)
	}
}

// TestPanicNamesTheGame: a panic of a player is an error.
func TestPanicNamesTheGame(t *testing.T) {
	b := batch(1, 1)
	b.Players[0] = eval.Player{Form: &eval.Form{Heuristic: &eval.Heuristic{Features: []eval.Term{eval.Defaults(eval.Line),
		{Kind: "none"}}}},
		Values: eval.Vector{200000, 1}} // what a bug might do
	_, err := simulator.NewPool(1).Play(context.Background(), b, nil)
	for _, want := range []string{"nil pointer", "game with seed 0", "200000"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestTablesAreHandedOn: a player's tables, half a megabyte and more, go to the next one with the
// player's last game, and to the next batch.
func TestTablesAreHandedOn(t *testing.T) {
	pool, b := simulator.NewPool(1), batch(12, 1)
	b.Search = engine.FixedDepth(1)
	if _, err := simulator.NewPool(1).Play(context.Background(), batch(1, 1), nil); err != nil { // makes what all players share
		t.Fatal(err)
	}
	for again, most := range []uint64{4 << 20, 3 << 20} { // the tables alone would be 6 MB
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := pool.Play(context.Background(), b, nil); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > most {
			t.Errorf("batch %d of 12 players, one at a time: %d bytes, want at most %d", again+1, got, most)
		}
	}
}

func TestNoAllocationPerMove(t *testing.T) {
	who := nneonneo()
	tables, err := eval.NewCompiler(who.Heuristic).Compile(who.Values, who.Heuristic.Dead)
	if err != nil {
		t.Fatal(err)
	}
	var player engine.Searcher
	player.Prepare(tables, engine.FixedDepth(3), engine.DefaultRules())
	b, err := engine.ParseBoard("0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4")
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { player.Choose(b) }); n != 0 {
		t.Errorf("a move allocates %v times, want 0", n)
	}
}

func BenchmarkGames(b *testing.B) {
	for _, depth := range []int{1, 3, 5} {
		b.Run(engine.FixedDepth(depth).String(), func(b *testing.B) {
			pool := simulator.NewPool(1)
			work := simulator.Batch{Search: engine.FixedDepth(depth), Players: []eval.Player{nneonneo()}}
			for i := range b.N {
				work.Jobs = append(work.Jobs, simulator.Job{Seed: uint64(i)})
			}
			b.ResetTimer()
			outcomes, err := pool.Play(context.Background(), work, nil)
			if err != nil {
				b.Fatal(err)
			}
			var nodes, score int64
			for _, o := range outcomes {
				nodes += o.Nodes
				score += int64(o.Score)
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
			b.ReportMetric(float64(score)/float64(b.N), "score")
		})
	}
}

// TestOneProcessOfABot: a worker has one process for a program, however often its player is decoded
// anew.
func TestOneProcessOfABot(t *testing.T) {
	folder := t.TempDir()
	pool := simulator.NewPool(1)
	defer pool.Close()
	for seed := range uint64(5) {
		p := bot.Program{Command: []string{"sh", "-c", "echo >> starts; while read line; do echo '{\"score\": 1}'; done"},
			Answers: bot.Games, Folder: folder}
		batch := simulator.Batch{Search: engine.Settings{Bot: true},
			Players: []eval.Player{eval.NewForm(engine.DefaultRules(), &eval.Heuristic{Bot: &p}).Player(nil)},
			Jobs:    []simulator.Job{{Seed: seed}}}
		if _, err := pool.Play(t.Context(), batch, nil); err != nil {
			t.Skip(err) // there is no sh
		}
	}
	if starts, err := os.ReadFile(filepath.Join(folder, "starts")); string(starts) != "\n" {
		t.Errorf("it was started %d times, %v", len(starts), err)
	}
}
