package results

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tune2048/engine/eval"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// Numbers that storage likes to change come more often than chance would have them.
var (
	anyFinite = rapid.OneOf(
		rapid.SampledFrom([]float64{0, 1, -1, 0.1, 1e15, 1 << 53, math.MaxFloat64,
			-math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 1.0 / 3}),
		rapid.Map(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64), func(v float64) float64 { return v + 0 }), // no -0
	)
	// The squares of scores are summed up.
	anyScore = rapid.OneOf(
		rapid.SampledFrom([]float64{0, 0.1, -1.0 / 3, 1e150, -1e150, 1 << 53, math.SmallestNonzeroFloat64}),
		rapid.Map(rapid.Float64Range(-1e150, 1e150), func(v float64) float64 { return v + 0 }),
	)
	anyText      = rapid.OneOf(rapid.SampledFrom([]string{"", "1", "1e3", "Null", "it's", "depth 3"}), rapid.String())
	anyCount     = rapid.IntRange(0, math.MaxInt)
	anyCandidate = rapid.Custom(func(t *rapid.T) experiments.Candidate {
		c := experiments.Candidate{
			Number: rapid.IntRange(0, candidatesPerOwner-1).Draw(t, "number"),
			Origin: anyText.Draw(t, "origin"), Name: anyText.Draw(t, "name"), Stage: anyText.Draw(t, "stage"),
			PlayHash:   anyText.Draw(t, "play"),
			Generation: anyCount.Draw(t, "generation"),
		}
		c.Dead.Worst = rapid.Bool().Draw(t, "worst")
		if !c.Dead.Worst {
			c.Dead.Value = anyFinite.Draw(t, "dead")
		}
		for _, name := range rapid.SliceOfNDistinct(anyText, 0, 5, rapid.ID).Draw(t, "names") {
			c.Weights = append(c.Weights, experiments.Weight{Name: name, Value: anyFinite.Draw(t, "weight")})
		}
		return c
	})
	anyOutcome = rapid.Custom(func(t *rapid.T) simulator.Outcome {
		o := outcome(anyCount.Draw(t, "score"), 1<<rapid.IntRange(0, largestRank).Draw(t, "rank"), anyCount.Draw(t, "moves"),
			rapid.Int64().Draw(t, "nodes"),
			rapid.Uint64().Draw(t, "board"), rapid.Uint64Range(0, 1<<40).Draw(t, "duration"))
		if o.MaxTile == 1 {
			o.MaxTile = 0 // a bot did not say it
		}
		o.Capped = o.Capped && o.Final != 0
		return o
	})
)

// fill gives an evaluation any games. What is summed up fits into an int64.
func fillIn(t *rapid.T, e *experiments.Evaluation, games int) {
	e.Scores = rapid.SliceOfN(anyScore, games, games).Draw(t, "scores")
	e.Ranks, e.Each = make([]byte, games), make([]experiments.Detail, games)
	for i := range games {
		e.Ranks[i] = rapid.ByteRange(1, largestRank).Draw(t, "rank")
		e.Each[i] = experiments.Detail{Rank: e.Ranks[i], Moves: rapid.IntRange(1, 1<<40).Draw(t, "moves"),
			Nodes: rapid.Int64Range(1, 1<<50).Draw(t, "nodes")}
		e.Moves, e.Nodes = e.Moves+int64(e.Each[i].Moves), e.Nodes+e.Each[i].Nodes
	}
	if rapid.Bool().Draw(t, "tiles are not known") {
		e.Ranks, e.Each[0].Rank = nil, 0
	}
	e.Time = time.Duration(rapid.Int64Range(0, 1<<50).Draw(t, "time")) * time.Microsecond
}

