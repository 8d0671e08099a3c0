package engine

import (
	"math"
	"math/bits"
)

// The last chance layer of the tree holds nearly all of its leaves, so it is not built board by board. A spawn
// changes one row and one column: sliding sideways moves the other rows as if nothing had happened, so a leaf
// needs one look-up for its row and four for the columns; and spawns into the same run of adjacent blanks of a
// row slide to the same row, so they share it. Upright slides are the same with rows and columns exchanged.

// illegal is below every value of fixed-point tables.
const illegal = math.MinInt64

// lineTables are the look-ups of one orientation as seen by one direction of sliding: along are the lines that
// tiles slide in, across the others. Tables that the family does not need are nil.
type lineTables struct {
	along, across *[4]*LineTable
	corners       *[4]*[256]int64 // by largest rank and corner rank
	shift         *[4]uint        // of the corners' nibbles on the board whose rows are across
}

// cornerShiftTransposed is cornerShift on the transposed board.
var cornerShiftTransposed = [4]uint{0, 48, 12, 60}

// slides is what sliding to both sides gives after a spawn in one cell.
type slides struct {
	best  int64 // value of the better afterstate, or illegal
	legal int64 // how many of the two are legal
}

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
	o := &s.tables.Orientations[0]
	sideways := lineTables{along: &o.Rows, across: &o.Columns, shift: &cornerShiftTransposed}
	upright := lineTables{along: &o.Columns, across: &o.Rows, shift: &cornerShift}
	if s.corners {
		sideways.corners, upright.corners = &o.Corners, &o.Corners
	}
	spawnSlide(b, &sideways, largest, &s.sideways)
	spawnSlide(t, &upright, largest, &s.upright)

	var sum [2]float64 // in the order of the cells: sums of so many values may not fit in an int64
	var nodes int64
	blanks := b.blanks()
	n := bits.OnesCount64(blanks)
	for ; blanks != 0; blanks &= blanks - 1 {
		cell := bits.TrailingZeros64(blanks) >> 2
		turned := cell&3<<2 | cell>>2
		for k := range sum {
			h, v := &s.sideways[cell&15][k], &s.upright[turned&15][k]
			best := max(h.best, v.best)
			if best == illegal {
				best = s.tables.Dead
			}
			sum[k] += float64(best)
			nodes += h.legal + v.legal
		}
	}
	s.nodes += nodes
	return float64(sum[0]*s.scaled.two[n]) + float64(sum[1]*s.scaled.four[n])
}

// spawnSlide fills in, for each blank cell of b and a 2 (first) or a 4 (second) spawned there, what sliding all
// rows to the left and to the right gives.
func spawnSlide(b Board, t *lineTables, largest int, result *[16][2]slides) {
	blanks := b.blanks()
	for x := blanks; x != 0; x &= x - 1 {
		result[bits.TrailingZeros64(x)>>2&15] = [2]slides{{best: illegal}, {best: illegal}}
	}
	for dir := range slid {
		slide := &slid[dir]
		var along [4]int64   // value of each row after the slide
		var spread [4]uint64 // each row after the slide, on the board whose rows are across
		var moves [4]int     // 1 for a row that the slide changes
		for r := range 4 {
			row := b.row(r)
			after := slide[row]
			if table := t.along[r]; table != nil {
				along[r] = table[after]
			}
			spread[r] = columnsOf(after) << (4 * r)
			if after != row {
				moves[r] = 1
			}
		}
		total := along[0] + along[1] + along[2] + along[3]
		all := spread[0] | spread[1] | spread[2] | spread[3]
		moving := moves[0] + moves[1] + moves[2] + moves[3]

		for r := range 4 {
			empty := blanks >> (16 * r) & 0x1111
			if empty == 0 {
				continue
			}
			row := b.row(r)
			rest, others := total-along[r], all^spread[r]
			othersMove := moving > moves[r]
			var after [2]uint16
			var value [2]int64
			for c := range 4 {
				if empty>>(4*c)&1 == 0 {
					continue
				}
				fresh := c == 0 || empty>>(4*c-4)&1 == 0 // the first of a run of blanks
				for k := range 2 {
					tile := uint16(k+1) << (4 * c)
					if fresh {
						after[k] = slide[row|tile]
						turned := others | columnsOf(after[k])<<(4*r)
						v := rest
						if table := t.along[r]; table != nil {
							v += table[after[k]]
						}
						if t.across[0] != nil {
							v += t.across[0][uint16(turned)] + t.across[1][uint16(turned>>16)] +
								t.across[2][uint16(turned>>32)] + t.across[3][uint16(turned>>48)]
						}
						if t.corners != nil {
							v += t.cornerValue(turned, largest)
						}
						value[k] = v
					}
					if othersMove || after[k] != row|tile {
						cell := &result[4*r+c][k]
						cell.best = max(cell.best, value[k])
						cell.legal++
					}
				}
			}
		}
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
