package experiments

import (
	"math"
	"slices"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/bot"
	"tune2048/engine/portable"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// TestSameGamesAreNoCertainty: of n games that are all alike less than 3/n of all differ (the rule
// of three), so a mean of 30,000 differs by less than 900 after 100 games, and a candidate does not
// differ from itself.
func TestSameGamesAreNoCertainty(t *testing.T) {
	a := Standing{Place: Place{Candidate: 1}, Sample: fitness.Sample{Fitness: stats.Moments{N: 100, Mean: 30000, M2: 1e9}},
		Figures: make([]float64, 100)}
	b := a
	b.Candidate = 2
	c := compare(fitness.MeanScore, &a, &b, 0.95)
	near := func(x, want float64) bool { return math.Abs(x-want) < 0.002*math.Abs(want) }
	if d, r := c.Difference.Interval, c.Ratio.Interval; !near(d.Low, -900) || !near(d.High, 900) || !near(r.Low, 0.97) ||
		!near(r.High, 1.03) {
		t.Errorf("100 games alike: %+v, %+v", c.Difference, c.Ratio)
	}
	if c.Verdict != NoDifference || c.P != 1 || !near(c.Level, 0.05) {
		t.Errorf("%s with p %v at a level of %v", c.Verdict, c.P, c.Level)
	}
	if c := compare(fitness.MeanScore, &a, &a, 0.95); c.Difference != (stats.Estimate{}) ||
		c.Ratio.Interval != (stats.Interval{Low: 1, High: 1}) || c.Verdict != NoDifference {
		t.Errorf("a candidate against itself: %+v", c)
	}
	few := a
	few.Fitness.N, few.Figures = 2, few.Figures[:2]
	other := few
	other.Candidate = 2
	if r := compare(fitness.MeanScore, &few, &other, 0.95).Ratio.Interval; r.Low != 0 || r.High != 2 {
		t.Errorf("2 games alike: ratio in %v", r)
	}
}

// TestAlikeBoundsTheTruth: where no game differs, the intervals hold the truth of any objective:
// of rare tiles, too, of tiles that nobody reached, and of scores that may be below 0.
func TestAlikeBoundsTheTruth(t *testing.T) {
	reach, err := config.ParseObjective("{reach: 2048}")
	must(t, err)
	logs, err := config.ParseObjective("mean_log_score")
	must(t, err)
	random := portable.NewSource(1)
	for _, games := range []int{20, 100, 400} {
		for _, often := range []float64{0, 0.01, 0.05, 0.5} {
			for _, more := range []float64{0, 0.5 / float64(games)} { // of the games differ
				missed, alike := 0, 0
				for range 1000 {
					var ranks [2][]byte
					for range games {
						x := random.Float64()
						for k, share := range []float64{often + more, often} {
							rank := byte(10)
							if x < share {
								rank = 11
							}
							ranks[k] = append(ranks[k], rank)
						}
					}
					var figures [2][]float64
					var samples [2]fitness.Sample
					for k := range ranks {
						scores := make([]float64, games)
						samples[k], figures[k] = reach.Sample(scores, ranks[k]), reach.Figures(scores, ranks[k])
					}
					pairs := stats.PairsOf(figures[0], figures[1])
					if pairs.Differ > 0 {
						continue
					}
					difference, ratio, _ := reach.Compare(samples[0], samples[1], pairs, 0.95)
					alike++
					if !difference.Interval.Contains(more) || often > 0 && !ratio.Interval.Contains(1+more/often) {
						missed++
					}
				}
				if missed > alike/20 {
					t.Errorf("%d games, %v and %v more reach the tile: %d of %d intervals miss the truth", games, often, more, missed,
						alike)
				}
			}
		}
	}
	same := func(o fitness.Objective, scores ...float64) (difference, ratio stats.Interval) {
		s := o.Sample(scores, nil)
		d, r, _ := o.Compare(s, s, stats.PairsOf(o.Figures(scores, nil), o.Figures(scores, nil)), 0.95)
		return d.Interval, r.Interval
	}
	if d, r := same(logs, 500, 1000, 2000, 4000); math.Abs(math.Log(r.High)-d.High) > 1e-12 {
		t.Errorf("logarithms differ by up to %v, and their ratio is up to %v", d.High, r.High)
	}
	if d, r := same(fitness.MeanScore, 0, 0, 0); d.Bounded() || r.Bounded() {
		t.Errorf("of players that score 0: %v, %v", d, r)
	}
	if d, r := same(fitness.MeanScore, -5, 5); d.High < 3 || r.Bounded() {
		t.Errorf("of scores around 0: %v, %v", d, r)
	}
}

// TestEqualScoresDecideNothing: forty games that all score 1 may hide others in 9% of all games. So
// they are not better than forty games of 0, unless the bounds of the scores say how far others lie
// away. A generation of equal games has no interval, either.
func TestEqualScoresDecideNothing(t *testing.T) {
	for _, bounds := range []bot.Bounds{{}, {Min: 0, Max: 1}} {
		objective, want := fitness.MeanScore.Within(bounds), Undecided
		if bounds.Known() {
			want = Better
		}
		all, rows := NewStandings(objective), stageRows{objective: objective}
		var evaluations []Evaluation
		for candidate, score := range []float64{0, 1} {
			e := Evaluation{Place: Place{Phase: PhaseValidation, Candidate: candidate},
				Scores: slices.Repeat([]float64{score}, 40)}
			all.add(e)
			e.Phase = PhaseTuning
			evaluations = append(evaluations, e)
		}
		made := []Comparison{compare(objective, all.Of[1], all.Of[0], Confidence)}
		if correct(made, 1); made[0].Verdict != want || made[0].Difference.Interval.Bounded() != bounds.Known() {
			t.Errorf("within %v: %+v", bounds, made[0])
		}
		if g := rows.row(evaluations); g.MeanFitness.Interval != stats.Unbounded() {
			t.Errorf("within %v: a generation has %+v", bounds, g.MeanFitness)
		}
	}
}
