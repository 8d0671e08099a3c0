package report

import (
	"fmt"
	"slices"
	"strings"

	"tune2048/experiments/summary"
)

// MostSearches is how many independent searches are compared, at most.
const MostSearches = 10

// Apart says how far apart searches ended by the fresh games of their champions, and names the run
// with the best one. The interval of a champion covers the luck of games, and this the luck of the
// search. fresh is nil if all champions are the same player.
func Apart(runs []Report, fresh *Report) (best, text string) {
	best = runs[0].Name
	if fresh == nil {
		return best, "All searches ended at the same weights."
	}
	var means []float64
	var texts []string
	for _, p := range fresh.HeldOut.Players {
		if p.Search == lastSearch(fresh.HeldOut.Players) {
			means, texts = append(means, p.Fitness.Value), append(texts, fresh.Unit.Figure(p.Fitness.Value))
			if p.Fitness.Value == slices.Max(means) {
				best = p.Name
			}
		}
	}
	if len(means) < 2 {
		return best, ""
	}
	text = "The searches ended at " + strings.Join(texts, ", ") + " on these games"
	if low, high := slices.Min(means), slices.Max(means); low > 0 {
		text += fmt.Sprintf(", %.0f%% apart", 100*(high/low-1))
	}
	return best, text + "."
}

// lastSearch is the search of the answer, the last one. It is empty without players.
func lastSearch(players []summary.Player) string {
	if n := len(players); n > 0 {
		return players[n-1].Search
	}
	return ""
}
