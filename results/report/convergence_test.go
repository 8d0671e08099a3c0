package report

import (
	"testing"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/results"
)

// TestSinceWhenNothingRose: each stage has the games at which its mean was last seen to rise, unless that was just now.
func TestSinceWhenNothingRose(t *testing.T) {
	b := builder{unit: UnitOf(configs.Objective{Kind: configs.MeanScore}), run: results.Run{Status: experiments.Interrupted}}
	b.config = &configs.Config{Restarts: 1, Stages: []configs.Stage{{Name: "early", NoProgress: 7}, {Name: "late", NoProgress: 3}, {Name: "last"}}}
	games := int64(0)
	play := func(stage string, generations, rose int) {
		for number := range generations {
			games += 100
			b.tuned = append(b.tuned, experiments.Generation{Stage: stage, Number: number, Games: 100, Rose: min(number, rose)})
			b.played = append(b.played, games)
		}
	}
	play("early", 10, 2)
	play("late", 4, 3)
	if err := b.convergence(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := b.report.Convergence
	if len(c.Stages) != 2 || c.Stages[0].Rose == nil || *c.Stages[0].Rose != 300 || c.Stages[1].Rose != nil || c.Stages[1].From != 1000 || c.Stages[1].To != 1400 {
		t.Errorf("%+v", c.Stages)
	}
	if want := "stage early ended after generation 10: no clear progress since generation 3"; c.Text != want {
		t.Errorf("got %q, want %q", c.Text, want)
	}
	play("last", 8, 1)
	b.config.Stages[0].NoProgress = 0
	b.report = Report{}
	if err := b.convergence(t.Context()); err != nil {
		t.Fatal(err)
	}
	c = b.report.Convergence
	if want := "stage last: after 8 generations the mean score is 0 [0, 0], without clear progress since generation 2"; c.Text != want || *c.Stages[2].Rose != 1600 {
		t.Errorf("got %q, want %q; %+v", c.Text, want, c.Stages)
	}
}
