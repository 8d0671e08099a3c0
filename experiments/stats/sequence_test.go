package stats

import (
	"math"
	"testing"

	"tune2048/engine/portable"
)

// TestMeanSequence: 95% of all sequences hold the mean at every look of thousands, also of skewed
// and of two-valued numbers, and they are not much wider than they must be. Ordinary intervals miss
// it at some look in half of the cases.
func TestMeanSequence(t *testing.T) {
	runs, numbers := 1000, 10_000
	if testing.Short() {
		runs = 100
	}
	for name, draw := range map[string]func(*portable.Source) float64{
		"normal": func(r *portable.Source) float64 { return r.Normal() },
		"skewed": func(r *portable.Source) float64 { return -portable.Log(1-r.Float64()) - 1 },
		"coins": func(r *portable.Source) float64 {
			if r.Float64() < 0.1 {
				return 0.9
			}
			return -0.1
		},
	} {
		missed, ordinary := 0, 0
		for run := range runs {
			random, m, out, fooled := portable.NewSource(uint64(run)), Moments{}, false, false
			for n := range numbers {
				if m.Add(draw(random)); n%20 == 0 {
					out = out || !MeanSequence(m, 5000, 0.95).Contains(0)
					fooled = fooled || n > minOfSequence && math.Abs(m.Mean) > 1.96*m.SD()/math.Sqrt(float64(m.N))
				}
			}
			if out {
				missed++
			}
			if fooled {
				ordinary++
			}
		}
		t.Logf("%s: missed in %d of %d, by ordinary intervals %d", name, missed, runs, ordinary)
		if missed > runs*6/100 || ordinary < runs/4 {
			t.Errorf("%s: want at most 5%%", name)
		}
	}
	var m Moments
	for i := range 5000 {
		m.Add(float64(i%2*2 - 1))
	}
	if half := MeanSequence(m, 5000, 0.95).High * math.Sqrt(5000); half < 2.8 || half > 3.2 {
		t.Errorf("at the planned size it reaches %.2f standard errors", half)
	}
	if MeanSequence(Moments{N: minOfSequence - 1}, 5000, 0.95).Bounded() {
		t.Error("a few numbers bound the mean")
	}
}
