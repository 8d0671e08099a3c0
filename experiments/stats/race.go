package stats

import (
	"cmp"
	"math"
	"slices"

	"tune2048/engine/portable"
)

// Race decides, after each of several equal rounds of games, which arms are clearly not the best
// and need no more games. At a nominal level of 5% it loses the best arm in at most 5.2% of
// simulated races, equal arms included.
//
// An arm is out as soon as another arm beats it, by Welch's t (the samples are unpaired and their
// variances may differ) against a boundary that is corrected twice:
//
//   - for looking after every round, by a group sequential boundary that spends the error
//     probability over the rounds (K. K. G. Lan, D. L. DeMets, Discrete Sequential Boundaries for
//     Clinical Trials, Biometrika 70, 1983). It spends early, like Pocock's, because a hopeless arm
//     is cheapest when it stops at once. It spends nothing in the last round;
//   - for the number of arms, by Bonferroni's inequality over the arms still racing beyond the best
//     one. That this number shrinks during the race is Holm's step, and saves a tenth of the games.
//     The level is then no theorem. The simulations are of equal arms, ties for the best and gaps
//     of all sizes (150,000 races each).
//
// The quantile is Student's t at the boundary's nominal probability (C. Jennison, B. W. Turnbull,
// Group Sequential Methods, 1999, section 3.8). Other races of several arms: O. Maron, A. W. Moore,
// Hoeffding Races, NIPS 1994; M. Birattari et al., A Racing Algorithm for Configuring
// Metaheuristics, GECCO 2002, whose tests are not corrected for looking.
//
// The means of a race are biased: a stopped arm had bad luck more often than not, the winner good
// luck.
type Race struct {
	rounds     int
	level      float64
	round      int
	boundaries map[int][]float64 // by the number of rivals
}

// raceShape is the shape of the spending function of a race. From 0 to 3 the
// games of a race are the same within 5%; -4 costs 12% more.
const raceShape = 1

// NewRace returns a race over at most this number of rounds. level, in (0, 1), is the accepted
// probability of losing the best. A race of one round never stops an arm.
func NewRace(rounds int, level float64) *Race {
	return &Race{rounds: rounds, level: level, boundaries: map[int][]float64{}}
}

// Round takes the summaries of all games that each arm has played so far, after one more round of
// equally many games for each arm still racing. It marks in out which arms are out by now. Arms
// that are out already, for whatever reason, are not read. An arm whose games all had the same
// result neither stops another such arm nor is stopped by it.
func (r *Race) Round(arms []Moments, out []bool) {
	r.round++
	if r.round < r.rounds {
		for r.step(arms, out) {
		}
	}
}

// step stops the arms that are out against the boundary for the arms still
// racing, and reports whether there were any: those left then have fewer rivals.
func (r *Race) step(arms []Moments, out []bool) (stopped bool) {
	var racing []int
	for arm := range arms {
		if !out[arm] {
			racing = append(racing, arm)
		}
	}
	if len(racing) < 2 {
		return false
	}
	z := r.boundary(len(racing) - 1)[r.round-1]
	p := portable.NormalTail(z)
	for _, arm := range racing {
		if slices.ContainsFunc(racing, func(other int) bool { return beats(arms[other], arms[arm], z, p) }) {
			out[arm], stopped = true, true
		}
	}
	return stopped
}

// beats reports whether the mean of a is significantly above the mean of b, one-sided at the
// nominal probability p, whose normal quantile is z.
func beats(a, b Moments, z, p float64) bool {
	if a.N < 2 || b.N < 2 {
		return false
	}
	se, df := differenceSE(a, b, Pairs{})
	t := (a.Mean - b.Mean) / se
	// Student's quantile is further out than the normal one, and slower.
	return se > 0 && t > z && t > -studentQuantile(p, df)
}

// boundary returns the boundaries of a comparison with one of the given number of rivals.
func (r *Race) boundary(rivals int) []float64 {
	if b, known := r.boundaries[rivals]; known {
		return b
	}
	fractions, spent := evenly(r.rounds-1, r.level/float64(rivals), raceShape)
	b := bounds(fractions, spent, 1)
	r.boundaries[rivals] = b
	return b
}

// Screen is the race for a good selection of keep arms from a few games each, without a guarantee:
// for a generation of an optimizer that recombines its upper part. It marks in out the arms whose
// mean is significantly below the best keep arms still racing, one-sided at the level, without a
// correction for looking often or for many arms. The variance is pooled over all
// arms, also those that are out. The summaries may be of different sizes.
//
// A Race saves nothing there: of 40 arms with 3 rounds of 4 games at sd/mean 0.55 it stops less
// than 1% of the games even where the true means differ by 60%. Screen at 0.15 saves 19% of the
// games where they differ by 5%, 22% at 15%, 29% at 30% and 36% at 60%. The selected have 94%, 99%,
// 99% and 99% of the lead over the mean that they would have with all games. Means are biased as in
// a race.
func Screen(arms []Moments, out []bool, keep int, level float64) {
	var racing []int
	squares, df := 0.0, 0
	for arm, m := range arms {
		if m.N > 1 {
			squares += m.M2
			df += m.N - 1
		}
		if !out[arm] && m.N > 0 {
			racing = append(racing, arm)
		}
	}
	if len(racing) <= keep || df == 0 {
		return
	}
	slices.SortStableFunc(racing, func(a, b int) int { return cmp.Compare(arms[b].Mean, arms[a].Mean) })
	last := arms[racing[keep-1]] // of those that would be selected now
	variance := squares / float64(df)
	quantile := studentQuantile(1-level, float64(df))
	for _, arm := range racing[keep:] {
		m := arms[arm]
		se := math.Sqrt(float64(variance * (1/float64(last.N) + 1/float64(m.N))))
		if last.Mean-m.Mean > float64(quantile*se) {
			out[arm] = true
		}
	}
}
