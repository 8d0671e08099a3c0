package experiments

import (
	"context"

	"tune2048/configs/config"
	"tune2048/engine/eval"
	"tune2048/experiments/stats"
)

// Repeat asks a comparison's store for the first games of each player, as many as given, and makes
// the figures of comparisons again from them. It leaves out those that no such games can give. It
// makes no verdict: that also depends on the other searches and questions of the command.
func (x Contest) Repeat(ctx context.Context, games []int, made []Comparison) (err error) {
	run, err := x.begin(ctx, x.Configs[0])
	if err != nil {
		return err
	}
	defer func() { err = finish(ctx, x.Store, run.ID, err) }()
	m := newMatch(x, x.Configs[0], run)
	if err := m.register(ctx); err != nil {
		return err
	}
	scores, ranks := make([][]float64, len(m.players)), make([][]byte, len(m.players))
	for number, n := range games {
		found, err := m.blocks.play(ctx, m.block([]int{number}, 0, n))
		if err != nil {
			return err
		}
		for _, e := range found {
			scores[number], ranks[number] = append(scores[number], e.Scores...), append(ranks[number], e.Ranks...)
		}
	}
	played := func(number, games int) bool {
		return number >= 0 && number < len(scores) && games > 0 && games <= len(scores[number])
	}
	var again []Comparison
	for _, c := range made {
		if !played(c.Candidate, c.Games) || !played(c.Baseline, c.BaselineGames) || !(c.Confidence > 0 && c.Confidence < 1) {
			continue
		}
		o, a, b := m.config.Objective, scores[c.Candidate][:c.Games], scores[c.Baseline][:c.BaselineGames]
		ra, rb := ranks[c.Candidate][:min(c.Games, len(ranks[c.Candidate]))], ranks[c.Baseline][:min(c.BaselineGames, len(ranks[c.Baseline]))]
		c.Difference, c.Ratio, _ = o.Compare(o.Sample(a, ra), o.Sample(b, rb), stats.PairsOf(o.Figures(a, ra), o.Figures(b, rb)), c.Confidence)
		c.unbounded()
		again = append(again, c)
	}
	return x.Store.AddComparisons(ctx, run.ID, again)
}

// Stream returns the stream of the seeds of a run's evaluation, by the run's seed and the salt of
// its held-out games.
func (e Evaluation) Stream(seed uint64, heldOutSalt string) Stream {
	s := Stream{Seed: seed, Phase: e.Phase, Salt: e.Stage, Generation: e.Generation}
	if e.Phase == PhaseValidation || e.Phase == PhaseComparison {
		s.Salt = heldOutSalt
	}
	return s
}

// Players returns the players of a run's config: of an experiment, or else of a comparison.
func Players(c *config.Config, contest *config.Contest) (list []*eval.Heuristic) {
	if c != nil {
		return []*eval.Heuristic{&c.Heuristic}
	}
	for i := range contest.Players {
		list = append(list, &contest.Players[i].Heuristic)
	}
	return list
}
