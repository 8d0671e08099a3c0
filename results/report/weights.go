package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"tune2048/engine/portable"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/results"
)

// weightsSection has the tuned weights, the candidates and the finalists.
type weightsSection struct {
	Weights    []weightRow     `json:"weights"`
	Candidates tunedCandidates `json:"candidates"`
	Finalists  []finalist      `json:"finalists"` // by rank in the playoff
	Rows       []weightSummary `json:"rows"`      // in the order of the config
}

// weightRow is a tuned weight.
type weightRow struct {
	Name     string   `json:"name"`
	Min      float64  `json:"min"`
	Max      float64  `json:"max"`
	Scale    string   `json:"scale"`         // by which it was tuned: linear, log or ratio
	Near     float64  `json:"near,omitzero"` // of a ratio scale: see portable.Scale; 0 is left out
	Start    float64  `json:"start"`
	Champion *float64 `json:"champion"`
	Edge     string   `json:"edge"` // min or max, near min or near max: see heuristic.Family.Edges; or empty
	// Population is where tuning ended, or null before its first generation.
	Population *band  `json:"population"`
	Course     []step `json:"course"` // where the population was on the way there
}

// step is where a population was after so many games of tuning.
type step struct {
	Games int64 `json:"games"`
	band
}

// band has quantiles of the population's values of a weight.
type band struct {
	P05 float64 `json:"p05"`
	P25 float64 `json:"p25"`
	P50 float64 `json:"p50"`
	P75 float64 `json:"p75"`
	P95 float64 `json:"p95"`
}

// tunedCandidates are the candidates of tuning, as columns: a dot each in weight against fitness.
type tunedCandidates struct {
	Of     int   `json:"of"` // how many there are; of very many only some are listed, evenly
	Number []int `json:"number"`
	Stage  []int `json:"stage"` // index in Convergence.Stages
	Games  []int `json:"games"`
	// Fitness is shrunk, see stats.Prior: the luck of few games is taken off.
	Fitness []float64   `json:"fitness"`
	Values  [][]float64 `json:"values"` // for each of Weights a column
}

// finalist is a candidate of the playoff.
type finalist struct {
	Rank     int       `json:"rank"`
	Number   int       `json:"number"`
	Origin   string    `json:"origin"`
	Champion bool      `json:"champion"`
	Games    int       `json:"games"`
	Fitness  estimate  `json:"fitness"`
	Values   []float64 `json:"values"` // in the order of Weights
}

// Of many candidates only some are drawn, to keep a page small and its charts readable.
const (
	mostValues = 24_000 // of all weights together
	leastDots  = 800
	mostDots   = 4_000
	population = 20 // candidates, at least, that the quantiles of a population are made of
	mostSteps  = 60 // of the course of a weight
)

// weightSummary is a weight in the table: its tuned value, and the worth of its feature.
type weightSummary struct {
	Name     string    `json:"name"`
	Start    float64   `json:"start"`
	Champion *float64  `json:"champion"` // null: not known yet
	Range    string    `json:"range"`    // 10 to 10000, logarithmic; empty: fixed
	Edge     string    `json:"edge"`     // at its minimum, 2: widen the range; or empty
	Moved    float64   `json:"moved"`    // from start to champion, as a share of the range
	Change   *estimate `json:"change"`   // of fitness without the feature: -0.31; null: not known
	Effect   string    `json:"effect"`   // the change in words
}

// pressed says of a range which one alone is too narrow: see heuristic.Family.Edges.
const pressed = "only ratios matter, and this range presses the others into a corner"

// A run with more than manyWeights shows fewWeights of them on a terminal, and those at an edge.
const (
	manyWeights = 10
	fewWeights  = 8
)

func (r Report) weightsTable() Table {
	t := Table{Section: "weights", Columns: []Column{{Name: "weight"}, {Name: "start", Number: true}, {Name: "champion", Number: true}}}
	title, edges := r.EffectTitle(), false
	for _, w := range r.Weights.Rows {
		what := w.Effect
		if w.Edge != "" {
			edges = true
			edge, near := w.place()
			if near {
				t.Notes = append(t.Notes, "near: "+pressed)
			}
			if len(r.Weights.Rows) <= manyWeights { // more have long names
				edge = w.Edge
			}
			what = strings.TrimPrefix(what+"; "+edge, "; ")
		}
		t.Rows = append(t.Rows, []string{w.Name, weight(w.Start), w.Value(), what, w.Range})
	}
	if title != "" {
		t.Notes = append(t.Notes, r.Matters.Note)
		if edges {
			title += "; remarks"
		}
	}
	t.Columns = append(t.Columns, Column{Name: title, Detail: title == "" && !edges}, Column{Name: "range", Detail: true})
	t.few(r.Weights.Rows)
	return t
}

