package eval

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

// Fixed point has the most fraction bits that leave room for the largest sum of look-ups. Each
// entry is clamped to 2^50, so the sum of 64 features x 8 lines fits in 62 bits. A formula over the
// board whose limits are not known is limited to mostTerm.
const (
	valueBits = 62 // of the largest magnitude
	mostBits  = 60
	mostEntry = 1 << 50
	mostTerm  = 1 << 40
)

// fixedPoint holds v as the integer nearest to v x scale, which is 2^bits.
type fixedPoint struct {
	bits  int
	scale float64
}

// fixedPointFor returns the fixed point for values up to the given magnitude. It has room for a
// dead value below all others. Beyond 2^60 bits is below 0.
func fixedPointFor(most float64) fixedPoint {
	_, exponent := math.Frexp(2 * most)
	bits := min(valueBits-exponent, mostBits)
	return fixedPoint{bits, math.Ldexp(1, bits)}
}

// entry returns the entry of a table: v, or the nearer one of mostEntry and -mostEntry.
func (to fixedPoint) entry(v float64) int64 { return to.limited(v, mostEntry) }

func (to fixedPoint) limited(v, most float64) int64 {
	if v != v { // too large a number x 0
		return 0
	}
	return int64(math.RoundToEven(float64(min(max(v, -most), most) * to.scale)))
}

// Compiler turns a heuristic and values of its weights into tables. It uses its memory again for
// the next values, and serves one goroutine.
type Compiler struct {
	heuristic Heuristic // a copy, whose numbers are those of the last vector
	slots     []Slot    // of this copy
	tables    engine.Tables
	parts     partTables // of lines, rows, columns and squares
	// rows and columns hold parts and cells; nil until a deeper search needs them.
	rows, columns [4]*engine.LineTable
	oriented      *engine.Oriented // nil until it is needed
	formulas      []*tabulated     // by feature; nil for those without a formula of four cells
	boards        []*boardTerm     // likewise, of formulas over the board
	byEmpty       [17]int64
}

// cells has the value of a rank in a cell, corners by 16 x rank of the largest tile + rank there.
// nil: no feature has any.
type (
	cells   [4][4][16]int64
	corners [4]*[256]int64
)

// ErrBot: only the bot knows how its weights value a board.
var ErrBot = errors.New("the player is a bot, which has no tables")

// NewCompiler returns a compiler of the heuristic.
func NewCompiler(h *Heuristic) *Compiler {
	c := &Compiler{heuristic: h.With(h.Values())}
	c.slots = c.heuristic.Slots()
	return c
}

// Compile returns tables for the values of the heuristic's weights, valid until the next call. It
// fails for a wrong number of values, for a value that is not finite or outside its setting's
// domain, and for a formula that cannot be parsed. The error of a bot is ErrBot.
func (c *Compiler) Compile(values Vector, dead Dead) (*engine.Tables, error) {
	if c.heuristic.Bot != nil {
		return nil, ErrBot
	}
	if len(values) != len(c.slots) {
		return nil, fmt.Errorf("want %d weights, got %d", len(c.slots), len(values))
	}
	if len(c.heuristic.Features) > MaxFeatures {
		return nil, fmt.Errorf("want at most %d features, got %d", MaxFeatures, len(c.heuristic.Features))
	}
	if reason := dead.refuse(); reason != "" {
		return nil, fmt.Errorf("dead: %s", reason)
	}
	for i, slot := range c.slots {
		if *slot.Value = values[i] + 0; slot.Refuse(values[i]) != "" {
			return nil, fmt.Errorf("%s: %s", slot.Name, slot.Refuse(values[i]))
		}
	}
	features := c.heuristic.Features
	most, err := c.evaluate(features)
	if err != nil {
		return nil, err
	}
	if !dead.Worst {
		most = max(most, math.Abs(dead.Value))
	}
	to := fixedPointFor(most)
	t := &c.tables
	t.Bits = to.bits
	c.parts.fill(t, slices.DeleteFunc(slices.Clone(c.formulas), func(f *tabulated) bool { return f == nil }), to)
	c.compileBoards(to)
	cell, corner := sumCells(features, to), sumCorners(features, to)
	if t.Dead = to.entry(dead.Value); dead.Worst {
		// Below all values by more than the rounding of the means of searches.
		t.Dead = c.least(cell, corner, to) - int64(float64(most*to.scale)/(1<<20)) - 1
	}
	best := c.heuristic.Symmetry == SymmetryBest
	t.Turns = best && c.turns()
	t.Oriented, t.Cells, t.Corners = nil, nil, corners{}
	if best && !t.Turns && slices.ContainsFunc(features, turns) {
		t.Oriented = c.orient(cell, corner)
	} else if t.Corners = corner; cell != nil {
		t.Cells = new([4][2][256]int64)
		for i := range cell {
			t.Cells[i] = pairs(&cell[i])
		}
	}
	t.Along = sync.OnceValues(func() (rows, columns [4]*engine.LineTable) { return c.along(cell) })
	t.Bound = nil
	if t.Bounded() {
		t.Bound = sync.OnceValue(func() *engine.Bound { return engine.NewBound(t) })
	}
	return t, nil
}

