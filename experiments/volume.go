package experiments

import (
	"slices"

	"tune2048/configs"
)

// Volume is how many rows a run is expected to record: what a store needs to foretell its size. It is rough: how many games
// races leave out depends on the scores.
type Volume struct {
	ConfigBytes int64 // of the config's text
	Candidates  int64
	Weights     int64 // of all candidates
	NameBytes   int64 // of the names of these
	Generations int64
	Evaluations int64
	Standings   int64 // of a candidate in a phase, stage and search
	Comparisons int64
	Games       int64 // that stay as rows
	Passing     int64 // games of the largest round whose rows are there only until it is finished
	PlaceBytes  int64 // of the phase, stage and search of each evaluation and each game that stays
	ScoreBytes  int64 // of the scores that evaluations keep where the objective is a quantile
}

// Expect returns what a config's run is expected to record when it carries out this plan, which is [Plan]'s or, for a
// run that ends its tuning early, one with fewer generations of it.
func Expect(c *configs.Config, plan []PlannedPart) Volume {
	v := Volume{ConfigBytes: int64(len(c.YAML()))}
	for i, b := range plan {
		players := int64(b.Candidates)
		perPlayer := int(b.Games / players)
		if b.Phase == PhaseTuning {
			perPlayer = c.Stages[i].Games
		}
		rounds := dealt(perPlayer, b.Rounds)
		generations := b.Expected / expectedGames(b.Phase, b.Candidates, rounds)
		evaluations := generations * expectedGames(b.Phase, b.Candidates, slices.Repeat([]int{1}, len(rounds)))
		switch b.Phase {
		case PhaseTuning:
			kept := c.Optimizer.Elites // of a generation in the next one; those of the first are all new
			players = generations*(players-int64(kept)) + min(generations, int64(c.Restarts))*int64(kept)
			v.Candidates += players
			v.Generations += generations
		case PhasePlayoff:
			v.Candidates += int64(c.Restarts) // the centres, and their mean
		case PhaseValidation:
			v.Comparisons += players - 1
		case PhaseAblation, PhaseTrend:
			v.Candidates += players - 1
			v.Comparisons += players - 1
		}
		v.Standings += players
		v.Evaluations += evaluations
		rows := evaluations
		if keeps(c.Store, b.Phase) {
			v.Games += b.Expected
			rows += b.Expected
		} else {
			v.Passing = max(v.Passing, b.Round)
		}
		if c.Objective.Kind == configs.Quantile {
			v.ScoreBytes += b.Expected * 6 // five digits and a comma
		}
		v.PlaceBytes += rows * int64(len(b.Phase)+len(b.Stage)+len(b.Search))
	}
	for _, n := range c.Family.Tunable() {
		v.Weights += v.Candidates
		v.NameBytes += v.Candidates * int64(len(n.Name))
	}
	return v
}
