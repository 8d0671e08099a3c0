package eval

import (
	"math"
	"slices"
	"sync"

	"tune2048/engine"
)

// A formula over four cells becomes a table of 65,536 rows, operation by operation. So does one
// over a cell, whose tile, place and largest tile stand for three of the cells. An operation is
// worked out once for each combination of its quantities: pow(a, p) is 16 powers, and max(b-a, 0)
// is 256 differences. An operation without the formula's numbers is worked out once, so new numbers
// cost little.
//
// The summands of a formula lie behind its sums, min, max, choices and signs, seen from the root
// (see [Expression.Sums]). Summands are worked out in float64, multiplied by the weight and rounded
// to fixed point. Sums of them are sums of integers, so they do not depend on their order. In
// min(pow(a, p) + b*c, d) the summands are pow(a, p), b*c and d.

// combinations are the joint values of some quantities, numbered.
type combinations struct {
	set  uint
	rows []uint16 // an example of each
	of   []uint16 // the combination of each of the 65,536 rows
}

// everyRow stands for the combinations of quantities that have too many: 0, 1, 2 ... 65,535.
var everyRow = sync.OnceValue(func() *combinations {
	all := make([]uint16, 1<<16)
	for i := range all {
		all[i] = uint16(i)
	}
	return &combinations{rows: all, of: all}
})

// levels has, by quantity, what makes its value in every row: a rank or a count.
var levels = func() (all []func() *[1 << 16]uint8) {
	for _, q := range quantities {
		all = append(all, sync.OnceValue(func() *[1 << 16]uint8 {
			of := new([1 << 16]uint8)
			for row := range of {
				of[row] = uint8(q.line(&[4]int{row & 15, row >> 4 & 15, row >> 8 & 15, row >> 12}))
			}
			return of
		}))
	}
	return all
}()

// knownCombinations has those that were asked for, by the set of quantities.
var knownCombinations sync.Map

