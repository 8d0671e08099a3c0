package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"tune2048/configs/config"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
	"tune2048/results"
	"tune2048/results/report"
)

// runs lists the runs in the database, the newest first.
func runs(ctx context.Context, in *invocation) error {
	f := in.flags()
	in.databaseFlag(f)
	name := f.String("delete", "", "delete the run of this `NAME`, with everything that belongs to it")
	forget := f.String("forget", "", "forget the false games that tune verify named, `RUN:KEYS`, so that the same "+
		"command as before plays them again")
	note := f.String("note", "",
		"write a note on the run of this `NAME`, the text that follows: -note NAME \"with the new corner term\"")
	rename := f.String("name", "", "give the run of this `NAME` another one, which follows: -name OLD NEW")
	wide := f.Bool("wide", false, "print all columns, however wide they are together")
	all := f.Bool("all", false, "list every ending of each run, not only its longest one and one that is open")
	asJSON := f.Bool("json", false, "print a JSON array of objects, one for each row")
	yes := f.Bool("yes", false, "with -delete: do it; otherwise it only says what would go")
	text, err := in.parse(f, 1)
	if err != nil {
		return err
	}
	switch {
	case several(f, "note", "name", "delete", "forget"):
		return usagef("runs: want one of -note, -name, -delete and -forget")
	case given(f, "name"):
		return in.rename(ctx, *rename, text)
	case given(f, "forget"):
		run, keys, found := strings.Cut(*forget, ":")
		if !found || run == "" || keys == "" {
			return usagef("runs: -forget: want RUN:KEYS as tune verify RUN prints them, got %q", *forget)
		}
		return in.forget(ctx, run, strings.Split(keys, ","))
	case given(f, "note"):
		return in.note(ctx, *note, text)
	case len(text) > 0:
		return usagef("runs: unexpected argument %q; to see a run: tune report %s; a text wants -note NAME before it",
			text[0],
			quote(text[0]))
	case given(f, "delete"):
		return in.deleteRun(ctx, *name, *yes)
	}
	reader, err := in.reader()
	if err != nil {
		return err
	}
	list, err := reader.Runs(ctx)
	if err != nil {
		return err
	}
	if !*all {
		list = longest(list)
	}
	if *asJSON {
		return writeJSON(in.stdout, rowsOf(list))
	}
	if len(list) == 0 {
		fmt.Fprintf(in.stdout, "no runs in %s yet; begin one: tune -config FILE%s\n", in.database, in.databaseOption())
		return nil
	}
	return in.printTable(runsTable(list), *wide)
}

// longest leaves a row for each run, and one for an ending that is open.
func longest(list []results.Run) []results.Run {
	return slices.DeleteFunc(slices.Clone(list), func(r results.Run) bool {
		return r.Name != r.Root && r.Status == experiments.Finished
	})
}

// runRow is a row of -json. help/runs.txt documents the names.
type runRow struct {
	Run         string       `json:"run"`
	Kind        string       `json:"kind"`
	Status      string       `json:"status"`
	Started     string       `json:"started"`
	Finished    *string      `json:"finished"`
	ExpectedEnd *string      `json:"expected_end"`
	Done        *float64     `json:"done"`
	Seconds     float64      `json:"seconds"`
	Candidates  int          `json:"candidates"`
	Games       int64        `json:"games"`
	Reused      *int64       `json:"reused_games"`
	Generations int          `json:"generations"`
	Objective   string       `json:"objective"`
	Found       []foundByRun `json:"found"`
	Fingerprint *string      `json:"fingerprint"`
	Note        string       `json:"note"`
}

// foundByRun has the figures of a run at a search: of its champion over the start weights, before
// the verdicts of the centre so far, of a comparison of the best player over the next one.
type foundByRun struct {
	Search      string          `json:"search"`
	Player      string          `json:"player"`
	Fitness     *stats.Estimate `json:"fitness"`
	Over        string          `json:"over"`
	GainPercent *stats.Estimate `json:"gain_percent"`
	Verdict     string          `json:"verdict"`
	Text        string          `json:"text"`
}

