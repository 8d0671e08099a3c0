package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tune2048/configs/config"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
)

// heldOutSection answers: is it better, and can I believe it?
type heldOutSection struct {
	Players []summary.Player `json:"players"` // see summary.Summary
	Gains   []gainRow        `json:"gains"`   // of the champion over each other; of a comparison: all pairs
	Playoff *summary.Player  `json:"playoff"` // the champion in its playoff: flattered; null before its end
	Flatter *float64         `json:"flatter"` // of the playoff's figure above the held-out one: 0.038; or null
	Notes   []string         `json:"notes"`   // how to read the figures: which intervals hold together ...
	Drawn   []difference     `json:"drawn"`   // the answer, or how it looks so far
}

// difference is a gain as the page draws it.
type difference struct {
	Name   string         `json:"name"`   // over the start weights
	Role   summary.Role   `json:"role"`   // of the player that gained
	Change stats.Estimate `json:"change"` // in the unit in which people read it
	Suffix string         `json:"suffix"` // of that unit
	Text   string         `json:"text"`   // +56% [51, 60]
}

// newDifference is a change to be drawn.
func newDifference(name string, role summary.Role, c change) difference {
	return difference{name, role, c.scaled(), c.suffix, c.String()}
}

// drawn returns the differences of the answer: of a run what the champion gained over each other
// player, of a comparison what the best one gained.
func (b *builder) drawn() []difference {
	all, players := []difference{}, b.report.HeldOut.Players
	first := slices.IndexFunc(players, func(p summary.Player) bool { return p.Search == b.report.lastSearch() })
	if first < 0 {
		return all
	}
	for _, p := range players[first+1:] {
		g, found := versus(b.report.HeldOut.Gains, players[first], p)
		if !found || g.same() || len(all) > 0 && g.change().suffix != all[0].Suffix { // which has another axis
			continue
		}
		name := g.title()
		if g.champion() {
			name = "over " + g.Over.Name
		}
		all = append(all, newDifference(name, g.Player.Role, g.change()))
	}
	return all
}

// cells are the figures of a player in a table of players, of a run as of a comparison.
func cells(p summary.Player, u Unit) []cell {
	cells := []cell{
		numeric("games", Grouped(int64(p.Games))), numeric(u.Title, u.Figure(p.Fitness.Value)),
		numeric("95% interval", u.Interval(p.Fitness.Interval)),
	}
	if points := UnitOf(fitness.MeanScore).Of(p.Score.Value); u.Objective != fitness.MeanScore {
		interval := numeric("95% interval", points.Interval(p.Score.Interval))
		interval.Rank = 1
		cells = append(cells, numeric(points.Title, points.Figure(p.Score.Value)), interval)
	}
	return append(cells, numeric("2048 reached", reached(p, 2048)))
}

// answerTables have the players of a comparison, a table for each search. Of a run it is one table.
func (r Report) answerTables() (all []Table) {
	if !r.Kind.HasPlayers() {
		return []Table{r.answerTable()}
	}
	for _, players := range bySearch(r.HeldOut.Players) {
		all = append(all, r.rankingTable(players))
	}
	if n := len(all); n > 0 {
		all[n-1].Notes = slices.Clone(r.HeldOut.Notes)
	}
	return all
}

// bySearch splits players at each change of the search.
func bySearch(players []summary.Player) (all [][]summary.Player) {
	for i, p := range players {
		if i == 0 || p.Search != players[i-1].Search {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], p)
	}
	return all
}

// rankingTable has the players of a comparison at a search by their rank, each beside the best one.
func (r Report) rankingTable(players []summary.Player) Table {
	t := Table{Section: "held_out"}
	for _, p := range players {
		gain, verdict := "", ""
		if g, found := versus(r.HeldOut.Gains, players[0], p); found {
			gain, verdict = g.besideBest()
		}
		figures := cells(p, r.Unit)
		for i, rank := range []int{3, 0, 2, 4, 5, 6}[:len(figures)] { // games, the figure that ranks, its interval
			figures[i].Rank = rank
		}
		t.add(slices.Concat([]cell{worded("fresh, "+p.Search, p.Name)}, figures,
			[]cell{numeric("best over it", gain), worded("verdict", verdict)}))
	}
	return t
}

