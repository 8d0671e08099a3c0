package eval

import "math/bits"

// Definition defines a feature whose weights are fixed, for exports. The value of a board is the
// sum of weight x feature, each rounded to fixed point as [Expression.Sums] describes. One of Line,
// Cells and Powers is set.
type Definition struct {
	Tile  tiles          // tile^power by rank, a blank is 0
	Line  *Expression    // summed over the places of a part of the board
	Over  string         // the part's key: line, row, column, square, board
	Sums  []DefinedSum   // of Line over the board
	Cells *[4][4]float64 // factors of each cell's Tile; the products are summed

	// Powers are the feature's values by 16 x rank of the largest tile + rank in the corner.
	Powers *[256]float64
	Corner int // 2 x row + column
}

// DefinedSum is a sum over the places of a part of the board, by the part's key. Each of its leaves
// is rounded to a whole number of 2^-Bits, see [Expression.Sums].
type DefinedSum struct {
	Name, Over string
	Tree       *Expression
	Bits       int
}

// Constant returns the value of an expression that depends on no quantity.
func (e *Expression) Constant() (value float64, is bool) {
	if e.set != 0 {
		return 0, false
	}
	return e.value(nil, nil), true
}

// Look returns the values of an expression that depends on one rank, or on one number of at most
// 16, by this number, and the expression of which it is. This is a quantity, or the smallest or
// largest of some tiles of a line. It returns nil for other expressions.
func (d *Definition) Look(over string, e *Expression) (by *Expression, values []float64) {
	known, index, alone := partOf(over).quantities, bits.TrailingZeros(e.set), bits.OnesCount(e.set) == 1
	switch by = e.Operands[0]; {
	case over == overBoard && !(alone && index < len(known) && known[index].limits.high <= 16):
		return nil, nil
	case alone:
		by = quantityNode(known[index].symbol, index)
	case !by.extreme() || len(e.Operands) > 1 && e.Operands[1].set != 0:
		return nil, nil
	}
	q := make([]float64, len(known)) // others than by do not matter
	for n := range 17 {
		for i := range q {
			q[i] = known[i].value(n, &d.Tile)
		}
		if over == overBoard { // a board has no other number
			q[index] = known[index].value(min(max(n, known[index].limits.low), known[index].limits.high), &d.Tile)
		}
		values = append(values, e.value(q, nil))
	}
	return by, values
}

// extreme reports whether an expression is a tile of a line, or the smallest or largest of some.
func (e *Expression) extreme() bool {
	if e.quantity() {
		return quantities[e.index].tile
	}
	return (e.Name == "min" || e.Name == "max") && e.Operands[0].extreme() && e.Operands[1].extreme()
}

// Define returns the feature's definition. The feature must be sound, see [Heuristic.Problems].
func (f *Term) Define() (d Definition) {
	d.Tile = f.tiles()
	switch kind := KindOf(f.Kind); {
	case kind.cells != nil:
		cells := kind.cells(f)
		d.Cells = &cells
		return d
	case kind.corner != nil:
		d.Powers, d.Corner = f.cornerPowers(), f.cornerIndex()
		return d
	}
	parsed := f.sound()
	d.Line, d.Over = parsed.tree, parsed.part.key
	for i, tree := range parsed.sums {
		of := tabulate(partOf(f.Sums[i].Over), tree, false)
		d.Sums = append(d.Sums, DefinedSum{f.Sums[i].Name, of.part.key, tree, of.precision(&d.Tile, f.numbers()).bits})
	}
	return d
}
