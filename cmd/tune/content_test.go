package main

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3"
)

// pinned is a small experiment with two stages, races, references and an ablation.
const pinned = `
name: pinned
heuristic:
  dead: 0
  features:
    - {feature: line, weight: 1000}
    - {feature: empty, weight: {min: -1000, max: 1000, start: -500, scale: linear}}
    - {feature: monotonicity, tile: rank, power: {min: 1, max: 5, start: 3}, weight: {min: -500, max: 0, start: -1, scale: linear}}
    - {feature: formula, tile: rank, line: "a*b + c*d", name: product, weight: {min: -10, max: 10, start: 0, scale: linear}}
optimizer: {algorithm: genetic, population: 6}
stages:
  - {name: explore, search: {depth: 1}, generations: 3, games: 4, rounds: 2}
  - {name: refine, search: {depth: 2}, generations: 2, games: 3}
playoff: {finalists: 3, games: 20, rounds: 2}
validation: {games: 30, search: [{depth: 1}, {depth: 3}]}
references: {no_empty: {from: champion, weights: {empty: 0}}}
ablation: {games: 64}
`

// contents are the facts that a run stores, without ids, times and durations. The columns are
// named, so a new column changes no hash.
var contents = []string{
	`SELECT kind, seed, objective, signature, status, champion_id % 1000000000 FROM runs WHERE id = ?`,
	`SELECT number, generation, stage, origin, name, dead, play FROM candidates WHERE run_id = ? ORDER BY number`,
	`SELECT candidate_id % 1000000000, position, name, value FROM weights WHERE candidate_id IN (SELECT id FROM candidates WHERE run_id = ?) ORDER BY 1, 2`,
	`SELECT candidate_id % 1000000000, phase, stage, search, generation, round, seed, score, max_tile, moves, nodes, capped, final_board
		FROM games WHERE run_id = ? ORDER BY id`,
	`SELECT phase, stage, search, generation, round, candidate_id % 1000000000, number, first_game, games, key, scores, ranks,
		mean_score, sd_score, fitness, moves, nodes FROM evaluations WHERE run_id = ? ORDER BY number`,
	`SELECT phase, search, candidate_id % 1000000000, baseline_id % 1000000000, look, objective, games, baseline_games, difference, ci_low, ci_high,
		ratio, ratio_ci_low, ratio_ci_high, confidence, p, p_adjusted, level, verdict FROM comparisons WHERE run_id = ? ORDER BY 1, 2, 3, 4, 5`,
}

// TestContentOfRuns pins the rows that a run and a comparison store, to the last bit. A change of
// the play, the optimizer, the statistics or the seeds declares new hashes. Moving code does not.
func TestContentOfRuns(t *testing.T) {
	t.Parallel()
	folder := folderWith(t, pinned)
	for _, c := range []struct{ arguments, want string }{
		{"-config long.yaml", "26a4b114ff3ca610"}, {"compare pinned long.yaml -games 60", "803adf7f1aa9dc1f"},
	} {
		succeed(t, start(t, folder, strings.Fields(c.arguments)...))
		if got := contentOfNewest(t, filepath.Join(folder, defaultDatabase)); got != c.want {
			t.Errorf("tune %s: the content has the hash %s, want %s", c.arguments, got, c.want)
		}
	}
}

// contentOfNewest returns the first 16 hexadecimal digits of the SHA-256 over the newest run's
// rows.
func contentOfNewest(t *testing.T, database string) string {
	t.Helper()
	db, err := sql.Open("sqlite3", database)
	must(t, err)
	defer db.Close()
	sum := sha256.New()
	var newest int64
	must(t, db.QueryRow("SELECT max(id) FROM runs").Scan(&newest))
	for _, query := range contents {
		if err := writeRows(sum, db, query, newest); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}

// writeRows writes the values of each row. Floats are written as the shortest text that reads back
// to the same bits.
func writeRows(w io.Writer, db *sql.DB, query string, run int64) error {
	rows, err := db.Query(query, run)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, to := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		to[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return err
		}
		fmt.Fprintln(w, values...)
	}
	fmt.Fprintln(w)
	return rows.Err()
}
