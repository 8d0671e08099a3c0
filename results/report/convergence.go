package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// convergenceSection answers: how did it get there, and would more time help?
type convergenceSection struct {
	Stages      []stageRow      `json:"stages"`
	Generations []generationRow `json:"generations"`
	Centres     []centre        `json:"centres"` // on fresh games: half way through the last stage, at its end
	Every       int             `json:"every"`   // of a long run only each n-th is listed; 1: all
	Text        string          `json:"text"`    // would more tuning help; since when nothing rose

	stopped bool   // the trend shows no more gain
	again   string // that another seed may find more, if so
}

// stageRow is a stage of tuning. Games count from the run's start.
type stageRow struct {
	Name   string `json:"name"`
	Search string `json:"search"`
	From   int64  `json:"from"` // games played before it
	To     int64  `json:"to"`
	// Rose is the number of games when the mean was last seen to rise. null: it rose till the end.
	Rose *int64 `json:"rose"`
}

// generationRow is a generation of tuning.
type generationRow struct {
	Stage   string   `json:"stage"`
	Number  int      `json:"number"`  // of the stage, from 1
	Games   int64    `json:"games"`   // played so far, from the beginning of the run
	Fitness estimate `json:"fitness"` // mean of its candidates
	Spread  float64  `json:"spread"`  // of the candidates' mean scores, SD in points: mostly noise
	Score   float64  `json:"score"`   // mean of its candidates' mean scores
}

// centre is the fitness of a population's centre on fresh games.
type centre struct {
	Games      int64    `json:"games"` // of tuning, when it was the centre
	Search     string   `json:"search"`
	Played     int      `json:"played"`
	Generation int      `json:"generation"` // from 1
	Fitness    estimate `json:"fitness"`
}

const (
	mostGenerations = 1000 // in the list
	restless        = 6    // generations without progress before the report mentions it
)

// convergence says how the tuning went.
func (b *builder) convergence(context.Context) error {
	c := &b.report.Convergence
	c.Stages, c.Generations, c.Centres = []stageRow{}, []generationRow{}, []centre{}
	c.Every = max(1, (len(b.tuned)+mostGenerations-2)/(mostGenerations-1)) // the last one besides
	first := 0                                                             // generation of the stage
	end := int64(0)                                                        // games played so far
	for i, g := range b.tuned {
		if i == 0 || b.tuned[i-1].Stage != g.Stage {
			c.Stages = append(c.Stages, stageRow{Name: g.Stage, Search: g.Search, From: end})
			first = i
		}
		end = b.played[i]
		stage := &c.Stages[len(c.Stages)-1]
		stage.To = end
		if i == len(b.tuned)-1 || b.tuned[i+1].Stage != g.Stage {
			if rose := lastRise(b.tuned[first : i+1]); i-first-rose >= restless {
				stage.Rose = &b.played[first+rose]
			}
		}
		if i%c.Every == 0 || i == len(b.tuned)-1 {
			mean := g.MeanFitness
			c.Generations = append(c.Generations, generationRow{
				Stage: g.Stage, Number: g.Number + 1, Games: b.played[i], Spread: drawn(g.SD), Score: drawn(g.Mean),
				Fitness: estimate{drawn(mean.Value), stats.Interval{Low: drawn(mean.Interval.Low), High: drawn(mean.Interval.High)}},
			})
		}
	}
	for _, s := range b.stages { // one whose first generation is being played
		if b.stage(s.Stage) < 0 {
			c.Stages = append(c.Stages, stageRow{Name: s.Stage, Search: s.Search, From: end, To: end})
		}
	}
	if c.Text = b.trend(c); c.Text == "" {
		c.Text = b.sinceWhen()
	}
	return nil
}

// stage returns the index of a stage in the report, or -1.
func (b *builder) stage(name string) int {
	return slices.IndexFunc(b.report.Convergence.Stages, func(s stageRow) bool { return s.Name == name })
}

// trend adds the figures of the population's centres on fresh games. It returns whether more tuning
// would help, in words.
func (b *builder) trend(c *convergenceSection) (text string) {
	i := slices.IndexFunc(b.comparisons, func(c experiments.Comparison) bool { return c.Phase == experiments.PhaseTrend })
	if i < 0 || len(b.tuned) == 0 {
		return ""
	}
	change, stage := b.comparisons[i], b.tuned[len(b.tuned)-1].Stage
	n := b.generationsOf(stage)
	half := n / 2 // generations until the earlier centre
	if half == 0 {
		return ""
	}
	for _, s := range b.at(experiments.PhaseTrend, change.Search) {
		generation, ok := map[int]int{change.Candidate: half, change.Baseline: n}[s.Candidate]
		if !ok {
			continue
		}
		c.Centres = append(c.Centres, centre{
			Games: b.played[len(b.played)-n+generation-1], Search: s.Search, Played: s.Score.N, Generation: generation,
			Fitness: estimate{s.Fitness.Mean, s.FitnessInterval},
		})
	}
	slices.SortFunc(c.Centres, func(a, b centre) int { return a.Generation - b.Generation })
	if len(c.Stages) == 1 {
		stage = ""
	}
	c.stopped = change.Verdict == experiments.Flat || change.Verdict == experiments.Falling
	end := len(b.played)
	return trendText(stage, b.played[end-n+half-1], b.played[end-1], change)
}

// sinceWhen says since when nothing rose in the stage at hand.
func (b *builder) sinceWhen() string {
	if len(b.tuned) == 0 {
		return ""
	}
	end := len(b.tuned) - 1
	g := b.tuned[end]
	text := fmt.Sprintf("stage %s: after %s the %s is %s %s", g.Stage, count(b.played[end], "game"), b.unit.Title,
		b.unit.Figure(g.MeanFitness.Value), b.unit.Interval(g.MeanFitness.Interval))
	if rose := b.report.Convergence.Stages[b.stage(g.Stage)].Rose; rose != nil {
		text += ", without clear progress since " + count(*rose, "game")
	}
	return text
}

// riseWindow is the number of generations whose mean is looked at.
const riseWindow = 6

// lastRise returns the last of a stage's generations, from 0, in which the mean fitness was seen
// to rise. It looks at the mean of all candidates over the last few generations, so no lucky one
// counts. A rise is 1.645 standard errors above the mean at the last rise, so slow progress adds
// up until it is seen. That is a hint and no test, since it looks again and again.
func lastRise(generations []experiments.Generation) (rose int) {
	mean := func(end int) (mean, variance float64) {
		window := generations[max(0, end+1-riseWindow) : end+1]
		n := float64(len(window))
		for _, g := range window {
			se := g.MeanFitness.Margin() / 1.96
			mean += g.MeanFitness.Value / n
			variance += se * se / (n * n)
		}
		return mean, variance
	}
	for i := range generations {
		high, highVariance := mean(rose)
		if now, variance := mean(i); now-high > experiments.Z95*math.Sqrt(variance+highVariance) {
			rose = i
		}
	}
	return rose
}
