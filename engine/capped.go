package engine

// The 65,536 rule: two 32768s merge for 65,536 points and end the game. A Board has no room for the
// new tile. So boards with two or more 32768s, which only the very best games ever see, leave the
// table path for the slower code of this file.

// twoMaxRanks reports whether b holds two or more tiles of MaxRank: then, and only then, a slide
// may merge beyond the largest tile of a Board.
func (b Board) twoMaxRanks() bool {
	x := uint64(b) & (uint64(b) >> 1)
	x &= x >> 2
	x &= nibbles
	return x&(x-1) != 0
}

// slideCells plays m without the limit of Board: after has ranks by row and column, 16 is a 65536.
func (b Board) slideCells(m Move) (after [4][4]int, reward int, capped bool) {
	for i := range 4 {
		var line [4]int
		at := func(k int) (r, c int) { // the k-th cell of line i, from the side that tiles slide to
			switch m {
			case Up:
				return k, i
			case Down:
				return 3 - k, i
			case Left:
				return i, k
			default:
				return i, 3 - k
			}
		}
		for k := range line {
			r, c := at(k)
			line[k] = b.Rank(r, c)
		}
		line, points := slideLeft(line, MaxRank+1)
		reward += points
		for k, rank := range line {
			r, c := at(k)
			after[r][c] = rank
			capped = capped || rank > MaxRank
		}
	}
	return after, reward, capped
}

// slideCapped is Slide by way of slideCells.
func (b Board) slideCapped(m Move) (after Board, reward int, legal, capped bool) {
	if m > Right {
		return b, 0, false, false
	}
	result, reward, capped := b.slideCells(m)
	for r := range result {
		for c, rank := range result[r] {
			after |= Board(min(rank, MaxRank)) << (4 * (4*r + c))
		}
	}
	return after, reward, after != b || capped, capped
}
