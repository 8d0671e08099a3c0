package report

import (
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/bot"
	"tune2048/experiments"
	"tune2048/experiments/summary"
	"tune2048/tuner"
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
	rec := recordsOf(-1, append(stageOf("early", 0.1, make([]float64, 16)...), stageOf("late", 0.1, 0, 1, 2, 3)...))
	if c := rec.convergence(); len(c.Stages) != 2 || c.Stages[1].From != 32 || c.Stages[1].To != 40 {
		t.Errorf("%+v", c.Stages)
	}
}

// TestPatienceIsSaid: a stage that ended although generations and games were left has ended by its
// patience. Before the tuning is over its last stage may go on, and where -for ended it, that is
// said.
func TestPatienceIsSaid(t *testing.T) {
	for text, c := range map[string]struct {
		last     config.Stage
		judged   bool
		byTime   int
		patience int
	}{
		"stage late ended after 4 generations, because its centre did not rise any more": {config.Stage{Generations: 100},
			true, 0, 3},
		"":     {config.Stage{Generations: 4}, true, 0, 3},
		" ":    {config.Stage{Generations: 100, MaxGames: 9}, true, 0, 3},
		"  ":   {config.Stage{Generations: 100}, false, 0, 3},
		"   ":  {config.Stage{Generations: 100}, true, 20, 3},
		"    ": {config.Stage{Generations: 100}, true, 0, 0},
	} {
		rec := recordsOf(-1, append(stageOf("early", 0.1, make([]float64, 16)...), stageOf("late", 0.1, 0, 1, 2, 3)...))
		rec.config.Optimizer = &tuner.Genetic{Population: 1}
		c.last.Name, c.last.Games, c.last.Patience = "late", 2, c.patience
		rec.config.Stages = []config.Stage{{Name: "early", Generations: 16, Games: 2, Patience: 3}, c.last}
		rec.run.StoppedAfter = c.byTime
		if c.judged {
			rec.Gains = make([]summary.Gain, 1)
		}
		if got := rec.patient(); got != strings.TrimSpace(text) {
			t.Errorf("%+v: got %q, want %q", c, got, text)
		}
	}
}

// TestAlike: a run whose candidates mostly play the same games says so.
func TestAlike(t *testing.T) {
	for scores, want := range map[float64]string{0: "4 games of tuning, 1 different: many candidates play alike", 10: ""} {
		var all []experiments.Evaluation
		for number := range 4 {
			all = append(all, evaluated(experiments.PhaseTuning, "depth 1", number, 1000+scores*float64(number)))
		}
		rec := recordsOf(-1, all)
		if got := rec.caution(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		rec = recordsOf(-1, all) // a bot's equal scores may be of different games
		rec.config.Heuristic.Bot = &bot.Program{Answers: bot.Games}
		if got := rec.caution(); got != "" {
			t.Errorf("of a bot: got %q", got)
		}
	}
}
