package main

import (
	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// resultJSON is what run -json prints. Scores are in points; an interval that is not known is null.
type resultJSON struct {
	Run       string             `json:"run"`
	Champion  int                `json:"champion"` // number of the candidate
	Weights   map[string]float64 `json:"weights"`
	InSample  figureJSON         `json:"in_sample"`
	Validated []validatedJSON    `json:"validation"`
	Effects   []effectJSON       `json:"sensitivity"`
	Games     int64              `json:"games"`
	ReadBack  int64              `json:"replayed"`
}

// figureJSON is a mean.
type figureJSON struct {
	Candidate int         `json:"candidate"`
	Games     int         `json:"games"`
	MeanScore float64     `json:"mean_score"`
	CI        *[2]float64 `json:"ci"`
}

// validatedJSON are the held-out figures at one search.
type validatedJSON struct {
	Search     string                `json:"search"`
	Champion   figureJSON            `json:"champion"`
	Start      figureJSON            `json:"start"`
	References map[string]figureJSON `json:"references,omitempty"`
	Gain       gainJSON              `json:"gain"`
	Verdict    string                `json:"verdict"`
}

// gainJSON is champion against start weights.
type gainJSON struct {
	Difference float64     `json:"difference"`
	CI         *[2]float64 `json:"ci"`
	Ratio      float64     `json:"ratio"`
	RatioCI    *[2]float64 `json:"ratio_ci"`
}

// effectJSON is what a weight does to the champion's score.
type effectJSON struct {
	Weight  string     `json:"weight"`
	Value   float64    `json:"value"`
	AtEdge  string     `json:"at_edge,omitempty"`
	Down    *shiftJSON `json:"down"`
	Up      *shiftJSON `json:"up"`
	Verdict string     `json:"verdict"`
}

// shiftJSON is the champion with one weight moved; null where it was not played.
type shiftJSON struct {
	Value   float64     `json:"value"`
	Same    bool        `json:"same_games"`
	Ratio   float64     `json:"ratio"`
	RatioCI *[2]float64 `json:"ratio_ci"`
}

func newResultJSON(result experiments.Result) resultJSON {
	out := resultJSON{
		Run: result.Run.Name, Champion: result.Champion.Number, Weights: map[string]float64{}, Games: result.Games, ReadBack: result.ReadBack,
		InSample: figureJSON{result.Champion.Number, result.InSample.N, result.InSample.Mean, bounded(stats.MeanInterval(result.InSample, 0.95))},
	}
	for _, w := range result.Champion.Weights {
		out.Weights[w.Name] = w.Value
	}
	figure := func(e experiments.Evaluation) figureJSON {
		return figureJSON{e.Candidate, e.Score.N, e.Score.Mean, bounded(e.Interval)}
	}
	for _, v := range result.Validated {
		entry := validatedJSON{
			Search: v.Search, Champion: figure(v.Champion), Start: figure(v.Start), References: map[string]figureJSON{}, Verdict: v.Verdict(),
			Gain: gainJSON{v.Gain.Difference.Value, bounded(v.Gain.Difference.Interval), v.Gain.Ratio.Value, bounded(v.Gain.Ratio.Interval)},
		}
		for _, reference := range v.References {
			entry.References[reference.Name] = figure(reference.Evaluation)
		}
		out.Validated = append(out.Validated, entry)
	}
	shift := func(s experiments.Shift) *shiftJSON {
		if !s.Played {
			return nil
		}
		return &shiftJSON{s.Value, s.Same, s.Contrast.Ratio.Value, bounded(s.Contrast.Ratio.Interval)}
	}
	for _, e := range result.Effects {
		out.Effects = append(out.Effects, effectJSON{e.Weight, e.Value, e.AtEdge(), shift(e.Down), shift(e.Up), e.Verdict()})
	}
	return out
}
