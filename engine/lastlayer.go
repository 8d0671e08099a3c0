package engine

import (
	"math"
	"math/bits"
)

// The last chance layer of the tree holds nearly all of its leaves, so its boards are never built.
//
// A spawn changes one row and one column. Take the board of the rows
//
//	2 0 0 4
//	4 8 0 0
//	0 0 0 0
//	0 0 0 0
//
// with a 2 spawning in its first row, and a slide to the left. The other rows slide as without the
// spawn. The first becomes 4 4 0 0 whichever of its two blanks the 2 fell on (rowtable.go shows
// why). So both spawns lead to the same leaf. Its value is one look-up for the first row, the known
// sum for the other rows, and four look-ups for the columns. Slides up and down exchange rows and
// columns: a side does either.
//
// Such a slide is illegal only if it changes nothing. In the first row of
//
//	2 4 0 0
//	4 8 0 0
//
// a 2 in the third cell leaves a slide to the left illegal, since no other row moves to the left
// either; in the fourth cell it does not. exceptions corrects the one cell of the run that differs.

// With Tables.ByEmpty a leaf's value is no fixed-point number. It stands as [ordered] has it, so
// that the better one of two is the larger int64.

// illegal is below every value of fixed-point tables, and of ordered numbers.
const illegal = math.MinInt64

// spawnValues holds the value of the better of two opposite slides, or illegal, by spawn of a 2 or
// a 4 and by cell of the side's board, which for columns is the transposed one. Three cells too
// many are written after the first of a run of blanks. So there is room behind the last row.
type spawnValues [2][32]int64

// steadyLargest returns the rank of b's largest tile if the tables go by it. steady reports
// whether it is the rank of the largest tile after any spawn and slide, too. That is so if the tile
// is larger than a 4, and if no slide of b merges two such tiles. A spawn cannot make them merge:
// it can only come between them. t is b's transpose.
func (s *Searcher) steadyLargest(b, t Board) (largest int, steady bool) {
	if !s.tables.ByLargest {
		return 0, true
	}
	largest, cells := b.largest()
	if largest <= 2 {
		return largest, false
	}
	if cells&(cells-1) == 0 {
		return largest, true
	}
	left, _ := b.slideRows()
	up, _ := t.slideRows()
	return largest, left.Largest() == largest && up.Largest() == largest
}

// leafSums are sums over the spawns of a 2 and of a 4 in each blank cell.
type leafSums struct {
	two, four      float64 // of the values of the best moves, in fixed point
	nodes2, nodes4 int64   // leaves after a 2, after a 4
}

// spawnMoveLeaf sums up all spawns on afterstate b, where all boards after the next move are
// leaves. b has a blank. largest comes from steadyLargest.
func (s *Searcher) spawnMoveLeaf(b, t Board, largest int) (sums leafSums) {
	s.setLargest(largest)
	blanks, fixed := b.blanks(), s.tables.ByEmpty == nil
	n := bits.OnesCount64(blanks)
	var illegals uint
	switch oriented := s.rows.oriented != nil; {
	case oriented && hasLastLayerBest && s.rows.squares == nil && fixed:
		illegals = lastLayerBest(&s.rows, &s.columns, b, t)
		sums.add(&s.rows.values, &s.columns.values, blanks, s.dead, fixed)
	case !oriented && hasLastLayer && fixed:
		illegals = lastLayer(&s.rows, &s.columns, b, t, s.dead, &sums)
	default:
		// Both sides slide before either is summed up: the second fetches memory meanwhile.
		s.rows.slide(b)
		s.columns.slide(t)
		illegals = s.rows.slideSpawns(b) + s.columns.slideSpawns(t)
		sums.add(&s.rows.values, &s.columns.values, blanks, s.dead, fixed)
	}
	sums.nodes2, sums.nodes4 = int64(4*n)-int64(illegals&0xFF), int64(4*n)-int64(illegals>>8)
	return sums
}

