package report

import (
	"cmp"
	"context"
	"slices"

	"tune2048/experiments"
)

// mattersSection has the champion without each of its features, the most valuable feature first.
type mattersSection struct {
	Search    string    `json:"search"`
	Objective string    `json:"objective"`
	Features  []ablated `json:"features"`
	Note      string    `json:"note"`
}

// ablated is the champion without a feature.
type ablated struct {
	Name    string    `json:"name"`
	Weight  float64   `json:"weight"`
	Games   int       `json:"games"`
	Change  *estimate `json:"change"`  // relative: -0.31; null: from a fitness of 0
	Verdict string    `json:"verdict"` // matters, can be left out, better without it, undecided
	Text    string    `json:"text"`

	effect string // Change and Verdict in a few words
}

// worth is a change by which features are sorted. One that is not known is in the middle.
func worth(change *estimate) float64 {
	if change == nil {
		return 0
	}
	return change.Value
}

func (r Report) mattersTable() Table {
	t := Table{
		Section: "explore", Detail: true, Title: "What matters: the champion without one feature at a time, on fresh games at " + r.Matters.Search + ", change of the " + r.Unit.Changes,
		Notes: []string{r.Matters.Note},
	}
	for _, f := range r.Matters.Features {
		t.add([]cell{worded("feature", f.Name), worded("verdict", f.Text), numeric("games", Grouped(int64(f.Games))),
			numeric("its weight", weight(f.Weight))})
	}
	return t
}

// matters adds the champion without each feature, as soon as that is recorded. A feature of weight
// 0 was not played.
func (b *builder) matters(context.Context) error {
	m := &b.report.Matters
	m.Features = []ablated{}
	if b.config == nil {
		return nil
	}
	m.Search, m.Objective = b.config.Ablation.Search.String(), b.unit.Objective.String()
	played := map[string]experiments.Comparison{} // by question
	for _, c := range b.comparisons {
		if c.Phase == experiments.PhaseAblation {
			played[c.Question] = c
		}
	}
	if len(played) == 0 {
		return nil
	}
	weights := byName(b.candidates[b.run.Champion].Weights)
	for _, w := range b.config.Family.Weights() {
		if _, tuned := weights[w.Name]; !tuned {
			weights[w.Name] = w.Value
		}
	}
	for _, f := range b.config.Family.Features {
		c, ok := played["without "+f.Name]
		switch {
		case ok:
			m.Search, m.Objective = c.Search, c.Objective
		case weights[f.Name] == 0:
			c.Verdict, c.Ratio = experiments.CanBeLeftOut, unchanged
		default:
			continue
		}
		verdict, effect, text := ablationText(c)
		m.Features = append(m.Features, ablated{f.Name, weights[f.Name], c.Games, relative(c.Ratio), verdict, text, effect})
	}
	slices.SortStableFunc(m.Features, func(a, b ablated) int { return cmp.Compare(worth(a.Change), worth(b.Change)) })
	if len(m.Features) > 0 {
		m.Note = "all these intervals together hold the truth in 95% of cases"
	}
	return nil
}
