package report

import (
	"fmt"
	"slices"
	"strings"

	"tune2048/configs/config"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
)

// HeldOut answers: is it better, and can I believe it?
type HeldOut struct {
	Players []summary.Player `json:"players"` // by search, the champion or the best one first; none before the verdicts
	Gains   []Gain           `json:"gains"`   // of the champion over each other; of a comparison: all pairs
	Playoff *summary.Player  `json:"playoff"` // the champion in its playoff: flattered; null before the verdicts
	Flatter *float64         `json:"flatter"` // of the playoff's figure above the held-out one: 0.038; null: not known
	Notes   []string         `json:"notes"`   // how to read the figures: which intervals hold together ...
	Drawn   []Gain           `json:"drawn"`   // the answer over each other player, or how it looks so far
}

// Gain is how a player compares with another at a search.
type Gain struct {
	Search     string          `json:"search"`
	Player     string          `json:"player"`
	Role       summary.Role    `json:"role"` // of the player
	Over       string          `json:"over"`
	Difference stats.Estimate  `json:"difference"` // in the unit of fitness
	Ratio      *stats.Estimate `json:"ratio"`      // null: to 0
	Change     stats.Estimate  `json:"change"`     // one of both in the unit in which people read it
	Suffix     string          `json:"suffix"`     // of the change: %, percentage points ...
	Text       string          `json:"text"`       // the change in words: +56% [51, 60] over the start weights
	Confidence float64         `json:"confidence"` // of the intervals, by themselves
	P          float64         `json:"p"`          // two-sided, by itself
	Adjusted   float64         `json:"p_adjusted"` // corrected for earlier questions and for other tests
	Verdict    string          `json:"verdict"`    // better, worse, no difference, undecided, same games; empty: not given yet
}

// gain is the verdict as data.
func (g gainRow) gain() Gain {
	c, over := g.change(), " over "+g.Over.Name
	if g.Over.Role == summary.Start {
		over = " over the " + g.Over.Name
	} else if !g.champion() {
		over = " " + g.Player.Name + over
	}
	return Gain{g.Search, g.Player.Name, g.Player.Role, g.Over.Name, g.Difference, finite(g.Ratio), c.scaled(),
		c.suffix, c.String() + over, g.Confidence, g.P, g.Adjusted, g.Verdict}
}

// differences returns the differences at a search that a page draws: of a run how much the champion
// gained over each other player, of a comparison how much the best one gained.
func differences(players []summary.Player, gains []gainRow) []Gain {
	all := []Gain{}
	for _, p := range players[1:] {
		g, found := versus(gains, players[0], p)
		if found && g.known() && (len(all) == 0 || g.change().suffix == all[0].Suffix) { // else it has another axis
			all = append(all, g.gain())
		}
	}
	return all
}