// answerTable has a run's champion and start weights at the headline's search, then the differences
// between them, at other searches too.
func (r Report) answerTable() Table {
	search, t := r.lastSearch(), Table{Section: "held_out"}
	for _, p := range r.HeldOut.Players {
		if p.Search == search {
			t.add(slices.Concat([]cell{worded(r.Fresh()+", "+search, p.Name)}, cells(p, r.Unit)))
		}
	}
	t.Notes = append(t.Notes, r.HeldOut.Notes...)
	if len(t.Rows) == 0 {
		return t // somebody deleted rows
	}
	for _, here := range []bool{true, false} {
		for _, g := range r.HeldOut.Gains {
			if row := make([]string, len(t.Columns)); (g.Search == search) == here {
				row[0], row[2], row[3] = g.row(search), r.Unit.number("%+.*f", g.Difference.Value),
					r.Unit.Interval(g.Difference.Interval)
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

// searchesTable has all players at all searches, if there are several searches, and the differences
// in sentences.
func (r Report) searchesTable() Table {
	t := Table{Section: "held_out", Title: "All " + r.Fresh() + " games", Detail: true}
	for _, p := range r.HeldOut.Players {
		time := "" // not known without rows of games
		if p.MSPerMove != nil {
			time = PerMove(*p.MSPerMove)
		}
		names := []cell{worded("search", p.Search), worded("player", p.Name)}
		t.add(slices.Concat(names, cells(p, r.Unit), []cell{numeric("time a move", time)}))
	}
	if len(r.HeldOut.Players) > 0 && r.HeldOut.Players[0].Search == r.lastSearch() {
		t.Rows = nil
	}
	for _, g := range r.HeldOut.Gains {
		t.Notes = append(t.Notes, g.text())
	}
	return t
}

// reached is how often a player reaches a tile, or empty if that is not known.
func reached(p summary.Player, tile int) string {
	for _, t := range p.Tiles {
		if t.Tile == tile {
			return percent(t.Share)
		}
	}
	return ""
}

// Fresh is the name of the games of the headline. A comparison holds out nothing.
func (r Report) Fresh() string {
	if r.Kind.HasPlayers() {
		return "fresh"
	}
	return "held-out"
}

// heldOut says who is better on games that nothing was chosen by.
func (b *builder) heldOut(ctx context.Context) (err error) {
	h := &b.report.HeldOut
	h.Players, h.Gains, h.Notes, h.Drawn = append([]summary.Player{}, b.Players...), []gainRow{}, []string{}, []difference{}
	for _, g := range b.Gains {
		h.Gains = append(h.Gains, gainRow{g, b.unit})
	}
	if b.contest != nil {
		b.compared(h)
		return nil
	}
	if b.run.Champion < 0 {
		return nil
	}
	if len(h.Gains) > 1 {
		h.Notes = append(h.Notes, "each interval holds by itself with 95%; the verdicts hold together")
	}
	for _, r := range b.config.References {
		i := slices.IndexFunc(b.Players, func(p summary.Player) bool { return b.isReference(p.Candidate, r) })
		if i >= 0 && b.Players[i].Name != r.Name {
			h.Notes = append(h.Notes, fmt.Sprintf("the reference %s is listed as %s", r.Name, b.Players[i].Name))
		}
	}
	h.Playoff, h.Flatter = b.InPlayoff()
	if b.variant, err = variants(ctx, b.Reader, b.run, b.report.lastSearch()); b.variant != "" {
		h.Notes = append(h.Notes, b.variant)
	}
	return err
}

// isReference reports whether a candidate has the weights of a reference, maybe under another name.
// One that the sample leaves out is not known to have them.
func (b *builder) isReference(number int, r config.Reference) bool {
	c, known := b.candidates[number]
	player, err := experiments.StoredPlayer(b.config.Form(), c)
	return known && err == nil && c.Dead == r.Dead && r.From == "" &&
		slices.Equal(player.Values, b.config.Values(r, nil))
}

// compared ranks the players of a comparison, and adds how to read it.
func (b *builder) compared(h *heldOutSection) {
	h.Players = []summary.Player{}
	for _, players := range bySearch(b.Players) {
		h.Players = append(h.Players, ranked(players, h.Gains)...)
	}
	if len(b.Gains) == 0 {
		return
	}
	asked := b.Gains[len(b.Gains)-1]
	hold := "the interval of the difference holds with"
	if len(h.Gains) > 1 {
		hold = "the intervals of all differences hold together with"
	}
	looked := ""
	if asked.Smallest > 0 {
		looked = fmt.Sprintf("; a difference of %s was looked for", gainRow{asked, b.unit}.looked())
	}
	h.Notes = append(h.Notes, fmt.Sprintf("%s %.6g%%%s", hold, 100*(1-asked.Level), looked))
	if strings.HasPrefix(asked.Question, "sequential") {
		h.Notes = append(h.Notes,
			"a comparison that stops when it knows finds differences that are a little too large; its intervals hold")
	}
	if look := asked.Look; look > 1 {
		h.Notes = append(h.Notes,
			fmt.Sprintf("this is question %d about these players: it has %.3g%% of the level", look, 100*stats.AskShare(look)))
	}
}
