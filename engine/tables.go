package engine

import "math"

// Tables is a heuristic compiled to look-ups (package eval makes them). Tables are read-only once
// made and may be shared by searchers.
//
// A leaf gets its value so. sum adds up the look-ups of its rows and columns, its squares and its
// cells, in fixed point: a number v is held as the integer nearest to v x 2^Bits. So a sum depends
// neither on its order nor on the compiler or the processor. Value turns the sum into a float64 and
// adds Board. With nneonneo's features these are four look-ups by row and four by column:
//
//	2 0 0 4     Rows[2 0 0 4] + Rows[4 8 0 0] + Rows[0 0 0 0] + Rows[0 0 0 0]
//	4 8 0 0     + Columns[2 4 0 0] + Columns[0 8 0 0] + Columns[0 0 0 0] + Columns[4 0 0 0]
//	0 0 0 0
//	0 0 0 0
//
// Nearly all leaves are boards of the last chance layer (lastlayer.go). It knows most look-ups of a
// leaf from the leaf beside it.
//
// The parts, and the shipped configs that need them:
//
//	Rows, Columns  features of lines      all but snake and gradient; the two differ in none
//	Squares        formulas of squares    best-squares
//	Cells          features of cells      snake, cluster, best-depth5, combined, smooth
//	ByLargest      corner, largest        snake, combined, smooth
//	Along          Rows and Cells in one  those with Cells, for the last chance layer
//	Oriented       symmetry: best         gradient
//	ByEmpty        formulas of the board's blanks           none
//	Board, Turns   formulas of the board, and symmetry: best with formulas; none
//	Bits, Dead     all
//	Bound          all, in searches of more than three plies
type Tables struct {
	// Rows and Columns hold the parts of the value that are a sum over the rows, and over the
	// columns: one table if both count alike. Both are nil if there is neither.
	Rows, Columns *LineTable
	// Squares holds the part that is a sum over the 9 squares of 2 x 2 neighbours, a b above c d,
	// or nil. The first table serves the board. Its index has a in the lowest nibble, then c, b and
	// d: the nibbles of two rows, interleaved. The second one serves the transposed board, where b
	// and c have changed places.
	Squares [2]*LineTable
	// Cells, if not nil, holds the part of the value that depends on where a tile lies.
	Cells *[16]*Cells
	// ByLargest: this part also depends on the largest tile of the board. Then the index of Cells
	// and Oriented, and the argument of Along, is the rank of that tile. Otherwise it is 0.
	ByLargest bool
	// Along returns tables with the cells added in. rows[r] is Rows plus Cells for row r from
	// above, columns[c] is Columns plus Cells for column c from the left. So a search that slides
	// rows looks up all cells with the four rows, and then Columns with the four columns. A search
	// that slides columns looks up all cells with the four columns, and then Rows.
	//
	// The first call makes the tables. With Cells they are 4 MB and cost as much time as ten games
	// of one ply. Each further rank of a largest tile takes 2 MB, and its rows with larger tiles
	// mean nothing. Without Cells the tables are Rows and Columns, or zeros.
	Along func(largest int) (rows, columns [4]*LineTable)
	// Oriented, if not nil, holds the part of Cells for the 8 orientations of the board, and the
	// best of the 8 sums is added to the rest. Cells is then nil. With Turns in its place, games of
	// gradient take 14 times the CPU at depth 3, and 15 times at depth 5.
	Oriented *[16]*Oriented
	// ByEmpty, if not nil, has by number of blanks what is added to the sum of the look-ups as a
	// number, not in fixed point.
	ByEmpty *[17]float64
	// Board is a function of the whole board that is added to the sum of the look-ups as a number,
	// not in fixed point, or nil. It may run in several goroutines. It is called for every leaf, so
	// the last chance layer of lastlayer.go cannot be used.
	Board func(b Board) float64
	// Turns makes the whole value the best of the 8 orientations of the board. It serves lines,
	// squares and Board that differ from one orientation to another. Every leaf is then valued 8
	// times, without the last chance layer of lastlayer.go, and Oriented has to be nil.
	Turns bool
	// Bits is the number of fraction bits. The sum of any of a board's look-ups fits in 62 bits.
	Bits int
	// Dead is the value of a position without a legal move. Times 2^Bits it has at most 62 bits.
	Dead float64
	// Bound returns upper bounds of the values of boards, or nil if there are none. The first
	// search of more than three plies for the best move alone calls it.
	Bound func() *Bound
}

