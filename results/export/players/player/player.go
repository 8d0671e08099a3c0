// BEGIN about
// Package player counts blanks and merges. Export puts other players of 2048 in the marked places.
// END about
//
// Value(board) is a board's value, BestMove(board, 3) the best move at depth 3, BestMove(board, 0)
// the best move by the default search. Call them from one goroutine at a time. Needs
// Go 1.22 or later.
package player

import (
	"math"
	"math/bits"
	"sync"
)

// Board has four rows of four faces from the upper left: 0 for a blank, otherwise 2, 4, 8 ...
// 65536, which counts as a 32768.
type Board [4][4]int

// Move is a direction. The order is the order of ties.
type Move int

// The moves, and NoMove where none is legal.
const (
	Up Move = iota
	Down
	Left
	Right
	NoMove Move = -1
)

// String returns up, down, left or right; none for NoMove.
func (m Move) String() string {
	if m < Up || m > Right {
		return "none"
	}
	return [...]string{"up", "down", "left", "right"}[m]
}

// Value is a board's value as it is, without a search, and whether or not a move is legal.
func Value(b Board) float64 {
	prepare()
	return evaluate(b.ranks())
}

// BestMove returns the best move by a search of so many plies: 1 values the board after the move, 2
// after the tile that comes then, 3 after the next move, and so on. 0 is the default search. The
// first of equals in the order up, down, left, right.
func BestMove(b Board, depth int) Move {
	move, _ := search(b, depth)
	return move
}

// BEGIN constants

//lint:file-ignore U1000 Other heuristics use the functions that this one does not need.

const (
	scale = 4294967296.0
	dead  = 0.0 // the value of a board without a legal move, in a search
	two   = 0.9 // the probability that a new tile is a 2
	four  = 0.1
	cut   = 0.001 // the default search ends at boards of less probability
)

// The weights of the features.
const (
	emptyWeight  float64 = 270.0
	mergesWeight float64 = 700.0
)

// END constants

// ranks is a board or a line: 0 for a blank, 1 for a 2, 2 for a 4 ... 15 for a 32768, four bits
// each. The upper or left cell has the lowest bits, the first row of a board the lowest 16.
type ranks uint64

// table has values by row, column or square of 2 x 2 cells. They are whole numbers of 1 / scale, so
// boards that are equally good have exactly the same value, unsearched.
type table [65536]int64

func (b Board) ranks() (r ranks) {
	for cell := range 16 {
		rank := min(bits.Len(uint(b[cell/4][cell%4])>>1), 15)
		r |= ranks(rank) << (4 * cell)
	}
	return r
}

func rankAt(r ranks, cell int) int { return int(r >> (4 * cell) & 15) }

func largestRank(r ranks) int {
	largest := 0
	for ; r != 0; r >>= 4 {
		largest = max(largest, int(r&15))
	}
	return largest
}

func countBlanks(r ranks, cells int) int {
	n := 0
	for cell := range cells {
		if rankAt(r, cell) == 0 {
			n++
		}
	}
	return n
}

// pack returns a line without its blanks.
func pack(line ranks) (packed ranks) {
	for cell := 3; cell >= 0; cell-- {
		if rank := rankAt(line, cell); rank != 0 {
			packed = packed<<4 | ranks(rank)
		}
	}
	return packed
}

// countEqual counts adjacent equal tiles once blanks are dropped: 2 2 2 counts 2. A run's first
// tile counts first.
func countEqual(line ranks, first int) int {
	n, run, last := 0, 0, 0
	for line = pack(line); line != 0; line >>= 4 {
		if run++; int(line&15) != last {
			run, last = 0, int(line&15)
		} else if n++; run == 1 {
			n += first
		}
	}
	return n
}

// countDistinct counts the different tiles.
func countDistinct(r ranks) int {
	seen := uint(0)
	for ; r != 0; r >>= 4 {
		seen |= 1 << (r & 15)
	}
	return max(bits.OnesCount(seen>>1), 1)
}

// countPoints returns the score of the tiles, had all that came been a 2.
func countPoints(r ranks) int {
	sum := 0
	for ; r != 0; r >>= 4 {
		sum += max(int(r&15)-1, 0) << (r & 15)
	}
	return sum
}

