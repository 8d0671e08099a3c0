package eval

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"tune2048/engine"
)

// Fixed point has the most fraction bits that leave room for the largest sum of look-ups. Each
// rounded part of a table's entry is limited to MostEntry, so the sum of 64 features x 8 lines fits
// in 62 bits. A formula over the board is no look-up: weight x formula is a float64, limited to
// MostTerm.
const (
	valueBits = 62 // of the largest magnitude
	maxBits   = 60
	MostEntry = 1 << 50
	MostTerm  = 1 << 40
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
	bits := min(valueBits-exponent, maxBits)
	return fixedPoint{bits, math.Ldexp(1, bits)}
}

// entry returns the entry of a table: v, or the nearer one of MostEntry and -MostEntry.
func (to fixedPoint) entry(v float64) int64 {
	return int64(math.RoundToEven(float64(limited(v, MostEntry) * to.scale)))
}

// limited returns v, or the nearer one of most and -most. Too large a number x 0 is 0.
func limited(v, most float64) float64 {
	if v != v {
		return 0
	}
	return min(max(v, -most), most)
}

// Compiler turns a heuristic and values of its numbers into tables. It uses its memory again for
// the next values, and serves one goroutine.
type Compiler struct {
	heuristic *Heuristic
	numbers   int // of the heuristic
	tables    engine.Tables
	parts     partTables // of lines, rows, columns and squares
	along     alongTables
	cells     cellTables
	byLargest [16]cells            // memory of sumCells
	oriented  [16]*engine.Oriented // by rank of the largest tile; nil until they are needed
	formulas  []*tabulated         // by feature; nil for those over the board
	boards    []*boardTerm         // by feature; nil for the others
}

// cells has the value of a rank in each cell of the board.
type cells [4][4][16]int64

// cellTables is memory for tables of cells, by rank of the largest tile.
type cellTables [16]*engine.Cells

// NewCompiler returns a compiler of the heuristic, which must not change.
func NewCompiler(h *Heuristic) *Compiler { return &Compiler{heuristic: h, numbers: len(h.Names())} }

// Compile returns tables for a vector, valid until the next call. The heuristic, the vector and
// dead must be sound, see [Heuristic.Problems], [Slot.Refuse] and [Dead.Refuse]. It fails for a bot
// and for a vector of another length.
func (c *Compiler) Compile(v Vector, dead Dead) (*engine.Tables, error) {
	if c.heuristic.Bot != nil {
		return nil, errors.New("the player is a bot, which has no tables")
	}
	if len(v) != c.numbers {
		return nil, fmt.Errorf("want %d weights, got %d", c.numbers, len(v))
	}
	most := c.evaluate(v)
	if !dead.Worst {
		most = max(most, math.Abs(dead.Value))
	}
	to := fixedPointFor(most)
	t := &c.tables
	t.Bits = to.bits
	t.Board, t.ByEmpty = c.board()
	c.parts.fill(t, slices.DeleteFunc(slices.Clone(c.formulas), func(f *tabulated) bool { return f == nil }), to)
	best := c.heuristic.Symmetry == SymmetryBest
	t.Turns = best && c.turns()
	overCells := c.overCells()
	cell, byLargest := sumCells(overCells, to, &c.byLargest)
	cells := withLargest(cell, byLargest)
	t.ByLargest = byLargest != nil
	t.Oriented, t.Cells = nil, nil
	if best && !t.Turns && slices.ContainsFunc(overCells, (*tabulated).turns) {
		t.Oriented = c.orient(cells)
	} else if cells != nil {
		t.Cells = c.cells.pair(cells)
	}
	t.Dead = math.Ldexp(float64(to.entry(dead.Value)), -to.bits)
	if dead.Worst {
		// Below all values by more than the rounding of the means of searches.
		least := c.least(cell, byLargest) - int64(float64(most*to.scale)/(1<<20)) - 1
		t.Dead = math.Ldexp(float64(least), -to.bits)
		if limit := float64(float64(len(c.counting())) * MostTerm); limit > 0 {
			t.Dead -= limit + (most+limit)/(1<<20)
		}
	}
	t.Along = c.along.prepare(t, cells)
	t.Bound = nil
	if t.Board == nil && t.ByEmpty == nil && !t.Turns {
		t.Bound = sync.OnceValue(func() *engine.Bound {
			return engine.NewBound(t, (*[4][4][16]int64)(cell),
				mostByLargest(byLargest))
		})
	}
	return t, nil
}

