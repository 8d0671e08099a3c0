package report

import (
	"cmp"
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

// gainRows are the verdicts of a run.
func gainRows(gains []summary.Gain, u Unit) []gainRow {
	rows := []gainRow{}
	for _, g := range gains {
		rows = append(rows, gainRow{g, u})
	}
	return rows
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
	if g.Games != g.BaselineGames {
		text = Grouped(int64(g.Games)) + " and " + Count(g.BaselineGames, game)
	} else if !g.same() {
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
	Best   string // of a champion 50,397 [49,545, 51,289]; before the verdicts of the centre, with "so far"; of a comparison a name
	Gain   string // of these over the start weights, or of the best player over the next one, as in the tables of players
	Text   string // all of it in words
}

// Listing says what a run found: of a champion how it did on held-out games, before the verdicts on
// it how good the centre of the search is, of a comparison which player is best.
func Listing(run results.Run) (list []Listed) {
	if c := run.Headline.Centre; c != nil {
		u, word := UnitOf(run.Objective).Of(c.Fitness.Value), SoFar(c, run.Headline.Last.Stage)
		l := Listed{Search: c.Search, Best: word + " " + u.Estimate(c.Fitness), Text: c.Search + ": " + word + " " +
			CentreText(run.Objective, c)}
		if c.Gain != nil {
			l.Gain = gainOf(u, c).change().String()
		}
		return []Listed{l}
	}
	for _, players := range bySearch(run.Headline.Players) {
		u := UnitOf(run.Objective).Of(players[0].Fitness.Value)
		gains := gainRows(run.Headline.Gains, u)
		best := ranked(players, gains)[0]
		l := Listed{Search: best.Search}
		h, known := answerOf(players, gains, "")
		if known || best.Role == summary.Champion {
			l.Gain, l.Best = h.gain, best.Name
			if best.Role == summary.Champion {
				l.Best = u.Estimate(best.Fitness)
				if u.Objective != fitness.MeanScore {
					l.Best += " " + u.Title
				}
			}
			l.Text = strings.TrimSuffix(l.Search+": "+l.Best+"; "+h.Text, "; ")
		}
		list = append(list, l)
	}
	return list
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
	if g.Over.Role == summary.Start {
		over = "the " + over
	}
	switch {
	case g.same():
		return "no gain found" + behind + ": " + over + " are the champion"
	case g.Verdict == experiments.Better:
		return subject + "better than " + over + behind
	case g.Verdict == experiments.Worse:
		return subject + "worse than " + over + behind
	case g.Verdict == experiments.SameGames: // the rule of three
		return fmt.Sprintf("the %s of both are the very same: at most %.3g%% of all games differ",
			Count(g.Games, "game"), min(100, 300/float64(g.Games)))
	case g.Smallest == 0 && g.Verdict == experiments.Undecided:
		return "undecided" + behind
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

// known reports whether there is a figure to show. A player is not compared with itself. Without an
// interval a figure says nothing, such as of equal scores.
func (g gainRow) known() bool { return !g.same() && g.change().Interval.Bounded() }

// text is the gain for a table, behind the verdict unless the player is better: +56% [51, 60].
func (g gainRow) text() string {
	verdict := map[string]string{experiments.Better: "better", experiments.Worse: "worse",
		experiments.SameGames:    "same games",
		experiments.NoDifference: "no gain", experiments.Undecided: "undecided"}[g.Verdict]
	switch {
	case g.same():
		return "the same weights"
	case !g.known():
		return verdict
	case g.Verdict == experiments.Better:
		return g.change().String()
	}
	return strings.TrimPrefix(verdict+": ", ": ") + g.change().String()
}

// headline is the verdict as an answer, beginning with these words. Its lead has the change without
// the interval.
func (g gainRow) headline(words string) Headline {
	c := g.change()
	h := Headline{Verdict: verdictNone, Text: words, Sure: g.played(), gain: g.text()}
	if c.Interval.Bounded() && !g.same() {
		h.Sure = fmt.Sprintf("%.4g%% interval %s, %s", 100*g.joint(), c.ends(" to "), h.Sure)
	}
	switch {
	case g.same() || g.Verdict == experiments.SameGames:
	case g.Verdict == experiments.Better || g.Verdict == experiments.Worse:
		h.Verdict = g.Verdict
		if c.Value < 0 { // the words say so
			c.Estimate = negated(c.Estimate)
		}
		h.Text, h.Lead = words+", by "+c.number("%.*f")+c.bounds()+c.of, words+" by "+c.number("%.*f")+c.of
	case !c.Interval.Bounded():
		h.Text += ": " + cmp.Or(equalText(g.Player), equalText(g.Over), "the games are too few to tell")
	case g.champion():
		h.Text += ": the difference is between " + c.ends(" and ") + c.of
	default:
		h.Text += ": the gain of " + g.Player.Name + " over " + g.Over.Name + " is between " + c.ends(" and ") + c.of
	}
	h.Lead = cmp.Or(h.Lead, h.Text)
	if h.Verdict == verdictNone || g.champion() { // otherwise it begins with a player's name
		h.Lead = capital(h.Lead)
	}
	return h
}

// ranked sorts the players of a comparison: fewer others are better first, then by fitness. A run
// has its champion first.
func ranked(players []summary.Player, gains []gainRow) []summary.Player {
	if players[0].Role == summary.Champion {
		return players
	}
	better := func(p summary.Player) (n int) {
		for _, other := range players {
			if g, _ := versus(gains, other, p); g.Verdict == experiments.Better {
				n++
			}
		}
		return n
	}
	return slices.SortedStableFunc(slices.Values(players), func(x, y summary.Player) int {
		return cmp.Or(better(x)-better(y), cmp.Compare(y.Fitness.Value, x.Fitness.Value))
	})
}

// answerOf is the answer at a search: of a run on its champion against the start weights, of a
// comparison on the best player. at is the search that the answer names, if there are several.
// answerOf returns false if two players are not compared.
func answerOf(players []summary.Player, gains []gainRow, at string) (h Headline, known bool) {
	players = ranked(players, gains)
	if len(players) < 2 {
		return h, false
	}
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
	if first.Role == summary.Champion {
		return g.headline(g.words(at)), next.Role == summary.Start
	}
	by := at
	if g.unit.Objective != fitness.MeanScore {
		by = " by the " + g.unit.Title + at
	}
	words := g.words(by)
	switch {
	case len(unbeaten) == 0 && len(players) > 2:
		words = fmt.Sprintf("%s is the best of %d players: better than %s%s", first.Name, len(players), next.Name, by)
	case g.Verdict == experiments.SameGames && len(players) == 2:
	case len(unbeaten) > 0 && len(players) == 2:
		words = "neither is known to be better" + by
	case len(unbeaten) > 0:
		text := fmt.Sprintf("nobody is known to be the best%s: %s has the highest %s, and is not known to be better than %s",
			at, first.Name, g.unit.Title, strings.Join(unbeaten, ", "))
		h = Headline{Verdict: verdictNone, Text: text, Lead: capital(text), Sure: g.played(), gain: g.text()}
	}
	if h.Text == "" {
		h = g.headline(words)
	}
	if g.known() {
		h.gain += " over " + next.Name
	}
	return h, true
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
	for _, x := range []*float64{&ratio.Value, &ratio.Interval.Low, &ratio.Interval.High} {
		*x--
	}
	return change{ratio, Unit{Unit: fitness.Unit{Scale: 100, Decimals: decimals}}, "%", ""}
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
	if i := g.Ratio.Interval; math.Abs(g.Ratio.Value-1) < 0.1 || i.High-i.Low < 0.02 {
		decimals = 1
	}
	c := ofRatio(g.Ratio, decimals)
	if g.unit.Logs {
		c.of = " in " + g.unit.Changes
	}
	return c
}

// scaled is the change as a number in its unit.
func (c change) scaled() stats.Estimate {
	e := c.Estimate
	for _, x := range []*float64{&e.Value, &e.Interval.Low, &e.Interval.High} {
		*x *= c.unit.Scale
	}
	return e
}

// String is the change with its sign and its interval: +59% [57, 62].
func (c change) String() string { return c.number("%+.*f") + c.bounds() }

// number is the change without its interval.
func (c change) number(format string) string { return c.unit.inside(format, c.Estimate) + c.suffix }

// bounds is the interval behind a figure: " [57, 62]". It is empty if the interval has no ends.
func (c change) bounds() string {
	if !c.Interval.Bounded() {
		return ""
	}
	return " " + c.unit.Interval(c.Interval)
}

// ends writes the ends of the interval: +57% to +62%.
func (c change) ends(between string) string {
	if c.suffix == "%" {
		between = "%" + between
	}
	return c.unit.bound("%+.*f", c.Interval.Low) + between + c.unit.bound("%+.*f", c.Interval.High) + c.suffix
}
