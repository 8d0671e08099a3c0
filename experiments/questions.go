package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tune2048/engine/eval"
	"tune2048/experiments/stats"
	"tune2048/tuner"
)

// Fresh games answer two questions after the validation. Which features does the champion need? Was
// the tuning still rising at its end? Both compare pairs of candidates until each is decided.

const (
	// originAblation is the origin of the champion without a feature.
	originAblation = "ablation"
	// minTrend is the least number of generations that have a first and a second half.
	minTrend = 4
	// pairLooks is how often a pair is looked at, at most.
	pairLooks = 8
)

// ablate leaves the features out of the champion, one at a time, and compares each with the
// champion. A feature with the weight 0 has no say in any board's value and is not played. 0 may
// mean anything to a bot, or be outside its range: each of its weights goes back to its start.
// Worse says that the feature matters, NoDifference that it can be left out.
func (s *state) ablate(ctx context.Context, champion int) error {
	games, err := s.settle(ctx, s.asking(PhaseAblation), s.Config.Ablation.Games, minAblation)
	if err != nil || games == 0 {
		return err
	}
	var rows []Comparison
	for _, f := range s.Config.Heuristic.Features {
		vector, name := slices.Clone(s.candidates.player(champion).Values), Ablated(&s.Config.Heuristic, f.Name)
		vector[f.Weight.At] = 0
		if s.Config.Heuristic.Bot != nil {
			vector[f.Weight.At] = s.candidates.start[f.Weight.At]
		}
		number := s.candidates.add(Candidate{Origin: originAblation, Name: name,
			Dead: s.candidates.candidate(champion).Dead}, vector)
		if number != champion { // otherwise its weight is that one
			rows = append(rows, Comparison{Candidate: number, Baseline: champion, Question: name})
		}
	}
	if err := s.candidates.record(ctx, s.Store, s.run); err != nil {
		return err
	}
	return s.decidePairs(ctx, PhaseAblation, games, rows...)
}

// asking is the place of the games of a phase that asks a question.
func (s *state) asking(phase string) Place {
	return Place{Phase: phase, Search: s.Config.Ablation.Search.String()}
}

// Ablated is the Comparison.Question about a feature, or about a bot's weight.
func Ablated(heuristic *eval.Heuristic, feature string) string {
	if heuristic.Bot != nil {
		return "with " + feature + " at its start"
	}
	return "without " + feature
}

// trend compares the centre of the search half way through the last stage with the centre at its
// end. The luckiest candidates of the two times would show nothing. Worse says
// that tuning was still rising, Better that it was falling.
func (s *state) trend(ctx context.Context) error {
	if s.stage.centres.n < minTrend {
		return nil
	}
	games, err := s.settle(ctx, s.asking(PhaseTrend), s.Config.Ablation.Games, minAblation)
	if err != nil || games == 0 {
		return err
	}
	half := s.stage.centres.half() // generation of the earlier centre
	numbers, err := s.register(ctx, []tuner.Candidate{
		{Values: s.stage.centres.after(half), Origin: tuner.OriginCentre},
		{Values: s.stage.centres.after(s.stage.centres.n - 1), Origin: tuner.OriginCentre},
	}, s.stage.Name, half)
	if err != nil || numbers[0] == numbers[1] {
		return err
	}
	return s.decidePairs(ctx, PhaseTrend, games, Comparison{Candidate: numbers[0], Baseline: numbers[1]})
}

// decidePairs compares the candidate of each pair with its baseline, and records the comparisons.
// Pairs play fresh games until they are decided, or until each of their candidates has played the
// games of the part. The candidate is worse or better if the interval of the
// difference lies below or above 0, as the p-value says. It is not worse than by the margin if
// the interval of the ratio lies above 1 - margin. All these intervals hold together with 95%.
func (s *state) decidePairs(ctx context.Context, phase string, games int, rows ...Comparison) error {
	if len(rows) == 0 {
		return nil
	}
	ablation, place := s.Config.Ablation, s.asking(phase)
	rounds, played := dealt(games, pairLooks), 0
	plan := stats.DefaultPlan()
	plan.Level, plan.Looks = (1-Confidence)/float64(len(rows)), len(rounds)
	p := newPairs(plan.Design(), rows)
	standings := s.standingsAt(phase, place.Search)
	due := func(look int, live []int) (Block, bool) {
		s.progress.Left = expectedGames(phase, len(live), rounds, look-1)
		place.Round = look - 1
		b := Block{Place: place, Candidates: live, First: played, Games: rounds[look-1]}
		played += b.Games
		return b, true
	}
	if err := s.decide(ctx, p, due, func(c *Comparison, confidence float64) (z float64, decided bool) {
		a, b, question, look := standings.Of[c.Candidate], standings.Of[c.Baseline], c.Question, c.Look
		*c = compare(s.Config.Objective, a, b, confidence)
		c.Question, c.Look, c.Smallest, c.Level = question, look, ablation.Difference, 1-Confidence
		c.judgeWithin(ablation.Difference)
		c.More = c.more(ablation.Difference, a.same(b))
		return s.Config.Objective.Z(a.Sample, b.Sample, stats.PairsOf(a.Figures, b.Figures)), c.Verdict != Undecided
	}); err != nil {
		return err
	}
	var decided []Comparison
	for i := range rows {
		if verdict := rows[i].Verdict; verdict == "" || verdict == Undecided && s.lost(&rows[i]) { // nothing was decided
			continue
		}
		rows[i].P = p.pValue(i)
		rows[i].Adjusted = min(1, rows[i].P*float64(len(rows)))
		decided = append(decided, rows[i])
	}
	if err := s.Store.AddComparisons(ctx, s.run.ID, decided); err != nil {
		return fmt.Errorf("record the %s: %w", phase, err)
	}
	return nil
}

// judgeWithin gives the verdict by the intervals. The p-value belongs to the difference: the
// interval of the ratio may leave out 1 although p finds no difference.
func (c *Comparison) judgeWithin(margin float64) {
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

// more estimates how many more games of each would decide an undecided comparison, if the ratio
// stays as it is. The interval's width falls with the square root of the games, or with the games
// where these are all the very same.
func (c Comparison) more(margin float64, same bool) int {
	switch {
	case c.Verdict != Undecided || !c.Ratio.Interval.Bounded():
		return 0
	case same:
		return int(math.Ceil(float64(c.Games) * ((1-c.Ratio.Interval.Low)/margin - 1)))
	}
	half := (c.Ratio.Interval.High - c.Ratio.Interval.Low) / 2
	wanted := math.Max(math.Abs(c.Ratio.Value-1), c.Ratio.Value-(1-margin)) // half the deciding width
	times := half / wanted
	return max(1, int(math.Ceil(float64(c.Games)*(float64(times*times)-1))))
}
