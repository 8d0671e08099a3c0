package experiments

import (
	"fmt"

	"tune2048/configs"
	"tune2048/engine"
)

// PlannedBlock is a part of the plan: the games it takes at most.
type PlannedBlock struct {
	Phase, Stage string
	Search       string
	Generations  int
	Candidates   int   // in a generation
	Games        int64 // in all, at most
	Rounds       int   // of a generation: each waits for the last game of the one before
	Settings     engine.Settings
}

// Plan lists what a config will play, in order. Stages may end earlier, races stop who is out, and identical candidates of a
// generation play once.
func Plan(c *configs.Config) []PlannedBlock {
	var plan []PlannedBlock
	for _, stage := range c.Stages {
		n := generations(c, stage) * c.Restarts
		b := plannedGenerations(c, stage, n)
		if stage.MaxGames > 0 {
			b.Games = min(b.Games, max(int64(stage.MaxGames), int64(stage.Games)*int64(c.Optimizer.Population)))
		}
		plan = append(plan, b)
	}
	plan = append(plan, PlannedBlock{
		Phase: PhasePlayoff, Search: c.Playoff.Search.String(), Settings: c.Playoff.Search, Generations: 1,
		Candidates: c.Playoff.Finalists, Games: int64(c.Playoff.Finalists) * int64(c.Playoff.Games), Rounds: c.Playoff.Rounds,
	})
	players := heldOutPlayers(c)
	for _, search := range c.Validation.Search {
		plan = append(plan, PlannedBlock{
			Phase: PhaseValidation, Search: search.String(), Settings: search, Generations: 1,
			Candidates: players, Games: int64(players) * int64(c.Validation.Games), Rounds: 1,
		})
	}
	if p := c.Sensitivity; p.Games > 0 {
		players := 1 + 2*len(c.Family.Tunable())
		plan = append(plan, PlannedBlock{
			Phase: PhaseSensitivity, Search: p.Search.String(), Settings: p.Search, Generations: 1,
			Candidates: players, Games: int64(players) * int64(p.Games), Rounds: 1,
		})
	}
	return plan
}

// heldOutPlayers is how many play in the validation at most: the champion may be one of its opponents.
func heldOutPlayers(c *configs.Config) int { return 1 + len(Opponents(c)) }

// plannedGenerations is a number of generations of a stage.
func plannedGenerations(c *configs.Config, stage configs.Stage, n int) PlannedBlock {
	return PlannedBlock{
		Phase: PhaseTuning, Stage: stage.Name, Search: stage.Search.String(), Settings: stage.Search, Generations: n,
		Candidates: c.Optimizer.Population, Games: int64(n) * int64(stage.Games) * int64(c.Optimizer.Population), Rounds: stage.Rounds,
	}
}

// CheckPlan reports why a config cannot be run as an experiment: nothing to tune, or more games or candidates than a
// run can hold.
func CheckPlan(c *configs.Config) error {
	if len(c.Family.Tunable()) == 0 {
		return fmt.Errorf("%s: heuristic.features: nothing to tune: give at least one number a range, such as weight: {min: 0, max: 1000, start: 270}", c.Path)
	}
	var games, candidates int64
	for _, b := range Plan(c) {
		games += b.Games
		candidates += int64(b.Generations) * int64(b.Candidates)
	}
	space, err := Space(&c.Family)
	if err == nil {
		err = c.Optimizer.Fits(space)
	}
	if err != nil {
		return fmt.Errorf("%s: optimizer: %w", c.Path, err)
	}
	if games > MaxGames || candidates > MaxCandidates {
		return fmt.Errorf("%s: stages: want at most %d games and %d candidates in a run, got up to %d and %d: "+
			"lower generations, population or games", c.Path, MaxGames, MaxCandidates, games, candidates)
	}
	if weights := candidates * int64(len(c.Family.Weights())); weights > MaxWeights {
		return fmt.Errorf("%s: stages: want at most %d numbers in all candidates of a run, got up to %d: %d candidates of %d: "+
			"lower generations or population", c.Path, MaxWeights, weights, candidates, len(c.Family.Weights()))
	}
	return checkBlocks(c)
}

// checkBlocks reports the first phase that plays more games at once than a block can have.
func checkBlocks(c *configs.Config) error {
	check := func(key string, players, games, rounds int) error {
		if n := int64(players) * int64(dealt(games, rounds)[0]); n > MaxBlock {
			return fmt.Errorf("%s: %s: want at most %d games in a round, got %d: %d players with %d games in %d rounds: "+
				"lower games, or deal them in more rounds if it has any", c.Path, key, MaxBlock, n, players, games, rounds)
		}
		return nil
	}
	var errs []error
	for _, s := range c.Stages {
		errs = append(errs, check("stages: "+s.Name, c.Optimizer.Population, s.Games, s.Rounds))
	}
	errs = append(errs,
		check("playoff", c.Playoff.Finalists, c.Playoff.Games, c.Playoff.Rounds),
		check("validation", heldOutPlayers(c), c.Validation.Games, 1))
	if p := c.Sensitivity; p.Games > 0 {
		errs = append(errs, check("sensitivity", 1+2*len(c.Family.Tunable()), p.Games, 1))
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
