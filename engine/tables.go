package engine

import "math"

// Tables is a heuristic compiled to look-ups (package heuristic makes them). Values are fixed-point
// numbers: v is held as the integer nearest to v x 2^Bits, so that a sum does not depend on its
// order, nor on the compiler or the processor. Tables are read-only once made and may be shared by
// searchers.
type Tables struct {
	// Lines holds the part of the value that is a sum over rows and columns, the same for all of
	// them, or nil if there is none.
	Lines *LineTable
	// Cells holds the part that depends on where a tile lies, by row of the board, half of the row
	// (its first two tiles, its last two) and those two tiles, the first in the lower nibble, or
	// nil if there is none.
	Cells *[4][2][256]int64
	// Along returns tables that add up Lines and Cells, by row, from above, and by column, from the
	// left. Both parts together are the rows' entries in rows and the columns' in Lines. They are
	// also the columns' entries in columns and the rows' in Lines. So whichever way tiles slide,
	// four look-ups have all values that depend on the cell. Searches of more than one ply call it.
	// It makes the tables when it is first called: with Cells they are 4 MB, which cost as much as
	// ten games of one ply, and these do without. Without Cells all of them are Lines, or of zeros.
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
	// Capped values a board with a 65536 (rank 16), which no Board can hold: ranks by row and
	// column.
	Capped func(ranks *[4][4]int) int64
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
func (t *Tables) unit() float64 { return math.Ldexp(1, -t.Bits) }

// value is Value in fixed point.
func (t *Tables) value(b Board) int64 {
	v := int64(0)
	if lines := t.Lines; lines != nil {
		v = acrossValue(lines, uint64(b)) + acrossValue(lines, uint64(b.Transpose()))
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

// looksAtLargest reports whether values depend on the largest tile.
func (t *Tables) looksAtLargest() bool {
	c := &t.Corners // comparing the array would be a call, for every leaf
	return c[0] != nil || c[1] != nil || c[2] != nil || c[3] != nil || t.Oriented != nil && t.Oriented.Corners != nil
}
