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
	low, high int
	whole     bool
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
		l := level{low: int(q.limits.low), high: int(q.limits.high)}
		l.whole = l.high <= mostLevels
		b.levels = append(b.levels, l)
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
	return level{int(low), int(high), true}
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

// interval is a range of numbers, its ends included. An operation whose results have no known
// limits has unlimited.
type interval struct{ low, high float64 }

var unlimited = interval{math.Inf(-1), math.Inf(1)}

// known reports whether numbers within the limits are far from too large.
func (i interval) known() bool { return i.low > -farLimit && i.high < farLimit }

const farLimit = 1e300

func (i interval) magnitude() float64 { return math.Max(-i.low, i.high) }

// limits returns limits of an operation's results for operands within limits.
//
// Proof. All results of comparisons and logic are 0 or 1, and choose has a result of its second or
// third operand. Each other operation is monotone in either operand while the other one stays, if
// it is defined on the whole rectangle of the operands: of log, log2 this is x > 0, of / it is a
// rectangle without y = 0, of pow x > 0, or x >= 0 and y >= 0. log and log2 of any number are 0, or
// between -1075 and 1075, since the least float64 above 0 is 2^-1074. A function that is monotone
// in each operand has its extremes at the corners of the rectangle. sqrt counts as 0 below 0, and
// so is monotone everywhere. If all corners are far from too large, so are all results, and none
// counts as 0 instead. Otherwise, and outside these rectangles, no limits are known. abs falls and
// rises: its least result is at 0, if 0 is within the operand's limits. pow, log and exp are
// rounded by a few units in the last place. The margins of [fixedPointFor] and of a worst dead
// value are wider.
func (e *Expression) limits(operands [3]interval) interval {
	x, y := operands[0], operands[1]
	switch e.Name {
	case "<", "<=", "==", "!=", "&&", "||", "!":
		return interval{0, 1}
	case "choose":
		z := operands[2]
		return interval{math.Min(y.low, z.low), math.Max(y.high, z.high)}
	}
	sound := true
	switch e.Name {
	case "abs":
		return interval{math.Max(0, math.Max(x.low, -x.high)), x.magnitude()}
	case "/":
		sound = y.low > 0 || y.high < 0
	case "pow":
		sound = x.low > 0 || x.low == 0 && y.low >= 0
	case "log", "log2":
		if x.low <= 0 {
			return interval{-1075, min(log2(max(x.high, 1)), 1075)}
		}
	case "sqrt":
		x.low, x.high = math.Max(x.low, 0), math.Max(x.high, 0)
	}
	i := interval{math.Inf(1), math.Inf(-1)}
	for _, a := range [2]float64{x.low, x.high} {
		for _, b := range [2]float64{y.low, y.high} {
			result := e.of(a, b)
			sound = sound && math.Abs(result) < farLimit
			i = interval{math.Min(i.low, result), math.Max(i.high, result)}
		}
	}
	if !sound {
		return unlimited
	}
	return i
}
