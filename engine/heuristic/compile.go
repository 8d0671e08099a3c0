package heuristic

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"tune2048/engine"
	"tune2048/engine/portable"
)

// Fixed point has the most fraction bits that leave room for the largest sum of look-ups. With
// fewer than leastBits small weights would vanish beside large ones.
const (
	valueBits = 62 // of the largest magnitude
	mostBits  = 60
	leastBits = 8
)

// Compiler turns a family and values of its weights into tables. It uses its memory again for the
// next values, and serves one goroutine.
type Compiler struct {
	family *Family
	size   int // of a vector
	tables engine.Tables
	sum    lineSum          // of the line features
	parts  partTables       // of lines, rows, columns and squares
	halves [4][2][256]int64 // of the cells, by row
	// rows and columns hold parts and cells; nil until a deeper search needs them.
	rows, columns [4]*engine.LineTable
	corners       [4]*[256]int64
	oriented      *engine.Oriented // nil until it is needed
	atCorners     *[4][256]engine.Eight
	formulas      []*columns      // by feature; nil for kinds that are no line or have fast code
	boards        []*boardFormula // likewise, of formulas over the board
	byEmpty       [17]int64
}

// cells has the value of a rank in a cell, corners by 16 x rank of the largest tile + rank there.
type (
	cells   [4][4][16]int64
	corners [4][256]int64
)

// ErrBot: only the bot knows how its weights value a board.
var ErrBot = errors.New("the player is a bot, which has no tables")

// NewCompiler returns a compiler of the family, which must not change afterwards.
func NewCompiler(f *Family) *Compiler { return &Compiler{family: f, size: len(f.Weights())} }

// Compile returns tables for the values of the family's weights, valid until the next call. It
// fails for a wrong number of values, for a value that is not finite or outside its setting's
// domain, and if the values of boards could overflow the tables' fixed point. The error of a bot is
// ErrBot.
func (c *Compiler) Compile(values Vector, dead Dead) (*engine.Tables, error) {
	if c.family.Bot != nil {
		return nil, ErrBot
	}
	if len(values) != c.size {
		return nil, fmt.Errorf("want %d weights, got %d", c.size, len(values))
	}
	features := c.family.Fix(values).Features
	for i := range features {
		var err error
		features[i].outside(func(name, _, reason string) { err = cmp.Or(err, fmt.Errorf("%s: %s", name, reason)) })
		if err != nil {
			return nil, err
		}
	}
	formulas, err := c.evaluate(features)
	if err != nil {
		return nil, err
	}
	all, largest := bounds(features, dead, formulas)
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
		t.Dead = fixed(all.low - math.Ldexp(largest, -20))
	} else {
		t.Dead = fixed(dead.Value)
	}
	c.compileParts(features, fixed)
	c.compileBoards(features, fixed)
	cell, hasCells := sumCells(features, fixed)
	corner, hasCorners := sumCorners(features, fixed)
	best := c.family.Symmetry == SymmetryBest
	t.Turns = best && c.turns()
	switch {
	case !hasCells && hasCorners == [4]bool{}:
	case best && !t.Turns && slices.ContainsFunc(features, turns):
		t.Oriented = c.orient(cell, corner, hasCorners != [4]bool{})
	default:
		if hasCells {
			for i := range cell {
				c.halves[i] = pairs(&cell[i])
			}
			t.Cells = &c.halves
		}
		for i, has := range hasCorners {
			if has {
				if c.corners[i] == nil {
					c.corners[i] = new([256]int64)
				}
				*c.corners[i] = corner[i]
				t.Corners[i] = c.corners[i]
			}
		}
	}
	t.Along = sync.OnceValues(func() (rows, columns [4]*engine.LineTable) { return c.along(cell) })
	t.Bound = nil
	if t.Bounded() {
		t.Bound = sync.OnceValue(func() *engine.Bound { return engine.NewBound(t) })
	}
	slow := sync.OnceValue(func() func(*[4][4]int) float64 { return c.family.definition(features) })
	t.Capped = func(ranks *[4][4]int) int64 { return fixed(slow()(ranks)) }
	return t, nil
}

