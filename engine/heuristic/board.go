package heuristic

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"tune2048/engine"
)

// mostLevels is the largest range of a sum that counts as a small whole number.
const mostLevels = 4096

// maxSums is the largest number of sums of a formula over the board.
const maxSums = 8

// parsed is a feature's formula as a tree, with its sums.
type parsed struct {
	feature *Feature
	part    *part
	tree    *Expression
	sums    []*Expression // by feature.Sums
}

// parse reads the formula of a line feature, or of one over another part of the board. The error is
// a *Problem.
func (f *Feature) parse() (*parsed, error) {
	p := &parsed{feature: f, part: partOf(f.Over)}
	symbols := p.part.symbols
	trees := []*Expression{}
	for _, s := range f.Sums {
		tree, err := parseFormula(s.Formula, s.Over, partOf(s.Over).symbols, f.Numbers)
		if err != nil {
			problem := err.(*Problem)
			problem.Key, problem.Reason = "sums", s.Name+": "+s.Over+": "+problem.Reason
			return nil, problem
		}
		trees, symbols = append(trees, tree), append(slices.Clip(symbols), s.Name)
	}
	tree, err := parseFormula(KindOf(f.Kind).Line(f), p.part.key, symbols, f.Numbers)
	if err != nil {
		return nil, err
	}
	p.tree, p.sums = tree, trees
	for i, s := range f.Sums {
		if !tree.uses(quantity, len(boardQuantities)+i) {
			return nil, &Problem{Feature: -1, Key: "sums", Reason: "the formula does not use its sum " + s.Name}
		}
	}
	for i, n := range f.Numbers {
		if !slices.ContainsFunc(append(trees, tree), func(t *Expression) bool { return t.uses(number, i) }) {
			return nil, &Problem{Feature: -1, Key: p.part.key, Reason: "column 1: the formula does not use its number " + n.Symbol}
		}
	}
	return p, nil
}

// definition returns the formula's value for a board of ranks 0..16, the slow way.
func (p *parsed) definition(tile tiles) func(ranks *[4][4]int) float64 {
	over := func(part *part, tree *Expression, ranks *[4][4]int) (sum float64) {
		for _, place := range part.places(ranks) {
			sum += tree.of(lineQuantities(&place, &tile))
		}
		return sum
	}
	if p.part.places != nil {
		return func(ranks *[4][4]int) float64 { return over(p.part, p.tree, ranks) }
	}
	return func(ranks *[4][4]int) float64 {
		var q []float64
		for i, x := range boardQuantities {
			q = append(q, levelOf(i, x.slow(ranks), &tile))
		}
		for i, sum := range p.sums {
			q = append(q, over(partOf(p.feature.Sums[i].Over), sum, ranks))
		}
		return p.tree.of(q)
	}
}

// levelOf returns the i-th quantity of a board, which is n: the largest tile is a rank there.
func levelOf(i, n int, tile *tiles) float64 {
	if boardQuantities[i].symbol == "largest" {
		return tile[n]
	}
	return float64(n)
}

// boardFormula is a formula over the whole board, ready for values of its numbers. Each part of it
// that hangs on one small whole number becomes a table: on the blanks, the largest tile, the
// different tiles, the moves, a largest tile's place, or a sum of whole numbers. The rest is worked
// out for each board. A sum is held in fixed point, so its value does not depend on its order.
type boardFormula struct {
	*parsed
	tile   tiles
	sums   []*boardSum
	ranges boardRanges // of the last evaluation
	used   []int       // the quantities that it looks at
	bound  *Expression // the tree with the numbers and tables of the last evaluation
}

// boardSum is a sum of a formula over the places of a part.
type boardSum struct {
	name    string
	part    *part
	columns *columns
	memory  partTables
	tables  engine.Tables
}

// boardRanges has the limits of the quantities of boards, and of a formula's numbers.
type boardRanges struct {
	q       []interval
	level   []bool // whether a quantity is a small whole number
	numbers []interval
	tile    *tiles
}

// newBoardFormula prepares a formula over the board.
func newBoardFormula(p *parsed) *boardFormula {
	b := &boardFormula{parsed: p, tile: p.feature.tiles()}
	for i, tree := range p.sums {
		s := p.feature.Sums[i]
		b.sums = append(b.sums, &boardSum{name: s.Name, part: partOf(s.Over), columns: newColumns(tree)})
	}
	for i := range len(boardQuantities) + len(b.sums) {
		if p.tree.uses(quantity, i) {
			b.used = append(b.used, i)
		}
	}
	return b
}

// boardLimits returns the limits of the quantities that each board has.
func (b *boardFormula) boardLimits(numbers []interval) boardRanges {
	r := boardRanges{numbers: numbers, tile: &b.tile}
	for _, x := range boardQuantities {
		r.q, r.level = append(r.q, x.limits), append(r.level, x.limits.high <= mostLevels)
	}
	return r
}

// evaluate works out the tables for these values of the numbers, and returns the formula's limits.
func (b *boardFormula) evaluate(numbers []float64) (formulaBounds, error) {
	var points []interval
	for _, x := range numbers {
		points = append(points, point(x))
	}
	b.ranges = b.boardLimits(points)
	for _, s := range b.sums {
		s.columns.evaluate(b.tile, numbers)
		limits := s.columns.bounds(hull)
		if err := s.fill(limits); err != nil {
			return formulaBounds{}, fmt.Errorf("%s: sums: %s: %w", b.feature.Name, s.name, err)
		}
		b.ranges.add(s.limits(limits), s.whole())
	}
	b.tree.fix(numbers)
	b.bound = b.ranges.bind(b.tree)
	value, _ := b.ranges.of(b.tree)
	return formulaBounds{value, value.magnitude()}, nil
}

