package experiments

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
)

// hold lowers the number of candidates that a field holds.
func hold(t testing.TB, most int) {
	before := maxHeld
	maxHeld = most
	t.Cleanup(func() { maxHeld = before })
}

// nights are evaluations of tuning that are hard on a field: candidates fail, play again after
// long, or first play after those of larger numbers. Scores have few values, so bounds are often
// equal, or their spread grows or shrinks a hundredfold.
func nights(seed uint64, objective fitness.Objective) (all []Evaluation) {
	r := rand.New(rand.NewPCG(seed, 97))
	lowest := -10
	if objective.Unit().Logs {
		lowest = 0
	}
	games, failures, wild := 1+r.IntN(3), r.IntN(3), r.IntN(4)
	again, late := r.IntN(4) == 0, 1+r.IntN(1500)
	lone := games == 1 && r.IntN(2) == 0 // nobody has two games, and the spread is between the candidates
	for generation := range 40 {
		most := 5000
		switch {
		case wild == 1 && generation > 20:
			most = 50
		case wild == 2 && generation < 20:
			most = 50
		case wild == 3:
			most = 3
		}
		for i := range 20 {
			e := Evaluation{Place: Place{Phase: PhaseTuning, Stage: "explore", Search: "depth 1", Generation: generation},
				Number: len(all)}
			e.Candidate = generation*1000 + r.IntN(late)
			if lone {
				e.Candidate = generation*1000 + i // as a run asks
			}
			if again && r.IntN(4) == 0 {
				e.Candidate = r.IntN(3) // the start, too
			}
			if len(all) > 0 && r.IntN(6) == 0 {
				e.Candidate = all[r.IntN(len(all))].Candidate
			}
			had := slices.ContainsFunc(all, func(before Evaluation) bool { return before.Candidate == e.Candidate })
			for range 1 + r.IntN(games) {
				e.Scores, e.Ranks = append(e.Scores, float64(r.IntN(most)+lowest)), append(e.Ranks, byte(8+r.IntN(4)))
			}
			if r.IntN(10) < failures || lone && had {
				e.Scores, e.Ranks, e.Failure = nil, nil, "it broke"
			}
			all = append(all, e)
		}
	}
	return all
}

