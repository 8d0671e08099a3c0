package experiments

import (
	"context"
	"fmt"
	"strings"

	"tune2048/configs/config"
	"tune2048/engine/eval"
	"tune2048/experiments/stats"
)

// Repeat asks the questions of a comparison's run again, by the answers that were made, and then
// for as many games of each player as are given. The store answers. It returns whether all
// questions were asked at this search alone: verdicts on several searches are made together, and
// those of the answers are kept.
func (x Contest) Repeat(ctx context.Context, games []int, made []Comparison) (alone bool, err error) {
	run, err := x.begin(ctx, x.Configs[0])
	if err != nil {
		return false, err
	}
	defer func() { err = finish(ctx, x.Store, run.ID, err) }()
	answers := map[int][]Comparison{}
	for _, c := range made {
		answers[c.Look] = append(answers[c.Look], c)
	}
	alone = true
	for _, ask := range sortedKeys(answers) {
		m, searches, err := x.again(ctx, &run, ask, answers[ask])
		if err != nil {
			return false, err
		}
		if searches == 1 {
			x.correct([]*match{m})
		} else {
			alone = false
		}
		for i := range m.rows {
			if c := &m.rows[i]; searches > 1 {
				c.P, c.Look = m.pValue(i), ask
				for _, kept := range answers[ask] {
					if kept.Candidate == c.Candidate && kept.Baseline == c.Baseline {
						c.Adjusted, c.Verdict = kept.Adjusted, kept.Verdict
					}
				}
			}
		}
		if err := x.Store.AddComparisons(ctx, run.ID, m.rows); err != nil {
			return false, err
		}
	}
	m := newMatch(x, x.Configs[0], run) // also of a question that was not answered
	if err := m.register(ctx); err != nil {
		return false, err
	}
	for number, n := range games {
		if _, err := m.blocks.play(ctx, m.block([]int{number}, 0, n)); err != nil {
			return false, err
		}
	}
	return alone, nil
}

// again asks a question again, and returns at how many searches it was asked.
func (x Contest) again(ctx context.Context, run *Run, ask int, answers []Comparison) (m *match, searches int, err error) {
	first, power := answers[0], 0.0
	text := first.Question
	x.searches = 1
	if at := strings.LastIndex(text, ", at "); at >= 0 {
		if n, _ := fmt.Sscanf(text[at:], inSearches, &x.searches); n == 1 {
			text = text[:at]
		}
	}
	if _, err := fmt.Sscanf(text, "sequential: %g%%, power %g%%, at most %d times", new(float64), &power, &x.Plan.Looks); err == nil {
		x.Plan.Power = power / 100
	} else {
		x.Plan = stats.DefaultPlan()
		if _, err := fmt.Sscanf(text, "%d games", &x.Games); err != nil {
			return nil, 0, fmt.Errorf("question %d is %q, which nobody asks", ask, first.Question)
		}
	}
	x.Plan.Difference, x.Plan.Level, x.ask = first.Smallest, first.Level, ask
	m = newMatch(x, x.Configs[0], *run)
	if err := m.prepare(ctx); err != nil {
		return nil, 0, err
	}
	run.Resumed = true
	return m, x.searches, m.play(ctx)
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
