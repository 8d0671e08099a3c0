package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tune2048/experiments"
)

// column is a report in its page, with the words that its captions want.
type column struct {
	Report
	Index   int // in the page, from 0
	Live    bool
	Several bool
}

// At is a section of a column, for its address.
func (c column) At(section string) map[string]any {
	return map[string]any{"Live": c.Live, "Name": c.Name, "Section": section}
}

// placed is a table in its page.
type placed struct {
	Table
	Index int // of the column
}

// Of returns the tables of a section.
func (c column) Of(section string) (tables []placed) {
	for _, t := range c.Tables() {
		if t.Section == section {
			tables = append(tables, placed{t, c.Index})
		}
	}
	return tables
}

func (c column) Running() bool { return c.Status.State == "running" }

// key is a player and the class of its colour.
type key struct{ Name, Class string }

// Keys are the held-out players with the colours that the charts give them: charts.js, coloursOf.
func (c column) Keys() (keys []key) {
	others := []string{"other", "other2", "other3", "other4"}
	n := 0
	for _, p := range c.HeldOut.Players {
		k := key{p.Name, p.Role}
		if slices.ContainsFunc(keys, func(k key) bool { return k.Name == p.Name }) {
			continue
		}
		if p.Role != "champion" && p.Role != "start" {
			k.Class = others[n%len(others)]
			n++
		}
		keys = append(keys, k)
	}
	return keys
}

func (c column) Key(name string) key {
	for _, k := range c.Keys() {
		if k.Name == name {
			return k
		}
	}
	return key{name, "other"}
}

// Fresh is what the games of the headline are called: nothing is held out of a comparison.
func (c column) Fresh() string {
	if c.Kind == experiments.KindCompare {
		return "fresh"
	}
	return "held-out"
}

func (c column) HeldOutGames() string {
	return each(c.HeldOut.Players, func(p Player) int { return p.Games })
}

func (c column) CentreGames() string {
	return each(c.Convergence.Centres, func(s Centre) int { return s.Played })
}

func (c column) FeatureGames() string {
	return each(c.Matters.Features, func(f Feature) int { return f.Games })
}

// SpreadDrawn is whether the candidates' spread, which is one of scores, can be drawn beside fitness.
func (c column) SpreadDrawn() bool {
	return !slices.ContainsFunc(c.Convergence.Generations, func(g Generation) bool { return g.Score != g.Fitness.Value })
}

// Rose is whether a stage stopped rising before its end.
func (c column) Rose() bool {
	return slices.ContainsFunc(c.Convergence.Stages, func(s Stage) bool { return s.Rose != nil })
}

// Step is how wide the bars of the histograms are, points.
func (c column) Step() string { return weight(c.Games.Distribution[0].Width) }

// ChartedGames are the games without the replays, that stand in the page by themselves.
func (c column) ChartedGames() Games {
	games := c.Games
	games.Replays = nil
	return games
}

func (c column) CandidatesDrawn() string {
	drawn, all := len(c.Weights.Candidates.Number), c.Weights.Candidates.Of
	if drawn < all {
		return fmt.Sprintf("%s of %s candidates, evenly chosen, each", Grouped(int64(drawn)), Grouped(int64(all)))
	}
	return fmt.Sprintf("Each of %s candidates", Grouped(int64(drawn)))
}

func (c column) CandidateGames() string { return between(c.Weights.Candidates.Games) }

// each is how many games each of some players played: 6,000 games each, or 500 to 6,000 games each.
func each[T any](players []T, games func(T) int) string {
	all := make([]int, len(players))
	for i, p := range players {
		all[i] = games(p)
	}
	return between(all) + " each"
}

func between(all []int) string {
	if len(all) == 0 {
		return "no games"
	}
	if least, most := int64(slices.Min(all)), int64(slices.Max(all)); least < most {
		return Grouped(least) + " to " + count(most, "game")
	}
	return count(int64(all[0]), "game")
}

// paced reports whether the page is of a comparison at several searches, with times of moves.
func paced(reports []Report) bool {
	searches := map[string]bool{}
	for _, r := range reports {
		if r.Kind != experiments.KindCompare {
			return false
		}
		for _, p := range r.HeldOut.Players {
			if p.MSPerMove != nil {
				searches[p.Search] = true
			}
		}
	}
	return len(searches) > 1
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + "%" }

func weight(value float64) string {
	text := strconv.FormatFloat(value, 'g', 6, 64)
	if strings.ContainsRune(text, 'e') {
		return text
	}
	return separated(text)
}

// moment writes a time of the store for people: 2025-11-22 08:08 UTC.
func moment(stamp string) string {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return stamp
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}
