package eval

import (
	"cmp"
	"sync"

	"tune2048/engine"
)

// alongTables is memory for the tables of lines with their cells, see engine.Tables.Along: by rank
// of the largest tile, for rows and columns. If the largest tile matters in corners alone, the
// inner two lines have one table for all ranks, which stands at rank 0.
type alongTables [16][2][4]*engine.LineTable

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
	fill := func(largest, line, most int) {
		for which := range lines {
			cell := of[largest][line]
			if which == 1 {
				for i := range cell {
					cell[i] = of[largest][i][line]
				}
			}
			table := &a[largest][which][line]
			if *table == nil {
				*table = new(engine.LineTable)
			}
			fillLine(*table, pairs(&cell), lines[which], most)
		}
	}
	steady := steadyInside(of)
	inner := sync.OnceFunc(func() {
		fill(0, 1, 15)
		fill(0, 2, 15)
	})
	var all [16]func()
	for largest := range of {
		most := largest
		if !t.ByLargest {
			most = 15
		}
		all[largest] = sync.OnceFunc(func() {
			if steady {
				inner()
			} else {
				fill(largest, 1, most)
				fill(largest, 2, most)
			}
			fill(largest, 0, most)
			fill(largest, 3, most)
		})
	}
	return func(largest int) (rows, columns [4]*engine.LineTable) {
		all[largest]()
		rows, columns = a[largest][0], a[largest][1]
		if steady {
			copy(rows[1:3], a[0][0][1:3])
			copy(columns[1:3], a[0][1][1:3])
		}
		return rows, columns
	}
}

// steadyInside reports whether the cells outside of the corners are the same for each largest tile.
func steadyInside(of []*cells) bool {
	for _, cells := range of {
		for i := range 16 {
			if corner := i/4%3 == 0 && i%4%3 == 0; !corner && cells[i/4][i%4] != of[0][i/4][i%4] {
				return false
			}
		}
	}
	return true
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
