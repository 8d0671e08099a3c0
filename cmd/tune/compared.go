package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"tune2048/engine"
	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// tileConfidence is that of the intervals of how often a tile is reached.
const tileConfidence = 0.95

// comparison is what compare prints.
type comparison struct {
	flags      compareFlags
	contenders []contender
	searches   []comparedSearch
}

// comparedSearch is what was found at one search, by contender.
type comparedSearch struct {
	experiments.Compared
	players []experiments.PlayerFigures
	pairs   []namedPair // in the order of the contenders
	meter   *cpuMeter
	order   []int // number of each contender
}

// namedPair is a pair with the contender that was named earlier first.
type namedPair struct {
	experiments.Pair
	a, b int  // contenders
	same bool // one player by two names
}

// samePair is that of one player by two names.
func samePair(a, b int) namedPair {
	p := namedPair{a: a, b: b, same: true}
	p.PValue, p.Adjusted = 1, 1
	p.Ratio = stats.Estimate{Value: 1, Interval: stats.Interval{Low: 1, High: 1}}
	return p
}

// addSame takes a search at which there is nothing to play: all contenders are one player.
func (c *comparison) addSame(search engine.Settings) {
	s := comparedSearch{Compared: experiments.Compared{Search: search.String()}}
	for a := range c.contenders {
		for b := a + 1; b < len(c.contenders); b++ {
			s.pairs = append(s.pairs, samePair(a, b))
		}
	}
	c.searches = append(c.searches, s)
}

// add takes what was found at a search. order has the number of each contender.
func (c *comparison) add(found experiments.Compared, order []int, meter *cpuMeter) {
	s := comparedSearch{Compared: found, meter: meter, order: order}
	for a, number := range order {
		s.players = append(s.players, found.Players[number])
		for b := a + 1; b < len(order); b++ {
			if number == order[b] {
				s.pairs = append(s.pairs, samePair(a, b))
			}
			for _, p := range found.Pairs {
				switch {
				case p.First == number && p.Second == order[b]:
					s.pairs = append(s.pairs, namedPair{Pair: p, a: a, b: b})
				case p.Second == number && p.First == order[b]:
					s.pairs = append(s.pairs, namedPair{Pair: mirrored(p), a: a, b: b})
				}
			}
		}
	}
	c.searches = append(c.searches, s)
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

// name is what the user called a contender.
func (c *comparison) name(i int) string { return c.contenders[i].player.Name }

// words says what is known of a pair.
func (c *comparison) words(p namedPair) string {
	if p.same {
		return "the same player: the same heuristic with the same weights"
	}
	switch p.Verdict {
	case stats.FirstBetter:
		return fmt.Sprintf("%s is better than %s", c.name(p.a), c.name(p.b))
	case stats.SecondBetter:
		return fmt.Sprintf("%s is better than %s", c.name(p.b), c.name(p.a))
	case stats.NoDifference:
		return fmt.Sprintf("no difference of %.6g%% found", 100*c.flags.plan.Difference)
	default:
		return fmt.Sprintf("undecided: too few games to tell a difference of %.6g%%", 100*c.flags.plan.Difference)
	}
}

// method names the test.
func (c *comparison) method() string {
	if c.flags.games > 0 {
		return "Welch's test of a fixed size"
	}
	return "group sequential test (Lan-DeMets and Pampallona-Tsiatis spending, repeated intervals of Jennison and Turnbull)"
}

func (c *comparison) print(out io.Writer) error {
	w := &strings.Builder{}
	plan := c.flags.plan
	for i, who := range c.contenders {
		fmt.Fprintf(w, "%s: %s\n", c.name(i), who.from)
	}
	fmt.Fprintf(w, "fresh games, seed %d; %s: level %.6g%%, power %.6g%% for a difference of %.6g%%\n",
		c.flags.seed, c.method(), 100*plan.Level, 100*plan.Power, 100*plan.Difference)
	for _, s := range c.searches {
		c.printSearch(w, s)
	}
	_, err := io.WriteString(out, w.String())
	return err
}

func (c *comparison) printSearch(w io.Writer, s comparedSearch) {
	if len(s.players) == 0 {
		for _, p := range s.pairs {
			fmt.Fprintf(w, "\n%s: %s and %s are %s\n", s.Search, c.name(p.a), c.name(p.b), c.words(p))
		}
		return
	}
	games, nodes := s.spent()
	fmt.Fprintf(w, "\n%s, run %s: %s, %d of them read back, %.4g nodes\n\n", s.Search, s.Run.Name, plural(games, "game"), s.Replayed, float64(nodes))

	confidence := fmt.Sprintf("%.6g%%", 100*(1-c.flags.plan.Level))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "player\tgames\tmean score\t%s interval\tnodes/move\tnodes/game\tµs/move\tms/game\tCPU µs/move\tCPU ms/game\n", confidence)
	for i, p := range s.players {
		e, cost := p.Evaluation, s.cost(i)
		fmt.Fprintf(table, "%s\t%d\t%.0f\t%s\t%.4g\t%.4g\t%s\t%s\t%s\t%s\n", c.name(i), e.Score.N, e.Score.Mean, interval(e.Interval),
			cost.NodesPerMove, cost.NodesPerGame, figureOr(cost.WallPerMove, 1), figureOr(cost.WallPerGame, 1e-3),
			figureOr(cost.CPUPerMove, 1), figureOr(cost.CPUPerGame, 1e-3))
	}
	table.Flush()
	fmt.Fprintln(w)

	fmt.Fprint(table, "pair\tdifference\tratio\tp\t")
	several := len(s.pairs) > 1
	if several {
		fmt.Fprint(table, "p (Holm)\t")
	}
	fmt.Fprintln(table, "verdict")
	biased := false
	for _, p := range s.pairs {
		fmt.Fprintf(table, "%s / %s\t%+.0f %s\t%.3f %s\t%s\t", c.name(p.a), c.name(p.b), p.Difference.Value, interval(p.Difference.Interval),
			p.Ratio.Value, ratioInterval(p.Ratio.Interval), probability(p.PValue))
		if several {
			fmt.Fprintf(table, "%s\t", probability(p.Adjusted))
		}
		fmt.Fprintln(table, c.words(p))
		biased = biased || p.Bias != stats.Unbiased
	}
	table.Flush()
	if several {
		fmt.Fprintf(w, "all these intervals hold together with %s; Holm's p finds more than they do: one with a verdict may reach beyond no difference\n", confidence)
	}
	if biased {
		fmt.Fprintln(w, "a comparison that stops when it knows finds differences that are a little too large; its intervals hold all the same")
	}

	fmt.Fprintf(w, "\nshare of games that reach a tile, with %.6g%% interval:\n", 100*tileConfidence)
	fmt.Fprint(table, "tile")
	for i := range s.players {
		fmt.Fprintf(table, "\t%s", c.name(i))
	}
	fmt.Fprintln(table)
	for k, tile := range experiments.Tiles {
		reached := 0
		for _, p := range s.players {
			reached += p.Evaluation.Reached[k]
		}
		if reached == 0 && tile > 2048 {
			break
		}
		fmt.Fprint(table, tile)
		for _, p := range s.players {
			n := p.Evaluation.Score.N
			i := stats.Wilson(p.Evaluation.Reached[k], n, tileConfidence)
			fmt.Fprintf(table, "\t%.1f%% [%.1f, %.1f]", 100*float64(p.Evaluation.Reached[k])/float64(n), 100*i.Low, 100*i.High)
		}
		fmt.Fprintln(table)
	}
	table.Flush()
}

