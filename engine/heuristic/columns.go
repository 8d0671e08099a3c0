package heuristic

import (
	"math"
	"slices"
	"sync"

	"tune2048/engine"
)

// A formula becomes a table column by column. An operation is done once for each combination of its
// quantities: pow(a, p) is 17 powers, not 65,536, and max(b-a, 0) is 289 differences. A column
// without the formula's numbers is worked out once, so new numbers cost little.
//
// The spine of an expression is its sums, min, max, choices and signs from the root downwards. Its
// leaves are multiplied by the weight and rounded. The spine is computed from them in fixed point,
// so sums do not depend on their order. In min(pow(a, p) + b*c, d) the spine is min and +, the
// leaves are pow(a, p), b*c and d.

// allRanks is how many ranks a tile of a line may have: a blank, and those up to a 65536.
const allRanks = maxTileRank + 1

// allLines is the number of lines. Line a + 17b + 289c + 4913d has the ranks a, b, c, d.
const allLines = allRanks * allRanks * allRanks * allRanks

// lineOf returns the ranks of a line.
func lineOf(n int) [4]int {
	return [4]int{n % allRanks, n / allRanks % allRanks, n / (allRanks * allRanks) % allRanks, n / (allRanks * allRanks * allRanks)}
}

// levels has every quantity of every line: a rank or a count.
var levels = sync.OnceValue(func() *[][allLines]uint8 {
	all := make([][allLines]uint8, len(quantities))
	for n := range allLines {
		line := lineOf(n)
		for i, q := range quantities {
			all[i][n] = uint8(q.of(&line))
		}
	}
	return &all
})

// combinations are the different values of some quantities. A column has an entry for each.
type combinations struct {
	examples []uint32 // a line for each
	of       []uint32 // the entry of each line
}

// known has those that were asked for, by the set of quantities.
var known sync.Map

// mostCombinations is the limit above which a column has an entry for every line.
const mostCombinations = allRanks * allRanks * allRanks

// everyLine stands for the combinations of quantities that have too many.
var everyLine = sync.OnceValue(func() *combinations { return &combinations{examples: same(), of: same()} })

// combinationsOf returns the combinations of a set of quantities, given bit by bit.
func combinationsOf(set uint) *combinations {
	if d, made := known.Load(set); made {
		return d.(*combinations)
	}
	size := 1
	for i := range quantities {
		if set>>i&1 == 1 {
			size *= allRanks
		}
	}
	if size > mostCombinations {
		return everyLine()
	}
	keys := make([]uint32, size) // 1 + the entry
	d, levels := &combinations{of: make([]uint32, allLines)}, *levels()
	for line := range allLines {
		key := 0
		for i := range quantities {
			if set>>i&1 == 1 {
				key = key*allRanks + int(levels[i][line])
			}
		}
		if keys[key] == 0 {
			d.examples = append(d.examples, uint32(line))
			keys[key] = uint32(len(d.examples))
		}
		d.of[line] = keys[key] - 1
	}
	stored, _ := known.LoadOrStore(set, d)
	return stored.(*combinations)
}

// rows are the lines of a table, without a 65536. Only columns of rows take entries from them.
var rows = sync.OnceValue(func() *combinations {
	d := &combinations{examples: make([]uint32, 1<<16)}
	for row := range d.examples {
		d.examples[row] = uint32(row&15 + allRanks*(row>>4&15+allRanks*(row>>8&15+allRanks*(row>>12))))
	}
	return d
})

// column is an operation of a formula for all combinations of its quantities.
type column struct {
	*Expression
	operands []*column
	set      uint // of the quantities that it looks at
	varies   bool // a number of the formula is in it
	over     *combinations
	from     [3][]uint32 // by operand: which of its entries an entry takes
	values   []float64   // of all but the parts of the spine that have all lines
	fixed    []int64     // of the spine, and its leaves
}

// columns is a formula as columns.
type columns struct {
	tree    *Expression
	tile    tiles
	below   []*column // those that have values, operands first
	leaves  []*column
	spine   []*column // operands first; the last one is the root, unless there is only a leaf
	root    *column
	toRows  []uint32
	numbers []float64
}

// newColumns prepares the columns of a formula over four cells.
func newColumns(tree *Expression) *columns {
	c := &columns{tree: tree}
	c.root = c.summand(tree)
	c.toRows = taking(rows(), c.root.over)
	return c
}

