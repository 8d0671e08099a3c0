package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/results/report"
)

// comparison is what compare found, as JSON has it; the text says the same. An interval that is not known is null.
type comparison struct {
	Method     string             `json:"method"`
	Objective  string             `json:"objective"`
	Seed       uint64             `json:"seed"`
	Difference float64            `json:"smallest_difference"`
	Level      float64            `json:"level"`
	Power      float64            `json:"power"`
	Tests      int                `json:"tests"` // that share the level: all pairs at all searches
	Players    []comparedPlayer   `json:"players"`
	Searches   []comparedAtSearch `json:"comparisons"`

	fixed bool // -games was given
}

type comparedPlayer struct {
	Name    string             `json:"name"` // what the user called it
	From    string             `json:"from"`
	Dead    any                `json:"dead"`
	Weights map[string]float64 `json:"weights"`
}

// comparedAtSearch is what was found at one search. Players and pairs come in the order in which they were named.
type comparedAtSearch struct {
	Search   string `json:"search"`
	Run      string `json:"run"`
	Games    int    `json:"games"` // of all players
	ReadBack int64  `json:"replayed"`
	Nodes    int64  `json:"nodes"`
	// Detectable is the smallest relative difference that so many games find with the power asked for; null unless -games is given.
	Detectable *float64        `json:"detectable_difference"`
	Players    []playerFigures `json:"players"`
	Pairs      []pairFigures   `json:"pairs"`
}

type playerFigures struct {
	Player    string      `json:"player"`
	Candidate int         `json:"candidate"`
	Games     int         `json:"games"`
	MeanScore float64     `json:"mean_score"`
	CI        *[2]float64 `json:"ci"`
	SD        float64     `json:"sd_score"`
	Moves     int64       `json:"moves"`
	Nodes     int64       `json:"nodes"`
	Cost      cost        `json:"cost"`
}

// cost is what playing takes; times are in microseconds, nil where they are not known.
type cost struct {
	NodesPerMove float64  `json:"nodes_per_move"`
	NodesPerGame float64  `json:"nodes_per_game"`
	WallPerMove  *float64 `json:"wall_us_per_move"`
	WallPerGame  *float64 `json:"wall_us_per_game"`
}

type pairFigures struct {
	First      string      `json:"first"`
	Second     string      `json:"second"`
	Games      int         `json:"games"` // of each
	Look       int         `json:"look"`  // which question of these games it was, from 1
	Difference float64     `json:"difference"`
	CI         *[2]float64 `json:"ci"`
	Ratio      float64     `json:"ratio"`
	RatioCI    *[2]float64 `json:"ratio_ci"`
	Confidence float64     `json:"confidence"` // of both intervals
	PValue     float64     `json:"p_value"`
	Adjusted   float64     `json:"p_value_holm"` // for all tests, and for earlier looks
	Better     *string     `json:"better"`       // null: neither is known to be
	Verdict    string      `json:"verdict"`
}

func newComparison(c compareFlags, players []*player) comparison {
	found := comparison{
		Method:    "group sequential test (Lan-DeMets and Pampallona-Tsiatis spending, repeated intervals of Jennison and Turnbull)",
		Objective: fitness.MeanScore.String(), Seed: c.seed, Difference: c.plan.Difference, Level: c.plan.Level, Power: c.plan.Power,
	}
	if found.fixed = c.fixedGames; found.fixed {
		found.Method = "Welch's test of a fixed size"
	}
	for _, who := range players {
		entry := comparedPlayer{Name: who.Name, From: who.from, Dead: "worst", Weights: map[string]float64{}}
		if dead := who.Family.Dead; !dead.Worst {
			entry.Dead = dead.Value
		}
		for _, n := range who.Family.Weights() {
			entry.Weights[n.Name] = n.Value
		}
		found.Players = append(found.Players, entry)
	}
	return found
}

