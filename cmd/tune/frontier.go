package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"

	"tune2048/experiments/stats"
	"tune2048/results"
)

// frontier prints the best mean score for each cost among all held-out games in the database.
func (in *invocation) frontier(ctx context.Context, c compareFlags) error {
	reader, err := results.OpenReader(c.database)
	if err != nil {
		return err
	}
	defer reader.Close()
	var all []results.Measured
	for _, search := range c.searchTexts() {
		found, err := reader.HeldOutGames(ctx, search)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	points := newFrontier(all)
	if c.asJSON {
		return in.printFrontierJSON(points)
	}
	if len(points) == 0 {
		fmt.Fprintf(in.stdout, "no held-out games in %s yet: run an experiment (tune -config FILE) or compare players\n", c.database)
		return nil
	}
	fmt.Fprintf(in.stdout, "the best mean score for each cost, among %s (a player in a phase at a search) of held-out games:\n", plural(len(all), "figure"))
	table := tabwriter.NewWriter(in.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "nodes/move\tµs/move\tmean score\t95% interval\tgames\tsearch\tplayer\tbest for its")
	for _, p := range points {
		fmt.Fprintf(table, "%.4g\t%s\t%.0f\t%s\t%d\t%s\t%s\t%s\n", p.nodes, figureOr(p.us, 1), p.Score.Mean,
			interval(stats.MeanInterval(p.Score, 0.95)), p.Score.N, cell(p.Search), cell(p.player()), p.best())
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(in.stdout, "the best of many figures is a little lucky too: compare players before you trust a small difference")
	return nil
}

// point is a figure on the frontier.
type point struct {
	results.Measured
	nodes           float64  // per move
	us              *float64 // per move, of wall time; nil where no games are kept
	byNodes, byTime bool     // nothing as cheap or cheaper scores as much
}

func (p point) player() string {
	if p.Name != "" {
		return fmt.Sprintf("%s (candidate %d, run %s)", p.Name, p.Candidate, p.Run)
	}
	return fmt.Sprintf("candidate %d, run %s", p.Candidate, p.Run)
}

func (p point) best() string {
	switch {
	case p.byNodes && p.byTime:
		return "nodes and time"
	case p.byNodes:
		return "nodes"
	default:
		return "time"
	}
}

// newFrontier returns the figures that are best for their nodes per move or for their time per move, by nodes.
func newFrontier(all []results.Measured) []point {
	var points []point
	for _, m := range all {
		p := point{Measured: m}
		if m.Moves > 0 {
			p.nodes = float64(m.Nodes) / float64(m.Moves)
		}
		if m.TimedMoves > 0 {
			us := float64(m.TimedUS) / float64(m.TimedMoves)
			p.us = &us
		}
		points = append(points, p)
	}
	byScore := func(a, b point) int {
		return cmp.Or(cmp.Compare(b.Score.Mean, a.Score.Mean), cmp.Compare(a.Candidate, b.Candidate))
	}
	time := func(p point) float64 { return *p.us }
	slices.SortStableFunc(points, func(a, b point) int {
		switch {
		case a.us == nil || b.us == nil: // those without a time last
			return cmp.Compare(known(b.us), known(a.us))
		default:
			return cmp.Or(cmp.Compare(time(a), time(b)), byScore(a, b))
		}
	})
	best := -1.0
	for i := range points {
		if p := &points[i]; p.us != nil && p.Score.Mean > best {
			best, p.byTime = p.Score.Mean, true
		}
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Or(cmp.Compare(a.nodes, b.nodes), byScore(a, b)) })
	best = -1.0
	for i := range points {
		if p := &points[i]; p.Score.Mean > best {
			best, p.byNodes = p.Score.Mean, true
		}
	}
	return slices.DeleteFunc(points, func(p point) bool { return !p.byNodes && !p.byTime })
}

func known(v *float64) int {
	if v == nil {
		return 0
	}
	return 1
}

func (in *invocation) printFrontierJSON(points []point) error {
	type entry struct {
		NodesPerMove float64     `json:"nodes_per_move"`
		WallPerMove  *float64    `json:"wall_us_per_move"`
		MeanScore    float64     `json:"mean_score"`
		CI           *[2]float64 `json:"ci"`
		Games        int         `json:"games"`
		Search       string      `json:"search"`
		Run          string      `json:"run"`
		Phase        string      `json:"phase"`
		Candidate    int64       `json:"candidate_id"`
		Name         string      `json:"name"`
		ByNodes      bool        `json:"best_by_nodes"`
		ByTime       bool        `json:"best_by_time"`
	}
	out := []entry{}
	for _, p := range points {
		out = append(out, entry{p.nodes, p.us, p.Score.Mean, bounded(stats.MeanInterval(p.Score, 0.95)), p.Score.N, p.Search, p.Run, p.Phase,
			p.Candidate, p.Name, p.byNodes, p.byTime})
	}
	return writeJSON(in.stdout, out)
}

// searchTexts are the searches asked for; "" for all.
func (c compareFlags) searchTexts() []string {
	if len(c.searches) == 0 {
		return []string{""}
	}
	var texts []string
	for _, s := range c.searches {
		texts = append(texts, s.String())
	}
	return texts
}

// assumedSpread is what the standard deviation of the scores is taken to be where nothing is measured, in units of
// their mean.
const assumedSpread = 0.5

// plannedSearch is how many games a comparison needs at a search.
type plannedSearch struct {
	Search   string  `json:"search"`
	Spread   float64 `json:"spread"`         // standard deviation of the scores in units of their mean
	Measured int     `json:"measured_games"` // that it is measured on; 0: it is assumed
	Fixed    int     `json:"games_fixed"`    // of each player, in a test of fixed size
	Equal    int     `json:"games_equal"`    // sequential, on average, where the players are equal
	Differ   int     `json:"games_differ"`   // where they differ by as much
	Most     int     `json:"games_most"`     // at most
}

// planComparison prints how many games each player needs to tell a difference.
func (in *invocation) planComparison(ctx context.Context, c compareFlags, arguments []string) error {
	samples, order, err := in.heldOutSamples(ctx, c, arguments)
	if err != nil {
		return err
	}
	plan := c.plan
	if n := len(arguments); n > 2 {
		plan.Level /= float64(n * (n - 1) / 2)
	}
	if err := plan.Validate(); err != nil {
		return usagef("compare: -%w", err)
	}
	design := plan.Design()
	rows := []plannedSearch{}
	for _, search := range order {
		row := plannedSearch{Search: search, Spread: assumedSpread}
		if spread := stats.Spread(samples[search]...); spread > 0 && len(samples[search]) > 0 {
			row.Spread = spread
			for _, m := range samples[search] {
				row.Measured += m.N
			}
		}
		row.Fixed = stats.FixedGames(plan.Difference, row.Spread, plan.Level, plan.Power)
		row.Most = design.Games(plan.Looks, row.Spread)
		row.Equal = int(design.Characteristics(0).Games*float64(row.Most) + 0.5)
		row.Differ = int(design.Characteristics(plan.Difference).Games*float64(row.Most) + 0.5)
		rows = append(rows, row)
	}
	if c.asJSON {
		return writeJSON(in.stdout, struct {
			Difference float64         `json:"smallest_difference"`
			Level      float64         `json:"level"`
			Power      float64         `json:"power"`
			Searches   []plannedSearch `json:"searches"`
		}{plan.Difference, c.plan.Level, plan.Power, rows})
	}
	fmt.Fprintf(in.stdout, "games of each player to tell a difference of %.6g%%, level %.6g%%, power %.6g%%:\n",
		100*plan.Difference, 100*c.plan.Level, 100*plan.Power)
	table := tabwriter.NewWriter(in.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "search\tsd/mean\tfixed size\tsequential: on average if they differ so\tif they are equal\tat most")
	for _, r := range rows {
		source := fmt.Sprintf("%.3f (assumed)", r.Spread)
		if r.Measured > 0 {
			source = fmt.Sprintf("%.3f (%s)", r.Spread, plural(r.Measured, "game"))
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%d\n", r.Search, source, r.Fixed, r.Differ, r.Equal, r.Most)
	}
	return table.Flush()
}

// heldOutSamples returns the scores of held-out games by search: of the searches asked for, or else of the first
// player's, or else of all in the database; and the searches in their order.
func (in *invocation) heldOutSamples(ctx context.Context, c compareFlags, arguments []string) (samples map[string][]stats.Moments, order []string, err error) {
	reader, err := readExisting(c.database)
	if err != nil {
		return nil, nil, err
	}
	if reader != nil {
		defer func() { err = errors.Join(err, reader.Close()) }()
	}
	if len(arguments) > 0 {
		contenders, err := in.contenders(ctx, c, reader, arguments)
		if err != nil {
			return nil, nil, err
		}
		if len(c.searches) == 0 {
			c.searches = contenders[0].searches
		}
	}
	samples = map[string][]stats.Moments{}
	if len(c.searches) > 0 {
		order = c.searchTexts()
	}
	for _, search := range c.searchTexts() {
		if reader == nil {
			break
		}
		found, err := reader.HeldOutGames(ctx, search)
		if err != nil {
			return nil, nil, err
		}
		for _, m := range found {
			if !slices.Contains(order, m.Search) {
				order = append(order, m.Search)
			}
			samples[m.Search] = append(samples[m.Search], m.Score)
		}
	}
	if len(order) == 0 {
		order = []string{"any"}
	}
	return samples, order, nil
}
