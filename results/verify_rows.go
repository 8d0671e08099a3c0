package results

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// The rows that a verification has made again are compared with those that are stored.

// madeRows are rows of an owner that follow from its games, by their key.
type madeRows struct {
	table string
	key   []string
	rows  string                     // which ones, in the order of the key, from the row o on
	limit func(o owned) (search int) // the limit of numbers of a search's rows; nil: an ending has them
	query string                     // of selectVerified, or another one whose first column is the key
}

func candidatesOfSearch(o owned) int { return o.candidates }
func questionsOfSearch(o owned) int  { return o.questions }

// verified are the rows that a verification makes again, sorted by their keys.
var verified = []madeRows{
	{"endings", []string{"id"}, "WHERE o.id = ?1", nil, ""},
	{"searches", []string{"id"}, "WHERE o.id = ?1", questionsOfSearch, ""},
	{"searches", []string{"part"}, "", questionsOfSearch,
		"SELECT k.key AS part, k.value AS sizes FROM searches AS s, json_each(s.sizes) AS k WHERE s.id = ?1 ORDER BY k.key"},
	{"candidates", []string{"number"}, "WHERE o.id BETWEEN ?1 * 1000000000 AND ?1 * 1000000000 + ?2 - 1 ORDER BY o.id",
		candidatesOfSearch, ""},
	{"slices", []string{"phase", "stage", "search", "generation", "round", "first_game"},
		"WHERE o.owner_id = ?1 AND o.number < ?2 ORDER BY o.phase, o.stage, o.search, o.generation, o.round, o.first_game",
		questionsOfSearch, ""},
	{"asked", []string{"number"}, `LEFT JOIN slices AS s ON s.owner_id = o.owner_id AND s.number = o.slice LEFT
		JOIN memo AS m ON m.id = o.memo_id
		WHERE o.owner_id = ?1 AND o.number < ?2 ORDER BY o.number`, questionsOfSearch, ""},
	{"comparisons", []string{"phase", "search", "candidate_id", "baseline_id", "look"},
		"WHERE o.ending_id = ?1 ORDER BY o.phase, o.search, o.candidate_id, o.baseline_id, o.look", nil, ""},
}