// countMoves counts the legal moves, and returns 1 if there is none.
func countMoves(r ranks) int {
	n := 0
	for _, after := range moves(r) {
		if after != r {
			n++
		}
	}
	return max(n, 1)
}

// largestWithin returns 1 if a largest tile lies in the cells of a mask.
func largestWithin(r, cells ranks) int {
	if largestRank(r&cells) == largestRank(r) {
		return 1
	}
	return 0
}

func transpose(r ranks) ranks {
	swap := (r ^ r>>12) & 0x0000F0F00000F0F0
	r ^= swap ^ swap<<12
	swap = (r ^ r>>24) & 0x00000000FF00FF00
	return r ^ swap ^ swap<<24
}

// overRows sums a table over rows. Over columns it is the sum over the rows of the transposed
// board.
func overRows(t *table, r ranks) int64 {
	return t[r&0xFFFF] + t[r>>16&0xFFFF] + t[r>>32&0xFFFF] + t[r>>48]
}

func overSquares(t *table, r ranks) (sum int64) {
	for row := 0; row < 3; row, r = row+1, r>>16 {
		for shift := 0; shift < 12; shift += 4 {
			sum += t[r>>shift&0xFF|r>>(shift+8)&0xFF00]
		}
	}
	return sum
}

// overCells sums a table by 16 x cell + rank.
func overCells(t *[256]int64, r ranks) (sum int64) {
	for cell := range 16 {
		sum += t[16*cell+rankAt(r, cell)]
	}
	return sum
}

// overCorner is the entry of a table by 16 x rank of the largest tile + rank in a corner cell.
func overCorner(t *[256]int64, r ranks, cell int) int64 {
	return t[16*largestRank(r)+rankAt(r, cell)]
}

// fixed returns x as a whole number of 1 / scale, a half as the even one.
func fixed(x float64) int64 { return int64(math.RoundToEven(x * scale)) }

// rounded returns x as a whole number of 1 / scale, of a magnitude up to 2^50.
func rounded(x, scale float64) int64 {
	return int64(math.RoundToEven(min(max(x, -1<<50), 1<<50) * scale))
}

func choose[T int | int64 | float64](condition bool, x, y T) T {
	if condition {
		return x
	}
	return y
}

// finiteOr0 returns x, or 0 if it is no finite number.
func finiteOr0(x float64) float64 {
	if x-x != 0 {
		return 0
	}
	return x
}

// power returns x^y. A number below 0 has the 0th power alone.
func power(x, y float64) float64 {
	if x < 0 && y != 0 {
		return 0
	}
	return finiteOr0(math.Pow(x, y))
}

// BEGIN heuristic

// A line is worth 270 for each blank and 700 for each merge.
func rowValue(line ranks) int64 {
	return fixed(emptyWeight*float64(countBlanks(line, 4)) + mergesWeight*float64(countEqual(line, 0)))
}

var rowValues = new(table)
var columnValues = rowValues

func prepareHeuristic() {
	for line := range 65536 {
		rowValues[line] = rowValue(ranks(line))
	}
}

// evaluate returns the value of a board as it is.
func evaluate(board ranks) float64 {
	columns := transpose(board)
	return float64(overRows(rowValues, board)+overRows(columnValues, columns)) / scale
}

// ownDepth returns the plies of the default search.
func ownDepth(board ranks) int { return max(3, countDistinct(board)-7) }

// END heuristic

// bestOrientation returns the best value of a board's eight orientations.
func bestOrientation(asItLies func(ranks) float64, r ranks) float64 {
	best := asItLies(r)
	for i := range 7 {
		if i%2 == 0 {
			r = transpose(r)
		} else {
			r = r<<48 | r<<16&0xFFFF00000000 | r>>16&0xFFFF0000 | r>>48
		}
		best = max(best, asItLies(r))
	}
	return best
}

// Rows after a slide to the left or right.
var slidLeft, slidRight [65536]uint16

