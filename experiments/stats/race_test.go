package stats

import (
	"math"
	"slices"
	"testing"

	"tune2048/engine/portable"
)

// The promise of racing: the best arm, the first of equals, is lost in some 5% of races at most,
// whatever the others are. Finalists that differ need far fewer games.
func TestRaceKeepsTheBest(t *testing.T) {
	const races = 1000
	for seed, c := range []struct {
		name                string
		arms, rounds, batch int
		gain, sd            float64 // of the first arm over the others; of all arms' means
		games               float64 // at most, of those without racing
	}{
		{"8 equal arms", 8, 10, 20, 0, 0, 1},
		{"4 equal arms", 4, 4, 40, 0, 0, 1},
		{"best by 2% of 8", 8, 10, 20, 0.02, 0, 1},
		{"best by 10% of 8", 8, 10, 50, 0.1, 0, 0.85},
		{"best by 40% of 8", 8, 10, 50, 0.4, 0, 0.2},
		{"8 finalists within 20%", 8, 10, 50, 0, 0.2, 0.4},
	} {
		random := portable.NewSource(uint64(seed))
		boundaries := map[int][]float64{} // the same for all races
		lost, games := 0, 0
		for range races {
			means, arms, out := make([]float64, c.arms), make([]Moments, c.arms), make([]bool, c.arms)
			for i := range means {
				means[i] = typicalMean * (1 + c.sd*random.Normal())
			}
			means[0] *= 1 + c.gain
			race := NewRace(c.rounds, 0.05)
			race.boundaries = boundaries
			for round, racing := 0, c.arms; round < c.rounds && racing > 1; round++ {
				racing = 0
				for i := range arms {
					if !out[i] {
						play(random, &arms[i], c.batch, means[i])
						games += c.batch
					}
				}
				race.Round(arms, out)
				for _, o := range out {
					if !o {
						racing++
					}
				}
			}
			if out[slices.Index(means, slices.Max(means))] {
				lost++
			}
		}
		share := float64(games) / float64(races*c.arms*c.rounds*c.batch)
		t.Logf("%s: best lost in %d of %d races, %.1f%% of the games", c.name, lost, races, 100*share)
		if lost > races*65/1000 || share > c.games {
			t.Errorf("%s: the best is lost in %d of %d races, want at most 6.5%%; %.1f%% of the games are played, want at "+
				"most %.0f%%",
				c.name, lost, races, 100*share, 100*c.games)
		}
	}
}

func TestRaceRules(t *testing.T) {
	sure := func(means ...float64) []Moments {
		var arms []Moments
		for _, m := range means {
			arms = append(arms, Moments{N: 100, Mean: m, M2: 99 * 0.01})
		}
		return arms
	}
	race, out := NewRace(5, 0.05), make([]bool, 4)
	if race.Round(sure(1, 2, 3, 3), out); !slices.Equal(out, []bool{true, true, false, false}) {
		t.Errorf("out after the first round: %v", out)
	}
	// What is out stays out, whatever its summary says now.
	if race.Round(sure(9, 2, 3, 4), out); !slices.Equal(out, []bool{true, true, true, false}) {
		t.Errorf("out after the second round: %v", out)
	}
	if race.Round(sure(1, 1, 1, 1), out); out[3] {
		t.Error("the last arm is out")
	}

	for name, c := range map[string]struct {
		race *Race
		arms []Moments
	}{
		"nothing is stopped in the last round": {NewRace(1, 0.05), sure(1, 9)},
		"one game tells nothing":               {NewRace(5, 0.05), []Moments{{N: 1, Mean: 1}, {N: 1, Mean: 9}}},
		"no games tell nothing":                {NewRace(5, 0.05), make([]Moments, 2)},
		"nothing is known of the spread":       {NewRace(5, 0.05), []Moments{{N: 3, Mean: 1}, {N: 3, Mean: 9}}},
		"equals":                               {NewRace(5, 0.05), sure(2, 2, 2)},
	} {
		out := make([]bool, len(c.arms))
		if c.race.Round(c.arms, out); slices.Contains(out, true) {
			t.Errorf("%s: %v is out", name, out)
		}
	}
	// Two games are enough if they are alike enough.
	alike := []Moments{{N: 2, Mean: 1, M2: 1e-6}, {N: 2, Mean: 9, M2: 1e-6}}
	out = make([]bool, 2)
	if NewRace(5, 0.05).Round(alike, out); !slices.Equal(out, []bool{true, false}) {
		t.Errorf("of two games: %v", out)
	}
}