// TestFieldIsTheStandings: what a field knows of its candidates are their standings to the bit, and
// so are the ranks, whoever fails, plays again, or first plays after candidates of larger numbers,
// and however few candidates the field holds.
func TestFieldIsTheStandings(t *testing.T) {
	asked, certain := 0, 0
	for _, held := range []int{4, 30, 200, 50_000} {
		hold(t, held)
		for _, objective := range objectives() {
			for seed := range uint64(many(32)) {
				name := fmt.Sprintf("%s, seed %d, %d held", objective, seed, held)
				all := nights(seed, objective)
				slow := NewStandings(objective)
				read := 0
				field := newField(objective, all[0].Place, func(at Place, numbers []int, from, below int) iter.Seq[Evaluation] {
					if numbers == nil {
						read++
					}
					return againOf(all)(at, numbers, from, below)
				})
				for i, e := range all {
					if i > 0 && e.Generation != all[i-1].Generation { // as a generation ends
						var last []int
						for _, before := range all[:i] {
							if before.Generation == all[i-1].Generation {
								last = append(last, before.Candidate)
							}
						}
						if got, want := field.Lower(last), slow.Lower(last); !slices.Equal(got, want) {
							t.Fatalf("%s: after %d evaluations the bounds of %v are %v, want %v", name, i, last, got, want)
						}
						ranked, may := slow.ranking(),
							func(number int) bool { return seed%8 == 7 && number%90 == 1 || seed%8 < 7 && number%int(3+seed%5) != 1 }
						ranked = slices.DeleteFunc(ranked, func(number int) bool { return !may(number) })
						most, before := 1+int(seed%7), read
						if got := field.Best(most, may); !slices.Equal(got, ranked[:min(most, len(ranked))]) {
							t.Fatalf("%s: after %d evaluations the best are %v, want %v", name, i, got, ranked[:min(most, len(ranked))])
						}
						if len(field.away) > 0 && read == before {
							certain++
						}
						asked += read - before
						field.putAway()
					}
					field.add(e)
					slow.add(e)
				}
				if got, want := field.Spread(), slow.spread(); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Errorf("%s: the spread is %v, want %v", name, got, want)
				}
				var numbers []int
				for one := range field.Entrants() {
					s, f := slow.Of[one.Candidate()], one.Fitness()
					if s == nil || s.Fitness.N != f.N || s.Fitness.Mean != f.Mean || s.Fitness.M2 != f.M2 ||
						s.Generation != one.Born() || s.Negative != one.Negative() {
						t.Fatalf("%s: got %+v, want %+v", name, one, s)
					}
					numbers = append(numbers, one.Candidate())
				}
				if !slices.Equal(numbers, slow.Numbers()) {
					t.Fatalf("%s: candidates %v, want %v", name, numbers, slow.Numbers())
				}
				generations, newest := field.Newest()
				for number, s := range slow.Of {
					if at := slices.Index(generations, s.Generation); at < 0 || newest[at] < number {
						t.Errorf("%s: candidate %d of generation %d is newer than %v of %v", name, number, s.Generation, newest,
							generations)
					}
				}
				if !slices.IsSorted(generations) || !slices.IsSorted(newest) {
					t.Errorf("%s: generations %v, the newest %v", name, generations, newest)
				}
				for number, got := range field.Standings(numbers[:min(30, len(numbers))]).Of {
					if want := slow.Of[number]; got.Place != want.Place || got.Sample != want.Sample || got.Largest != want.Largest ||
						got.Generations != want.Generations {
						t.Errorf("%s: the standing is %+v, want %+v", name, got, want)
					}
				}
			}
		}
	}
	t.Logf("the best were certain %d times, and read %d times", certain, asked)
	if certain == 0 || asked == 0 {
		t.Error("want both")
	}
}

// TestFieldIsSmall: a field holds some candidates, whatever the length of the night, and 16 bytes
// for each generation. The best of them are known without the store.
func TestFieldIsSmall(t *testing.T) {
	hold(t, 1000)
	inUse := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	none := func(Place, []int, int, int) iter.Seq[Evaluation] {
		t.Error("the store was read")
		return slices.Values([]Evaluation(nil))
	}
	field, before := newField(fitness.MeanScore, Place{}, none), inUse()
	const candidates = 400_000
	ranks := []byte{7, 8, 8}
	for i := range candidates {
		place := Place{Phase: PhaseTuning, Stage: "tune", Search: "depth 1", Generation: i / 40, Candidate: i}
		luck := float64(i * 7919 % 1009)
		field.add(Evaluation{Place: place, Number: i, Scores: []float64{luck, 200, 400 + luck}, Ranks: ranks})
		if i%40 == 39 {
			field.putAway()
		}
	}
	if bytes := inUse() - before; bytes > 1_500_000 {
		t.Errorf("%d candidates take %d bytes", candidates, bytes)
	}
	if best := field.Best(8, func(int) bool { return true }); len(best) != 8 {
		t.Errorf("the best are %v", best)
	}
	runtime.KeepAlive(field)
}

// clumsy fails some games of some players.
type clumsy struct {
	Simulator
	one int // in so many
}

func (c clumsy) Play(ctx context.Context, batch simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	return c.Simulator.Play(ctx, batch, func(job int, o simulator.Outcome) error {
		at := batch.Jobs[job]
		if v := batch.Players[at.Player].Values; c.one > 0 && v[0] != 0.2 &&
			portable.Hash(at.Seed, fmt.Sprint(v))%uint64(c.one) == 0 {
			o.Failed = "crashed"
		}
		return finished(job, o)
	})
}