func rowsOf(list []results.Run) []runRow {
	rows := []runRow{}
	for _, r := range list {
		row := runRow{Run: r.Name, Kind: string(r.Kind), Status: r.State(), Started: results.TimeText(r.Started),
			Finished:    optional(results.TimeText(r.Finished), !r.Finished.IsZero()),
			ExpectedEnd: optional(results.TimeText(r.ExpectedEnd), !r.ExpectedEnd.IsZero()), Done: optional(r.Done, r.Done >= 0),
			Seconds: r.Worked.Seconds(), Candidates: r.Candidates, Games: r.Games, Reused: optional(r.Reused, r.Reused >= 0),
			Generations: r.Generations, Objective: r.Objective.String(), Found: []foundByRun{},
			Fingerprint: optional(r.Fingerprint, r.Fingerprint != ""), Note: r.Note}
		for _, l := range report.Listing(r) {
			row.Found = append(row.Found, foundAt(r.Headline, l))
		}
		rows = append(rows, row)
	}
	return rows
}

// foundAt has the figures of a listed search. Those of a comparison are of the listed player and of
// the best of the others.
func foundAt(s summary.Summary, l report.Listed) foundByRun {
	found := foundByRun{Search: l.Search, Text: l.Text}
	if c := s.Centre; c != nil {
		found.Player, found.Fitness = string(summary.Centre), &c.Fitness
		found.Over, found.Verdict = summary.StartName, "so far"
		if c.Gain != nil {
			found.GainPercent = percentOf(c.Gain.Ratio)
		}
		return found
	}
	var best, next summary.Player
	for _, p := range s.Players {
		switch isBest := p.Role == summary.Champion || p.Name == l.Best; {
		case p.Search != l.Search || p.Role == summary.Reference:
		case isBest && best.Name == "":
			best = p
		case next.Name == "" || p.Fitness.Value > next.Fitness.Value:
			next = p
		}
	}
	if best.Name == "" {
		return found
	}
	found.Player, found.Fitness = best.Name, &best.Fitness
	for _, g := range s.Gains {
		switch {
		case g.Search != l.Search:
		case g.Candidate == best.Candidate && g.Baseline == next.Candidate:
			found.Over, found.GainPercent, found.Verdict = next.Name, percentOf(g.Ratio), g.Verdict
		case g.Candidate == next.Candidate && g.Baseline == best.Candidate:
			r := g.Ratio.Interval
			over := stats.Estimate{Value: 1 / g.Ratio.Value, Interval: stats.Interval{Low: 1 / r.High, High: 1 / r.Low}}
			if r.Low <= 0 {
				over.Interval.High = math.Inf(1)
			}
			found.Over, found.GainPercent, found.Verdict = next.Name, percentOf(over), g.Verdict
			switch g.Verdict {
			case experiments.Better:
				found.Verdict = experiments.Worse
			case experiments.Worse:
				found.Verdict = experiments.Better
			}
		}
	}
	return found
}

// percentOf is a ratio as a change in percent, or nil for one to 0.
func percentOf(ratio stats.Estimate) *stats.Estimate {
	if math.IsInf(ratio.Value, 0) || ratio.Value <= 0 {
		return nil
	}
	change := func(x float64) float64 { return 100 * (x - 1) }
	return &stats.Estimate{Value: change(ratio.Value),
		Interval: stats.Interval{Low: change(ratio.Interval.Low), High: change(ratio.Interval.High)}}
}

// several reports whether several of these flags were given.
func several(f *flag.FlagSet, names ...string) bool {
	return len(slices.DeleteFunc(names, func(name string) bool { return !given(f, name) })) > 1
}

// rename gives a run another name.
func (in *invocation) rename(ctx context.Context, old string, text []string) error {
	if old == "" || len(text) != 1 {
		return usagef("runs: -name: want the name of a run and another one: -name OLD NEW")
	}
	if err := config.CheckName(text[0]); err != nil {
		return usagef("runs: -name: %v", err)
	}
	return in.change(func(store *results.Store) error {
		err := store.Rename(ctx, old, text[0])
		if err == nil {
			fmt.Fprintf(in.stdout, "run %s is now %s\n", old, text[0])
		}
		return err
	})
}

// forget forgets games of a run by their keys.
func (in *invocation) forget(ctx context.Context, run string, keys []string) error {
	return in.change(func(store *results.Store) error {
		changed, err := store.Forget(ctx, run, keys)
		if err == nil {
			fmt.Fprintf(in.stdout, "forgotten; the same command as before carries out again: %s\n",
				cell(strings.Join(changed, ", ")))
		}
		return err
	})
}

