package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tune2048/engine/portable"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
	"tune2048/tuner"
)

// weightsSection has the tuned weights.
type weightsSection struct {
	Weights []summary.Weight `json:"weights"`
	Rows    []weightSummary  `json:"rows"` // the most valuable feature first; its power follows it
	Tuned   sample           `json:"tuned"`
	Search  string           `json:"search"` // at which features were left out; empty: they were not
	Note    string           `json:"-"`      // which of their intervals hold together

	without string // this feature, or with this weight at its start
}

// sample has candidates of the last stage of tuning, evenly chosen, in the order of asking.
type sample struct {
	Stage   string      `json:"stage"`
	Search  string      `json:"search"`
	All     int         `json:"all"`             // candidates of the stage
	Ranked  int64       `json:"ranked,omitzero"` // games of the run when they were ranked, where others followed since
	Fitness []float64   `json:"fitness"`         // of each, without its luck
	Values  [][]float64 `json:"values"`          // of each weight of Weights, those of the candidates
	Centre  []float64   `json:"centre"`          // the values of the search's centre so far; empty: the champion is known, or no look was yet
}

const mostDots = 60_000 // numbers of a sample: of six weights some 8,000 candidates

// weightSummary is a weight in the table: its tuned value, and the worth of its feature.
type weightSummary struct {
	Name   string          `json:"name"`
	Start  float64         `json:"start"`
	Value  string          `json:"value"`  // of the champion or the centre so far; fixed; or empty
	Range  string          `json:"range"`  // 10 to 10000, logarithmic; empty: fixed
	Edge   string          `json:"edge"`   // at its minimum, 2: widen the range; or empty
	Change *stats.Estimate `json:"change"` // of fitness without the feature: -0.31; null: not known
	Effect string          `json:"effect"` // the change and its verdict in words; empty: not known
	worth  float64         // of the feature, by which rows are sorted; 0: not known
	moved  float64         // how far the champion lies from the start, as a share of the range
}

func (r Report) weightsTable() Table {
	t := Table{Section: "weights", Columns: []Column{{Name: "weight"}, {Name: "start", Number: true},
		{Name: "champion", Number: true}}}
	title, edges := r.EffectTitle(), false
	for _, w := range r.Weights.Rows {
		what := w.Effect
		if w.Edge != "" {
			edges = true
			what = strings.TrimPrefix(what+"; "+w.Edge, "; ")
		}
		t.Rows = append(t.Rows, []string{w.Name, weight(w.Start), w.Value, what})
	}
	if edges {
		title = strings.TrimPrefix(title+"; remarks", "; ")
	}
	t.Columns = append(t.Columns, Column{Name: title, Detail: title == "", Wraps: true})
	return t
}

// mostWeights is how many weights the terminal shows.
const mostWeights = 20

// mostMoved leaves the rows of the weights that moved most in their order.
func (s weightsSection) mostMoved(t Table) Table {
	if len(t.Rows) <= mostWeights {
		return t
	}
	order := stats.Order(len(t.Rows), func(a, b int) int { return cmp.Compare(s.Rows[b].moved, s.Rows[a].moved) })
	all := t.Rows
	t.Rows = nil
	for _, i := range slices.Sorted(slices.Values(order[:mostWeights])) {
		t.Rows = append(t.Rows, all[i])
	}
	t.Notes = append(t.Notes, fmt.Sprintf("These %d weights moved most over their ranges. The page of the report shows the other %s, too.",
		mostWeights, Grouped(int64(len(all)-mostWeights))))
	return t
}

// weights joins the champion's weights with the features' worth. A fixed weight has a row if its
// feature was left out.
func (rec *records) weights() weightsSection {
	w := weightsSection{Weights: append([]summary.Weight{}, rec.Weights...), Rows: []weightSummary{}, Tuned: rec.sample()}
	if rec.config == nil {
		return w
	}
	w.without, w.Note = "without this feature", "the intervals without a feature hold together with 95%"
	if rec.config.Heuristic.Bot != nil {
		w.without, w.Note = "with this weight at its start", "the intervals with a weight at its start hold together with 95%"
	}
	for _, h := range rec.config.Weights {
		row := weightSummary{Name: h.Name, Start: h.Value, Value: "fixed"}
		if n := len(w.Rows); n > 0 { // another weight of the same feature
			row.worth = w.Rows[n-1].worth
		}
		if i := slices.IndexFunc(w.Weights, func(tuned summary.Weight) bool { return tuned.Name == h.Name }); i >= 0 {
			row.tuned(w.Weights[i])
			if i < len(w.Tuned.Centre) {
				row.Value = weight(w.Tuned.Centre[i])
			}
		}
		for _, f := range rec.Features {
			if f.Name == h.Name {
				row.Effect, row.worth = ablationText(rec.unit, f.Comparison), f.Worth()
				if finite(f.Ratio) != nil {
					row.Change = new(ofRatio(f.Ratio, 0).Estimate)
				}
				w.Search = f.Search
			}
		}
		if row.Range != "" || row.Effect != "" {
			w.Rows = append(w.Rows, row)
		}
	}
	slices.SortStableFunc(w.Rows, func(x, y weightSummary) int { return cmp.Compare(x.worth, y.worth) })
	return w
}

// sample chooses candidates to draw.
func (rec *records) sample() (s sample) {
	s.All, s.Ranked, s.Fitness, s.Values, s.Centre = rec.tuned.All, rec.tuned.Games, []float64{}, make([][]float64, len(rec.Weights)), []float64{}
	rows := slices.DeleteFunc(slices.Clone(rec.tuned.Fitness), func(one summary.Sampled) bool {
		_, known := rec.candidates[one.Candidate]
		return !known
	})
	every := 1 + len(rows)*(len(rec.Weights)+1)/mostDots
	for i, r := range rows {
		values, complete := rec.Summary.Values(rec.candidates[r.Candidate])
		if i%every != 0 || !complete {
			continue
		}
		s.Stage, s.Search = rec.tuned.Stage, rec.tuned.Search
		s.Fitness = append(s.Fitness, portable.Rounded(r.Fitness, 5)) // digits for the eye alone
		for k, v := range values {
			if v != math.Trunc(v) { // otherwise it is a whole number, perhaps a name
				v = portable.Rounded(v, 6) // as many as a tuner gives it
			}
			s.Values[k] = append(s.Values[k], v)
		}
	}
	if c := rec.run.Headline.Centre; c != nil && rec.run.Champion < 0 {
		s.Centre, _ = rec.Summary.Values(rec.candidates[c.Candidate])
	}
	return s
}

// tuned fills in the tuned value of the weight.
func (row *weightSummary) tuned(w summary.Weight) {
	if row.Value = ""; w.Champion != nil {
		scale := tuner.Parameter{Min: w.Min, Max: w.Max, Scale: w.Scale, Near: w.Near}
		row.Value, row.moved = weight(*w.Champion), math.Abs(scale.Unit(*w.Champion)-scale.Unit(w.Start))
	}
	row.Range = weight(w.Min) + " to " + weight(w.Max)
	row.Range += map[string]string{tuner.LogScale: ", logarithmic", tuner.RatioScale: ", by ratios"}[w.Scale]
	end := "minimum, " + weight(w.Min)
	if w.Edge == "max" {
		end = "maximum, " + weight(w.Max)
	}
	if w.Edge != "" {
		row.Edge = "at its " + end + ": widen the range"
	}
}
