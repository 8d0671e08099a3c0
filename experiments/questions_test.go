package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments/stats"
	"tune2048/tuner"
)

// TestJudgedByTheInterval: an interval that touches 1 has not left it, and one that touches the
// margin is within it.
func TestJudgedByTheInterval(t *testing.T) {
	const margin = 0.25 // exact, as the ends are
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0.5, 0.875, Worse}, {0.9, 0.99, Worse}, {0.5, 1, Undecided}, {0.5, 1.5, Undecided}, {0.749, 1.5, Undecided},
		{0.75, 1, NoDifference}, {0.9, 1.5, NoDifference}, {1, 1.5, NoDifference}, {1.01, 1.5, Better},
	} {
		found := ratioWithin(c.low, c.high)
		if found.judgeWithin(margin); found.Verdict != c.want {
			t.Errorf("[%v, %v]: %s, want %s", c.low, c.high, found.Verdict, c.want)
		}
	}
}

// ratioWithin is a comparison with a baseline that is worth 1.
func ratioWithin(low, high float64) Comparison {
	return Comparison{Difference: stats.Estimate{Interval: stats.Interval{Low: low - 1, High: high - 1}},
		Ratio: stats.Estimate{Value: 1, Interval: stats.Interval{Low: low, High: high}}}
}

// TestMoreGamesWouldTell: with as many more games as are said the interval, which is as much
// narrower, decides, and with a tenth fewer it does not.
func TestMoreGamesWouldTell(t *testing.T) {
	const games, margin = 1000, 0.02
	for _, ratio := range []float64{0.9, 0.97, 0.983, 0.989, 0.991, 1, 1.004, 1.025} {
		for _, half := range []float64{0.05, 0.2} {
			if half < math.Abs(ratio-1) {
				continue // decided
			}
			undecided := Comparison{Games: games, Verdict: Undecided,
				Ratio: stats.Estimate{Value: ratio, Interval: stats.Interval{Low: ratio - half, High: ratio + half}}}
			more := undecided.more(margin, false)
			for _, c := range []struct {
				share   float64
				decided bool
			}{{1, true}, {0.9, false}} {
				now := half * math.Sqrt(games/(games+c.share*float64(more)))
				c2 := ratioWithin(ratio-now-1e-9, ratio+now+1e-9)
				if c.decided {
					c2 = ratioWithin(ratio-now+1e-9, ratio+now-1e-9)
				}
				if c2.judgeWithin(margin); (c2.Verdict != Undecided) != c.decided {
					t.Errorf("%v +- %v: with %.0f more games of %d it is %s", ratio, half, c.share*float64(more), more, c2.Verdict)
				}
			}
		}
	}
	decided := Comparison{Games: games, Verdict: Worse,
		Ratio: stats.Estimate{Value: 0.9, Interval: stats.Interval{Low: 0.85, High: 0.95}}}
	unknown := Comparison{Games: games, Verdict: Undecided, Ratio: stats.Estimate{Value: 0.9, Interval: stats.Unbounded()}}
	if decided.more(margin, false) != 0 || unknown.more(margin, false) != 0 {
		t.Error("more games are asked for where it is decided, or where nobody knows how many")
	}
}

// TestMoreOfTheSameGames: of a feature that changes no game, as many more games as are said are
// enough to say so, and the last tenth of them is needed.
func TestMoreOfTheSameGames(t *testing.T) {
	l := landscape{numbers: []string{"strong", "idle"}, mean: func(v []float64) float64 { return portable.Exp(-v[0]) }}
	absent := func(games int) Comparison {
		c := synthetic(t, strings.Replace(planted, "ablation: {games: 400, difference: 0.1}",
			fmt.Sprintf("ablation: {games: %d, difference: 0.02}\n", games), 1))
		store, err := carryOutSynthetic(c, 1, l)
		must(t, err)
		return store.comparisons[slices.IndexFunc(store.comparisons,
			func(c Comparison) bool { return c.Question == "without absent" })]
	}
	few := absent(80)
	if few.Verdict != Undecided || few.Games != 80 {
		t.Fatalf("%s after %d games", few.Verdict, few.Games)
	}
	if c := absent(80 + few.More); c.Verdict != NoDifference {
		t.Errorf("with %d more games: %s", few.More, c.Verdict)
	}
	if c := absent(80 + few.More*9/10); c.Verdict != Undecided {
		t.Errorf("with a tenth fewer than %d more games: %s", few.More, c.Verdict)
	}
}

