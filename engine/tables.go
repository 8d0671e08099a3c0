package engine

import "math"

// Tables is a heuristic compiled to look-ups (package heuristic makes them). Values are fixed-point numbers:
// v is held as the integer nearest to v x 2^Bits, so that a sum does not depend on its order, nor on the
// compiler or the processor. Tables are read-only once made and may be shared by searchers.
type Tables struct {
	// Orientations holds one way of looking at the board, or the 8 of which the best counts.
	Orientations []Orientation
	// Bits is the number of fraction bits. The sum of any of a board's look-ups, and Dead, fit in 62 bits.
	Bits int
	// Dead is the value of a position without a legal move, in fixed point.
	Dead int64
	// Capped values a board with a 65536 (rank 16), which no Board can hold: ranks by row and column.
	Capped func(ranks *[4][4]int) int64
}

// LineTable holds a value for each of the 65,536 rows: four ranks, the first (left or upper) in the lowest nibble.
type LineTable [1 << 16]int64

// Orientation is the sum of look-ups that values a board. A nil table contributes nothing.
type Orientation struct {
	Rows    [4]*LineTable // by row, from above
	Columns [4]*LineTable // by column, from the left; all nil or none
	// Corners holds by corner cell (upper left, upper right, lower left, lower right) the values by
	// 16 x rank of the board's largest tile + rank of the tile in that corner.
	Corners [4]*[256]int64
}

// Value returns the heuristic value of a board, which is taken as it is: legal moves are not looked at.
func (t *Tables) Value(b Board) float64 { return float64(t.value(b)) * t.unit() }

// DeadValue returns the value of a position without a legal move.
func (t *Tables) DeadValue() float64 { return float64(t.Dead) * t.unit() }

// unit is the value of the lowest bit, a power of two: multiplying by it is exact.
func (t *Tables) unit() float64 { return math.Ldexp(1, -t.Bits) }

// value is Value in fixed point.
func (t *Tables) value(b Board) int64 {
	best := t.Orientations[0].value(b)
	for i := 1; i < len(t.Orientations); i++ {
		best = max(best, t.Orientations[i].value(b))
	}
	return best
}

// value returns the sum of the look-ups in fixed point.
func (o *Orientation) value(b Board) int64 {
	var v int64
	for r, table := range o.Rows {
		if table != nil {
			v += table[b.row(r)]
		}
	}
	if o.Columns[0] != nil {
		t := b.Transpose()
		for c, table := range o.Columns {
			v += table[t.row(c)]
		}
	}
	largest := -1
	for i, table := range o.Corners {
		if table != nil {
			if largest < 0 {
				largest = b.Largest()
			}
			v += table[largest<<4|int(b>>cornersAsIs[i])&15]
		}
	}
	return v
}

// hasCorners reports whether the orientation looks at the corners.
func (o *Orientation) hasCorners() bool {
	for _, table := range o.Corners {
		if table != nil {
			return true
		}
	}
	return false
}