// evaluate works out the formulas of features whose weights are fixed. It returns an upper limit of
// the sum of the magnitudes of all look-ups of a board.
func (c *Compiler) evaluate(features []Term) (most float64, err error) {
	if c.formulas == nil {
		formulas, boards := make([]*tabulated, len(features)), make([]*boardTerm, len(features))
		for i := range features {
			f := &features[i]
			kind := KindOf(f.Kind)
			if kind.Line == nil {
				continue
			}
			p, err := f.parse()
			if err != nil {
				return 0, fmt.Errorf("%s: %s: %w", f.Name, cmp.Or(f.Over, overLine), err)
			}
			if p.part.key == overBoard {
				boards[i] = newBoardTerm(p)
			} else {
				formulas[i] = tabulate(p.part, p.tree, kind.uses("power"))
			}
		}
		c.formulas, c.boards = formulas, boards
	}
	for i := range features {
		f := &features[i]
		weight, tile := math.Abs(f.Weight), f.tiles()
		look := func(places int, magnitude, limit float64) {
			if weight != 0 {
				most += float64(float64(places) * min(float64(weight*magnitude), limit))
			}
		}
		switch kind := KindOf(f.Kind); {
		case c.boards[i] != nil:
			c.boards[i].evaluate(f.Weight, f.numbers())
			most += c.boards[i].all.magnitude()
		case c.formulas[i] != nil:
			c.formulas[i].weight = f.Weight
			look(c.formulas[i].part.places, c.formulas[i].evaluate(&tile, f.numbers()), mostEntry)
		case kind.cells != nil:
			for _, row := range kind.cells(f) {
				for _, factor := range row {
					look(1, math.Abs(factor)*tile[maxTileRank], mostEntry)
				}
			}
		default:
			look(1, tile[maxTileRank], mostEntry)
		}
	}
	return most, nil
}

// least returns a lower limit of the values of all boards: the sum of the least entries.
func (c *Compiler) least(cell *cells, corner corners, to fixedPoint) (low int64) {
	t := &c.tables
	if t.Rows != nil {
		rows := slices.Min(t.Rows[:])
		columns := rows
		if t.Columns != t.Rows {
			columns = slices.Min(t.Columns[:])
		}
		low += 4*rows + 4*columns
	}
	if t.Squares[0] != nil {
		low += 9 * slices.Min(t.Squares[0][:])
	}
	low += slices.Min(c.byEmpty[:])
	for _, b := range c.boards {
		if b != nil && !b.byEmpty() {
			low += to.limited(b.all.low, b.most) - 1 // limits are rounded
		}
	}
	for i := range 16 {
		if cell != nil {
			low += slices.Min(cell[i/4][i%4][:])
		}
	}
	for _, values := range corner {
		if values != nil {
			low += slices.Min(values[:])
		}
	}
	return low
}

// compileBoards makes the table by blanks, and the function of the rest of the formulas over the
// board.
func (c *Compiler) compileBoards(to fixedPoint) {
	var terms []*boardTerm
	c.byEmpty = [17]int64{}
	c.tables.ByEmpty, c.tables.Board = nil, nil
	for _, b := range c.boards {
		switch {
		case b == nil:
		case b.byEmpty():
			c.tables.ByEmpty = &c.byEmpty
			for n := range c.byEmpty {
				c.byEmpty[n] += to.entry(float64(b.weight * b.tree.value([]float64{float64(n)}, nil)))
			}
		default:
			terms = append(terms, b)
		}
	}
	if terms != nil {
		c.tables.Board = func(b engine.Board) (sum int64) {
			for _, x := range terms {
				sum += to.limited(float64(x.weight*x.of(b)), x.most)
			}
			return sum
		}
	}
}

