package eval

import (
	"slices"

	"tune2048/engine"
)

// part is a part of the board that a formula is taken over, by the key that names it in a config.
type part struct {
	key     string
	doc     string
	symbols []string // by index; an empty one is of other parts
	places  int      // how many there are on a board
}

// Keys of the parts of the board.
const (
	overLine   = "line"
	overRow    = "row"
	overColumn = "column"
	overSquare = "square"
	overBoard  = "board"
)

var parts = []*part{
	{overLine, "the formula of a line: 4 rows and 4 columns", symbolsOf(quantities, nil), 8},
	{overRow, "of a row alone: `a` is its left tile", symbolsOf(quantities, nil), 4},
	{overColumn, "of a column alone: `a` is its upper tile", symbolsOf(quantities, nil), 4},
	{overSquare, "of a square of 2 x 2 neighbours, `a b` above `c d`; a board has 9", symbolsOf(quantities, []string{"a", "b", "c", "d", "largest", "empty"}), 9},
	{overBoard, "of the board, once", boardSymbols(), 1},
}

// partOf returns the part with this key, of which "" is line, or nil if there is none.
func partOf(key string) *part {
	if key == "" {
		return parts[0]
	}
	for _, p := range parts {
		if p.key == key {
			return p
		}
	}
	return nil
}

// symbolsOf returns the symbols of quantities, by index. If only names some, others are empty.
func symbolsOf(quantities []quantityOfLine, only []string) (symbols []string) {
	for _, q := range quantities {
		if only != nil && !slices.Contains(only, q.symbol) {
			q.symbol = ""
		}
		symbols = append(symbols, q.symbol)
	}
	return symbols
}

// boardQuantities are the properties of a board that a formula can use.
var boardQuantities = []quantityOfBoard{
	{"empty", "the number of blanks", interval{0, 16}, engine.Board.Empty},
	{"largest", "the largest tile", interval{1, maxTileRank}, engine.Board.Largest},
	{"distinct", "how many different tiles there are", interval{1, maxTileRank}, engine.Board.Distinct},
	{"moves", "the number of legal moves, and 1 if there is none: such boards have the value `dead`", interval{1, 4}, func(b engine.Board) int { return max(b.LegalMoves(), 1) }},
	{"points", "the score of the tiles, had all spawns been a 2: the sum of (rank - 1) x face", interval{0, 16 * 14 * 32768}, engine.Board.Points},
	{"corner", "1 if a largest tile lies in a corner, otherwise 0", interval{0, 1}, func(b engine.Board) int { return largestIn(b, 0xF00F00000000F00F) }},
	{"edge", "1 if a largest tile lies on the border, otherwise 0", interval{0, 1}, func(b engine.Board) int { return largestIn(b, 0xFFFFF00FF00FFFFF) }},
}

// quantityOfBoard is one of them, a whole number within limits on boards that are valued. largest
// is a rank here, and a tile in formulas.
type quantityOfBoard struct {
	symbol, doc string
	limits      interval
	of          func(engine.Board) int
}

func boardSymbols() (symbols []string) {
	for _, q := range boardQuantities {
		symbols = append(symbols, q.symbol)
	}
	return symbols
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
			if slices.Contains(keys, f.part.key) {
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
		if t.Squares = [2]*engine.LineTable{transposed, board}; *transposed == *board {
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