// place is the edge at which the weight is, without a remedy. It may be only near it.
func (w weightSummary) place() (edge string, near bool) {
	edge, _, _ = strings.Cut(w.Edge, ":")
	return edge, strings.HasPrefix(edge, "near ")
}

// few chooses the rows that a terminal shows of many: those that moved most and those at an edge.
func (t *Table) few(rows []weightSummary) {
	if len(rows) <= manyWeights {
		return
	}
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rows[b].Moved, rows[a].Moved) })
	for place, i := range order {
		if place < fewWeights || rows[i].Edge != "" {
			t.Few = append(t.Few, i)
		}
	}
	slices.Sort(t.Few)
	t.Rest = fmt.Sprintf("%d more: tune query weights", len(rows)-len(t.Few))
}

// rows joins the weights with the features' worth, in the order of the config. A fixed weight has a
// row if its feature was left out.
func (b *builder) rows() {
	w := &b.report.Weights
	w.Rows = []weightSummary{}
	if b.config == nil {
		return
	}
	for _, h := range b.config.Family.Weights() {
		row := weightSummary{Name: h.Name, Start: h.Value}
		if i := slices.IndexFunc(w.Weights, func(tuned weightRow) bool { return tuned.Name == h.Name }); i >= 0 {
			row.tuned(w.Weights[i])
		}
		for _, f := range b.report.Matters.Features {
			if f.Name == h.Name {
				row.Change, row.Effect = f.Change, f.effect
			}
		}
		if row.Range != "" || row.Effect != "" {
			w.Rows = append(w.Rows, row)
		}
	}
}

// tuned fills in the tuned value of the weight.
func (row *weightSummary) tuned(w weightRow) {
	row.Champion, row.Range = w.Champion, weight(w.Min)+" to "+weight(w.Max)
	row.Range += map[string]string{portable.LogScale: ", logarithmic", portable.RatioScale: ", by ratios"}[w.Scale]
	if w.Champion == nil {
		return
	}
	scale := portable.Scale{Min: w.Min, Max: w.Max, By: w.Scale, Near: w.Near}
	row.Moved = drawn(math.Abs(scale.Unit(*w.Champion) - scale.Unit(w.Start)))
	place, end := "at", "minimum, "+weight(w.Min)
	if strings.HasPrefix(w.Edge, "near ") {
		place = "near"
	}
	if strings.HasSuffix(w.Edge, "max") {
		end = "maximum, " + weight(w.Max)
	}
	if w.Edge != "" {
		row.Edge = place + " its " + end + ": widen the range"
	}
}

// weights reads the champion's weights, and how tuning came to them.
func (b *builder) weights(ctx context.Context) error {
	w := &b.report.Weights
	w.Weights, w.Finalists = []weightRow{}, []finalist{}
	w.Candidates = tunedCandidates{Number: []int{}, Stage: []int{}, Games: []int{}, Fitness: []float64{}, Values: [][]float64{}}
	if b.config == nil {
		return nil
	}
	tunable := b.config.Family.Tunable()
	for _, t := range tunable {
		w.Weights = append(w.Weights, weightRow{Name: t.Name, Min: t.Min, Max: t.Max, Scale: cmp.Or(t.Scale, portable.LinearScale), Near: t.Near, Start: t.Value})
	}
	if champion, ok := b.values(byName(b.candidates[b.run.Champion].Weights)); ok && b.run.Champion >= 0 {
		for i, edge := range b.config.Family.Edges(champion) {
			w.Weights[i].Champion, w.Weights[i].Edge = &champion[i], edge
		}
	}
	b.finalists(w)
	return b.sample(ctx, w)
}

// values returns a candidate's tuned weights in the order of the config. It returns false if one is
// missing.
func (b *builder) values(candidate map[string]float64) ([]float64, bool) {
	values := []float64{}
	for _, w := range b.report.Weights.Weights {
		value, ok := candidate[w.Name]
		if !ok {
			return nil, false
		}
		values = append(values, value)
	}
	return values, true
}

