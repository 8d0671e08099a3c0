package experiments

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/experiments/stats"
)

// PlannedPart is a part of the plan.
type PlannedPart struct {
	Phase, Stage string
	Search       string
	Generations  int
	Candidates   int   // in a generation
	Games        int64 // in all, at most
	Expected     int64 // games in all that are likely to be played
	Rounds       int   // of a generation: each waits for the last game of the one before
	Round        int64 // games of the largest round: they are in memory
	Settings     engine.Settings
}

// Plan lists what a config will play, in order. Stages may end earlier, races stop who is out, and
// identical candidates of a generation play once.
func Plan(c *config.Config) []PlannedPart {
	var plan []PlannedPart
	tuning := int64(0)
	for _, stage := range c.Stages {
		b := plannedGenerations(c, stage, generations(c, stage))
		if stage.MaxGames > 0 {
			b.Games = min(b.Games, int64(stage.MaxGames))
		}
		b.Expected = expectedTuning(c, stage, b.Generations, 0)
		plan, tuning = append(plan, b), tuning+b.Games
	}
	return append(plan, planAfter(c.Grown(tuning))...)
}

// planAfter lists what a config plays after the tuning.
func planAfter(c *config.Config) (plan []PlannedPart) {
	plan = append(plan, planned(PhasePlayoff, c.Playoff.Search, max(c.Playoff.Finalists, 2+len(c.Starts)),
		c.Playoff.Games, c.Playoff.Rounds))
	for i, search := range c.Validation.Searches() {
		plan = append(plan, planned(PhaseValidation, search, heldOutPlayers(c), c.Validation.GamesAt(i), 1))
	}
	if p := c.Ablation; p.Games > 0 {
		plan = append(plan, planned(PhaseAblation, p.Search, 1+len(c.Heuristic.Features), p.Games, pairLooks))
		// The last stage has a trend, and -for may make any stage the last one.
		if slices.ContainsFunc(c.Stages, func(s config.Stage) bool { return generations(c, s) >= leastTrend }) {
			plan = append(plan, planned(PhaseTrend, p.Search, 2, p.Games, pairLooks))
		}
	}
	return plan
}

// PlanContest lists what some players of a comparison play at each search, at most, by the first
// guess of the spread of their scores.
func PlanContest(plan stats.Plan, players int, searches []engine.Settings) (parts []PlannedPart) {
	plan.Level *= stats.AskShare(1) / float64(players*(players-1)/2*len(searches))
	games := int64(players) * int64(plan.Design().Games(plan.Looks, firstRelativeSD))
	for _, search := range searches {
		parts = append(parts, PlannedPart{
			Phase: PhaseComparison, Search: search.String(), Settings: search, Generations: 1, Candidates: players,
			Games: games, Expected: games, Rounds: plan.Looks,
		})
	}
	return parts
}

// planned is a part of the plan in which each candidate plays the given number of games.
func planned(phase string, search engine.Settings, candidates, games, rounds int) PlannedPart {
	return PlannedPart{
		Phase: phase, Search: search.String(), Settings: search, Generations: 1, Candidates: candidates,
		Games: int64(candidates) * int64(games), Rounds: rounds,
		Round:    int64(candidates) * int64(dealt(games, rounds)[0]),
		Expected: expectedGames(phase, candidates, dealt(games, rounds), 0),
	}
}

// The share of the games after a round that is played on average, by the candidates that play in
// this round. Races and pairs end early by their scores, so these shares were measured.
// Generations of quickstart and nneonneo had 0.65 to 0.78, and seven playoffs 0.72 to 0.88. The
// rest is from eight runs of seven heuristics at depth 3, with at most 4,000 games a pair. Trends
// had 0.14 to 1, on average 0.66. Ablations had 0 to 0.6, on average 0.25, as the first look
// decides most features. A feature that the second look leaves open mostly plays to the end.
const (
	goesOn         = 0.75
	goesOnAblation = 0.25 // from its first round
	goesOnLate     = 0.9  // from the third round of a pair
)

// expectedGames returns how many games candidates are likely to play that are dealt these rounds,
// from the round at hand on.
func expectedGames(phase string, candidates int, rounds []int, round int) int64 {
	share, rest := goesOn, 0
	switch pairs := phase == PhaseAblation || phase == PhaseTrend; {
	case phase == PhaseAblation && round == 0:
		share = goesOnAblation
	case pairs && round > 1:
		share = goesOnLate
	}
	for _, games := range rounds[round+1:] {
		rest += games
	}
	return int64(float64(candidates) * (float64(rounds[round]) + float64(share*float64(rest))))
}

