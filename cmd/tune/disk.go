package main

import (
	"fmt"
	"slices"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/results"
)

// largeDatabase is the size in bytes that a night's run should stay under.
const largeDatabase = 1_000_000_000

// foretold returns about how large the database of a run gets that carries this plan out, in bytes.
func foretold(c *configs.Config, plan []experiments.PlannedPart) int64 {
	return results.Forecast(experiments.Expect(c, plan))
}

// tooLarge warns of a plan whose database would be large, and says what to try; "" if it would not be.
func tooLarge(c *configs.Config, plan []experiments.PlannedPart) string {
	size := foretold(c, plan)
	if size <= largeDatabase {
		return ""
	}
	text := fmt.Sprintf("the database will grow to about %s, which is more than 1 GB", bytesText(size))
	separator := ": with "
	less := []string{configs.StoreAll, configs.StoreValidation, configs.StoreNone}
	for _, games := range less[slices.Index(less, c.Store.Games)+1:] {
		other := *c
		other.Store.Games = games
		size = foretold(&other, plan)
		text += fmt.Sprintf("%sstore: {games: %s} to about %s", separator, games, bytesText(size))
		separator = ", with "
	}
	if size > largeDatabase {
		text += "; the candidates and their summaries alone take that much: lower generations or population"
	}
	return text
}
