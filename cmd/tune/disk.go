package main

import (
	"fmt"
	"math"
	"slices"
	"time"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/results"
)

// largeDatabase is the size in bytes that a night's run should stay under.
const largeDatabase = 1_000_000_000

// foretold returns about how large the database of a run gets that carries this plan out, in bytes.
func foretold(c *configs.Config, plan []experiments.PlannedBlock) int64 {
	return results.Forecast(experiments.Expect(c, plan))
}

// tooLarge warns of a plan whose database would be large, and says what to try; "" if it would not be.
func tooLarge(c *configs.Config, plan []experiments.PlannedBlock) string {
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

// within returns the plan as -for leaves it: about as many generations as fit beside the phases that follow, at least one. The
// limit 0 changes nothing.
func (c *costs) within(limit time.Duration) []experiments.PlannedBlock {
	if limit == 0 {
		return c.plan
	}
	left, volume := limit.Seconds(), experiments.Expect(c.config, c.plan)
	takes := make([]float64, len(c.plan)) // seconds
	for i, b := range c.plan {
		takes[i] = float64(volume.Parts[i].Games) * c.game(b.Search).Seconds() / float64(c.workers)
		if b.Phase != experiments.PhaseTuning {
			left -= takes[i]
		}
	}
	var plan []experiments.PlannedBlock
	for i, b := range c.plan {
		if b.Phase == experiments.PhaseTuning && b.Generations > 0 {
			left = max(0, left)
			if takes[i] > left {
				b.Generations = int(math.Ceil(left / takes[i] * float64(volume.Parts[i].Generations)))
				if i == 0 {
					b.Generations = max(1, b.Generations)
				}
				b.Games = min(b.Games, int64(b.Generations)*int64(b.Candidates)*int64(c.config.Stages[i].Games))
			}
			left -= takes[i]
		}
		plan = append(plan, b)
	}
	return plan
}

func bytesText(n int64) string {
	switch {
	case n < 1_000_000:
		return fmt.Sprintf("%d kB", n/1000)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