// summand makes the column of an expression of the spine, or of one of its leaves.
func (c *columns) summand(e *Expression) *column {
	if !e.Sums() {
		leaf := c.leaf(e)
		c.leaves = append(c.leaves, leaf)
		return leaf
	}
	col := &column{Expression: e}
	for i, operand := range e.Operands {
		if e.operation == choose && i == 0 { // a condition is no summand
			col.operands = append(col.operands, c.leaf(operand))
			continue
		}
		col.operands = append(col.operands, c.summand(operand))
	}
	c.connect(col, rows())
	col.fixed = make([]int64, len(col.over.examples))
	if col.over != rows() { // so few that their limits are known exactly
		col.values = make([]float64, len(col.over.examples))
		c.below = append(c.below, col)
	}
	c.spine = append(c.spine, col)
	return col
}

// leaf makes the columns of an expression that is worked out in floating point.
func (c *columns) leaf(e *Expression) *column {
	col := &column{Expression: e}
	for _, operand := range e.Operands {
		col.operands = append(col.operands, c.leaf(operand))
	}
	c.connect(col, everyLine())
	col.values = make([]float64, len(col.over.examples))
	c.below = append(c.below, col)
	return col
}

// connect finds the quantities that a column looks at, and the entries of its operands. A column
// with too many combinations has all lines.
func (c *columns) connect(col *column, all *combinations) {
	col.varies = col.operation == number
	if col.operation == quantity {
		col.set = 1 << col.index
	}
	for _, operand := range col.operands {
		col.set |= operand.set
		col.varies = col.varies || operand.varies
	}
	if col.over = combinationsOf(col.set); col.over == everyLine() {
		col.over = all
	}
	for i, operand := range col.operands {
		col.from[i] = taking(col.over, operand.over)
	}
}

// taking returns which entry of others each entry takes.
func taking(d, other *combinations) []uint32 {
	if d == other {
		return same()[:len(d.examples)]
	}
	from := make([]uint32, len(d.examples))
	for i, line := range d.examples {
		from[i] = other.of[line]
	}
	return from
}

// evaluate works out the leaves with these values of the tiles by rank and of the formula's
// numbers.
func (c *columns) evaluate(tile tiles, numbers []float64) {
	all := tile != c.tile // as at first: tiles are above 0
	if !all && slices.Equal(c.numbers, numbers) {
		return
	}
	c.tile, c.numbers = tile, append(c.numbers[:0], numbers...)
	for _, col := range c.below {
		if all || col.varies {
			col.evaluate(&c.tile, numbers)
		}
	}
}

// evaluate works out a leaf of the spine, or what it is made of, once its operands are.
func (col *column) evaluate(tile *tiles, numbers []float64) {
	switch col.operation {
	case literal, number:
		x := col.Value
		if col.operation == number {
			x = numbers[col.index]
		}
		for i := range col.values {
			col.values[i] = x
		}
		return
	case quantity:
		for i, line := range col.over.examples {
			n := (*levels())[col.index][line]
			if col.values[i] = float64(n); quantities[col.index].tile {
				col.values[i] = tile[n]
			}
		}
		return
	case choose:
		condition, then, otherwise := col.operand(0), col.operand(1), col.operand(2)
		for i := range col.values {
			if condition(i) != 0 {
				col.values[i] = then(i)
			} else {
				col.values[i] = otherwise(i)
			}
		}
		return
	}
	x, y := col.operand(0), col.operand(len(col.operands)-1) // of one operand y is ignored
	result := apply
	switch col.operation {
	case power, logarithm, binaryLogarithm, exponential:
		result = new(memo).apply
	}
	for i := range col.values {
		col.values[i] = result(col.operation, x(i), y(i))
	}
}

// memo has recent results of one slow operation. Operands repeat: pow(min(a, b, c, d), p) has 17
// different powers for 83,521 lines. An entry answers for operands with the same bits only. apply
// is a pure function, so the memo returns the same bits.
type memo [256]struct {
	x, y   uint64
	known  bool
	result float64
}

func (m *memo) apply(o operation, x, y float64) float64 {
	bitsX, bitsY := math.Float64bits(x), math.Float64bits(y)
	entry := &m[(bitsX*0x9e3779b97f4a7c15^bitsY*0xc2b2ae3d27d4eb4f)>>56]
	if !entry.known || entry.x != bitsX || entry.y != bitsY {
		entry.x, entry.y, entry.known, entry.result = bitsX, bitsY, true, apply(o, x, y)
	}
	return entry.result
}

// operand returns the value of operand i for each entry of the column.
func (col *column) operand(i int) func(entry int) float64 {
	values, from := col.operands[i].values, col.from[i]
	return func(entry int) float64 { return values[from[entry]] }
}

