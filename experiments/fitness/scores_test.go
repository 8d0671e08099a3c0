package fitness

import (
	"math"
	"testing"

	"tune2048/engine/portable"
	"tune2048/experiments/stats"
)

// games draw scores that look like those of other games, from uniform numbers.
var games = map[string]struct {
	draw  func(u func() float64) float64
	mean  float64
	least int // games from which the intervals hold
}{
	"2048": {func(u func() float64) float64 { return -math.Log(u() * u() * u()) }, 3, 20},
	"snake, by length": {func(u func() float64) float64 { return math.Ceil(math.Log(u()) / math.Log(0.92)) },
		1 / 0.08, 20},
	"tetris, by lines": {func(u func() float64) float64 { return math.Exp(portable.NormalQuantile(u())) },
		math.Exp(0.5), 60},
	"solitaire, won in 12%":      {func(u func() float64) float64 { return one(u() < 0.12) }, 0.12, 60},
	"a puzzle, solved in 2%":     {func(u func() float64) float64 { return one(u() < 0.02) }, 0.02, 200},
	"chess: -1, 0, 1":            {func(u func() float64) float64 { return one(u() < 0.25) - one(u() < 0.25) }, 0, 20},
	"turns to the goal, below 0": {func(u func() float64) float64 { return -10 - turns(u()) - turns(u()) }, -48, 20},
	"a quiz, at most 100": {func(u func() float64) float64 {
		return 100 - max(0,
			8+12*portable.NormalQuantile(u()))
	}, 90.1868, 20},
	"poker, by money": {func(u func() float64) float64 {
		return 10 * portable.NormalQuantile(u()) / math.Sqrt(-math.Log(u()*u())/2)
	}, 0, 20},
	"minesweeper, by time": {func(u func() float64) float64 { x := math.Sin(math.Pi / 2 * u()); return 999 * x * x },
		499.5, 20},
	"racing, 3% crash at -1000": {func(u func() float64) float64 { return 50 - 1050*one(u() < 0.03) }, 50 - 1050*0.03,
		200},
	"a lottery, heavy tail": {func(u func() float64) float64 { return math.Pow(u(), -1/2.5) }, 2.5 / 1.5, 200},
}

// turns has a geometric distribution of mean 19.
func turns(u float64) float64 { return math.Floor(math.Log(u) / math.Log(0.95)) }

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// TestScoresAreCovered: a bot may print whatever its game gives. The 95% intervals of the mean, and
// of the difference of two such players, hold in at least 93% of samples, from as many games on as
// show the tail at all.
func TestScoresAreCovered(t *testing.T) {
	const repeats = 2000
	for name, game := range games {
		for _, n := range []int{20, 60, 200, 750} {
			if n < game.least {
				continue
			}
			random := portable.NewSource(uint64(n))
			sample := func() (s Sample, scores []float64) {
				for range n {
					scores = append(scores, game.draw(random.Float64))
				}
				return MeanScore.Sample(scores, nil), scores
			}
			mean, plain, difference, width := 0, 0, 0, 0.0
			for range repeats {
				a, scores := sample()
				b, others := sample()
				i, student := MeanScore.Interval(a, 0.95), stats.MeanInterval(a.Fitness, 0.95)
				d, _, _ := MeanScore.Compare(a, b, stats.PairsOf(scores, others), 0.95)
				if i.Contains(game.mean) {
					mean++
				}
				if student.Contains(game.mean) {
					plain++
				}
				if d.Interval.Contains(0) {
					difference++
				}
				if student.High > student.Low {
					width += (i.High - i.Low) / (student.High - student.Low) / repeats
				}
			}
			share := func(n int) float64 { return float64(n) / repeats }
			t.Logf("%-28s %3d games: the mean %.3f, by Student %.3f, %.2f times as wide; the difference %.3f", name, n,
				share(mean), share(plain), width, share(difference))
			if share(mean) < 0.925 || share(difference) < 0.925 { // 0.93 less two standard errors
				t.Errorf("%s, %d games: the interval of the mean holds in %.3f, of the difference in %.3f", name, n, share(mean),
					share(difference))
			}
		}
	}
}
