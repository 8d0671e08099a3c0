package eval

import (
	"math/bits"

	"tune2048/engine/portable"
)

// Definition defines a feature whose weights are fixed, for exports. The value of a board is the
// sum of weight x feature, each rounded to fixed point as [Expression.Sums] describes. Over the
// cells the weight is multiplied with one factor after the other, and the product is rounded.
type Definition struct {
	Tile    tiles // the tile by its rank, a blank is 0; with Powers its power
	Powers  bool  // each power of Line is of a tile, and in Tile
	Weight  float64
	Power   float64     // of tiles; 0 for a kind that has none
	Line    *Expression // summed over the places of a part of the board
	Over    string      // the part's key: line, row, column, square, cell, board
	Factors []Factor    // of Line over the cells
	Sums    []DefinedSum
}

// DefinedSum is a sum over the places of a part of the board, by the part's key. Each of its leaves
// is rounded to a whole number of 2^-Bits, see [Expression.Sums].
type DefinedSum struct {
	Name, Over string
	Tree       *Expression
	Factors    []Factor // of Tree over the cells, or over the different tiles
	Bits       int
}

// Factor is a factor of a formula over the cells, by the rank of the board's largest tile, the cell
// (4 x row + column) and the rank there, which is not above the largest.
type Factor [16][16][16]float64

// Of returns whether the factor depends on the largest tile, on the cell, and on the tile there.
func (f *Factor) Of() (largest, cell, tile bool) {
	for l := range f {
		for c := range f[l] {
			for r, v := range f[l][c][:l+1] {
				largest = largest || v != f[15][c][r]
				cell = cell || v != f[l][0][r]
				tile = tile || v != f[l][c][0]
			}
		}
	}
	return largest, cell, tile
}

// defineCells returns the factors of a formula over the cells.
func (t *tabulated) defineCells() (all []Factor) {
	t.values(t.root)
	for _, col := range t.root.factors() {
		var f Factor
		for i := range 1 << 12 {
			f[i>>8][i>>4&15][i&15] = col.at(i>>8, i>>4&15, i&15)
		}
		all = append(all, f)
	}
	return all
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
	by = e.Operands[0]
	switch {
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

// Define returns the feature's definition with the values of a vector. The feature must be sound,
// see [Heuristic.Problems].
func (f *Term) Define(v Vector) (d Definition) {
	d.Tile = f.tiles()
	parsed := f.sound()
	parsed.take(v)
	d.Line, d.Over, d.Powers = parsed.tree, parsed.part.key, KindOf(f.Kind).powers
	d.Weight = v[f.Weight.At]
	if KindOf(f.Kind).uses("power") {
		d.Power = v[f.number("power").At]
	}
	for rank := 1; d.Powers && rank <= maxTileRank; rank++ {
		d.Tile[rank] = total(portable.Pow(d.Tile[rank], d.Power))
	}
	if d.Over == overCell {
		d.Factors = tabulate(parsed.part, parsed.tree, &d.Tile).defineCells()
	}
	for i, tree := range parsed.sums {
		of := tabulate(partOf(f.Sums[i].Over), tree, &d.Tile)
		sum := DefinedSum{Name: f.Sums[i].Name, Over: of.part.key, Tree: tree, Bits: of.precision().bits}
		if of.part.key == overCell || of.part.key == overTiles {
			sum.Factors = of.defineCells()
		}
		d.Sums = append(d.Sums, sum)
	}
	return d
}
