package heuristic

import (
	"fmt"
	"math"

	"tune2048/engine"
	"tune2048/experiments/stats"
)

// Fixed point: as many fraction bits as leave room for the largest sum of look-ups. With fewer than leastBits
// small weights would vanish beside large ones.
const (
	valueBits = 62 // of the largest magnitude
	mostBits  = 60
	leastBits = 8
)

// maxTileRank is the highest rank a value is defined for: a 65536, see engine.Tables.Capped.
const maxTileRank = engine.MaxRank + 1

// Compiler turns a family and values for its numbers into tables. It keeps the tables' memory and uses it again
// for the next values; it serves one goroutine.
type Compiler struct {
	family *Family
	tables engine.Tables
	sum    lineSum              // of the line features
	lines  [4]*engine.LineTable // of the line features, as engine.Tables.Lines; nil until there are any
	none   *engine.LineTable    // of nothing, for families of corner features alone
	// cells holds the tables of position features, line features included: by row of the oriented board, as read
	// and mirrored, and by column, likewise.
	rows, columns [4][2]*engine.LineTable
	corners       [4]*[256]int64 // by corner of the oriented board
}

// NewCompiler returns a compiler of the family, which must not change afterwards.
func NewCompiler(f *Family) *Compiler { return &Compiler{family: f} }

// Compile returns tables for the values, in the order of Family.Numbers, valid until the next call. It fails if
// the number of values is wrong, a value is not a finite number or out of its feature's domain (a power must be
// more than 0, a decay at least 0), or the values of boards could overflow the tables' fixed point.
func (c *Compiler) Compile(values []float64, dead Dead) (*engine.Tables, error) {
	features, err := c.family.with(values)
	if err != nil {
		return nil, err
	}
	low, high := 0.0, 0.0
	for i := range features {
		l, h := features[i].bounds()
		low, high = low+l, high+h
	}
	largest := math.Max(-low, high)
	if !dead.Worst {
		largest = math.Max(largest, math.Abs(dead.Value))
	}
	bits, err := fractionBits(largest)
	if err != nil {
		return nil, err
	}
	scale := math.Ldexp(1, bits)
	fixed := func(v float64) int64 { return int64(math.RoundToEven(float64(v * scale))) }

	t := &c.tables
	t.Bits = bits
	if dead.Worst {
		// Below all values by more than the rounding of tables and of float64 means.
		t.Dead = fixed(low - math.Ldexp(largest, -20))
	} else {
		t.Dead = fixed(dead.Value)
	}
	t.Lines = c.compileLines(features, fixed)
	hasCells := c.compileCells(features, fixed, t.Lines[0])
	hasCorners := c.compileCorners(features, fixed)
	t.Orientations = c.orientations(t.Orientations[:0], t.Lines[0], hasCells, hasCorners)
	t.Capped = func(ranks *[4][4]int) int64 { return fixed(c.family.plainValue(features, ranks)) }
	return t, nil
}

// fractionBits returns how many fraction bits leave room for values up to the given magnitude.
func fractionBits(largest float64) (int, error) {
	if math.IsNaN(largest) || math.IsInf(largest, 0) {
		return 0, fmt.Errorf("the values of boards overflow: want smaller weights or powers")
	}
	_, exponent := math.Frexp(2 * largest) // room for a dead value below all others
	if bits := valueBits - exponent; bits >= leastBits {
		return min(bits, mostBits), nil
	}
	return 0, fmt.Errorf("the values of boards reach %.3g, tables hold at most %.3g: want smaller weights or powers", largest, math.Ldexp(1, valueBits-leastBits-1))
}

// with returns the family's features with the values filled in.
func (f *Family) with(values []float64) ([]Feature, error) {
	features := append([]Feature(nil), f.Features...)
	n := 0
	var err error
	for i := range features {
		features[i].each(func(name string, number *Number) {
			if n >= len(values) {
				n++
				return
			}
			v := values[n]
			n++
			if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
				err = fmt.Errorf("%s: want a finite number, got %v", name, v)
			}
			*number = Fixed(v)
		})
		if setting, reason := features[i].domain(); err == nil && reason != "" {
			err = fmt.Errorf("%s_%s: %s", features[i].Name, setting, reason)
		}
	}
	if n != len(values) {
		return nil, fmt.Errorf("want %d weights, got %d", n, len(values))
	}
	return features, err
}

// compileLines makes the tables that rows and columns share; none if there are no line features.
func (c *Compiler) compileLines(features []Feature, fixed func(float64) int64) (lines [4]*engine.LineTable) {
	c.sum = lineSum{slopes: c.sum.slopes[:0]}
	any := false
	for i := range features {
		if f := &features[i]; f.isLine() {
			c.sum.add(f, fixed)
			any = true
		}
	}
	if !any {
		return lines
	}
	for k := range c.lines {
		if c.lines[k] == nil {
			c.lines[k] = new(engine.LineTable)
		}
		if k == 0 {
			c.sum.fill(c.lines[0])
		} else {
			permute(c.lines[k], c.lines[0], k)
		}
	}
	return c.lines
}

