package engine

import "math"

// Tables is a heuristic compiled to look-ups (package eval makes them). Values are fixed-point
// numbers: v is held as the integer nearest to v x 2^Bits, so that a sum does not depend on its
// order, nor on the compiler or the processor. Tables are read-only once made and may be shared by
// searchers.
type Tables struct {
	// Rows and Columns hold the parts of the value that are a sum over the rows, and over the
	// columns: one table if both count alike. Both are nil if there is neither.
	Rows, Columns *LineTable
	// Squares holds the part that is a sum over the 9 squares of 2 x 2 neighbours, a b above c d, or
	// nil. The first table serves the board. Its index has a in the lowest nibble, then c, b and d:
	// the nibbles of two rows, interleaved. The second one serves the transposed board, where b and
	// c have changed places.
	Squares [2]*LineTable
	// ByEmpty holds what is added for the number of empty cells, or nil.
	ByEmpty *[17]int64
	// Board returns a function of the whole board that is added, or nil. It may run in several
	// goroutines. No last chance layer is known for it: it is called for every leaf.
	Board func(b Board) int64
	// Turns makes the value the best of the 8 orientations of the board, for parts that differ from
	// one to another. Every leaf is then valued 8 times. Oriented is nil.
	Turns bool
	// Cells holds the part that depends on where a tile lies, by row of the board, half of the row
	// (its first two tiles, its last two) and those two tiles, the first in the lower nibble, or
	// nil if there is none.
	Cells *[4][2][256]int64
	// Along returns tables with the cells added in. rows[r] is Rows plus Cells for row r from
	// above, columns[c] is Columns plus Cells for column c from the left. The value of Rows,
	// Columns and Cells is the sum of four look-ups in rows and four in Columns. It is also the sum
	// of four in columns and four in Rows. So a search that slides rows looks up all cells with the
	// four rows, and a search that slides columns with the four columns.
	//
	// Searches of more than one ply call Along. Its first call makes the tables. With Cells they
	// are 4 MB and cost as much time as ten games of one ply. Without Cells they are Rows and
	// Columns, or tables of zeros.
	Along func() (rows, columns [4]*LineTable)
	// Corners holds by corner cell (upper left, upper right, lower left, lower right) what is added
	// for it, by 16 x rank of the board's largest tile + rank of the tile in that corner. Nil adds
	// nothing.
	Corners [4]*[256]int64
	// Oriented, if not nil, adds the best of the board's 8 orientations; Cells and Corners are then
	// nil.
	Oriented *Oriented
	// Bits is the number of fraction bits. The sum of any of a board's look-ups, and Dead, fit in
	// 62 bits.
	Bits int
	// Dead is the value of a position without a legal move, in fixed point.
	Dead int64
	// Bound returns upper bounds of the values of boards, or nil if there are none. The first
	// search of more than three plies for the best move alone calls it.
	Bound func() *Bound
}

// LineTable holds a value for each of the 65,536 rows: four ranks, the first (left or upper) in the
// lowest nibble.
type LineTable [1 << 16]int64

// cornerShift is the position of the corner cells' nibbles in a Board, in the order of
// Tables.Corners.
var cornerShift = [4]uint{0, 12, 48, 60}

// Value returns the heuristic value of a board, which is taken as it is: legal moves are not looked
// at.
func (t *Tables) Value(b Board) float64 { return float64(t.value(b)) * t.unit() }

// DeadValue returns the value of a position without a legal move.
func (t *Tables) DeadValue() float64 { return float64(t.Dead) * t.unit() }

// unit is the value of the lowest bit, a power of two: multiplying by it is exact.
func (t *Tables) unit() float64 { return math.Float64frombits(uint64(1023-t.Bits) << 52) }

// value is Value in fixed point.
func (t *Tables) value(b Board) int64 {
	if !t.Turns {
		return t.asItLies(b)
	}
	best := int64(math.MinInt64)
	for _, b := range [2]Board{b, b.Transpose()} {
		for range 2 {
			best = max(best, t.asItLies(b), t.asItLies(b.mirrored()))
			b = b>>48 | b>>16&0xFFFF0000 | b<<16&0xFFFF00000000 | b<<48 // upside down
		}
	}
	return best
}

// asItLies is the value of the board in its own orientation.
func (t *Tables) asItLies(b Board) int64 {
	v := int64(0)
	if rows := t.Rows; rows != nil {
		v = acrossValue(rows, uint64(b)) + acrossValue(t.Columns, uint64(b.Transpose()))
	}
	if squares := t.Squares[0]; squares != nil {
		s0, s1, s2, s3 := everyOther(b.row(0)), everyOther(b.row(1)), everyOther(b.row(2)), everyOther(b.row(3))
		v += squaresValue(squares, s0, s1) + squaresValue(squares, s1, s2) + squaresValue(squares, s2, s3)
	}
	if t.ByEmpty != nil {
		v += t.ByEmpty[b.Empty()]
	}
	if t.Board != nil {
		v += t.Board(b)
	}
	if t.Cells != nil {
		for r := range t.Cells {
			row, half := b.row(r), &t.Cells[r]
			v += half[0][uint8(row)] + half[1][row>>8]
		}
	}
	if t.looksAtLargest() {
		largest := b.Largest()
		for i, table := range t.Corners {
			if table != nil {
				v += table[(largest<<4|int(b>>cornerShift[i])&15)&255]
			}
		}
		if t.Oriented != nil {
			v += t.Oriented.value(b, largest)
		}
	} else if t.Oriented != nil {
		v += t.Oriented.value(b, 0)
	}
	return v
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

// byLines reports whether a tile counts in its row and its column alone, but for corners.
func (t *Tables) byLines() bool {
	return t.Oriented == nil && t.Squares[0] == nil && t.ByEmpty == nil && !t.whole()
}

// Bounded reports whether a bound is known of the tables' values: see NewBound.
func (t *Tables) Bounded() bool {
	return t.Cells == nil && t.Corners == [4]*[256]int64{} && t.Oriented == nil && !t.whole()
}

// whole reports whether the last chance layer has no fast way.
func (t *Tables) whole() bool { return t.Board != nil || t.Turns }

// looksAtLargest reports whether values depend on the largest tile.
func (t *Tables) looksAtLargest() bool {
	c := &t.Corners // comparing the array would be a call, for every leaf
	return c[0] != nil || c[1] != nil || c[2] != nil || c[3] != nil || t.Oriented != nil && t.Oriented.Corners != nil
}