// turns reports whether a formula differs from one orientation of the board to another.
func (c *Compiler) turns() bool {
	return slices.ContainsFunc(c.boards, func(b *boardTerm) bool { return b != nil && b.turns() }) ||
		turnsParts(&c.tables)
}

// sumCells adds up the features that depend on the cell: position and snake.
func sumCells(features []Term, to fixedPoint) (sum *cells) {
	for i := range features {
		f := &features[i]
		kind := KindOf(f.Kind)
		if kind.cells == nil {
			continue
		}
		if sum == nil {
			sum = new(cells)
		}
		tile, factors := f.tiles(), kind.cells(f)
		for r := range sum {
			for k := range sum[r] {
				w := float64(f.Weight * factors[r][k])
				for rank := range sum[r][k] {
					sum[r][k][rank] += to.entry(float64(w * tile[rank]))
				}
			}
		}
	}
	return sum
}

// sumCorners adds up the features that look at the largest tile: corner and largest.
func sumCorners(features []Term, to fixedPoint) (sum corners) {
	for i := range features {
		f := &features[i]
		if KindOf(f.Kind).corner == nil {
			continue
		}
		corner := f.cornerIndex() // one without a corner is looked up with any
		if sum[corner] == nil {
			sum[corner] = new([256]int64)
		}
		for k, power := range f.cornerPowers() {
			sum[corner][k] += to.entry(float64(f.Weight * power))
		}
	}
	return sum
}

// cornerPowers returns the feature, of a kind that looks at a corner, by 16 x rank of the largest
// tile + rank there.
func (f *Term) cornerPowers() *[256]float64 {
	powers := new([256]float64)
	for largest := range 16 {
		for rank := range largest + 1 {
			powers[largest<<4|rank] = total(portable.Pow(KindOf(f.Kind).corner(f.tileOf(largest), f.tileOf(rank)),
				f.Power))
		}
	}
	return powers
}

// noLines is the table of heuristics without line features.
var noLines engine.LineTable

// along makes the tables of rows and columns out of the tables of cells and parts.
func (c *Compiler) along(cell *cells) (rows, columns [4]*engine.LineTable) {
	t := &c.tables
	r, k := cmp.Or(t.Rows, &noLines), cmp.Or(t.Columns, &noLines)
	if t.Cells == nil {
		return [4]*engine.LineTable{r, r, r, r}, [4]*engine.LineTable{k, k, k, k}
	}
	for i := range 4 {
		column := pairs(&[4][16]int64{cell[0][i], cell[1][i], cell[2][i], cell[3][i]})
		fillLine(&c.rows[i], &t.Cells[i], r)
		fillLine(&c.columns[i], &column, k)
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
		for low, l := range lines[high<<8 : high<<8+256] {
			out[low] = half[0][low] + v + l
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
func turns(f Term) bool { return KindOf(f.Kind).cells != nil || f.Kind == Corner }

// orient makes the tables of the 8 orientations from the oriented board's cells and corners.
func (c *Compiler) orient(cell *cells, corner corners) *engine.Oriented {
	if c.oriented == nil {
		c.oriented = new(engine.Oriented)
	}
	c.oriented.Corners = nil
	if corner != (corners{}) {
		c.oriented.Corners = new([4][256]engine.Eight)
	}
	var values [4][4][16]engine.Eight // of a rank in a cell of the board
	for o := range 8 {
		for r := range 4 {
			for k := range 4 {
				a, b := orientedCell(o, r, k)
				for rank := range 16 {
					if cell != nil {
						values[r][k][rank][o] = cell[a][b][rank]
					}
				}
				if from := corner[a/3*2+b/3]; from != nil && r%3 == 0 && k%3 == 0 {
					for i, v := range from {
						c.oriented.Corners[r/3*2+k/3][i][o] = v
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