// add takes what was found at a search. numbers are those of the players in what was found; the same number twice is one
// player by two names.
func (c *comparison) add(found experiments.Compared, numbers []int) {
	s := comparedAtSearch{Search: found.Search, Run: found.Run.Name, ReadBack: found.ReadBack, Players: []playerFigures{}}
	c.Tests += len(found.Pairs)
	var scores []stats.Moments
	for _, p := range found.Players {
		s.Games += p.Evaluation.Score.N
		s.Nodes += p.Evaluation.Nodes
		scores = append(scores, p.Evaluation.Score)
	}
	if c.fixed && len(scores) > 0 {
		d := found.Plan.Design().Detectable(scores[0].N, stats.Spread(scores...))
		if !math.IsInf(d, 0) {
			s.Detectable = &d
		}
	}
	for a, number := range numbers {
		if len(found.Players) > 0 {
			s.Players = append(s.Players, newPlayerFigures(c.Players[a].Name, found.Players[number]))
		}
		for b := a + 1; b < len(numbers); b++ {
			s.Pairs = append(s.Pairs, c.pair(a, b, found, number, numbers[b]))
		}
	}
	c.Searches = append(c.Searches, s)
}

func newPlayerFigures(name string, p experiments.PlayerFigures) playerFigures {
	e := p.Evaluation
	f := playerFigures{
		Player: name, Candidate: e.Candidate, Games: e.Score.N, MeanScore: e.Score.Mean, CI: bounded(e.Interval), SD: e.Score.SD(),
		Moves: e.Moves, Nodes: e.Nodes,
	}
	per := func(microseconds, n int64) *float64 {
		if n == 0 || microseconds <= 0 {
			return nil
		}
		v := float64(microseconds) / float64(n)
		return &v
	}
	wall := p.Duration.Microseconds()
	f.Cost = cost{
		NodesPerMove: float64(e.Nodes) / float64(max(1, e.Moves)), NodesPerGame: float64(e.Nodes) / float64(e.Score.N),
		WallPerMove: per(wall, e.Moves), WallPerGame: per(wall, int64(e.Score.N)),
	}
	return f
}

// pair is what was found of two players, the one that was named earlier first.
func (c *comparison) pair(a, b int, found experiments.Compared, first, second int) pairFigures {
	f := pairFigures{First: c.Players[a].Name, Second: c.Players[b].Name}
	if first == second {
		f.Ratio, f.PValue, f.Adjusted, f.CI, f.RatioCI, f.Confidence = 1, 1, 1, &[2]float64{0, 0}, &[2]float64{1, 1}, 1
		f.Verdict = "the same player: the same heuristic with the same weights"
		return f
	}
	for _, p := range found.Pairs {
		if p.First == second && p.Second == first {
			p = mirrored(p)
		}
		if p.First != first || p.Second != second {
			continue
		}
		f.Games, f.Look, f.Confidence, f.PValue, f.Adjusted = p.Games, found.Look, p.Confidence, p.PValue, p.Adjusted
		f.Difference, f.CI, f.Ratio, f.RatioCI = p.Difference.Value, bounded(p.Difference.Interval), p.Ratio.Value, bounded(p.Ratio.Interval)
		verdict := experiments.Undecided
		switch {
		case p.Same:
			verdict = experiments.SameGames
		case p.Verdict == stats.FirstBetter:
			f.Better, verdict = &f.First, experiments.Better
		case p.Verdict == stats.SecondBetter:
			f.Better, verdict = &f.Second, experiments.Worse
		case p.Verdict == stats.NoDifference:
			verdict = experiments.NoDifference
		}
		f.Verdict = report.PairText(f.First, f.Second, verdict, p.Games, c.Difference)
	}
	return f
}

// mirrored returns the pair with its players exchanged.
func mirrored(p experiments.Pair) experiments.Pair {
	p.First, p.Second, p.Z = p.Second, p.First, 0-p.Z
	difference, ratio := &p.Difference, &p.Ratio
	difference.Value = 0 - difference.Value // not -0
	difference.Interval = stats.Interval{Low: 0 - difference.Interval.High, High: 0 - difference.Interval.Low}
	// Fieller's interval of b/a is that of a/b with its ends inverted, where a can be told from 0.
	if ratio.Value != 0 {
		ratio.Value = 1 / ratio.Value
	}
	if i := ratio.Interval; i.Bounded() && i.Low > 0 {
		ratio.Interval = stats.Interval{Low: 1 / i.High, High: 1 / i.Low}
	} else {
		ratio.Interval = stats.Unbounded()
	}
	switch p.Verdict {
	case stats.FirstBetter:
		p.Verdict = stats.SecondBetter
	case stats.SecondBetter:
		p.Verdict = stats.FirstBetter
	}
	return p
}