// add adds up the better of the sideways and the upright values of all blanks, in cell order. It
// adds in float64, since the sum may not fit in an int64. The values are in fixed point, or
// ordered.
func (sums *leafSums) add(sideways, upright *spawnValues, blanks uint64, dead int64, fixed bool) {
	one := blanks&(blanks-1) == 0 // a board without a move is full, so the spawn filled its only blank
	for ; blanks != 0; blanks &= blanks - 1 {
		cell := bits.TrailingZeros64(blanks) >> 2 & 15
		other := turnedCells[cell] & 15
		two, four := max(sideways[0][cell], upright[0][other]), max(sideways[1][cell], upright[1][other])
		if one && two == illegal {
			two = dead
		}
		if one && four == illegal {
			four = dead
		}
		if fixed {
			sums.two += float64(two)
			sums.four += float64(four)
		} else {
			sums.two += numberOf(two)
			sums.four += numberOf(four)
		}
	}
}

// ordered returns an int64 for a float64: the larger one for the larger number. -0 is below 0.
func ordered(x float64) int64 {
	bits := int64(math.Float64bits(x))
	return bits ^ int64(uint64(bits>>63)>>1)
}

// numberOf returns the number that ordered was given.
func numberOf(v int64) float64 {
	return math.Float64frombits(uint64(v ^ int64(uint64(v>>63)>>1)))
}

// turnedCells has for each cell of a board its cell of the transposed one.
var turnedCells = [16]uint8{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}

// firstColumn are the tiles of a board's first column.
const firstColumn = 0x000F000F000F000F

// side is the last chance layer as seen by one direction of sliding: by rows, or by columns.
type side struct {
	along    [4]*LineTable // of the lines that tiles slide in
	across   *LineTable    // of the others; may be nil
	squares  *LineTable    // of this side's board; may be nil
	oriented *Oriented     // may be nil
	odd      bool          // whether there are squares, or no line features: for the assembly

	// Results of slide: the rows; the board after sliding left and right, transposed; the rows'
	// values then, and their sum; the slides that a spawn may leave illegal, a nibble for each row.
	entries                     [4]*rowSlides
	turnedL, turnedR            uint64
	alongL, alongR              [4]int64
	sumL, sumR                  int64
	stuckable                   uint16
	squaresL, squaresR          slidSquares   // if there are squares
	orientedLeft, orientedRight orientedSlide // if there are orientations

	values spawnValues // filled in by slideSpawns

	byEmpty *[17]float64 // Tables.ByEmpty
	unit    float64      // of the tables, with byEmpty
}

// value returns a leaf's value, ordered: of its look-ups, its changed row after a slide, and the
// blanks of its other rows.
func (t *side) value(lookups int64, row uint16, others int) int64 {
	return ordered(float64(lookups)*t.unit + t.byEmpty[others+emptyIn(row)])
}

// emptyIn returns the number of blanks of a row.
func emptyIn(row uint16) int { return Board(row).Empty() - 12 }

// prepare sets the tables: which is 0 for rows, 1 for columns.
func (t *side) prepare(x *Tables, along *[4]*LineTable, oriented *Oriented, which int) {
	t.along, t.across, t.squares, t.oriented = *along, [2]*LineTable{x.Columns, x.Rows}[which], x.Squares[which], oriented
	t.odd, t.byEmpty, t.unit = t.across == nil || t.squares != nil, x.ByEmpty, x.unit()
}

// slide notes what sliding left and right makes of the board without a spawn.
func (t *side) slide(b Board) {
	along := &t.along
	t.entries = [4]*rowSlides{&rowTable[b.row(0)], &rowTable[b.row(1)], &rowTable[b.row(2)], &rowTable[b.row(3)]}
	e0, e1, e2, e3 := t.entries[0], t.entries[1], t.entries[2], t.entries[3]
	t.turnedL = uint64((Board(e0.left) | Board(e1.left)<<16 | Board(e2.left)<<32 | Board(e3.left)<<48).Transpose())
	t.turnedR = uint64((Board(e0.right) | Board(e1.right)<<16 | Board(e2.right)<<32 | Board(e3.right)<<48).Transpose())
	alongL := [4]int64{along[0][e0.left], along[1][e1.left], along[2][e2.left], along[3][e3.left]}
	alongR := [4]int64{along[0][e0.right], along[1][e1.right], along[2][e2.right], along[3][e3.right]}
	if o := t.oriented; o != nil {
		t.orientedLeft.slide(o, e0.left, e1.left, e2.left, e3.left)
		t.orientedRight.slide(o, e0.right, e1.right, e2.right, e3.right)
	}
	t.sumL = alongL[0] + alongL[1] + alongL[2] + alongL[3]
	t.sumR = alongR[0] + alongR[1] + alongR[2] + alongR[3]
	if t.squares != nil {
		t.sumL += t.squaresL.slide(t.squares, e0.left, e1.left, e2.left, e3.left)
		t.sumR += t.squaresR.slide(t.squares, e0.right, e1.right, e2.right, e3.right)
	}
	t.stuckable = stuckable[e0.moves<<3|e1.moves<<2|e2.moves<<1|e3.moves]
	t.alongL, t.alongR = alongL, alongR
}

