package main

import (
	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/results/report"
)

// resultJSON is what run -json prints. Scores are in points, fitness and gain in the objective's unit; an interval that is not
// known is null.
type resultJSON struct {
	Run       string             `json:"run"`
	Objective string             `json:"objective"`
	Champion  int                `json:"champion"` // number of the candidate
	Weights   map[string]float64 `json:"weights"`
	InSample  figureJSON         `json:"in_sample"`
	Validated []validatedJSON    `json:"validation"`
	Ablation  []leftOutJSON      `json:"ablation"`
	Trend     *trendJSON         `json:"trend"`   // null if it was not played
	Edges     map[string]string  `json:"at_edge"` // by weight: min or max
	Games     int64              `json:"games"`
	ReadBack  int64              `json:"replayed"`
}

// figureJSON is a mean.
type figureJSON struct {
	Candidate int         `json:"candidate"`
	Games     int         `json:"games"`
	MeanScore float64     `json:"mean_score"`
	CI        *[2]float64 `json:"ci"`
	Fitness   float64     `json:"fitness"`
	FitnessCI *[2]float64 `json:"fitness_ci"`
}

// validatedJSON are the held-out figures at one search.
type validatedJSON struct {
	Search     string                   `json:"search"`
	Champion   figureJSON               `json:"champion"`
	Start      figureJSON               `json:"start"`
	References map[string]referenceJSON `json:"references,omitempty"`
	Gain       gainJSON                 `json:"gain"`
	Verdict    string                   `json:"verdict"`
}

// referenceJSON are a reference's held-out figures, and the champion against it.
type referenceJSON struct {
	figureJSON
	Gain    gainJSON `json:"gain"`
	Verdict string   `json:"verdict"`
}

// gainJSON is the champion against another player.
type gainJSON struct {
	Difference float64     `json:"difference"`
	CI         *[2]float64 `json:"ci"`
	Ratio      *float64    `json:"ratio"`
	RatioCI    *[2]float64 `json:"ratio_ci"`
	P          float64     `json:"p"`
	Adjusted   float64     `json:"p_adjusted"` // for all searches and references together
}

// leftOutJSON is the champion without a feature.
type leftOutJSON struct {
	Feature    string      `json:"feature"`
	Weight     float64     `json:"weight"`
	Games      int         `json:"games"`
	Ratio      *float64    `json:"ratio"` // without it by with it
	RatioCI    *[2]float64 `json:"ratio_ci"`
	Confidence float64     `json:"confidence"` // of the interval alone; those of all features hold together with 95%
	Verdict    string      `json:"verdict"`
	More       int         `json:"more_games,omitempty"`
}

// trendJSON is the earlier centre against the last one.
type trendJSON struct {
	Stage       string      `json:"stage"`
	Generation  int         `json:"generation"` // from 0
	Generations int         `json:"generations"`
	Games       int         `json:"games"`
	Ratio       *float64    `json:"ratio"` // earlier by last
	RatioCI     *[2]float64 `json:"ratio_ci"`
	Text        string      `json:"text"`
	More        int         `json:"more_games,omitempty"`
}

func newResultJSON(c *configs.Config, result experiments.Result) resultJSON {
	figure := func(s experiments.Standing) figureJSON {
		return figureJSON{s.Candidate, s.Score.N, s.Score.Mean, bounded(s.Interval), s.Fitness.Mean, bounded(s.FitnessInterval)}
	}
	gain := func(c *experiments.Contrast) gainJSON {
		return gainJSON{c.Difference.Value, bounded(c.Difference.Interval), finite(c.Ratio.Value), bounded(c.Ratio.Interval), c.P, c.Adjusted}
	}
	out := resultJSON{
		Objective: c.Objective.String(), Ablation: []leftOutJSON{}, Edges: map[string]string{}, InSample: figure(result.InSample),
		Run: result.Run.Name, Champion: result.Champion.Number, Weights: map[string]float64{}, Games: result.Games, ReadBack: result.ReadBack,
	}
	for _, w := range result.Champion.Weights {
		out.Weights[w.Name] = w.Value
	}
	for _, v := range result.Validated {
		entry := validatedJSON{
			Search: v.Search, Champion: figure(v.Champion), Start: figure(v.Start), References: map[string]referenceJSON{}, Verdict: v.Verdict(), Gain: gain(v.Gain),
		}
		for _, reference := range v.References {
			entry.References[reference.Name] = referenceJSON{figure(reference.Standing), gain(reference.Gain), report.ReferenceVerdict(reference.Gain)}
		}
		out.Validated = append(out.Validated, entry)
	}
	for _, f := range result.Ablation {
		out.Ablation = append(out.Ablation, leftOutJSON{f.Feature, f.Weight, f.Change.Games, finite(f.Change.Ratio.Value), bounded(f.Change.Ratio.Interval),
			f.Change.Confidence, report.AblationVerdict(f), f.Change.More})
	}
	if t := result.Trend; t != nil {
		out.Trend = &trendJSON{t.Stage, t.Generation, t.Generations, t.Change.Games, finite(t.Change.Ratio.Value), bounded(t.Change.Ratio.Interval),
			report.TrendText(*t), t.Change.More}
	}
	for _, e := range result.Edges {
		out.Edges[e.Weight] = e.End
	}
	return out
}