func (c comparison) print(out io.Writer) error {
	w := &strings.Builder{}
	for _, who := range c.Players {
		fmt.Fprintf(w, "%s: %s\n", who.Name, who.From)
	}
	fmt.Fprintf(w, "fresh games, seed %d; %s: level %.6g%%", c.Seed, c.Method, 100*c.Level)
	if c.Tests > 1 {
		fmt.Fprintf(w, " of %d tests together", c.Tests)
	}
	if !c.fixed {
		fmt.Fprintf(w, ", power %.6g%% for a difference of %.6g%%", 100*c.Power, 100*c.Difference)
	}
	fmt.Fprintln(w)
	played := false
	for _, s := range c.Searches {
		if len(s.Players) > 0 {
			s.print(w, c)
			played = true
			continue
		}
		for _, p := range s.Pairs {
			fmt.Fprintf(w, "\n%s: %s and %s are %s\n", s.Search, p.First, p.Second, p.Verdict)
		}
	}
	if c.Tests > 1 {
		fmt.Fprintf(w, "\nthe intervals of all %d differences hold together with %.6g%%, and so do those of the ratios; the adjusted p finds more than they do:\n"+
			"one with a verdict may reach beyond no difference; the interval of a player's mean holds by itself\n", c.Tests, 100*(1-c.Level))
	}
	if played && !c.fixed {
		fmt.Fprintln(w, "\na comparison that stops when it knows finds differences that are a little too large; its intervals hold all the same")
	}
	_, err := io.WriteString(out, w.String())
	return err
}

func (s comparedAtSearch) print(w io.Writer, c comparison) {
	fmt.Fprintf(w, "\n%s, run %s: %s, %d of them read back, %.4g nodes\n\n", s.Search, s.Run, plural(s.Games, "game"), s.ReadBack, float64(s.Nodes))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "player\tgames\tmean score\t%.6g%% interval\tnodes/move\tnodes/game\tµs/move\tms/game\n", 100*(1-c.Level))
	in := func(v *float64, unit float64) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprintf("%.3g", *v*unit)
	}
	for _, p := range s.Players {
		fmt.Fprintf(table, "%s\t%d\t%.0f\t%s\t%.4g\t%.4g\t%s\t%s\n", p.Player, p.Games, p.MeanScore, span(p.CI, 0),
			p.Cost.NodesPerMove, p.Cost.NodesPerGame, in(p.Cost.WallPerMove, 1), in(p.Cost.WallPerGame, 1e-3))
	}
	table.Flush()
	fmt.Fprintln(w)

	fmt.Fprintln(table, "pair\tgames each\tdifference\tratio\tp\tp adjusted\tverdict")
	look := 0 // the same of all pairs but those of one player by two names
	for _, p := range s.Pairs {
		fmt.Fprintf(table, "%s / %s\t%d\t%s %s\t%.3f %s\t%s\t%s\t%s\n", p.First, p.Second, p.Games, report.Signed(p.Difference, 0), span(p.CI, 0), p.Ratio, span(p.RatioCI, 3),
			report.Probability(p.PValue), report.Probability(p.Adjusted), p.Verdict)
		look = max(look, p.Look)
	}
	table.Flush()
	fmt.Fprintf(w, "look %d at these games: it has %.3g%% of the level", look, 100*stats.LookShare(look))
	if look > 1 {
		fmt.Fprint(w, "; games that nobody has looked at have another -seed")
	}
	fmt.Fprintln(w)
	if s.Detectable != nil {
		fmt.Fprintf(w, "%s each tell a difference of about %.3g%%, with a probability of %.6g%%\n", plural(s.Players[0].Games, "game"),
			100**s.Detectable, 100*c.Power)
	}
}
