package engine

import (
	"math"
	"slices"
	"sync"
)

// Bound gives upper bounds of the values of boards. It serves tables without Board and Turns. All
// numbers are in fixed point, like the tables' numbers.
//
// A row is worth at most the value of an empty one and the sum of its tiles' allowances. So is a
// column, and a square. A rank has two allowances: alone if the board never holds two tiles of the
// rank, and twins if it may. Each tile stands in one row, in one column, and in 1, 2 or 4 squares.
// So it has the allowances of a row and a column. It has a square's once if this is below 0, and
// otherwise four times. It also stands in one cell, and has the allowance of its best cell there.
// This holds for each orientation of the board. A board is worth at most base, the value of an
// empty one, and the sum of its tiles' allowances.
//
// A search asks for a bound of a board and of all boards that follow. It is sound for every table:
//
//  1. Let ever[r] be at least the number of tiles of rank r that there ever were before the next
//     slide: the board's, the spawned and the merged ones. Spawned tiles have rank 1 or 2.
//  2. A merged tile of rank r took two tiles of rank r-1, which were there before this slide. No
//     tile merges twice. So there were never more merged tiles than half of ever[r-1], rounded
//     down, one slide before. This step makes ever from ever, slide by slide.
//  3. Two tiles of rank r are never on one board unless ever[r] is at least 2. So a rank with less
//     has the allowance alone, and none of its tiles merges.
//  4. Let worth[r] be the rank's allowance, and at least worth[r+1]/2 if its tiles may merge. Take
//     a tile of rank R on a later board. Tiles of the board and spawns merged into it. A part of
//     rank r has the share 2^(r-R) of its face, and the shares add up to 1. From rank to rank
//     worth[r] >= worth[r+1]/2, so the part has worth[r] >= 2^(r-R) x worth[R]. So all parts have
//     together at least worth[R], which is at least the tile's allowance. Each tile and each spawn
//     is a part of one later tile at most. So the sum of worth over the board's tiles and the
//     spawns is at least the sum of allowances of any later board. A spawn counts with the larger
//     worth of ranks 1 and 2, or with 0 if both are below 0.
//  5. Two tiles of MaxRank have no bound: what they merge into is shown as one of them, so the sum
//     of tiles does not last.
type Bound struct {
	base         float64              // of the 4 rows, 4 columns, 9 squares and 16 cells
	alone, twins [MaxRank + 1]float64 // by rank, of a tile
}

// unbounded is the bound of boards that may become one with two 32768s.
const unbounded = math.MaxFloat64

// hands are the multisets of tiles that a row can hold. An allowance is a tile's rank, or rank +
// twin if the hand has another tile of this rank.
type hands struct {
	of   [1 << 16]uint16    // the hand of each row
	all  [][4]uint8         // of each hand, the allowance of each tile; blanks (0) come first
	with [2 * twin][]uint16 // by allowance: the hands that have it
}

const twin = MaxRank + 1

var allHands = sync.OnceValue(func() *hands {
	h, known := &hands{}, map[[4]uint8]uint16{}
	for row := range h.of {
		ranks := [4]uint8{uint8(row & 15), uint8(row >> 4 & 15), uint8(row >> 8 & 15), uint8(row >> 12)}
		slices.Sort(ranks[:])
		n, found := known[ranks]
		if !found {
			n = uint16(len(h.all))
			known[ranks] = n
			hand := ranks
			for k, r := range ranks {
				if r > 0 && (k > 0 && ranks[k-1] == r || k < 3 && ranks[k+1] == r) {
					hand[k] += twin
				}
			}
			h.all = append(h.all, hand)
			for _, a := range slices.Compact(slices.Clone(hand[:])) {
				h.with[a] = append(h.with[a], n)
			}
		}
		h.of[row] = n
	}
	return h
})

// NewBound makes the bound of tables without Board and Turns. cells are the values of a rank in
// each cell, or nil. Cells and Oriented add at most corners to them.
func NewBound(t *Tables, cells *[4][4][16]int64, corners int64) *Bound {
	b := &Bound{base: float64(corners)}
	b.add(t.Rows, 4, func(allowance float64) float64 { return allowance })
	b.add(t.Columns, 4, func(allowance float64) float64 { return allowance })
	b.add(t.Squares[1], 9, func(allowance float64) float64 { return max(allowance, 4*allowance) })
	if cells == nil {
		return b
	}
	var allow [MaxRank + 1]int64
	for i := range 16 {
		cell := &cells[i/4][i%4]
		b.base += float64(cell[0])
		for r, v := range cell {
			v -= cell[0]
			if i == 0 || v > allow[r] {
				allow[r] = v
			}
		}
	}
	for r, v := range allow {
		b.alone[r] += float64(v)
		b.twins[r] += float64(v)
	}
	return b
}

