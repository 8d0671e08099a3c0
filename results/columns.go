package results

import (
	"context"
	"regexp"
	"slices"
	"strings"
)

// The columns of facts stand in schema.sql. Import and verify read them from the file, so that each
// carries or compares a new column without a word here. The list below has the exceptions.

// exception is a column that another file or a repetition of a run has otherwise.
type exception struct {
	imported string // SQL of its value here, from the row o of the other file; "": as it is there
	verified string // SQL in its place that verify compares, of the row o; leftOut: nothing; "": as it is
}

// leftOut marks a column that verify does not compare.
const leftOut = "-"

var (
	movedID   = "o.COLUMN % 1000000000 + 1000000000 * (SELECT n.new FROM moved AS n WHERE n.old = o.COLUMN / 1000000000)"
	firstList = "first_of(o.COLUMN, r.games)"
	clocked   = exception{verified: leftOut} // when, where and how fast it was played
)

// exceptions are by name for all tables, or by table and name. In imported, t is a row of moved,
// and r one of wanted.
var exceptions = map[string]exception{
	"run_id":                 {imported: "t.run"},
	"owner_id":               {imported: "t.new"},
	"ending_id":              {imported: "t.new"},
	"candidate_id":           {imported: movedID},
	"baseline_id":            {imported: movedID},
	"searches.name":          {verified: leftOut}, // its owner's
	"searches.note":          {verified: leftOut},
	"searches.ending_id":     {verified: leftOut}, // the longest one may be another
	"searches.sizes":         {verified: leftOut}, // by part, see verified
	"searches.hashed":        {verified: leftOut}, // each fingerprint is made anew
	"endings.name":           {verified: leftOut},
	"endings.note":           {verified: leftOut},
	"endings.own_games_only": {verified: leftOut}, // how it was asked for
	"endings.status":         {verified: leftOut},
	"endings.stopped_after":  {verified: leftOut}, // compared by itself, like the next one
	"endings.fingerprint":    {verified: leftOut},
	"endings.ranked":         {verified: leftOut}, // how old the ranks are, like the next one
	"endings.ranked_games":   {verified: leftOut},
	"endings.go_version":     clocked,
	"endings.goarch":         clocked,
	"endings.done":           clocked,
	"endings.expected_end":   clocked,
	"endings.started_at":     clocked,
	"endings.updated_at":     clocked,
	"endings.finished_at":    clocked,
	"endings.worked_ms":      clocked,
	"endings.played_games":   clocked,
	"candidates.id":          {imported: "o.number + t.new * 1000000000"},
	"candidates.names": {verified: "coalesce(o.names, (SELECT f.names FROM candidates AS f " +
		"WHERE f.id = o.run_id * 1000000000)) AS names"},
	"slices.number": {verified: leftOut}, // which question of it was recorded first
	"asked.slice":   {verified: "s.phase, s.stage, s.search, s.generation, s.round, s.first_game"},
	"asked.memo_id": {
		imported: `(SELECT h.id FROM wanted AS r JOIN other.memo AS m ON m.id = r.old
			JOIN memo AS h ON h.key = r.key AND h.only_run = r.only_run AND (h.failure IS NULL) = (m.failure IS NULL)
			WHERE r.old = o.memo_id AND r.owner = t.new)`,
		verified: `hex(m.key) AS key, substr(m.failure, 1, instr(m.failure || char(10), char(10)) - 1) AS failure,
			json_array_length(m.scores) = m.games AND json_array_length(m.ranks) = m.games
			AND json_array_length(m.moves) = m.games
			AND json_array_length(m.nodes) = m.games AS whole`,
	},
	"asked.duration_us": clocked,
	// The games themselves are played again.
	"memo.id":       {imported: "NULL"}, // the next one
	"memo.only_run": {imported: "r.only_run"},
	"memo.games":    {imported: "r.games"},
	"memo.scores":   {imported: firstList},
	"memo.ranks":    {imported: firstList},
	"memo.moves":    {imported: firstList},
	"memo.nodes":    {imported: firstList},
	"memo.times":    {imported: firstList},
	"memo.boards":   {imported: "substr(o.boards, 1, 8 * r.games)"},
	"memo.workers": {imported: `iif(o.workers IS NULL, NULL, (SELECT json_group_array((SELECT n.id FROM other.workers AS w
		JOIN workers AS n ON n.name = w.name WHERE w.id = l.value)) FROM json_each(first_of(o.workers, r.games)) AS l))`},
}

func exceptionOf(table, column string) exception {
	if e, is := exceptions[table+"."+column]; is {
		return e
	}
	return exceptions[column]
}

// columnsOf reads the columns of a table, without generated ones.
func columnsOf(ctx context.Context, q querier, table string) ([]string, error) {
	return collect(ctx, q, scanText, "SELECT name FROM pragma_table_info(?, 'main')", table)
}

var copied = regexp.MustCompile(`\{(\w+)(?: set but ([\w ]+))?\}`)

// fillImport puts columns into a text of SQL. {TABLE} becomes the columns to insert, with the
// selection of their values. {TABLE set but COLUMN ...} becomes what writes the others anew.
func fillImport(ctx context.Context, q querier, text string) (filled string, err error) {
	filled = copied.ReplaceAllStringFunc(text, func(found string) string {
		m := copied.FindStringSubmatch(found)
		columns, failed := columnsOf(ctx, q, m[1])
		if err == nil {
			err = failed
		}
		var values, set []string
		for _, name := range columns {
			value := strings.ReplaceAll(exceptionOf(m[1], name).imported, "COLUMN", name)
			if value == "" {
				value = "o." + name
			}
			values = append(values, value)
			if !slices.Contains(strings.Fields(m[2]), name) {
				set = append(set, name+" = excluded."+name)
			}
		}
		if m[2] != "" {
			return strings.Join(set, ", ")
		}
		return m[1] + " (" + strings.Join(columns, ", ") + ") SELECT " + strings.Join(values, ", ")
	})
	return filled, err
}

// selectVerified is the query of the rows that verify compares, with the columns of their key first
// and without some.
func selectVerified(ctx context.Context, q querier, list madeRows, without []string) (string, error) {
	columns, err := columnsOf(ctx, q, list.table)
	left := map[string]bool{}
	for _, name := range append(without, list.key...) {
		left[name] = true
	}
	var values []string
	for _, name := range list.key {
		values = append(values, "o."+name)
	}
	for _, name := range columns {
		switch e := exceptionOf(list.table, name); {
		case left[name] || e.verified == leftOut:
		case e.verified != "":
			values = append(values, e.verified)
		default:
			values = append(values, "o."+name)
		}
	}
	return "SELECT " + strings.Join(values, ", ") + " FROM " + list.table + " AS o " + list.rows, err
}
