package report

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"tune2048/experiments"
	"tune2048/results"
)

// TestReportOfMachines: who played, on the page and in Markdown; without workers nothing is said of
// them.
func TestReportOfMachines(t *testing.T) {
	path := play(t, quick, nil)
	written := func() (Report, string, string) {
		t.Helper()
		r, err := build(t, path)
		must(t, err)
		var page, text bytes.Buffer
		must(t, (Page{Reports: []Report{r}}).Write(&page))
		must(t, Markdown(&text, r))
		return r, page.String(), text.String()
	}
	r, page, text := written()
	if r.Made.Machines == nil || len(r.Made.Machines) > 0 || strings.Contains(page, "Other machine") || strings.Contains(text, "machine") {
		t.Errorf("without workers: %+v, %s", r.Made, text)
	}
	all := float64(r.Run.Games)
	alter(t, path, `INSERT INTO workers (run_id, name, cores, version, signature, games, games_per_second,
		first_seen, last_seen) VALUES
		(1, 'a', 8, 'v1', 'x', 100, 12.34, '2026-01-31T22:00:00.000Z', '2026-01-31T23:59:58.000Z'),
		(1, '<script>alert(1)</script>', 1, '<b>', 'x', 50, 1, '2026-01-31T22:00:00.000Z', '2026-01-31T22:30:00.000Z')`)
	r, page, text = written()
	want := []machine{
		{"<script>alert(1)</script>", 1, "<b>", 50, 50 / all, 1, time.Date(2026, 1, 31, 22, 30, 0, 0, time.UTC), "2026-01-31 22:30 UTC"},
		{"a", 8, "v1", 100, 100 / all, 12.34, time.Date(2026, 1, 31, 23, 59, 58, 0, time.UTC), "2026-01-31 23:59 UTC"},
	}
	for i, m := range r.Made.Machines {
		if len(r.Made.Machines) != len(want) || m != want[i] {
			t.Errorf("got %+v, want %+v", m, want[i])
		}
	}
	for _, say := range []string{"Other machines that played", "<td class=\"number\"><bdi>12.3</bdi></td>", "2026-01-31 23:59 UTC"} {
		if !strings.Contains(page, say) {
			t.Errorf("the page does not say %s", say)
		}
	}
	if strings.Contains(page, "<script>alert(1)") || strings.Contains(text, "<script>") || !strings.Contains(text, "| a | v1 | 2026-01-31 23:59 UTC | 8 | 100 |") {
		t.Errorf("got %s", text)
	}

	// While the run goes on one sees who is there.
	store, err := results.Open(path)
	must(t, err)
	defer store.Close()
	store.Roster(func() []experiments.Worker {
		return []experiments.Worker{{Name: "a", LastSeen: time.Now().Add(-3 * time.Second)}}
	})
	run, err := store.Reader().Find(context.Background(), "")
	must(t, err)
	begun, err := store.Begin(context.Background(), experiments.RunSpec{
		Name: run.BaseName, Kind: run.Kind, ConfigHash: run.ConfigHash, Seed: run.Seed, Signature: run.Signature,
	})
	if err == nil {
		err = store.AddCandidates(context.Background(), begun.ID, []experiments.Candidate{{Number: 900_000, Origin: "asked"}})
	}
	must(t, err)
	if r, _, _ = written(); r.Status.State != experiments.Running || r.Made.Machines[1].Seen != "3s ago" {
		t.Errorf("got %+v, %+v", r.Status, r.Made.Machines)
	}
}

// quick is a run of an instant.
const quick = `
name: quick
heuristic: {features: [{feature: empty, weight: {min: 0, max: 1}}]}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 4}
stages: [{generations: 2, games: 2}]
playoff: {finalists: 2, games: 2}
validation: {games: 100}
ablation: {games: 0}
`
