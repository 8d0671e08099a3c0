package experiments

import (
	"context"
	"fmt"
	"math"
)

// Effect is what one tuned number does to the champion's score, all others unchanged.
type Effect struct {
	Weight string
	Value  float64 // the champion's
	Place  float64 // of that value in its range, 0 to 1; on a log scale, of its logarithm
	Down   Shift
	Up     Shift
}

// Shift is the champion with one number moved by a step.
type Shift struct {
	Played   bool // false where the champion is so near the edge of the range that there is no step to take
	Value    float64
	Same     bool     // every game was the very same as the champion's
	Contrast Contrast // moved minus champion; the intervals of a run's shifts hold together with 95%
}

// nearEdge is the share of its range within which a number is at the edge: the best value may well lie beyond.
const nearEdge = 0.02

// Moves reports whether the champion's fitness was seen to change with the number. Otherwise an effect smaller than Largest
// may be there.
func (e Effect) Moves() bool {
	for _, shift := range []Shift{e.Down, e.Up} {
		if i := shift.Contrast.Difference.Interval; shift.Played && (i.Low > 0 || i.High < 0) {
			return true
		}
	}
	return false
}

// Largest returns the largest effect that the intervals allow, as a share of the champion's fitness.
func (e Effect) Largest() float64 {
	largest := 0.0
	for _, shift := range []Shift{e.Down, e.Up} {
		if shift.Played {
			i := shift.Contrast.Ratio.Interval
			largest = max(largest, 1-i.Low, i.High-1)
		}
	}
	return largest
}

// AtEdge returns "min" or "max" if the champion's value is within 2% of that end of its range, else "".
func (e Effect) AtEdge() string {
	switch {
	case e.Place <= nearEdge:
		return "min"
	case e.Place >= 1-nearEdge:
		return "max"
	}
	return ""
}

// sensitivity moves one number of the champion at a time, down and up by the config's step within its range, and lets
// all of these play the same fresh seeds: a number without effect then gives the very same games.
func (s *state) sensitivity(ctx context.Context, champion int) ([]Effect, error) {
	c := s.Config.Sensitivity
	space, err := Space(&s.Config.Family)
	if err != nil {
		return nil, err
	}
	family, vector := &s.Config.Family, s.candidates.vectors[champion]
	values := vector.Genome(family)
	unit := space.Unit(values)
	effects := make([]Effect, len(unit))
	numbers := []int{champion}
	shifted := make([][2]int, len(unit))
	before := len(s.candidates.list)
	for i, p := range space.Parameters() {
		effects[i] = Effect{Weight: p.Name, Value: values[i], Place: unit[i]}
		for side, shift := range []*Shift{&effects[i].Down, &effects[i].Up} {
			moved := append([]float64(nil), unit...)
			moved[i] = math.Max(0, math.Min(1, unit[i]+[2]float64{-c.Step, c.Step}[side]))
			if c.Games == 0 || p.Min == p.Max || math.Abs(moved[i]-unit[i]) < c.Step/4 {
				continue
			}
			all := append([]float64(nil), values...)
			all[i] = space.Values(moved)[i]
			number, _ := s.candidates.add(Candidate{
				Origin: originShifted, Name: p.Name + [2]string{" down", " up"}[side], Dead: s.Config.Family.Dead,
			}, vector.WithGenome(family, all))
			numbers = append(numbers, number)
			shifted[i][side] = number
			shift.Played, shift.Value = true, all[i]
		}
	}
	if len(numbers) == 1 {
		return effects, nil
	}
	if err := s.recordFrom(ctx, before); err != nil {
		return nil, err
	}
	s.progress.beginPhase(PhaseSensitivity)
	block := s.block(PhaseSensitivity, c.Search, c.Games, numbers)
	evaluations, err := s.play(ctx, block)
	if err != nil {
		return nil, err
	}
	of := map[int]Evaluation{}
	for _, e := range evaluations {
		of[e.Candidate] = e
	}
	own := of[champion]
	level := 1 - (1-confidence)/float64(len(numbers)-1) // Bonferroni
	var contrasts []Contrast
	for i := range effects {
		for side, shift := range []*Shift{&effects[i].Down, &effects[i].Up} {
			if !shift.Played {
				continue
			}
			e := of[shifted[i][side]]
			shift.Same = e.GamesHash == own.GamesHash
			shift.Contrast = contrast(s.Config.Objective, e.side(), own.side(), level)
			shift.Contrast.Adjusted = min(1, shift.Contrast.P*float64(len(numbers)-1))
			contrasts = append(contrasts, shift.Contrast)
		}
	}
	if err := s.Store.AddContrasts(ctx, s.run.ID, contrasts); err != nil {
		return nil, fmt.Errorf("record the sensitivity: %w", err)
	}
	return effects, nil
}

// originShifted is the origin of the champion with one number moved.
const originShifted = "shifted"
