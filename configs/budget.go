package configs

import "tune2048/tuner"

// budget is how many games a config gives to its tuning: the sum of its stages' max_games, or 0
// unless each has one. Numbers that the config then leaves out fit it, by the functions below.
// README.md has them as a table, and tuner/README.md what they reach.
//
// What fits a budget is always written, even where it is the default without one. So the hash has
// the numbers that are played, and a version with other functions makes another run.
type budget int

// budget returns the config's budget.
func (c *Config) budget() (games budget) {
	for _, stage := range c.Stages {
		if stage.MaxGames == 0 {
			return 0
		}
		games += budget(stage.MaxGames)
	}
	return games
}

// tuned is how many games the tuning takes at most, for a bot.
func (c *Config) tuned() (games budget) {
	for _, stage := range c.Stages {
		games += budget(stage.Generations * stage.Games * c.Optimizer.Candidates())
	}
	return games
}

// or is the default of a number: the one that fits the budget, or a fixed one if there is none.
func (b budget) or(fixed, fitting int) int {
	if b == 0 {
		return fixed
	}
	return fitting
}

// population is the population that fits the budget.
func (b budget) population(algorithm string, weights int) int {
	population, _ := tuner.AlgorithmOf(algorithm).Budget(int(b), weights)
	return population
}

// games is how many games a candidate plays in a generation of a stage that has this budget.
func (b budget) games(algorithm string) int {
	_, games := tuner.AlgorithmOf(algorithm).Budget(int(b), 0)
	return games
}

// generations of a stage that has this budget: all that fit if races stop all candidates after one
// round.
func (b budget) generations(stage *Stage, c *Config) int {
	least := (stage.Games + stage.Rounds - 1) / stage.Rounds // games of a candidate
	return max(1, int(b)/(least*c.Optimizer.Candidates()))
}

// validationGames is how many held-out games each player of a bot plays: a fifth of the tuning.
func (b budget) validationGames() int { return int(min(max(b/5, 40), 2000)) }

// The playoff takes a tenth of the games of the tuning, and no more than the default one.

func (b budget) finalists() int { return int(min(2+b/2500, standardFinalists)) }

func (b budget) playoffGames(finalists int) int {
	return min(max(1, int(b)/10/finalists), standardPlayoffGames)
}
