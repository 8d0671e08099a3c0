package heuristic

import (
	"slices"

	"tune2048/engine"
)

// part is a part of the board that a formula is taken over, by the key that names it in a config.
type part struct {
	key     string
	doc     string
	symbols []string                        // by index; an empty one is of other parts
	places  func(ranks *[4][4]int) [][4]int // the four cells of each; nil for the whole board
	sizes   float64                         // how many places there are
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
	{overLine, "the formula of a line: 4 rows and 4 columns", symbolsOf(quantities, nil), func(ranks *[4][4]int) [][4]int { return append(rowsOf(ranks), columnsOf(ranks)...) }, 8},
	{overRow, "of a row alone: `a` is its left tile", symbolsOf(quantities, nil), rowsOf, 4},
	{overColumn, "of a column alone: `a` is its upper tile", symbolsOf(quantities, nil), columnsOf, 4},
	{overSquare, "of a square of 2 x 2 neighbours, `a b` above `c d`; a board has 9", symbolsOf(quantities, []string{"a", "b", "c", "d", "largest", "empty"}), squaresOf, 9},
	{overBoard, "of the board, once", boardSymbols(), nil, 1},
}

// partOf returns the part with this key, of which "" is line.
func partOf(key string) *part {
	if key == "" {
		return parts[0]
	}
	return parts[slices.IndexFunc(parts, func(p *part) bool { return p.key == key })]
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

func rowsOf(ranks *[4][4]int) [][4]int { return ranks[:] }

func columnsOf(ranks *[4][4]int) (columns [][4]int) {
	for i := range 4 {
		columns = append(columns, [4]int{ranks[0][i], ranks[1][i], ranks[2][i], ranks[3][i]})
	}
	return columns
}

func squaresOf(ranks *[4][4]int) (squares [][4]int) {
	for r := range 3 {
		for c := range 3 {
			squares = append(squares, [4]int{ranks[r][c], ranks[r][c+1], ranks[r+1][c], ranks[r+1][c+1]})
		}
	}
	return squares
}

// boardQuantities are the properties of a board that a formula can use.
var boardQuantities = []quantityOfBoard{
	{"empty", "the number of blanks", interval{0, 16}, engine.Board.Empty, func(ranks *[4][4]int) (n int) {
		each(ranks, func(r, c, rank int) {
			if rank == 0 {
				n++
			}
		})
		return n
	}},
	{"largest", "the largest tile", interval{1, maxTileRank}, engine.Board.Largest, largestOf},
	{"distinct", "how many different tiles there are", interval{1, 16}, engine.Board.Distinct, func(ranks *[4][4]int) int {
		seen := map[int]bool{0: true}
		each(ranks, func(r, c, rank int) { seen[rank] = true })
		return len(seen) - 1
	}},
	{"moves", "the number of legal moves, and 1 if there is none: such boards have the value `dead`", interval{1, 4}, engine.Board.LegalMoves, movesOf},
	{"points", "the score of the tiles, had all spawns been a 2: the sum of (rank - 1) x face", interval{0, 16 * 15 * 65536}, engine.Board.Points, func(ranks *[4][4]int) (sum int) {
		each(ranks, func(r, c, rank int) { sum += max(0, rank-1) << rank })
		return sum
	}},
	{"corner", "1 if a largest tile lies in a corner, otherwise 0", interval{0, 1}, func(b engine.Board) int { return largestIn(b, 0xF00F00000000F00F) }, func(ranks *[4][4]int) int {
		return largestWithin(ranks, func(r, c int) bool { return r%3 == 0 && c%3 == 0 })
	}},
	{"edge", "1 if a largest tile lies on the border, otherwise 0", interval{0, 1}, func(b engine.Board) int { return largestIn(b, 0xFFFFF00FF00FFFFF) }, func(ranks *[4][4]int) int {
		return largestWithin(ranks, func(r, c int) bool { return r%3 == 0 || c%3 == 0 })
	}},
}

// quantityOfBoard is one of them, a whole number within limits on boards that are valued. of is for
// boards without a 65536, slow for all. largest is a rank there, and a tile in formulas.
type quantityOfBoard struct {
	symbol, doc string
	limits      interval
	of          func(engine.Board) int
	slow        func(ranks *[4][4]int) int
}

func boardSymbols() (symbols []string) {
	for _, q := range boardQuantities {
		symbols = append(symbols, q.symbol)
	}
	return symbols
}

// each calls do for every cell of a board.
func each(ranks *[4][4]int, do func(r, c, rank int)) {
	for r := range ranks {
		for c, rank := range ranks[r] {
			do(r, c, rank)
		}
	}
}

func largestOf(ranks *[4][4]int) (largest int) {
	each(ranks, func(r, c, rank int) { largest = max(largest, rank) })
	return largest
}

// movesOf counts the directions in which a tile has a blank or its equal before it. It returns 1 if
// there is none: a board with a 65536 is valued even then.
func movesOf(ranks *[4][4]int) (n int) {
	for _, way := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
		legal := 0
		each(ranks, func(r, c, rank int) {
			if y, x := r+way[0], c+way[1]; rank > 0 && 0 <= y && y < 4 && 0 <= x && x < 4 && (ranks[y][x] == 0 || ranks[y][x] == rank) {
				legal = 1
			}
		})
		n += legal
	}
	return max(n, 1)
}

// largestIn returns 1 if one of the cells of a mask holds a largest tile.
func largestIn(b engine.Board, mask uint64) int {
	if engine.Board(uint64(b)&mask).Largest() == b.Largest() {
		return 1
	}
	return 0
}

func largestWithin(ranks *[4][4]int, within func(r, c int) bool) (found int) {
	largest := largestOf(ranks)
	each(ranks, func(r, c, rank int) {
		if rank == largest && within(r, c) {
			found = 1
		}
	})
	return found
}
