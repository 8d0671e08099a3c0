package configs

// budget is how many games a config gives to its tuning: the sum of its stages' max_games, or 0
// unless each has one. Numbers that the config then leaves out fit it, see complete.
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