// bounds returns limits of the value of all boards for all weights within their ranges. largest is
// the magnitude that tables need room for: of the value, and of each feature by itself, see
// Feature.bounds. formulas has an entry for each feature.
func bounds(features []Feature, dead Dead, formulas []formulaBounds) (all interval, largest float64) {
	for i := range features {
		b, certain := features[i].bounds(formulas[i])
		all = all.plus(b)
		largest = math.Max(largest, certain)
	}
	largest = math.Max(largest, all.magnitude())
	if !dead.Worst {
		largest = math.Max(largest, math.Abs(dead.Value))
	}
	return all, largest
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

// compileParts makes the tables of lines, rows, columns and squares.
func (c *Compiler) compileParts(features []Feature, fixed func(float64) int64) {
	c.sum = lineSum{slopes: c.sum.slopes[:0]}
	c.parts.begin()
	lines := false
	for i := range features {
		f := &features[i]
		if fast := KindOf(f.Kind).fast; fast != nil {
			tile := f.tiles()
			fast(f, &tile, &c.sum, fixed)
			lines = true
		}
	}
	if lines {
		c.sum.fill(c.parts.take(overLine))
	}
	for i, formula := range c.formulas {
		if formula != nil {
			formula.add(features[i].Weight.Value, c.parts.at(partOf(features[i].Over).key), fixed)
		}
	}
	c.parts.into(&c.tables)
}

// compileBoards makes the table by blanks, and the function of the rest of the formulas over the
// board.
func (c *Compiler) compileBoards(features []Feature, fixed func(float64) int64) {
	type term struct {
		weight  float64
		formula *boardFormula
	}
	var terms []term
	c.byEmpty = [17]int64{}
	c.tables.ByEmpty, c.tables.Board = nil, nil
	for i, b := range c.boards {
		if b == nil {
			continue
		}
		weight := features[i].Weight.Value
		values, is := b.byEmpty()
		if !is {
			terms = append(terms, term{weight, b})
			continue
		}
		c.tables.ByEmpty = &c.byEmpty
		for n, v := range values {
			c.byEmpty[n] += fixed(float64(weight * v))
		}
	}
	if terms != nil {
		c.tables.Board = func(b engine.Board) (sum int64) {
			for i := range terms {
				sum += fixed(float64(terms[i].weight * terms[i].formula.of(b)))
			}
			return sum
		}
	}
}

// turns reports whether a formula differs from one orientation of the board to another.
func (c *Compiler) turns() bool {
	return slices.ContainsFunc(c.boards, func(b *boardFormula) bool { return b != nil && b.turns() }) ||
		slices.ContainsFunc(c.formulas, func(f *columns) bool { return f != nil }) && c.parts.turns(&c.tables)
}

// evaluate works out the line features without fast code and the formulas over the board, whose
// weights are fixed, and returns their limits.
func (c *Compiler) evaluate(features []Feature) ([]formulaBounds, error) {
	limits := make([]formulaBounds, len(features))
	if c.formulas == nil {
		c.formulas, c.boards = make([]*columns, len(features)), make([]*boardFormula, len(features))
	}
	for i := range features {
		f := &features[i]
		if kind := KindOf(f.Kind); kind.Line == nil || kind.fast != nil {
			continue
		}
		if c.formulas[i] == nil && c.boards[i] == nil {
			p, err := f.parse()
			switch {
			case err != nil:
				return nil, fmt.Errorf("%s: %s: %w", f.Name, partOf(f.Over).key, err)
			case p.part.places == nil:
				c.boards[i] = newBoardFormula(p)
			default:
				c.formulas[i] = newColumns(p.tree)
			}
		}
		if b := c.boards[i]; b != nil {
			var err error
			if limits[i], err = b.evaluate(f.numbers()); err != nil {
				return nil, err
			}
			continue
		}
		c.formulas[i].evaluate(f.tiles(), f.numbers())
		limits[i] = c.formulas[i].bounds(hull)
	}
	return limits, nil
}

// sumCells adds up the features that depend on the cell: position and snake.
func sumCells(features []Feature, fixed func(float64) int64) (sum *cells, any bool) {
	sum = new(cells)
	for i := range features {
		f := &features[i]
		kind := KindOf(f.Kind)
		if kind.cells == nil {
			continue
		}
		any = true
		tile, factors := f.tiles(), kind.cells(f)
		for r := range sum {
			for k := range sum[r] {
				w := float64(f.Weight.Value * factors[r][k].low)
				for rank := range sum[r][k] {
					sum[r][k][rank] += fixed(float64(w * tile[rank]))
				}
			}
		}
	}
	return sum, any
}

// sumCorners adds up the features that look at the largest tile: corner and largest.
func sumCorners(features []Feature, fixed func(float64) int64) (sum *corners, has [4]bool) {
	sum = new(corners)
	for i := range features {
		f := &features[i]
		kind := KindOf(f.Kind)
		if kind.corner == nil {
			continue
		}
		corner := f.cornerIndex() // one without a corner is looked up with any
		has[corner] = true
		for largest := range 16 {
			for rank := range largest + 1 {
				power := portable.Pow(kind.corner(f.tileOf(largest), f.tileOf(rank)), f.Power.Value)
				sum[corner][largest<<4|rank] += fixed(float64(f.Weight.Value * power))
			}
		}
	}
	return sum, has
}

// noLines is the table of families without line features.
var noLines engine.LineTable

// along makes the tables of rows and columns out of the tables of cells and parts.
func (c *Compiler) along(cell *cells) (rows, columns [4]*engine.LineTable) {
	t := &c.tables
	if t.Cells == nil {
		r, k := cmp.Or(t.Rows, &noLines), cmp.Or(t.Columns, &noLines)
		return [4]*engine.LineTable{r, r, r, r}, [4]*engine.LineTable{k, k, k, k}
	}
	for i := range 4 {
		column := pairs(&[4][16]int64{cell[0][i], cell[1][i], cell[2][i], cell[3][i]})
		fillLine(&c.rows[i], &c.halves[i], t.Rows)
		fillLine(&c.columns[i], &column, t.Columns)
	}
	return c.rows, c.columns
}

// fillLine adds up the values of the two halves and of the parts for each row.
func fillLine(table **engine.LineTable, half *[2][256]int64, lines *engine.LineTable) {
	if *table == nil {
		*table = new(engine.LineTable)
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

// pairs adds up the first and the last two cells of a line.
func pairs(cell *[4][16]int64) (half [2][256]int64) {
	for h := range half {
		for pair := range half[h] {
			half[h][pair] = cell[2*h][pair&15] + cell[2*h+1][pair>>4]
		}
	}
	return half
}

// turns reports whether a feature differs from one orientation of the board to another.
func turns(f Feature) bool { return KindOf(f.Kind).cells != nil || f.Kind == Corner }

// orient makes the tables of the 8 orientations from the oriented board's cells and corners.
func (c *Compiler) orient(cell *cells, corner *corners, hasCorners bool) *engine.Oriented {
	if c.oriented == nil {
		c.oriented = new(engine.Oriented)
	}
	c.oriented.Corners = nil
	if hasCorners {
		if c.atCorners == nil {
			c.atCorners = new([4][256]engine.Eight)
		}
		c.oriented.Corners = c.atCorners
	}
	var values [4][4][16]engine.Eight // of a rank in a cell of the board
	for o := range 8 {
		for r := range 4 {
			for k := range 4 {
				a, b := orientedCell(o, r, k)
				for rank, v := range cell[a][b] {
					values[r][k][rank][o] = v
				}
				if hasCorners && r%3 == 0 && k%3 == 0 {
					for i, v := range corner[a/3*2+b/3] {
						c.atCorners[r/3*2+k/3][i][o] = v
					}
				}
			}
		}
	}
	for i := range 4 {
		for h := range 2 {
			for pair := range 256 {
				a, b := &values[i][2*h][pair&15], &values[i][2*h+1][pair>>4]
				for o := range 8 {
					c.oriented.Lines[i][h][pair][o] = a[o] + b[o]
				}
			}
		}
	}
	return c.oriented
}

// orientedCell returns where orientation o, 0 to 7, puts the board's cell in row r and column k.
func orientedCell(o, r, k int) (row, column int) {
	if o>>2 == 1 {
		r, k = k, r
	}
	return r ^ (3 * (o & 1)), k ^ (3 * (o >> 1 & 1))
}

// definition returns the function that computes the value of a board of ranks 0..16 by the
// definitions of the features. It is the slow path for boards that tables cannot hold.
func (f *Family) definition(features []Feature) func(ranks *[4][4]int) float64 {
	var parts []func(*[4][4]int) float64
	for i := range features {
		parts = append(parts, features[i].definition())
	}
	orientations := 1 // the board as it is
	if f.Symmetry == SymmetryBest {
		orientations = 8
	}
	return func(ranks *[4][4]int) float64 {
		best := math.Inf(-1)
		for o := range orientations {
			var board [4][4]int
			for r := range board {
				for k := range board[r] {
					row, column := orientedCell(o, r, k)
					board[row][column] = ranks[r][k]
				}
			}
			sum := 0.0
			for i, part := range parts {
				sum += float64(features[i].Weight.Value * part(&board))
			}
			best = math.Max(best, sum)
		}
		return best
	}
}
