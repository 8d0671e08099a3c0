package eval

import (
	"fmt"
	"slices"
	"strings"

	"tune2048/engine"
)

// quantityOf is a property of a part of the board that formulas can use: a rank, or another whole
// number within limits.
type quantityOf struct {
	symbol, doc string   // an empty symbol is of other parts
	limits      interval // on boards that are valued; of a tile of its rank
	tile        bool     // a rank: formulas see the tile's face or rank, by the feature's setting
	line        func(line *[4]int) int
	board       func(engine.Board) int
}

// value returns the number as formulas see it.
func (q *quantityOf) value(n int, tile *tiles) float64 {
	if q.tile {
		return tile[min(n, maxTileRank)]
	}
	return float64(n)
}

// interval is a range of whole numbers, its ends included.
type interval struct{ low, high int }

var ranks, counts = interval{0, maxTileRank}, interval{0, 4}

// quantities are those of a line, and behind them those of a cell, each from four ranks. A cell
// stands as three of them: its tile's rank, 4 x row + column, and the rank of the board's largest
// tile.
var quantities = []quantityOf{
	{"a", "the line's first tile (of a row the left one, of a column the upper one), a blank is 0", ranks, true,
		func(line *[4]int) int { return line[0] }, nil},
	{"b", "the second", ranks, true, func(line *[4]int) int { return line[1] }, nil},
	{"c", "the third", ranks, true, func(line *[4]int) int { return line[2] }, nil},
	{"d", "the last", ranks, true, func(line *[4]int) int { return line[3] }, nil},
	{"w", "the first tile once blanks are dropped, 0 if there is none", ranks, true,
		func(line *[4]int) int { return packed(line, 0) }, nil},
	{"x", "the second of these", ranks, true, func(line *[4]int) int { return packed(line, 1) }, nil},
	{"y", "the third of these", ranks, true, func(line *[4]int) int { return packed(line, 2) }, nil},
	{"z", "the fourth of these", ranks, true, func(line *[4]int) int { return packed(line, 3) }, nil},
	{"largest", "the largest tile", ranks, true, func(line *[4]int) int { return slices.Max(line[:]) }, nil},
	{"empty", "the number of blanks", counts, false, func(line *[4]int) int { return 4 - len(dropBlanks(*line)) },
		nil},
	{"merges", "adjacent equal tiles once blanks are dropped, counted as pairs", counts, false,
		func(line *[4]int) int { return countMerges(dropBlanks(*line), Pairs) }, nil},
	{"runs", "the same counted as runs: k equal tiles count k", counts, false,
		func(line *[4]int) int { return countMerges(dropBlanks(*line), Runs) }, nil},

	{"tile", "the cell's tile, a blank is 0", ranks, true, func(cell *[4]int) int { return cell[0] }, nil},
	{"row", "the cell's row, 0 to 3 from above", interval{0, 3}, false, func(cell *[4]int) int { return cell[1] / 4 },
		nil},
	{"column", "the cell's column, 0 to 3 from the left", interval{0, 3}, false,
		func(cell *[4]int) int { return cell[1] % 4 }, nil},
	{"corner", "1 for a cell in a corner of the board, otherwise 0", interval{0, 1}, false,
		func(cell *[4]int) int { return int(uint64(0xF00F00000000F00F) >> (4 * cell[1]) & 1) }, nil},
	{"largest", "the board's largest tile", ranks, true, func(cell *[4]int) int { return cell[2] }, nil},
}

// Quantities of a cell, bit by bit.
const (
	ofCell    = 1<<13 | 1<<14 | 1<<15 // where it lies
	ofLargest = 1 << 16
)

// boardQuantities are those of a board.
var boardQuantities = []quantityOf{
	{"empty", "the number of blanks", interval{0, 16}, false, nil, engine.Board.Empty},
	{"largest", "the largest tile", interval{1, maxTileRank}, true, nil, engine.Board.Largest},
	{"distinct", "how many different tiles there are", interval{1, maxTileRank}, false, nil, engine.Board.Distinct},
	{"moves", "the number of legal moves, and 1 if there is none: such boards have the value `dead`",
		interval{1, 4}, false, nil, func(b engine.Board) int { return max(b.LegalMoves(), 1) }},
	{"points", "the score of the tiles, had all spawns been a 2: the sum of (rank - 1) x face",
		interval{0, 16 * 14 * 32768}, false, nil, engine.Board.Points},
	{"corner", "1 if a largest tile lies in a corner, otherwise 0", interval{0, 1}, false, nil,
		func(b engine.Board) int { return largestIn(b, 0xF00F00000000F00F) }},
	{"edge", "1 if a largest tile lies on the border, otherwise 0", interval{0, 1}, false, nil,
		func(b engine.Board) int { return largestIn(b, 0xFFFFF00FF00FFFFF) }},
}

// part is a part of the board that a formula is taken over, by the key that names it in a config.
type part struct {
	key, doc   string
	quantities []quantityOf
	places     int // how many there are on a board
	one        int // of row_3 and column_3 the index of the line
}

// kind is the key of the part that has its tables: row for row_3.
func (p *part) kind() string {
	kind, _, _ := strings.Cut(p.key, "_")
	return kind
}

// single reports whether the part is one line of the board.
func (p *part) single() bool { return p.kind() != p.key }

// Keys of the parts of the board.
const (
	overLine   = "line"
	overRow    = "row"
	overColumn = "column"
	overSquare = "square"
	overCell   = "cell"
	overTiles  = "tiles" // of sums alone
	overBoard  = "board"
)

