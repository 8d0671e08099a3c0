package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tune2048/results"
)

// crashing goes through all phases, with races in them, in a few seconds. Its validation plays
// thousands of games in a block, so that a kill finds some of them recorded.
const crashing = shallow + `
name: crashing
stages:
  - {name: explore, generations: 10, games: 8, rounds: 2}
  - {name: refine, search: {depth: 3}, generations: 3, games: 4}
playoff: {finalists: 4, games: 100, rounds: 4}
validation: {games: 1000, search: [{depth: 1}, {depth: 2}]}
ablation: {games: 200}
`

// TestKilled kills the real program at random moments and resumes it, until it is finished; then
// begins again. The database ends with the rows of an uninterrupted run, but for times. No stored
// game is ever lost.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many small runs")
	}
	for i, name := range []string{"all", "none"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := crashing + "store: {games: " + name + "}\n"
			reference := folderWith(t, config)
			p := start(t, reference, "-config", "long.yaml")
			p.await(t, "msg=progress")
			began := time.Now()
			if code, stderr := p.end(t); code != exitOK {
				t.Fatalf("uninterrupted: exit code %d, stderr:\n%s", code, stderr)
			}
			h := harness{config: config, work: time.Since(began), want: content(t, reference, "crashing"),
				random: rand.New(rand.NewPCG(2048, uint64(i)))}
			for left := 3; left > 0; { // kills
				left -= h.run(t, left)
			}
		})
	}
}

type harness struct {
	config string
	work   time.Duration // that an uninterrupted run plays
	want   string
	random *rand.Rand
}

// run begins an experiment in a folder of its own and kills it at most so many times before it lets
// it finish.
func (h *harness) run(t *testing.T, most int) (kills int) {
	folder := folderWith(t, h.config)
	known := int64(0)
	for kills < most {
		p := start(t, folder, "-config", "long.yaml")
		if h.random.IntN(6) > 0 {
			p.awaitOrEnd("msg=progress") // it spends its first moment on estimates
		}
		time.Sleep(time.Duration(h.random.Int64N(int64(h.work) / 2)))
		p.Process.Kill()
		p.end(t)
		if p.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
			kills++
		}
		games := int64(0)
		if _, err := os.Stat(filepath.Join(folder, defaultDatabase)); err == nil {
			games = recorded(t, folder)
		}
		if games < known {
			t.Fatalf("kill %d: %d games are recorded, there were %d", kills, games, known)
		}
		known = games
		if p.ProcessState.Success() {
			h.work -= h.work / 4 // the machine was slower when it was measured: kill sooner
			break
		}
	}
	if code, stderr := start(t, folder, "-config", "long.yaml").end(t); code != exitOK {
		t.Fatalf("resumed after %d kills: exit code %d, stderr:\n%s", kills, code, stderr)
	}
	if got := content(t, folder, "crashing"); got != h.want {
		t.Errorf("after %d kills the content is another than uninterrupted: %s", kills, firstDifference(got, h.want))
	}
	return kills
}

// recorded counts the games that are recorded, as rows or in evaluations.
func recorded(t *testing.T, folder string) (games int64) {
	t.Helper()
	ask(t, folder, `SELECT coalesce((SELECT sum(games) FROM asked), 0) +
		(SELECT count(*) FROM playing)`,
		func(row []any) { games = row[0].(int64) })
	return games
}

// ask reads a database that a killed run may have left as it was.
func ask(t *testing.T, folder, statement string, row func([]any)) {
	t.Helper()
	reader, err := results.OpenReader(filepath.Join(folder, defaultDatabase))
	if err != nil {
		if unborn(err) {
			return // killed before the tables were there
		}
		t.Fatal(err)
	}
	defer reader.Close()
	err = reader.Query(context.Background(), statement, func([]string) error { return nil }, func(values []any) error {
		row(values)
		return nil
	})
	must(t, err)
}

// unborn reports whether a database has no tables yet.
func unborn(err error) bool {
	return strings.Contains(err.Error(), "it is empty") || strings.Contains(err.Error(), "version")
}

// content is all tables of a database, but for times and the tables and columns of these names, as
// text.
func content(t *testing.T, folder, run string, without ...string) string {
	t.Helper()
	columns := map[string][]string{}
	var tables []string
	ask(t, folder, `SELECT m.name, c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY m.name, c.cid`, func(row []any) {
		table, column := fmt.Sprint(row[0]), fmt.Sprint(row[1])
		if slices.Contains(without, table) || slices.Contains(without, column) {
			return
		}
		if columns[table] == nil {
			tables = append(tables, table)
		}
		if !strings.HasSuffix(column, "_at") &&
			!slices.Contains([]string{"duration_us", "worked_ms", "times", "workers"}, column) {
			columns[table] = append(columns[table], column)
		}
	})
	var b strings.Builder
	for _, table := range tables {
		list := strings.Join(columns[table], ", ")
		ask(t, folder, "SELECT "+list+" FROM "+table+" ORDER BY "+list, func(row []any) {
			fmt.Fprintf(&b, "%s: %v\n", table, row)
		})
	}
	if !strings.Contains(b.String(), run) || !strings.Contains(b.String(), "asked: ") {
		t.Fatalf("the content is not what a run leaves:\n%.2000s", b.String())
	}
	return b.String()
}

// firstDifference shows where two texts part.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: got %.300s, want %.300s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(a), len(b))
}
