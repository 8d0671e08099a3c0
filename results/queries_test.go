package results

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tune2048/engine/eval"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// scored is a world whose scores follow from the weights, so that the answers of queries are known.
type scored struct {
	world
	names       []string
	generations [][]int   // the candidates of each
	fitness     []float64 // of each candidate, where it played last
	dealer      *dealer
	r           *rand.Rand
}

// newScored returns such a world before its first generation. A game's score has a standard
// deviation of 0.55 of its mean.
func newScored(seed uint64, mean func(weights []float64) float64, names ...string) *scored {
	w := &scored{names: names, r: random(seed)}
	w.dealer = newDealer(w.r, func(candidate int) simulator.Outcome {
		var values []float64
		for _, of := range w.candidates[candidate].Weights {
			values = append(values, of.Value)
		}
		score := mean(values) * max(0, 1+0.55*w.r.NormFloat64())
		return outcome(int(score), 2048, 100, 1000, 1, 10)
	})
	return w
}

// play plays a generation of these vectors.
func (w *scored) play(games int, vectors ...[]float64) (fitness []float64) {
	var numbers []int
	for _, vector := range vectors {
		c := experiments.Candidate{Number: len(w.candidates), Origin: "sampled", Stage: "tune",
			Generation: len(w.generations),
			Dead:       eval.Dead{Worst: true}, PlayHash: fmt.Sprint("play ", len(w.candidates))}
		for i, name := range w.names {
			c.Weights = append(c.Weights, experiments.Weight{Name: name, Value: vector[i]})
		}
		w.candidates = append(w.candidates, c)
		numbers = append(numbers, c.Number)
	}
	w.deal(w.dealer, experiments.PhaseTuning, "tune", "depth 3", len(w.generations), 0, games, numbers...)
	w.generations = append(w.generations, numbers)
	block := w.blocks[len(w.blocks)-1]
	for i := range numbers {
		sum := 0.0
		for _, g := range block.games[i*games:][:games] {
			sum += g.Score / float64(games)
		}
		fitness = append(fitness, sum)
	}
	w.fitness = append(w.fitness, fitness...)
	return fitness
}

// finish records the world as a finished run whose champion is candidate 1.
func (w *scored) finish(t testing.TB, s *Store, name string) {
	t.Helper()
	w.judge(w.dealer, w.r, 1, 1, 2)
	tuned, judged := w.parts()
	run := begin(t, s, spec(name, name)).ID
	must(t, s.AddCandidates(ctx, run, w.candidates[:w.reference]))
	for _, b := range tuned.blocks {
		must(t, b.finish(s, run, false))
	}
	must(t, second(s.Judge(ctx, run, w.length())))
	must(t, s.AddCandidates(ctx, run, w.candidates[w.reference:]))
	must(t, s.SetChampion(ctx, run, w.champion, w.salt))
	for _, b := range judged.blocks {
		must(t, b.finish(s, run, false))
	}
	must(t, s.AddComparisons(ctx, run, w.comparisons))
	must(t, s.Finish(ctx, run, experiments.Finished))
}

// answers returns the rows of a shipped query, by the shell that a user has.
func answers(t *testing.T, path, query string) (all []map[string]string) {
	t.Helper()
	out := shell(t, path, ".headers on\n"+queryNamed(t, query)+";")
	lines := strings.Split(out, "\n")
	names := strings.Split(lines[0], "|")
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, cell := range strings.Split(line, "|") {
			row[names[i]] = cell
		}
		all = append(all, row)
	}
	return all
}

func number(t *testing.T, text string) (v float64) {
	t.Helper()
	if _, err := fmt.Sscan(text, &v); err != nil {
		t.Fatalf("%q is no number", text)
	}
	return v
}

