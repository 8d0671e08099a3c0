package heuristic

import (
	"fmt"
	"math"
	"math/bits"
)

// Definition defines a feature whose weights are fixed: for boards that tables cannot hold, and for
// exports. The value of a board is the sum of weight x feature, each rounded to fixed point as
// [Expression.Sums] describes. At most one of Line, Cells and Corner is set. If none is, the
// feature is the Tile of the board's largest tile.
type Definition struct {
	Tile   [maxTileRank + 1]float64 // tile^power by rank, a blank is 0; of Corner the tile itself
	Line   *Expression              // summed over the places of a part of the board
	Over   string                   // the part's key: line, row, column, square, board
	Sums   []DefinedSum             // of Line over the board
	Cells  *[4][4]float64           // factors of each cell's Tile; the products are summed
	Corner *cornerDefinition
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
}

// Look returns the values of an expression over a part of the board that hangs on one quantity of
// at most 16 alone, by the quantity's rank or count, and the quantity's symbol. Values that the
// expression does not have are 0.
func (d *Definition) Look(over string, e *Expression) (symbol string, values []float64) {
	set := e.set()
	index := bits.TrailingZeros(set)
	if bits.OnesCount(set) != 1 || over == overBoard && (index >= len(boardQuantities) || boardQuantities[index].limits.high > maxTileRank) {
		return "", nil
	}
	q := make([]float64, max(len(quantities), index+1))
	for n := range maxTileRank + 1 {
		if q[index] = float64(n); over == overBoard {
			symbol, q[index] = boardQuantities[index].symbol, levelOf(index, n, (*tiles)(&d.Tile))
		} else if symbol = quantities[index].symbol; quantities[index].tile {
			q[index] = d.Tile[n]
		}
		v := e.of(q)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			v = 0
		}
		values = append(values, v)
	}
	return symbol, values
}

// LookExtreme returns, by the rank, the values of a function of the smallest or the largest of some
// tiles of a line, or nil for any other expression. The tiles are its first operand.
func (d *Definition) LookExtreme(over string, e *Expression) (values []float64) {
	if over == overBoard || !e.Operands[0].extreme() || len(e.Operands) > 1 && e.Operands[1].set() != 0 {
		return nil
	}
	q := make([]float64, len(quantities))
	for _, tile := range d.Tile {
		for i, x := range quantities {
			if x.tile {
				q[i] = tile
			}
		}
		v := e.of(q)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			v = 0
		}
		values = append(values, v)
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

// Define returns the feature's definition. Its kind and words must be sound, see [Family.Check].
// It fails for a formula that cannot be parsed, and for a kind without a definition.
func (f *Feature) Define() (d Definition, err error) {
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
			board := newBoardFormula(parsed)
			if _, err := board.evaluate(f.numbers()); err != nil {
				return d, err
			}
			for i, s := range board.sums {
				d.Sums = append(d.Sums, DefinedSum{s.name, s.part.key, parsed.sums[i], s.tables.Bits})
			}
		}
	case kind.cells != nil:
		d.Cells = new([4][4]float64)
		for r, row := range kind.cells(f) {
			for c, cell := range row {
				d.Cells[r][c] = cell.low
			}
		}
	case f.Kind == Corner:
		i := f.cornerIndex()
		d.Corner = &cornerDefinition{i >> 1 * 3, i & 1 * 3, f.Power.Value}
	case f.Kind != Largest:
		return d, fmt.Errorf("%s: no definition is known of features of the kind %s, so they cannot be exported as source code (json, yaml and flat can hold them)", f.Name, f.Kind)
	}
	return d, nil
}
