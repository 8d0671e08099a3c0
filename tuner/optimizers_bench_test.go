//go:build cgo

package tuner_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/key"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/results"
	"tune2048/tuner"
)

// suite is where BenchmarkOptimizers keeps its runs.
var suite = flag.String("suite", "", "keep the runs of BenchmarkOptimizers in this `folder`, and go on from them")

// BenchmarkOptimizers compares the algorithms: each tunes the same problem with the same number of
// games. -benchtime 10x makes ten runs of each, from other seeds. It reports the mean over the runs
// of the champion's fitness on held-out games, with the ends of its 95% interval, the median and
// the worst. With -suite it goes on where it was interrupted.
//
// The problems are three shipped heuristics, and the configs of testdata/suite. Each config says
// why it is there.
func BenchmarkOptimizers(b *testing.B) {
	problems := []string{"quickstart", "combined", "best-squares"}
	files, err := filepath.Glob("testdata/suite/*.yaml")
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range append(problems, files...) {
		base, err := config.LoadEmbedded(name)
		if filepath.Ext(name) != "" {
			base, err = config.Load(name)
		}
		if err != nil {
			b.Fatal(err)
		}
		for _, algorithm := range tuner.Algorithms() {
			for _, games := range []int{1000, 2500, 5000, 10_000, 40_000, 100_000, 300_000} {
				b.Run(fmt.Sprintf("%s/%s/%d", base.Name, algorithm, games), func(b *testing.B) {
					fitness := tuneOften(b, base, algorithm, games)
					var champions stats.Moments
					for _, f := range fitness {
						champions.Add(f)
					}
					b.ReportMetric(0, "ns/op") // the time says little: what counts is games
					b.ReportMetric(champions.Mean, "fitness")
					slices.Sort(fitness)
					b.ReportMetric((fitness[(len(fitness)-1)/2]+fitness[len(fitness)/2])/2, "median")
					b.ReportMetric(fitness[0], "worst")
					if i := stats.MeanInterval(champions, 0.95); i.Bounded() {
						b.ReportMetric(i.Low, "low")
						b.ReportMetric(i.High, "high")
					}
				})
			}
		}
	}
}

// tuneOften returns the held-out fitness of the champions.
func tuneOften(b *testing.B, base *config.Config, algorithm string, games int) (champions []float64) {
	folder := *suite
	if folder == "" {
		folder = b.TempDir()
	}
	store, err := results.Open(filepath.Join(folder, "suite.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	pool := simulator.NewPool(runtime.NumCPU())
	for repeat := 0; b.Loop(); repeat++ {
		config, err := benchmarkConfig(base, algorithm, games, repeat)
		if err != nil {
			b.Fatal(err)
		}
		run, err := experiments.Experiment{Config: config, Store: store, Simulator: pool}.Run(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		stored, err := store.Reader().Run(b.Context(), run.ID)
		if err != nil {
			b.Fatal(err)
		}
		champions = append(champions, stored.Headline.Champions()[0].Fitness.Value)
	}
	return champions
}

// written are the keys of a config that benchmarkConfig writes.
var written = regexp.MustCompile(`(?m)^(name|seed|search|optimizer|stages|playoff|validation|ablation|references):.*\n(  .*\n)*`)

// benchmarkConfig is the config of a user who writes the algorithm, max_games and nothing else of
// the tuning and the playoff. Games are those of the tuning.
func benchmarkConfig(base *config.Config, algorithm string, games, repeat int) (*config.Config, error) {
	name := fmt.Sprintf("%s-%s-%d-%d", base.Name, algorithm, games, repeat+1)
	seed := portable.Hash(base.Seed, "bench", repeat) >> 11 // the same held-out games for all algorithms and lengths
	held := max(1000, games/10)                             // a longer search is judged more exactly
	text := fmt.Sprintf("%sseed: %d\nsearch: %s\noptimizer: {algorithm: %s}\nstages: [{name: tune, max_games: %d}]\nvalidation: {games: %d}\nablation: {games: 0}\n",
		written.ReplaceAllString(string(base.YAML()), ""), seed, key.Writer{}.Text(&base.Validation.Search[0].Settings), algorithm, games, held)
	return config.Parse([]byte(text), name+".yaml")
}
