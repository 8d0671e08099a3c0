package report

import (
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"tune2048/results"
)

// WriteRows writes the head and the rows of a table in aligned columns. A width of 0 has room for
// all of them. If the table is wider than width, its last column wraps, if it may. Otherwise the
// table loses columns: the highest rank first, of equals the last one. The first column and the
// columns of rank -1 stay. WriteRows returns the names of the lost columns.
func (t Table) WriteRows(w io.Writer, width int) (lost []string, err error) {
	var lines strings.Builder
	rows := [][]string{make([]string, len(t.Columns))}
	for k, c := range t.Columns {
		rows[0][k] = c.Name
	}
	rows = append(rows, t.Rows...)
	widths, shown := make([]int, len(t.Columns)), []int{}
	for k, c := range t.Columns {
		for _, row := range rows {
			widths[k] = max(widths[k], utf8.RuneCountInString(results.Escape(row[k], "")))
		}
		if !c.Detail {
			shown = append(shown, k)
		}
	}
	used := -2
	if width == 0 {
		width = math.MaxInt
	}
	for _, k := range shown {
		used += widths[k] + 2
	}
	if len(shown) > 0 && used > width {
		last := shown[len(shown)-1]
		if room := width - used + widths[last]; t.Columns[last].Wraps && room >= narrowest {
			used, widths[last] = width, room
		}
	}
	for used > width {
		worst, rank := 0, -1
		for i := len(shown) - 1; i > 0; i-- {
			if t.Columns[shown[i]].Rank > rank {
				worst, rank = i, t.Columns[shown[i]].Rank
			}
		}
		if worst == 0 {
			break
		}
		used -= widths[shown[worst]] + 2
		lost = append(lost, t.Columns[shown[worst]].Name)
		shown = slices.Delete(shown, worst, worst+1)
	}
	for _, row := range rows {
		for cells := row; cells != nil; { // a line, then what wraps
			line, rest := "", []string(nil)
			for i, k := range shown {
				if i > 0 {
					line += "  "
				}
				text := results.Escape(cells[k], "")
				if t.Columns[k].Wraps && utf8.RuneCountInString(text) > widths[k] {
					var more string
					text, more, _ = strings.Cut(strings.TrimSuffix(Wrap(text, widths[k]), "\n"), "\n")
					rest = make([]string, len(row))
					rest[k] = strings.ReplaceAll(more, "\n", " ")
				}
				gap := strings.Repeat(" ", max(0, widths[k]-utf8.RuneCountInString(text)))
				if t.Columns[k].Number {
					text = gap + text
				} else {
					text += gap
				}
				line += text
			}
			lines.WriteString(strings.TrimRight(line, " ") + "\n")
			cells = rest
		}
	}
	_, err = io.WriteString(w, lines.String())
	return lost, err
}

// narrowest is the least width of a column that wraps.
const narrowest = 16
