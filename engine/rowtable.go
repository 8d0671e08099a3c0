package engine

// rowSlides are the results of sliding a row, by itself and after a spawn.
//
// An example, with the faces of the tiles, cells numbered 0 to 3 from the left. Row 2 0 0 4 slides
// to 2 4 0 0 and 0 0 2 4. Its blanks are one run, cells 1 and 2, beginning in the left half. A 2
// spawned there gives
//
//	in cell 1: 2 2 0 4, to the left 4 4 0 0, to the right 0 0 4 4
//	in cell 2: 2 0 2 4, to the left 4 4 0 0, to the right 0 0 4 4
//
// The same in both cells: tiles slide past the blanks of a run on either side of the new tile. So
// the entry has one result for the run: runs[0] is 4 4 0 0, 0 0 4 4 (after a 2), 2 8 0 0, 0 0 2 8
// (after a 4).
//
// One exception changes no result but makes a slide illegal. In row 2 4 0 0 a 2 in cell 2 gives
// 2 4 2 0, which a slide to the left does not change. In cell 3 it gives 2 4 0 2, which slides to
// 2 4 2 0. stuck marks these cells: only the first of a run for slides to the left, the last for
// slides to the right.
//
// A row has at most two runs of blanks. Of two, one begins in its left half and one in its right
// half: the half (0 or 1) is the run's index. The entry is kept to 24 bytes, because the last
// chance layer waits for this table more than for any other.
type rowSlides struct {
	left, right uint16 // the row after a slide to the left, to the right
	moves       uint8  // which slides change the row: bit 0 left, bit 4 right
	stuck       uint8  // by run, 4 bits: a 2 in its first cell, its last; a 4 in its first, its last
	longer      uint8  // by run, 4 bits each: its number of cells minus 1
	// runs are the results after a spawn in the run: after a 2 to the left, a 2 to the right, a 4
	// to the left, a 4 to the right, 16 bits each from the lowest.
	runs [2]uint64
}

var rowTable [1 << 16]rowSlides

// fillRowTable needs the slides.
func fillRowTable() {
	for row := range 1 << 16 {
		e := &rowTable[row]
		e.left, e.right = uint16(slid[row]), uint16(slid[row]>>16)
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
				left, right := uint16(slid[atFirst]), uint16(slid[atFirst]>>16)
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

// columnsOf spreads the tiles of a row to the first tiles of four rows: the board's first column.
func columnsOf(row uint16) uint64 { return spread[uint8(row)] | spread[row>>8]<<32 }

var spread = func() (table [256]uint64) {
	for pair := range table {
		table[pair] = uint64(pair&15 | pair>>4<<16)
	}
	return table
}()

// stuckable selects the bits of rowSlides.stuck that count. A slide is illegal only if it changes
// no row, so a row that is stuck after a spawn matters where no other row moves. The index is the
// set of rows that a slide to the left changes (lower nibble, the last row in its lowest bit) and
// the set for the right (upper nibble). The entry has the mask for stuck of each row, 4 bits each.
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
