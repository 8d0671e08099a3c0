package tuner

import (
	"math/bits"

	"tune2048/engine/portable"
)

// sobol asks for the start vector, and from then on for the points of a Sobol
// sequence, whatever it is told: like random search a baseline, but covering the
// space more evenly (I. M. Sobol, On the Distribution of Points in a Cube and the
// Approximate Evaluation of Integrals, USSR Computational Mathematics and
// Mathematical Physics 7, 1967). Its points are taken in the order of the Gray
// code (I. A. Antonov, V. M. Saleev, ibid. 19, 1979) and moved by a random
// digital shift, which keeps them as even.
type sobol struct {
	turns
	size       int
	varying    []int               // each is a dimension
	directions [][sobolBits]uint64 // of each dimension
	digits     []uint64            // of the next point, shift included, one for each dimension
	index      uint64              // of the next point
}

var _ Optimizer = (*sobol)(nil)

const (
	sobolBits       = 52 // binary digits of a coordinate
	sobolDimensions = 64 // there are direction numbers for so many
)

func newSobol(o Options, s *Space, seed uint64) *sobol {
	q := &sobol{turns: turns{space: s}, size: o.Population, varying: s.varying()}
	random := portable.NewSource(portable.Hash(seed, "tuner", Sobol))
	for dimension := range q.varying {
		q.directions = append(q.directions, sobolDirections(dimension))
		q.digits = append(q.digits, random.Uint64()>>(64-sobolBits))
	}
	return q
}

// sobolDirections returns the direction numbers of a dimension by the recurrence
// of Joe and Kuo's notes (Notes on Generating Sobol Sequences, 2008).
func sobolDirections(dimension int) (v [sobolBits]uint64) {
	var p primitive
	if dimension > 0 {
		p = primitives[dimension-1]
	}
	degree := len(p.m)
	for i := range v {
		switch {
		case dimension == 0: // van der Corput's sequence
			v[i] = 1 << (sobolBits - 1 - i)
		case i < degree:
			v[i] = p.m[i] << (sobolBits - 1 - i)
		default:
			v[i] = v[i-degree] ^ v[i-degree]>>degree
			for k := 1; k < degree; k++ {
				v[i] ^= (p.a >> (degree - 1 - k) & 1) * v[i-k]
			}
		}
	}
	return v
}

// next returns the next point of the sequence.
func (q *sobol) next(int) point {
	unit := make([]float64, len(q.digits))
	// The Gray codes of neighbours differ in one digit.
	digit := bits.TrailingZeros64(q.index + 1)
	for k := range unit {
		unit[k] = float64(q.digits[k]) / (1 << sobolBits)
		q.digits[k] ^= q.directions[k][digit]
	}
	q.index++
	return newPoint(q.space, q.space.embed(q.varying, unit), OriginSobol)
}

func (q *sobol) Ask() ([]Candidate, error) {
	if err := q.mayAsk(); err != nil {
		return nil, err
	}
	seen := distinct{}
	var generation []point
	if q.generation == 0 {
		generation = append(generation, startPoint(q.space))
		seen.add(generation[0])
	}
	return q.ask(seen.draw(generation, q.size, q.next)), nil
}

func (q *sobol) Tell(fitness []float64) error {
	if err := q.mayTell(fitness); err != nil {
		return err
	}
	q.tell(fitness)
	return nil
}

// NextStage has nothing to change: no point depends on what was told.
func (q *sobol) NextStage() error { return q.mayChangeStage() }

func (q *sobol) Close() { q.closed = true }
