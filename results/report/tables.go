package report

import "slices"

// Table is a part of a report to read: rows of cells below a head, and sentences below the rows.
// Page, Markdown and terminal show the same tables, so they cannot disagree. A chart has data of
// its own.
type Table struct {
	Section string // of the page: held_out, convergence, weights, matters or made
	Index   int    // of the report in the page, from 0
	Title   string
	Columns []heading
	Rows    [][]string
	Notes   []string // sentences
	Chart   string   // name of a chart that the page draws beside each row; empty: none
}

// heading is the head of a column.
type heading struct {
	Name   string
	Number bool // aligned to the right
	Clock  bool // times as measured: equal runs differ in them
}

// Tables returns every table and sentence of the report but the headline, in the order of the page.
// A table without rows has sentences alone.
func (r Report) Tables() []Table {
	all := []Table{
		r.heldOutTable(), {Section: "convergence", Notes: []string{r.Convergence.Text}}, r.weightsTable(), r.mattersTable(), r.factsTable(), r.machinesTable(),
	}
	for i, t := range all {
		all[i].Notes = slices.DeleteFunc(t.Notes, func(note string) bool { return note == "" })
		for k, note := range all[i].Notes {
			t.Notes[k] = sentence(note)
		}
	}
	return slices.DeleteFunc(all, func(t Table) bool { return len(t.Rows)+len(t.Notes) == 0 })
}

// columns have these names. Numbers are aligned to the right.
func columns(number bool, names ...string) (columns []heading) {
	for _, name := range names {
		columns = append(columns, heading{Name: name, Number: number})
	}
	return columns
}
