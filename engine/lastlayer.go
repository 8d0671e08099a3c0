package engine

import (
	"math"
	"math/bits"
)

// The last chance layer of the tree holds nearly all of its leaves, so it is not built board by board.
//
// A spawn changes one row and one column. Sliding sideways moves the other rows as if nothing had happened, so a
// leaf needs one look-up for its row and four for the columns. Spawns into the same run of adjacent blanks of a
// row slide to the same row, so they share the look-ups; all of them are legal but one: where no other row moves,
// a tile that spawns where it would slide to leaves that slide illegal, and that is the run's first cell for
// sliding left, its last one for sliding right. Upright slides are the same with rows and columns exchanged.

// illegal is below every value of fixed-point tables.
const illegal = math.MinInt64

// spawnValues holds, by spawn of a 2 or a 4 and by cell, the value of the better of two opposite slides, or
// illegal. A run of blanks is written past its end, hence the room behind the last cell.
type spawnValues [2][16 + 3]int64

// steadyLargest returns the rank of b's largest tile if the tables ask for it, and whether it stays the largest
// whatever is spawned and slid: it must be alone and above a spawned 4.
func (s *Searcher) steadyLargest(b Board) (largest int, steady bool) {
	if !s.corners {
		return 0, true
	}
	largest = b.Largest()
	same := 0
	for x := b; x != 0; x >>= 4 {
		if int(x&15) == largest {
			same++
		}
	}
	return largest, largest > 2 && same == 1
}

// leafSums are sums over the spawns of a 2 and of a 4 in each blank cell.
type leafSums struct {
	two, four      float64 // of the values of the best moves, in fixed point
	nodes2, nodes4 int64   // leaves after a 2, after a 4
}

// spawnMoveLeaf sums up all spawns on afterstate b where all boards after the next move are leaves. largest is what
// steadyLargest said.
func (s *Searcher) spawnMoveLeaf(b, t Board, largest int) (sums leafSums) {
	if s.corners {
		s.rows.setLargest(largest)
		s.columns.setLargest(largest)
	}
	// Both before either: the look-ups of the second are under way while the first is worked on.
	s.rows.slide(b)
	s.columns.slide(t)
	illegals := s.rows.slideSpawns(b) + s.columns.slideSpawns(t)
	sideways, upright := &s.rows.values, &s.columns.values

	blanks := b.blanks()
	n := bits.OnesCount64(blanks)
	if n == 1 { // only a full board can be without a move
		cell := bits.TrailingZeros64(blanks) >> 2 & 15
		turned := cell&3<<2 | cell>>2
		for k := range sideways {
			if max(sideways[k][cell], upright[k][turned]) == illegal {
				sideways[k][cell] = s.tables.Dead
			}
		}
	}
	// In the order of the cells, and in float64: so many values may not fit in an int64.
	for ; blanks != 0; blanks &= blanks - 1 {
		cell := bits.TrailingZeros64(blanks) >> 2 & 15
		turned := cell&3<<2 | cell>>2
		sums.two += float64(max(sideways[0][cell], upright[0][turned]))
		sums.four += float64(max(sideways[1][cell], upright[1][turned]))
	}
	sums.nodes2, sums.nodes4 = int64(4*n)-int64(illegals&0xFF), int64(4*n)-int64(illegals>>8)
	return sums
}

// cornerValues are the corners' look-ups for one largest tile, by the first and last line, by the first and last tile
// of the line: as long as the largest tile stays, they depend on the tile in the corner alone.
type cornerValues [2][2]*[16]int64

// of returns what the corners at the ends of line r (0 or 3) contribute.
func (c *cornerValues) of(r uint, line uint16) int64 {
	ends := &c[r>>1]
	return ends[0][line&15] + ends[1][line>>12]
}

// noCorner is the look-up of a corner that does not count.
var noCorner [16]int64

// below and above are the tiles of each column that lie before the given row, and behind it.
var (
	below = [4]uint64{0, 0x000F000F000F000F, 0x00FF00FF00FF00FF, 0x0FFF0FFF0FFF0FFF}
	above = [4]uint64{0xFFF0FFF0FFF0FFF0, 0xFF00FF00FF00FF00, 0xF000F000F000F000, 0}
)

