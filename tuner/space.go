package tuner

import (
	"math"
	"slices"

	"tune2048/engine/portable"
)

// significantDigits is the number of decimal digits in the values of candidates. They are readable,
// far finer than the noise of any measurement, and the same whatever the last bits before rounding
// were.
const significantDigits = 6

// Space is a list of parameters, seen from the unit cube: near 0 is a parameter's minimum, near 1
// its maximum, and between them the parameter's scale. A Space does not change and may be shared.
type Space struct {
	parameters []Parameter
	digits     []int
	order      []int // of parameters whose values ascend
}

// NewSpace returns the space of the parameters. It does not check their ranges: the caller has.
// order has the names of parameters with one range, whose values are to ascend as the names follow
// one another.
func NewSpace(parameters []Parameter, order ...string) *Space {
	s := &Space{parameters: slices.Clone(parameters)}
	for _, p := range parameters {
		s.digits = append(s.digits, digits(p))
	}
	for _, name := range order {
		s.order = append(s.order, slices.IndexFunc(parameters,
			func(p Parameter) bool { return p.Name == name }))
	}
	return s
}

// digits returns the significant digits of the parameter's values. They are one more than usual for
// each power of ten by which its range is narrower than its values are large. So rounding never
// leaves only a few different values.
func digits(p Parameter) int {
	digits := significantDigits
	magnitude := max(math.Abs(p.Min), math.Abs(p.Max))
	for width := (p.Max - p.Min) / magnitude; width < 0.1 && digits < 17; width *= 10 {
		digits++
	}
	return digits
}

// Dim returns the number of parameters.
func (s *Space) Dim() int { return len(s.parameters) }

// Start returns the start vector in natural values, exactly as given.
func (s *Space) Start() []float64 {
	start := make([]float64, s.Dim())
	for i, p := range s.parameters {
		start[i] = p.Value
	}
	return start
}

// Values returns the natural values of a point. They are rounded to 6 significant decimal digits
// (more where a parameter's range is narrow for its size), unless they are whole, and within their
// ranges. Coordinates outside [0, 1] are reflected at the edges. Values that have an order are
// sorted. unit has Dim finite coordinates.
func (s *Space) Values(unit []float64) []float64 {
	values := make([]float64, s.Dim())
	for i, p := range s.parameters {
		v := p.At(placed(unit[i]))
		if !p.Whole {
			v = portable.Rounded(v, s.digits[i])
		}
		values[i] = min(max(v, p.Min), p.Max)
	}
	for later, i := range s.order {
		for _, j := range s.order[:later] {
			values[j], values[i] = min(values[j], values[i]), max(values[j], values[i])
		}
	}
	return values
}

// Unit returns the point of the unit cube that has the natural values. Values outside their range
// give the nearest edge, and a parameter whose Min is its Max gives 0. values has Dim finite
// numbers.
func (s *Space) Unit(values []float64) []float64 {
	unit := make([]float64, s.Dim())
	for i := range unit {
		unit[i] = s.coordinate(i, values[i])
	}
	return unit
}

// coordinate returns the place of a value in the unit interval.
func (s *Space) coordinate(i int, value float64) float64 {
	return strip + float64((1-2*strip)*s.parameters[i].Unit(value))
}

// strip is the width of a part of the unit interval at each end that has the end's value. A
// population that looks for an optimum at the end of a range stands around its mean, so without the
// strip its mean would lie inside by its spread.
const strip = 0.03

// placed returns the place in a range that has a coordinate.
func placed(u float64) float64 {
	return min(max((mirrored(u)-strip)/(1-2*strip), 0), 1)
}

// leastStep returns the least useful standard deviation of a parameter's steps from a coordinate:
// half of a whole number's share of the unit interval, otherwise 0.
func (s *Space) leastStep(i int, from float64) float64 {
	p := s.parameters[i]
	return float64((1-2*strip)*p.Share(p.At(placed(from)))) / 2
}

// mirrored folds a coordinate into [0, 1] as if its edges were mirrors.
func mirrored(u float64) float64 {
	u = math.Abs(math.Mod(u, 2)) // exact, and the mirror at 0
	if u > 1 {
		u = 2 - u
	}
	return u
}

// newCandidate reflects the coordinates into the unit cube. The coordinates of values that trade
// places go with them: otherwise a mean of candidates would mix optima that are one.
func newCandidate(s *Space, unit []float64, origin string) Candidate {
	inside := make([]float64, len(unit))
	for i, u := range unit {
		inside[i] = mirrored(u)
	}
	values := s.Values(inside)
	for _, i := range s.order {
		inside[i] = s.coordinate(i, values[i])
	}
	return Candidate{Values: values, Origin: origin, unit: inside}
}

// startCandidate is at a start's natural values, exactly as given.
func startCandidate(s *Space, values []float64) Candidate {
	return Candidate{Values: values, Origin: OriginStart, unit: s.Unit(values)}
}

func (c Candidate) called(origin string) Candidate {
	c.Origin = origin
	return c
}