var parts = []*part{
	{overLine, "the formula of a line: 4 rows and 4 columns", known(ofLines...), 8, 0},
	{overRow, "of a row alone: `a` is its left tile", known(ofLines...), 4, 0},
	{overColumn, "of a column alone: `a` is its upper tile", known(ofLines...), 4, 0},
	{overSquare, "of a square of 2 x 2 neighbours, `a b` above `c d`; a board has 9", known(0, 1, 2, 3, 8, 9), 9, 0},
	{overCell, "of a cell: its `tile`, its place, and the board's largest tile; a board has 16", known(12, 13, 14, 15, 16),
		16, 0},
	{overBoard, "of the board, once", boardQuantities, 1, 0},
}

// sumParts are the parts that sums are over: all but the board, single lines, and each different
// tile of the board once.
var sumParts = func() []*part {
	all := slices.Clone(parts[:5])
	for _, p := range parts[1:3] {
		for i := range 4 {
			all = append(all, &part{fmt.Sprintf("%s_%d", p.key, i), "", p.quantities, 1, i})
		}
	}
	return append(all, &part{overTiles, "", known(12, 16), maxTileRank, 0})
}()

// ofLines are the indices of the quantities of lines.
var ofLines = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}

// known returns the quantities with the symbols of these alone.
func known(indices ...int) (all []quantityOf) {
	for i, q := range quantities {
		if !slices.Contains(indices, i) {
			q.symbol = ""
		}
		all = append(all, q)
	}
	return all
}

// partOf returns the part with this key, of which "" is line, or nil if there is none.
func partOf(key string) *part {
	if key == "" {
		return parts[0]
	}
	for _, all := range [][]*part{parts, sumParts} {
		for _, p := range all {
			if p.key == key {
				return p
			}
		}
	}
	return nil
}

// lines returns the ranks of all places of the part, but of the whole board. A cell has ranks as
// quantities describes.
func (p *part) lines(b engine.Board) (all [][4]int) {
	t := b.Transpose()
	for i := p.one; i < p.one+p.places; i++ {
		switch {
		case p.key == overCell:
			all = append(all, [4]int{b.Rank(i/4, i%4), i, b.Largest(), 0})
			continue
		case p.key == overTiles:
			if b.Ranks()>>(i+1)&1 == 1 {
				all = append(all, [4]int{i + 1, 0, b.Largest(), 0})
			}
			continue
		}
		var line [4]int
		for k := range line {
			switch r, c := i/3+k/2, i%3+k%2; {
			case p.key == overSquare:
				line[k] = b.Rank(r, c)
			case p.kind() == overColumn || i > 3:
				line[k] = t.Rank(i%4, k)
			default:
				line[k] = b.Rank(i, k)
			}
		}
		all = append(all, line)
	}
	return all
}

// packed is the i-th tile once blanks are dropped, or 0 if there are fewer.
func packed(line *[4]int, i int) int {
	if tiles := dropBlanks(*line); i < len(tiles) {
		return tiles[i]
	}
	return 0
}

// largestIn returns 1 if one of the cells of a mask holds a largest tile.
func largestIn(b engine.Board, mask uint64) int {
	if engine.Board(uint64(b)&mask).Largest() == b.Largest() {
		return 1
	}
	return 0
}

// partTables is memory for the tables of rows, columns, and squares of the transposed board and of
// the board.
type partTables [4]*engine.LineTable

// fill makes the tables of formulas by the parts of the board that they are over.
func (p *partTables) fill(t *engine.Tables, formulas []*tabulated, to fixedPoint) {
	over := func(keys ...string) (some []*tabulated) {
		for _, f := range formulas {
			if slices.Contains(keys, f.part.kind()) {
				some = append(some, f)
			}
		}
		return some
	}
	table := func(which int, keys ...string) *engine.LineTable {
		if p[which] == nil {
			p[which] = new(engine.LineTable)
		}
		fillTable(p[which], over(keys...), to)
		return p[which]
	}
	t.Rows, t.Columns, t.Squares = nil, nil, [2]*engine.LineTable{}
	if over(overLine, overRow, overColumn) != nil {
		t.Rows = table(0, overLine, overRow)
		t.Columns = t.Rows
	}
	if over(overRow, overColumn) != nil {
		t.Columns = table(1, overLine, overColumn)
	}
	if over(overSquare) != nil {
		// The tables are one if all squares are worth as much after b and c have changed places.
		board, transposed := table(3, overSquare), table(2)
		for square, v := range board {
			transposed[square&0xF00F|square>>4&0xF0|square<<4&0xF00] = v
		}
		t.Squares = [2]*engine.LineTable{transposed, board}
		if *transposed == *board {
			t.Squares[0] = board
		}
	}
}

// turnsParts reports whether tables of parts differ from one orientation of the board to another.
func turnsParts(t *engine.Tables) bool {
	differs := func(table *engine.LineTable, other func(row int) int) bool {
		for row, v := range table {
			if table[other(row)&0xFFFF] != v {
				return true
			}
		}
		return false
	}
	backwards := func(row int) int { return row>>12 | row>>4&0xF0 | row<<4&0xF00 | row<<12 }
	mirrored := func(square int) int { return square>>4&0x0F0F | square<<4&0xF0F0 } // b a above d c
	return t.Rows != nil && (*t.Rows != *t.Columns || differs(t.Rows, backwards)) ||
		t.Squares[0] != nil && (t.Squares[0] != t.Squares[1] || differs(t.Squares[1], mirrored))
}