// side is the last chance layer as seen by one direction of sliding: by rows, or by columns.
type side struct {
	along, across [4]*LineTable  // of the lines that tiles slide in; of the others, which may be nil
	atCorners     [4]*[256]int64 // in the order of the lines' ends
	corners       *cornerValues  // nil if corners do not count
	cornerScratch cornerValues
	oriented      *orientedLines // nil without orientations
	orientation   orientedLines

	// What slide found: the rows; the board after sliding left and right, transposed; the rows' values then, and
	// their sum; and the slides that a spawn may leave illegal, a nibble for each row.
	entries          [4]*rowSlides
	turnedL, turnedR uint64
	alongL, alongR   [4]int64
	sumL, sumR       int64
	stuckable        uint16

	values spawnValues // what slideSpawns found
}

// prepare sets the tables: which is 0 for rows, 1 for columns.
func (t *side) prepare(x *Tables, which int) {
	t.along, t.across, t.atCorners = x.Rows, x.Lines, x.Corners
	order := [4]uint8{0, 1, 2, 3}
	if which == 1 {
		t.along = x.Columns
		t.atCorners[1], t.atCorners[2] = x.Corners[2], x.Corners[1]
		order[1], order[2] = 2, 1
	}
	t.corners, t.oriented = nil, nil
	if x.Corners != [4]*[256]int64{} {
		t.corners = &t.cornerScratch
	}
	if o := x.Oriented; o != nil {
		t.orientation.lines, t.orientation.corners, t.orientation.order = &o.Lines[which], o.Corners, order
		t.oriented = &t.orientation
	}
}

// setLargest chooses the look-ups of corners for a largest tile that stays.
func (t *side) setLargest(largest int) {
	t.orientation.largest = largest
	for i, table := range t.atCorners {
		values := &noCorner
		if table != nil {
			values = (*[16]int64)(table[largest<<4:])
		}
		t.cornerScratch[i>>1][i&1] = values
	}
}

// slide notes what sliding left and right makes of the board without a spawn.
func (t *side) slide(b Board) {
	along, corners := &t.along, t.corners
	t.entries = [4]*rowSlides{&rowTable[b.row(0)], &rowTable[b.row(1)], &rowTable[b.row(2)], &rowTable[b.row(3)]}
	e0, e1, e2, e3 := t.entries[0], t.entries[1], t.entries[2], t.entries[3]
	t.turnedL = e0.turnedLeft | e1.turnedLeft<<4 | e2.turnedLeft<<8 | e3.turnedLeft<<12
	t.turnedR = e0.turnedRight | e1.turnedRight<<4 | e2.turnedRight<<8 | e3.turnedRight<<12
	alongL := [4]int64{along[0][e0.left], along[1][e1.left], along[2][e2.left], along[3][e3.left]}
	alongR := [4]int64{along[0][e0.right], along[1][e1.right], along[2][e2.right], along[3][e3.right]}
	if corners != nil {
		alongL[0], alongR[0] = alongL[0]+corners.of(0, e0.left), alongR[0]+corners.of(0, e0.right)
		alongL[3], alongR[3] = alongL[3]+corners.of(3, e3.left), alongR[3]+corners.of(3, e3.right)
	}
	if o := t.oriented; o != nil {
		o.slide(&o.left, e0.left, e1.left, e2.left, e3.left)
		o.slide(&o.right, e0.right, e1.right, e2.right, e3.right)
	}
	t.sumL = alongL[0] + alongL[1] + alongL[2] + alongL[3]
	t.sumR = alongR[0] + alongR[1] + alongR[2] + alongR[3]
	moves := e0.moves | e1.moves<<1 | e2.moves<<2 | e3.moves<<3
	t.stuckable = stuckRows[moves&15]*5 | stuckRows[moves>>4]*10
	t.alongL, t.alongR = alongL, alongR
}