// TestNightsAreThoseOfALargeMemory: a run that holds a few candidates finds what it finds where it
// holds them all: the same candidates, evaluations, finalists, champion and comparisons.
func TestNightsAreThoseOfALargeMemory(t *testing.T) {
	reads := 0
	for seed := range uint64(many(60)) {
		r := rand.New(rand.NewPCG(seed, 98))
		pick := func(of ...string) string { return of[r.IntN(len(of))] }
		c := synthetic(t, "heuristic:\n  features:\n"+
			"    - {feature: empty, name: a, weight: {min: 0, max: 1, start: 0.2, scale: linear}}\n"+
			"    - {feature: merges, name: b, weight: {min: 1, max: "+
			pick("3, start: 2, scale: linear, whole: true", "1000, start: 300, scale: log")+"}}\n"+
			"    - {feature: sum, name: c, weight: {min: -10, max: 0, start: -5, "+pick("whole: true, ", "")+"scale: linear}}\n"+
			"search: {depth: 1}\nobjective: "+pick("mean_score", "mean_log_score", "{reach: 2048}")+"\n"+
			"optimizer: {algorithm: "+pick("genetic", "genetic", "cma_es", "auto")+", population: "+pick("6", "10")+"}\n"+
			"stages: [{name: first, generations: "+pick("2", "20")+", games: "+pick("1", "2", "8, rounds: 3")+"}, "+
			"{name: last, generations: "+pick("15", "30")+", games: "+
			pick("1", "1", "3", "8, rounds: 2")+pick("", ", patience: 10")+"}]\n"+
			"playoff: {finalists: "+pick("3", "12")+", games: 4}\nvalidation: {games: 2}\nablation: {games: 4}\n")
		l := hill(4, 0.9, 0.1, 0.9)
		play := clumsy{l, []int{0, 0, 100, 30}[r.IntN(4)]}
		carry := func(held int) (*memory, error) {
			hold(t, held)
			seeded, store := *c, newMemory()
			seeded.Seed = seed
			_, err := Experiment{Config: &seeded, Simulator: play, Store: store}.Run(context.Background())
			return store, err
		}
		want, failed := carry(1_000_000)
		for _, held := range []int{1, 20, 100} {
			got, err := carry(held)
			reads += got.reads
			if fmt.Sprint(err) != fmt.Sprint(failed) {
				t.Fatalf("seed %d, %d held: %v, want %v", seed, held, err, failed)
			}
			if !reflect.DeepEqual(got.candidates, want.candidates) || !reflect.DeepEqual(got.evaluations, want.evaluations) ||
				got.champion != want.champion || !reflect.DeepEqual(got.comparisons, want.comparisons) {
				t.Fatalf("seed %d, %d held: %d candidates, %d evaluations, champion %d, want %d, %d, %d", seed, held,
					len(got.candidates), len(got.evaluations),
					got.champion, len(want.candidates), len(want.evaluations), want.champion)
			}
		}
		if want.reads > 0 {
			t.Errorf("seed %d: a run that holds all reads %d times", seed, want.reads)
		}
	}
	if reads == 0 {
		t.Error("no run had to read")
	}
}

// TestCentresHalfWay: the centres from the one half way on are there.
func TestCentresHalfWay(t *testing.T) {
	var all centres
	for n := range 100 {
		all.add([]float64{float64(n)})
		for g := max(0, all.half()); g <= n; g++ {
			if all.after(g)[0] != float64(g) {
				t.Fatalf("after %d generations the centre %d is %v", n+1, g, all.after(g))
			}
		}
		if len(all.list) > n/2+2 {
			t.Errorf("after %d generations %d centres are kept", n+1, len(all.list))
		}
	}
}

// TestFailuresAreBits: who failed stays known, its words only while it is in use.
func TestFailuresAreBits(t *testing.T) {
	var f failures
	for number := range 1000 {
		switch {
		case number%3 == 0:
			f.add(number, "crashed\nstderr")
		case number%3 == 1:
			f.add(number, `{"refuse": "no"}`)
		}
	}
	f.forget(func(number int) bool { return number >= 990 })
	for number := range 1100 {
		if f.has(number) != (number < 1000 && number%3 < 2) {
			t.Errorf("candidate %d failed: %v", number, f.has(number))
		}
	}
	if len(f.faults) != 7 || len(f.failed) != 16 {
		t.Errorf("%d faults, %d words of bits", len(f.faults), len(f.failed))
	}
}
