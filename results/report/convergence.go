package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// mostGenerations is how many generations are listed.
const mostGenerations = 1000

// convergence says how the tuning went.
func (b *builder) convergence(context.Context) error {
	c := &b.report.Convergence
	c.Stages, c.Generations, c.Centres = []Stage{}, []Generation{}, []Centre{}
	c.Every = max(1, (len(b.tuned)+mostGenerations-2)/(mostGenerations-1)) // the last one besides
	for i, g := range b.tuned {
		began := int64(0)
		if i > 0 {
			began = b.played[i-1]
		}
		if n := len(c.Stages); n == 0 || c.Stages[n-1].Name != g.Stage {
			c.Stages = append(c.Stages, Stage{Name: g.Stage, Search: g.Search, From: began})
		}
		stage := &c.Stages[len(c.Stages)-1]
		stage.To, stage.Rose = b.played[i], nil
		if first := i - g.Number; g.Number-g.Rose >= Restless && first >= 0 && first+g.Rose >= 0 && first+g.Rose <= i {
			stage.Rose = &b.played[first+g.Rose]
		}
		if i%c.Every == 0 || i == len(b.tuned)-1 {
			c.Generations = append(c.Generations, Generation{
				Stage: g.Stage, Number: g.Number + 1, Games: b.played[i], Fitness: drawnEstimate(g.MeanFitness), Spread: drawn(g.SD), Score: drawn(g.Mean),
			})
		}
	}
	for _, s := range b.stages { // one whose first generation is being played
		if b.stage(s.Stage) < 0 {
			end := int64(0)
			if n := len(b.played); n > 0 {
				end = b.played[n-1]
			}
			c.Stages = append(c.Stages, Stage{Name: s.Stage, Search: s.Search, From: end, To: end})
		}
	}
	texts := b.flat()
	if trend := b.trend(c); trend != "" {
		texts = append(texts, trend)
	}
	if len(texts) == 0 {
		texts = append(texts, b.sinceWhen())
	}
	c.Text = strings.Join(texts, "; ")
	return nil
}

// flat says which stages ended because nothing rose for as long as the config allows.
func (b *builder) flat() (texts []string) {
	for i, g := range b.tuned {
		ended := i == len(b.tuned)-1 && b.run.Status == experiments.Finished || i < len(b.tuned)-1 && b.tuned[i+1].Stage != g.Stage
		if !ended || b.config == nil {
			continue
		}
		for _, stage := range b.config.Stages {
			if stage.Name == g.Stage && stage.NoProgress > 0 && g.Number-g.Rose >= stage.NoProgress*b.config.Restarts {
				texts = append(texts, FlatText(experiments.FlatStage{Stage: g.Stage, Generations: g.Number + 1, Rose: g.Rose}))
			}
		}
	}
	return texts
}

func drawnEstimate(e stats.Estimate) Estimate {
	return estimate(stats.Estimate{Value: drawn(e.Value), Interval: stats.Interval{Low: drawn(e.Interval.Low), High: drawn(e.Interval.High)}})
}

// stage is the index of a stage in the report; -1 if it is none.
func (b *builder) stage(name string) int {
	return slices.IndexFunc(b.report.Convergence.Stages, func(s Stage) bool { return s.Name == name })
}

// trend adds what the population's centre came to on fresh games, and says whether more tuning would help.
func (b *builder) trend(c *Convergence) (text string) {
	i := slices.IndexFunc(b.contrasts, func(c experiments.Contrast) bool { return c.Phase == experiments.PhaseTrend })
	if i < 0 || len(b.tuned) == 0 {
		return ""
	}
	change, stage := b.contrasts[i], b.tuned[len(b.tuned)-1].Stage
	n := b.generationsOf(stage)
	t := experiments.Trend{Stage: stage, Generation: n/2 - 1, Generations: n, Change: change}
	if t.Generation < 0 {
		return ""
	}
	for _, s := range b.at(experiments.PhaseTrend, change.Search) {
		generation := n
		switch s.Candidate {
		case change.Baseline:
		case change.Candidate:
			generation = t.Generation + 1
		default:
			continue
		}
		c.Centres = append(c.Centres, Centre{
			Games: b.played[len(b.played)-n+generation-1], Search: s.Search, Played: s.Score.N, Generation: generation,
			Fitness: estimate(stats.Estimate{Value: s.Fitness.Mean, Interval: s.FitnessInterval}),
		})
	}
	slices.SortFunc(c.Centres, func(a, b Centre) int { return a.Generation - b.Generation })
	return TrendText(t)
}

// sinceWhen says since when nothing rose in the stage at hand.
func (b *builder) sinceWhen() string {
	if len(b.tuned) == 0 {
		return ""
	}
	g := b.tuned[len(b.tuned)-1]
	text := fmt.Sprintf("stage %s: after %s the %s is %s %s", g.Stage, count(int64(g.Number)+1, "generation"), b.unit.Title,
		b.unit.Figure(g.MeanFitness.Value), b.unit.Interval(g.MeanFitness.Interval))
	if g.Number-g.Rose >= Restless {
		return text + fmt.Sprintf(", without clear progress since generation %d", g.Rose+1)
	}
	return text
}