// slideSpawns fills in the results of sliding all rows left or right after a spawn in each blank
// cell of b. It returns the number of illegal slides: after a 2 in the lower 8 bits, after a 4
// above them. slide has been called for the board.
func (t *side) slideSpawns(b Board) (illegals uint) {
	along, across, values := &t.along, t.across, &t.values
	entries, alongL, alongR := &t.entries, &t.alongL, &t.alongR
	turnedL, turnedR, sumL, sumR, stuckable := t.turnedL, t.turnedR, t.sumL, t.sumR, t.stuckable

	blanks := b.blanks()
	first := blanks &^ (blanks << 4 & 0x1110111011101110) // cells that begin a run of blanks
	for ; first != 0; first &= first - 1 {
		at := uint(bits.TrailingZeros64(first)) & 63
		r := at >> 4
		half := at >> 3 & 1
		e := entries[r]
		run := e.runs[half]
		l2, r2, l4, r4 := uint16(run), uint16(run>>16), uint16(run>>32), uint16(run>>48)
		table := along[r]
		restL, restR := sumL-alongL[r], sumR-alongR[r]
		vl2, vr2 := restL+table[l2], restR+table[r2]
		vl4, vr4 := restL+table[l4], restR+table[r4]
		if across != nil {
			othersL := turnedL &^ (firstColumn << (4 * r))
			othersR := turnedR &^ (firstColumn << (4 * r))
			vl2 += acrossValue(across, othersL|columnsOf(l2)<<(4*r))
			vr2 += acrossValue(across, othersR|columnsOf(r2)<<(4*r))
			vl4 += acrossValue(across, othersL|columnsOf(l4)<<(4*r))
			vr4 += acrossValue(across, othersR|columnsOf(r4)<<(4*r))
		}
		if squares := t.squares; squares != nil {
			vl2, vl4 = vl2+t.squaresL.with(squares, r, l2), vl4+t.squaresL.with(squares, r, l4)
			vr2, vr4 = vr2+t.squaresR.with(squares, r, r2), vr4+t.squaresR.with(squares, r, r4)
		}
		if o := t.oriented; o != nil {
			b2, b4 := t.orientedLeft.best(o, r, l2, l4)
			vl2, vl4 = vl2+b2, vl4+b4
			b2, b4 = t.orientedRight.best(o, r, r2, r4)
			vr2, vr4 = vr2+b2, vr4+b4
		}
		if t.byEmpty != nil {
			othersL, othersR := Board(turnedL).Empty()-emptyIn(e.left), Board(turnedR).Empty()-emptyIn(e.right)
			vl2, vl4 = t.value(vl2, l2, othersL), t.value(vl4, l4, othersL)
			vr2, vr4 = t.value(vr2, r2, othersR), t.value(vr4, r4, othersR)
		}
		best2, best4 := max(vl2, vr2), max(vl4, vr4)
		cell := at >> 2
		second, third, fourth := cell+1, cell+2, cell+3
		values[0][cell], values[0][second], values[0][third], values[0][fourth] = best2, best2, best2, best2
		values[1][cell], values[1][second], values[1][third], values[1][fourth] = best4, best4, best4, best4

		// Where no other row moves, one cell of the run may leave the slide illegal.
		if stuck := e.stuck >> (half << 2) & uint8(stuckable>>(at>>2&12)) & 15; stuck != 0 {
			last := cell + uint(e.longer>>(half<<2)&15)
			illegals += stuckCounts[stuck]
			exceptions(&values[0], cell, last, stuck, vl2, vr2)
			exceptions(&values[1], cell, last, stuck>>2, vl4, vr4)
		}
	}
	return illegals
}

