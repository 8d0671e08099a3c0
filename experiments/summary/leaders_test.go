package summary

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// climb is a tuning of six numbers. Its start is worth 32,000 points and its optimum 1.7 times as
// many, about as the quickstart's.
const climb = `
name: climb
heuristic:
  features:
    - {feature: line, name: a, weight: {min: 0, max: 1, start: 0.35, scale: linear}}
    - {feature: empty, name: b, weight: {min: 0, max: 1, start: 0.35, scale: linear}}
    - {feature: merges, name: c, weight: {min: 0, max: 1, start: 0.35, scale: linear}}
    - {feature: sum, name: d, weight: {min: 0, max: 1, start: 0.35, scale: linear}}
    - {feature: difference, name: e, weight: {min: 0, max: 1, start: 0.35, scale: linear}}
    - {feature: largest, name: f, weight: {min: 0, max: 1, start: 0.35, scale: linear}}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 40}
stages: [{generations: %d, games: %d, rounds: %d}]
playoff: {finalists: 2, games: 2, rounds: 1}
validation: {games: 2}
ablation: {games: 0}
`

func slope(v []float64) float64 {
	squares := 0.0
	for i, place := range []float64{0.6, 0.25, 0.55, 0.65, 0.35, 0.5} {
		steepness := []float64{4, 1.5, 1, 2, 0.3, 3}[i]
		squares += steepness * (v[i] - place) * (v[i] - place)
	}
	return 32000 * 1.7 * portable.Exp(-squares)
}

// TestLeaderIsWorthItsFigure: the first row of a tuning's leaderboard, the best of hundreds of
// candidates by few games each, is worth what it claims within 3%. By its own games alone it claims
// up to twice as much.
func TestLeaderIsWorthItsFigure(t *testing.T) {
	for _, stage := range []struct {
		generations, games, rounds int
		own                        float64 // what the first by its own games claims, as a share of its worth, at the least
	}{{45, 2, 1, 1.6}, {45, 8, 1, 1.3}, {45, 12, 3, 1.2}, {20, 40, 1, 1.1}} {
		runs := 60
		if testing.Short() {
			runs = 10
		}
		var mutex sync.Mutex
		var workers sync.WaitGroup
		var claimed, lower, own, worths stats.Moments
		for first := range runtime.GOMAXPROCS(0) {
			workers.Go(func() {
				for seed := first; seed < runs; seed += runtime.GOMAXPROCS(0) {
					n, s := carryOut(t, fmt.Sprintf(climb, stage.generations, stage.games, stage.rounds), uint64(seed), world(slope))
					worth := func(number int) float64 {
						var v []float64
						for _, w := range n.candidates[number].Weights {
							v = append(v, w.Value)
						}
						return slope(v)
					}
					var leader, alone *Ranked // by the ranks, and by its own games
					for _, row := range n.leaderboard(s) {
						if row.Phase != experiments.PhaseTuning {
							continue
						}
						if leader == nil {
							leader = &row
						}
						if alone == nil || row.own > alone.own {
							alone = &row
						}
					}
					mutex.Lock()
					worths.Add(worth(leader.Candidate))
					claimed.Add(leader.Shrunk)
					lower.Add(leader.Lower)
					own.Add(alone.Fitness.Mean / worth(alone.Candidate))
					mutex.Unlock()
				}
			})
		}
		workers.Wait()
		flatters := claimed.Mean/worths.Mean - 1
		t.Logf("%d games in %d rounds: the first row claims %.0f, at least %.0f, and is worth %.0f: %+.1f%%; the first by "+
			"its own games claims %+.0f%%",
			stage.games, stage.rounds, claimed.Mean, lower.Mean, worths.Mean, 100*flatters, 100*(own.Mean-1))
		if math.Abs(flatters) > 0.03 || own.Mean < stage.own {
			t.Errorf("%d games in %d rounds: the first row is flattered by %+.1f%%, want 3%% at most", stage.games, stage.rounds,
				100*flatters)
		}
	}
}

