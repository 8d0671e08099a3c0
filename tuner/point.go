package tuner

import (
	"encoding/binary"
	"math"
)

// point is a candidate and its place in the unit cube. It never changes.
type point struct {
	unit   []float64 // its coordinates, each in [0, 1]
	values []float64 // the natural values, rounded except for the start's
	origin string
}

// newPoint reflects the coordinates into the unit cube.
func newPoint(s *Space, unit []float64, origin string) point {
	inside := make([]float64, len(unit))
	for i, u := range unit {
		inside[i] = mirrored(u)
	}
	return point{unit: inside, values: s.Values(inside), origin: origin}
}

func startPoint(s *Space) point {
	return point{unit: s.Unit(s.Start()), values: s.Start(), origin: OriginStart}
}

// uniformPoint draws from the whole space. uniform returns numbers in [0, 1).
func uniformPoint(s *Space, uniform func() float64) point {
	unit := make([]float64, s.Dim())
	for i := range unit {
		unit[i] = uniform()
	}
	return newPoint(s, unit, originRandom)
}

// called returns the point under another origin.
func (p point) called(origin string) point {
	p.origin = origin
	return p
}

// distinct remembers the vectors of a generation.
type distinct map[string]bool

// distinctTries is how often a vector that the generation already has is drawn again. A space may
// have fewer vectors than a generation has places.
const distinctTries = 20

// add reports whether the vector is new to the generation.
func (d distinct) add(p point) bool {
	var key []byte
	for _, v := range p.values {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
	}
	if d[string(key)] {
		return false
	}
	d[string(key)] = true
	return true
}