// TestCorrelationIsOfTheWeight: a weight that drifts upward while the search improves has no
// correlation with the score, and one that matters has.
func TestCorrelationIsOfTheWeight(t *testing.T) {
	s, path := open(t)
	w := newScored(1, func(v []float64) float64 { return 10_000 + 5000*v[0] }, "works", "drifts", "fixed")
	for g := range 50 {
		var vectors [][]float64
		for range 40 {
			at := float64(g) / 50
			vectors = append(vectors, []float64{at + 0.5*w.r.NormFloat64(), at + 0.1*w.r.NormFloat64(), 7})
		}
		w.play(4, vectors...)
	}
	w.finish(t, s, "drift")
	found := map[string]map[string]string{}
	for _, row := range answers(t, path, "correlation") {
		found[row["weight"]] = row
	}
	// The variance of the weight's part is 0.5² x 5000², of a mean of four games (0.55 x 12,500)²/4.
	signal, noise := 2500.0, 0.55*12_500/2
	want := signal / math.Hypot(signal, noise)
	if r := number(t, found["works"]["correlation"]); math.Abs(r-want) > 0.05 {
		t.Errorf("works: got %v, want about %.3f", r, want)
	}
	if r := number(t, found["drifts"]["correlation"]); math.Abs(r) >= 0.05 || number(t, found["drifts"]["ci_low"]) > 0 ||
		number(t, found["drifts"]["ci_high"]) < 0 {
		t.Errorf("drifts: got %v", found["drifts"])
	}
	if len(found) != 2 || found["works"]["candidates"] != "2000" || found["works"]["generations"] != "50" {
		t.Errorf("got %v", found)
	}
}

// TestWeightsMove: mean and spread of each weight in a generation are of its candidates. Of many
// generations the first and the last are shown, and some between.
func TestWeightsMove(t *testing.T) {
	s, path := open(t)
	w := newScored(2, func([]float64) float64 { return 10_000 }, "empty", "merges")
	for g := range 50 {
		var vectors [][]float64
		for range 10 {
			vectors = append(vectors, []float64{1e9 + float64(g) + w.r.NormFloat64(), -3 * w.r.Float64()})
		}
		w.play(60, vectors...) // in two slices
	}
	w.finish(t, s, "moves")
	got := answers(t, path, "weights")
	if len(got) != 2*18 || got[0]["games"] != "600" || got[17]["games"] != "30000" || got[17]["generation"] != "49" ||
		got[18]["weight"] != "merges" {
		t.Fatalf("got %d rows: %v", len(got), got)
	}
	for _, row := range got {
		generation, weight := int(number(t, row["generation"])), slices.Index(w.names, row["weight"])
		var of stats.Moments
		for _, n := range w.generations[generation] {
			of.Add(w.candidates[n].Weights[weight].Value)
		}
		if math.Abs(number(t, row["mean"])/of.Mean-1) > 1e-9 || math.Abs(number(t, row["sd"])/of.SD()-1) > 1e-6 ||
			row["candidates"] != "10" ||
			math.Abs(number(t, row["champion"])/w.candidates[1].Weights[weight].Value-1) > 1e-9 {
			t.Errorf("got %v, want %v, %v", row, of.Mean, of.SD())
		}
	}
}

// TestTradeoffsAreLearned: two weights that the search draws together are a pair, also where all
// weights drift. The generations before the last quarter do not count.
func TestTradeoffsAreLearned(t *testing.T) {
	s, path := open(t)
	w := newScored(3, func([]float64) float64 { return 10_000 }, "a", "b", "c")
	for g := range 40 {
		var vectors [][]float64
		for range 40 {
			a, b, c := w.r.NormFloat64(), w.r.NormFloat64(), w.r.NormFloat64()
			if drift := 10 * float64(g); g >= 30 {
				vectors = append(vectors, []float64{drift + a, drift + 0.6*a + 0.8*b, drift - 0.8*a + 0.6*c})
			} else {
				vectors = append(vectors, []float64{drift + a, drift - a, drift + a})
			}
		}
		w.play(1, vectors...)
	}
	w.finish(t, s, "pairs")
	got := answers(t, path, "tradeoffs")
	for i, want := range []struct {
		one, other string
		r          float64
	}{{"a", "c", -0.8}, {"a", "b", 0.6}, {"b", "c", -0.48}} {
		if row := got[i]; row["weight"] != want.one || row["other"] != want.other ||
			math.Abs(number(t, row["correlation"])-want.r) > 0.1 || row["candidates"] != "400" {
			t.Errorf("got %v, want %v", row, want)
		}
	}
	if len(got) != 3 {
		t.Errorf("got %v", got)
	}
}

