package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
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

// optimizersBenchmark compares optimizers: each tunes the same heuristic with the same number of games, several times from other
// seeds, and what counts is the champion's mean score on held-out games. Every run is an ordinary one, in the database.
type optimizersBenchmark struct {
	base       *configs.Config
	algorithms []string
	budgets    []int // games of tuning and playoff together
	repeats    int
	validation int // held-out games of each champion
	workers    int
}

// optimizersResult is the JSON that is printed.
type optimizersResult struct {
	Config string            `json:"config"`
	Search string            `json:"search"`
	Start  float64           `json:"start_mean_score"`
	Cells  []optimizerResult `json:"results"`
}

// optimizerResult is an algorithm with a budget.
type optimizerResult struct {
	Algorithm string      `json:"algorithm"`
	Games     int         `json:"games"`
	Means     []float64   `json:"mean_scores"` // held-out, by repeat
	Mean      float64     `json:"mean_score"`
	CI        *[2]float64 `json:"ci"` // 95%, over repeats
}

func (in *invocation) benchOptimizers(ctx context.Context, list, budgets, path, database string, b optimizersBenchmark, asJSON bool) error {
	var err error
	if b.base, err = in.optimizersConfig(path); err != nil {
		return err
	}
	for _, name := range strings.Split(list, ",") {
		if !slices.Contains(tuner.Algorithms(), name) {
			return usagef("bench: -optimizers: want a list of %s, got %q", strings.Join(tuner.Algorithms(), ", "), name)
		}
		b.algorithms = append(b.algorithms, name)
	}
	for _, text := range strings.Split(budgets, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1000 || n > 10_000_000 {
			return usagef("bench: -games: want a list of 1000 to 10000000, got %q", text)
		}
		b.budgets = append(b.budgets, n)
	}
	if b.repeats < 2 || b.repeats > 1000 {
		return usagef("bench: -repeats: want 2 to 1000, got %d", b.repeats)
	}
	if b.validation < 100 || b.validation > 10_000_000 {
		return usagef("bench: -validation: want 100 to 10000000 games, got %d", b.validation)
	}
	store, err := results.Open(database)
	if err != nil {
		return err
	}
	defer store.Close()
	result, err := b.run(ctx, in, store)
	if err != nil {
		return err
	}
	if asJSON {
		e := json.NewEncoder(in.stdout)
		e.SetIndent("", "  ")
		return e.Encode(result)
	}
	return in.printOptimizers(b, result)
}

// optimizersConfig returns the config that the optimizers tune: the quickstart unless another is named.
func (in *invocation) optimizersConfig(path string) (*configs.Config, error) {
	if path == "" {
		return configs.LoadEmbedded("quickstart")
	}
	return in.load(path)
}

func (b optimizersBenchmark) run(ctx context.Context, in *invocation, store experiments.Store) (*optimizersResult, error) {
	r := &optimizersResult{Config: b.base.Name, Search: b.base.Validation.Search[0].String()}
	cells := map[string]*optimizerResult{}
	simulate := simulator.NewPool(b.workers)
	for repeat := range b.repeats {
		for _, budget := range b.budgets {
			for _, algorithm := range b.algorithms {
				fmt.Fprintf(in.stderr, "repeat %d/%d, %d games, %s\n", repeat+1, b.repeats, budget, algorithm)
				config, err := b.config(algorithm, budget, repeat)
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
					cells[key] = &optimizerResult{Algorithm: algorithm, Games: budget}
				}
				cells[key].Means = append(cells[key].Means, v.Champion.Score.Mean)
				r.Start += v.Start.Score.Mean / float64(b.repeats*len(b.budgets)*len(b.algorithms))
			}
		}
	}
	for _, budget := range b.budgets {
		for _, algorithm := range b.algorithms {
			cell := cells[fmt.Sprint(algorithm, budget)]
			m := stats.Summarize(cell.Means)
			cell.Mean, cell.CI = m.Mean, bounded(stats.MeanInterval(m, 0.95))
			r.Cells = append(r.Cells, *cell)
		}
	}
	return r, nil
}

// fitted are the sections of a config that hold what fits its budget.
var fitted = regexp.MustCompile(`(?m)^(optimizer|restarts|stages|playoff):.*\n(  .*\n)*`)

// config makes a run of the benchmark out of the base, with an identity of its own: what a user gets who writes the algorithm,
// max_games and nothing else of these sections. What the playoff takes of the budget is a tenth of what the tuning does.
func (b optimizersBenchmark) config(algorithm string, budget, repeat int) (*configs.Config, error) {
	x := *b.base
	x.Name = fmt.Sprintf("bench-%s-%d-%d", algorithm, budget, repeat+1)
	x.Seed = portable.Hash(b.base.Seed, "bench", repeat) >> 11 // the same held-out games for all algorithms and budgets
	x.Search = b.base.Validation.Search[0].Settings
	x.Validation = configs.Validation{Games: b.validation, Search: []configs.ValidatedSearch{{Settings: x.Search}}}
	x.Ablation.Games, x.References = 0, nil
	text := fmt.Sprintf("%soptimizer: {algorithm: %s}\nstages: [{name: tune, max_games: %d}]\n",
		fitted.ReplaceAllString(string(x.YAML()), ""), algorithm, budget*10/11)
	return configs.Parse([]byte(text), x.Name+".yaml")
}

func (in *invocation) printOptimizers(b optimizersBenchmark, r *optimizersResult) error {
	fmt.Fprintf(in.stdout, "%s at %s: mean score of the champion on %d held-out games, mean of %d repeats with 95%% interval; start weights %.0f\n\n",
		r.Config, r.Search, b.validation, b.repeats, r.Start)
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
