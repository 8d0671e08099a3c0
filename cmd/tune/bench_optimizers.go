package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"tune2048/configs"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/results"
	"tune2048/tuner"
)

// contest compares optimizers: each tunes the same heuristic with the same number of games, several times from other
// seeds, and what counts is the champion's mean score on held-out games. Every run is an ordinary one, in the database.
type contest struct {
	base       *configs.Config
	algorithms []string
	budgets    []int // games of tuning and playoff together
	repeats    int
	validation int // held-out games of each champion
	workers    int
}

// The shape of a contest's runs: few games a candidate, a fifth of all games for the playoff.
const (
	contestGames     = 8
	contestRounds    = 2
	contestFinalists = 5 // the start weights among them
)

// contestResult is the JSON that is printed.
type contestResult struct {
	Config string       `json:"config"`
	Search string       `json:"search"`
	Start  float64      `json:"start_mean_score"`
	Cells  []contestant `json:"results"`
}

// contestant is an algorithm with a budget.
type contestant struct {
	Algorithm string      `json:"algorithm"`
	Games     int         `json:"games"`
	Means     []float64   `json:"mean_scores"` // held-out, by repeat
	Mean      float64     `json:"mean_score"`
	CI        *[2]float64 `json:"ci"` // 95%, over repeats
}

func (in *invocation) contest(ctx context.Context, list, budgets, path, database string, c contest, asJSON bool) error {
	var err error
	if c.base, err = in.contestConfig(path); err != nil {
		return err
	}
	for _, name := range strings.Split(list, ",") {
		if !slices.Contains(tuner.Algorithms(), name) {
			return usagef("bench: -optimizers: want a list of %s, got %q", strings.Join(tuner.Algorithms(), ", "), name)
		}
		c.algorithms = append(c.algorithms, name)
	}
	for _, text := range strings.Split(budgets, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1000 || n > 10_000_000 {
			return usagef("bench: -games: want a list of 1000 to 10000000, got %q", text)
		}
		c.budgets = append(c.budgets, n)
	}
	if c.repeats < 2 || c.repeats > 1000 {
		return usagef("bench: -repeats: want 2 to 1000, got %d", c.repeats)
	}
	if c.validation < 100 || c.validation > 10_000_000 {
		return usagef("bench: -validation: want 100 to 10000000 games, got %d", c.validation)
	}
	store, err := results.Open(database)
	if err != nil {
		return err
	}
	defer store.Close()
	result, err := c.run(ctx, in, store)
	if err != nil {
		return err
	}
	if asJSON {
		e := json.NewEncoder(in.stdout)
		e.SetIndent("", "  ")
		return e.Encode(result)
	}
	return in.printContest(c, result)
}

// contestConfig returns the config that the optimizers tune: the quickstart unless another is named.
func (in *invocation) contestConfig(path string) (*configs.Config, error) {
	if path == "" {
		return configs.LoadEmbedded("quickstart")
	}
	return in.load(path)
}

func (c contest) run(ctx context.Context, in *invocation, store experiments.Store) (*contestResult, error) {
	r := &contestResult{Config: c.base.Name, Search: c.base.Search.String()}
	cells := map[string]*contestant{}
	simulate := simulator.NewPool(c.workers)
	for repeat := range c.repeats {
		for _, budget := range c.budgets {
			for _, algorithm := range c.algorithms {
				fmt.Fprintf(in.stderr, "repeat %d/%d, %d games, %s\n", repeat+1, c.repeats, budget, algorithm)
				config, err := c.config(algorithm, budget, repeat)
				if err != nil {
					return nil, err
				}
				result, err := experiments.Experiment{Config: config, Store: store, Simulator: simulate}.Run(ctx)
				if err != nil {
					return nil, err
				}
				v := result.Validated[0]
				key := fmt.Sprint(algorithm, budget)
				if cells[key] == nil {
					cells[key] = &contestant{Algorithm: algorithm, Games: budget}
				}
				cells[key].Means = append(cells[key].Means, v.Champion.Score.Mean)
				r.Start += v.Start.Score.Mean / float64(c.repeats*len(c.budgets)*len(c.algorithms))
			}
		}
	}
	for _, budget := range c.budgets {
		for _, algorithm := range c.algorithms {
			cell := cells[fmt.Sprint(algorithm, budget)]
			m := stats.Summarize(cell.Means)
			cell.Mean, cell.CI = m.Mean, bounded(stats.MeanInterval(m, 0.95))
			r.Cells = append(r.Cells, *cell)
		}
	}
	return r, nil
}

// config makes a run of the contest out of the base: an experiment of its own, through the config's text so that it is
// checked and identified like any other.
func (c contest) config(algorithm string, budget, repeat int) (*configs.Config, error) {
	x := *c.base
	x.Name = fmt.Sprintf("bench-%s-%d-%d", algorithm, budget, repeat+1)
	x.Seed = portable.Hash(c.base.Seed, "bench", budget, repeat) >> 11
	x.Optimizer, x.Restarts = tuner.Defaults(algorithm), 1
	playoff := budget / 5 / contestFinalists
	tuning := budget - playoff*contestFinalists
	if algorithm == tuner.SPSA {
		x.Optimizer.Iterations = max(1, tuning/(contestGames*x.Optimizer.Population))
	}
	x.Stages = []configs.Stage{{
		Name: "tune", Search: c.base.Search, Generations: max(1, tuning/contestGames), Games: contestGames, Rounds: contestRounds, MaxGames: tuning,
	}}
	x.Playoff = configs.Playoff{Finalists: contestFinalists, Games: playoff, Rounds: min(5, playoff), Search: c.base.Search}
	x.Validation.Games, x.Validation.Search = c.validation, x.Validation.Search[:1]
	x.Sensitivity.Games, x.References = 0, nil
	return configs.Parse(x.YAML(), x.Name+".yaml")
}

func (in *invocation) printContest(c contest, r *contestResult) error {
	fmt.Fprintf(in.stdout, "%s at %s: mean score of the champion on %d held-out games, mean of %d repeats with 95%% interval; start weights %.0f\n\n",
		r.Config, r.Search, c.validation, c.repeats, r.Start)
	table := tabwriter.NewWriter(in.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "games\toptimizer\tmean score\t95% interval\tof start")
	for _, cell := range r.Cells {
		i := "[unknown]"
		if cell.CI != nil {
			i = fmt.Sprintf("[%.0f, %.0f]", cell.CI[0], cell.CI[1])
		}
		fmt.Fprintf(table, "%d\t%s\t%.0f\t%s\t%+.0f%%\n", cell.Games, cell.Algorithm, cell.Mean, i, 100*(cell.Mean/r.Start-1))
	}
	return table.Flush()
}