// compare compares what was made again with what is stored.
func (v *Redone) compare(ctx context.Context, r *Reader, ended bool) error {
	err := v.again.writer.QueryRowContext(ctx, "SELECT count(*), total(games) FROM asked").Scan(&v.Evaluations, &v.Games)
	if err != nil {
		return explain("read", v.again.path, err)
	}
	lists := verified
	finished := v.run.Status == experiments.Finished
	longer := 0 // generations that the search has beyond this ending
	if finished && ended {
		err := r.at.QueryRowContext(ctx, "SELECT count(*) FROM generations WHERE run_id = ? AND position >= ?",
			v.run.owned.search, v.run.Generations).Scan(&longer)
		if err != nil {
			return explain("read", r.path, err)
		}
		for _, f := range figureTables {
			list := madeRows{table: f.name, key: []string{"position"}, limit: questionsOfSearch}
			list.rows = fmt.Sprintf("WHERE o.run_id = %d AND o.%s = ?1", v.run.owned.run(), f.owner)
			if f.name == "generations" {
				list.rows += fmt.Sprintf(" AND o.position < %d", v.run.Generations)
			} else if longer > 0 {
				list.limit = nil
			}
			list.rows += " ORDER BY o.position"
			lists = append(slices.Clip(lists), list)
		}
		if longer > 0 {
			v.Unverified = append(v.Unverified, fmt.Sprintf("the figures of the %d generations that the search has beyond "+
				"this ending", longer))
		}
	} else if !finished {
		v.Unverified = append(v.Unverified, "the tables standings, samples, generations and tiles, which may be older than "+
			"the run's games until it is finished")
	}
	var candidates, evaluations int64 // of the search, of no decision of this ending
	err = r.at.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM candidates WHERE id >= ?1 * 1000000000 + ?2
		AND id < (?1 + 1) * 1000000000),
		(SELECT count(*) FROM asked WHERE owner_id = ?1
		AND number >= ?3)`, v.run.owned.search, v.run.owned.candidates, v.run.owned.questions).Scan(&candidates, &evaluations)
	if err != nil {
		return explain("read", r.path, err)
	}
	if candidates > 0 || evaluations > 0 {
		v.Unverified = append(v.Unverified, fmt.Sprintf("%d candidates and %d evaluations that the search has beyond this "+
			"ending", candidates, evaluations))
	}
	var lastPhase string
	var lastCandidate int64 // that is recorded, or played
	owners := "(?1, ?2)"
	if v.run.Judged {
		owners = "(?1)"
	}
	err = r.at.QueryRowContext(ctx, strings.ReplaceAll(`SELECT coalesce((SELECT coalesce(phase, 'tuning') FROM asked
		WHERE owner_id IN OWNERS ORDER BY number DESC LIMIT 1), ''),
		max((SELECT coalesce(max(number), -1) FROM candidates WHERE id / 1000000000 IN OWNERS),
			(SELECT coalesce(max(g.candidate_id % 1000000000), -1) FROM playing AS g WHERE g.id / 50000000000 IN OWNERS
			AND EXISTS (SELECT 1 FROM asked WHERE owner_id IN OWNERS)),
			(SELECT coalesce(max(candidate_id % 1000000000), -1) FROM asked
			WHERE owner_id IN OWNERS))`, "OWNERS", owners), v.run.ID, v.run.owned.search).Scan(&lastPhase, &lastCandidate)
	if err != nil {
		return explain("read", r.path, err)
	}
	unsized := !finished // a run of a file of version 4 has none
	if finished {
		err := r.at.QueryRowContext(ctx, "SELECT sizes IS NULL AND kind = ? FROM endings WHERE id = ?", experiments.KindTune,
			v.run.ID).Scan(&unsized)
		if err != nil {
			return explain("read", r.path, err)
		}
	}
	if unsized {
		v.Unverified = append(v.Unverified, "the games that -for left each part of the run")
	}
	v.addClock()
	if !finished && v.run.Fingerprint != "" { // else false figures would hide behind it
		v.differ("endings %d: it is %s, and has the fingerprint of a finished one", v.run.ID, v.run.Status)
	}
	// A process may have ended between the last games of a phase and the decision by them, or
	// before it recorded the next candidates.
	mayLack := func(table string, row []any) bool {
		switch table {
		case "comparisons":
			return !finished && row[0] == lastPhase
		case "candidates":
			return !finished && row[0].(int64) > lastCandidate
		}
		return false
	}
	var without []string     // of an ending
	if !finished || !ended { // why it stopped, and how new its figures are, follows from nothing
		without = append(without, "error", "figured_games", "figured")
	}
	if !finished && v.run.Champion < 0 && lastPhase == experiments.PhasePlayoff {
		without = append(without, "champion_id", "held_out_salt")
	}
	if unsized {
		without = append(without, "sizes")
	}
	for _, list := range lists {
		if list.query == "" {
			list.query, err = selectVerified(ctx, r.at, list, map[bool][]string{true: without}[list.table == "endings"])
			if err != nil {
				return explain("read", r.path, err)
			}
		}
		if v.run.owned.search != 0 && list.limit != nil {
			if err := v.compareRows(ctx, r.at, list, mayLack, v.run.owned.search, list.limit(v.run.owned),
				longer > 0); err != nil {
				return err
			}
		}
		if list.limit == nil || v.run.Judged || v.run.owned.search == 0 {
			most := 0
			if list.limit != nil {
				most = list.limit(owned{candidates: candidatesPerOwner, questions: math.MaxInt})
			}
			if err := v.compareRows(ctx, r.at, list, mayLack, v.run.ID, most, longer > 0); err != nil {
				return err
			}
		}
	}
	if v.run.StoppedAfter != 0 { // the tuning was carried out again so far
		generations := 0
		if err := v.again.writer.QueryRowContext(ctx, "SELECT count(*) FROM generations").Scan(&generations); err != nil {
			return explain("read", v.again.path, err)
		}
		if generations != v.run.StoppedAfter {
			v.differ("endings %d: stopped_after is stored as %d, found %d", v.run.ID, v.run.StoppedAfter, generations)
		}
	}
	if print := ""; finished && ended && v.run.Unrepeatable == "" {
		print, err = fingerprint(ctx, v.again.reader.db, v.run.ID)
		if err == nil && print != v.run.Fingerprint {
			v.differ("fingerprint: the run finished with %.12s, its content has %.12s", v.run.Fingerprint, print)
		}
	}
	return err
}

// addClock names what a clock decided, or another version's counts of nodes: nobody can check it
// here.
func (v *Redone) addClock() {
	if n := v.run.StoppedAfter; n != 0 {
		v.Unverified = append(v.Unverified, fmt.Sprintf("that -for had to end the tuning after %d generations: a clock "+
			"decided it", n))
	}
	sizes := slices.Collect(maps.Values(v.run.Sizes))
	if slices.ContainsFunc(sizes, func(s experiments.Size) bool { return s.Costs != "" && s.Costs != simulator.Costs }) {
		v.Unverified = append(v.Unverified, "how many games followed the tuning: another version of tune, which counts "+
			"other nodes, decided it")
	}
	if slices.ContainsFunc(sizes, func(s experiments.Size) bool { return s.Played < s.Planned }) {
		v.Unverified = append(v.Unverified, "how many games -for left each part: a clock decided it")
	}
}

// maxDifferences is how many differences of a table are told.
const maxDifferences = 20

// compareRows compares the rows of a table.
func (v *Redone) compareRows(ctx context.Context, stored querier, list madeRows,
	mayLack func(table string, row []any) bool, owner int64, last int, longer bool) error {
	var columns []string
	scan := func(rows *sql.Rows) ([]any, error) {
		columns, _ = rows.Columns()
		return scanRow(rows)
	}
	told := 0
	tell := func(row []any, text string) {
		told++
		if told <= maxDifferences {
			var key []string
			for _, value := range row[:len(list.key)] {
				key = append(key, shown(value))
			}
			v.differ("%s %s: %s", list.table, strings.Join(key, " "), text)
		}
	}
	nextStored, stop := iter.Pull2(each(ctx, stored, scan, list.query, owner, last))
	defer stop()
	nextMade, stop := iter.Pull2(each(ctx, v.again.reader.db, scan, list.query, owner, last))
	defer stop()
	was, err, moreStored := nextStored()
	made, wrong, moreMade := nextMade()
	for moreStored || moreMade {
		err = cmp.Or(err, wrong)
		if err != nil {
			return explain("verify", v.run.Name+": the table "+list.table, err)
		}
		order := 0
		switch { // both come in the order of their keys
		case !moreMade:
			order = -1
		case !moreStored:
			order = 1
		default:
			order = slices.CompareFunc(was[:len(list.key)], made[:len(list.key)], compareValues)
		}
		switch {
		case order < 0 && list.table == "searches" && longer: // of generations beyond this ending
		case order < 0:
			tell(was, "no decision of the run makes this row")
		case order > 0 && !mayLack(list.table, made):
			tell(made, "it is missing")
		case order == 0:
			for i := range columns {
				if !reflect.DeepEqual(was[i], made[i]) {
					tell(was, fmt.Sprintf("%s is stored as %s, found %s", columns[i], shown(was[i]), shown(made[i])))
					break
				}
			}
		}
		if order <= 0 {
			was, err, moreStored = nextStored()
		}
		if order >= 0 {
			made, wrong, moreMade = nextMade()
		}
	}
	if told > maxDifferences {
		v.differ("%s: %d other rows differ", list.table, told-maxDifferences)
	}
	return nil
}

// shown is a value for a message.
func shown(v any) string {
	if text, isText := v.(string); isText {
		v = text[:min(len(text), 200)]
	}
	return fmt.Sprintf("%.200s", fmt.Sprint(v))
}

// compareValues compares two values of a column as SQLite sorts them: NULL, numbers, texts, blobs.
func compareValues(a, b any) int {
	class := func(v any) int {
		switch v.(type) {
		case nil:
			return 0
		case int64, float64:
			return 1
		case string:
			return 2
		}
		return 3
	}
	number := func(v any) float64 {
		if n, whole := v.(int64); whole {
			return float64(n)
		}
		return v.(float64)
	}
	if order := cmp.Compare(class(a), class(b)); order != 0 {
		return order
	}
	switch a := a.(type) {
	case nil:
		return 0
	case string:
		return cmp.Compare(a, b.(string))
	case []byte:
		return bytes.Compare(a, b.([]byte))
	case int64:
		if b, whole := b.(int64); whole {
			return cmp.Compare(a, b)
		}
	}
	return cmp.Compare(number(a), number(b))
}
