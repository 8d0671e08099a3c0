package eval

import (
	"math"
	"slices"
	"sync"

	"tune2048/engine"
)

// A formula over four cells becomes a table of 65,536 rows, operation by operation. An operation is
// worked out once for each combination of its quantities: pow(a, p) is 16 powers, and max(b-a, 0)
// is 256 differences. An operation without the formula's numbers is worked out once, so new numbers
// cost little.
//
// The summands of a formula lie behind its sums, min, max, choices and signs, seen from the root
// (see [Expression.Sums]). Summands are worked out in float64, multiplied by the weight and rounded
// to fixed point. Sums of them are sums of integers, so they do not depend on their order. In
// min(pow(a, p) + b*c, d) the summands are pow(a, p), b*c and d.

// combinations are the different values that some quantities have together.
type combinations struct {
	rows []uint16 // an example of each
	of   []uint16 // the combination of each of the 65,536 rows
}

// everyRow stands for the combinations of quantities that have too many: 0, 1, 2 ... 65,535.
var everyRow = sync.OnceValue(func() *combinations {
	all := make([]uint16, 1<<16)
	for i := range all {
		all[i] = uint16(i)
	}
	return &combinations{all, all}
})

// levels has every quantity of every row: a rank or a count.
var levels = sync.OnceValue(func() [][1 << 16]uint8 {
	all := make([][1 << 16]uint8, len(quantities))
	for row := range 1 << 16 {
		line := [4]int{row & 15, row >> 4 & 15, row >> 8 & 15, row >> 12}
		for i, q := range quantities {
			all[i][row] = uint8(q.line(&line))
		}
	}
	return all
})

// knownCombinations has those that were asked for, by the set of quantities.
var knownCombinations sync.Map

// countCombinations returns an upper limit of the combinations of a set of quantities, at most
// 65,536.
func countCombinations(set uint) int {
	size := 1
	for i, q := range quantities {
		if set>>i&1 == 1 {
			size *= int(q.limits.high) + 1
		}
	}
	return min(size, 1<<16)
}

// combinationsOf returns the combinations of a set of quantities, given bit by bit.
func combinationsOf(set uint) *combinations {
	if d, made := knownCombinations.Load(set); made {
		return d.(*combinations)
	}
	size := countCombinations(set)
	if size == 1<<16 {
		return everyRow()
	}
	number, d := make([]uint16, size), &combinations{of: make([]uint16, 1<<16)} // 0: not met yet
	for row := range d.of {
		key := 0
		for i, q := range quantities {
			if set>>i&1 == 1 {
				key = key*int(q.limits.high+1) + int(levels()[i][row])
			}
		}
		if number[key] == 0 {
			d.rows = append(d.rows, uint16(row))
			number[key] = uint16(len(d.rows))
		}
		d.of[row] = number[key] - 1
	}
	stored, _ := knownCombinations.LoadOrStore(set, d)
	return stored.(*combinations)
}

// tabulated is a formula over four cells, ready for values of its numbers.
type tabulated struct {
	part *part
	all  []*column // operands first; the last one is the root

	// Of the last evaluation.
	weight  float64
	numbers []float64
	tile    tiles
}

// column is an operation for all combinations of its quantities. A column of all rows is worked out
// for a block of rows at a time, so that it stays in the processor's fastest cache.
type column struct {
	*Expression
	operands []*column
	from     [3][]uint16 // by operand: the entry that each entry takes
	over     *combinations
	varies   bool // with the formula's numbers, or with the power of tiles
	real     bool // its values are needed
	summand  bool // its values are rounded
	sum      bool // it is worked out from the rounded values of its operands

	values []float64
	fixed  []int64 // of a block of rows, if it has all rows
	most   float64 // the largest magnitude of a summand; of a sum an upper limit
	recent *memo

	needed bool  // its rounded values are needed
	times  int64 // how often it is added to the table
}

// block is the number of rows in a block.
const block = 1024

// full reports whether the column has all rows.
func (col *column) full() bool { return len(col.over.rows) == 1<<16 }

// tabulate prepares a formula over four cells. powered: the power of its tiles may change.
func tabulate(part *part, tree *Expression, powered bool) *tabulated {
	t, made := &tabulated{part: part, weight: 1}, map[*Expression]*column{}
	var columnOf func(e *Expression) *column
	columnOf = func(e *Expression) *column {
		if made[e] == nil {
			made[e] = newColumn(e, powered, columnOf)
			t.all = append(t.all, made[e])
		}
		return made[e]
	}
	columnOf(tree).need(true)
	for _, col := range t.all {
		size := len(col.over.rows)
		if col.real {
			col.values = make([]float64, size)
		}
		if col.full() {
			size = block
		}
		if col.sum || col.summand {
			col.fixed = make([]int64, size)
		}
	}
	return t
}