// add adds the allowances of a table that counts so often on a board, if it is not nil. of makes
// them a tile's.
//
// It takes the best order of each hand, and shares the hand's value among its tiles. Then it lowers
// one allowance after the other as far as all hands allow. Each step leaves a bound. So two passes
// are enough, though a third one would lower a few allowances more.
func (b *Bound) add(lines *LineTable, times float64, of func(allowance float64) float64) {
	if lines == nil {
		return
	}
	h := allHands()
	worth := make([]float64, len(h.all)) // of each hand, above an empty row
	for i := range worth {
		worth[i] = math.Inf(-1)
	}
	for row, v := range lines {
		worth[h.of[row]] = max(worth[h.of[row]], float64(v-lines[0]))
	}
	var allow [2 * twin]float64
	for a := 1; a < len(allow); a++ {
		allow[a] = math.Inf(-1)
		for _, n := range h.with[a] {
			blanks := 0
			for h.all[n][blanks] == 0 {
				blanks++
			}
			allow[a] = max(allow[a], worth[n]/float64(4-blanks))
		}
	}
	for range 2 {
		for a := 1; a < len(allow); a++ {
			least := math.Inf(-1)
			for _, n := range h.with[a] {
				rest, tiles := worth[n], 0.0
				for _, b := range h.all[n] {
					if int(b) == a {
						tiles++
					} else {
						rest -= allow[b]
					}
				}
				least = max(least, rest/tiles)
			}
			allow[a] = least
		}
	}
	b.base += float64(times * float64(lines[0]))
	for r := 1; r <= MaxRank; r++ {
		b.alone[r] += of(allow[r])
		b.twins[r] += of(max(allow[r], allow[r+twin]))
	}
}

// value returns an upper bound of the value of an afterstate with these tiles, see Board.tiles, and
// of all boards that follow within the given numbers of slides and spawns.
func (u *Bound) value(tiles uint64, slides, spawns int) float64 {
	var count, ever [MaxRank + 1]int
	for r := 1; r <= MaxRank; r++ {
		count[r] = int(tiles >> (4 * r) & 15)
	}
	for s := 1; s <= slides+1; s++ { // the slides before and the first s spawns: the s-th slide is next
		for r := MaxRank; r > 0; r-- {
			ever[r] = count[r] + ever[r-1]/2
			if r <= 2 {
				ever[r] += min(s, spawns)
			}
		}
	}
	if ever[MaxRank] > 1 {
		return unbounded
	}
	var worth [MaxRank + 2]float64
	sum := 0.0
	for r := MaxRank; r > 0; r-- {
		worth[r] = u.alone[r]
		if ever[r] > 1 {
			worth[r] = max(u.twins[r], worth[r+1]/2)
		}
		sum += float64(float64(count[r]) * worth[r])
	}
	if spawned := max(worth[1], worth[2]); spawned > 0 {
		sum += float64(float64(spawns) * spawned)
	}
	return u.base + sum
}

// knownBounds remembers what a Bound returned. A bound depends on the tiles and the plies alone,
// not on where the tiles lie, so the afterstates of a game have few of them. An entry has all that
// its bound depends on, so it is the very number that the Bound returns again.
type knownBounds struct {
	bound   *Bound
	entries [256]struct {
		tiles uint64 // 0 in no entry that is in use
		plies int
		most  float64
	}
}

// forget begins with another Bound.
func (k *knownBounds) forget(bound *Bound) { *k = knownBounds{bound: bound} }

// value is Bound.value for an afterstate with the given remaining plies.
func (k *knownBounds) value(b Board, plies int) float64 {
	tiles := b.tiles()
	e := &k.entries[(tiles^uint64(plies))*0x9E3779B97F4A7C15>>56]
	if e.tiles != tiles || e.plies != plies {
		e.tiles, e.plies, e.most = tiles, plies, k.bound.value(tiles, plies/2, (plies+1)/2)
	}
	return e.most
}
