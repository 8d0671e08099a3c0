package experiments

import (
	"testing"

	"tune2048/engine/portable"
)

// TestPlateau: a rise is seen, be it slow, and noise is seldom taken for one.
func TestPlateau(t *testing.T) {
	const generations, se = 60, 1000.0
	for name, c := range map[string]struct {
		mean        func(generation int) float64
		least, most int // of the last progress, on average over many runs
	}{
		"flat":            {func(int) float64 { return 40000 }, 0, 12},
		"rising":          {func(g int) float64 { return 30000 + 1000*float64(g) }, 57, 59},
		"slow":            {func(g int) float64 { return 30000 + 100*float64(g) }, 40, 59},
		"rising to 20":    {func(g int) float64 { return 30000 + 1000*float64(min(g, 20)) }, 19, 30},
		"falling from 20": {func(g int) float64 { return 50000 - 1000*float64(max(g, 20)-20) }, 0, 8},
	} {
		sum, runs := 0, 200
		for run := range runs {
			random, p := portable.NewSource(uint64(run)), plateau{window: plateauWindow}
			rose := 0
			for g := range generations {
				if rose = p.add(c.mean(g)+se*random.Normal(), se*se); rose > g {
					t.Fatalf("%s: progress in generation %d, told at %d", name, rose, g)
				}
			}
			sum += rose
			still := generations - 1 - rose
			if p.over(0) || still > 0 && !p.over(still) || p.over(still+1) {
				t.Fatalf("%s: over after %d generations without progress: %v; after one more: %v", name, still, p.over(still), p.over(still+1))
			}
		}
		if mean := sum / runs; mean < c.least || mean > c.most {
			t.Errorf("%s: the last progress was seen in generation %d on average, want %d to %d", name, mean, c.least, c.most)
		}
	}
}

// TestPlateauLooksAtItsWindow: with a variance of 1 in each generation, the mean of two generations, 0 and x, is x/2 with a
// variance of 1/2, and a rise above the first one's 0 if x/2 is above 1.645 times the root of 1/2 + 1: x above 4.03.
func TestPlateauLooksAtItsWindow(t *testing.T) {
	for x, want := range map[float64]int{3.95: 0, 4.1: 1} {
		p := plateau{window: 2}
		p.add(0, 1)
		if rose := p.add(x, 1); rose != want {
			t.Errorf("%v: rose in %d, want %d", x, rose, want)
		}
	}
	still := plateau{window: 2}
	for range 10 {
		if rose := still.add(7, 0); rose != 0 {
			t.Fatalf("what is always the same rose in %d", rose)
		}
	}
	if none := (plateau{window: 2}); none.over(1) {
		t.Error("over before it began")
	}
}