// TestDecidedTogether: the interval of a pair at the look that decided leaves 0 out exactly when
// its p-value, for all looks and all pairs, is at most 5%; of equals some pair is called different
// in at most 5% of cases, of others mostly.
func TestDecidedTogether(t *testing.T) {
	f := newFinalists(t)
	for name, c := range map[string]struct {
		mean        float64 // of three candidates, the baseline's is 1
		least, most float64 // share of the cases in which some pair is different
	}{"equals": {1, 0, 0.05}, "much worse": {0.3, 0.3, 1}} {
		runs, looks := many(150), map[int]bool{}
		different := make([]bool, runs)
		found := make([][]Comparison, runs)
		repeat(t, runs, func(i int) error {
			s, store := stateOf(f.config, uint64(i), f.landscape)
			numbers, err := s.register(context.Background(),
				[]tuner.Candidate{{Values: []float64{1, 1}}, {Values: []float64{c.mean, 2}}, {Values: []float64{c.mean, 3}},
					{Values: []float64{c.mean, 4}}}, "", 0)
			if err != nil {
				return err
			}
			base := numbers[0]
			s.Config.Ablation.Games, s.Config.Ablation.Difference, s.Config.Ablation.Search = 8, 0.1, s.Config.Playoff.Search
			var pairs []Comparison
			for _, number := range numbers[1:] {
				pairs = append(pairs, Comparison{Candidate: number, Baseline: base})
			}
			if err := s.decidePairs(context.Background(), PhaseAblation, s.Config.Ablation.Games, pairs...); err != nil {
				return err
			}
			found[i] = store.comparisons
			played := map[int]int{}
			for _, e := range store.evaluations {
				played[e.Candidate] += len(e.Scores)
			}
			for _, c := range found[i] {
				outside := !c.Difference.Interval.Contains(0)
				if outside != (c.Adjusted <= 0.05) || c.Adjusted < c.P || c.Games != played[c.Candidate] || c.Games != 2*c.Look ||
					c.Confidence < 0.95 {
					return fmt.Errorf("%s, seed %d: %+v after %d games", name, i, c, played[c.Candidate])
				}
				different[i] = different[i] || outside
			}
			return nil
		})
		n := 0
		for i, d := range different {
			for _, c := range found[i] {
				looks[c.Look] = true
			}
			if d {
				n++
			}
		}
		t.Logf("%s: %d of %d, at looks %v", name, n, runs, looks)
		_, most := likely(runs, c.most)
		if least, _ := likely(runs, c.least); n < least || n > most || !looks[4] {
			t.Errorf("%s: some pair is different in %d of %d cases, want %d to %d", name, n, runs, least, most)
		}
	}
}

// failing is a simulator whose players of one label cannot play one seed.
type failing struct {
	Simulator
	label float64
	seed  uint64
}

func (f failing) Play(ctx context.Context, batch simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	return f.Simulator.Play(ctx, batch, func(job int, o simulator.Outcome) error {
		if at := batch.Jobs[job]; at.Seed == f.seed && batch.Players[at.Player].Values[1] == f.label {
			o.Failed = "crashed"
		}
		return finished(job, o)
	})
}

// TestFailureKeepsWhatWasDecided: where the baseline fails at a late look, the pairs that earlier
// looks decided are recorded, and the others are not.
func TestFailureKeepsWhatWasDecided(t *testing.T) {
	f := newFinalists(t)
	s, store := stateOf(f.config, 1, f.landscape)
	numbers, err := s.register(context.Background(),
		[]tuner.Candidate{{Values: []float64{3, 0}}, {Values: []float64{1, 1}}, {Values: []float64{0.05, 2}},
			{Values: []float64{1, 3}}}, "", 0)
	must(t, err)
	base, worse, open := numbers[1], numbers[2], numbers[3] // the first is the start weights, which may not fail
	s.Config.Ablation.Games, s.Config.Ablation.Difference, s.Config.Ablation.Search = 400, 0.01, s.Config.Playoff.Search
	s.session.Simulator = failing{f.landscape, s.candidates.player(base).Values[1],
		Stream{Seed: s.Config.Seed, Phase: PhaseAblation}.At(220)}
	must(t, s.decidePairs(context.Background(), PhaseAblation, s.Config.Ablation.Games,
		Comparison{Candidate: worse, Baseline: base}, Comparison{Candidate: open, Baseline: base}))
	if !s.failed.has(base) {
		t.Fatal("the baseline did not fail")
	}
	if found := store.comparisons; len(found) != 1 || found[0].Candidate != worse || found[0].Verdict != Worse ||
		found[0].Look > 4 {
		t.Errorf("recorded %+v, want candidate %d as worse", found, worse)
	}
}
