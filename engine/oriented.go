package engine

// Oriented holds what depends on where a tile lies for all 8 orientations of the board at once: a look-up gives
// eight values side by side, one cache line, and the best of the eight sums counts.
type Oriented struct {
	// Lines by row, half of the row (its first two tiles, its last two) and those two tiles, the first in the lower nibble. They
	// are also those of columns: the transposed board has the same 8 orientations in another order.
	Lines [4][2][256]Eight
	// Corners by corner cell as in Tables.Corners; nil if they do not count.
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

// minus sets e to a - b.
func (e *Eight) minus(a, b *Eight) {
	e[0] = a[0] - b[0]
	e[1] = a[1] - b[1]
	e[2] = a[2] - b[2]
	e[3] = a[3] - b[3]
	e[4] = a[4] - b[4]
	e[5] = a[5] - b[5]
	e[6] = a[6] - b[6]
	e[7] = a[7] - b[7]
}

// bestSum returns the largest of the sums of three.
func bestSum(a, b, c *Eight) int64 {
	return max(a[0]+b[0]+c[0], a[1]+b[1]+c[1], a[2]+b[2]+c[2], a[3]+b[3]+c[3],
		a[4]+b[4]+c[4], a[5]+b[5]+c[5], a[6]+b[6]+c[6], a[7]+b[7]+c[7])
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

// orientedSlide is what the four lines contribute after a slide without a spawn.
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

// addCorners adds what the corners at the ends of line r contribute, if they count.
func (o *orientedLines) addCorners(sum *Eight, r uint, line uint16) {
	if o.corners != nil && (r == 0 || r == 3) {
		end := r >> 1 << 1 // 0 or 2
		sum.add(&o.corners[end&3][(o.largest<<4|int(line&15))&255])
		sum.add(&o.corners[(end+1)&3][(o.largest<<4|int(line>>12))&255])
	}
}

// best returns the best orientation's sums with two other lines (after a 2, after a 4) in place of line r.
func (o *orientedLines) best(s *orientedSlide, r uint, after2, after4 uint16) (best2, best4 int64) {
	var rest, with Eight
	rest.minus(&s.sum, &s.lines[r&3])
	half := &o.lines[r&3]
	if o.corners == nil || r == 1 || r == 2 {
		return bestSum(&rest, &half[0][uint8(after2)], &half[1][after2>>8]),
			bestSum(&rest, &half[0][uint8(after4)], &half[1][after4>>8])
	}
	with = rest
	o.addCorners(&with, r, after2)
	best2 = bestSum(&with, &half[0][uint8(after2)], &half[1][after2>>8])
	o.addCorners(&rest, r, after4)
	return best2, bestSum(&rest, &half[0][uint8(after4)], &half[1][after4>>8])
}
