package stats

import (
	"math"
	"testing"
)

func momentsOf(values ...float64) (m Moments) {
	for _, v := range values {
		m.Add(v)
	}
	return m
}

func TestMoments(t *testing.T) {
	m := momentsOf(2, 4, 4, 4, 5, 5, 7, 9)
	if m.N != 8 || m.Mean != 5 || relative(m.M2, 32) > 1e-15 {
		t.Errorf("moments = %+v, want 8, 5, 32", m)
	}
	if got, want := m.SE(), math.Sqrt(32.0/7/8); relative(got, want) > 1e-15 {
		t.Errorf("SE = %v, want %v", got, want)
	}
	// A large offset must not destroy the variance, as sums of squares would.
	var shifted Moments
	for _, v := range []float64{4, 7, 13, 16} {
		shifted.Add(1e9 + v)
	}
	if got := shifted.Variance(); got != 30 {
		t.Errorf("variance of 1e9 + {4, 7, 13, 16} = %v, want 30", got)
	}
}

func TestMomentsOfFew(t *testing.T) {
	for n, m := range []Moments{momentsOf(), momentsOf(3)} {
		if m.N != n || m.Variance() != 0 || m.SD() != 0 || !math.IsInf(m.SE(), 1) {
			t.Errorf("%d numbers: %+v, variance %v, SE %v", n, m, m.Variance(), m.SE())
		}
	}
}
