package eval

import (
	"math"
	"math/bits"
	"slices"
)

// Definition defines a feature whose weights are fixed, for exports. The value of a board is the
// sum of weight x feature, each rounded to fixed point as [Expression.Sums] describes. One of Line,
// Cells and Corner is set.
type Definition struct {
	Tile   tiles          // tile^power by rank, a blank is 0
	Line   *Expression    // summed over the places of a part of the board
	Over   string         // the part's key: line, row, column, square, board
	Sums   []DefinedSum   // of Line over the board
	Limit  float64        // the magnitude to which weight x Line over the board is limited; 0: it is less
	Cells  *[4][4]float64 // factors of each cell's Tile; the products are summed
	Corner *[256]float64  // by 16 x rank of the largest tile + rank of the tile in Cell
	Cell   int            // a corner, row by row

	known map[*Expression]interval // limits
}

// DefinedSum is a sum over the places of a part of the board, by the part's key. Each of its leaves
// is rounded to a whole number of 2^-Bits, see [Expression.Sums].
type DefinedSum struct {
	Name, Over string
	Tree       *Expression
	Bits       int
	limits     interval
}

// MostEntry is the magnitude to which each rounded part of a table's entry is limited.
const MostEntry = mostEntry

// limits returns limits of an expression over a part of the board, whatever the place.
func (d *Definition) limits(over string, e *Expression) (limits interval) {
	if limits, known := d.known[e]; known {
		return limits
	}
	defer func() { d.known[e] = limits }()
	switch {
	case e.set == 0:
		x := e.value(nil, nil)
		return interval{x, x}
	case !e.quantity():
		var operands [3]interval
		for i, operand := range e.Operands {
			operands[i] = d.limits(over, operand)
		}
		return e.limits(operands)
	case over == overBoard && e.index >= len(boardQuantities):
		return d.Sums[e.index-len(boardQuantities)].limits
	}
	q := partOf(over).quantities[e.index]
	if of := d.Tile[int(q.limits.low):]; q.tile {
		return interval{slices.Min(of), slices.Max(of)}
	}
	return q.limits
}

// Certain reports whether an operation has a result at each place of a part of the board. Then no
// place counts as 0.
func (d *Definition) Certain(over string, e *Expression) bool {
	switch e.Name {
	case "sqrt":
		return d.limits(over, e.Operands[0]).low >= 0 && d.limits(over, e).known()
	case "log", "log2":
		return d.limits(over, e.Operands[0]).low > 0 && d.limits(over, e).known()
	}
	return d.limits(over, e).known()
}

// Reaches reports whether the magnitude of weight x expression may be above MostEntry.
func (d *Definition) Reaches(over string, e *Expression, weight float64) bool {
	return !(math.Abs(weight)*d.limits(over, e).magnitude() <= mostEntry)
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
		if over == overBoard { // its tables go by the rank, and end at the quantity's limit
			q[index] = min(float64(n), known[index].limits.high)
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

// Define returns the feature's definition. Its kind and words must be sound, see [Heuristic.Check].
// It fails for a formula that cannot be parsed.
func (f *Term) Define() (d Definition, err error) {
	d.Tile, d.known = f.tiles(), map[*Expression]interval{}
	switch kind := KindOf(f.Kind); {
	case kind.cells != nil:
		cells := kind.cells(f)
		d.Cells = &cells
		return d, nil
	case kind.corner != nil:
		corner := f.cornerIndex()
		d.Corner, d.Cell = f.cornerPowers(), corner>>1*12+corner&1*3
		return d, nil
	}
	parsed, err := f.parse()
	if err != nil {
		return d, err
	}
	if d.Line, d.Over = parsed.tree, parsed.part.key; d.Over == overBoard {
		board := newBoardTerm(parsed)
		board.evaluate(f.Weight, f.numbers())
		for i, s := range board.sums {
			d.Sums = append(d.Sums, DefinedSum{f.Sums[i].Name, s.of.part.key, parsed.sums[i], s.tables.Bits,
				unlimited})
		}
		d.Limit = mostTerm
	}
	return d, nil
}