// answerTables have the players and how much the first one gained over the others, a table for each
// search.
func (rec *records) answerTables(notes []string) (all []Table) {
	gains, unit := gainRows(rec.Gains, rec.unit), rec.unit
	for _, players := range bySearch(rec.judged()) {
		t := Table{Section: "held_out", Columns: []Column{
			{Name: fresh(rec.run.Kind) + ", " + players[0].Search},
			{Name: "games", Number: true, Rank: 2},
			{Name: unit.Title + " [95%]", Number: true, Rank: -1},
			{Name: UnitOf(fitness.MeanScore).Title + " [95%]", Number: true, Rank: 1},
			{Name: "2048 reached", Number: true, Rank: 3},
			{Name: "time a move", Number: true, Detail: true},
			{Name: "gain over it", Number: true},
		}}
		for i, p := range players {
			score, gain, took := "", "", ""
			if g, found := versus(gains, players[0], p); found && i > 0 {
				gain = g.text()
			}
			if p.MSPerMove != nil { // known with rows of games
				took = perMove(*p.MSPerMove)
			}
			if unit.Objective != fitness.MeanScore { // otherwise the fitness says it
				score = UnitOf(fitness.MeanScore).Of(p.Score.Value).Estimate(p.Score)
			}
			t.Rows = append(t.Rows, []string{p.Name, Grouped(int64(p.Games)), unit.Estimate(p.Fitness), score,
				reached(p, 2048), took, gain})
		}
		all = append(all, t)
	}
	if n := len(all); n > 0 {
		all[n-1].Notes = slices.Clone(notes)
	}
	return all
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

// fresh is the name of the games of the headline. A comparison holds out nothing.
func fresh(kind experiments.Kind) string {
	if kind.HasPlayers() {
		return "fresh"
	}
	return "held-out"
}

// heldOut says who is better on games that nothing was chosen by.
func (rec *records) heldOut() HeldOut {
	h := HeldOut{Players: append([]summary.Player{}, rec.judged()...), Gains: []Gain{}, Notes: []string{}}
	for _, g := range gainRows(rec.Gains, rec.unit) {
		h.Gains = append(h.Gains, g.gain())
	}
	if rec.contest == nil && !rec.Judged() {
		return h
	}
	add := func(notes ...string) {
		h.Notes = append(h.Notes, slices.DeleteFunc(notes, func(note string) bool { return note == "" })...)
	}
	if add(rec.equal()...); rec.contest != nil {
		add(rec.compared()...)
		return h
	}
	if len(h.Gains) > 1 {
		add("each interval holds by itself with 95%; the verdicts hold together")
	}
	for _, r := range rec.config.References {
		i := slices.IndexFunc(rec.Players, func(p summary.Player) bool { return rec.isReference(p.Candidate, r) })
		if i >= 0 && rec.Players[i].Name != r.Name {
			add(fmt.Sprintf("the reference %s is listed as %s", r.Name, rec.Players[i].Name))
		}
	}
	h.Playoff, h.Flatter = rec.InPlayoff()
	add(rec.others.variant, rec.others.endings)
	return h
}

// isReference reports whether a candidate has the weights of a reference, maybe under another name.
// One that the sample leaves out is not known to have them.
func (rec *records) isReference(number int, r config.Reference) bool {
	c, known := rec.candidates[number]
	player, err := experiments.StoredPlayer(rec.config.Form().Player(rec.config.Start()), c)
	return known && err == nil && c.Dead == r.Dead && r.From == "" &&
		slices.Equal(player.Values, rec.config.Values(r, nil))
}

// equal says why figures of equal scores have no interval. Of a bot it says how they get one.
func (rec *records) equal() (notes []string) {
	for _, p := range rec.judged() {
		if text := equalText(p); text != "" && !slices.Contains(notes, text) {
			notes = append(notes, text)
		}
	}
	if len(notes) > 0 && rec.bots() {
		notes = append(notes, "if a game's score has bounds, write them under player, as score: {min: 0, max: 1}: "+
			"then equal scores have limits")
	}
	return notes
}

// compared says how to read a comparison.
func (rec *records) compared() (notes []string) {
	if len(rec.Gains) == 0 {
		return nil
	}
	asked := gainRow{rec.Gains[len(rec.Gains)-1], rec.unit}
	if len(rec.Gains) > 1 {
		notes = append(notes, fmt.Sprintf("the intervals of all differences hold together with %.6g%%", 100*asked.joint()))
	}
	if slices.ContainsFunc(rec.Gains, func(g summary.Gain) bool {
		return slices.ContainsFunc(rec.Players, func(p summary.Player) bool {
			return p.Candidate == g.Candidate && p.Search == g.Search && p.Games > g.Games
		})
	}) {
		notes = append(notes, "a gain is of the games that decided its pair: these players went on against others")
	}
	if strings.HasPrefix(asked.Question, "sequential") {
		notes = append(notes,
			"a comparison that stops when it knows finds differences that are a little too large; its intervals hold")
	}
	if look := asked.Look; look > 1 {
		notes = append(notes,
			fmt.Sprintf("this is question %d about these players: it has %.3g%% of the level", look, 100*stats.AskShare(look)))
	}
	return append(notes, rec.others.later...)
}
