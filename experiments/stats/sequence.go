package stats

import (
	"math"

	"tune2048/engine/portable"
)

// MeanSequence returns an interval of a confidence sequence for the mean of numbers that come one
// after the other. All intervals of the sequence together hold the mean with this confidence, so
// one may look after every number and stop for whatever reason. If the mean moves, they hold the
// mean of all numbers so far.
//
// It is the two-sided normal mixture boundary (S. R. Howard, A. Ramdas, J. McAuliffe, J. Sekhon,
// Time-uniform, nonparametric, nonasymptotic confidence sequences, Annals of Statistics 49, 2021).
// The measured variance stands in place of a bound, which is right for long samples (I.
// Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, Time-uniform central limit theory
// and asymptotic confidence sequences, Annals of Statistics 52, 2024). The sequence is narrowest
// after about "planned" numbers. There it is 1.5 times as wide as an interval for one look. Before
// minOfSequence numbers it is unbounded.
func MeanSequence(m Moments, planned float64, confidence float64) Interval {
	if m.N < minOfSequence {
		return Unbounded()
	}
	n, small := float64(m.N), -2*portable.Log(1-confidence)
	rho := planned / (small + portable.Log(1+small))
	squared := (n + rho) * (portable.Log((n+rho)/rho) + small)
	half := float64(m.SD()*math.Sqrt(squared)) / n
	return Interval{Low: m.Mean - half, High: m.Mean + half}
}

// minOfSequence is how many numbers tell their variance.
const minOfSequence = 100
