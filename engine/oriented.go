package engine

import "math"

// Oriented holds the position-dependent features for all 8 orientations of the board at once. A
// look-up gives eight values side by side, one cache line, and the best of the eight sums counts.
// The look-ups are those of Cells. They serve columns too: the transposed board has the same 8
// orientations in another order.
type Oriented [4][2][256]Eight

// Eight are the values in the 8 orientations.
type Eight [8]int64

func (e *Eight) add(x *Eight) {
	e[0] += x[0]
	e[1] += x[1]
	e[2] += x[2]
	e[3] += x[3]
	e[4] += x[4]
	e[5] += x[5]
	e[6] += x[6]
	e[7] += x[7]
}

// best returns the largest.
func (e *Eight) best() int64 {
	return max(e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7])
}

// value returns the best orientation's sum.
func (o *Oriented) value(b Board) int64 {
	var sum Eight
	for r := range o {
		row := b.row(r)
		sum.add(&o[r][0][uint8(row)])
		sum.add(&o[r][1][row>>8])
	}
	return sum.best()
}

// orientedSlide holds the look-ups of the four lines after a slide without a spawn, and their sum.
type orientedSlide struct {
	lines [4]Eight
	sum   Eight
}

// slide notes the look-ups after a slide.
func (s *orientedSlide) slide(o *Oriented, l0, l1, l2, l3 uint16) {
	for r, line := range [4]uint16{l0, l1, l2, l3} {
		s.lines[r] = o[r][0][uint8(line)]
		s.lines[r].add(&o[r][1][line>>8])
	}
	s.sum = s.lines[0]
	s.sum.add(&s.lines[1])
	s.sum.add(&s.lines[2])
	s.sum.add(&s.lines[3])
}

// best returns the best orientation's sums with line r replaced, after a 2 and after a 4.
func (s *orientedSlide) best(o *Oriented, r uint, after2, after4 uint16) (best2, best4 int64) {
	line, half := &s.lines[r&3], &o[r&3]
	low2, high2, low4, high4 := &half[0][uint8(after2)], &half[1][after2>>8], &half[0][uint8(after4)],
		&half[1][after4>>8]
	best2, best4 = math.MinInt64, math.MinInt64
	for i := range s.sum {
		rest := s.sum[i] - line[i]
		best2, best4 = max(best2, rest+low2[i]+high2[i]), max(best4, rest+low4[i]+high4[i])
	}
	return best2, best4
}