// evaluate works out the formulas of the features with the numbers of a vector. It returns an upper
// limit of the sum of the magnitudes of all look-ups of a board.
func (c *Compiler) evaluate(v Vector) (most float64) {
	features := c.heuristic.Features
	if c.formulas == nil {
		formulas, boards := make([]*tabulated, len(features)), make([]*boardTerm, len(features))
		for i := range features {
			if p := features[i].sound(); p.part.key == overBoard {
				boards[i] = newBoardTerm(p)
			} else {
				formulas[i] = p.tabulate()
			}
		}
		c.formulas, c.boards = formulas, boards
	}
	for i := range features {
		if c.boards[i] != nil {
			c.boards[i].evaluate(v)
			continue
		}
		t := c.formulas[i]
		if t.parsed.take(v) {
			t.renew()
		}
		t.weight = v[features[i].Weight.At]
		weight := math.Abs(t.weight)
		look := func(places int, magnitude float64) {
			if weight != 0 {
				most += float64(float64(places) * min(float64(weight*magnitude), MostEntry))
			}
		}
		if t.part.key != overCell {
			look(t.part.places, t.most(t.root))
			continue
		}
		for cell := range 16 {
			look(1, t.mostOfCell(cell))
		}
	}
	return most
}

// least returns a lower limit of the sum of a board's look-ups: the sum of the least entries.
func (c *Compiler) least(cell *cells, byLargest *[16]cells) (low int64) {
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
	for i := range 16 {
		if cell != nil {
			low += slices.Min(cell[i/4][i%4][:])
		}
		if byLargest != nil {
			least := int64(math.MaxInt64)
			for largest := range byLargest {
				least = min(least, slices.Min(byLargest[largest][i/4][i%4][:]))
			}
			low += least
		}
	}
	return low
}

// counting returns the formulas over the board whose weight is not 0.
func (c *Compiler) counting() []*boardTerm {
	return slices.DeleteFunc(slices.Clone(c.boards), func(b *boardTerm) bool { return b == nil || b.weight == 0 })
}

// board returns the sum of the formulas over the board: as a function, by the number of blanks if
// they depend on nothing else, or nil and nil if none counts.
func (c *Compiler) board() (of func(engine.Board) float64, byEmpty *[17]float64) {
	terms := c.counting()
	if len(terms) == 0 {
		return nil, nil
	}
	of = func(b engine.Board) (sum float64) {
		for _, x := range terms {
			sum += limited(float64(x.weight*x.at(b)), MostTerm)
		}
		return sum
	}
	if slices.ContainsFunc(terms, func(b *boardTerm) bool { return !slices.Equal(b.used, []int{0}) }) {
		return of, nil
	}
	byEmpty = new([17]float64)
	board := engine.Board(0x1111111111111111)
	for empty := range byEmpty {
		byEmpty[empty] = of(board)
		board <<= 4
	}
	return nil, byEmpty
}

// turns reports whether a formula differs from one orientation of the board to another.
func (c *Compiler) turns() bool {
	return slices.ContainsFunc(c.counting(), (*boardTerm).turns) || turnsParts(&c.tables)
}

// overCells returns the formulas over cells.
func (c *Compiler) overCells() (all []*tabulated) {
	for _, t := range c.formulas {
		if t != nil && t.part.key == overCell {
			all = append(all, t)
		}
	}
	return all
}

// turns reports whether a formula over cells differs from one orientation of the board to another.
// Largest names one cell for a value of the whole board.
func (t *tabulated) turns() bool {
	return t.root.set&ofCell != 0 && (t.parsed == nil || t.parsed.feature.Kind != Largest)
}

// at returns the value of a column of a formula over cells.
func (col *column) at(largest, cell, rank int) float64 {
	return col.values[col.over.of[rank|cell<<4|largest<<8]]
}

// mostOfCell returns the largest magnitude of a formula over cells in one of them.
func (t *tabulated) mostOfCell(cell int) (most float64) {
	if t.values(t.root); t.nothingIn(cell) {
		return 0
	}
	first := 15
	if t.root.set&ofLargest != 0 {
		first = 0
	}
	for largest := first; largest < 16; largest++ {
		for rank := range largest + 1 {
			most = max(most, math.Abs(t.root.at(largest, cell, rank)))
		}
	}
	return most
}