// countCombinations returns an upper limit of the combinations of a set of quantities, at most
// 65,536.
func countCombinations(set uint) int {
	size := 1
	for i, q := range quantities {
		if set>>i&1 == 1 {
			size *= q.limits.high + 1
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
	d := &combinations{set: set, of: make([]uint16, 1<<16)}
	number := make([]uint16, size) // of a combination, from 1; 0: not met yet

	var counts []int // of the values of each quantity
	var of []*[1 << 16]uint8
	for i, q := range quantities {
		if set>>i&1 == 1 {
			counts, of = append(counts, q.limits.high+1), append(of, levels[i]())
		}
	}
	for row := range d.of {
		key := 0
		for i, count := range counts {
			key = key*count + int(of[i][row])
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
	parsed *parsed // the feature's formula; nil for a sum of a formula over the board
	part   *part
	root   *column

	columns map[*Expression]*column
	recent  map[string]*memo // by operation
	ordered []*column        // operands before the operations on them, as they are worked out
	tile    *tiles

	weight float64 // of the last vector

	// Of the last table.
	table *engine.LineTable
	to    fixedPoint
	spare []int64 // memory for the rounded values of all rows
}

// column is an operation for all combinations of its quantities. It is worked out when it is asked
// for: its values, or of a sum the rounded values alone.
type column struct {
	*Expression
	operands []*column
	from     [3][]uint16 // by operand: the entry that each entry takes
	over     *combinations
	varies   bool  // with the formula's numbers
	recent   *memo // of a slow operation, shared with the formula's others of its name

	values  []float64
	valued  bool    // they are those of the numbers
	most    float64 // the largest magnitude, of a sum an upper limit; -1: unknown
	rounded []int64
	known   bool // they are those of the table that is being filled
}

// full reports whether the column has all rows.
func (col *column) full() bool { return len(col.over.rows) == 1<<16 }

// tabulate prepares a feature's formula over four cells.
func (p *parsed) tabulate() *tabulated {
	t := tabulate(p.part, p.tree, new(p.feature.tiles()))
	t.parsed = p
	return t
}

// tabulate prepares a formula over four cells, with these values of the tiles by rank.
func tabulate(part *part, tree *Expression, tile *tiles) *tabulated {
	t := &tabulated{part: part, tile: tile, weight: 1, columns: map[*Expression]*column{}, recent: map[string]*memo{}}
	t.root = t.column(tree)
	return t
}

// column returns the column of an expression.
func (t *tabulated) column(e *Expression) *column {
	if col := t.columns[e]; col != nil {
		return col
	}
	col := &column{Expression: e, over: combinationsOf(e.set), most: -1}
	col.varies = e.set == 0 && e.index >= 0
	for k, operand := range e.Operands {
		o := t.column(operand)
		col.operands = append(col.operands, o)
		col.varies = col.varies || o.varies
		col.from[k] = o.over.of
		if !col.full() {
			col.from[k] = make([]uint16, len(col.over.rows))
			for i, row := range col.over.rows {
				col.from[k][i] = o.over.of[row]
			}
		}
	}
	if slices.Contains([]string{"pow", "log", "log2", "exp"}, e.Name) {
		if t.recent[e.Name] == nil {
			t.recent[e.Name] = new(memo)
		}
		col.recent = t.recent[e.Name]
	}
	t.columns[e], t.ordered = col, append(t.ordered, col)
	return col
}

// renew forgets the values that depend on the formula's numbers.
func (t *tabulated) renew() {
	for _, col := range t.columns {
		if col.varies {
			col.valued, col.most = false, -1
		}
	}
}

// most returns an upper limit of the magnitude of a summand or sum.
func (t *tabulated) most(col *column) float64 {
	if n := len(col.operands); col.most < 0 {
		switch {
		case !col.Sums():
			for _, v := range t.values(col) {
				col.most = max(col.most, math.Abs(v))
			}
		case col.Name == "+":
			col.most = t.most(col.operands[0]) + t.most(col.operands[1])
		default:
			col.most = max(t.most(col.operands[max(n-2, 0)]), t.most(col.operands[n-1]))
		}
	}
	return col.most
}

// values returns the values of a column.
func (t *tabulated) values(col *column) []float64 {
	if !col.valued {
		col.valued = true
		for _, operand := range col.operands {
			t.values(operand)
		}
		col.evaluate(t.tile)
	}
	return col.values
}

// evaluate works out the values of a column from its operands' values.
func (col *column) evaluate(tile *tiles) {
	if col.values == nil {
		col.values = make([]float64, len(col.over.rows))
	}
	out := col.values
	switch {
	case col.quantity():
		level := levels[col.index]()
		for i, row := range col.over.rows {
			out[i] = quantities[col.index].value(int(level[row]), tile)
		}
		return
	case len(col.operands) == 0:
		out[0] = col.Value
		return
	}
	n := len(col.operands) - 1
	x, fromX := col.operands[0].values, col.from[0]
	y, fromY := col.operands[n].values, col.from[n] // of one operand y is ignored
	switch of := col.of; {
	case of == nil: // choose
		then, fromThen := col.operands[1].values, col.from[1]
		for i := range out {
			out[i] = y[fromY[i]]
			if x[fromX[i]] != 0 {
				out[i] = then[fromThen[i]]
			}
		}
	case col.recent != nil:
		for i := range out {
			out[i] = total(col.recent.apply(of, x[fromX[i]], y[fromY[i]]))
		}
	default:
		for i := range out {
			out[i] = total(of(x[fromX[i]], y[fromY[i]]))
		}
	}
}

// memo has recent results of one slow operation. Operands repeat: pow(min(a, b, c, d), p) has 16
// different powers for 65,536 rows, and pow(b, p) has those of pow(a, p). An entry answers for
// operands with the same bits only. apply is a pure function, so the memo returns the same bits.
type memo [256]struct {
	x, y   uint64
	known  bool
	result float64
}

func (m *memo) apply(of func(x, y float64) float64, x, y float64) float64 {
	bitsX, bitsY := math.Float64bits(x), math.Float64bits(y)
	entry := &m[(bitsX*0x9e3779b97f4a7c15^bitsY*0xc2b2ae3d27d4eb4f)>>56]
	if !entry.known || entry.x != bitsX || entry.y != bitsY {
		entry.x, entry.y, entry.known, entry.result = bitsX, bitsY, true, of(x, y)
	}
	return entry.result
}

// partial is a sum for each combination of some quantities.
type partial struct {
	over   *combinations
	values []int64
}

func zero() partial { return partial{combinationsOf(0), []int64{0}} }

// plus returns the sum of two.
func (p partial) plus(other partial) partial {
	over := combinationsOf(p.over.set | other.over.set)
	values := make([]int64, len(over.rows))
	for i, row := range over.rows {
		values[i] = p.values[p.over.of[row]] + other.values[other.over.of[row]]
	}
	return partial{over, values}
}

// partials are added up.
type partials []partial

// add adds the rounded values of a column, so many times.
func (all *partials) add(col *column, times int64) {
	i := slices.IndexFunc(*all, func(p partial) bool { return p.over == col.over })
	if i < 0 {
		i = len(*all)
		*all = append(*all, partial{col.over, make([]int64, len(col.rounded))})
	}
	for k, v := range col.rounded {
		(*all)[i].values[k] += times * v
	}
}

// merged adds up partials as long as the combinations of two are fewer than all rows, and returns
// an even number of them.
func (all partials) merged() partials {
	for len(all) > 2 {
		least, a, b := 1<<16, 0, 0
		for i := range all {
			for k := range i {
				if n := countCombinations(all[i].over.set | all[k].over.set); n < least {
					least, a, b = n, k, i
				}
			}
		}
		if least == 1<<16 {
			break
		}
		all[a] = all[a].plus(all[b])
		all = slices.Delete(all, b, b+1)
	}
	if len(all)%2 == 1 {
		all = append(all, zero())
	}
	return all
}

// addTo adds the sum of two partials, at most limit, to each row, so many times. This loop is most
// of the cost of a candidate's tables. Within a larger function it runs out of registers.
//
//go:noinline
func addTo(table *engine.LineTable, a, b partial, times, limit int64) {
	x, y, fromX, fromY := a.values, b.values, a.over.of[:len(table)], b.over.of[:len(table)]
	for i, v := range table {
		table[i] = v + times*min(x[fromX[i]]+y[fromY[i]], limit)
	}
}

// fillTable fills a table with the sum of some formulas with their weights. A summand and a sum
// count as MostEntry at most.
//
// Few of a formula's summands have all rows. The others are added up by their quantities first, and
// sums of few combinations to larger ones. The order does not matter, for they are integers.
func fillTable(table *engine.LineTable, formulas []*tabulated, to fixedPoint) {
	clear(table[:])
	var sum partials
	for _, t := range formulas {
		t.table, t.to = table, to
		for _, col := range t.columns {
			col.known = false
		}
		sign := int64(1)
		if t.weight < 0 { // turns the sign in the end
			sign = -1
		}
		t.add(t.root, sign, &sum)
	}
	for sum = sum.merged(); len(sum) > 0; sum = sum[2:] {
		addTo(table, sum[0], sum[1], 1, math.MaxInt64)
	}
}

// add adds a column to the sum, or if it has all rows to the table, so many times. It sees through
// additions, but for one that may have to be limited.
func (t *tabulated) add(col *column, times int64, sum *partials) {
	switch {
	case col.Name == negate:
		t.add(col.operands[0], -times, sum)
	case col.Name == "+" && !t.limits(col):
		t.add(col.operands[0], times, sum)
		t.add(col.operands[1], times, sum)
	case !col.full():
		t.round(col)
		sum.add(col, times)
	case !t.addExtreme(col, times, sum):
		addTo(t.table, partial{everyRow(), t.round(col)}, zero(), times, math.MaxInt64)
		t.spare, col.rounded, col.known = col.rounded, nil, false
	}
}

// addExtreme adds the smaller or larger one of two sums in one pass over the table, if both have
// small summands: min(x, y) is x + min(y - x, 0), and max(x, y) is x - min(x - y, 0).
func (t *tabulated) addExtreme(col *column, times int64, sum *partials) bool {
	if col.Name != "min" && col.Name != "max" || t.limits(col) || !t.adds(col.operands[0]) || !t.adds(col.operands[1]) {
		return false
	}
	sign, difference := int64(1), partials(nil)
	if col.Name == "max" {
		sign = -1
	}
	t.add(col.operands[0], -sign, &difference)
	t.add(col.operands[1], sign, &difference)
	difference = difference.merged()
	if len(difference) > 2 {
		return false
	}
	t.add(col.operands[0], times, sum)
	addTo(t.table, difference[0], difference[1], sign*times, 0)
	return true
}

// adds reports whether a column is a sum of small columns.
func (t *tabulated) adds(col *column) bool {
	return !col.full() || (col.Name == "+" || col.Name == negate) && !t.limits(col) &&
		!slices.ContainsFunc(col.operands, func(o *column) bool { return !t.adds(o) })
}

// limits reports whether weight x column may be above MostEntry.
func (t *tabulated) limits(col *column) bool {
	return float64(math.Abs(t.weight)*t.most(col)) > MostEntry
}

// round returns the rounded values of a column.
func (t *tabulated) round(col *column) []int64 {
	if col.known {
		return col.rounded
	}
	col.known = true
	if col.rounded == nil && col.full() {
		col.rounded, t.spare = t.spare, nil
	}
	if col.rounded == nil {
		col.rounded = make([]int64, len(col.over.rows))
	}
	out := col.rounded
	if !col.Sums() {
		size := math.Abs(t.weight)
		for i, v := range t.values(col) {
			out[i] = t.to.entry(float64(size * v))
		}
		return out
	}
	n := len(col.operands)
	y, fromY := t.round(col.operands[n-1]), col.from[n-1][:len(out)]
	if col.Name == negate {
		for i, at := range fromY {
			out[i] = -y[at]
		}
		return out
	}
	x, fromX := t.round(col.operands[n-2]), col.from[n-2][:len(out)]
	switch col.Name {
	case "+":
		for i := range out {
			out[i] = x[fromX[i]] + y[fromY[i]]
		}
	case "min":
		for i := range out {
			out[i] = min(x[fromX[i]], y[fromY[i]])
		}
	case "max":
		for i := range out {
			out[i] = max(x[fromX[i]], y[fromY[i]])
		}
	case "choose":
		condition, from := t.values(col.operands[0]), col.from[0]
		for i := range out {
			out[i] = y[fromY[i]]
			if condition[from[i]] != 0 {
				out[i] = x[fromX[i]]
			}
		}
	}
	if t.limits(col) {
		most := t.to.entry(MostEntry)
		for i, v := range out {
			out[i] = min(max(v, -most), most)
		}
	}
	return out
}
