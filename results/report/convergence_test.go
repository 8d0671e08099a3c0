package report

import (
	"testing"

	"tune2048/engine/portable"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/results"
	"tune2048/tuner/fitness"
)

// stageOf returns a stage's generations with these mean fitnesses, each with the same standard
// error.
func stageOf(name string, se float64, means ...float64) (all []experiments.Generation) {
	for number, mean := range means {
		all = append(all, experiments.Generation{Stage: name, Number: number, Games: 100, MeanFitness: stats.Estimate{
			Value: mean, Interval: stats.Interval{Low: mean - 1.96*se, High: mean + 1.96*se}}})
	}
	return all
}

// TestSinceWhenNothingRose: each stage has the games at which its mean was last seen to rise,
// unless that was just now.
func TestSinceWhenNothingRose(t *testing.T) {
	b := builder{unit: UnitOf(fitness.MeanScore), run: results.Run{Status: experiments.Interrupted}}
	b.tuned = append(b.tuned, stageOf("early", 0.1, 0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)...)
	b.tuned = append(b.tuned, stageOf("late", 0.1, 0, 1, 2, 3)...)
	for i := range b.tuned {
		b.played = append(b.played, int64(100*(i+1)))
	}
	must(t, b.convergence(t.Context()))
	// The mean of six generations rises until the last two of the first three have left the window.
	c := b.report.Convergence
	if len(c.Stages) != 2 || c.Stages[0].Rose == nil || *c.Stages[0].Rose != 800 || c.Stages[1].Rose != nil || c.Stages[1].From != 1600 || c.Stages[1].To != 2000 {
		t.Errorf("%+v", c.Stages)
	}
	b.tuned, b.played, b.report = b.tuned[:16], b.played[:16], Report{}
	must(t, b.convergence(t.Context()))
	if want := "stage early: after 1,600 games the mean score is 2 [2, 2], without clear progress since 800 games"; b.report.Convergence.Text != want {
		t.Errorf("got %q, want %q", b.report.Convergence.Text, want)
	}
}

// TestLastRise: a rise is seen, be it slow, and noise is seldom taken for one.
func TestLastRise(t *testing.T) {
	const runs, generations, se = 200, 40, 1.0
	for name, c := range map[string]struct {
		slope       float64 // of the true mean, in standard errors a generation
		least, most float64 // generations since the last rise, on average
	}{"level": {0, 12, 40}, "slow": {0.3, 0, 6}, "steep": {2, 0, 1}} {
		since := 0.0
		for run := range runs {
			random, means := portable.NewSource(uint64(run)), []float64(nil)
			for g := range generations {
				means = append(means, c.slope*float64(g)+se*random.Normal())
			}
			since += float64(generations-1-lastRise(stageOf("stage", se, means...))) / runs
		}
		if since < c.least || since > c.most {
			t.Errorf("%s: the last rise was %.1f generations ago on average, want %v to %v", name, since, c.least, c.most)
		}
	}
}
