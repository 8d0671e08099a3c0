package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tune2048/experiments"
	"tune2048/experiments/summary"
)

// TestNextOfEdges: a run that ended at the edge of a range has the command that widens it. Each
// next step is about this run and its database.
func TestNextOfEdges(t *testing.T) {
	for _, edge := range []string{"", "at its minimum, 0: widen the range"} {
		r := Report{Name: "mine", Kind: experiments.KindTune, Status: Status{State: experiments.Finished}}
		r.Run.Root, r.Weights.Rows = "mine", []weightSummary{{Name: "low", Edge: edge}}
		r.Suggest("tune", "mine.yaml", " -db x.db", "")
		want := Step{"widen the ranges", "tune init -db x.db -from mine"}
		use := []Step{{"tune on", "tune resume -db x.db mine -more 20"}, {"use the weights", "tune export -db x.db mine -o mine.json"}}
		if slices.Contains(r.Next, want) != (edge != "") || !slices.Equal(r.Next[:2], use) {
			t.Errorf("%q: %+v", edge, r.Next)
		}
	}
}

// TestNextOfVariants: a run that is one of several variants has the command that judges them. A bot
// starts only from a config that the user names.
func TestNextOfVariants(t *testing.T) {
	for programs, want := range map[string]string{"": "tune compare other mine", "[{}]": "tune compare other mine -config mine.yaml"} {
		r := Report{Name: "mine", Kind: experiments.KindTune, Status: Status{State: experiments.Finished}, rival: "other"}
		r.Run.Programs = programs
		if r.Suggest("tune", "mine.yaml", "", ""); !slices.Contains(r.Next, Step{"which is better", want}) {
			t.Errorf("%+v, want %s", r.Next, want)
		}
	}
}

// TestChecks: what speaks against the headline has a warning.
func TestChecks(t *testing.T) {
	low := weightSummary{Name: "low", Edge: "at its minimum, 0: widen the range"}
	for _, c := range []struct {
		variant string
		weights []weightSummary
		sign    string
		text    string
	}{
		{"", nil, signGood, "No weight is at an edge of its range."},
		{"", []weightSummary{{Name: "inside"}, low}, signWarning, "Widen the range: low is at its minimum, 0."},
		{"", []weightSummary{low, low, low, low}, signWarning, "4 weights are at an edge of their ranges: widen the ranges."},
		{"these games were seen before", nil, signWarning, "These games were seen before."},
	} {
		var b builder
		b.run.Kind, b.variant = experiments.KindTune, c.variant
		b.report.HeldOut.Players = []summary.Player{{Name: summary.ChampionName}}
		b.report.Weights.Rows = c.weights
		b.report.HeldOut.Playoff, b.report.HeldOut.Flatter = new(summary.Player), new(0.18)
		b.checks()
		got := b.report.Checks
		if of := got[len(got)-1]; c.variant == "" && (of != Check{c.sign, c.text} || got[0].Sign != signGood) {
			t.Errorf("got %+v, want %s: %s", got, c.sign, c.text)
		}
		if flattered := got[1]; c.variant == "" && flattered.Sign != signWarning {
			t.Errorf("a playoff 18%% above has %+v", flattered)
		}
		b.report.higher = "mine@5"
		if b.checks(); !strings.Contains(fmt.Sprint(b.report.Checks), "{warning The champion of mine@5, another ending of this run, scored more") {
			t.Errorf("an ending whose champion scored more: %+v", b.report.Checks)
		}
		if c.variant != "" && got[0] != (Check{c.sign, c.text}) {
			t.Errorf("got %+v, want %s: %s", got, c.sign, c.text)
		}
	}
}

// TestShortenedPartsAreTold: the page and the terminal say which parts had too little time.
func TestShortenedPartsAreTold(t *testing.T) {
	var b builder
	b.run.Kind = experiments.KindTune
	b.report.HeldOut.Players = []summary.Player{{Name: summary.ChampionName}}
	b.run.Sizes = map[string]experiments.Size{"validation depth 1": {Planned: 3000, Games: 40, Played: 30}, "playoff depth 1": {Planned: 9, Games: 9, Played: 9},
		"tuning my stage 67 depth 3": {Planned: 40, Games: 40, Played: 38}, "centre tune 67.0 depth 3": {Planned: 40, Games: 40, Played: 38}}
	b.checks()
	const want = "For lack of time each player played fewer games than planned: 38 of 40 in generation 68 of stage my stage, 30 of 3,000 in the validation at depth 1."
	if !slices.Contains(b.report.Checks, Check{signWarning, want}) {
		t.Errorf("got %+v", b.report.Checks)
	}
	if text := textOf(t, 200, b.report); !strings.Contains(text, "\n\n"+want+"\n") {
		t.Errorf("got %q", text)
	}
	delete(b.run.Sizes, "tuning my stage 67 depth 3")
	delete(b.run.Sizes, "validation depth 1") // a look chooses nothing
	if b.checks(); b.report.Shortened != "" {
		t.Errorf("got %q", b.report.Shortened)
	}
}
