package engine

// rowSlides is what slides make of a row, by itself and after a spawn. A row has at most two runs of adjacent
// blanks, and if there are two one begins in its left half and one in its right half: the half is the index.
type rowSlides struct {
	left, right uint16 // the row after a slide to the left, to the right
	moves       uint8  // whether the slides change the row: bit 0 left, bit 4 right
	// stuck has, by run, a bit for each of spawned that leaves the row as it is when the tile spawns in the run's
	// first cell (left) or last one (right): bits 0..3 for the first half, 4..7 for the second.
	stuck uint8
	// longer is the cells by which a run is longer than one: bits 0..3 for the first half, 4..7 for the second.
	longer uint8
	// The row after a slide as the first column of a board.
	turnedLeft, turnedRight uint64
	runs                    [2]runSlides
}

// runSlides is what slides make of a row after a spawn in a run of blanks, whichever of its cells it is: after a
// 2 to the left, a 2 to the right, a 4 to the left, a 4 to the right.
type runSlides struct {
	rows   uint64    // 16 bits each
	turned [4]uint64 // as the first column of a board
}

var rowTable [1 << 16]rowSlides

// fillRowTable needs the slides.
func fillRowTable() {
	for row := range 1 << 16 {
		e := &rowTable[row]
		e.left, e.right = slid[toLeft][row], slid[toRight][row]
		e.turnedLeft, e.turnedRight = columnsOf(e.left), columnsOf(e.right)
		if int(e.left) != row {
			e.moves |= 1
		}
		if int(e.right) != row {
			e.moves |= 1 << 4
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
			e.longer |= uint8((last - first) << (4 * half))
			for k := range 2 {
				atFirst, atLast := row|(k+1)<<(4*first), row|(k+1)<<(4*last)
				left, right := slid[toLeft][atFirst], slid[toRight][atFirst]
				e.runs[half].rows |= uint64(left)<<(32*k) | uint64(right)<<(32*k+16)
				e.runs[half].turned[2*k], e.runs[half].turned[2*k+1] = columnsOf(left), columnsOf(right)
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

// columnsOf spreads the four tiles of a row to the first tiles of four rows.
func columnsOf(row uint16) uint64 {
	x := uint64(row)
	x = (x | x<<24) & 0x000000FF000000FF
	return (x | x<<12) & 0x000F000F000F000F
}

// stuckRows has, by the set of rows that a slide changes, the rows for which no other row moves, as bit 0 of a
// nibble each: all of them if none moves, the only one that moves, or none.
var stuckRows = [16]uint16{0: 0x1111, 1: 0x0001, 2: 0x0010, 4: 0x0100, 8: 0x1000}
