package eval

import (
	"cmp"
	"sync"

	"tune2048/engine"
)

// alongTables is memory for the tables of lines with their cells, see engine.Tables.Along. Index 0
// is of rows, 1 of columns.
type alongTables struct {
	inner [2][2]*engine.LineTable     // of the second and the third line
	outer [16][2][2]*engine.LineTable // of the first and the last one, by rank of the largest tile
}

// noLines is the table of heuristics without line features.
var noLines engine.LineTable

// prepare returns the function that makes the tables of rows and columns out of the tables of cells
// and parts.
func (a *alongTables) prepare(t *engine.Tables, of []*cells) func(largest int) (rows, columns [4]*engine.LineTable) {
	lines := [2]*engine.LineTable{cmp.Or(t.Rows, &noLines), cmp.Or(t.Columns, &noLines)}
	r, k := lines[0], lines[1]
	if t.Cells == nil {
		return func(int) (rows, columns [4]*engine.LineTable) {
			return [4]*engine.LineTable{r, r, r, r}, [4]*engine.LineTable{k, k, k, k}
		}
	}
	fill := func(table **engine.LineTable, which, line int, cells *cells, most int) {
		if *table == nil {
			*table = new(engine.LineTable)
		}
		cell := cells[line]
		if which == 1 {
			for i := range cell {
				cell[i] = cells[i][line]
			}
		}
		fillLine(*table, pairs(&cell), lines[which], most)
	}
	inner := sync.OnceFunc(func() {
		for which := range a.inner {
			for i := range a.inner[which] {
				fill(&a.inner[which][i], which, 1+i, of[0], 15)
			}
		}
	})
	var outer [16]func()
	for largest, cells := range of {
		most := largest
		if !t.ByLargest {
			most = 15
		}
		outer[largest] = sync.OnceFunc(func() {
			for which := range a.outer[largest] {
				for i := range a.outer[largest][which] {
					fill(&a.outer[largest][which][i], which, 3*i, cells, most)
				}
			}
		})
	}
	return func(largest int) (rows, columns [4]*engine.LineTable) {
		inner()
		outer[largest]()
		o := &a.outer[largest]
		return [4]*engine.LineTable{o[0][0], a.inner[0][0], a.inner[0][1], o[0][1]},
			[4]*engine.LineTable{o[1][0], a.inner[1][0], a.inner[1][1], o[1][1]}
	}
}

// fillLine adds up the values of the two halves and of the parts for each row without tiles above a
// rank.
func fillLine(table *engine.LineTable, half [2][256]int64, lines *engine.LineTable, most int) {
	var lows []uint8
	for low := range 256 {
		if low&15 <= most && low>>4 <= most {
			lows = append(lows, uint8(low))
		}
	}
	for _, high := range lows {
		v, at := half[1][high], int(high)<<8
		out, of := table[at:at+256], lines[at:at+256]
		for _, low := range lows {
			out[low] = half[0][low] + v + of[low]
		}
	}
}