// bitsOf distinguishes values that == does not: 0 and -0.
func bitsOf(v any) string {
	var b strings.Builder
	var walk func(reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Float64:
			fmt.Fprintf(&b, "%x ", math.Float64bits(v.Float()))
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice, reflect.Array:
			fmt.Fprintf(&b, "%d[", v.Len())
			for i := range v.Len() {
				walk(v.Index(i))
			}
			b.WriteString("]")
		default:
			fmt.Fprintf(&b, "%q ", fmt.Sprint(v))
		}
	}
	walk(reflect.ValueOf(v))
	return b.String()
}

func TestWhatIsRecordedComesBackToTheLastBit(t *testing.T) {
	s, _ := open(t)
	rapid.Check(t, func(rt *rapid.T) {
		another := spec("snake", "a")
		another.New = true
		run, err := s.Begin(ctx, another)
		if err != nil {
			rt.Fatal(err)
		}
		defer s.Finish(ctx, run.ID, experiments.Failed)
		check := func(err error) {
			if err != nil {
				rt.Fatal(err)
			}
		}
		candidates := rapid.SliceOfNDistinct(anyCandidate, 1, 4,
			func(c experiments.Candidate) int { return c.Number }).Draw(rt, "candidates")
		check(s.AddCandidates(ctx, run.ID, candidates))
		stored, err := s.Candidates(ctx, run.ID, 0, experiments.MaxCandidates-1)
		check(err)
		byNumber := map[int]experiments.Candidate{}
		for i, c := range stored {
			byNumber[c.Number] = c
			if i > 0 && stored[i-1].Number >= c.Number {
				rt.Fatalf("candidates are not in order: %v", stored)
			}
		}
		place := experiments.Place{Phase: anyText.Draw(rt, "phase"), Stage: anyText.Draw(rt, "stage"),
			Search:     anyText.Draw(rt, "search"),
			Generation: anyCount.Draw(rt, "generation"), Round: anyCount.Draw(rt, "round")}
		b := playedBlock{number: rapid.IntRange(0, experiments.MaxGames-20).Draw(rt, "number")}
		b.Place, b.Games, b.First = place, rapid.IntRange(1, 3).Draw(rt, "games"),
			rapid.IntRange(0, 20).Draw(rt, "slice")*sliceGames
		b.stream = experiments.Stream{Seed: rapid.Uint64().Draw(rt, "seed"), Phase: experiments.PhaseTuning,
			Salt: place.Stage, Generation: int(run.ID)}
		for _, c := range candidates {
			if bitsOf(c) != bitsOf(byNumber[c.Number]) {
				rt.Fatalf("candidate:\ngot  %+v\nwant %+v", byNumber[c.Number], c)
			}
			b.Candidates = append(b.Candidates, c.Number)
			for range b.Games {
				b.games = append(b.games, anyOutcome.Draw(rt, "outcome"))
			}
		}
		b.evaluate()
		for i := range b.games {
			check(b.add(s, run.ID, i))
		}
		got, err := known(s, run.ID, b)
		check(err)
		for i := range b.games {
			if g, question := b.game(i); got[question].Outcomes[i%b.Games] != g.Outcome {
				rt.Fatalf("game:\ngot  %+v\nwant %+v", got[question].Outcomes[i%b.Games], g.Outcome)
			}
		}
		for i := range b.evaluations {
			e := &b.evaluations[i]
			*e = experiments.Evaluation{Place: e.Place, Number: e.Number, First: e.First, Key: e.Key}
			fillIn(rt, e, b.Games)
		}
		check(b.finish(s, run.ID, true))
		got, err = known(s, run.ID, b)
		check(err)
		for i, e := range b.evaluations {
			if bitsOf(*got[i].Evaluation) != bitsOf(e) {
				rt.Fatalf("evaluation:\ngot  %+v\nwant %+v", *got[i].Evaluation, e)
			}
		}
	})
}

