package eval

import (
	"fmt"
	"math"
	"math/bits"
)

// Definition defines a feature whose weights are fixed, for exports. The value of a board is the
// sum of weight x feature, each rounded to fixed point as [Expression.Sums] describes. At most one
// of Line, Cells and Corner is set. If none is, the feature is the Tile of the board's largest
// tile.
type Definition struct {
	Tile   [maxTileRank + 1]float64 // tile^power by rank, a blank is 0; of Corner the tile itself
	Line   *Expression              // summed over the places of a part of the board
	Over   string                   // the part's key: line, row, column, square, board
	Sums   []DefinedSum             // of Line over the board
	Cells  *[4][4]float64           // factors of each cell's Tile; the products are summed
	Corner *cornerDefinition
	Limit  float64 // the magnitude to which weight x Line over the board is limited; 0: it is less
}

// cornerDefinition is (largest tile - tile in this corner)^Power.
type cornerDefinition struct {
	Row, Column int // 0 or 3
	Power       float64
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
func (d *Definition) limits(over string, e *Expression) interval {
	switch {
	case e.set == 0:
		x := e.of(nil, nil)
		return interval{x, x}
	case e.operation != quantity:
		var operands [3]interval
		for i, operand := range e.Operands {
			operands[i] = d.limits(over, operand)
		}
		return limitsOf(e.operation, operands)
	case over != overBoard && !quantities[e.index].tile:
		return interval{0, 4}
	case over != overBoard:
		return interval{0, d.Tile[maxTileRank]}
	case e.index >= len(boardQuantities):
		return d.Sums[e.index-len(boardQuantities)].limits
	case e.symbol == "largest":
		return interval{d.Tile[1], d.Tile[maxTileRank]}
	}
	return boardQuantities[e.index].limits
}

// Certain reports whether an operation has a result at each place of a part of the board. Then no
// place counts as 0.
func (d *Definition) Certain(over string, e *Expression) bool {
	switch e.operation {
	case root:
		return d.limits(over, e.Operands[0]).low >= 0 && d.limits(over, e).known()
	case logarithm, binaryLogarithm:
		return d.limits(over, e.Operands[0]).low > 0 && d.limits(over, e).known()
	}
	return d.limits(over, e).known()
}

// Reaches reports whether the magnitude of weight x expression may be above MostEntry.
func (d *Definition) Reaches(over string, e *Expression, weight float64) bool {
	return !(math.Abs(weight)*d.limits(over, e).magnitude() <= mostEntry)
}

// maxCount is the largest number of blanks.
const maxCount = 16

// Look returns the values of an expression over a part of the board that hangs on one quantity of
// at most 16 alone, by the quantity's rank or count, and the quantity's symbol.
func (d *Definition) Look(over string, e *Expression) (symbol string, values []float64) {
	index := bits.TrailingZeros(e.set)
	if bits.OnesCount(e.set) != 1 || over == overBoard && (index >= len(boardQuantities) || boardQuantities[index].limits.high > maxCount) {
		return "", nil
	}
	q := make([]float64, max(len(quantities), index+1))
	for n := range maxCount + 1 {
		if q[index] = float64(n); over == overBoard {
			if symbol = boardQuantities[index].symbol; symbol == "largest" {
				q[index] = d.Tile[min(n, maxTileRank)]
			}
		} else if symbol = quantities[index].symbol; quantities[index].tile {
			q[index] = d.Tile[min(n, maxTileRank)]
		}
		values = append(values, e.of(q, nil))
	}
	return symbol, values
}

// LookExtreme returns, by the rank, the values of a function of the smallest or the largest of some
// tiles of a line, or nil for any other expression. The tiles are its first operand.
func (d *Definition) LookExtreme(over string, e *Expression) (values []float64) {
	if over == overBoard || !e.Operands[0].extreme() || len(e.Operands) > 1 && e.Operands[1].set != 0 {
		return nil
	}
	q := make([]float64, len(quantities))
	for _, tile := range d.Tile {
		for i, x := range quantities {
			if x.tile {
				q[i] = tile
			}
		}
		values = append(values, e.of(q, nil))
	}
	return values
}

// extreme reports whether an expression is a tile of a line, or the smallest or largest of some.
func (e *Expression) extreme() bool {
	switch e.operation {
	case quantity:
		return quantities[e.index].tile
	case minimum, maximum:
		return e.Operands[0].extreme() && e.Operands[1].extreme()
	}
	return false
}

// Define returns the feature's definition. Its kind and words must be sound, see [Heuristic.Check].
// It fails for a formula that cannot be parsed, and for a kind without a definition.
func (f *Term) Define() (d Definition, err error) {
	kind := KindOf(f.Kind)
	if d.Tile = f.tiles(); f.Kind == Corner {
		for rank := range d.Tile {
			d.Tile[rank] = f.tileOf(rank)
		}
	}
	switch {
	case kind.Line != nil:
		parsed, err := f.parse()
		if err != nil {
			return d, err
		}
		d.Line, d.Over = parsed.tree, parsed.part.key
		if d.Over == overBoard {
			board := newBoardTerm(parsed)
			board.evaluate(f.numbers())
			for i, s := range board.sums {
				d.Sums = append(d.Sums, DefinedSum{f.Sums[i].Name, s.of.part.key, parsed.sums[i], s.tables.Bits, board.levels[len(boardQuantities)+i].interval})
			}
			if most, all := board.limits(f.Weight.Value); all.magnitude() >= most {
				d.Limit = most
			}
		}
	case kind.cells != nil:
		d.Cells = new([4][4]float64)
		for r, row := range kind.cells(f) {
			d.Cells[r] = row
		}
	case f.Kind == Corner:
		i := f.cornerIndex()
		d.Corner = &cornerDefinition{i >> 1 * 3, i & 1 * 3, f.Power.Value}
	case f.Kind != Largest:
		return d, fmt.Errorf("%s: no definition is known of features of the kind %s, so they cannot be exported as source code (json, yaml and flat can hold them)", f.Name, f.Kind)
	}
	return d, nil
}
