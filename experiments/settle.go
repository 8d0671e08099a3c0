package experiments

import (
	"context"
	"math"

	"tune2048/engine"
	"tune2048/engine/portable"
	"tune2048/experiments/stats"
)

// pair is a candidate that is compared with a baseline.
type pair struct{ candidate, baseline int }

// settleLooks is how often a pair is looked at, at most.
const settleLooks = 8

// settle finds out of each candidate whether it is worse than its baseline. Pairs play fresh games
// until they are decided, or until each of their candidates has played so many. The candidate is
// worse or better if the interval of the difference lies below or above 0, as the p-value says. It
// is not worse than by the margin if the interval of the ratio lies above 1 - margin. The intervals
// of all pairs and all looks hold together with 95% (see stats.Design, and Bonferroni's
// inequality), so it does not matter which look decided.
func (s *state) settle(ctx context.Context, phase string, search engine.Settings, games int, margin float64, pairs []pair) ([]Contrast, error) {
	rounds := dealt(games, settleLooks)
	plan := stats.DefaultPlan()
	plan.Level, plan.Looks = (1-confidence)/float64(len(pairs)), len(rounds)
	design := plan.Design()
	contrasts, decided := make([]Contrast, len(pairs)), make([]bool, len(pairs))
	hashes := map[int]string{}
	played := 0
	for round, n := range rounds {
		var numbers []int
		for i, p := range pairs {
			if !decided[i] {
				numbers = append(numbers, p.baseline, p.candidate)
			}
		}
		if len(numbers) == 0 {
			break
		}
		if share := goesOn; round > 0 {
			if round > 1 {
				share = goesOnLate
			}
			s.progress.foresee(int64(float64(len(distinct(numbers))) * expectedOf(share, rounds[round:])))
		}
		block := Block{
			Phase: phase, Search: search.String(), Round: round, Candidates: distinct(numbers), Dealt: played,
			Seeds: gameSeeds(s.Config.Seed, phase, "", 0, played, n), settings: search, generations: 1,
		}
		evaluations, err := s.play(ctx, block)
		if err != nil {
			return nil, err
		}
		played += n
		for _, e := range evaluations {
			hashes[e.Candidate] += e.GamesHash
		}
		boundary := design.Boundaries[round]
		for i, p := range pairs {
			if decided[i] {
				continue
			}
			side := func(number int) Evaluation {
				place := Place{Phase: phase, Search: block.Search, Candidate: number}
				return Evaluation{Place: place, Sample: s.standings.of[number].Sample, GamesHash: hashes[number]}
			}
			c := contrast(s.Config.Objective, side(p.candidate), side(p.baseline), boundary.Confidence())
			c.Look, c.Smallest, c.Level = round+1, margin, 1-confidence
			c.settle(margin)
			c.More = c.more(margin, hashes[p.candidate] == hashes[p.baseline])
			contrasts[i], decided[i] = c, c.Verdict != Undecided
		}
	}
	for i := range contrasts {
		c := &contrasts[i]
		if c.P < 1 {
			c.P = design.PValue(c.Look, portable.NormalQuantile(math.Max(c.P, 1e-300)/2))
		}
		c.Adjusted = min(1, c.P*float64(len(pairs)))
	}
	return contrasts, nil
}

// settle gives the verdict by the intervals. The p-value belongs to the difference: the interval of
// the ratio may leave out 1 although p finds no difference.
func (c *Contrast) settle(margin float64) {
	switch i := c.Difference.Interval; {
	case i.High < 0:
		c.Verdict = Worse
	case i.Low > 0:
		c.Verdict = Better
	case c.Ratio.Interval.Low >= 1-margin:
		c.Verdict = NoDifference
	default:
		c.Verdict = Undecided
	}
}

// more returns about how many more games of each would decide an undecided contrast, if the ratio is what it seems to be: the
// interval's width goes with the square root of the games, or with the games where these are all the very same.
func (c Contrast) more(margin float64, same bool) int {
	switch {
	case c.Verdict != Undecided || !c.Ratio.Interval.Bounded():
		return 0
	case same:
		return int(math.Ceil(float64(c.Games) * ((1-c.Ratio.Interval.Low)/margin - 1)))
	}
	half := (c.Ratio.Interval.High - c.Ratio.Interval.Low) / 2
	wanted := math.Max(math.Abs(c.Ratio.Value-1), c.Ratio.Value-(1-margin)) // half the width that decides
	times := half / wanted
	return max(1, int(math.Ceil(float64(c.Games)*(float64(times*times)-1))))
}