// TestProgressShowsTheCentre: by the games of tuning, with the looks at the centre.
func TestProgressShowsTheCentre(t *testing.T) {
	s, path := open(t)
	w := newScored(4, func(v []float64) float64 { return 10_000 * v[0] }, "a")
	for g := range 100 {
		w.play(2, []float64{1}, []float64{2})
		if g == 50 {
			w.deal(w.dealer, experiments.PhaseCentre, "tune", "depth 3", g, 0, 70, 0, 1)
		}
	}
	look := w.blocks[51]
	w.finish(t, s, "goes")
	got, looks := answers(t, path, "progress"), 0
	for _, row := range got {
		generation := int(number(t, row["generation"]))
		if number(t, row["games"]) != float64(4*(generation+1)) {
			t.Errorf("got %v", row)
		}
		if row["centre"] == "NULL" {
			continue
		}
		looks++
		var start, centre stats.Moments
		for i := range 70 {
			start.Add(look.games[i].Score)
			centre.Add(look.games[70+i].Score)
		}
		if generation != 50 || row["centre_games"] != "70" || math.Abs(number(t, row["centre"])/centre.Mean-1) > 1e-9 ||
			math.Abs(number(t, row["start"])/start.Mean-1) > 1e-9 {
			t.Errorf("got %v, want %v over %v", row, centre.Mean, start.Mean)
		}
	}
	if len(got) != 35 || looks != 1 || got[34]["games"] != "400" {
		t.Errorf("got %d rows, %d looks: %v", len(got), looks, got)
	}
}

// TestQueriesAreBounded: however long a run is, its queries read some of its candidates alone.
func TestQueriesAreBounded(t *testing.T) {
	s, _ := open(t)
	for _, name := range []string{"weights", "correlation", "tradeoffs", "progress"} {
		for _, row := range sure(rows(s.reader, "EXPLAIN QUERY PLAN "+queryNamed(t, name)))(t) {
			step := fmt.Sprint(row[3])
			table, scans := strings.CutPrefix(step, "SCAN ")
			if scans && slices.Contains([]string{"g", "p", "a", "c"}, table) {
				t.Errorf("%s: %s", name, step)
			}
		}
	}
}

// TestPopulation: who played in each generation, up to the one that the run's ending judges, in
// whatever order the evaluations were recorded.
func TestPopulation(t *testing.T) {
	s, _ := open(t)
	recordRun(t, s, "other", 3)
	short, long := newEndings(random(1))
	short.recordAs(t, s, length(3))
	see := func(w world) {
		t.Helper()
		var want [][]any
		tuned, _ := w.parts()
		position, generation := int64(-1), ""
		for _, b := range tuned.blocks {
			if at := fmt.Sprint(b.Stage, b.Generation); at != generation {
				position, generation = position+1, at
			}
			for _, e := range b.evaluations {
				want = append(want, []any{position, b.Stage, int64(b.Generation), int64(b.Round), 3e9 + float64(e.Candidate),
					int64(len(e.Scores)), total(e.Scores)})
			}
		}
		got := sure(rows(s.reader, "SELECT position, stage, generation, round, CAST(candidate_id AS REAL), games, "+
			"CAST(round(games * mean_score) AS INTEGER) FROM population WHERE run_id = 3 "+
			"ORDER BY position, round, slice, candidate_id"))(t)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	see(short)
	long.recordAs(t, s, length(5))
	see(long)
	must(t, s.reader.Alone(ctx, find(t, s, "snake@3"), func(alone *Reader) error {
		s = &Store{reader: alone}
		see(short)
		return nil
	}))
}

func total(scores []float64) (sum int64) {
	for _, score := range scores {
		sum += int64(score)
	}
	return sum
}