// LineTable holds a value for each of the 65,536 rows: four ranks, the first (left or upper) in the
// lowest nibble.
type LineTable [1 << 16]int64

// Cells has a value for each row of the board, half of the row (its first two tiles, its last two)
// and those two tiles, the first in the lower nibble.
type Cells [4][2][256]int64

// Value returns the heuristic value of a board, which is taken as it is: legal moves are not looked
// at.
func (t *Tables) Value(b Board) float64 {
	if !t.Turns {
		return t.asItLies(b)
	}
	best := math.Inf(-1)
	for _, b := range [2]Board{b, b.Transpose()} {
		for range 2 {
			best = max(best, t.asItLies(b), t.asItLies(b.Mirrored()))
			b = b>>48 | b>>16&0xFFFF0000 | b<<16&0xFFFF00000000 | b<<48 // upside down
		}
	}
	return best
}

// asItLies is the value of the board in its own orientation.
func (t *Tables) asItLies(b Board) float64 {
	v := float64(t.sum(b)) * t.unit()
	if t.ByEmpty != nil {
		v += t.ByEmpty[b.Empty()]
	}
	if t.Board != nil {
		v += t.Board(b)
	}
	return v
}

// unit is the value of the lowest bit, a power of two: multiplying by it is exact.
func (t *Tables) unit() float64 { return math.Float64frombits(uint64(1023-t.Bits) << 52) }

// sum is the sum of a board's look-ups, in fixed point.
func (t *Tables) sum(b Board) int64 {
	v := int64(0)
	if rows := t.Rows; rows != nil {
		v = acrossValue(rows, uint64(b)) + acrossValue(t.Columns, uint64(b.Transpose()))
	}
	if squares := t.Squares[0]; squares != nil {
		s0, s1, s2, s3 := everyOther(b.row(0)), everyOther(b.row(1)), everyOther(b.row(2)), everyOther(b.row(3))
		v += squaresValue(squares, s0, s1) + squaresValue(squares, s1, s2) + squaresValue(squares, s2, s3)
	}
	if t.Cells != nil {
		cells := t.Cells[t.largest(b)]
		for r := range cells {
			row, halves := b.row(r), &cells[r]
			v += halves[0][uint8(row)] + halves[1][row>>8]
		}
	}
	if t.Oriented != nil {
		v += t.Oriented[t.largest(b)].value(b)
	}
	return v
}

// largest is the index of a board's Cells, Oriented and Along.
func (t *Tables) largest(b Board) int {
	if !t.ByLargest {
		return 0
	}
	return b.Largest() & 15
}

// everyOther spreads the nibbles of a row to every other nibble of 32 bits.
func everyOther(row uint16) uint32 { return uint32(apart[uint8(row)]) | uint32(apart[row>>8])<<16 }

var apart = func() (table [256]uint16) {
	for pair := range table {
		table[pair] = uint16(pair&15 | pair>>4<<8)
	}
	return table
}()

// squaresValue returns the look-ups of the three squares of two rows, each as everyOther spreads
// it.
func squaresValue(table *LineTable, upper, lower uint32) int64 {
	x := upper | lower<<4
	return table[uint16(x)] + table[uint16(x>>8)] + table[x>>16]
}

// whole reports whether each leaf is built and valued by Value: lastlayer.go has no shorter way.
func (t *Tables) whole() bool { return t.Board != nil || t.Turns }
