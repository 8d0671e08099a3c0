package report

import (
	"testing"

	"tune2048/engine/bot"
	"tune2048/engine/portable"
	"tune2048/experiments"
)

// stageOf returns the games of a stage whose generations have these mean fitnesses, 1000 less, each
// with the same standard error. Each generation has one candidate with two games.
func stageOf(name string, se float64, means ...float64) (all []experiments.Evaluation) {
	for number, mean := range means {
		e := evaluated(experiments.PhaseTuning, "depth 1", number, 1000+mean-se, 1000+mean+se)
		e.Stage, e.Generation = name, number
		all = append(all, e)
	}
	return all
}

// TestSinceWhenNothingRose: each stage has the games at which its mean was last seen to rise,
// unless that was just now.
func TestSinceWhenNothingRose(t *testing.T) {
	early := stageOf("early", 0.1, 0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)
	b := builderOf(-1, append(early[:16:16], stageOf("late", 0.1, 0, 1, 2, 3)...))
	b.convergence()
	// The mean of six generations rises until the last two of the first three have left the window.
	c := b.report.Convergence
	if len(c.Stages) != 2 || c.Stages[0].Rose == nil || *c.Stages[0].Rose != 16 || c.Stages[1].Rose != nil || c.Stages[1].From != 32 || c.Stages[1].To != 40 {
		t.Errorf("%+v", c.Stages)
	}
	b = builderOf(-1, early)
	b.convergence()
	if want := "no clear progress of tuning since 16 of 32 games"; b.report.Convergence.Text != want {
		t.Errorf("got %q, want %q", b.report.Convergence.Text, want)
	}
}

// TestAlike: a run whose candidates mostly play the same games says so.
func TestAlike(t *testing.T) {
	for scores, want := range map[float64]string{0: "4 games of tuning, 1 different: many candidates play alike", 10: ""} {
		var all []experiments.Evaluation
		for number := range 4 {
			all = append(all, evaluated(experiments.PhaseTuning, "depth 1", number, 1000+scores*float64(number)))
		}
		b := builderOf(-1, all)
		b.convergence()
		if b.report.Convergence.caution != want {
			t.Errorf("got %q, want %q", b.report.Convergence.caution, want)
		}
		b = builderOf(-1, all) // a bot's equal scores may be of different games
		b.config.Heuristic.Bot = &bot.Program{Answers: bot.Games}
		b.convergence()
		if b.report.Convergence.caution != "" {
			t.Errorf("of a bot: got %q", b.report.Convergence.caution)
		}
	}
}

// TestLastRise: a rise is seen, be it slow, and noise is seldom taken for one. A rise within the
// last six generations counts as one just now.
func TestLastRise(t *testing.T) {
	const runs, generations, se = 200, 40, 1.0
	for name, c := range map[string]struct {
		slope       float64 // of the true mean, in standard errors a generation
		least, most float64 // generations since the last rise, on average
	}{"level": {0, 12, 40}, "slow": {0.3, 0, 4}, "steep": {2, 0, 0}} {
		since := 0.0
		for run := range runs {
			random, means := portable.NewSource(uint64(run)), []float64(nil)
			for g := range generations {
				means = append(means, c.slope*float64(g)+se*random.Normal())
			}
			if rose := builderOf(-1, stageOf("stage", se, means...)).Stages[0].Rose; rose != nil {
				since += float64(generations-int(*rose)/2) / runs
			}
		}
		if since < c.least || since > c.most {
			t.Errorf("%s: the last rise was %.1f generations ago on average, want %v to %v", name, since, c.least, c.most)
		}
	}
}
