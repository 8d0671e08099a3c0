package engine

import "math/bits"

// Move is a direction in which the player slides all tiles. Ties go by this order: of two moves of
// equal value the smaller one is played.
type Move uint8

// The four moves, and NoMove where there is none.
const (
	Up Move = iota
	Down
	Left
	Right
	NoMove
)

var moveNames = [...]string{"up", "down", "left", "right", "none"}

// String returns "up", "down", "left" or "right", and "none" for NoMove.
func (m Move) String() string {
	return moveNames[m]
}

// Moves lists the four moves in their order.
func Moves() [4]Move { return [4]Move{Up, Down, Left, Right} }

// The results of a slide to the left or right, by row. A row is four ranks, the leftmost in the
// lowest nibble. Two tiles of rank 15 merge into a 65536, which a nibble cannot hold: it is shown
// as another tile of rank 15.
var (
	slid   [1 << 16]uint32 // the row after a slide to the left (lower half), right (upper half)
	points [1 << 16]uint32 // sum of the merged tiles, the same for both directions
)

func init() {
	for row := range 1 << 16 {
		result, reward := slideLeft([4]int{row & 15, row >> 4 & 15, row >> 8 & 15, row >> 12})
		left := uint16(result[0] | result[1]<<4 | result[2]<<8 | result[3]<<12)
		slid[row] |= uint32(left)
		slid[reversed(uint16(row))] |= uint32(reversed(left)) << 16
		points[row] = uint32(reward)
	}
	fillRowTable()
}

// slideLeft slides four ranks towards index 0 and merges equal neighbours once, the pair nearest to
// index 0 first. A merged tile has at most MaxRank. The reward is the sum of the merged faces, of
// two 32768s 65,536.
func slideLeft(line [4]int) (result [4]int, reward int) {
	n := 0
	mergeable := false // whether result[n-1] may still merge
	for _, rank := range line {
		switch {
		case rank == 0:
		case mergeable && result[n-1] == rank:
			result[n-1] = min(rank+1, MaxRank)
			reward += 2 << rank
			mergeable = false
		default:
			result[n] = rank
			n++
			mergeable = true
		}
	}
	return result, reward
}

// reversed returns the row read from the other side.
func reversed(row uint16) uint16 {
	return row>>12 | row>>4&0x00F0 | row<<4&0x0F00 | row<<12
}

// slideRows slides every row of b to the left and to the right.
func (b Board) slideRows() (left, right Board) {
	r0, r1, r2, r3 := Board(slid[uint16(b)]), Board(slid[uint16(b>>16)]), Board(slid[uint16(b>>32)]),
		Board(slid[uint16(b>>48)])
	const half = 0xFFFF
	return r0&half | r1&half<<16 | r2&half<<32 | r3<<48, r0>>16 | r1&^half | r2&^half<<16 | r3&^half<<32
}

// rowPoints returns the points of sliding every row, to either side.
func (b Board) rowPoints() int {
	return int(points[uint16(b)]) + int(points[uint16(b>>16)]) + int(points[uint16(b>>32)]) + int(points[uint16(b>>48)])
}

// Slide plays m. It returns the afterstate, the points won (sum of merged tiles), whether m is
// legal (it changes the board) and whether m merges two 32768s. Each such pair scores 65,536 and
// the game ends as capped. The afterstate shows the 65536 as a 32768, the largest tile of a Board.
func (b Board) Slide(m Move) (after Board, reward int, legal, capped bool) {
	switch m {
	case Left, Right:
		left, right := b.slideRows()
		after = left
		if m == Right {
			after = right
		}
		reward = b.rowPoints()
	case Up, Down:
		t := b.Transpose()
		up, down := t.slideRows()
		after = up.Transpose()
		if m == Down {
			after = down.Transpose()
		}
		reward = t.rowPoints()
	default:
		return b, 0, false, false
	}
	return after, reward, after != b, b.twoMaxRanks() && b.ends(m)
}

// ends reports whether a slide merges two tiles of MaxRank: some line along the slide has two of
// them, with blanks alone between them.
func (b Board) ends(m Move) bool {
	if m == Up || m == Down {
		b = b.Transpose()
	}
	for r := range 4 {
		last := 0
		for c := range 4 {
			rank := b.Rank(r, c)
			if rank == MaxRank && last == MaxRank {
				return true
			}
			if rank > 0 {
				last = rank
			}
		}
	}
	return false
}

// twoMaxRanks reports whether b holds two or more tiles of MaxRank: then, and only then, a slide
// may end the game by a 65536.
func (b Board) twoMaxRanks() bool {
	x := uint64(b) & (uint64(b) >> 1)
	x &= x >> 2
	x &= nibbles
	return x&(x-1) != 0
}

// LegalMoves returns the number of legal moves, 0..4.
func (b Board) LegalMoves() int {
	moves := uint8(0)
	for _, x := range [2]Board{b, b.Transpose()} {
		moves = moves << 1 & 0x22 // the rows' moves, beside the columns'
		for r := range 4 {
			moves |= rowTable[x.row(r)].moves
		}
	}
	return bits.OnesCount8(moves)
}

// Points returns the sum of (rank - 1) x face over the tiles: the score of a game that led to the
// board with spawns of a 2 alone.
func (b Board) Points() (sum int) {
	for x := uint64(b); x != 0; x >>= 4 {
		if rank := x & 15; rank > 0 {
			sum += int(rank-1) << rank
		}
	}
	return sum
}

// HasMove reports whether any move is legal.
func (b Board) HasMove() bool {
	return b.blanks() != 0 && b != 0 || b.LegalMoves() > 0
}
