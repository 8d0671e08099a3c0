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

// lineTables are the look-ups of one orientation as seen by one direction of sliding: along are the lines that
// tiles slide in, across the others. Tables that the family does not need are nil.
type lineTables struct {
	along, across [4]*LineTable
	corners       *[4]*[256]int64 // by largest rank and corner rank; nil if none
	shift         [4]uint         // of the corners' nibbles on the board whose rows are across
}

// spawnValues holds, by spawn of a 2 or a 4 and by cell, the value of the better of two opposite slides, or
// illegal. A run of blanks is written past its end, hence the room behind the last cell.
type spawnValues [2][16 + 3]int64

// The positions of the corner cells' nibbles in the order of Orientation.Corners, on the board and on its transpose.
var (
	cornersAsIs   = [4]uint{0, 12, 48, 60}
	cornersTurned = [4]uint{0, 48, 12, 60}
)

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

// spawnMoveLeaf is expand for two remaining plies: spawn, move, leaf. largest is what steadyLargest said.
func (s *Searcher) spawnMoveLeaf(b, t Board, largest int) float64 {
	illegals := slideSpawns(b, &s.sideways, largest, &s.sidewaysValues)
	illegals += slideSpawns(t, &s.upright, largest, &s.uprightValues)
	var sum2, sum4 float64 // in the order of the cells: so many values may not fit in an int64
	blanks := b.blanks()
	n := bits.OnesCount64(blanks)
	for ; blanks != 0; blanks &= blanks - 1 {
		cell := bits.TrailingZeros64(blanks) >> 2 & 15
		turned := cell&3<<2 | cell>>2
		best2 := max(s.sidewaysValues[0][cell], s.uprightValues[0][turned])
		best4 := max(s.sidewaysValues[1][cell], s.uprightValues[1][turned])
		if n == 1 { // only a full board can be without a move
			if best2 == illegal {
				best2 = s.tables.Dead
			}
			if best4 == illegal {
				best4 = s.tables.Dead
			}
		}
		sum2 += float64(best2)
		sum4 += float64(best4)
	}
	s.nodes += int64(8*n - illegals)
	return float64(sum2*s.scaled.two[n]) + float64(sum4*s.scaled.four[n])
}

// rowSlides is what slides make of a row, by itself and after a spawn, all in half a cache line.
type rowSlides struct {
	left, right uint16 // the row after a slide to the left, to the right
	// spawned holds by run of blanks what slides make of the row after a spawn in the run: 16 bits each for a 2 to
	// the left, a 2 to the right, a 4 to the left, a 4 to the right. A row has at most two runs, the first
	// beginning in its left half if there are two, the second in its right half: the half is the index.
	spawned [2]uint64
	moves   uint16 // whether the slides change the row: bit 0 left, bit 8 right
	// stuck has a bit by run for each of spawned that leaves the row as it is when the tile spawns in the run's
	// first cell (left) or last one (right): bits 0..3 for the first half, 4..7 for the second.
	stuck uint8
}

var rowTable [1 << 16]rowSlides

// fillRowTable needs the slides.
func fillRowTable() {
	for row := range 1 << 16 {
		e := &rowTable[row]
		e.left, e.right = slid[toLeft][row], slid[toRight][row]
		if int(e.left) != row {
			e.moves |= 1
		}
		if int(e.right) != row {
			e.moves |= 1 << 8
		}
		blank := func(c int) bool { return c >= 0 && c < 4 && row>>(4*c)&15 == 0 }
		for first := range 4 {
			if !blank(first) || blank(first-1) {
				continue
			}
			last := first
			for blank(last + 1) {
				last++
			}
			half := first >> 1
			for k := range 2 {
				atFirst, atLast := row|(k+1)<<(4*first), row|(k+1)<<(4*last)
				left, right := slid[toLeft][atFirst], slid[toRight][atFirst]
				e.spawned[half] |= uint64(left)<<(32*k) | uint64(right)<<(32*k+16)
				if int(left) == atFirst {
					e.stuck |= 1 << (4*half + 2*k)
				}
				if int(right) == atLast {
					e.stuck |= 2 << (4*half + 2*k)
				}
			}
		}
	}
}