// slidSquares is a board after a slide without a spawn, for look-ups of squares. rows has its rows,
// spread by everyOther. at has for each row the sum of the look-ups that the row takes part in.
type slidSquares struct {
	rows [4]uint32
	at   [4]int64
}

// slide notes the rows after a slide, and returns the look-ups of their squares.
func (s *slidSquares) slide(table *LineTable, r0, r1, r2, r3 uint16) int64 {
	s.rows = [4]uint32{everyOther(r0), everyOther(r1), everyOther(r2), everyOther(r3)}
	upper, middle, lower := squaresValue(table, s.rows[0], s.rows[1]), squaresValue(table, s.rows[1], s.rows[2]),
		squaresValue(table, s.rows[2], s.rows[3])
	s.at = [4]int64{upper, upper + middle, middle + lower, lower}
	return upper + middle + lower
}

// with returns the change of the look-ups when row r becomes another.
func (s *slidSquares) with(table *LineTable, r uint, row uint16) int64 {
	x, v := everyOther(row), -s.at[r&3]
	if r > 0 {
		v += squaresValue(table, s.rows[(r-1)&3], x)
	}
	if r < 3 {
		v += squaresValue(table, x, s.rows[(r+1)&3])
	}
	return v
}

// acrossValue returns the sum of the look-ups of four lines.
func acrossValue(table *LineTable, lines uint64) int64 {
	return table[uint16(lines)] + table[uint16(lines>>16)] + table[uint16(lines>>32)] + table[uint16(lines>>48)]
}

// stuckCounts counts a run's stuck slides: after a 2 in the lower 8 bits, after a 4 above.
var stuckCounts = [16]uint{0, 1, 1, 2, 0x100, 0x101, 0x101, 0x102, 0x100, 0x101, 0x101, 0x102, 0x200, 0x201, 0x201,
	0x202}

// exceptions corrects a run's values where a slide is illegal: to the left (bit 0 of stuck) after a
// spawn in its first cell, to the right (bit 1) after one in its last.
func exceptions(values *[32]int64, first, last uint, stuck uint8, left, right int64) {
	if stuck&1 != 0 {
		values[first] = right
		if first == last {
			left = illegal
		}
	}
	if stuck&2 != 0 {
		values[last] = left
	}
}

// spawnLeaf is expand for one remaining ply: boards after a spawn are leaves, or dead. A spawn
// changes the look-ups of one row and one column.
func (s *Searcher) spawnLeaf(b, t Board) float64 {
	tables := s.tables
	base := tables.sum(b)
	largest := tables.largest(b)
	// A spawned 4 must not become the largest tile.
	byLines := tables.Oriented == nil && tables.Squares[0] == nil && (!tables.ByLargest || largest >= 2)
	if byLines {
		s.setLargest(largest)
	}
	columns := tables.Columns
	blanks := b.blanks()
	n := bits.OnesCount64(blanks)
	var sum [2]float64
	for x := blanks; x != 0; x &= x - 1 {
		cell := bits.TrailingZeros64(x) >> 2
		r, c := cell>>2, cell&3
		row, column := b.row(r), t.row(c)
		for k := range sum {
			rank := uint16(k + 1)
			after := b | Board(rank)<<(4*cell)
			v := base
			switch {
			case n == 1 && !after.HasMove():
				v = s.dead
			case !byLines:
				v = tables.sum(after)
			default:
				along := s.rows.along[r]
				v += along[row|rank<<(4*c)] - along[row]
				if columns != nil {
					v += columns[column|rank<<(4*r)] - columns[column]
				}
			}
			sum[k] += float64(v)
		}
	}
	return (float64(sum[0]*s.two[n]) + float64(sum[1]*s.four[n])) * s.unit
}