// spent returns the games and nodes of all players.
func (s comparedSearch) spent() (games int, nodes int64) {
	for _, p := range s.Compared.Players {
		games += p.Evaluation.Score.N
		nodes += p.Evaluation.Nodes
	}
	return games, nodes
}

// cost is what playing takes; times are in microseconds, nil where they are not known.
type cost struct {
	NodesPerMove float64  `json:"nodes_per_move"`
	NodesPerGame float64  `json:"nodes_per_game"`
	WallPerMove  *float64 `json:"wall_us_per_move"`
	WallPerGame  *float64 `json:"wall_us_per_game"`
	CPUPerMove   *float64 `json:"cpu_us_per_move"` // of the games played now; read back, they do not tell
	CPUPerGame   *float64 `json:"cpu_us_per_game"`
}

func (s comparedSearch) cost(contender int) (c cost) {
	per := func(amount float64, n int64) *float64 {
		if n == 0 || amount <= 0 {
			return nil
		}
		v := amount / float64(n)
		return &v
	}
	p := s.players[contender]
	games, moves := int64(p.Evaluation.Score.N), p.Evaluation.Moves
	c.NodesPerGame = float64(p.Evaluation.Nodes) / float64(games)
	if moves > 0 {
		c.NodesPerMove = float64(p.Evaluation.Nodes) / float64(moves)
	}
	c.WallPerMove, c.WallPerGame = per(float64(p.Duration.Microseconds()), moves), per(float64(p.Duration.Microseconds()), games)
	number := s.order[contender]
	cpu := float64(s.meter.cpu[number].Microseconds())
	c.CPUPerMove, c.CPUPerGame = per(cpu, s.meter.moves[number]), per(cpu, s.meter.games[number])
	return c
}

