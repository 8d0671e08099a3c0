package heuristic

import (
	"sync"

	"tune2048/engine"
)

// lineSum is the sum of a family's line features, in fixed point, taken apart so that a row costs a handful of
// look-ups: what counts tiles one by one, what looks at pairs of neighbours, and the smaller of two such sums.
// Every entry is rounded once, so that a row's value is a sum of integers.
type lineSum struct {
	half   [256]int64 // by two tiles: empty and sum
	pairs  [8]int64   // by merges counted as pairs, 0 to 3: merges, and line
	runs   [8]int64   // by merges counted as runs, 0 to 4
	near   [256]int64 // by two neighbours: difference
	slopes []slopes   // one for each monotonicity
}

// slopes is a monotonicity: by two neighbours, weight x rise and weight x fall of the magnitudes; the smaller total
// counts, with the weight's sign.
type slopes struct {
	rise, fall [256]int64
	sign       int64
	packed     bool // blanks are dropped first
}

// fill writes the sum of every row to the table; a row and its mirror image have the same.
func (l *lineSum) fill(table *engine.LineTable) {
	f := facts()
	var ends [256]int64 // what the first two or the last two tiles add
	for pair := range ends {
		ends[pair] = l.half[pair] + l.near[pair]
	}
	for high := range uint16(256) {
		mirrored := high>>4 | high<<4&0xF0
		for low := range mirrored + 1 { // the others are mirror images of these
			row := high<<8 | low
			v := ends[low] + ends[high] + l.near[uint8(row>>4)] + l.pairs[f.pairs[row]&7] + l.runs[f.runs[row]&7]
			for i := range l.slopes {
				v += l.slopes[i].of(row, f)
			}
			table[row] = v
			table[(low>>4|low<<4&0xF0)<<8|mirrored] = v
		}
	}
}

// of returns the monotonicity of a row.
func (s *slopes) of(row uint16, f *lineFacts) int64 {
	if s.packed {
		row = f.packed[row]
	}
	rise := s.rise[uint8(row)] + s.rise[uint8(row>>4)] + s.rise[row>>8]
	fall := s.fall[uint8(row)] + s.fall[uint8(row>>4)] + s.fall[row>>8]
	return s.sign * min(rise, fall)
}

// lineFacts are what the line features need of a row that depends on no weight, computed once.
type lineFacts struct {
	pairs, runs [1 << 16]uint8
	packed      [1 << 16]uint16 // the row without its blanks
}

var facts = sync.OnceValue(func() *lineFacts {
	t := new(lineFacts)
	for row := range 1 << 16 {
		tiles := dropBlanks([]int{row & 15, row >> 4 & 15, row >> 8 & 15, row >> 12})
		for i, rank := range tiles {
			t.packed[row] |= uint16(rank << (4 * i))
		}
		t.pairs[row] = uint8(countMerges(tiles, Pairs))
		t.runs[row] = uint8(countMerges(tiles, Runs))
	}
	return t
})
