package engine

// rowSlides is what slides make of a row, by itself and after a spawn. A row has at most two runs of adjacent
// blanks, and if there are two one begins in its left half and one in its right half: the half is the index.
// It is kept to 24 bytes: the last chance layer waits for this table more than for any other.
type rowSlides struct {
	left, right uint16 // the row after a slide to the left, to the right
	moves       uint8  // whether the slides change the row: bit 0 left, bit 4 right
	// stuck has, by run, a bit for each of runs that leaves the row as it is when the tile spawns in the run's
	// first cell (left) or last one (right): bits 0..3 for the first half, 4..7 for the second.
	stuck uint8
	// longer is the cells by which a run is longer than one: bits 0..3 for the first half, 4..7 for the second.
	longer uint8
	// runs is what slides make of the row after a spawn in a run of blanks, whichever of its cells it is: after a 2 to
	// the left, a 2 to the right, a 4 to the left, a 4 to the right, 16 bits each.
	runs [2]uint64
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
				e.runs[half] |= uint64(left)<<(32*k) | uint64(right)<<(32*k+16)
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

// columnsOf spreads the four tiles of a row to the first tiles of four rows: the row as a board's first column.
func columnsOf(row uint16) uint64 { return spread[uint8(row)] | spread[row>>8]<<32 }

var spread = func() (table [256]uint64) {
	for pair := range table {
		table[pair] = uint64(pair&15 | pair>>4<<16)
	}
	return table
}()

// stuckable has, by the sets of rows that a slide to the left (lower nibble) and to the right changes, the last row in
// the lowest bit, the slides that a spawn in a row may leave illegal, a nibble for each row as in rowSlides.stuck: those
// for which no other row moves.
var stuckable = func() (table [256]uint16) {
	for moves := range table {
		for r := range 4 {
			if moves&15&^(8>>r) == 0 {
				table[moves] |= 5 << (4 * r)
			}
			if moves>>4&^(8>>r) == 0 {
				table[moves] |= 10 << (4 * r)
			}
		}
	}
	return table
}()
