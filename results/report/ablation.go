package report

import (
	"tune2048/experiments/stats"
)

// ablationSection has the champion without each of its features, the most valuable feature first.
type ablationSection struct {
	Search    string    `json:"search"`
	Objective string    `json:"objective"`
	Features  []ablated `json:"features"`
	Note      string    `json:"note"`

	without string // this feature, or with its weight at its start
}

// ablated is the champion without a feature.
type ablated struct {
	Name    string          `json:"name"`
	Weight  float64         `json:"weight"`
	Games   int             `json:"games"`
	Change  *stats.Estimate `json:"change"`  // relative: -0.31; null: from a fitness of 0
	Verdict string          `json:"verdict"` // matters, can be left out, better without it, undecided
	Text    string          `json:"text"`

	effect string  // Change and Verdict in a few words
	worth  float64 // the change, or the difference from a fitness of 0
}

// ablation adds the champion without each feature, as soon as that is recorded.
func (b *builder) ablation() {
	m := &b.report.Ablation
	m.Features, m.without = []ablated{}, "without this feature"
	note := "the intervals without a feature hold together with 95%"
	if b.config != nil && b.config.Heuristic.Bot != nil {
		m.without, note = "with this weight at its start",
			"the intervals with a weight at its start hold together with 95%"
	}
	if b.config != nil {
		m.Search, m.Objective = b.config.Ablation.Search.String(), b.unit.Objective.String()
	}
	for _, f := range b.Features {
		m.Search, m.Objective = f.Search, f.Objective
		verdict, effect, text := ablationText(b.unit, f.Comparison)
		m.Features = append(m.Features, ablated{f.Name, f.Weight, f.Games, relative(f.Ratio), verdict, text, effect, f.Worth()})
	}
	if len(m.Features) > 0 {
		m.Note = note
	}
}
