package tuner

import (
	"math/rand"

	"tune2048/engine/portable"
)

// What the algorithms with a population share: how it begins a search, and how
// it begins a stage.

// normal is a standard normal number. rand's own NormFloat64 differs between
// processors.
func normal(random *rand.Rand) float64 {
	return portable.NormalQuantile((float64(random.Int63n(1<<52)) + 0.5) / (1 << 52))
}

// around draws a point around a centre, with the standard deviation in each
// parameter.
func around(s *Space, random *rand.Rand, centre []float64, spread float64, origin string) point {
	unit := make([]float64, len(centre))
	for i, u := range centre {
		unit[i] = u + float64(spread*normal(random))
	}
	return newPoint(s, unit, origin)
}

// founder draws the member at a place of the first population: first the start,
// then those from the whole space, then those around the start. failed is how
// often what it drew for the place was there already.
func founder(o Options, s *Space, random *rand.Rand, place, failed int) point {
	switch {
	case place == 0 && failed == 0:
		return startPoint(s)
	case place <= int(o.Uniform*float64(o.Population)):
		return uniformPoint(s, random.Float64)
	default:
		return around(s, random, s.Unit(s.Start()), o.Spread, OriginInitial)
	}
}

// carryOver makes the first generation of another stage from the last one: its
// centre, the start vector for comparison, half of its members as they are and
// the rest moved at random, whatever their fitness was.
func carryOver(o Options, s *Space, random *rand.Rand, told []point, fitness []float64) []point {
	size := len(told)
	seen := distinct{}
	var generation []point
	keep := func(p point) {
		if len(generation) < size && seen.add(p) {
			generation = append(generation, p)
		}
	}
	keep(newPoint(s, centre(told, fitness), OriginCentre))
	keep(startPoint(s))
	for _, p := range told[:size/2] {
		keep(p.called(OriginCarried))
	}
	return seen.draw(generation, size, func(int) point {
		return around(s, random, told[random.Intn(size)].unit, o.StageSpread, OriginWidened)
	})
}