// Of two equal arms each is stopped with the probability that was asked for: nothing is given away,
// whether the race is looked at once or often, with three games or many.
func TestRaceOfTwoSpendsItsLevel(t *testing.T) {
	const races = 4000
	for _, c := range []struct {
		rounds, batch int
		level         float64
	}{{2, 3, 0.05}, {2, 15, 0.3}, {5, 15, 0.05}, {5, 15, 0.3}} {
		random := portable.NewSource(21)
		boundaries := map[int][]float64{}
		var lost [2]float64
		for range races {
			race := NewRace(c.rounds, c.level)
			race.boundaries = boundaries
			arms, outs := make([]Moments, 2), make([]bool, 2)
			for range c.rounds {
				for arm := range arms {
					for range c.batch {
						arms[arm].Add(random.Normal())
					}
				}
				race.Round(arms, outs)
			}
			for arm, out := range outs {
				if out {
					lost[arm] += 1.0 / races
				}
			}
		}
		for arm, share := range lost {
			if math.Abs(share-c.level) > 4*math.Sqrt(c.level*(1-c.level)/races) {
				t.Errorf("%d rounds of %d: arm %d of two equals is stopped in %.3f of races, want %v", c.rounds, c.batch, arm,
					share, c.level)
			}
		}
	}
}

// Of two equal arms that are compared once each is stopped with the probability that was asked for,
// with few games and different numbers of them, since the arms that are out help to estimate the
// spread.
func TestScreenStopsEqualsAtItsLevel(t *testing.T) {
	const screens = 4000
	for _, level := range []float64{0.05, 0.15, 0.4} {
		random := portable.NewSource(31)
		stopped := make([]float64, 4)
		for range screens {
			arms, out := make([]Moments, 4), []bool{true, false, false, true}
			for arm, games := range []int{4, 3, 6, 2} {
				for range games {
					arms[arm].Add(50*float64(arm&1&(arm>>1)) + random.Normal()) // the last one is out and far above
				}
			}
			Screen(arms, out, 1, level)
			for arm := 1; arm < 3; arm++ {
				if out[arm] {
					stopped[arm] += 1.0 / screens
				}
			}
		}
		for arm := 1; arm < 3; arm++ {
			if math.Abs(stopped[arm]-level) > 4*math.Sqrt(level*(1-level)/screens) {
				t.Errorf("arm %d of two equals is stopped in %.3f of screens, want %v", arm, stopped[arm], level)
			}
		}
	}
}

func TestScreenRules(t *testing.T) {
	arm := func(n int, mean float64) Moments { return Moments{N: n, Mean: mean, M2: float64(n-1) * 4} }
	arms := []Moments{arm(4, 10), arm(4, 9), arm(4, 8), arm(4, 2), {}, arm(1, 1), arm(400, 7.5)}
	out := make([]bool, len(arms))
	Screen(arms, out, 2, 0.15)
	// 9 is the last to be selected; 8 is within one standard error of it, 7.5 is
	// 1.5 away, a single game says that 1 is out too, and no game says nothing.
	if want := []bool{false, false, false, true, false, true, true}; !slices.Equal(out, want) {
		t.Errorf("out: %v, want %v", out, want)
	}
	// An arm without games takes nobody's place, wherever its mean of 0 is.
	out = make([]bool, 3)
	if Screen([]Moments{arm(4, -10), {}, arm(4, -40)}, out, 1, 0.15); !slices.Equal(out, []bool{false, false, true}) {
		t.Errorf("means below 0: out %v", out)
	}
	for name, arms := range map[string][]Moments{
		"none":            nil,
		"no games":        make([]Moments, 3),
		"one game each":   {arm(1, 1), arm(1, 2), arm(1, 3)},
		"too few to stop": {arm(9, 1), arm(9, 100)},
		"all the same":    {{N: 4, Mean: 8}, {N: 4, Mean: 8}, {N: 4, Mean: 8}},
	} {
		out := make([]bool, len(arms))
		if Screen(arms, out, 2, 0.15); slices.Contains(out, true) {
			t.Errorf("%s: out %v", name, out)
		}
	}
}
