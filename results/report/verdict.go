package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
	"tune2048/results"
)

// gainRow is a verdict: how a player compares with another at a search. Whatever the report says
// about two players is written by its methods.
type gainRow struct {
	summary.Gain
	unit Unit
}

// MarshalJSON writes the verdict with its figures, and all of it in words.
func (g gainRow) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Search     string          `json:"search"`
		Player     string          `json:"player"`
		Over       string          `json:"over"`
		Difference stats.Estimate  `json:"difference"` // in the unit of fitness
		Ratio      *stats.Estimate `json:"ratio"`      // null: to 0
		Confidence float64         `json:"confidence"`
		P          float64         `json:"p"`
		Adjusted   float64         `json:"p_adjusted"`
		Verdict    string          `json:"verdict"`
		Text       string          `json:"text"`
	}{g.Search, g.Player.Name, g.Over.Name, g.Difference, finite(g.Ratio), g.Confidence, g.P, g.Adjusted, g.Verdict, g.text()})
}

// finite is a ratio, or nil for one to 0.
func finite(ratio stats.Estimate) *stats.Estimate {
	if math.IsInf(ratio.Value, 1) {
		return nil
	}
	return &ratio
}

// same is whether both are the same candidate.
func (g gainRow) same() bool { return g.Candidate == g.Baseline }

// champion is whether the player is the champion of the report's run, which is not named.
func (g gainRow) champion() bool { return g.Player.Role == summary.Champion }

// start is whether the other one is the start weights of the run.
func (g gainRow) start() bool { return g.Over.Role == summary.Start }

// joint is the confidence with which the intervals of all differences hold together.
func (g gainRow) joint() float64 {
	if g.Phase == experiments.PhaseComparison {
		return 1 - g.Level
	}
	return g.Confidence
}

// played says by how many games, such as: 6,000 held-out games each, depth 3.
func (g gainRow) played() string {
	game := "held-out game"
	if g.Phase == experiments.PhaseComparison {
		game = "fresh game"
	}
	text := Count(g.Games, game)
	switch {
	case g.same():
	case g.Games != g.BaselineGames:
		text = Grouped(int64(g.Games)) + " and " + Count(g.BaselineGames, game)
	case g.Phase == experiments.PhaseComparison && max(g.Player.Games, g.Over.Games) > g.Games: // for other pairs
		text = "the first " + text + " of each"
	default:
		text += " each"
	}
	if At(g.Search) != "" {
		text += ", " + g.Search
	}
	return text
}

// Listed is what a run found at a search, for a list of runs.
type Listed struct {
	Search string
	Best   string // 50,397 [49,545, 51,289]; of a comparison with a name before it
	Gain   string // of a champion over the start weights, or of the best player over the next one
	Text   string // all of it in words
}

// Listing says what a run found: of a champion how it did on held-out games, of a comparison which
// player is best.
func Listing(run results.Run) (list []Listed) {
	if run.Kind.HasPlayers() {
		for _, players := range bySearch(run.Headline.Players) {
			list = append(list, answerOf(run, players))
		}
		return list
	}
	for _, p := range run.Headline.Champions() {
		u := UnitOf(run.Objective).Of(p.Fitness.Value)
		l := Listed{Search: p.Search, Best: u.Figure(p.Fitness.Value) + " " + u.Interval(p.Fitness.Interval)}
		l.Text = p.Search + ": " + u.Title + " " + l.Best
		if u.Objective != fitness.MeanScore {
			l.Best += " " + u.Title
		}
		if gain, known := run.Headline.Over(p.Search); known {
			g := gainRow{gain, u}
			l.Gain, l.Text = u.Difference(g.Difference), l.Text+"; "+g.headline(g.words("")).Text
		}
		list = append(list, l)
	}
	return list
}