// add adds the limits of a sum.
func (r *boardRanges) add(limits interval, whole bool) {
	r.q, r.level = append(r.q, limits), append(r.level, whole && limits.high-limits.low <= mostLevels)
}

// limits returns the sum's limits, from one place's.
func (s *boardSum) limits(one formulaBounds) interval { return point(s.part.sizes).times(one.value) }

// fill makes the sum's tables for the numbers of the last evaluation.
func (s *boardSum) fill(one formulaBounds) error {
	fractions, err := fractionBits(math.Max(s.limits(one).magnitude(), one.largest))
	if err != nil {
		return err
	}
	scale := math.Ldexp(1, fractions)
	s.memory.begin()
	s.columns.add(1, s.memory.at(s.part.key), func(v float64) int64 { return int64(math.RoundToEven(float64(v * scale))) })
	s.memory.into(&s.tables)
	s.tables.Bits = fractions
	return nil
}

// whole reports whether every entry is a whole number.
func (s *boardSum) whole() bool {
	mask := int64(1)<<s.tables.Bits - 1
	return !slices.ContainsFunc(s.memory.at(s.part.key)[:], func(v int64) bool { return v&mask != 0 })
}

// set returns the quantities of an expression, bit by bit.
func (e *Expression) set() (set uint) {
	if e.operation == quantity || e.operation == look {
		return 1 << e.index
	}
	for _, operand := range e.Operands {
		set |= operand.set()
	}
	return set
}

// sole returns the one small whole number that an expression hangs on, if it does on one.
func (r *boardRanges) sole(e *Expression) (index int, is bool) {
	set := e.set()
	index = bits.TrailingZeros(set)
	return index, bits.OnesCount(set) == 1 && r.level[index] && r.q[index].low < r.q[index].high
}

// at returns a small quantity's value by its level: the largest tile's is a rank.
func (r *boardRanges) at(index, level int) float64 {
	if index < len(boardQuantities) {
		return levelOf(index, level, r.tile)
	}
	return float64(level)
}

// fix gives the numbers of an expression their values.
func (e *Expression) fix(numbers []float64) {
	if e.operation == number {
		e.Value = numbers[e.index]
	}
	for _, operand := range e.Operands {
		operand.fix(numbers)
	}
}

// bind returns the expression with tables of its parts that hang on one small whole number.
func (r *boardRanges) bind(e *Expression) *Expression {
	if e.set() == 0 {
		return &Expression{operation: literal, Value: e.of(nil)}
	}
	if index, is := r.sole(e); is {
		table := &Expression{operation: look, index: index, low: int(r.q[index].low)}
		q := make([]float64, len(r.q))
		for level := table.low; level <= int(r.q[index].high); level++ {
			q[index] = r.at(index, level)
			table.table = append(table.table, e.of(q))
		}
		return table
	}
	bound := *e
	bound.Operands = nil
	for _, operand := range e.Operands {
		bound.Operands = append(bound.Operands, r.bind(operand))
	}
	return &bound
}

// of returns the formula's value for a board without a 65536.
func (b *boardFormula) of(board engine.Board) float64 {
	var q [16]float64 // room for the seven and maxSums
	for _, i := range b.used {
		if i < len(boardQuantities) {
			q[i] = float64(boardQuantities[i].of(board))
		} else {
			q[i] = b.sums[i-len(boardQuantities)].tables.Value(board)
		}
	}
	return b.bound.of(q[:])
}

// byEmpty returns the formula's value for each number of blanks, if it looks at nothing else.
func (b *boardFormula) byEmpty() (values []float64, is bool) {
	if len(b.used) == 1 && b.used[0] < len(boardQuantities) && boardQuantities[b.used[0]].symbol == "empty" {
		return b.bound.table, true
	}
	return nil, false
}

// turns reports whether the formula differs from one orientation of the board to another.
func (b *boardFormula) turns() bool {
	return slices.ContainsFunc(b.sums, func(s *boardSum) bool { return s.memory.turns(&s.tables) })
}

// fault is an operation that may have no result, with its operands' limits.
type fault struct {
	*Expression
	operands [3]interval
}

// of returns the limits of an expression, or the first operation that may have no result.
func (r *boardRanges) of(e *Expression) (limits interval, blame *fault) {
	if index, is := r.sole(e); is { // exactly, level by level
		ends := r.q[index]
		defer func() { r.q[index] = ends }()
		for level := int(ends.low); level <= int(ends.high); level++ {
			r.q[index] = point(r.at(index, level))
			one, blame := r.of(e)
			if blame != nil {
				return one, blame
			}
			if level == int(ends.low) {
				limits = one
			}
			limits = interval{math.Min(limits.low, one.low), math.Max(limits.high, one.high)}
		}
		return limits, nil
	}
	here := &fault{Expression: e}
	for k, operand := range e.Operands {
		within, wrong := r.of(operand)
		if here.operands[k] = within; blame == nil {
			blame = wrong
		}
	}
	limits = e.within(func(i int) interval {
		if i < len(boardQuantities) && boardQuantities[i].symbol == "largest" && r.q[i] == boardQuantities[i].limits {
			return interval{r.tile[1], r.tile[maxTileRank]}
		}
		return r.q[i]
	}, r.numbers, here.operands)
	switch {
	case !limits.none():
		return limits, nil
	case blame == nil:
		return limits, here
	}
	return limits, blame
}
