package config

import (
	"cmp"
	"math"
	"slices"

	"tune2048/engine/eval"
	"tune2048/engine/portable"
	"tune2048/tuner"
)

// Words for the weight of a feature: a range above 0 or below 0, which the program chooses.
const (
	reward  = "reward"
	penalty = "penalty"
)

// An equal effect is a size of equalSize, or of the largest fixed feature if one has a size. A
// chosen range reaches from the equal effect divided by chosenWidth to as many times as much.
const (
	equalSize   = 1000
	chosenWidth = 100
)

// Size is how much a feature counts: the standard deviation of weight x feature over the boards of
// some fixed games, see [eval.Term.Spread]. The two figures of a fixed weight are equal.
type Size struct {
	Feature       string  // its name
	Start, Middle float64 // of the weight's range
}

// Sizes returns the sizes of all features in their order.
func (c *Config) Sizes() (sizes []Size) {
	if c.Heuristic.Bot != nil {
		return nil
	}
	start := c.Start()
	for i, w := range c.featureWeights() {
		f := &c.Heuristic.Features[i]
		middle := w.Value
		if w.Tunable {
			middle = w.Middle()
		}
		spread := f.Spread(start)
		sizes = append(sizes, Size{f.Name, math.Abs(w.Value * spread), math.Abs(middle * spread)})
	}
	return sizes
}

// featureWeights returns the weight of each feature, in place.
func (c *Config) featureWeights() (all []*tuner.Parameter) {
	for _, f := range c.Heuristic.Features {
		all = append(all, &c.Weights[f.Weight.At])
	}
	return all
}

// chooseRanges gives the weights their ranges that are to be chosen, on scale log and to two
// digits. They have the signs of rewards and penalties, by index.
func (c *Config) chooseRanges(signs map[int]float64) (problems []*eval.Problem) {
	effect := 0.0 // of the largest fixed feature, once it is needed
	features, vector := c.Heuristic.Features, c.Start()
	for i, w := range c.featureWeights() {
		sign, chosen := signs[features[i].Weight.At]
		if !chosen {
			continue
		}
		if effect == 0 {
			effect = cmp.Or(c.fixedSize(), equalSize)
		}
		start := portable.Rounded(effect/features[i].Spread(vector), 2)
		least, most := portable.Rounded(start/chosenWidth, 2), portable.Rounded(start*chosenWidth, 2)
		if math.IsInf(most, 0) { // its spread is 0, or as good as 0
			problems = append(problems, &eval.Problem{Feature: i, Key: "weight",
				Reason: "the feature is the same on all boards of some fixed games, so its effect cannot be measured: give a " +
					"number, or a range {min, max, start, scale}"})
			continue
		}
		if sign < 0 {
			least, start, most = -most, -start, -least
		}
		*w = tuner.Parameter{Name: w.Name, Min: least, Value: start, Max: most, Tunable: true, Scale: tuner.LogScale}
	}
	return problems
}

// fixedSize returns the size of the largest fixed feature, or 0.
func (c *Config) fixedSize() (largest float64) {
	start := c.Start()
	for i, w := range c.featureWeights() {
		if !w.Tunable && w.Value != 0 {
			largest = max(largest, math.Abs(w.Value*c.Heuristic.Features[i].Spread(start)))
		}
	}
	return largest
}

// A ratio scale turns from differences to ratios at nearZero of the weight with an equal effect.
// minNear and maxNear bound that place, as shares of the end that is farther from 0.
const nearZero, minNear, maxNear = 0.03, 1e-6, 0.1

// balance sizes the ratio scales of features that have a size. Below nearZero a feature hardly
// counts beside the others, so smaller steps would be lost in noise. An equal effect is the size of
// the largest fixed feature, or the largest size that all tunable ones can have.
func (c *Config) balance() {
	weights, start := c.featureWeights(), c.Start()
	if !slices.ContainsFunc(weights, func(w *tuner.Parameter) bool { return w.Scale == tuner.RatioScale }) {
		return
	}
	ends, sizes, least := make([]float64, len(weights)), make([]float64, len(weights)), math.Inf(1)
	for i, w := range weights {
		if !w.Tunable {
			continue
		}
		ends[i] = max(math.Abs(w.Min), math.Abs(w.Max))
		sizes[i] = ends[i] * c.Heuristic.Features[i].Spread(start)
		if sizes[i] > 0 {
			least = min(least, sizes[i])
		}
	}
	equal := cmp.Or(c.fixedSize(), least)
	for i, largest := range sizes {
		if w := weights[i]; largest > 0 && !math.IsInf(largest, 0) && w.Scale == tuner.RatioScale {
			w.Near = portable.Rounded(ends[i]*min(max(nearZero*equal/largest, minNear), maxNear), 2)
		}
	}
}
