package results

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVersion1: a database of version 1 can be read as it is. Opened for writing it becomes one of
// this version, in one transaction, with all its rows.
func TestVersion1(t *testing.T) {
	from := whole(t)
	edit(t, from, "INSERT INTO workers (run_id, name) SELECT 1, 'far'; UPDATE games SET worker_id = 1 WHERE id % 2")
	path := filepath.Join(t.TempDir(), "old.db")
	old := raw(t, path)
	ddl := sure(os.ReadFile("testdata/schema-1.sql"))(t)
	execute(t, old, string(ddl)+fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = 1; ATTACH '%s' AS new", applicationID, from))
	for _, table := range tables.FindAllStringSubmatch(schema, -1) {
		columns := sure(collect(ctx, old, scanText, "SELECT group_concat(n.name) FROM new.pragma_table_info(?, 'new') AS n JOIN pragma_table_info(?1, 'main') AS o USING (name)", table[1]))(t)
		into := columns[0]
		columns[0] = strings.ReplaceAll(into, "nodes", "coalesce(nodes, 0)") // the games are made up
		if table[1] == "workers" {
			into += ", cores, version, signature, games, games_per_second, first_seen, last_seen"
			columns[0] += ", 4, 'v1', '', 0, 0, 'then', 'then'"
		}
		execute(t, old, fmt.Sprintf("INSERT OR REPLACE INTO main.%s (%s) SELECT %s FROM new.%[1]s", table[1], into, columns[0]))
	}
	execute(t, old, "DETACH new")
	execute(t, old, `INSERT INTO games SELECT id + 500000, run_id, candidate_id, phase, stage, 'bot', generation, round, seed, score, 0, 0, 0, capped, 0, 1, NULL FROM games LIMIT 1`)
	must(t, old.Close())

	reading := func(want string) {
		t.Helper()
		r := reading(t, path)
		run := sure(r.Find(ctx, "snake"))(t)
		if recorded, found, _, err := r.Altered(ctx, run); err != nil || recorded != found || found == "" {
			t.Error(recorded, found, err)
		}
		if found, err := collect(ctx, r.db, scanText, "SELECT user_version || ' ' || (SELECT count(*) || ' ' || count(nodes) || ' ' || count(worker_id) FROM games) FROM pragma_user_version"); err != nil || found[0] != want {
			t.Errorf("got %v, %v, want %s", found, err, want)
		}
		for g, err := range r.Games(ctx, run.ID) {
			if err != nil || g.Score == 0 {
				t.Fatal(g, err)
			}
		}
	}
	reading("1 302 302 170")

	if !same(int64(0), nil) || same(int64(1), nil) {
		t.Error("a bot's nodes were 0 in version 1")
	}
	interrupted := raw(t, path)
	tx := sure(interrupted.Begin())(t)
	must(t, migrate(ctx, tx))
	must(t, tx.Rollback())
	must(t, interrupted.Close())
	reading("1 302 302 170")

	s := sure(Open(path))(t)
	var sound string
	must(t, s.writer.QueryRow("PRAGMA integrity_check").Scan(&sound))
	same := reopen(t, from)
	if views := viewRows(t, s); sound != "ok" || views != viewRows(t, same) {
		t.Errorf("%s:\n%s", sound, views)
	}
	must(t, s.Close())
	reading("2 302 301 170")
	if made := raw(t, path); made != nil {
		texts := sure(collect(ctx, made, scanText, "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"))(t)
		for _, text := range texts {
			if !strings.Contains(schema, text+";") {
				t.Errorf("no table of the schema: %s", text)
			}
		}
	}
}