// TestNamesOfWeightsAreStoredOnce: with candidate 0 of a run, whichever ending has the others.
func TestNamesOfWeightsAreStoredOnce(t *testing.T) {
	s, _ := open(t)
	w := newWorld(random(1))
	other := begin(t, s, spec("other", "other"))
	run := begin(t, s, spec("snake", "a"))
	w.candidates[4].Weights = w.candidates[4].Weights[1:]
	for _, c := range w.candidates[:w.reference] {
		must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{c}))
	}
	must(t, second(s.Judge(ctx, run.ID, w.length())))
	must(t, s.AddCandidates(ctx, run.ID, w.candidates[w.reference:]))
	must(t, s.AddCandidates(ctx, other.ID, w.candidates))
	counts(t, s, "candidates WHERE names IS NOT NULL AND id < 3000000000", 2)
	counts(t, s, "candidates WHERE names IS NOT NULL", 4)
	for _, id := range []int64{other.ID, run.ID} {
		if got := sure(s.Candidates(ctx, id, 0, 100))(t); !reflect.DeepEqual(got, w.candidates) {
			t.Errorf("run %d has %+v", id, got)
		}
	}
}

func TestWhatIsNotANumberIsRefused(t *testing.T) {
	s, _ := open(t)
	run := begin(t, s, spec("snake", "a"))
	nan, inf := math.NaN(), math.Inf(1)
	must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Number: 0}, {Number: 1}}))
	for what, c := range map[string]experiments.Candidate{
		"weight a: want a finite number, got NaN":  {Number: 2, Weights: []experiments.Weight{{Name: "a", Value: nan}}},
		"weight b: want a finite number, got +Inf": {Number: 2, Weights: []experiments.Weight{{Name: "b", Value: inf}}},
		"dead: want a finite":                      {Number: 2, Dead: eval.Dead{Value: inf}},
		"CHECK constraint failed":                  {Number: candidatesPerOwner},
		"UNIQUE constraint failed: candidates.id":  {Number: 0},
	} {
		fails(t, "", s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Number: 3}, c}), what)
	}
	for what, c := range map[string]experiments.Comparison{
		"difference of": {Candidate: 1, Difference: stats.Estimate{Value: nan}},
		"ratio of":      {Candidate: 1, Ratio: stats.Estimate{Value: nan}},
		"ratio_ci_low":  {Candidate: 1, Ratio: stats.Estimate{Interval: stats.Interval{Low: inf}}},
		"p of":          {Candidate: 1, P: nan},
	} {
		fails(t, "", s.AddComparisons(ctx, run.ID, []experiments.Comparison{c}), what)
	}
	if got, err := s.Candidates(ctx, run.ID, 0, experiments.MaxCandidates-1); err != nil || len(got) != 2 {
		t.Errorf("something of what failed is left: %v, %v", got, err)
	}
}

func TestComparisonsComeBack(t *testing.T) {
	s, _ := open(t)
	run := begin(t, s, spec("snake", "a"))
	must(t, s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Number: 0}, {Number: 1}}))
	want := []experiments.Comparison{
		{Phase: "validation", Search: "depth 3", Candidate: 1, Objective: "mean_score", Games: 7, BaselineGames: 8,
			Difference: stats.Estimate{Value: 0.1, Interval: stats.Interval{Low: -1, High: 2}},
			Ratio:      stats.Estimate{Value: 1.1, Interval: stats.Unbounded()},
			Confidence: 0.99, Look: 3, P: 1.0 / 3, Adjusted: 2.0 / 3, Verdict: experiments.Undecided, More: 4000},
		{Phase: "validation", Search: "depth 5", Candidate: 1, Difference: stats.Estimate{Interval: stats.Unbounded()},
			Ratio: stats.Estimate{Interval: stats.Unbounded()}},
	}
	for range 2 {
		must(t, s.AddComparisons(ctx, run.ID, want))
		if got, err := s.Reader().Comparisons(ctx, run.ID); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	want[0].Difference.Value = 7
	must(t, s.AddComparisons(ctx, run.ID, want[:1]))
	if got, err := s.Reader().Comparisons(ctx, run.ID); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}