func byName(weights []experiments.Weight) map[string]float64 {
	values := map[string]float64{}
	for _, w := range weights {
		values[w.Name] = w.Value
	}
	return values
}

// finalists lists the candidates of the playoff. Those that played all of it come before those that
// were stopped early. Of equals the champion is the first, then the candidate with the lower
// number.
func (b *builder) finalists(w *weightsSection) {
	playoff := b.at(experiments.PhasePlayoff, "")
	champion := func(s results.Standing) int { return map[bool]int{true: 1}[s.Candidate == b.run.Champion] }
	slices.SortStableFunc(playoff, func(x, y results.Standing) int {
		return cmp.Or(cmp.Compare(y.Score.N, x.Score.N), cmp.Compare(y.Fitness.Mean, x.Fitness.Mean), champion(y)-champion(x))
	})
	for i, s := range playoff {
		c := b.candidates[s.Candidate]
		if values, ok := b.values(byName(c.Weights)); ok {
			w.Finalists = append(w.Finalists, finalist{
				Rank: i + 1, Number: s.Candidate, Origin: c.Origin, Champion: s.Candidate == b.run.Champion, Games: s.Score.N,
				Fitness: estimate{s.Fitness.Mean, s.FitnessInterval}, Values: values,
			})
		}
	}
}

// sample adds the candidates of tuning, or an even choice of them. Start, finalists and champion
// are always among them.
func (b *builder) sample(ctx context.Context, w *weightsSection) error {
	of, err := b.TunedCount(ctx, b.run.ID)
	if err != nil {
		return err
	}
	dots := min(mostDots, max(leastDots, mostValues/max(1, len(w.Weights))))
	numbers := []int{b.run.Champion}
	for _, f := range w.Finalists {
		numbers = append(numbers, f.Number)
	}
	for number := experiments.StartNumber; number < b.run.Candidates; number += max(1, (of+dots-1)/dots) {
		numbers = append(numbers, number)
	}
	sample, err := b.Tuned(ctx, b.run.ID, numbers)
	if err != nil {
		return err
	}
	c := &w.Candidates
	c.Of = of
	for range w.Weights {
		c.Values = append(c.Values, []float64{})
	}
	n := len(b.tuned)
	positions := map[string]int{} // of the first generation of each stage
	for i := n - 1; i >= 0; i-- {
		positions[b.tuned[i].Stage] = i
	}
	born := make([][][]float64, n) // by generation, values of the candidates that tuning first asked for in it
	for _, t := range sample {
		stage := b.stage(t.Last)
		values, complete := b.values(t.Weights)
		if !complete || stage < 0 {
			continue
		}
		c.Number, c.Stage, c.Games = append(c.Number, t.Number), append(c.Stage, stage), append(c.Games, t.Games)
		c.Fitness = append(c.Fitness, drawn(t.Fitness))
		for i, v := range values {
			c.Values[i] = append(c.Values[i], drawn(v))
		}
		first, known := positions[t.Stage]
		if at := first + t.Generation; known && at >= first && at < n {
			born[at] = append(born[at], values)
		}
	}
	b.courses(w, born)
	return nil
}

// courses adds where the population was after each generation, or after every few of many.
func (b *builder) courses(w *weightsSection, born [][][]float64) {
	every := max(1, (len(born)+mostSteps-1)/mostSteps)
	for i := range w.Weights {
		row := &w.Weights[i]
		row.Course = []step{}
		for at := (len(born) - 1) % every; at < len(born); at += every { // the last one is among them
			var candidates [][]float64
			for from := at; from >= 0 && (len(candidates) < population || from > at-every); from-- {
				candidates = append(candidates, born[from]...)
			}
			if candidates != nil {
				row.Course = append(row.Course, step{b.played[at], newBand(candidates, i)})
			}
		}
		if n := len(row.Course); n > 0 {
			row.Population = &row.Course[n-1].band
		}
	}
}

// newBand has the quantiles of one weight in the values of some candidates.
func newBand(candidates [][]float64, weight int) band {
	var values []float64
	for _, c := range candidates {
		values = append(values, c[weight])
	}
	slices.Sort(values)
	at := func(q float64) float64 { return drawn(stats.Quantile(values, q)) }
	return band{at(0.05), at(0.25), at(0.5), at(0.75), at(0.95)}
}