// compileCells makes the tables of the features that depend on the cell: position and snake.
func (c *Compiler) compileCells(features []Feature, fixed func(float64) int64, lines *engine.LineTable) bool {
	var cell [4][4][16]float64 // value of a rank in a cell
	any := false
	for i := range features {
		f := &features[i]
		matrix, ok := f.cellWeights()
		if !ok {
			continue
		}
		any = true
		tile := f.tileValues()
		for r := range cell {
			for k := range cell[r] {
				w := float64(f.Weight.Value * matrix[r][k])
				for rank := range cell[r][k] {
					cell[r][k][rank] += float64(w * tile[rank])
				}
			}
		}
	}
	if !any {
		return false
	}
	mirrors := 1
	if c.family.Symmetry == SymmetryBest {
		mirrors = 2
	}
	for i := range 4 {
		row := cell[i]
		column := [4][16]float64{cell[0][i], cell[1][i], cell[2][i], cell[3][i]}
		for mirror := range mirrors {
			fillLine(&c.rows[i][mirror], row, mirror == 1, lines, fixed)
			fillLine(&c.columns[i][mirror], column, mirror == 1, lines, fixed)
		}
	}
	return true
}

// fillLine adds up the values of four cells, as read or mirrored, and of the line features for each row.
func fillLine(table **engine.LineTable, cell [4][16]float64, mirrored bool, lines *engine.LineTable, fixed func(float64) int64) {
	if *table == nil {
		*table = new(engine.LineTable)
	}
	if mirrored {
		cell[0], cell[1], cell[2], cell[3] = cell[3], cell[2], cell[1], cell[0]
	}
	var half [2][256]int64
	for h := range half {
		for pair := range half[h] {
			half[h][pair] = fixed(cell[2*h][pair&15]) + fixed(cell[2*h+1][pair>>4])
		}
	}
	for high, v := range half[1] {
		out := (*table)[high<<8 : high<<8+256]
		for low := range out {
			out[low] = half[0][low] + v
		}
		if lines != nil {
			for low, l := range lines[high<<8 : high<<8+256] {
				out[low] += l
			}
		}
	}
}

// compileCorners makes the tables of the features that look at the largest tile: corner and largest.
func (c *Compiler) compileCorners(features []Feature, fixed func(float64) int64) (has [4]bool) {
	var sums [4][256]float64
	for i := range features {
		f := &features[i]
		if f.Kind != Corner && f.Kind != Largest {
			continue
		}
		corner := 0 // the largest tile is looked up with any corner
		if f.Kind == Corner {
			corner = f.cornerIndex()
		}
		has[corner] = true
		for largest := range 16 {
			for rank := range largest + 1 {
				sums[corner][largest<<4|rank] += float64(f.Weight.Value * f.cornerTerm(largest, rank))
			}
		}
	}
	for i := range has {
		if !has[i] {
			continue
		}
		if c.corners[i] == nil {
			c.corners[i] = new([256]int64)
		}
		for k, sum := range sums[i] {
			c.corners[i][k] = fixed(sum)
		}
	}
	return has
}

// orientations appends the one or the 8 ways of looking at the board, expressed as look-ups on the board as it is.
func (c *Compiler) orientations(list []engine.Orientation, lines *engine.LineTable, hasCells bool, hasCorners [4]bool) []engine.Orientation {
	if lines == nil && !hasCells {
		if c.none == nil {
			c.none = new(engine.LineTable)
		}
		lines = c.none
	}
	n := 1
	if c.family.Symmetry == SymmetryBest && (hasCells || hasCorners != [4]bool{}) {
		n = 8
	}
	for o := range n {
		flipRows, flipColumns, transpose := o&1, o>>1&1, o>>2&1
		var e engine.Orientation
		for i := range 4 {
			e.Rows[i], e.Columns[i] = lines, lines
			if hasCells {
				e.Rows[i] = c.rows[i^(3*flipRows)][flipColumns]
				e.Columns[i] = c.columns[i^(3*flipColumns)][flipRows]
			}
		}
		if transpose == 1 {
			e.Rows, e.Columns = e.Columns, e.Rows
		}
		for i := range 4 { // corner i = 2*row + column of the oriented board, seen where the board has it
			row, column := i>>1^flipRows, i&1^flipColumns
			if transpose == 1 {
				row, column = column, row
			}
			if hasCorners[i] {
				e.Corners[2*row+column] = c.corners[i]
			}
		}
		list = append(list, e)
	}
	return list
}

// tileValues returns tile^power by rank, 0..16; a blank is 0.
func (f *Feature) tileValues() (values [maxTileRank + 1]float64) {
	power := 1.0
	if f.Kind != Difference {
		power = f.Power.Value
	}
	for rank := 1; rank <= maxTileRank; rank++ {
		values[rank] = stats.Pow(f.tileOf(rank), power)
	}
	return values
}

// tileOf returns the tile of a rank as the feature sees it: its face or its rank; a blank is 0.
func (f *Feature) tileOf(rank int) float64 {
	switch {
	case rank == 0:
		return 0
	case f.Tile == Rank:
		return float64(rank)
	default:
		return math.Ldexp(1, rank)
	}
}
