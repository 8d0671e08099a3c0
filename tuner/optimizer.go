package tuner

import (
	"fmt"
	"math"
	"slices"

	"tune2048/engine/portable"
)

// The origins of candidates.
const (
	OriginStart     = "start"     // the start vector, or a further one
	originInitial   = "initial"   // drawn around the start
	originRandom    = "random"    // drawn uniformly from the whole space
	originElite     = "elite"     // among the best of the generation before
	originCrossover = "crossover" // between two parents
	originMutation  = "mutation"  // between two parents, then moved at random
	originCarried   = "carried"   // kept from the stage before
	originWidened   = "widened"   // drawn around a candidate of the stage before
	OriginCentre    = "centre"    // the centre of the stage before
	originSampled   = "sampled"   // drawn from the distribution of the CMA-ES
)

// Candidate is a vector whose fitness is wanted. It never changes.
type Candidate struct {
	Values []float64 // natural values, one for each parameter; rounded except for a start's
	Origin string    // how it came about, one of the origins above

	unit []float64 // its place in the unit cube: coordinates in [0, 1]
}

// Optimizer searches in turns: Ask, Tell, Ask, Tell and so on. It is not safe for concurrent use.
type Optimizer struct {
	search       search
	space        *Space
	starts       []Candidate // which begin the first generation
	size         int         // candidates of a generation
	asked        []Candidate // the generation whose fitness is awaited, or nil
	generation   int         // number of generations with their fitness told
	firstOfStage bool        // no fitness in this stage yet
}

// search is the work of an [Algorithm]: it proposes candidates and learns from their fitness. The
// Optimizer calls it in the right order, with fitness that it has checked.
type search interface {
	// candidate proposes the one at a place of the next generation, from 0. failed counts the
	// proposals for this place that the generation already had. The start vector has the first
	// place of all, so the Optimizer does not ask for it.
	candidate(place, failed int) Candidate
	// learn receives the fitness of a whole generation, higher being better. It may keep both.
	learn(generation []Candidate, fitness []float64)
	// selected returns how many of a generation, best first, decide what is asked next.
	selected() int
	// nextStage begins another stage. learn was called in the one before.
	nextStage()
	// centre returns the answer in the unit cube. learn was called.
	centre() []float64
}

// New returns an optimizer of the space. The settings are within their ranges. Random
// numbers all come from the seed. The first generation also has the further starts, as natural
// values within their ranges and in their order, as far as there is room.
func New(a Algorithm, s *Space, seed uint64, starts ...[]float64) (*Optimizer, error) {
	search, err := a.start(s, portable.NewSource(portable.Hash(seed, "tuner", a.Name())))
	if err != nil {
		return nil, err
	}
	optimizer := &Optimizer{search: search, space: s, size: a.Candidates(), firstOfStage: true}
	for _, values := range append([][]float64{s.Start()}, starts...) {
		optimizer.starts = append(optimizer.starts, startCandidate(s, values))
	}
	return optimizer, nil
}

// Ask returns one whole generation: the same one until its fitness is told. Survivors of the
// generation before are in it again. Measure their fitness afresh, or a lucky one lives for ever.
// The start vector is the first candidate of all. A generation has no vector twice, unless the
// space has too few of them.
func (o *Optimizer) Ask() []Candidate {
	seen := distinct{}
	for place := len(o.asked); place < o.size; place++ {
		var c Candidate
		for failed := 0; failed <= distinctTries; failed++ {
			if o.generation == 0 && place < len(o.starts) && failed == 0 {
				c = o.starts[place]
			} else {
				c = o.search.candidate(place, failed)
			}
			if seen.add(c) {
				break
			}
		}
		o.asked = append(o.asked, c)
	}
	return o.asked
}

// Tell reports the fitness of the last asked generation, in its order. Higher is better. Only the
// order of the numbers matters. It is an error to tell another number of values, NaN or an
// infinity. The generation can then be told again.
func (o *Optimizer) Tell(fitness []float64) error {
	if len(fitness) != len(o.asked) {
		return fmt.Errorf("tuner: Tell: want the fitness of %d candidates, got %d", len(o.asked), len(fitness))
	}
	for i, f := range fitness {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("tuner: Tell: fitness of candidate %d: want a finite number, got %v", i, f)
		}
	}
	o.search.learn(o.asked, slices.Clone(fitness))
	o.asked, o.firstOfStage = nil, false
	o.generation++
	return nil
}

// Selected returns how many candidates of a generation, best first, the search selects: at least 2.
// The fitness of the others need only be known well enough to tell that they are not among these.
func (o *Optimizer) Selected() int { return max(2, o.search.selected()) }

// Centre returns the answer of the search in natural values, a better one than the fittest
// candidate, which is mostly the luckiest. It is the place where the algorithm stands, averaged
// over its last generations, or the mean of the last generation in the unit cube, weighted by the
// rank of fitness. Before any Tell it is the start.
func (o *Optimizer) Centre() []float64 {
	if o.generation == 0 {
		return o.space.Start()
	}
	return o.space.Values(o.search.centre())
}

// NextStage says that fitness means something else from now on. The search goes on from where it
// is, more widely, and forgets the fitness so far, and a generation that was not told.
func (o *Optimizer) NextStage() {
	o.asked = nil
	if !o.firstOfStage { // a stage without a generation is none
		o.search.nextStage()
		o.firstOfStage = true
	}
}

// distinct has the vectors of a generation, written out.
type distinct map[string]bool

// distinctTries is how often a vector that the generation already has is drawn again. A space may
// have fewer vectors than a generation has places.
const distinctTries = 20

// add reports whether the vector is new to the generation.
func (d distinct) add(c Candidate) bool {
	key := fmt.Sprint(c.Values)
	had := d[key]
	d[key] = true
	return !had
}
