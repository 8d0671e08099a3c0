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
		if best2 == illegal {
			best2 = s.tables.Dead
		}
		if best4 == illegal {
			best4 = s.tables.Dead
		}
		sum2 += float64(best2)
		sum4 += float64(best4)
	}
	s.nodes += int64(8*n - illegals)
	return float64(sum2*s.scaled.two[n]) + float64(sum4*s.scaled.four[n])
}

// slideSpawns fills in what sliding all rows left or right gives after a spawn in each blank cell of b, and
// returns how many of these slides are illegal.
func slideSpawns(b Board, t *lineTables, largest int, values *spawnValues) (illegals int) {
	// What the rows without a spawn contribute.
	var left, right [4]struct {
		others uint64 // the other rows after the slide, on the transposed board
		rest   int64  // their values
		stuck  bool   // none of them moves
	}
	{
		var alongLeft, alongRight [4]int64
		var turnedLeft, turnedRight [4]uint64
		var movesLeft, movesRight uint
		for r := range 4 {
			row := b.row(r)
			toL, toR := slid[toLeft][row], slid[toRight][row]
			if table := t.along[r]; table != nil {
				alongLeft[r], alongRight[r] = table[toL], table[toR]
			}
			turnedLeft[r], turnedRight[r] = columnsOf(toL)<<(4*r), columnsOf(toR)<<(4*r)
			if toL != row {
				movesLeft |= 1 << r
			}
			if toR != row {
				movesRight |= 1 << r
			}
		}
		allLeft := turnedLeft[0] | turnedLeft[1] | turnedLeft[2] | turnedLeft[3]
		allRight := turnedRight[0] | turnedRight[1] | turnedRight[2] | turnedRight[3]
		sumLeft := alongLeft[0] + alongLeft[1] + alongLeft[2] + alongLeft[3]
		sumRight := alongRight[0] + alongRight[1] + alongRight[2] + alongRight[3]
		for r := range 4 {
			left[r].others, right[r].others = allLeft^turnedLeft[r], allRight^turnedRight[r]
			left[r].rest, right[r].rest = sumLeft-alongLeft[r], sumRight-alongRight[r]
			left[r].stuck, right[r].stuck = movesLeft&^(1<<r) == 0, movesRight&^(1<<r) == 0
		}
	}

	blanks := b.blanks()
	first := blanks &^ (blanks << 4 & 0x1110111011101110) // cells that begin a run of blanks
	last := blanks &^ (blanks >> 4 & 0x0111011101110111)  // cells that end one
	for ; first != 0; first &= first - 1 {
		at := uint(bits.TrailingZeros64(first)) & 63
		end := uint(bits.TrailingZeros64(last>>at))&63 + at
		r := at >> 4
		row := uint16(b >> (at &^ 15))
		l, rr := &left[r], &right[r]
		table := t.along[r]
		for k := range uint(2) {
			spawned := row | uint16(k+1)<<(at&15)
			toL, toR := slid[toLeft][spawned], slid[toRight][spawned]
			turnedL, turnedR := l.others|columnsOf(toL)<<(4*r), rr.others|columnsOf(toR)<<(4*r)
			valueL, valueR := l.rest, rr.rest
			if table != nil {
				valueL += table[toL]
				valueR += table[toR]
			}
			if t.across[0] != nil {
				valueL += t.across[0][uint16(turnedL)] + t.across[1][uint16(turnedL>>16)] + t.across[2][uint16(turnedL>>32)] + t.across[3][uint16(turnedL>>48)]
				valueR += t.across[0][uint16(turnedR)] + t.across[1][uint16(turnedR>>16)] + t.across[2][uint16(turnedR>>32)] + t.across[3][uint16(turnedR>>48)]
			}
			if t.corners != nil {
				valueL += t.cornerValue(turnedL, largest)
				valueR += t.cornerValue(turnedR, largest)
			}
			better := max(valueL, valueR)
			cell := at >> 2
			v := &values[k]
			v[cell], v[cell+1], v[cell+2], v[cell+3] = better, better, better, better
			stuckLeft := l.stuck && toL == spawned
			if stuckLeft {
				illegals++
				v[cell] = valueR
			}
			if rr.stuck && toR == row|uint16(k+1)<<(end&15) {
				illegals++
				if stuckLeft && end == at {
					valueL = illegal
				}
				v[end>>2] = valueL
			}
		}
	}
	return illegals
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
