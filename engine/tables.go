package engine

import "math"

// Tables is a heuristic compiled to look-ups (package heuristic makes them). Values are fixed-point numbers:
// v is held as the integer nearest to v x 2^Bits, so that a sum does not depend on its order, nor on the
// compiler or the processor. Tables are read-only once made and may be shared by searchers.
type Tables struct {
	// Lines holds the part of the value that is a sum over rows and columns, the same for all of them; nil if
	// there is none.
	Lines *LineTable
	// Rows and Columns add to that what depends on where a tile lies. The value of a board is the sum of its rows'
	// entries in Rows and of its columns' in Lines; and just as well of its columns' entries in Columns and of its
	// rows' in Lines. So whichever way tiles slide, four look-ups take care of what depends on the cell.
	Rows, Columns [4]*LineTable // by row, from above; by column, from the left
	// Corners holds by corner cell (upper left, upper right, lower left, lower right) what is added for it, by
	// 16 x rank of the board's largest tile + rank of the tile in that corner. Nil adds nothing.
	Corners [4]*[256]int64
	// Oriented, if not nil, adds the best of the board's 8 orientations; Rows and Columns are then just Lines, and
	// Corners nil.
	Oriented *Oriented
	// Bits is the number of fraction bits. The sum of any of a board's look-ups, and Dead, fit in 62 bits.
	Bits int
	// Dead is the value of a position without a legal move, in fixed point.
	Dead int64
	// Capped values a board with a 65536 (rank 16), which no Board can hold: ranks by row and column.
	Capped func(ranks *[4][4]int) int64
}

// LineTable holds a value for each of the 65,536 rows: four ranks, the first (left or upper) in the lowest nibble.
type LineTable [1 << 16]int64

// cornerShift is the position of the corner cells' nibbles in a Board, in the order of Tables.Corners.
var cornerShift = [4]uint{0, 12, 48, 60}

// Value returns the heuristic value of a board, which is taken as it is: legal moves are not looked at.
func (t *Tables) Value(b Board) float64 { return float64(t.value(b)) * t.unit() }

// DeadValue returns the value of a position without a legal move.
func (t *Tables) DeadValue() float64 { return float64(t.Dead) * t.unit() }

// unit is the value of the lowest bit, a power of two: multiplying by it is exact.
func (t *Tables) unit() float64 { return math.Ldexp(1, -t.Bits) }

// value is Value in fixed point.
func (t *Tables) value(b Board) int64 {
	v := t.Rows[0][b.row(0)] + t.Rows[1][b.row(1)] + t.Rows[2][b.row(2)] + t.Rows[3][b.row(3)]
	if lines := t.Lines; lines != nil {
		x := b.Transpose()
		v += lines[x.row(0)] + lines[x.row(1)] + lines[x.row(2)] + lines[x.row(3)]
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
	return t.Corners != [4]*[256]int64{} || t.Oriented != nil && t.Oriented.Corners != nil
}