// slideSpawns fills in what sliding all rows left or right gives after a spawn in each blank cell of b, and
// returns how many of these slides are illegal.
func slideSpawns(b Board, t *lineTables, largest int, values *spawnValues) (illegals int) {
	type rowState struct {
		slides         *rowSlides
		left, right    uint64 // the row after the slide, on the board whose rows are across
		alongL, alongR int64  // its value
	}
	var rows [4]rowState
	var allLeft, allRight uint64
	var sumLeft, sumRight int64
	var moves uint16
	for r := range rows {
		e := &rowTable[b.row(r)]
		s := &rows[r]
		s.slides = e
		s.left, s.right = columnsOf(e.left)<<(4*r&63), columnsOf(e.right)<<(4*r&63)
		allLeft |= s.left
		allRight |= s.right
		if table := t.along[r]; table != nil {
			s.alongL, s.alongR = table[e.left], table[e.right]
			sumLeft += s.alongL
			sumRight += s.alongR
		}
		moves += e.moves
	}
	c0, c1, c2, c3 := t.across[0], t.across[1], t.across[2], t.across[3]

	blanks := b.blanks()
	first := blanks &^ (blanks << 4 & 0x1110111011101110) // cells that begin a run of blanks
	for ; first != 0; first &= first - 1 {
		at := uint(bits.TrailingZeros64(first)) & 63
		r := at >> 4
		s := &rows[r]
		shift := r * 4 & 63
		othersL, othersR := allLeft^s.left, allRight^s.right
		restL, restR := sumLeft-s.alongL, sumRight-s.alongR
		spawned := s.slides.spawned[at>>3&1]
		l2, r2, l4, r4 := uint16(spawned), uint16(spawned>>16), uint16(spawned>>32), uint16(spawned>>48)
		vl2, vr2, vl4, vr4 := restL, restR, restL, restR
		if table := t.along[r]; table != nil {
			vl2 += table[l2]
			vr2 += table[r2]
			vl4 += table[l4]
			vr4 += table[r4]
		}
		tl2, tr2 := othersL|columnsOf(l2)<<shift, othersR|columnsOf(r2)<<shift
		tl4, tr4 := othersL|columnsOf(l4)<<shift, othersR|columnsOf(r4)<<shift
		if c0 != nil {
			vl2 += c0[uint16(tl2)] + c1[uint16(tl2>>16)] + c2[uint16(tl2>>32)] + c3[uint16(tl2>>48)]
			vr2 += c0[uint16(tr2)] + c1[uint16(tr2>>16)] + c2[uint16(tr2>>32)] + c3[uint16(tr2>>48)]
			vl4 += c0[uint16(tl4)] + c1[uint16(tl4>>16)] + c2[uint16(tl4>>32)] + c3[uint16(tl4>>48)]
			vr4 += c0[uint16(tr4)] + c1[uint16(tr4>>16)] + c2[uint16(tr4>>32)] + c3[uint16(tr4>>48)]
		}
		if t.corners != nil {
			vl2 += t.cornerValue(tl2, largest)
			vr2 += t.cornerValue(tr2, largest)
			vl4 += t.cornerValue(tl4, largest)
			vr4 += t.cornerValue(tr4, largest)
		}
		best2, best4 := max(vl2, vr2), max(vl4, vr4)
		cell := at >> 2
		v2, v4 := values[0][cell:cell+4:cell+4], values[1][cell:cell+4:cell+4]
		v2[0], v2[1], v2[2], v2[3] = best2, best2, best2, best2
		v4[0], v4[1], v4[2], v4[3] = best4, best4, best4, best4

		// Where no other row moves, one cell of the run may leave the slide illegal.
		others := moves - s.slides.moves
		stuck := s.slides.stuck >> (at >> 1 & 4)
		if others&0xFF != 0 {
			stuck &^= 1 | 4
		}
		if others>>8 != 0 {
			stuck &^= 2 | 8
		}
		if stuck &= 15; stuck != 0 {
			last := blanks &^ (blanks >> 4 & 0x0111011101110111) // cells that end a run
			end := (uint(bits.TrailingZeros64(last>>at))&63 + at) >> 2
			illegals += bits.OnesCount8(stuck)
			exceptions(&values[0], cell, end, stuck, vl2, vr2)
			exceptions(&values[1], cell, end, stuck>>2, vl4, vr4)
		}
	}
	return illegals
}

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

// cornerValue returns the sum of the corners' look-ups; turned is the board whose rows are across.
func (t *lineTables) cornerValue(turned uint64, largest int) (v int64) {
	for i, table := range t.corners {
		if table != nil {
			v += table[(largest<<4|int(turned>>t.shift[i])&15)&255]
		}
	}
	return v
}

// columnsOf spreads the four tiles of a row to the first tiles of four rows.
func columnsOf(row uint16) uint64 {
	x := uint64(row)
	x = (x | x<<24) & 0x000000FF000000FF
	return (x | x<<12) & 0x000F000F000F000F
}

// spawnLeaf is expand for one remaining ply: boards after a spawn are leaves, or dead. A spawn changes the
// look-ups of one row and one column.
func (s *Searcher) spawnLeaf(b, t Board) float64 {
	o := &s.tables.Orientations[0]
	base := o.value(b)
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
				v = s.tables.Dead
			case s.corners:
				v = o.value(after)
			default:
				if table := o.Rows[r]; table != nil {
					v += table[row|rank<<(4*c)] - table[row]
				}
				if table := o.Columns[c]; table != nil {
					v += table[column|rank<<(4*r)] - table[column]
				}
			}
			sum[k] += float64(v)
		}
	}
	return float64(sum[0]*s.scaled.two[n]) + float64(sum[1]*s.scaled.four[n])
}
