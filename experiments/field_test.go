package experiments

import (
	"iter"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"tune2048/experiments/fitness"
)

// TestFieldIsTheStandings: what a field keeps of its candidates are their standings to the bit,
// whoever fails, plays again, or first plays after candidates of larger numbers.
func TestFieldIsTheStandings(t *testing.T) {
	for _, objective := range objectives() {
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 97))
			lowest := -10
			if objective.Unit().Logs {
				lowest = 0
			}
			var all []Evaluation
			slow := NewStandings(objective)
			for generation := range 40 {
				for range 20 {
					e := Evaluation{Place: Place{Phase: PhaseTuning, Stage: "explore", Search: "depth 1", Generation: generation}, Number: len(all)}
					if e.Candidate = generation*1000 + r.IntN(1500); r.IntN(4) == 0 {
						e.Candidate = r.IntN(3) // the start, too
					}
					for range 1 + r.IntN(3*int(seed%2)+1) {
						e.Scores, e.Ranks = append(e.Scores, float64(r.IntN(5000)+lowest)), append(e.Ranks, byte(8+r.IntN(4)))
					}
					if r.IntN(10) == 0 {
						e.Scores, e.Ranks, e.Failure = nil, nil, "it broke"
					}
					all = append(all, e)
					slow.add(e)
				}
			}
			field := Fold(objective, slices.Values(all)).Stages[0]
			var numbers []int
			for one := range field.Entrants() {
				s, f := slow.Of[one.Candidate()], one.Fitness()
				if s == nil || s.Fitness.N != f.N || s.Fitness.Mean != f.Mean || s.Fitness.M2 != f.M2 || s.Generation != one.Born() || s.Negative != one.Negative() {
					t.Fatalf("%s, seed %d: got %+v, want %+v", objective, seed, one, s)
				}
				numbers = append(numbers, one.Candidate())
			}
			if !slices.Equal(numbers, slow.Numbers()) {
				t.Fatalf("%s, seed %d: candidates %v, want %v", objective, seed, numbers, slow.Numbers())
			}
			if got, want := field.Spread(), slow.spread(); got != want {
				t.Errorf("%s, seed %d: the spread is %v, want %v", objective, seed, got, want)
			}
			for number, got := range field.Standings(numbers[:30], slices.Values(all)).Of {
				if want := slow.Of[number]; got.Place != want.Place || got.Sample != want.Sample || got.Largest != want.Largest || got.Generations != want.Generations {
					t.Errorf("%s, seed %d: the standing is %+v, want %+v", objective, seed, got, want)
				}
			}
		}
	}
}

// TestFieldIsSmall: of each candidate of a night some 32 bytes are kept.
func TestFieldIsSmall(t *testing.T) {
	const candidates = 100_000
	scores, ranks := []float64{100, 200, 400}, []byte{7, 8, 8}
	var evaluations iter.Seq[Evaluation] = func(yield func(Evaluation) bool) {
		for i := range candidates {
			place := Place{Phase: PhaseTuning, Stage: "tune", Search: "depth 1", Generation: i / 40, Candidate: i}
			if !yield(Evaluation{Place: place, Number: i, Scores: scores, Ranks: ranks}) {
				return
			}
		}
	}
	inUse := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := inUse()
	all := Fold(fitness.MeanScore, evaluations)
	generations := int64(len(all.Generations)) * 400
	if each := (inUse() - before - generations) / candidates; each > 40 {
		t.Errorf("a candidate takes %d bytes, want 32", each)
	}
	if n := len(slices.Collect(all.Stages[0].Entrants())); n != candidates {
		t.Errorf("%d candidates, want %d", n, candidates)
	}
	runtime.KeepAlive(all)
}
