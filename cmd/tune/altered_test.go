package main

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tune2048/experiments"
	"tune2048/results"
)

// unnoticed has the columns of a finished run whose change nobody notices, and why.
var unnoticed = map[string]string{
	"runs.name": name, "runs.base_name": name, "names.name": name, "runs.own_games_only": asked, "runs.goes_on_from": asked, "runs.chain": asked,
	"runs.stopped_after": asked, "runs.status": "only a finished run has all its rows",
	"runs.go_version": clock, "runs.goarch": clock, "runs.done": clock, "runs.expected_end": clock, "runs.started_at": clock, "runs.updated_at": clock,
	"runs.finished_at": clock, "runs.worked_ms": clock, "games.duration_us": clock, "evaluations.duration_us": clock, "games.worker_id": clock,
	"workers.id": clock, "workers.run_id": clock, "workers.name": clock, "runs.programs": asked, "runs.note": name,
	"candidates.run_id": "the id has it, too", "weights.position": "it is the order of the weights, which stays",
}

const (
	name  = "a run may have any name"
	asked = "it says how the run was asked for"
	clock = "when, where and how fast a run is played differs between equal runs"
)

// verified has the columns whose change only tune verify notices: the rows of games, and the salt
// of their seeds.
var verified = []string{"games.candidate_id", "games.capped", "games.final_board", "games.generation", "games.id", "games.max_tile", "games.moves", "games.nodes",
	"games.phase", "games.round", "games.run_id", "games.score", "games.search", "games.seed", "games.stage", "runs.held_out_salt"}

// TestAlteredFigures changes one value in each column of each table of a finished run. A report and
// an export notice all but those that are listed above. A new column is covered.
func TestAlteredFigures(t *testing.T) {
	ctx, folder := context.Background(), t.TempDir()
	config, path := write(t, filepath.Join(folder, "pinned.yaml"), pinned), filepath.Join(folder, "tune.db")
	if code, _, stderr := invoke(ctx, "-config", config, "-db", path); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	use := func(path string, do func(*sql.DB) error) {
		t.Helper()
		db, err := sql.Open("sqlite3", path)
		if err == nil {
			db.SetMaxOpenConns(1)
			err = do(db)
			db.Close()
		}
		must(t, err)
	}
	type column struct{ table, name, key string }
	var columns []column
	use(path, func(db *sql.DB) error {
		if _, err := db.Exec("INSERT INTO workers VALUES (1, 1, 'other')"); err != nil {
			return err
		}
		rows, err := db.Query(`SELECT t.name, c.name, (SELECT group_concat(k.name) FROM pragma_table_info(t.name) AS k WHERE k.pk > 0)
			FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`)
		for err == nil && rows.Next() {
			var c column
			err = rows.Scan(&c.table, &c.name, &c.key)
			columns = append(columns, c)
		}
		return err
	})
	data, err := os.ReadFile(path)
	must(t, err)
	// check returns the error of a report or an export, and whether tune verify ends well.
	check := func(path string) (figures error, verify bool) {
		reader, err := results.OpenReader(path)
		must(t, err)
		defer reader.Close()
		run, figures := reader.Find(ctx, "")
		if figures == nil {
			_, figures = reader.CheckFigures(ctx, run)
		}
		if figures == nil {
			code, _, _ := invoke(ctx, "verify", "-games", "1", "-db", path)
			verify = code == exitOK
		}
		return figures, verify
	}
	if figures, verify := check(path); figures != nil || !verify {
		t.Fatalf("nothing was changed: %v, %v", figures, verify)
	}
	var byNobody, byVerify []string
	changed := filepath.Join(folder, "changed.db")
	for _, c := range columns {
		write(t, changed, string(data))
		use(changed, func(db *sql.DB) error {
			_, err := db.Exec(fmt.Sprintf(`PRAGMA ignore_check_constraints = on; PRAGMA synchronous = off;
				UPDATE %[1]s SET %[2]s = CASE typeof(%[2]s) WHEN 'integer' THEN %[2]s + 1 WHEN 'real' THEN %[2]s * 1.001 + 0.001
				WHEN 'text' THEN CASE WHEN %[2]s GLOB '20*Z' THEN '2001' || substr(%[2]s, 5) WHEN %[2]s = 'finished' THEN 'interrupted' ELSE %[2]s || 'x' END
				ELSE CASE '%[2]s' WHEN 'expected_end' THEN '2001-01-01T00:00:00.000Z' ELSE 1 END END
				WHERE (%[3]s) = (SELECT %[3]s FROM %[1]s ORDER BY %[2]s IS NULL, %[4]s DESC LIMIT 1)`,
				c.table, c.name, c.key, strings.ReplaceAll(c.key, ",", " DESC, ")))
			return err
		})
		switch figures, verify := check(changed); {
		case verify:
			byNobody = append(byNobody, c.table+"."+c.name)
		case figures == nil:
			byVerify = append(byVerify, c.table+"."+c.name)
		}
	}
	slices.Sort(byNobody)
	slices.Sort(byVerify)
	t.Logf("of %d columns, %d are noticed at once, %d by verify", len(columns), len(columns)-len(byNobody)-len(byVerify), len(byVerify))
	if want := slices.Sorted(maps.Keys(unnoticed)); !slices.Equal(byNobody, want) {
		t.Errorf("nobody notices\n%q, want\n%q", byNobody, want)
	}
	if !slices.Equal(byVerify, verified) {
		t.Errorf("verify alone notices\n%q, want\n%q", byVerify, verified)
	}
}

// TestUnalteredFigures: nobody is accused, whatever the kind of run and the objective, and also
// where later questions add games.
func TestUnalteredFigures(t *testing.T) {
	for _, objective := range []string{"mean_score", "{quantile: 0.25}"} {
		folder := folderWith(t, pinned+"objective: "+objective+"\n")
		for name, start := range map[string]string{"near": "100", "next": "101"} {
			write(t, filepath.Join(folder, name+".yaml"), strings.ReplaceAll(pinned, "start: -500", "start: "+start))
		}
		for _, c := range []struct{ arguments, input string }{
			{arguments: "-config long.yaml"}, {arguments: "-config long.yaml -more 1"},
			{arguments: "compare long.yaml near.yaml next.yaml -depth 1 -difference 0.1"}, {arguments: "compare long.yaml near.yaml next.yaml -depth 1 -games 200"},
			{"eval -config long.yaml -games 5", `{"id": "a", "weights": {"empty": 300}}`},
			{"eval -config long.yaml -games 5", `{"id": "b", "weights": {"empty": 9}}` + "\n" + `{"id": "a", "weights": {"empty": 300}, "instance": 2}`},
		} {
			feed(t, folder, c.arguments, c.input)
		}
		reader, err := results.OpenReader(filepath.Join(folder, defaultDatabase))
		must(t, err)
		defer reader.Close()
		runs, err := reader.Runs(context.Background())
		for _, run := range runs {
			unchecked, altered := reader.CheckFigures(context.Background(), run)
			if unchecked != "" || altered != nil || run.Status != experiments.Finished {
				t.Errorf("%s: %s %s: %s %v", objective, run.Kind, run.Status, unchecked, altered)
			}
		}
		if err != nil || len(runs) != 4 {
			t.Error(len(runs), err)
		}
	}
}
