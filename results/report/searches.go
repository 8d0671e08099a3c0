package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tune2048/experiments/summary"
)

// MostSearches is how many independent searches are compared, at most.
const MostSearches = 10

// Searches lists runs whose configs differ in their seeds alone. The interval of a champion covers
// the luck of games. The luck of the search is how far apart the champions are: see Apart.
func Searches(runs []Report) (t Table) {
	for _, r := range runs {
		mean, interval, search := "", "", r.lastSearch()
		for _, p := range r.HeldOut.Players {
			if p.Role == summary.Champion && p.Search == search {
				mean, interval = r.Unit.Figure(p.Fitness.Value), r.Unit.Interval(p.Fitness.Interval)
			}
		}
		t.add([]cell{worded("run", r.Name), numeric("seed", strconv.FormatUint(r.Run.Seed, 10)),
			numeric("generations", Grouped(int64(r.Run.Generations))), numeric("games", Grouped(r.Status.Games)),
			numeric("held out: "+r.Unit.Title, mean), numeric("95% interval", interval)})
	}
	return t
}

// Apart says how far apart searches ended by the fresh games of their champions, and names the run
// with the best one. fresh is nil if all champions are the same player.
func Apart(runs []Report, fresh *Report) (best, text string) {
	best = runs[0].Name
	if fresh == nil {
		return best, "All searches ended at the same weights."
	}
	played := map[string]float64{}
	for _, p := range fresh.HeldOut.Players {
		if p.Search == fresh.lastSearch() {
			played[p.Name] = p.Fitness.Value
		}
	}
	var figures []float64
	var texts []string
	for _, r := range runs {
		// it played for both
		same := runs[slices.IndexFunc(runs, func(other Report) bool { return other.player == r.player })]
		if x, ok := played[same.Name]; ok {
			figures, texts = append(figures, x), append(texts, r.Unit.Figure(x))
			if x > played[best] {
				best = r.Name
			}
		}
	}
	if len(figures) < 2 {
		return best, ""
	}
	end := len(texts) - 1
	text = fmt.Sprintf("The searches ended at %s and %s on these games", strings.Join(texts[:end], ", "), texts[end])
	if low, high := slices.Min(figures), slices.Max(figures); low > 0 {
		text += fmt.Sprintf(", %s apart", Percent(high/low-1))
	}
	return best, text + "."
}

// lastSearch is the search of the report's answer, the last one. It is empty without games.
func (r Report) lastSearch() string {
	if n := len(r.HeldOut.Players); n > 0 {
		return r.HeldOut.Players[n-1].Search
	}
	return ""
}