// nothingIn reports whether a factor that depends on the cell alone is 0 there.
func (t *tabulated) nothingIn(cell int) bool {
	return slices.ContainsFunc(t.root.factors(), func(factor *column) bool {
		return factor.set&^ofCell == 0 && factor.at(0, cell, 0) == 0
	})
}

// factors returns the factors of a product, from the left.
func (col *column) factors() []*column {
	if col.Name == "*" {
		return append(col.operands[0].factors(), col.operands[1])
	}
	return []*column{col}
}

// sumCells adds up formulas over cells: those that do not depend on the largest tile, and by its
// rank those that do. It returns nil for either if there are none. The weight is multiplied with
// one factor after the other.
func sumCells(formulas []*tabulated, to fixedPoint, memory *[16]cells) (cell *cells, byLargest *[16]cells) {
	add := func(t *tabulated, sum *cells, largest, most int) {
		factors := t.root.factors()
		for i := range 16 {
			if t.nothingIn(i) {
				continue
			}
			entries := &sum[i/4][i%4]
			for rank := range most + 1 {
				v := t.weight
				for _, factor := range factors {
					v = float64(v * factor.at(largest, i, rank))
				}
				entries[rank] += to.entry(v)
			}
		}
	}
	for _, t := range formulas {
		if t.values(t.root); t.root.set&ofLargest == 0 {
			cell = cmp.Or(cell, new(cells))
			add(t, cell, 15, 15)
			continue
		}
		if byLargest == nil {
			byLargest, *memory = memory, [16]cells{}
		}
		for largest := range byLargest {
			add(t, &byLargest[largest], largest, largest)
		}
	}
	return cell, byLargest
}

// mostByLargest returns an upper limit of what the largest tile adds to a board.
func mostByLargest(byLargest *[16]cells) (most int64) {
	for i := range 16 {
		if byLargest != nil {
			limit := int64(math.MinInt64)
			for largest := range byLargest {
				limit = max(limit, slices.Max(byLargest[largest][i/4][i%4][:largest+1]))
			}
			most += limit
		}
	}
	return most
}

// withLargest returns the cells by rank of the largest tile. If that does not matter there is one
// entry, and none without any cells.
func withLargest(cell *cells, byLargest *[16]cells) (all []*cells) {
	switch {
	case byLargest == nil && cell == nil:
		return nil
	case byLargest == nil:
		return []*cells{cell}
	}
	for largest := range byLargest {
		sum := *cmp.Or(cell, new(cells))
		for i := range 16 {
			for rank, v := range byLargest[largest][i/4][i%4] {
				sum[i/4][i%4][rank] += v
			}
		}
		all = append(all, &sum)
	}
	return all
}

// pair returns tables of the cells.
func (c *cellTables) pair(of []*cells) *[16]*engine.Cells {
	for i, cells := range of {
		if c[i] == nil {
			c[i] = new(engine.Cells)
		}
		for r := range cells {
			c[i][r] = pairs(&cells[r])
		}
	}
	return (*[16]*engine.Cells)(c)
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

// orient makes the tables of the 8 orientations from the oriented board's cells.
func (c *Compiler) orient(of []*cells) *[16]*engine.Oriented {
	for i, cells := range of {
		if c.oriented[i] == nil {
			c.oriented[i] = new(engine.Oriented)
		}
		var values [4][4][16]engine.Eight // of a rank in a cell of the board
		for o := range 8 {
			for r := range 4 {
				for k := range 4 {
					a, b := orientedCell(o, r, k)
					for rank, v := range cells[a][b] {
						values[r][k][rank][o] = v
					}
				}
			}
		}
		for r := range c.oriented[i] {
			for h := range 2 {
				for pair := range 256 {
					a, b := &values[r][2*h][pair&15], &values[r][2*h+1][pair>>4]
					for o := range 8 {
						c.oriented[i][r][h][pair][o] = a[o] + b[o]
					}
				}
			}
		}
	}
	return &c.oriented
}

// orientedCell returns where orientation o, 0 to 7, puts the board's cell in row r and column k.
func orientedCell(o, r, k int) (row, column int) {
	if o>>2 == 1 {
		r, k = k, r
	}
	return r ^ (3 * (o & 1)), k ^ (3 * (o >> 1 & 1))
}