// runsTable has a row for each run and search of its validation.
func runsTable(list []results.Run) report.Table {
	t := report.Table{Columns: []report.Column{
		{Name: "run"}, {Name: "kind", Rank: 2}, {Name: "status", Rank: -1}, {Name: "started", Rank: 3},
		{Name: "took", Number: true, Rank: 4}, {Name: "candidates", Number: true, Rank: 6},
		{Name: "games", Number: true, Rank: 2}, {Name: "reused", Number: true, Rank: 6},
		{Name: "search", Rank: 2}, {Name: "best (fresh games)", Number: true, Rank: -1},
		{Name: "gain", Number: true},
		{Name: "generations", Number: true, Rank: 5}, {Name: "fingerprint", Rank: 7},
	}}
	noted := slices.ContainsFunc(list, func(r results.Run) bool { return r.Note != "" })
	if noted {
		t.Columns = append(t.Columns, report.Column{Name: "note", Rank: 1})
	}
	for _, r := range list {
		length := "" // of the tuning
		if !r.Kind.HasPlayers() {
			length = report.Grouped(int64(r.Generations))
		}
		reused := "" // not known
		if r.Reused >= 0 {
			reused = report.Grouped(r.Reused)
		}
		row := []string{
			r.Name, string(r.Kind), where(r), r.Started.Local().Format("2006-01-02 15:04"), report.Duration(r.Worked),
			report.Grouped(int64(r.Candidates)), report.Grouped(r.Games), reused,
			"", "", "", length, r.Fingerprint[:min(12, len(r.Fingerprint))],
		}
		if noted {
			row = append(row, r.Note)
		}
		found := report.Listing(r)
		if len(found) == 0 {
			t.Rows = append(t.Rows, row)
		}
		for i, l := range found {
			if i > 0 { // further searches of the same run
				row = make([]string, len(row))
			}
			row[8], row[9], row[10] = l.Search, l.Best, l.Gain
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// where is a run's status, and how far a run is that goes on.
func where(r results.Run) string {
	text := r.State()
	if r.Alive && r.Done >= 0 {
		text += " " + report.Percent(r.Done)
	}
	if left := time.Until(r.ExpectedEnd); !r.ExpectedEnd.IsZero() && left > 0 {
		text += ", " + report.Duration(left) + " left"
	}
	return text
}

// change makes a change to a database that exists.
func (in *invocation) change(do func(*results.Store) error) error {
	reader, err := results.OpenReader(in.database)
	if err != nil {
		return err
	}
	reader.Close()
	return in.write(do)
}

// note writes a note on a run.
func (in *invocation) note(ctx context.Context, name string, text []string) error {
	if name == "" || len(text) != 1 {
		return usagef("runs: -note: want the name of a run and a text in quotes: -note NAME \"with the new corner term\"; " +
			"\"\" takes a note away")
	}
	if err := config.CheckNote(text[0]); err != nil {
		return usagef("runs: -note: %v", err)
	}
	return in.change(func(store *results.Store) error { return store.SetNote(ctx, name, text[0]) })
}

// deleteRun deletes a run if -yes was given. Otherwise it only describes the run.
func (in *invocation) deleteRun(ctx context.Context, name string, yes bool) error {
	switch {
	case name == "":
		return usagef("runs: -delete: want the name of a run; tune runs lists them")
	case strings.Contains(name, ":"):
		return usagef("runs: -delete: want a run, with all of its candidates: one candidate cannot be deleted, such as %s",
			name)
	}
	return in.change(func(store *results.Store) error {
		run, err := store.Reader().Find(ctx, name)
		if err != nil {
			return err
		}
		all, err := store.Reader().Endings(ctx, run)
		if err != nil {
			return err
		}
		about := fmt.Sprintf("run %s (%s, %s games)", name, run.State(), report.Grouped(run.Games))
		if run.Name == run.Root && len(all) > 1 {
			about += fmt.Sprintf(" with its other %s", report.Count(len(all)-1, "ending"))
		}
		if !yes {
			return usagef("runs: -delete: give -yes to delete %s; this cannot be undone", about)
		}
		free, err := store.Delete(ctx, name)
		if err != nil {
			return err
		}
		if free >= 1_000_000 {
			about += fmt.Sprintf("; %s MB of the file are free for new runs", report.Grouped(free/1_000_000))
		}
		_, err = fmt.Fprintf(in.stdout, "deleted %s\n", about)
		return err
	})
}