// expectedTuning returns the number of games that a stage is likely to play in its next
// generations, at most the given number of generations, after it has played this many games.
func expectedTuning(c *config.Config, stage config.Stage, generations int, played int64) int64 {
	each := expectedGames(PhaseTuning, c.Optimizer.Candidates(), dealt(stage.Games, stage.Rounds), 0)
	n := int64(generations)
	if stage.MaxGames > 0 {
		room := int64(stage.MaxGames) - played - int64(stage.Games)*int64(c.Optimizer.Candidates())
		n = 0
		if room >= 0 {
			n = min(int64(generations), 1+room/each)
		}
	}
	return n * each
}

// generations returns the largest number of generations of a stage: at least 1, and with max_games
// the number that fits, unless races may leave room for more.
func generations(c *config.Config, stage config.Stage) int {
	if stage.MaxGames == 0 || stage.Rounds > 1 {
		return stage.Generations
	}
	return max(1, min(stage.Generations, stage.MaxGames/(stage.Games*c.Optimizer.Candidates())))
}

// Filled returns the config with as many generations in its last stage as a run can hold, for a run
// whose tuning is ended by time. It is another experiment than c: its hash differs.
func Filled(c *config.Config) (*config.Config, error) {
	last := len(c.Stages) - 1
	games, candidates := int64(MaxGames), int64(MaxCandidates)
	for _, b := range slices.Concat(Plan(c)[:last], planAfter(c.Grown(MaxGames))) {
		games, candidates = games-b.Games, candidates-int64(b.Generations)*int64(b.Candidates)
	}
	one := plannedGenerations(c, c.Stages[last], 1)
	most := min(games/one.Games, candidates/int64(one.Candidates), config.MaxGenerations)
	return c.Longer(int(max(1, most)))
}

// EndsByTime reports whether only time ends the tuning of a config, as of one that is [Filled].
func EndsByTime(c *config.Config) bool {
	filled, err := Filled(c)
	last := len(c.Stages) - 1
	return err == nil && 2*c.Stages[last].Generations > filled.Stages[last].Generations
}

// plannedGenerations is a number of generations of a stage.
func plannedGenerations(c *config.Config, stage config.Stage, n int) PlannedPart {
	b := planned(PhaseTuning, stage.Search, c.Optimizer.Candidates(), stage.Games, stage.Rounds)
	b.Stage, b.Generations, b.Games, b.Expected = stage.Name, n, int64(n)*b.Games, int64(n)*b.Expected
	return b
}

// heldOutPlayers is how many play in the validation at most: the champion, the start weights, and
// the references that differ from these and from one another.
func heldOutPlayers(c *config.Config) int {
	r := newRegistry(c)
	champion := eval.Vector(slices.Repeat([]float64{math.NaN()}, len(r.start))) // unlike any other
	r.add(Candidate{Dead: c.Heuristic.Dead}, r.start)
	r.add(Candidate{Dead: c.Heuristic.Dead}, champion)
	r.addReferences(champion)
	return r.next
}

// CheckPlan reports why a config cannot be run as an experiment: nothing to tune, more games or
// candidates than a run can hold, or more games in a round than fit into the memory.
func CheckPlan(c *config.Config) error {
	if len(c.Tunable()) == 0 {
		key, example := "heuristic.features", "weight: {min: 0, max: 1000, start: 270}"
		if c.Heuristic.Bot != nil {
			key, example = "player.weights", "smooth: {min: 0, max: 10, start: 0.1}"
		}
		return fmt.Errorf("%s: %s: nothing to tune: give at least one number a range, such as %s", c.Path, key, example)
	}
	if ending := path.Ext(c.Name); config.HasFileEnding(c.Name) {
		return fmt.Errorf("%s: name: %s looks like a file: want another name, such as %s", c.Path, c.Name,
			strings.TrimSuffix(c.Name, ending)+"-"+ending[1:])
	}
	for _, r := range c.References {
		for _, w := range c.Weights {
			x, given := r.Weights[w.Name]
			if c.Heuristic.Bot != nil && w.Tunable && given && !(x >= w.Min && x <= w.Max) {
				return fmt.Errorf("%s: references.%s: %s: want %v to %v, got %v: a bot is never played outside its ranges", c.Path, r.Name, w.Name, w.Min, w.Max, x)
			}
		}
	}
	optimizer, err := newOptimizer(c)
	if err != nil {
		return fmt.Errorf("%s: optimizer: %w", c.Path, err)
	}
	optimizer.Close()
	var games, candidates int64
	for _, b := range Plan(c) {
		games += b.Games
		candidates += int64(b.Generations) * int64(b.Candidates)
		if b.Stage != "" && b.Round > MaxBatch {
			return fmt.Errorf("%s: stages: %s: want at most %d games in a round, got %d: lower games or population, or deal them in more rounds",
				c.Path, b.Stage, MaxBatch, b.Round)
		}
	}
	if games > MaxGames || candidates > MaxCandidates {
		return fmt.Errorf("%s: stages: want at most %d games and %d candidates in a run, got up to %d and %d: "+
			"lower generations, population or games", c.Path, MaxGames, MaxCandidates, games, candidates)
	}
	return nil
}
