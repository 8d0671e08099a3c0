package experiments

import (
	"context"
	"slices"

	"tune2048/configs"
	"tune2048/experiments/stats"
)

// race is a set of candidates that play games of one stage, or the playoff, in rounds: each round is a block, after
// which those that are clearly not among the best stop. What is dealt next depends on the evaluations alone, so a
// replay deals the same.
type race struct {
	phase       string
	stage       configs.Stage
	generation  int
	generations int // of the stage
	candidates  []int
	keep        int // how many are wanted

	standings *standings   // over the rounds that each candidate played
	out       map[int]bool // who was stopped before the last round
	live      []int        // who was not
	proof     *stats.Race  // the race with a guarantee, if there is to be one
}

// The levels of stopping early: for the playoff the probability that its best is lost in it at all, as far as Welch's t holds
// for the objective (for means it does; for shares and quantiles nearly, see the tests); for a generation that of a single
// test, since its survivors are recombined rather than believed.
const (
	raceLevel   = 0.05
	screenLevel = 0.15
)

// runRaces carries races of one stage out, side by side: in each round the blocks of all that are still on are played in one go, so that
// many machines have something to do. Means of candidates that were stopped early are lower than what they are worth, on average,
// and those of survivors higher: they rank, no more.
func (s *state) runRaces(ctx context.Context, races ...*race) error {
	stage := races[0].stage
	rounds, played := dealt(stage.Games, stage.Rounds), 0
	for _, r := range races {
		r.standings, r.out, r.live = newStandings(s.Config.Objective), map[int]bool{}, r.candidates
		if r.keep == 1 {
			r.proof = stats.NewRace(len(r.candidates), 1, len(rounds), raceLevel)
		}
	}
	on := slices.Clone(races)
	for round, games := range rounds {
		var blocks []Block
		if stage.Name == "" { // of the playoff
			s.progress.foresee(expectedGames(races[0].phase, len(races[0].live), rounds[round:]))
		}
		for _, r := range on {
			blocks = append(blocks, Block{
				Phase: r.phase, Stage: stage.Name, Search: stage.Search.String(), Generation: r.generation, Round: round,
				Candidates: r.live, Dealt: played, settings: stage.Search, generations: r.generations,
				Seeds: gameSeeds(s.Config.Seed, r.phase, stage.Name, r.generation, played, games),
			})
		}
		evaluations, err := s.play(ctx, blocks...)
		if err != nil {
			return err
		}
		played += games
		for i, r := range on {
			n := len(blocks[i].Candidates)
			r.standings.add(evaluations[:n]...)
			evaluations = evaluations[n:]
		}
		if round < len(rounds)-1 {
			on = slices.DeleteFunc(on, func(r *race) bool { r.stop(); return len(r.live) <= 1 })
		}
	}
	return nil
}

// stop marks who is clearly not among the wanted.
func (r *race) stop() {
	s, spread := r.standings, r.standings.spread()
	samples, out := make([]stats.Moments, len(r.candidates)), make([]bool, len(r.candidates))
	for i, number := range r.candidates {
		samples[i], out[i] = s.objective.Raced(s.of[number].Sample, spread), r.out[number]
	}
	if r.proof != nil {
		out = r.proof.Round(samples)
	} else {
		stats.Screen(samples, out, r.keep, screenLevel)
	}
	r.live = nil
	for i, number := range r.candidates {
		r.out[number] = out[i]
		if !out[i] {
			r.live = append(r.live, number)
		}
	}
}

// dealt splits games into rounds of at least two games, as evenly as can be, the larger ones first: one game of a candidate
// says nothing of the spread, and little of the candidate.
func dealt(games, rounds int) []int {
	rounds = max(1, min(rounds, games/2))
	list := make([]int, rounds)
	for i := range list {
		list[i] = games / rounds
		if i < games%rounds {
			list[i]++
		}
	}
	return list
}
