package engine

import "math"

// Oriented holds the position-dependent features for all 8 orientations of the board at once. A
// look-up gives eight values side by side, one cache line, and the best of the eight sums counts.
type Oriented struct {
	// Lines by row, half of the row and the half's two tiles, the first in the lower nibble. They
	// serve columns too: the transposed board has the same 8 orientations in another order.
	Lines [4][2][256]Eight
	// Corners by corner cell as in Tables.Corners, or nil if they do not count.
	Corners *[4][256]Eight
}

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

// value returns the best orientation's sum for a board with the given largest tile.
func (o *Oriented) value(b Board, largest int) int64 {
	var sum Eight
	for r := range uint(4) {
		sum.add(&o.Lines[r][0][uint8(b.row(int(r)))])
		sum.add(&o.Lines[r][1][b.row(int(r))>>8])
	}
	if o.Corners != nil {
		for i := range o.Corners {
			sum.add(&o.Corners[i][(largest<<4|int(b>>cornerShift[i])&15)&255])
		}
	}
	return sum.best()
}

// orientedLines is Oriented as seen by one direction of sliding, for boards with one largest tile.
type orientedLines struct {
	lines   *[4][2][256]Eight
	corners *[4][256]Eight // nil if they do not count
	largest int

	left, right orientedSlide // scratch
}

// orientedSlide holds the look-ups of the four lines after a slide without a spawn.
type orientedSlide struct {
	lines [4]Eight
	sum   Eight
}

func (o *orientedLines) slide(s *orientedSlide, l0, l1, l2, l3 uint16) {
	for r, line := range [4]uint16{l0, l1, l2, l3} {
		s.lines[r] = o.lines[r][0][uint8(line)]
		s.lines[r].add(&o.lines[r][1][line>>8])
	}
	o.addCorners(&s.lines[0], 0, l0)
	o.addCorners(&s.lines[3], 3, l3)
	s.sum = s.lines[0]
	s.sum.add(&s.lines[1])
	s.sum.add(&s.lines[2])
	s.sum.add(&s.lines[3])
}

// atCorners returns the look-ups of the corners at the ends of line r (0 or 3).
func (o *orientedLines) atCorners(r uint, line uint16) (first, last *Eight) {
	end := r & 2 // 0 or 2
	return &o.corners[end][(o.largest<<4|int(line&15))&255], &o.corners[end+1][(o.largest<<4|int(line>>12))&255]
}

// addCorners adds the look-ups of the corners at the ends of line r, if they count.
func (o *orientedLines) addCorners(sum *Eight, r uint, line uint16) {
	if o.corners != nil {
		first, last := o.atCorners(r, line)
		sum.add(first)
		sum.add(last)
	}
}

// best returns the best orientation's sums with line r replaced, after a 2 and after a 4.
func (o *orientedLines) best(s *orientedSlide, r uint, after2, after4 uint16) (best2, best4 int64) {
	line, half := &s.lines[r&3], &o.lines[r&3]
	low2, high2, low4, high4 := &half[0][uint8(after2)], &half[1][after2>>8], &half[0][uint8(after4)],
		&half[1][after4>>8]
	best2, best4 = math.MinInt64, math.MinInt64
	if o.corners == nil || r == 1 || r == 2 {
		for i := range s.sum {
			rest := s.sum[i] - line[i]
			best2, best4 = max(best2, rest+low2[i]+high2[i]), max(best4, rest+low4[i]+high4[i])
		}
		return best2, best4
	}
	first2, last2 := o.atCorners(r, after2)
	first4, last4 := o.atCorners(r, after4)
	for i := range s.sum {
		rest := s.sum[i] - line[i]
		best2 = max(best2, rest+low2[i]+high2[i]+first2[i]+last2[i])
		best4 = max(best4, rest+low4[i]+high4[i]+first4[i]+last4[i])
	}
	return best2, best4
}
