package experiments

import (
	"fmt"

	"tune2048/configs"
	"tune2048/engine"
)

// PlannedPart is a part of the plan: the games it takes at most.
type PlannedPart struct {
	Phase, Stage string
	Search       string
	Generations  int
	AtOnce       int   // generations that are played at once: one of each population
	Candidates   int   // in a generation
	Games        int64 // in all, at most
	Rounds       int   // of a generation: each waits for the last game of the one before
	Round        int64 // games of the largest round of the generations played at once: they are in memory
	Settings     engine.Settings
}

// Plan lists what a config will play, in order. Stages may end earlier, races stop who is out, and identical candidates of a
// generation play once.
func Plan(c *configs.Config) []PlannedPart {
	var plan []PlannedPart
	for _, stage := range c.Stages {
		b := plannedGenerations(c, stage, generations(c, stage)*c.Restarts)
		if stage.MaxGames > 0 {
			b.Games = min(b.Games, max(int64(stage.MaxGames), int64(stage.Games)*int64(c.Optimizer.Population)))
		}
		plan = append(plan, b)
	}
	plan = append(plan, planned(PhasePlayoff, c.Playoff.Search, c.Playoff.Finalists, c.Playoff.Games, c.Playoff.Rounds))
	for i, search := range c.Validation.Searches() {
		plan = append(plan, planned(PhaseValidation, search, heldOutPlayers(c), c.Validation.GamesAt(i), 1))
	}
	if p := c.Ablation; p.Games > 0 {
		plan = append(plan, planned(PhaseAblation, p.Search, 1+len(c.Family.Features), p.Games, settleLooks))
		plan = append(plan, planned(PhaseTrend, p.Search, 2, p.Games, settleLooks))
	}
	return plan
}

// planned is a part of the plan in which each candidate plays so many games.
func planned(phase string, search engine.Settings, candidates, games, rounds int) PlannedPart {
	return PlannedPart{
		Phase: phase, Search: search.String(), Settings: search, Generations: 1, AtOnce: 1, Candidates: candidates,
		Games: int64(candidates) * int64(games), Rounds: rounds, Round: int64(candidates) * int64(dealt(games, rounds)[0]),
	}
}

// plannedGenerations is a number of generations of a stage, of all populations together.
func plannedGenerations(c *configs.Config, stage configs.Stage, n int) PlannedPart {
	b := planned(PhaseTuning, stage.Search, c.Optimizer.Population, stage.Games, stage.Rounds)
	b.Stage, b.Generations, b.AtOnce, b.Games, b.Round = stage.Name, n, c.Restarts, int64(n)*b.Games, int64(c.Restarts)*b.Round
	return b
}

// heldOutPlayers is how many play in the validation at most: the champion, the start weights, and the references that
// differ from these and from one another.
func heldOutPlayers(c *configs.Config) int {
	r := newRegistry(c)
	r.add(Candidate{Dead: c.Family.Dead}, r.start)
	onChampion := 0
	for _, reference := range c.References {
		if reference.FromChampion {
			onChampion++
		}
	}
	r.addReferences(nil)
	return 1 + len(r.list) + onChampion
}

// CheckPlan reports why a config cannot be run as an experiment: nothing to tune, more games or candidates than a run can
// hold, or more games in a round than fit into the memory.
func CheckPlan(c *configs.Config) error {
	if len(c.Family.Tunable()) == 0 {
		return fmt.Errorf("%s: heuristic.features: nothing to tune: give at least one number a range, such as weight: {min: 0, max: 1000, start: 270}", c.Path)
	}
	space, err := Space(&c.Family)
	if err == nil {
		err = c.Optimizer.Fits(space)
	}
	if err != nil {
		return fmt.Errorf("%s: optimizer: %w", c.Path, err)
	}
	var games, candidates int64
	for _, b := range Plan(c) {
		games += b.Games
		candidates += int64(b.Generations) * int64(b.Candidates)
		if b.Round > MaxBlock {
			key := b.Phase
			if b.Stage != "" {
				key = "stages: " + b.Stage
			}
			return fmt.Errorf("%s: %s: want at most %d games in a round, got %d: lower games or restarts, or deal them in more rounds if it has any",
				c.Path, key, MaxBlock, b.Round)
		}
	}
	if games > MaxGames || candidates > MaxCandidates {
		return fmt.Errorf("%s: stages: want at most %d games and %d candidates in a run, got up to %d and %d: "+
			"lower generations, population or games", c.Path, MaxGames, MaxCandidates, games, candidates)
	}
	return nil
}