// TestShrunkStandings: whatever the objective, a candidate's figure lies near the mean of its own
// games if it has many of them, and near the mean of its generation otherwise. Its bound is one
// that the objective can have. Outside tuning nothing is shrunk.
func TestShrunkStandings(t *testing.T) {
	for _, k := range fitness.Kinds {
		objective, err := k.New(k.Example)
		must(t, err)
		random := portable.NewSource(8)
		var all []experiments.Evaluation
		add := func(phase string, generation, candidate int, mean float64, games int) {
			e := experiments.Evaluation{Place: experiments.Place{Phase: phase, Generation: generation, Candidate: candidate},
				Number: len(all)}
			for range games {
				o := drawn(random, mean)
				e.Scores, e.Ranks = append(e.Scores, float64(o.Score)), append(e.Ranks, rank(o))
			}
			all = append(all, e)
		}
		for generation := range 12 {
			add(experiments.PhaseTuning, generation, 0, 1.3*32000, 100) // a veteran who is better
			for i := range 20 {
				add(experiments.PhaseTuning, generation, 1+20*generation+i, 32000*(1+float64(generation)/50), 1+i%3)
			}
		}
		for i := range 6 {
			add(experiments.PhasePlayoff, 0, i, 32000, 5+i)
		}
		s := Summarize(Run{Kind: experiments.KindTune, Objective: objective, Champion: -1}, nil, nil, nil, slices.Values(all),
			again(slices.Values(all)), nil)
		rows, _ := s.Leaderboard(again(slices.Values(all)), 241)
		if len(rows) != 6+241 || rows[0].Phase != experiments.PhasePlayoff || rows[6].Rank != 1 || rows[6].Candidate != 0 {
			t.Fatalf("%s: %d rows", objective, len(rows))
		}
		var own, shrunk stats.Moments
		for i, r := range rows {
			if !(r.Lower >= 0 && r.Lower <= r.Shrunk) || objective.Unit().Suffix == "%" && r.Shrunk > 1 || i > 0 && r.Rank > 1 &&
				(r.Lower > rows[i-1].Lower || r.Rank != rows[i-1].Rank+1) {
				t.Errorf("%s: candidate %d has %v, at least %v", objective, r.Candidate, r.Shrunk, r.Lower)
			}
			if i < 6 && (r.Shrunk != r.Fitness.Mean || r.Lower == r.Shrunk) {
				t.Errorf("%s: in the playoff candidate %d is shrunk from %v to %v", objective, r.Candidate, r.Fitness.Mean,
					r.Shrunk)
			}
			if i >= 7 {
				own.Add(r.Fitness.Mean)
				shrunk.Add(r.Shrunk)
			}
		}
		if shrunk.SD() > own.SD()/2 || math.Abs(shrunk.Mean-own.Mean) > 0.15*own.Mean {
			t.Errorf("%s: the figures are %v +- %v, by the games alone %v +- %v", objective, shrunk.Mean, shrunk.SD(), own.Mean,
				own.SD())
		}
		if veteran := rows[6]; math.Abs(veteran.Shrunk-veteran.Fitness.Mean) > 0.1*veteran.Fitness.Mean {
			t.Errorf("%s: the veteran has %v, by its games %v", objective, veteran.Shrunk, veteran.Fitness.Mean)
		}
	}
}

func rank(o simulator.Outcome) (rank byte) {
	for 2<<rank <= o.MaxTile {
		rank++
	}
	return rank
}

// TestShrunkByWindows: the candidates of a prior's generations are all that shrunk holds, and
// nothing comes out otherwise than of all candidates at once. Some first play long after they were
// numbered, some fail. The finalists follow the first ones.
func TestShrunkByWindows(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 99))
		var all []experiments.Evaluation
		generations, late, games := 1+random.IntN(60), random.IntN(3), 1+random.IntN(3)*random.IntN(60)
		for generation := range generations {
			if random.IntN(10) == 0 {
				continue
			}
			for i := range 1 + random.IntN(12) {
				e := experiments.Evaluation{Place: experiments.Place{Phase: experiments.PhaseTuning, Generation: generation,
					Candidate: 20*generation + i}, Number: len(all)}
				switch random.IntN(12) {
				case 0:
					e.Candidate = random.IntN(20*generation + 1)
				case 1:
					e.Candidate += late * 20 * random.IntN(5) // its number belongs to a later generation
				case 2:
					e.Failure = "crashed"
				}
				for e.Failure == "" && len(e.Scores) < games {
					o := drawn(portable.NewSource(random.Uint64()), 32000)
					e.Scores, e.Ranks = append(e.Scores, o.Score), append(e.Ranks, rank(o))
				}
				all = append(all, e)
			}
		}
		if len(all) == 0 {
			continue
		}
		field := experiments.Fold(fitness.MeanScore, nil, slices.Values(all), again(slices.Values(all))).Stages[0]
		var want, got []Estimate
		near := neighbours{born: map[int][]experiments.Entrant{}, samples: map[int][]stats.Moments{}}
		for one := range field.Entrants() {
			near.born[one.Born()] = append(near.born[one.Born()], one)
		}
		for _, generation := range slices.Sorted(maps.Keys(near.born)) {
			prior := near.prior(field, generation)
			for _, one := range near.born[generation] {
				mean, se := prior.Shrink(one.Fitness())
				want = append(want, Estimate{Candidate: one.Candidate(), Shrunk: mean,
					Lower: mean - float64(experiments.Z95*se)}.possible())
			}
		}
		finalists := []int{want[0].Candidate, want[len(want)/2].Candidate, want[len(want)-1].Candidate}
		leaders := shrunk(field, 3, finalists, func(e Estimate) {
			e.own = 0
			got = append(got, e)
		})
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: got %v, want %v", seed, got, want)
		}
		slices.SortStableFunc(want, Estimate.before)
		listed := map[int]bool{}
		for i, e := range leaders {
			listed[e.Candidate] = true
			if i < 3 && e.Lower != want[i].Lower || i >= 3 && !slices.Contains(finalists, e.Candidate) {
				t.Errorf("seed %d: leader %d is %v, want %v", seed, i, e, want[i])
			}
		}
		if len(listed) != len(leaders) || !listed[finalists[0]] || !listed[finalists[1]] || !listed[finalists[2]] ||
			len(leaders) < min(3, len(want)) {
			t.Errorf("seed %d: leaders %v, want the first three and the finalists %v once", seed, leaders, finalists)
		}
	}
}
