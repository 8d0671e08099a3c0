package eval

import (
	"math"
	"math/bits"
	"slices"

	"tune2048/engine"
)

// A formula over the whole board is worked out for each leaf. A part of it that depends on one
// small whole number becomes a table: on the blanks, the largest tile, the different tiles, the
// moves, a largest tile's place, or a sum of whole numbers.

// maxSums is the largest number of sums of a formula over the board.
const maxSums = 8

// mostLevels is the largest range of a whole number that gets a table.
const mostLevels = 4096

// boardValues are the quantities and sums of a board. Of the largest tile it is the rank.
type boardValues [16]float64 // seven, and maxSums; or those of four cells, with their row at byRow

const byRow = 15

// boardTerm is a formula over the whole board, ready for values of its numbers.
type boardTerm struct {
	*parsed
	tile   tiles
	sums   []*boardSum
	used   []int // the quantities and sums that it depends on
	levels []level

	// Of the last evaluation.
	weight  float64
	lookups map[*Expression]lookup
}

// level is a quantity or sum. If it is a whole number within known limits, it gets a table.
type level struct {
	interval
	whole bool
}

// boardSum is a sum of a formula over the places of a part. It is held in fixed point, so it does
// not depend on its order.
type boardSum struct {
	of     *tabulated
	memory partTables
	tables engine.Tables
}

// newBoardTerm prepares a formula over the board.
func newBoardTerm(p *parsed) *boardTerm {
	b := &boardTerm{parsed: p, tile: p.feature.tiles()}
	for i, tree := range p.sums {
		b.sums = append(b.sums, &boardSum{of: tabulate(partOf(p.feature.Sums[i].Over), tree, false)})
	}
	for i := range len(boardQuantities) + len(b.sums) {
		if p.tree.set>>i&1 == 1 {
			b.used = append(b.used, i)
		}
	}
	return b
}

// evaluate prepares the formula for these values of its weight and its numbers.
func (b *boardTerm) evaluate(weight float64, numbers []float64) {
	b.levels = b.levels[:0]
	for _, q := range boardQuantities {
		b.levels = append(b.levels, level{q.limits, q.limits.high <= mostLevels})
	}
	for _, s := range b.sums {
		b.levels = append(b.levels, s.fill(&b.tile, numbers))
	}
	b.tree.fix(numbers, map[*Expression]bool{})
	b.weight, b.lookups = weight, map[*Expression]lookup{}
	b.prepare(b.tree)
	for e, made := range b.lookups { // when all are made: they are of tiles, and look ranks up
		e.lookup = made
	}
}

// fill makes the sum's tables, and returns its level.
func (s *boardSum) fill(tile *tiles, numbers []float64) (l level) {
	places := float64(s.of.part.places)
	to := fixedPointFor(places * min(s.of.evaluate(tile, numbers), mostEntry))
	s.memory.fill(&s.tables, []*tabulated{s.of}, to)
	s.tables.Bits = to.bits
	table := map[string]*engine.LineTable{overLine: s.tables.Rows, overRow: s.tables.Rows,
		overColumn: s.tables.Columns, overSquare: s.tables.Squares[1]}[s.of.part.key]
	unit := math.Ldexp(places, -to.bits)
	low, high := float64(slices.Min(table[:]))*unit, float64(slices.Max(table[:]))*unit
	mask := int64(1)<<to.bits - 1
	if slices.ContainsFunc(table[:], func(v int64) bool { return v&mask != 0 }) || !(high-low <= mostLevels) {
		return level{}
	}
	return level{interval{int(low), int(high)}, true}
}

// fix gives the numbers of an expression their values, and takes its tables.
func (e *Expression) fix(numbers []float64, done map[*Expression]bool) {
	if e.lookup = (lookup{}); len(e.Operands) == 0 && e.set == 0 && e.index >= 0 {
		e.Value = numbers[e.index]
	}
	for _, operand := range e.Operands {
		if !done[operand] {
			done[operand] = true
			operand.fix(numbers, done)
		}
	}
}

// prepare makes the tables of an expression's parts that depend on one small whole number or on
// none. The empty board, which no search values, counts as one with the smallest tile.
func (b *boardTerm) prepare(e *Expression) {
	if _, done := b.lookups[e]; done {
		return
	}
	switch by := bits.TrailingZeros(e.set); {
	case e.set == 0:
		b.lookups[e] = lookup{table: []float64{e.value(nil, nil)}}
	case bits.OnesCount(e.set) == 1 && b.levels[by].whole:
		of := lookup{by: by, low: b.levels[by].low}
		var q boardValues
		for n := of.low; n <= b.levels[by].high; n++ {
			if q[by] = float64(n); by < len(boardQuantities) {
				q[by] = boardQuantities[by].value(n, &b.tile)
			}
			of.table = append(of.table, e.value(q[:], nil))
		}
		b.lookups[e] = of
	default:
		b.lookups[e] = lookup{}
		for _, operand := range e.Operands {
			b.prepare(operand)
		}
	}
}

// of returns the formula's value for a board.
func (b *boardTerm) of(board engine.Board) float64 {
	var v boardValues
	for _, i := range b.used {
		if i < len(boardQuantities) {
			v[i] = float64(boardQuantities[i].board(board))
		} else {
			v[i] = b.sums[i-len(boardQuantities)].tables.Value(board)
		}
	}
	return b.tree.value(v[:], nil)
}

// turns reports whether the formula differs from one orientation of the board to another.
func (b *boardTerm) turns() bool {
	return slices.ContainsFunc(b.sums, func(s *boardSum) bool { return turnsParts(&s.tables) })
}
