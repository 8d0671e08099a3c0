package heuristic

import (
	"math"

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

// add takes a line feature into the sum.
func (l *lineSum) add(f *Feature, fixed func(float64) int64) {
	w := f.Weight.Value
	var v [maxTileRank + 1]float64
	if f.Kind == Sum || f.Kind == Difference || f.Kind == Monotonicity {
		v = f.tileValues()
	}
	switch f.Kind {
	case Line: // with any count of merges
		for n := range l.pairs {
			l.pairs[n] += fixed(w)
		}
	case Empty:
		for pair := range l.half {
			for _, rank := range [2]int{pair & 15, pair >> 4} {
				if rank == 0 {
					l.half[pair] += fixed(w)
				}
			}
		}
	case Merges:
		counts := &l.pairs
		if f.Count == Runs {
			counts = &l.runs
		}
		for n := range counts {
			counts[n] += fixed(float64(w * float64(n)))
		}
	case Sum:
		for pair := range l.half {
			l.half[pair] += fixed(float64(w*v[pair&15])) + fixed(float64(w*v[pair>>4]))
		}
	case Difference:
		for pair := range l.near {
			l.near[pair] += fixed(float64(w * math.Abs(v[pair&15]-v[pair>>4])))
		}
	case Monotonicity:
		s := slopes{sign: 1, packed: f.Blanks == Skip}
		if w < 0 {
			s.sign = -1
		}
		for pair := range s.rise {
			a, b := pair&15, pair>>4
			if s.packed && (a == 0 || b == 0) {
				continue // the end of the tiles
			}
			if d := fixed(float64(math.Abs(w) * math.Abs(v[b]-v[a]))); v[b] > v[a] {
				s.rise[pair] = d
			} else {
				s.fall[pair] = d
			}
		}
		l.slopes = append(l.slopes, s)
	}
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