// newColumn makes the column of an expression out of its operands' columns.
func newColumn(e *Expression, powered bool, columnOf func(*Expression) *column) *column {
	col := &column{Expression: e, over: combinationsOf(e.set)}
	col.varies = e.operation == number || e.operation == quantity && powered && quantities[e.index].tile
	for k, operand := range e.Operands {
		o := columnOf(operand)
		col.operands = append(col.operands, o)
		col.varies = col.varies || o.varies
		if col.from[k] = o.over.of; !col.full() {
			col.from[k] = make([]uint16, len(col.over.rows))
			for i, row := range col.over.rows {
				col.from[k][i] = o.over.of[row]
			}
		}
	}
	switch e.operation {
	case power, logarithm, binaryLogarithm, exponential:
		col.recent = new(memo)
	}
	return col
}

// need marks the use of a column and its operands: of rounded values, or of values.
func (col *column) need(rounded bool) {
	if rounded && col.Sums() {
		if !col.sum {
			col.sum = true
			for k, operand := range col.operands {
				operand.need(col.operation != choose || k > 0)
			}
		}
		return
	}
	col.summand = col.summand || rounded
	if !col.real {
		col.real = true
		for _, operand := range col.operands {
			operand.need(false)
		}
	}
}

// root is the column of the whole formula.
func (t *tabulated) root() *column { return t.all[len(t.all)-1] }

// evaluate works out the summands with these values of the tiles by rank and of the formula's
// numbers. It returns an upper limit of the formula's magnitude.
func (t *tabulated) evaluate(tile *tiles, numbers []float64) (most float64) {
	if t.tile == *tile && slices.Equal(t.numbers, numbers) { // not at first: tiles are above 0
		return t.root().most
	}
	first := t.tile == tiles{}
	t.tile, t.numbers = *tile, append(t.numbers[:0], numbers...)
	work := func(full bool, low, high int) {
		for _, col := range t.all {
			if col.full() == full && col.real && (first || col.varies) {
				col.evaluate(low, min(high, len(col.over.rows)), tile, numbers)
			}
		}
	}
	work(false, 0, 1<<16)
	for low := 0; low < 1<<16; low += block {
		work(true, low, low+block)
	}
	for _, col := range t.all {
		switch n := len(col.operands); {
		case col.summand && (first || col.varies):
			col.most = 0
			for _, v := range col.values {
				col.most = max(col.most, math.Abs(v))
			}
		case col.sum && col.operation == add:
			col.most = col.operands[0].most + col.operands[1].most
		case col.sum:
			col.most = max(col.operands[max(n-2, 0)].most, col.operands[n-1].most)
		}
	}
	return t.root().most
}

// evaluate works out the entries from low to before high of a column from its operands' values.
func (col *column) evaluate(low, high int, tile *tiles, numbers []float64) {
	out := col.values[low:high]
	switch col.operation {
	case literal:
		out[0] = col.Value
		return
	case number:
		out[0] = numbers[col.index]
		return
	case quantity:
		for i, row := range col.over.rows {
			out[i] = quantities[col.index].value(int(levels()[col.index][row]), tile)
		}
		return
	}
	n := len(col.operands) - 1
	x, fromX := col.operands[0].values, col.from[0][low:high]
	y, fromY := col.operands[n].values, col.from[n][low:high] // of one operand y is ignored
	switch of := operations[col.operation].of; {
	case col.operation == choose:
		then, fromThen := col.operands[1].values, col.from[1][low:high]
		for i := range out {
			if out[i] = y[fromY[i]]; x[fromX[i]] != 0 {
				out[i] = then[fromThen[i]]
			}
		}
	case col.recent != nil:
		for i := range out {
			out[i] = col.recent.apply(col.operation, x[fromX[i]], y[fromY[i]])
		}
	default:
		for i := range out {
			out[i] = total(of(x[fromX[i]], y[fromY[i]]))
		}
	}
}

// memo has recent results of one slow operation. Operands repeat: pow(min(a, b, c, d), p) has 16
// different powers for 65,536 rows. An entry answers for operands with the same bits only. apply
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

// partial is a sum for each combination of some quantities.
type partial struct {
	set    uint
	over   *combinations
	values []int64
}

// plus returns the sum of two.
func (p partial) plus(other partial) partial {
	over := combinationsOf(p.set | other.set)
	values := make([]int64, len(over.rows))
	for i, row := range over.rows {
		values[i] = p.values[p.over.of[row]] + other.values[other.over.of[row]]
	}
	return partial{p.set | other.set, over, values}
}

