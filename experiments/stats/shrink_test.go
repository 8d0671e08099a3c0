package stats

import (
	"math"
	"testing"

	"tune2048/engine/portable"
)

// TestPriorOfEqualGames: of equal numbers of games the estimator has a closed form, the variance
// between the means less the variance of luck.
func TestPriorOfEqualGames(t *testing.T) {
	group := []Moments{{N: 4, Mean: 10}, {N: 4, Mean: 14}, {N: 4, Mean: 18}, {N: 4, Mean: 22}}
	p := NewPrior([][]Moments{group}, 40)
	if between := 80./3 - 10; math.Abs(p.Between-between) > 1e-3 || p.Mean != 16 ||
		math.Abs(p.SE-math.Sqrt((between+10)/4)) > 1e-3 {
		t.Errorf("got %+v, want the variance %v", p, between)
	}
	mean, se := p.Shrink(Moments{N: 4, Mean: 22})
	own := p.Between / (p.Between + 10)
	if math.Abs(mean-(16+6*own)) > 1e-9 || math.Abs(se-math.Sqrt(own*10+(1-own)*(1-own)*p.SE*p.SE)) > 1e-9 {
		t.Errorf("22 is shrunk to %v +- %v", mean, se)
	}
	// Luck explains all of it: nobody is ahead.
	p = NewPrior([][]Moments{group}, 400)
	if mean, se := p.Shrink(group[3]); p.Between != 0 || mean != 16 || math.Abs(se-p.SE) > 1e-9 {
		t.Errorf("with much luck got %+v, and 22 is shrunk to %v +- %v", p, mean, se)
	}
	// Without luck nothing is shrunk, and groups apart say nothing of the variance within.
	for _, groups := range [][][]Moments{{group}, {{{N: 1, Mean: 3}, {N: 1, Mean: 3}}, {{N: 1, Mean: 9}, {N: 1, Mean: 9}}},
		{{{N: 5, Mean: 7}}}} {
		p := NewPrior(groups, 0)
		m := groups[0][0]
		if mean, se := p.Shrink(m); mean != m.Mean || se != 0 || math.IsNaN(p.Mean) || math.IsNaN(p.SE) {
			t.Errorf("%v: %+v, %v is shrunk to %v +- %v", groups, p, m.Mean, mean, se)
		}
	}
	if p := NewPrior([][]Moments{{{N: 8, Mean: 3}, {N: 2, Mean: 3}}, {{N: 1, Mean: 9}, {N: 1, Mean: 9}}},
		4); p.Between != 0 {
		t.Errorf("of equals in each group: %+v", p)
	}
}

// TestShrunkLeaders: of candidates whose worths are known, whoever leads is worth what it claims,
// whatever its games were, and worths lie above their bounds in 95% of cases; also where a second
// round was dealt to the better half alone.
func TestShrunkLeaders(t *testing.T) {
	random := portable.NewSource(11)
	for _, c := range []struct {
		name                 string
		first, second, third int // games of each of 40 candidates in 10 groups: of all, of the better half, of everybody's luckiest
		between, within      float64
	}{
		{"2 games", 2, 0, 0, 3, 30}, {"40 games", 40, 0, 0, 3, 30}, {"nobody is better", 8, 0, 0, 0, 30},
		{"raced", 4, 8, 0, 3, 30}, {"raced, and the leaders of each again", 4, 8, 60, 3, 30},
	} {
		var claimed, worths, own, between Moments
		held, all := 0, 0
		for range 300 {
			var groups [][]Moments
			var worth []float64
			for range 10 {
				level := 100 + 10*random.Normal()
				var group []Moments
				for range 40 {
					w := level + c.between*random.Normal()
					worth = append(worth, w)
					group = append(group, drawnAround(random, Moments{}, c.first, w, c.within))
				}
				play := func(games int, most int) {
					if games == 0 {
						return
					}
					for i, m := range group {
						better := 0
						for _, other := range group {
							if other.Mean > m.Mean {
								better++
							}
						}
						if better < most {
							group[i] = drawnAround(random, m, games, worth[len(worth)-40+i], c.within)
						}
					}
				}
				play(c.second, 20)
				play(c.third, 2)
				groups = append(groups, group)
			}
			for g, group := range groups {
				p := NewPrior(groups, c.within*c.within)
				between.Add(p.Between)
				// The levels of groups differ: each group's own mean is the prior's.
				p.Mean, p.SE = p.mean(group)
				leader, claim := 0, math.Inf(-1)
				for i, m := range group {
					mean, se := p.Shrink(m)
					all++
					if worth[40*g+i] >= mean-1.645*se {
						held++
					}
					if mean > claim {
						leader, claim = i, mean
					}
				}
				claimed.Add(claim)
				worths.Add(worth[40*g+leader])
				own.Add(group[leader].Mean)
			}
		}
		share := float64(held) / float64(all)
		t.Logf("%s: leaders claim %.2f and are worth %.2f, by their own games %.2f; variance %.1f; bounds hold in %.1f%%",
			c.name, claimed.Mean, worths.Mean, own.Mean, between.Mean, 100*share)
		if math.Abs(claimed.Mean-worths.Mean) > 1.5 {
			t.Errorf("%s: leaders claim %.2f and are worth %.2f", c.name, claimed.Mean, worths.Mean)
		}
		if own.Mean-worths.Mean < 4 {
			t.Errorf("%s: leaders have %.2f by their own games, which fools nobody", c.name, own.Mean)
		}
		if c.between > 0 && (share < 0.85 || share > 0.99) {
			t.Errorf("%s: bounds hold in %.1f%%", c.name, 100*share)
		}
	}
}

// drawnAround adds n normal numbers around a mean to a sample.
func drawnAround(random *portable.Source, m Moments, n int, mean, sd float64) Moments {
	for range n {
		m.Add(mean + sd*random.Normal())
	}
	return m
}