// answerOf is what a comparison found at a search.
func answerOf(run results.Run, players []summary.Player) Listed {
	u := UnitOf(run.Objective).Of(players[0].Fitness.Value)
	var gains []gainRow
	for _, g := range run.Headline.Gains {
		gains = append(gains, gainRow{g, u})
	}
	l := Listed{Search: players[0].Search}
	h, compared := bestOf(players, gains, "")
	if !compared {
		return l
	}
	players = ranked(players, gains)
	g, _ := versus(gains, players[0], players[1])
	l.Best = players[0].Name + " " + u.Figure(players[0].Fitness.Value) + " " + u.Interval(players[0].Fitness.Interval)
	l.Gain, l.Text = g.change().String()+" over "+players[1].Name, l.Search+": "+h.Text
	return l
}

// versus returns the verdict on a player against another at the player's search.
func versus(gains []gainRow, player, over summary.Player) (g gainRow, found bool) {
	for _, g := range gains {
		switch {
		case g.Search != player.Search:
		case g.Candidate == player.Candidate && g.Baseline == over.Candidate:
			return g, true
		case g.Candidate == over.Candidate && g.Baseline == player.Candidate:
			return g.reversed(), true
		}
	}
	return g, false
}

// reversed is the verdict on the other player.
func (g gainRow) reversed() gainRow {
	g.Player, g.Over = g.Over, g.Player
	g.Candidate, g.Baseline, g.Games, g.BaselineGames = g.Baseline, g.Candidate, g.BaselineGames, g.Games
	switch g.Verdict {
	case experiments.Better:
		g.Verdict = experiments.Worse
	case experiments.Worse:
		g.Verdict = experiments.Better
	}
	g.Difference = negated(g.Difference)
	if finite(g.Ratio) != nil {
		g.Ratio = inverse(g.Ratio)
	}
	return g
}

func negated(e stats.Estimate) stats.Estimate {
	return stats.Estimate{Value: -e.Value, Interval: stats.Interval{Low: -e.Interval.High, High: -e.Interval.Low}}
}

func lessOne(e stats.Estimate) stats.Estimate {
	return stats.Estimate{Value: e.Value - 1, Interval: stats.Interval{Low: e.Interval.Low - 1,
		High: e.Interval.High - 1}}
}

// inverse is the ratio the other way round. The inverse of an interval from 0 has no upper end.
func inverse(r stats.Estimate) stats.Estimate {
	inverted := stats.Estimate{Value: 1 / r.Value, Interval: stats.Unbounded()}
	if i := r.Interval; i.Bounded() && i.Low >= 0 && i.High > 0 {
		inverted.Interval = stats.Interval{Low: 1 / i.High, High: 1 / math.Abs(i.Low)} // of -0, too
	}
	return inverted
}

// words is the verdict without figures. The champion is the subject of its report and not named.
// behind stands behind the verdict: at a search, or by an objective.
func (g gainRow) words(behind string) string {
	subject, over := g.Player.Name+" is ", g.Over.Name
	if g.champion() {
		subject = ""
	}
	if g.start() {
		over = "the " + over
	}
	switch {
	case g.same():
		return "no gain found" + behind + ": " + over + " are the champion"
	case g.Verdict == experiments.Better:
		return subject + "better than " + over + behind
	case g.Verdict == experiments.Worse && subject == "":
		return "worse than " + over + behind
	case g.Verdict == experiments.Worse:
		return g.reversed().words(behind)
	case g.Verdict == experiments.SameGames: // the rule of three
		return fmt.Sprintf("the %s of both are the very same: at most %.3g%% of all games differ",
			Count(g.Games, "game"),
			min(100, 300/float64(g.Games)))
	case g.Smallest == 0:
		return "no gain found" + behind
	case g.Verdict == experiments.NoDifference:
		return "no difference of " + g.looked() + " found"
	}
	return "undecided: too few games to tell a difference of " + g.looked()
}

// looked is the difference that was looked for. Without a ratio its unit is a standard deviation.
func (g gainRow) looked() string {
	if finite(g.Ratio) == nil {
		return fmt.Sprintf("%.6g standard deviations of a game", g.Smallest)
	}
	return fmt.Sprintf("%.6g%%", 100*g.Smallest)
}

