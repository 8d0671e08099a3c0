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

// Weights has the weights that were tuned, and those whose feature was left out.
type Weights struct {
	Rows   []Weight `json:"rows"` // the most valuable feature first; its power follows it
	Tuned  Sample   `json:"tuned"`
	Search string   `json:"search"` // at which features were left out; empty: they were not
	Note   string   `json:"-"`      // which of their intervals hold together
	Effect string   `json:"-"`      // the head of their worth; empty: it is not known
}

// Sample has candidates of the last stage of tuning, evenly chosen, in the order of asking.
type Sample struct {
	Stage   string    `json:"stage"`
	Search  string    `json:"search"`
	All     int       `json:"all"`             // candidates of the stage
	Ranked  int64     `json:"ranked,omitzero"` // games of the run when they were ranked, where others followed since
	Fitness []float64 `json:"fitness"`         // of each, without its luck
}

const maxDots = 60_000 // numbers of a sample: of six weights some 8,000 candidates

// Weight is a weight with its range, and the worth of its feature.
type Weight struct {
	summary.Weight
	Value  string          `json:"value"`  // of the champion or the centre so far, as a config has it; fixed; or empty
	Range  string          `json:"range"`  // 10 to 10000, logarithmic; empty: fixed
	Remark string          `json:"remark"` // at its minimum, 2: widen the range; or empty
	Centre *float64        `json:"centre"` // of the search so far; null: the champion is known, or no look was yet
	Values []float64       `json:"values"` // of the sample's candidates; empty: fixed
	Late   *stats.Estimate `json:"late"`   // where the search still looks: the median and the middle 80% of the values that it asked for last; or null
	Change *stats.Estimate `json:"change"` // of fitness without the feature: -0.31; null: not known
	Effect string          `json:"effect"` // the change and its verdict in words; empty: not known
	worth  float64         // of the feature, by which rows are sorted; 0: not known
	moved  float64         // how far the champion lies from the start, as a share of the range
}

// Tunable returns the rows of weights that have a range.
func (w Weights) Tunable() []Weight {
	return slices.DeleteFunc(slices.Clone(w.Rows), func(row Weight) bool { return row.Range == "" })
}

// Late reports whether it is known how far the search still looks.
func (w Weights) Late() bool {
	return slices.ContainsFunc(w.Rows, func(row Weight) bool { return row.Late != nil })
}

// table is the table of the weights.
func (w Weights) table() Table {
	t := Table{Section: "weights", Columns: []Column{{Name: "weight"}, {Name: "start", Number: true},
		{Name: "champion", Number: true}}}
	title, remarks := w.Effect, false
	for _, row := range w.Rows {
		what := row.Effect
		if row.Remark != "" {
			remarks = true
			what = strings.TrimPrefix(what+"; "+row.Remark, "; ")
		}
		t.Rows = append(t.Rows, []string{row.Name, weight(row.Start), row.Value, what})
	}
	if remarks {
		title = strings.TrimPrefix(title+"; remarks", "; ")
	}
	t.Columns = append(t.Columns, Column{Name: title, Detail: title == "", Wraps: true})
	return t
}

// maxWeights is how many weights the terminal shows.
const maxWeights = 20

// mostMoved leaves the rows of the weights that moved most in their order.
func (w Weights) mostMoved(t Table) Table {
	if len(t.Rows) <= maxWeights {
		return t
	}
	order := stats.Order(len(t.Rows), func(a, b int) int { return cmp.Compare(w.Rows[b].moved, w.Rows[a].moved) })
	all := t.Rows
	t.Rows = nil
	for _, i := range slices.Sorted(slices.Values(order[:maxWeights])) {
		t.Rows = append(t.Rows, all[i])
	}
	t.Notes = append(t.Notes, fmt.Sprintf("These %d weights moved most over their ranges. The page of the report shows "+
		"the other %s, too.",
		maxWeights, Grouped(int64(len(all)-maxWeights))))
	return t
}

// weights joins the champion's weights with the features' worth. A fixed weight has a row if its
// feature was left out.
func (rec *records) weights() Weights {
	w := Weights{Rows: []Weight{}}
	if rec.config == nil {
		w.Tuned.Fitness = []float64{}
		return w
	}
	sample, values := rec.sample()
	w.Tuned = sample
	without := "without this feature"
	if rec.config.Heuristic.Bot != nil {
		without = "with this weight at its start"
	}
	w.Note = "the intervals " + strings.Replace(without, "this", "a", 1) + " hold together with 95%"
	for _, h := range rec.config.Weights {
		row := Weight{Weight: summary.Weight{Name: h.Name, Start: h.Value}, Value: "fixed", Values: []float64{}}
		if n := len(w.Rows); n > 0 { // another weight of the same feature
			row.worth = w.Rows[n-1].worth
		}
		if i := slices.IndexFunc(rec.Weights, func(tuned summary.Weight) bool { return tuned.Name == h.Name }); i >= 0 {
			row.tuned(rec.Weights[i], rec.centre(i), values[i])
			if rec.run.Champion < 0 {
				row.Late = late(values[i])
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
		if row.Effect != "" {
			w.Effect = strings.TrimPrefix(rec.unit.Changes, "mean ") + " " + without
		}
	}
	slices.SortStableFunc(w.Rows, func(x, y Weight) int { return cmp.Compare(x.worth, y.worth) })
	return w
}

// sample chooses candidates to draw, and returns their values of each tuned weight.
func (rec *records) sample() (s Sample, of [][]float64) {
	s = Sample{All: rec.tuned.All, Ranked: rec.tuned.Games, Fitness: []float64{}}
	of = make([][]float64, len(rec.Weights))
	rows := slices.DeleteFunc(slices.Clone(rec.tuned.Fitness), func(one summary.Sampled) bool {
		_, known := rec.candidates[one.Candidate]
		return !known
	})
	every := 1 + len(rows)*(len(rec.Weights)+1)/maxDots
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
			of[k] = append(of[k], v)
		}
	}
	return s, of
}

// centre returns a tuned weight of the centre of the search so far, or nil.
func (rec *records) centre(i int) *float64 {
	if c := rec.run.Headline.Centre; c != nil && rec.run.Champion < 0 {
		if values, complete := rec.Summary.Values(rec.candidates[c.Candidate]); complete {
			return &values[i]
		}
	}
	return nil
}

// latest is how many values late takes, at least; of many values it takes a tenth.
const latest = 40

// late returns where the middle 80% of the last values lie: how far the search still looks. It is
// nil where they are few.
func late(values []float64) *stats.Estimate {
	last := values[max(0, len(values)-max(latest, len(values)/10)):]
	if len(last) < latest {
		return nil
	}
	last = slices.Sorted(slices.Values(last))
	at := func(share float64) float64 { return portable.Rounded(stats.Quantile(last, share), 6) }
	return &stats.Estimate{Value: at(0.5), Interval: stats.Interval{Low: at(0.1), High: at(0.9)}}
}

// tuned fills in the tuned weight, its value in the centre of the search so far, and the values of
// the sample's candidates.
func (row *Weight) tuned(w summary.Weight, centre *float64, values []float64) {
	row.Weight, row.Value, row.Centre, row.Values = w, "", centre, append(row.Values, values...)
	if centre != nil {
		row.Value = weight(*centre)
	}
	if w.Champion != nil {
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
		row.Remark = "at its " + end + ": widen the range"
	}
}
