package experiments

import (
	"math"

	"tune2048/configs"
)

// Volume is what a run is expected to record, counted: what a store needs to foretell its size. A plan says how many
// games there are at most; how many a race leaves out depends on the scores, so what races play is the share that is
// typical.
type Volume struct {
	Config  int      // bytes of the config's text
	Weights []string // names of each candidate's weights
	Parts   []Recorded
}

// Recorded is what a part of the plan is expected to record.
type Recorded struct {
	Phase, Stage, Search string
	Candidates           int64 // new ones
	Players              int64 // different candidates that play, new or not
	Generations          int64 // of tuning
	Blocks               int64
	Evaluations          int64
	Games                int64
	Block                int64 // games of the largest block, whose rows are there until it is finished
	Kept                 bool  // whether the games stay as rows
	Comparisons          int64
}

// Shares of candidates that a race still deals games to. Measured: of a generation of 40 that plays 4 games a round,
// 73% and 65% in the second and third round of the quickstart and 72% to 78% in the second of nneonneo; of the 8
// finalists of playoffs in 10 rounds, 88% in all rounds but the first.
const (
	generationShare = 0.74 // in the second round; ever fewer leave later
	playoffShare    = 0.88
)

// racing returns the share of the candidates that play the round, from 0, of a race for the best keep of them.
func racing(round, candidates, keep int) float64 {
	switch {
	case round == 0:
		return 1
	case keep == 1:
		return math.Max(playoffShare, 1/float64(candidates))
	default:
		return math.Max(math.Pow(generationShare, math.Sqrt(float64(round))), float64(min(keep, candidates))/float64(candidates))
	}
}

// race adds what so many races are expected to record.
func (r *Recorded) race(races, candidates, keep, games, rounds int) {
	for round, n := range dealt(games, rounds) {
		players := float64(races*candidates) * racing(round, candidates, keep)
		r.Blocks += int64(races)
		r.Evaluations += int64(players + 0.5)
		r.Games += int64(players*float64(n) + 0.5)
		r.Block = max(r.Block, int64(candidates*n))
	}
}

// Expect returns what a config's run is expected to record when it carries out this plan, which is [Plan]'s or, for a
// run that ends its tuning early, one with fewer generations of it.
func Expect(c *configs.Config, plan []PlannedBlock) Volume {
	v := Volume{Config: len(c.YAML())}
	for _, n := range c.Family.Tunable() {
		v.Weights = append(v.Weights, n.Name)
	}
	s := state{Experiment: Experiment{Config: c}}
	for i, b := range plan {
		r := Recorded{Phase: b.Phase, Stage: b.Stage, Search: b.Search, Kept: s.keeps(b.Phase)}
		r.Players = int64(b.Candidates)
		switch b.Phase {
		case PhaseTuning:
			r.tuning(c, c.Stages[i], b)
		case PhasePlayoff:
			r.Candidates = 1 // the centre
			if c.Restarts > 1 {
				r.Candidates += int64(c.Restarts)
			}
			r.race(1, b.Candidates, 1, c.Playoff.Games, c.Playoff.Rounds)
		case PhaseValidation:
			r.Comparisons = r.Players - 1
			r.block(c.Validation.Games)
		case PhaseSensitivity:
			r.Candidates, r.Comparisons = r.Players-1, r.Players-1
			r.block(c.Sensitivity.Games)
		}
		v.Parts = append(v.Parts, r)
	}
	return v
}

// block counts a single block.
func (r *Recorded) block(games int) {
	r.Blocks, r.Evaluations = 1, r.Players
	r.Games = r.Players * int64(games)
	r.Block = r.Games
}

// tuning counts a stage.
func (r *Recorded) tuning(c *configs.Config, stage configs.Stage, b PlannedBlock) {
	n := b.Generations
	if n == 0 {
		r.Players = 0
		return
	}
	keep := keptInGeneration(b.Candidates)
	if stage.MaxGames > 0 {
		var one Recorded
		one.race(1, b.Candidates, keep, stage.Games, stage.Rounds)
		n = max(1, min(n, stage.MaxGames/int(one.Games)))
	}
	r.race(n, b.Candidates, keep, stage.Games, stage.Rounds)
	r.Generations = int64(n)
	carried := c.Optimizer.Elites     // which only genetic has
	populations := min(n, c.Restarts) // each with a first generation that is all new
	r.Candidates = int64(n*(b.Candidates-carried) + populations*carried)
	r.Players = r.Candidates
}
