package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tune2048/configs"
	"tune2048/experiments"
)

// ErrAltered: figures of a finished run do not follow from its records.
var ErrAltered = errors.New("its figures do not follow from its records")

// quickEvaluations is the most that CheckFigures reads: it takes about a second.
var quickEvaluations = 10_000 // fewer in tests

// CheckFigures compares a finished run with its fingerprint, and the rows that follow from its
// evaluations with these, without a game. The error wraps [ErrAltered] and names the first
// difference. Of a run with many evaluations it checks nothing: unchecked says so, and what to do.
func (r *Reader) CheckFigures(ctx context.Context, run Run) (unchecked string, err error) {
	verify := "tune verify " + ShellWord(run.Name) + DatabaseFlag(r.path)
	var n int
	if err := r.db.QueryRowContext(ctx, "SELECT count(*) FROM evaluations WHERE run_id = ?", run.ID).Scan(&n); err != nil {
		return "", explain("count evaluations of", r.path, err)
	}
	if n > quickEvaluations && run.Status == experiments.Finished {
		return fmt.Sprintf("run %s is too large to check at once whether somebody changed its figures: to check, %s", run.Name, verify), nil
	}
	recorded, found, altered, err := r.Altered(ctx, run)
	if recorded != found {
		altered = append(altered, fmt.Sprintf("its fingerprint was %.12s, its content has %.12s", recorded, found))
	}
	if err != nil || len(altered) == 0 {
		return "", err
	}
	more := ""
	if len(altered) > 1 {
		more = fmt.Sprintf(" and %d more", len(altered)-1)
	}
	return "", fmt.Errorf("run %s: %w: %s%s: somebody changed the database, or another version of tune wrote it: to see the differences, %s",
		run.Name, ErrAltered, altered[0], more, verify)
}

// Altered returns the fingerprint that a finished run ended with, the fingerprint of its content
// now, and the rows that do not follow from its evaluations. All are empty for another run. The
// fingerprints are empty for an unrepeatable run.
func (r *Reader) Altered(ctx context.Context, run Run) (recorded, found string, altered []string, err error) {
	err = r.moment(ctx, func(tx *sql.Tx) (err error) {
		var status string
		if err = tx.QueryRowContext(ctx, "SELECT status FROM runs WHERE id = ?", run.ID).Scan(&status); err != nil || status != experiments.Finished {
			return err
		}
		if recorded, found, err = fingerprints(ctx, tx, run.ID); err == nil {
			altered, err = alteredRows(ctx, tx, run.ID)
		}
		return err
	})
	if hash := run.configHash(); found != "" && hash != run.ConfigHash {
		altered = append(altered, fmt.Sprintf("runs: config_hash stored %s, found %s", run.ConfigHash, hash))
	}
	if run.Unrepeatable != "" {
		if recorded != "" {
			altered = append(altered, "runs: unrepeatable is not NULL, and nor is fingerprint")
		}
		recorded, found = "", ""
	}
	return recorded, found, altered, explain("check the figures of", r.path, err)
}

// configHash computes the hash of the stored config, or says why it cannot.
func (r Run) configHash() string {
	if r.Kind.HasPlayers() {
		c, err := configs.ParseContest([]byte(r.ConfigYAML), r.Name)
		if err != nil {
			return err.Error()
		}
		return c.Hash()
	}
	c, err := r.Config()
	if err != nil {
		return err.Error()
	}
	return c.Hash
}

// alteredRows compares the rows of a run that follow from its evaluations with what these give.
func alteredRows(ctx context.Context, q querier, run int64) (altered []string, err error) {
	objective, err := objectiveOf(ctx, q, run)
	if err != nil {
		return nil, err
	}
	all, err := evaluations(ctx, q, "run_id = ? ORDER BY first_game", run)
	if err != nil {
		return nil, err
	}
	var standings, spreads, reaches, generations []any
	totals, tuned := experiments.Totals(objective, all)
	for _, t := range totals {
		s, p, r := standingRows(run, *t)
		standings, spreads, reaches = append(standings, s...), append(spreads, p...), append(reaches, r...)
	}
	for i, g := range tuned {
		generations = append(generations, generationRow(run, objective, i, g)...)
	}
	rows, err := evaluationRows(run, all)
	for _, t := range []struct {
		*insertion
		key    int // columns
		values []any
	}{{&standingInsertion, 5, standings}, {&spreadInsertion, 4, spreads}, {&reachInsertion, 5, reaches}, {&generationInsertion, 3, generations},
		{&evaluationInsertion, 7, rows}} {
		if err == nil {
			var some []string
			some, err = t.differing(ctx, q, run, t.key, t.values)
			altered = append(altered, some...)
		}
	}
	return altered, err
}

// differing lists the differences between the run's rows and the rows that the values fill. The
// first columns are the key.
func (n *insertion) differing(ctx context.Context, q querier, run int64, key int, values []any) (list []string, err error) {
	width := len(n.columns)
	missing := map[string][]any{}
	name := func(row []any) string {
		var parts []string
		for i := 1; i < key; i++ { // column 0 is the run
			if row[i] != "" {
				parts = append(parts, fmt.Sprint(n.columns[i], " ", row[i]))
			}
		}
		return n.table + " of " + strings.Join(parts, ", ")
	}
	for ; len(values) > 0; values = values[width:] {
		missing[name(values)] = values[:width]
	}
	rows := each(ctx, q, func(rows *sql.Rows) ([]any, error) {
		row, to := make([]any, width), make([]any, width)
		for i := range row {
			to[i] = &row[i]
		}
		return row, rows.Scan(to...)
	}, "SELECT "+strings.Join(n.columns, ", ")+" FROM "+n.table+" WHERE run_id = ? ORDER BY "+strings.Join(n.columns[:key], ", "), run)
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		computed, known := missing[name(row)]
		if !known {
			list = append(list, name(row)+": no evaluation has it")
			continue
		}
		delete(missing, name(row))
		var values []string
		for i, stored := range row {
			if phase, exempt := unordered[n.columns[i]]; !same(stored, computed[i]) && !(exempt && row[1] == phase) {
				values = append(values, fmt.Sprintf(" %s stored %v, found %v", n.columns[i], stored, computed[i]))
			}
		}
		if len(values) > 0 {
			list = append(list, name(row)+":"+strings.Join(values, ","))
		}
	}
	for _, row := range slices.Sorted(maps.Keys(missing)) {
		list = append(list, row+": is missing")
	}
	return list, nil
}

// unordered has the columns that depend on the order of questions, by the phase in which they do:
// they are not compared there. Column 1 of their tables is the phase.
var unordered = map[string]string{"spread": experiments.PhaseComparison, "began": experiments.PhaseEval}

// same compares a stored value with one that was computed. An interrupted eval or comparison may
// have added up its blocks in another order: the last digits do not count.
func same(stored, computed any) bool {
	switch c := computed.(type) {
	case int:
		return stored == any(int64(c))
	case float64:
		s, isNumber := stored.(float64)
		return isNumber && (s == c || math.Abs(s-c) <= 1e-9*max(1, math.Abs(s), math.Abs(c)))
	case nil:
		return stored == nil || stored == any(int64(0)) // version 1 had 0 for what a bot did not say
	}
	return fmt.Sprint(stored) == fmt.Sprint(computed)
}