// add adds weight x formula to the entries of a table, with the numbers of the last evaluation.
func (c *columns) add(weight float64, table *engine.LineTable, fixed func(float64) int64) {
	if weight == 0 {
		return
	}
	for _, leaf := range c.leaves {
		if leaf.fixed == nil {
			leaf.fixed = make([]int64, len(leaf.values))
		}
		for i, v := range leaf.values {
			if leaf.fixed[i] = 0; !math.IsNaN(v) && !math.IsInf(v, 0) { // never chosen: see Check
				leaf.fixed[i] = fixed(float64(math.Abs(weight) * v))
			}
		}
	}
	for _, col := range c.spine {
		col.combine()
	}
	sign := int64(1)
	if weight < 0 {
		sign = -1
	}
	values := c.root.fixed
	for row, at := range c.toRows {
		table[row] += sign * values[at]
	}
}

// combine works out a column of the spine.
func (col *column) combine() {
	out := col.fixed
	if col.operation == negate {
		for i, at := range col.from[0] {
			out[i] = -col.operands[0].fixed[at]
		}
		return
	}
	first := 0
	if col.operation == choose {
		first = 1
	}
	x, y := col.operands[first].fixed, col.operands[first+1].fixed
	fromX, fromY := col.from[first], col.from[first+1]
	switch col.operation {
	case add:
		for i := range out {
			out[i] = x[fromX[i]] + y[fromY[i]]
		}
	case minimum:
		for i := range out {
			out[i] = min(x[fromX[i]], y[fromY[i]])
		}
	case maximum:
		for i := range out {
			out[i] = max(x[fromX[i]], y[fromY[i]])
		}
	case choose:
		condition := col.operand(0)
		for i := range out {
			if condition(i) != 0 {
				out[i] = x[fromX[i]]
			} else {
				out[i] = y[fromY[i]]
			}
		}
	}
}

// same is 0, 1, 2 ...
var same = sync.OnceValue(func() []uint32 {
	all := make([]uint32, allLines)
	for i := range all {
		all[i] = uint32(i)
	}
	return all
})

// formulaBounds are the limits of a formula of one line, and the largest magnitude on its spine.
type formulaBounds struct {
	value   interval
	largest float64
}

// bounds returns a formula's limits, from the limits of sums of columns with the same quantities.
func (c *columns) bounds(hull func(...*column) interval) formulaBounds {
	largest, of := 0.0, map[*column]interval{}
	for _, col := range append(slices.Clone(c.leaves), c.spine...) {
		if col.values != nil {
			of[col] = hull(col)
		} else {
			var operands [3]interval
			for i, operand := range col.operands {
				operands[i] = of[operand]
			}
			if col.operation == choose {
				operands[0] = interval{0, 1} // either way
			}
			x := col.within(nil, nil, operands)
			switch col.operation {
			case minimum: // at most half of the sum
				x.high = math.Min(x.high, halfOf(col, hull).high)
			case maximum:
				x.low = math.Max(x.low, halfOf(col, hull).low)
			}
			of[col] = x
		}
		largest = math.Max(largest, of[col].magnitude())
	}
	return formulaBounds{of[c.root], largest}
}

// halfOf returns limits of half the sum of a column's two operands. Summands over the same
// combinations are added up first: rise and fall of a line are at most three steps each, but also
// at most three steps together.
func halfOf(col *column, hull func(...*column) interval) (half interval) {
	var same [][]*column
	for _, term := range append(col.operands[0].terms(nil), col.operands[1].terms(nil)...) {
		i := slices.IndexFunc(same, func(others []*column) bool { return others[0].over == term.over })
		switch {
		case term.values == nil:
			return interval{math.Inf(-1), math.Inf(1)} // not known
		case i < 0:
			same = append(same, []*column{term})
		default:
			same[i] = append(same[i], term)
		}
	}
	for _, terms := range same {
		half = half.plus(hull(terms...))
	}
	return interval{half.low / 2, half.high / 2}
}

// terms adds the summands of a sum, or the column itself, to the list.
func (col *column) terms(list []*column) []*column {
	if col.operation != add {
		return append(list, col)
	}
	return col.operands[1].terms(col.operands[0].terms(list))
}

// hull returns the limits of the sums of the columns' entries. Entries that are no number are left
// out: they are never chosen.
func hull(columns ...*column) (all interval) {
	none := true
	for i := range columns[0].values {
		v := 0.0
		for _, col := range columns {
			v += col.values[i]
		}
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
		case none:
			all, none = point(v), false
		default:
			all = interval{math.Min(all.low, v), math.Max(all.high, v)}
		}
	}
	return all
}
