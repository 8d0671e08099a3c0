package report

import (
	"slices"
)

// Table is a part of a report to read: rows of cells below a head, and sentences below the rows.
// Page and terminal show the same tables, so they cannot disagree. A chart has data of its own.
type Table struct {
	Section string // of the page: held_out, convergence or weights
	Columns []Column
	Rows    [][]string
	Notes   []string // sentences
}

// Column is the head of a column.
type Column struct {
	Name   string
	Number bool // aligned to the right
	Detail bool // the terminal leaves it out
	Wraps  bool // the last column of a table that is too wide
	Rank   int  // where a table is too wide, columns of the highest rank go first; of rank -1 none goes
}

// tables returns every table and sentence of a report but the headline, in the order of the page. A
// table without rows has sentences alone.
func (rec *records) tables(r Report) []Table {
	all := append(rec.answerTables(r.HeldOut.Notes),
		Table{Section: "convergence", Notes: []string{r.Convergence.Text, rec.patient(), rec.caution()}}, r.Weights.table())
	for i := range all {
		t := &all[i]
		t.leaveOut()
		t.Notes = slices.DeleteFunc(t.Notes, func(note string) bool { return note == "" })
		for k, note := range t.Notes {
			t.Notes[k] = sentence(note)
		}
	}
	return slices.DeleteFunc(all, func(t Table) bool { return len(t.Rows)+len(t.Notes) == 0 })
}

// leaveOut takes away the columns of numbers in which no row says anything, such as the tiles of
// another game than 2048.
func (t *Table) leaveOut() {
	for k := len(t.Columns) - 1; k >= 0; k-- {
		said := slices.ContainsFunc(t.Rows, func(row []string) bool { return row[k] != "" })
		if said || !t.Columns[k].Number {
			continue
		}
		t.Columns = slices.Delete(t.Columns, k, k+1)
		for i, row := range t.Rows {
			t.Rows[i] = slices.Delete(row, k, k+1)
		}
	}
}
