package eval

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"tune2048/engine"
)

// A formula over the whole board is worked out for each leaf. A part of it that depends on one
// whole number alone becomes a table: on the blanks, the largest tile, the different tiles, the
// moves, the place of a largest tile, or a sum of whole numbers. Where all formulas depend on the
// blanks alone, they are one table of the last chance layer.
//
// A formula that is linear in the blanks and the points is none of these: it is one over lines.

// linear reports whether a formula over the board is a multiple of the blanks, plus one of the
// points, plus a number.
func linear(e *Expression) bool {
	if e.set == 0 || e.quantity() {
		return e.set == 0 || e.Name == "empty" || e.Name == "points"
	}
	for _, operand := range e.Operands {
		if !linear(operand) {
			return false
		}
	}
	switch e.Name {
	case "+", "-", negate:
		return true
	case "*":
		return e.Operands[0].set == 0 || e.Operands[1].set == 0
	}
	return e.Name == "/" && e.Operands[1].set == 0
}

// overLines makes a linear formula one over lines. Each cell lies in two lines, so a line has half
// of its blanks and of its points. The formula's number, its value without both, belongs to 8
// lines.
func (p *parsed) overLines() {
	tile := "%[1]s * (log2(max(%[1]s, 1)) - 1) / 2"
	if p.feature.Tile == Rank {
		tile = "(%[1]s > 0) * (%[1]s - 1) * pow(2, %[1]s) / 2"
	}
	var tiles []string
	for _, name := range []string{"a", "b", "c", "d"} {
		tiles = append(tiles, fmt.Sprintf(tile, name))
	}
	p.part, p.split = partOf(overLine), true
	f := formula{key: overBoard, names: p.names(p.part), used: map[string]bool{}, feature: p.feature}
	board := p.tree
	p.tree = f.node("-", f.replace(board, f.parse("empty / 2"), f.parse(strings.Join(tiles, " + "))),
		f.node("*", f.parse("0.875"), f.replace(board, f.parse("0"), f.parse("0"))))
}

// replace returns an expression with others in place of the blanks and the points.
func (f formula) replace(e, empty, points *Expression) *Expression {
	switch {
	case e.set == 0:
		return e
	case e.Name == "empty":
		return empty
	case e.Name == "points":
		return points
	}
	var operands []*Expression
	for _, operand := range e.Operands {
		operands = append(operands, f.replace(operand, empty, points))
	}
	return f.node(e.Name, operands...)
}

// maxSums is the largest number of sums of a formula over the board.
const maxSums = 8

// maxLevels is the largest range of a whole number that gets a table.
const maxLevels = 4096

// boardValues are the quantities and sums of a board. Of the largest tile it is the rank.
type boardValues [16]float64 // 7 quantities of a board and up to 8 sums

// boardTerm is a formula over the whole board, ready for values of its numbers.
type boardTerm struct {
	*parsed
	tile   tiles
	sums   []*boardSum
	used   []int      // the quantities and sums that it depends on
	weight float64    // of the last evaluation
	limits []interval // by quantity and sum; of a sum that is no whole number 0 to maxLevels
}

// boardSum is a sum of a formula over the places of a part. It is held in fixed point, so it does
// not depend on its order.
type boardSum struct {
	of     *tabulated
	memory partTables
	cells  cellTables
	tables engine.Tables
	line   []int64  // the table of a part that is one line
	cell   []*cells // by the largest tile, if it matters
}

// newBoardTerm prepares a formula over the board.
func newBoardTerm(p *parsed) *boardTerm {
	b := &boardTerm{parsed: p, tile: p.feature.tiles()}
	for i, tree := range p.sums {
		b.sums = append(b.sums, &boardSum{of: tabulate(partOf(p.feature.Sums[i].Over), tree, &b.tile)})
	}
	for i := range len(boardQuantities) + len(b.sums) {
		if p.tree.set>>i&1 == 1 {
			b.used = append(b.used, i)
		}
	}
	return b
}

// evaluate prepares the formula for the values of its weight and its numbers in a vector. At weight
// 0 nobody asks for it.
func (b *boardTerm) evaluate(v Vector) {
	if b.take(v) {
		for _, s := range b.sums {
			s.of.renew()
		}
	}
	b.weight = v[b.feature.Weight.At]
	if b.weight != 0 {
		b.prepareAll()
	}
}

// prepareAll prepares the sums and the tree.
func (b *boardTerm) prepareAll() {
	b.limits = b.limits[:0]
	for _, q := range boardQuantities {
		b.limits = append(b.limits, q.limits)
	}
	for _, s := range b.sums {
		b.limits = append(b.limits, s.fill())
	}
	b.prepare(b.tree, map[*Expression]bool{})
}