// figureOr writes a figure in another unit, or that it is not known.
func figureOr(v *float64, unit float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.3g", *v*unit)
}

// probability writes a p-value.
func probability(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}

func (c *comparison) printJSON(out io.Writer) error {
	type player struct {
		Name    string             `json:"name"`
		From    string             `json:"from"`
		Dead    any                `json:"dead"`
		Weights map[string]float64 `json:"weights"`
	}
	type tile struct {
		Tile  int        `json:"tile"`
		Games int        `json:"games"` // that reached it
		Share float64    `json:"share"`
		CI    [2]float64 `json:"ci"`
	}
	type figures struct {
		Player    string      `json:"player"`
		Candidate int         `json:"candidate"`
		Games     int         `json:"games"`
		MeanScore float64     `json:"mean_score"`
		CI        *[2]float64 `json:"ci"`
		SD        float64     `json:"sd_score"`
		Moves     int64       `json:"moves"`
		Nodes     int64       `json:"nodes"`
		Cost      cost        `json:"cost"`
		Tiles     []tile      `json:"tiles"`
	}
	type pair struct {
		First      string      `json:"first"`
		Second     string      `json:"second"`
		Games      int         `json:"games"` // of each
		Look       int         `json:"look"`
		Difference float64     `json:"difference"`
		CI         *[2]float64 `json:"ci"`
		Ratio      float64     `json:"ratio"`
		RatioCI    *[2]float64 `json:"ratio_ci"`
		PValue     float64     `json:"p_value"`
		Adjusted   float64     `json:"p_value_holm"`
		Better     *string     `json:"better"` // null: neither is known to be
		Verdict    string      `json:"verdict"`
		Bias       string      `json:"bias"`
	}
	type search struct {
		Search   string    `json:"search"`
		Run      string    `json:"run"`
		Looks    int       `json:"looks"` // at most
		Games    int       `json:"games"` // of all players
		Replayed int64     `json:"replayed"`
		Nodes    int64     `json:"nodes"`
		Players  []figures `json:"players"`
		Pairs    []pair    `json:"pairs"`
	}
	plan := c.flags.plan
	result := struct {
		Method      string   `json:"method"`
		Seed        uint64   `json:"seed"`
		Difference  float64  `json:"smallest_difference"`
		Level       float64  `json:"level"`
		Power       float64  `json:"power"`
		Players     []player `json:"players"`
		Comparisons []search `json:"comparisons"`
	}{Method: c.method(), Seed: c.flags.seed, Difference: plan.Difference, Level: plan.Level, Power: plan.Power}
	for i, who := range c.contenders {
		entry := player{Name: c.name(i), From: who.from, Dead: "worst", Weights: map[string]float64{}}
		if dead := who.player.Family.Dead; !dead.Worst {
			entry.Dead = dead.Value
		}
		for _, n := range who.player.Family.Weights() {
			entry.Weights[n.Name] = n.Value
		}
		result.Players = append(result.Players, entry)
	}
	for _, s := range c.searches {
		entry := search{Search: s.Search, Run: s.Run.Name, Looks: s.Looks, Replayed: s.Replayed, Players: []figures{}}
		entry.Games, entry.Nodes = s.spent()
		for i, p := range s.players {
			e := p.Evaluation
			f := figures{
				Player: c.name(i), Candidate: e.Candidate, Games: e.Score.N, MeanScore: e.Score.Mean, CI: bounded(e.Interval), SD: e.Score.SD(),
				Moves: e.Moves, Nodes: e.Nodes, Cost: s.cost(i),
			}
			for k, face := range experiments.Tiles {
				w := stats.Wilson(e.Reached[k], e.Score.N, tileConfidence)
				f.Tiles = append(f.Tiles, tile{face, e.Reached[k], float64(e.Reached[k]) / float64(e.Score.N), [2]float64{w.Low, w.High}})
			}
			entry.Players = append(entry.Players, f)
		}
		for _, p := range s.pairs {
			one := pair{
				First: c.name(p.a), Second: c.name(p.b), Games: p.Games, Look: p.Look,
				Difference: p.Difference.Value, CI: bounded(p.Difference.Interval), Ratio: p.Ratio.Value, RatioCI: bounded(p.Ratio.Interval),
				PValue: p.PValue, Adjusted: p.Adjusted, Verdict: c.words(p), Bias: p.Bias.String(),
			}
			switch p.Verdict {
			case stats.FirstBetter:
				one.Better = &one.First
			case stats.SecondBetter:
				one.Better = &one.Second
			}
			entry.Pairs = append(entry.Pairs, one)
		}
		result.Comparisons = append(result.Comparisons, entry)
	}
	return writeJSON(out, result)
}

func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
