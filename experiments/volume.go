package experiments

import (
	"math"

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

// goesOn is the share of candidates that a race still deals games to after its first round, roughly: 65% to 78% of the
// generations of the quickstart and of nneonneo were measured, and 88% in playoffs of 8.
const goesOn = 0.75

// racedGames returns how many games and evaluations the race of a generation comes to, when each candidate may play so many games.
func racedGames(candidates, games, rounds int) (played, evaluations float64) {
	first := dealt(games, rounds)[0]
	n := float64(candidates)
	return n * (float64(first) + goesOn*float64(games-first)), n * (1 + goesOn*float64(min(rounds, games)-1))
}

// Expect returns what a config's run is expected to record when it carries out this plan, which is [Plan]'s or, for a
// run that ends its tuning early, one with fewer generations of it.
func Expect(c *configs.Config, plan []PlannedPart) Volume {
	v := Volume{ConfigBytes: int64(len(c.YAML()))}
	for i, b := range plan {
		players := int64(b.Candidates)
		generations, perPlayer := float64(b.Generations), int(b.Games/players)
		if b.Phase == PhaseTuning {
			perPlayer = c.Stages[i].Games
		}
		games, evaluations := racedGames(b.Candidates, perPlayer, b.Rounds)
		switch b.Phase {
		case PhaseTuning:
			if most := c.Stages[i].MaxGames; most > 0 {
				generations = min(generations, max(1, math.Floor(float64(most)/games)))
			}
			kept := c.Optimizer.Elites // of a generation in the next one; those of the first are all new
			players = int64(generations)*(players-int64(kept)) + int64(min(generations, float64(c.Restarts))*float64(kept))
			v.Candidates += players
			v.Generations += int64(generations)
		case PhasePlayoff:
			v.Candidates += int64(c.Restarts) // the centres, and their mean
		case PhaseValidation:
			v.Comparisons += players - 1
		case PhaseAblation, PhaseTrend:
			v.Candidates += players - 1
			v.Comparisons += players - 1
		}
		v.Standings += players
		v.Evaluations += int64(generations * evaluations)
		rows := generations * evaluations
		if keeps(c.Store, b.Phase) {
			v.Games += int64(generations * games)
			rows += generations * games
		} else {
			v.Passing = max(v.Passing, b.Round)
		}
		if c.Objective.Kind == configs.Quantile {
			v.ScoreBytes += int64(generations*games) * 6 // five digits and a comma
		}
		v.PlaceBytes += int64(rows) * int64(len(b.Phase)+len(b.Stage)+len(b.Search))
	}
	for _, n := range c.Family.Tunable() {
		v.Weights += v.Candidates
		v.NameBytes += v.Candidates * int64(len(n.Name))
	}
	return v
}
