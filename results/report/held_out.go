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

// heldOutSection answers: is it better, and can I believe it?
type heldOutSection struct {
	Players []summary.Player `json:"players"` // see summary.Summary; of an experiment none before its verdicts
	Gains   []gainRow        `json:"gains"`   // of the champion over each other; of a comparison: all pairs
	Playoff *summary.Player  `json:"playoff"` // the champion in its playoff: flattered; null before the verdicts
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
	e, scale := c.Estimate, c.unit.Scale
	for _, x := range []*float64{&e.Value, &e.Interval.Low, &e.Interval.High} {
		*x *= scale
	}
	return difference{name, role, e, c.suffix, c.String()}
}

// drawn returns the differences at a search: of a run what the champion gained over each other
// player, of a comparison what the best one gained.
func drawn(players []summary.Player, gains []gainRow) []difference {
	all := []difference{}
	for _, p := range players[1:] {
		g, found := versus(gains, players[0], p)
		if !found || !g.known() || len(all) > 0 && g.change().suffix != all[0].Suffix { // which has another axis
			continue
		}
		name := "over " + p.Name
		if !g.champion() {
			name = g.Player.Name + " " + name
		}
		all = append(all, newDifference(name, g.Player.Role, g.change()))
	}
	return all
}

// answerTables have the players and how much the first one gained over the others, a table for each
// search.
func (r Report) answerTables() (all []Table) {
	for _, players := range bySearch(r.HeldOut.Players) {
		t := Table{Section: "held_out"}
		for i, p := range players {
			gain, took := "", ""
			if g, found := versus(r.HeldOut.Gains, players[0], p); found && i > 0 {
				gain = g.text()
			}
			if p.MSPerMove != nil { // known with rows of games
				took = perMove(*p.MSPerMove)
			}
			cells := []cell{worded(r.Fresh()+", "+p.Search, p.Name), numeric("games", Grouped(int64(p.Games))),
				numeric(r.Unit.Title+" [95%]", r.Unit.Estimate(p.Fitness)), numeric("2048 reached", reached(p, 2048)),
				numeric("time a move", took), numeric("gain over it", gain)}
			cells[1].Rank, cells[2].Rank, cells[3].Rank, cells[4].Detail = 2, -1, 3, true
			if points := UnitOf(fitness.MeanScore).Of(p.Score.Value); r.Unit.Objective != fitness.MeanScore {
				score := numeric(points.Title+" [95%]", points.Estimate(p.Score))
				score.Rank = 1
				cells = slices.Insert(cells, 3, score)
			}
			t.add(cells)
		}
		all = append(all, t)
	}
	if n := len(all); n > 0 {
		all[n-1].Notes = slices.Clone(r.HeldOut.Notes)
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

// Fresh is the name of the games of the headline.
func (r Report) Fresh() string { return fresh(r.Kind) }

// fresh is the name of the games of the headline. A comparison holds out nothing.
func fresh(kind experiments.Kind) string {
	if kind.HasPlayers() {
		return "fresh"
	}
	return "held-out"
}

// heldOut says who is better on games that nothing was chosen by.
func (rec *records) heldOut() heldOutSection {
	h := heldOutSection{Players: append([]summary.Player{}, rec.judged()...), Gains: gainRows(rec.Gains, rec.unit), Notes: []string{}, Drawn: []difference{}}
	if rec.contest == nil && !rec.Judged() {
		return h
	}
	h.equal(rec.bots())
	add := func(notes ...string) {
		h.Notes = append(h.Notes, slices.DeleteFunc(notes, func(note string) bool { return note == "" })...)
	}
	if rec.contest != nil {
		h.compared()
		add(rec.others.later...)
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
func (h *heldOutSection) equal(bot bool) {
	for _, p := range h.Players {
		if text := equalText(p); text != "" && !slices.Contains(h.Notes, text) {
			h.Notes = append(h.Notes, text)
		}
	}
	if bot && len(h.Notes) > 0 {
		h.Notes = append(h.Notes, "if a game's score has bounds, write them under player, as score: {min: 0, max: 1}: then equal scores have limits")
	}
}

// compared says how to read a comparison.
func (h *heldOutSection) compared() {
	if len(h.Gains) == 0 {
		return
	}
	asked := h.Gains[len(h.Gains)-1]
	if len(h.Gains) > 1 {
		h.Notes = append(h.Notes, fmt.Sprintf("the intervals of all differences hold together with %.6g%%", 100*asked.joint()))
	}
	if slices.ContainsFunc(h.Gains, func(g gainRow) bool {
		return slices.ContainsFunc(h.Players, func(p summary.Player) bool {
			return p.Candidate == g.Candidate && p.Search == g.Search && p.Games > g.Games
		})
	}) {
		h.Notes = append(h.Notes, "a gain is of the games that decided its pair: these players went on against others")
	}
	if strings.HasPrefix(asked.Question, "sequential") {
		h.Notes = append(h.Notes,
			"a comparison that stops when it knows finds differences that are a little too large; its intervals hold")
	}
	if look := asked.Look; look > 1 {
		h.Notes = append(h.Notes,
			fmt.Sprintf("this is question %d about these players: it has %.3g%% of the level", look, 100*stats.AskShare(look)))
	}
}
