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
	Line   *Expression              // summed over the 4 rows and 4 columns
	Cells  *[4][4]float64           // factors of each cell's Tile; the products are summed
	Corner *cornerDefinition
}

// cornerDefinition is (largest tile - tile in this corner)^Power.
type cornerDefinition struct {
	Row, Column int // 0 or 3
	Power       float64
}

// Look returns the values of an expression that hangs on one quantity of a line alone, by the
// quantity's rank or count, and the quantity's symbol. Values that the expression does not have are 0.
func (e *Expression) Look(tile *[maxTileRank + 1]float64) (symbol string, values []float64) {
	set := e.set()
	if bits.OnesCount(set) != 1 {
		return "", nil
	}
	x := quantities[bits.TrailingZeros(set)]
	q, most := make([]float64, len(quantities)), 4
	if x.tile {
		most = maxTileRank
	}
	for n := range most + 1 {
		at := &q[bits.TrailingZeros(set)]
		if *at = float64(n); x.tile {
			*at = tile[n]
		}
		v := e.of(q)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			v = 0
		}
		values = append(values, v)
	}
	return x.symbol, values
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
	case f.Over != "":
		return d, fmt.Errorf("%s: source code has no formula over a %s yet (json, yaml and flat can hold it)", f.Name, f.Over)
	case kind.Line != nil:
		parsed, err := f.parse()
		if err != nil {
			return d, err
		}
		d.Line = parsed.tree
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