// title names the row or the sentence of the verdict.
func (g gainRow) title() string {
	switch {
	case g.start():
		return "gain"
	case g.champion():
		return "gain over " + g.Over.Name
	}
	return g.Player.Name + " over " + g.Over.Name
}

// row names the row of the verdict in a table of games at a search, whose intervals have 95%.
func (g gainRow) row(search string) string {
	name := g.title()
	if g.Search != search {
		name += " at " + g.Search
	}
	if g.joint() != experiments.Confidence {
		name += fmt.Sprintf(" (%.4g%%)", 100*g.joint())
	}
	return name
}

// text is the verdict with all its figures, in the direction of the headline.
func (g gainRow) text() string {
	if g.Verdict == experiments.Worse && !g.champion() {
		return g.reversed().text()
	}
	title := g.title()
	if !g.champion() && !g.start() {
		title += ":"
	}
	text := fmt.Sprintf("%s: %s %s", g.Search, title, g.unit.Difference(g.Difference))
	if !g.unit.additive(g.Ratio) { // otherwise the change is the difference
		text += ", " + g.change().String()
	}
	return text + ": " + g.words("")
}

// headline is the verdict as an answer, beginning with these words. Its lead has the change without
// the interval.
func (g gainRow) headline(words string) Headline {
	h := Headline{Verdict: verdictNone, Text: words, Sure: g.played()}
	c, sure, to := g.change(), fmt.Sprintf("%.4g%% interval", 100*g.joint()), " to "
	if c.suffix == "%" {
		to = "% to "
	}
	switch {
	case g.same():
	case g.Verdict == experiments.Better || g.Verdict == experiments.Worse:
		h.Verdict, h.Text, h.Lead = g.Verdict, words+", by "+c.size()+c.bounds(true)+c.of, words+" by "+c.size()+c.of
		sure += " " + c.ends("%.*f", to)
	default:
		h.Text += ": " + g.between()
	}
	h.Lead = cmp.Or(h.Lead, capital(h.Text)) // which does not begin with a player's name
	if c.Interval.Bounded() && !g.same() {
		h.Sure = sure + ", " + h.Sure
	}
	return h
}

// between is the interval without a verdict: the difference is between -1% and +3%.
func (g gainRow) between() string {
	c, what := g.change(), "the difference"
	if !g.champion() {
		what = "the gain of " + g.Player.Name + " over " + g.Over.Name
	}
	if !c.Interval.Bounded() {
		return "the games are too few to tell"
	}
	return what + " is between " + c.ends("%+.*f", c.suffix+" and ") + c.of
}

// ranked sorts players by fitness. The one that none is better than comes first: a stored
// comparison knows better than the means.
func ranked(players []summary.Player, gains []gainRow) []summary.Player {
	players = slices.SortedStableFunc(slices.Values(players),
		func(x, y summary.Player) int { return cmp.Compare(y.Fitness.Value, x.Fitness.Value) })
	at := slices.IndexFunc(players, func(p summary.Player) bool {
		return !slices.ContainsFunc(players, func(other summary.Player) bool {
			g, _ := versus(gains, other, p)
			return g.Verdict == experiments.Better
		})
	})
	if at > 0 {
		first := players[at]
		players = slices.Insert(slices.Delete(players, at, at+1), 0, first)
	}
	return players
}

// besideBest is a player's row beside the best one: the best one's gain over it, in the direction
// of the headline, and the verdict.
func (g gainRow) besideBest() (gain, verdict string) {
	verdict = map[string]string{experiments.Better: "worse", experiments.Worse: "better",
		experiments.SameGames: "same games", experiments.NoDifference: "no gain"}[g.Verdict]
	return g.change().String(), cmp.Or(verdict, "undecided")
}

