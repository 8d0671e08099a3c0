package tuner

import (
	"fmt"
	"math"
)

// turns keeps the order of Ask and Tell, and what was told. Every optimizer
// embeds it.
type turns struct {
	space      *Space
	asked      []point   // the generation whose fitness is awaited, or nil
	told       []point   // the last generation whose fitness is known, or nil
	fitness    []float64 // of told
	generation int       // how many generations have been told
	closed     bool
}

func (t *turns) mayAsk() error {
	switch {
	case t.closed:
		return fmt.Errorf("tuner: Ask: %w", ErrClosed)
	case t.asked != nil:
		return fmt.Errorf("tuner: Ask: %w: generation %d has not been told", ErrTurn, t.generation)
	}
	return nil
}

func (t *turns) mayTell(fitness []float64) error {
	switch {
	case t.closed:
		return fmt.Errorf("tuner: Tell: %w", ErrClosed)
	case t.asked == nil:
		return fmt.Errorf("tuner: Tell: %w: call Ask first", ErrTurn)
	case len(fitness) != len(t.asked):
		return fmt.Errorf("tuner: Tell: want %d fitness values, one for each candidate, got %d", len(t.asked), len(fitness))
	}
	for i, f := range fitness {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("tuner: Tell: fitness of candidate %d: want a finite number, got %v", i, f)
		}
	}
	return nil
}

func (t *turns) mayChangeStage() error {
	switch {
	case t.closed:
		return fmt.Errorf("tuner: NextStage: %w", ErrClosed)
	case t.asked != nil:
		return fmt.Errorf("tuner: NextStage: %w: generation %d has not been told", ErrTurn, t.generation)
	}
	return nil
}

// ask notes the generation and returns a copy for the caller to keep.
func (t *turns) ask(generation []point) []Candidate {
	t.asked = generation
	candidates := make([]Candidate, len(generation))
	for i, p := range generation {
		candidates[i] = Candidate{Values: append([]float64(nil), p.values...), Origin: p.origin}
	}
	return candidates
}

func (t *turns) tell(fitness []float64) {
	t.told, t.asked = t.asked, nil
	t.fitness = append([]float64(nil), fitness...)
	t.generation++
}

// Centre implements Optimizer.
func (t *turns) Centre() []float64 {
	if t.told == nil {
		return t.space.Start()
	}
	return t.space.Values(centre(t.told, t.fitness))
}