// fillTable fills a table with the sum of some formulas with their weights. A summand and a sum
// count as mostEntry at most.
//
// Few of a formula's summands have all rows. The others are added up by their quantities first, and
// sums of few combinations to larger ones. The order does not matter, for they are integers.
func fillTable(table *engine.LineTable, formulas []*tabulated, to fixedPoint) {
	var sums []partial
	for _, t := range formulas {
		t.open()
		t.round(false, 0, 1<<16, to)
		for _, col := range t.all {
			if col.times == 0 || col.full() {
				continue
			}
			i := slices.IndexFunc(sums, func(p partial) bool { return p.over == col.over })
			if i < 0 {
				i = len(sums)
				sums = append(sums, partial{col.set, col.over, make([]int64, len(col.fixed))})
			}
			for k, v := range col.fixed {
				sums[i].values[k] += col.times * v
			}
		}
	}
	sums = merged(sums)
	for low := 0; low < 1<<16; low += block {
		out := table[low : low+block]
		clear(out)
		for _, p := range sums {
			for i, at := range p.over.of[low : low+block] {
				out[i] += p.values[at]
			}
		}
		for _, t := range formulas {
			t.round(true, low, low+block, to)
			for _, col := range t.all {
				if col.times != 0 && col.full() {
					for i, v := range col.fixed {
						out[i] += col.times * v
					}
				}
			}
		}
	}
}

// merged adds up sums as long as the combinations of two are fewer than all rows.
func merged(sums []partial) []partial {
	for {
		least, a, b := 1<<16, 0, 0
		for i := range sums {
			for k := range i {
				if n := countCombinations(sums[i].set | sums[k].set); n < least {
					least, a, b = n, k, i
				}
			}
		}
		if least == 1<<16 {
			return sums
		}
		sums[a] = sums[a].plus(sums[b])
		sums = slices.Delete(sums, b, b+1)
	}
}

// open finds the columns that make up the table: the summands of the root, seen through its
// additions. An addition that may have to be limited stays.
func (t *tabulated) open() {
	for _, col := range t.all {
		col.needed, col.times = false, 0
	}
	var visit func(col *column, times int64)
	visit = func(col *column, times int64) {
		switch {
		case col.sum && col.operation == negate:
			visit(col.operands[0], -times)
		case col.sum && col.operation == add && !t.limits(col):
			visit(col.operands[0], times)
			visit(col.operands[1], times)
		default:
			col.times += times
			col.require()
		}
	}
	if visit(t.root(), 1); t.weight < 0 { // turns the sign in the end
		for _, col := range t.all {
			col.times = -col.times
		}
	}
}

// limits reports whether weight x column may be above mostEntry.
func (t *tabulated) limits(col *column) bool {
	return float64(math.Abs(t.weight)*col.most) > mostEntry
}

// require marks the column and the sums and summands that it is made of.
func (col *column) require() {
	if !col.needed {
		col.needed = true
		for k, operand := range col.operands {
			if col.sum && (col.operation != choose || k > 0) {
				operand.require()
			}
		}
	}
}

// round works out the entries from low to before high of the rounded columns that are full, or of
// the others.
func (t *tabulated) round(full bool, low, high int, to fixedPoint) {
	size := math.Abs(t.weight)
	for _, col := range t.all {
		if !col.needed || col.full() != full {
			continue
		}
		high := min(high, len(col.over.rows))
		out := col.fixed[:high-low]
		if col.sum {
			if col.combine(out, low, high); t.limits(col) {
				most := to.entry(mostEntry)
				for i, v := range out {
					out[i] = min(max(v, -most), most)
				}
			}
			continue
		}
		for i, v := range col.values[low:high] {
			out[i] = to.entry(float64(size * v))
		}
	}
}

// rounded returns the rounded values of operand k, and which of them the entries from low to before
// high take.
func (col *column) rounded(k, low, high int) (fixed []int64, from []uint16) {
	if o := col.operands[k]; o.full() {
		return o.fixed, everyRow().of[:high-low]
	}
	return col.operands[k].fixed, col.from[k][low:high]
}

// combine works out some entries of a sum from its operands' rounded values.
func (col *column) combine(out []int64, low, high int) {
	n := len(col.operands)
	y, fromY := col.rounded(n-1, low, high)
	if col.operation == negate {
		for i, at := range fromY {
			out[i] = -y[at]
		}
		return
	}
	x, fromX := col.rounded(n-2, low, high)
	fromX = fromX[:len(out)]
	fromY = fromY[:len(out)]
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
		condition, from := col.operands[0].values, col.from[0][low:high]
		for i := range out {
			if out[i] = y[fromY[i]]; condition[from[i]] != 0 {
				out[i] = x[fromX[i]]
			}
		}
	}
}
