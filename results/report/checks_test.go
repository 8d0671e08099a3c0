package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tune2048/experiments"
	"tune2048/experiments/summary"
)

// TestNext: each next step is about this run and its database. A run that ended at the edge of a
// range has the command that widens it, one of several variants the command that judges them, and
// one that has stopped improving another seed. A bot starts only from a config that the user names.
func TestNext(t *testing.T) {
	more, use := Step{"tune on", "tune resume -db x.db mine -more 20"},
		Step{"use the weights", "tune export -db x.db mine -o mine.json"}
	for _, c := range []struct {
		change func(rec *records, r *Report)
		call   Call
		want   []Step
	}{
		{func(*records, *Report) {}, Call{}, []Step{more, use}},
		{func(rec *records, _ *Report) { rec.status.State = experiments.Interrupted }, Call{}, []Step{}},
		{func(_ *records, r *Report) { r.Weights.Rows = []Weight{{Remark: "at its minimum, 0: widen the range"}} }, Call{},
			[]Step{more, use, {"widen the ranges", "tune init -db x.db -from mine"}}},
		{func(rec *records, _ *Report) { rec.others.rival = "other" }, Call{},
			[]Step{more, use, {"which is better", "tune compare -db x.db other mine"}}},
		{func(rec *records, _ *Report) { rec.others.rival, rec.run.Programs = "other", "[{}]" }, Call{Config: "mine.yaml"},
			[]Step{{more.What, "tune resume -db x.db mine -config mine.yaml -more 20"}, use,
				{"which is better", "tune compare -db x.db other mine -config mine.yaml"}}},
		{func(rec *records, _ *Report) {
			rec.Trend = &summary.Trend{Comparison: experiments.Comparison{Verdict: experiments.NoDifference}}
			rec.database = " -db 'my db/x.db'"
		}, Call{"go run ./cmd/tune", "a folder/mine.yaml", " -generations 10,30"},
			[]Step{{"tune on", "go run ./cmd/tune resume -db 'my db/x.db' mine -more 20"},
				{"use the weights", "go run ./cmd/tune export -db 'my db/x.db' mine -o mine.json"},
				{"try other seeds", "go run ./cmd/tune -config 'a folder/mine.yaml' -db 'my db/x.db' -generations 10,30 -seeds 3"}}},
	} {
		rec, r := finished(t), Report{}
		rec.database = " -db x.db"
		c.change(rec, &r)
		if next := rec.next(r, false, c.call); !slices.Equal(next, c.want) {
			t.Errorf("got %+v, want %+v", next, c.want)
		}
	}
}

// finished are the records of a finished run.
func finished(t *testing.T) *records {
	rec := &records{config: parsed(t, everything), status: Status{State: experiments.Finished}}
	rec.run.Kind, rec.run.Name, rec.run.Root, rec.Stages = experiments.KindTune, "mine", "mine", make([]summary.Stage, 2)
	return rec
}

// TestChecks: what speaks against the headline has a warning.
func TestChecks(t *testing.T) {
	low := Weight{Weight: summary.Weight{Name: "low"}, Remark: "at its minimum, 0: widen the range"}
	for _, c := range []struct {
		variant string
		weights []Weight
		sign    string
		text    string
	}{
		{"", nil, signGood, "No weight is at an edge of its range."},
		{"", []Weight{{}, low}, signWarning, "Widen the range: low is at its minimum, 0."},
		{"", []Weight{low, low, low, low}, signWarning, "4 weights are at an edge of their ranges: widen the ranges."},
		{"these games were seen before", nil, signWarning, "These games were seen before."},
	} {
		rec := finished(t)
		rec.others.variant = c.variant
		r := Report{Weights: Weights{Rows: c.weights}, Playoff: "the playoff",
			HeldOut: HeldOut{Players: []summary.Player{{Name: summary.ChampionName}}, Flatter: new(0.18)}}
		got := rec.checks(r)
		if of := got[len(got)-1]; c.variant == "" && (of != Check{c.sign, c.text} || got[0].Sign != signGood) {
			t.Errorf("got %+v, want %s: %s", got, c.sign, c.text)
		}
		if flattered := got[1]; c.variant == "" && flattered.Sign != signWarning {
			t.Errorf("a playoff 18%% above has %+v", flattered)
		}
		rec.others.higher = "mine@5"
		if all := rec.checks(r); !strings.Contains(fmt.Sprint(all),
			"{warning The champion of mine@5, another ending of this run, scored more") {
			t.Errorf("an ending whose champion scored more: %+v", all)
		}
		if c.variant != "" && got[0] != (Check{c.sign, c.text}) {
			t.Errorf("got %+v, want %s: %s", got, c.sign, c.text)
		}
	}
}

// TestShortenedPartsAreTold: the page and the terminal say which parts had too little time.
func TestShortenedPartsAreTold(t *testing.T) {
	rec := finished(t)
	rec.run.Sizes = map[string]experiments.Size{"validation depth 1": {Planned: 3000, Games: 40, Played: 30},
		"playoff depth 1":            {Planned: 9, Games: 9, Played: 9},
		"tuning my stage 67 depth 3": {Planned: 40, Games: 40, Played: 38},
		"centre tune 67.0 depth 3":   {Planned: 40, Games: 40, Played: 38}}
	r := Report{Shortened: shortened(rec.run.Sizes), HeldOut: HeldOut{Players: []summary.Player{{}}}}
	const want = "For lack of time each player played fewer games than planned: 38 of 40 in generation 68 of stage my " +
		"stage, 30 of 3,000 in the validation at depth 1."
	if checks := rec.checks(r); !slices.Contains(checks, Check{signWarning, want}) {
		t.Errorf("got %+v", checks)
	}
	if text := textOf(t, 200, r); !strings.Contains(text, "\n\n"+want+"\n") {
		t.Errorf("got %q", text)
	}
	delete(rec.run.Sizes, "tuning my stage 67 depth 3")
	delete(rec.run.Sizes, "validation depth 1") // a look chooses nothing
	if got := shortened(rec.run.Sizes); got != "" {
		t.Errorf("got %q", got)
	}
}