var prepare = sync.OnceFunc(func() {
	for row := range ranks(65536) {
		slid, length, mergeable := ranks(0), 0, ranks(0)
		for line := pack(row); line != 0; line >>= 4 {
			if rank := line & 15; rank == mergeable {
				slid += min(15-rank, 1) << (4*length - 4)
				mergeable = 0
			} else {
				slid |= rank << (4 * length)
				mergeable = rank
				length++
			}
		}
		slidLeft[row] = uint16(slid)
		slidRight[mirror(row)] = uint16(mirror(slid))
	}
	prepareHeuristic()
})

func mirror(row ranks) ranks { return row>>12 | row>>4&0xF0 | row<<4&0xF00 | row<<12&0xF000 }

func slide(slid *[65536]uint16, r ranks) ranks {
	return ranks(slid[r&0xFFFF]) | ranks(slid[r>>16&0xFFFF])<<16 | ranks(slid[r>>32&0xFFFF])<<32 | ranks(slid[r>>48])<<48
}

// moves returns the boards after the moves, the board itself where one is not legal.
func moves(r ranks) [4]ranks {
	t := transpose(r)
	return [4]ranks{transpose(slide(&slidLeft, t)), transpose(slide(&slidRight, t)), slide(&slidLeft, r), slide(&slidRight, r)}
}

// mergesLast reports whether a move merges two 32768s, which ends the game.
func mergesLast(r ranks, move Move) bool {
	if move < Left {
		r = transpose(r)
	}
	for ; r != 0; r >>= 16 {
		for line := pack(r & 0xFFFF); line != 0; line >>= 4 {
			if line&0xFF == 0xFF {
				return true
			}
		}
	}
	return false
}

// searcher searches for the best move.
type searcher struct {
	endgame bool // whether two 32768s may meet
	top     int  // the plies after the first move, which no other moves lead to
}

// valued is a board after a move, with its value.
type valued struct {
	board ranks
	plies int
	prob  float64
	value float64
}

var known [1 << 15]valued

// best returns the best move with so many plies to go and its value; NoMove and dead if none is
// legal. The board's probability is prob.
func (s *searcher) best(board ranks, plies int, prob float64) (best Move, value float64) {
	best, value = NoMove, dead
	for i, after := range moves(board) {
		if after == board {
			continue
		}
		if plies == 0 {
			return Move(i), evaluate(board)
		}
		left := plies - 1
		if s.endgame && mergesLast(board, Move(i)) {
			left = 0
		}
		if v := s.chance(after, left, prob); best == NoMove || v > value {
			best, value = Move(i), v
		}
	}
	return best, value
}

// chance returns the value of a board after a move.
func (s *searcher) chance(board ranks, plies int, prob float64) float64 {
	if plies == 0 || prob < cut {
		return evaluate(board)
	}
	if plies == 1 || plies == s.top {
		return s.mean(board, plies, prob)
	}
	k := &known[uint64(board+ranks(plies))*0x9E3779B97F4A7C15>>49]
	if k.board != board || k.plies != plies || k.prob != prob {
		*k = valued{board, plies, prob, s.mean(board, plies, prob)}
	}
	return k.value
}

// mean returns the mean over the tiles that may come.
func (s *searcher) mean(board ranks, plies int, prob float64) float64 {
	blanks := float64(countBlanks(board, 16))
	sum2, sum4 := 0.0, 0.0
	share := prob / blanks
	for cell := range 16 {
		if rankAt(board, cell) == 0 {
			_, v2 := s.best(board|1<<(4*cell), plies-1, share*two)
			_, v4 := s.best(board|2<<(4*cell), plies-1, share*four)
			sum2 += v2
			sum4 += v4
		}
	}
	return float64(sum2*(two/blanks)) + float64(sum4*(four/blanks))
}

// search returns the best move and its value.
func search(b Board, depth int) (Move, float64) {
	prepare()
	r, sum := b.ranks(), 0
	for cell := range 16 {
		if sum += b[cell/4][cell%4]; b[cell/4][cell%4] > 32768 {
			return NoMove, dead // the game has ended
		}
	}
	prob := choose(depth > 0, math.Inf(1), 1) // no board is of less than a part of infinity
	if depth <= 0 {
		depth = ownDepth(r)
	}
	s := searcher{endgame: sum+4*depth >= 65536, top: depth - 1}
	return s.best(r, depth, prob)
}
