package report

import (
	"testing"

	"tune2048/engine/bot"
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

// TestStagesHaveTheirGames: from the end of the stage before.
func TestStagesHaveTheirGames(t *testing.T) {
	b := builderOf(-1, append(stageOf("early", 0.1, make([]float64, 16)...), stageOf("late", 0.1, 0, 1, 2, 3)...))
	b.convergence()
	if c := b.report.Convergence; len(c.Stages) != 2 || c.Stages[1].From != 32 || c.Stages[1].To != 40 {
		t.Errorf("%+v", c.Stages)
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