// slideSpawns fills in what sliding all rows left or right gives after a spawn in each blank cell of b, and
// returns how many of these slides are illegal, after a 2 in the lower 8 bits and after a 4 above them. slide has been
// called for the board.
func (t *side) slideSpawns(b Board) (illegals uint) {
	along, across, corners, values := &t.along, &t.across, t.corners, &t.values
	entries, alongL, alongR := &t.entries, &t.alongL, &t.alongR
	turnedL, turnedR, sumL, sumR, stuckable := t.turnedL, t.turnedR, t.sumL, t.sumR, t.stuckable

	blanks := b.blanks()
	first := blanks &^ (blanks << 4 & 0x1110111011101110) // cells that begin a run of blanks
	for ; first != 0; first &= first - 1 {
		at := uint(bits.TrailingZeros64(first)) & 63
		r := at >> 4
		half := at >> 3 & 1
		e := entries[r]
		run := &e.runs[half]
		l2, r2, l4, r4 := uint16(run.rows), uint16(run.rows>>16), uint16(run.rows>>32), uint16(run.rows>>48)
		table := along[r]
		restL, restR := sumL-alongL[r], sumR-alongR[r]
		vl2, vr2 := restL+table[l2], restR+table[r2]
		vl4, vr4 := restL+table[l4], restR+table[r4]
		if table := across[r]; table != nil {
			// The other rows, by column; the row's own tile comes lowest.
			othersL := turnedL&below[r]<<4 | turnedL&above[r]
			othersR := turnedR&below[r]<<4 | turnedR&above[r]
			vl2 += acrossValue(table, othersL|run.turned[0])
			vr2 += acrossValue(table, othersR|run.turned[1])
			vl4 += acrossValue(table, othersL|run.turned[2])
			vr4 += acrossValue(table, othersR|run.turned[3])
		}
		if corners != nil && (r == 0 || r == 3) {
			vl2, vr2 = vl2+corners.of(r, l2), vr2+corners.of(r, r2)
			vl4, vr4 = vl4+corners.of(r, l4), vr4+corners.of(r, r4)
		}
		if o := t.oriented; o != nil {
			b2, b4 := o.best(&o.left, r, l2, l4)
			vl2, vl4 = vl2+b2, vl4+b4
			b2, b4 = o.best(&o.right, r, r2, r4)
			vr2, vr4 = vr2+b2, vr4+b4
		}
		cell := at >> 2
		best2, best4 := max(vl2, vr2), max(vl4, vr4)
		values[0][cell], values[0][cell+1], values[0][cell+2], values[0][cell+3] = best2, best2, best2, best2
		values[1][cell], values[1][cell+1], values[1][cell+2], values[1][cell+3] = best4, best4, best4, best4

		// Where no other row moves, one cell of the run may leave the slide illegal.
		if stuck := e.stuck >> (half << 2) & uint8(stuckable>>(at>>2&12)) & 15; stuck != 0 {
			end := cell + uint(e.longer>>(half<<2)&15)
			illegals += stuckCounts[stuck]
			exceptions(&values[0], cell, end, stuck, vl2, vr2)
			exceptions(&values[1], cell, end, stuck>>2, vl4, vr4)
		}
	}
	return illegals
}

// acrossValue returns the look-ups of four lines.
func acrossValue(table *LineTable, lines uint64) int64 {
	return table[uint16(lines)] + table[uint16(lines>>16)] + table[uint16(lines>>32)] + table[uint16(lines>>48)]
}

// stuckCounts counts the bits of a run's stuck slides: after a 2 in the lower 8 bits, after a 4 above them.
var stuckCounts = [16]uint{0, 1, 1, 2, 0x100, 0x101, 0x101, 0x102, 0x100, 0x101, 0x101, 0x102, 0x200, 0x201, 0x201, 0x202}

// exceptions corrects a run's values where a slide is illegal: to the left (bit 0 of stuck) after a spawn in its
// first cell, to the right (bit 1) after one in its last.
func exceptions(values *[16 + 3]int64, first, last uint, stuck uint8, left, right int64) {
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

// spawnLeaf is expand for one remaining ply: boards after a spawn are leaves, or dead. A spawn changes the
// look-ups of one row and one column.
func (s *Searcher) spawnLeaf(b, t Board) float64 {
	tables := s.tables
	base := tables.value(b)
	lines := tables.Lines[0]
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
				v = tables.Dead
			case s.corners || tables.Oriented != nil:
				v = tables.value(after)
			default:
				v += tables.Rows[r][row|rank<<(4*c)] - tables.Rows[r][row]
				if lines != nil {
					v += lines[column|rank<<(4*r)] - lines[column]
				}
			}
			sum[k] += float64(v)
		}
	}
	return float64(sum[0]*s.scaled.two[n]) + float64(sum[1]*s.scaled.four[n])
}