// fill makes the sum's tables, and returns its limits.
func (s *boardSum) fill() interval {
	to := s.of.precision()
	s.tables.Bits = to.bits
	if s.of.part.key == overCell || s.of.part.key == overTiles {
		return s.fillCells(to)
	}
	s.memory.fill(&s.tables, []*tabulated{s.of}, to)
	table := cmp.Or(s.tables.Rows, s.tables.Squares[1])[:]
	if s.of.part.kind() == overColumn {
		table = s.tables.Columns[:]
	}
	s.line = table
	if slices.ContainsFunc(table, func(v int64) bool { return v&(int64(1)<<to.bits-1) != 0 }) {
		return interval{0, maxLevels}
	}
	unit := math.Ldexp(float64(s.of.part.places), -to.bits)
	return interval{int(float64(slices.Min(table)) * unit), int(float64(slices.Max(table)) * unit)}
}

// fillCells makes the tables of a sum over the cells, and returns its limits.
func (s *boardSum) fillCells(to fixedPoint) interval {
	cell, byLargest := sumCells([]*tabulated{s.of}, to, new([16]cells))
	all := withLargest(cell, byLargest)
	s.cell = all
	s.tables.ByLargest = byLargest != nil
	s.tables.Cells = s.cells.pair(all)
	low, high, whole := 0.0, 0.0, true
	for i := range 16 {
		least, most := int64(math.MaxInt64), int64(math.MinInt64)
		for _, cells := range all {
			for _, v := range cells[i/4][i%4] {
				least, most = min(least, v), max(most, v)
				whole = whole && v&(int64(1)<<to.bits-1) == 0
			}
		}
		low, high = low+math.Ldexp(float64(least), -to.bits), high+math.Ldexp(float64(most), -to.bits)
	}
	if !whole {
		return interval{0, maxLevels}
	}
	if s.of.part.key == overTiles { // some of 15
		low, high = min(low, 0), max(high, 0)
	}
	return interval{int(low), int(high)}
}

// precision returns the fixed point of a sum by itself.
func (t *tabulated) precision() fixedPoint {
	return fixedPointFor(float64(t.part.places) * min(t.most(t.root), MostEntry))
}

// prepare makes the tables of an expression. The empty board, which no search values, counts as one
// with the smallest tile.
func (b *boardTerm) prepare(e *Expression, done map[*Expression]bool) {
	if done[e] {
		return
	}
	done[e], e.table = true, nil
	for _, operand := range e.Operands {
		b.prepare(operand, done)
	}
	var q boardValues
	switch by := bits.TrailingZeros(e.set); {
	case e.set == 0 && len(e.Operands) == 0: // a number
	case e.set == 0:
		e.table = []float64{e.value(nil, nil)}
	case bits.OnesCount(e.set) == 1 && b.limits[by].high-b.limits[by].low < maxLevels:
		var table []float64
		for n := b.limits[by].low; n <= b.limits[by].high; n++ {
			q[by] = float64(n)
			if e.quantity() && by < len(boardQuantities) {
				q[by] = boardQuantities[by].value(n, &b.tile)
			}
			table = append(table, e.value(q[:], nil))
		}
		e.table, e.by, e.low = table, by, b.limits[by].low
	}
}

// at returns the formula's value for a board.
func (b *boardTerm) at(board engine.Board) float64 { return b.value(board, nil) }

// value is of, and notes the first operation without a result, see [Expression.value].
func (b *boardTerm) value(board engine.Board, failed **Expression) float64 {
	var v boardValues
	for _, i := range b.used {
		if i < len(boardQuantities) {
			v[i] = float64(boardQuantities[i].board(board))
		} else {
			v[i] = b.sums[i-len(boardQuantities)].value(board)
		}
	}
	return b.tree.value(v[:], failed)
}

// value returns the sum on a board.
func (s *boardSum) value(board engine.Board) float64 {
	if s.of.part.key == overTiles {
		sum, largest := int64(0), 0
		if s.tables.ByLargest {
			largest = board.Largest()
		}
		for left := board.Ranks(); left != 0; left &= left - 1 {
			sum += s.cell[largest][0][0][bits.TrailingZeros16(left)]
		}
		return math.Ldexp(float64(sum), -s.tables.Bits)
	}
	if !s.of.part.single() {
		return s.tables.Value(board)
	}
	if s.of.part.kind() == overColumn {
		board = board.Transpose()
	}
	return math.Ldexp(float64(s.line[uint16(board>>(16*s.of.part.one))]), -s.tables.Bits)
}

// turns reports whether the formula differs from one orientation of the board to another.
func (b *boardTerm) turns() bool {
	return slices.ContainsFunc(b.sums,
		func(s *boardSum) bool { return s.of.part.single() || turnsParts(&s.tables) || s.of.turns() })
}
