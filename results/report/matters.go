package report

import (
	"cmp"
	"context"
	"slices"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// matters says what the champion's features are worth.
func (b *builder) matters(context.Context) error {
	m := &b.report.Matters
	m.Features, m.Weights = []Feature{}, []Moved{}
	if b.config == nil {
		m.Note = "a comparison leaves no features out"
		return nil
	}
	m.Search, m.Objective = b.config.Ablation.Search.String(), b.unit.Objective.String()
	b.features(m)
	b.moved(m)
	switch {
	case len(m.Features) > 0 || len(m.Weights) > 0:
		m.Note = HoldTogether
	case b.config.Ablation.Games == 0:
		m.Note = "the config asks for no ablation: ablation: {games: 4000} plays the champion without each of its features"
	case b.run.Status == experiments.Finished:
		m.Note = "no feature was left out"
	default:
		m.Note = "not played yet: the features are left out of the champion when it is validated"
	}
	return nil
}

// features adds the champion without each feature, as soon as that is recorded. One of weight 0 was not played.
func (b *builder) features(m *Matters) {
	played := map[string]experiments.Contrast{} // by question
	for _, c := range b.contrasts {
		if c.Phase == experiments.PhaseAblation {
			played[c.Question] = c
		}
	}
	if len(played) == 0 {
		return
	}
	weights := map[string]float64{}
	for _, w := range b.config.Family.Weights() {
		weights[w.Name] = w.Value
	}
	for _, w := range b.candidates[b.run.Champion].Weights {
		weights[w.Name] = w.Value
	}
	for _, f := range b.config.Family.Features {
		left := experiments.LeftOut{Feature: f.Name, Weight: weights[f.Name]}
		c, ok := played["without "+f.Name]
		switch {
		case ok:
			left.Change, m.Search, m.Objective = c, c.Search, c.Objective
		case left.Weight == 0:
			left.Change.Verdict, left.Change.Ratio = experiments.CanBeLeftOut, stats.Estimate{Value: 1, Interval: stats.Interval{Low: 1, High: 1}}
		default:
			continue
		}
		m.Features = append(m.Features, Feature{
			Name: f.Name, Weight: left.Weight, Games: left.Change.Games, Change: relative(left.Change.Ratio), Verdict: AblationVerdict(left), Text: AblationText(left),
		})
	}
	slices.SortStableFunc(m.Features, func(a, b Feature) int { return cmp.Compare(a.Change.Value, b.Change.Value) })
}

// moved adds the champion with one weight moved, in the order of the weights.
func (b *builder) moved(m *Matters) {
	champion := map[string]float64{}
	for _, w := range b.candidates[b.run.Champion].Weights {
		champion[w.Name] = w.Value
	}
	for _, weight := range b.config.Family.Tunable() {
		for _, way := range []string{" down", " up"} {
			for _, c := range b.contrasts {
				if c.Phase != experiments.PhaseSensitivity {
					continue
				}
				// By its weights: a candidate may have another name, as without a feature it is the champion with that weight moved to 0.
				i := slices.IndexFunc(b.candidates[c.Candidate].Weights, func(w experiments.Weight) bool { return w.Value != champion[w.Name] })
				if i < 0 {
					continue
				}
				if w := b.candidates[c.Candidate].Weights[i]; w.Name == weight.Name && (w.Value > champion[w.Name]) == (way == " up") {
					e := experiments.Effect{Up: experiments.Shift{Played: true, Contrast: c}}
					m.Weights = append(m.Weights, Moved{weight.Name + way, relative(c.Ratio), Change(c.Ratio) + ": " + EffectText(e)})
				}
			}
		}
	}
}