// bestOf is the answer about equals: the player that is better than all others, if there is one. at
// is the search that the answer names, if there are several. bestOf returns false if two of the
// players are not compared.
func bestOf(players []summary.Player, gains []gainRow, at string) (h Headline, compared bool) {
	if len(players) < 2 {
		return h, false
	}
	players = ranked(players, gains)
	first, next := players[0], players[1]
	var unbeaten []string
	for _, p := range players[1:] {
		g, found := versus(gains, first, p)
		if !found {
			return h, false
		}
		if g.Verdict != experiments.Better {
			unbeaten = append(unbeaten, p.Name)
		}
	}
	g, _ := versus(gains, first, next)
	by := at
	if g.unit.Objective != fitness.MeanScore {
		by = " by the " + g.unit.Title + at
	}
	switch {
	case len(unbeaten) == 0 && len(players) == 2:
		return g.headline(g.words(by)), true
	case len(unbeaten) == 0:
		return g.headline(fmt.Sprintf("%s is the best of %d players: better than %s%s", first.Name, len(players),
			next.Name,
			by)), true
	case len(players) == 2:
		return g.headline("neither is known to be better" + by), true
	}
	text := fmt.Sprintf("nobody is known to be the best%s: %s has the highest %s, and is not known to be better than %s",
		at, first.Name, g.unit.Title, strings.Join(unbeaten, ", "))
	return Headline{Verdict: verdictNone, Text: text, Lead: capital(text), Sure: g.played()}, true
}

// change is a difference of two players, in the unit in which people read it: in percent, in
// percentage points, or in the unit of fitness.
type change struct {
	stats.Estimate
	unit   Unit
	suffix string
	of     string // " in geometric mean score"; mostly empty
}

// ofRatio is a ratio as a change in percent.
func ofRatio(ratio stats.Estimate, decimals int) change {
	return change{lessOne(ratio), Unit{Unit: fitness.Unit{Scale: 100, Decimals: decimals}}, "%", ""}
}

// ofDifference is a difference in the unit of fitness, of two shares in percentage points.
func ofDifference(u Unit, e stats.Estimate) change {
	if u.Suffix == "%" {
		return change{e, u, " percentage points", ""}
	}
	return change{e, u, " " + u.Suffix, ""}
}

// change is the size of the gain.
func (g gainRow) change() change {
	if g.unit.additive(g.Ratio) {
		return ofDifference(g.unit, g.Difference)
	}
	decimals := 0
	if math.Abs(g.Ratio.Value-1) < 0.1 {
		decimals = 1
	}
	c := ofRatio(g.Ratio, decimals)
	if g.unit.Logs {
		c.of = " in " + g.unit.Changes
	}
	return c
}

// String is the change with its sign and its interval: +59% [57, 62].
func (c change) String() string {
	if math.IsInf(c.Value, 1) {
		return "from 0"
	}
	return c.unit.number("%+.*f", c.Value) + c.suffix + c.bounds(false)
}

// scaled is the change in the unit in which people read it: 34 for +34%.
func (c change) scaled() stats.Estimate {
	i, scale := c.Interval, c.unit.Scale
	return stats.Estimate{Value: scale * c.Value, Interval: stats.Interval{Low: scale * i.Low, High: scale * i.High}}
}

// size is the change without its sign: 59%.
func (c change) size() string { return c.unit.number("%.*f", math.Abs(c.Value)) + c.suffix }

// bounds is the interval behind a figure, of the size if it is wanted: " [57, 62]". It is empty if
// the interval has no ends.
func (c change) bounds(ofSize bool) string {
	i := c.Interval
	switch {
	case !i.Bounded():
		return ""
	case ofSize && c.Value < 0:
		i = stats.Interval{Low: -i.High, High: -i.Low}
	}
	return " " + c.unit.Interval(i)
}

// ends writes the ends of the interval.
func (c change) ends(format, between string) string {
	return c.unit.bound(format, c.Interval.Low) + between + c.unit.bound(format, c.Interval.High) + c.suffix
}
