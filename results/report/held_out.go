package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/results"
	"tune2048/tuner/fitness"
)

// heldOutSection answers: is it better, and can I believe it?
type heldOutSection struct {
	Players []figures `json:"players"` // by search, then champion, start, references; or players compared
	Gains   []gainRow `json:"gains"`   // of the champion over each other; of a comparison: all pairs
	Playoff *figures  `json:"playoff"` // the champion in its playoff: flattered; null before its end
	Flatter *float64  `json:"flatter"` // of the playoff's figure above the held-out one: 0.038; or null
	Notes   []string  `json:"notes"`   // how to read the figures: which intervals hold together ...
}

// figures are a player's results at a search.
type figures struct {
	Name      string      `json:"name"` // champion, start weights, a reference's or player's name
	Role      string      `json:"role"` // champion, start, reference, player, playoff
	Candidate int         `json:"candidate"`
	Search    string      `json:"search"`
	Games     int         `json:"games"`
	Fitness   estimate    `json:"fitness"`
	Score     estimate    `json:"score"`       // the mean
	MSPerMove *float64    `json:"ms_per_move"` // wall time as played; null: not known, or playoff
	Tiles     []tileShare `json:"tiles"`       // reached, by tile
}

// tileShare is how often a tile is reached.
type tileShare struct {
	Tile  int     `json:"tile"` // face
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Names of those who are in every run.
const (
	championName = "champion"
	startName    = "start weights"
)

// Roles of players.
const (
	roleChampion  = "champion"
	roleStart     = "start"
	roleReference = "reference"
	rolePlayer    = "player"
	rolePlayoff   = "playoff"
)

// cells are the figures of a player in a table of players. If scored, the mean score stands beside
// the fitness. The reports of runs, of comparisons and of several of both have these columns.
func (p figures) cells(u Unit, scored bool) []cell {
	cells := []cell{
		numeric("games", Grouped(int64(p.Games))), numeric(u.Title, u.Figure(p.Fitness.Value)),
		numeric("95% interval", u.Interval(p.Fitness.Interval)),
	}
	if points := UnitOf(fitness.MeanScore); scored {
		interval := numeric("95% interval", points.Interval(p.Score.Interval))
		interval.Rank = 1
		cells = append(cells, numeric(points.Title, points.Figure(p.Score.Value)), interval)
	}
	return append(cells, numeric("2048 reached", p.reached(2048)))
}

// scored reports whether the tables of the report have the mean score beside the fitness.
func (r Report) scored() bool { return r.Unit.Objective != fitness.MeanScore }

// answerTable has the players at the headline's search, then the differences between them. Those of
// a run are also at other searches. A comparison's have two names, so on the terminal they are the
// sentences of searchesTable.
func (r Report) answerTable() Table {
	search := r.lastSearch()
	t := Table{Section: "held_out"}
	for _, p := range r.HeldOut.Players {
		if p.Search == search {
			t.add(slices.Concat([]cell{worded(r.Fresh()+", "+search, p.Name)}, p.cells(r.Unit, r.scored())))
		}
	}
	if r.Kind.HasPlayers() {
		for i := range t.Rows {
			t.Few = append(t.Few, i)
		}
	}
	t.Notes = append(t.Notes, r.HeldOut.Notes...)
	if len(t.Rows) == 0 {
		return t // somebody deleted rows
	}
	for _, here := range []bool{true, false} {
		for _, g := range r.HeldOut.Gains {
			if row := make([]string, len(t.Columns)); (g.Search == search) == here {
				row[0], row[2], row[3] = g.row(search), r.Unit.number("%+.*f", g.Difference.Value), r.Unit.Interval(g.Difference.Interval)
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

// searchesTable has all players at all searches, if there are several searches, and the differences
// in sentences.
func (r Report) searchesTable() Table {
	t := Table{Section: "explore", Title: "All " + r.Fresh() + " games", Detail: !r.Kind.HasPlayers()}
	for _, p := range r.HeldOut.Players {
		time := "" // not known without rows of games
		if p.MSPerMove != nil {
			time = PerMove(*p.MSPerMove)
		}
		names := []cell{worded("search", p.Search), worded("player", p.Name)}
		t.add(slices.Concat(names, p.cells(r.Unit, r.scored()), []cell{numeric("time a move", time)}))
	}
	if len(r.HeldOut.Players) > 0 && r.HeldOut.Players[0].Search == r.lastSearch() {
		t.Rows = nil
	}
	for _, g := range r.HeldOut.Gains {
		t.Notes = append(t.Notes, g.Text)
	}
	return t
}

// reached is how often a player reaches a tile, or empty if that is not known.
func (p figures) reached(tile int) string {
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
func (b *builder) heldOut(ctx context.Context) error {
	h := &b.report.HeldOut
	h.Players, h.Gains, h.Notes = []figures{}, []gainRow{}, []string{}
	if b.contest != nil {
		b.compared(h)
		return nil
	}
	if b.run.Champion < 0 {
		return nil
	}
	for _, search := range b.searches(b.run.Kind.Figures()) {
		b.validated(h, search)
	}
	if len(h.Gains) > 1 {
		h.Notes = append(h.Notes, "each interval holds by itself with 95%; the verdicts hold together")
	}
	for _, r := range b.config.References {
		if !r.FromChampion && slices.Equal(r.Weights, b.config.Family.Values()) && r.Dead == b.config.Family.Dead {
			h.Notes = append(h.Notes, "the reference "+r.Name+" is the start weights")
		}
	}
	b.playoff(h)
	var err error
	if b.variant, err = variants(ctx, b.Reader, b.run, b.answerSearch()); b.variant != "" {
		h.Notes = append(h.Notes, b.variant)
	}
	return err
}

// validations reads the champion's held-out games at each search, for a page of several runs.
func (b *builder) validations(ctx context.Context) error {
	for _, p := range b.report.HeldOut.Players {
		if p.Role != roleChampion {
			continue
		}
		e, err := b.Validation(ctx, b.run.ID, p.Search, b.run.Champion)
		if errors.Is(err, results.ErrNotFound) { // somebody deleted rows
			continue
		}
		if err != nil {
			return err
		}
		b.report.champion[p.Search] = e
	}
	return nil
}

// predecessor compares the champion with the champion of the run that this one goes on from, by the
// held-out games of both.
func (b *builder) predecessor(ctx context.Context) error {
	search := b.answerSearch()
	if b.run.GoesOnFrom == 0 || b.config == nil || search == "" {
		return nil
	}
	before, err := b.Run(ctx, b.run.GoesOnFrom)
	ours, held := b.report.champion[search]
	if err == nil && held {
		var theirs experiments.Evaluation
		if theirs, err = b.Validation(ctx, before.ID, search, before.Champion); err == nil {
			g := newGain(b.unit, experiments.Against(b.unit.Objective, ours, theirs), championName, before.Name)
			b.against = fmt.Sprintf("Against %s, from which this run goes on, %s at %s.", before.Name, g.between(), search)
		}
	}
	if errors.Is(err, results.ErrNotFound) { // it was deleted
		return nil
	}
	return err
}

// validated adds the players at a search, and the champion's gain over each of them.
func (b *builder) validated(h *heldOutSection, search string) {
	standings := b.at(experiments.PhaseValidation, search)
	at := slices.IndexFunc(standings, func(s results.Standing) bool { return s.Candidate == b.run.Champion })
	if at < 0 {
		return // somebody deleted rows
	}
	h.Players = append(h.Players, b.figures(standings[at], championName, roleChampion))
	for i, s := range standings { // by number, so the start comes first
		name, role := startName, roleStart
		if s.Candidate != experiments.StartNumber {
			name, role = b.name(s.Candidate), roleReference
		}
		if i != at || role == roleStart {
			h.Players = append(h.Players, b.figures(s, name, role))
			b.gain(h, standings[at], s, name)
		}
	}
}

// name returns the name of a candidate.
func (b *builder) name(number int) string {
	if b.contest != nil && number < len(b.contest.Players) { // players may share a name
		return b.contest.Players[number].Name
	}
	if name := b.candidates[number].Name; name != "" {
		return name
	}
	return fmt.Sprintf("candidate %d", number)
}

// gain adds the champion's gain over another player, as soon as that is recorded.
func (b *builder) gain(h *heldOutSection, champion, other results.Standing, over string) {
	for _, c := range b.comparisons {
		if c.Phase == experiments.PhaseValidation && c.Search == champion.Search && c.Candidate == champion.Candidate && c.Baseline == other.Candidate {
			h.Gains = append(h.Gains, newGain(b.unit, c, championName, over))
		}
	}
	if champion.Candidate == other.Candidate { // it is compared with nobody
		same := experiments.Comparison{
			Search: champion.Search, Candidate: champion.Candidate, Baseline: other.Candidate, Games: champion.Score.N,
			Confidence: experiments.Confidence, P: 1, Adjusted: 1, Verdict: experiments.NoDifference, Ratio: unchanged,
		}
		h.Gains = append(h.Gains, newGain(b.unit, same, championName, over))
	}
}

// playoff adds the champion's figures in the playoff that chose it.
func (b *builder) playoff(h *heldOutSection) {
	for _, s := range b.at(experiments.PhasePlayoff, "") {
		if s.Candidate == b.run.Champion {
			h.Playoff = new(b.figures(s, "champion in the playoff", rolePlayoff))
		}
	}
	for _, p := range h.Players {
		if h.Playoff != nil && p.Role == roleChampion && p.Search == h.Playoff.Search && p.Fitness.Value > 0 && !b.unit.Logs {
			h.Flatter = new(h.Playoff.Fitness.Value/p.Fitness.Value - 1)
		}
	}
}

// lastLook is the number of the last question to the games of a comparison.
func lastLook(all []experiments.Comparison) (look int) {
	for _, c := range all {
		look = max(look, c.Look)
	}
	return look
}

// compared adds the players of a comparison and all pairs, by one of the questions about the games.
func (b *builder) compared(h *heldOutSection) {
	search := b.answerSearch()
	for _, s := range b.at(experiments.PhaseComparison, search) {
		h.Players = append(h.Players, b.figures(s, b.name(s.Candidate), rolePlayer))
	}
	look := cmp.Or(b.look, lastLook(b.comparisons))
	var asked experiments.Comparison
	for _, c := range b.comparisons {
		if c.Phase == experiments.PhaseComparison && c.Search == search && c.Look == look {
			h.Gains = append(h.Gains, newGain(b.unit, c, b.name(c.Candidate), b.name(c.Baseline)))
			asked = c
		}
	}
	if len(h.Gains) > 1 {
		h.Notes = append(h.Notes, fmt.Sprintf("the intervals of all differences hold together with %.6g%%, and so do the intervals of the ratios; "+
			"the interval of a player's mean holds by itself", 100*(1-asked.Level)))
	}
	if strings.HasPrefix(asked.Question, "sequential") {
		h.Notes = append(h.Notes, "a comparison that stops when it knows finds differences that are a little too large; its intervals hold all the same")
	}
	if look > 1 {
		h.Notes = append(h.Notes, fmt.Sprintf("this is look %d at these games: it has %.3g%% of the level; games that nobody has looked at have another -seed",
			look, 100*stats.AskShare(look)))
	}
}
