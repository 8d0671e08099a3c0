package experiments

import (
	"context"

	"tune2048/configs"
	"tune2048/experiments/stats"
)

// race is a set of candidates that play games of one stage, or the playoff, in rounds: each round
// is a block, after which those that are clearly not among the best stop. What is dealt next
// depends on the evaluations alone, so a replay deals the same.
type race struct {
	phase      string
	stage      configs.Stage
	generation int
	candidates []int
	keep       int // how many are wanted

	standings *standings   // over the rounds that each candidate played
	out       map[int]bool // who was stopped before the last round
	live      []int        // who was not
	proof     *stats.Race  // the race with a guarantee, if there is to be one
}

// The levels of stopping early: for the playoff the probability that its best is lost in it at all,
// as far as Welch's t holds for the objective (for means it does; for shares and quantiles nearly,
// see the tests); for a generation that of a single test, since its survivors are recombined rather
// than believed.
const (
	raceLevel   = 0.05
	screenLevel = 0.15
)

// screen lets a generation of the stage at hand race. It keeps as many candidates as the optimizer
// selects from, over all populations: those that are clearly not among them stop early.
func (s *state) screen(ctx context.Context, numbers []int, g int) (*standings, error) {
	o := s.Config.Optimizer
	r := &race{
		phase: PhaseTuning, stage: s.stage, generation: g,
		candidates: distinct(numbers), keep: o.Populations() * max(2, o.Population()/4),
	}
	err := s.runRace(ctx, r)
	return r.standings, err
}

// runRace carries a race out. Means of candidates that were stopped early are lower than what they
// are worth, on average, and those of survivors higher: they rank, no more.
func (s *state) runRace(ctx context.Context, r *race) error {
	rounds, played := dealt(r.stage.Games, r.stage.Rounds), 0
	r.standings, r.out, r.live = newStandings(s.Config.Objective), map[int]bool{}, r.candidates
	if r.keep == 1 {
		r.proof = stats.NewRace(len(r.candidates), len(rounds), raceLevel)
	}
	for round, games := range rounds {
		if r.phase == PhasePlayoff {
			s.progress.foresee(expectedGames(r.phase, len(r.live), rounds[round:]))
		}
		evaluations, err := s.play(ctx, Block{
			Phase: r.phase, Stage: r.stage.Name, Search: r.stage.Search.String(), Generation: r.generation, Round: round,
			Candidates: r.live, Dealt: played, settings: r.stage.Search,
			Seeds: gameSeeds(s.Config.Seed, r.phase, r.stage.Name, r.generation, played, games),
		})
		if err != nil {
			return err
		}
		played += games
		r.standings.add(evaluations...)
		if round == len(rounds)-1 {
			break
		}
		if r.stop(); len(r.live) <= 1 {
			break
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

// dealt splits games into rounds of at least two games, as evenly as can be, the larger ones first:
// one game of a candidate says nothing of the spread, and little of the candidate.
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
