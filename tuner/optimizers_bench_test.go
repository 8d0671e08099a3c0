//go:build cgo

package tuner_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
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

// suite is where BenchmarkOptimizers keeps its results.
var suite = flag.String("suite", "", "keep the results of BenchmarkOptimizers in this `folder`, go on from them, and write table.md there")

// rivals are other programs' optimizers that tune through tune eval, by name. Each is a command
// that gets a config, a number of games and a seed.
var rivals = map[string]string{
	"tpe":   `/usr/bin/python3 testdata/optuna_eval.py -tune "$TUNE" -config "$1" -games $2 -seed $3`,
	"cmaes": `/usr/bin/python3 testdata/optuna_eval.py -sampler cma_es -tune "$TUNE" -config "$1" -games $2 -seed $3`,
	"irace": `Rscript testdata/irace_eval.R "$1" $2 $3`,
}

// judgedGames are the fresh games of each champion, the same for all.
const judgedGames = 1000

// BenchmarkOptimizers compares our algorithms, and those of other programs that are installed. Each
// tunes the same problem with the same number of games: the playoff's are among them, validation
// and ablation are none. -benchtime 10x makes ten runs of each, from other seeds. It reports the
// mean over the runs of the champion's fitness on fresh games, with the ends of its 95% interval,
// the median and the worst. With -suite it goes on where it was interrupted.
//
// The problems are three shipped heuristics, and the configs of testdata/suite. Each config says
// why it is there.
func BenchmarkOptimizers(b *testing.B) {
	problems := []string{"quickstart", "combined", "best-squares"}
	files, err := filepath.Glob("testdata/suite/*.yaml")
	if err != nil {
		b.Fatal(err)
	}
	c := contest{folder: *suite, found: map[string][]float64{}}
	if c.folder == "" {
		c.folder = b.TempDir()
	}
	for _, name := range append(problems, files...) {
		base, err := config.LoadEmbedded(name)
		if filepath.Ext(name) != "" {
			base, err = config.Load(name)
		}
		if err != nil {
			b.Fatal(err)
		}
		for _, algorithm := range append(tuner.Algorithms(), slices.Sorted(maps.Keys(rivals))...) {
			for _, games := range []int{1000, 2500, 5000, 10_000, 40_000, 100_000, 300_000} {
				b.Run(fmt.Sprintf("%s/%s/%d", base.Name, algorithm, games), func(b *testing.B) {
					var found []float64
					for repeat := 0; b.Loop(); repeat++ {
						found = append(found, c.champion(b, base, algorithm, games, repeat))
					}
					c.found[b.Name()] = found
					b.ReportMetric(0, "ns/op") // the time says little: what counts is games
					all := momentsOf(found)
					b.ReportMetric(all.Mean, "fitness")
					sorted := slices.Sorted(slices.Values(found))
					b.ReportMetric((sorted[(len(sorted)-1)/2]+sorted[len(sorted)/2])/2, "median")
					b.ReportMetric(sorted[0], "worst")
					if i := stats.MeanInterval(all, 0.95); i.Bounded() {
						b.ReportMetric(i.Low, "low")
						b.ReportMetric(i.High, "high")
					}
				})
			}
		}
	}
	if err := os.WriteFile(filepath.Join(c.folder, "table.md"), []byte(c.table()), 0o644); err != nil {
		b.Fatal(err)
	}
}

// contest has the results of the optimizers.
type contest struct {
	folder string
	found  map[string][]float64 // the champions' fitness by benchmark
	tune   string               // the program, once it is built
}

// champion returns the fitness of an optimizer's champion on fresh games. It is kept in a file.
func (c *contest) champion(b *testing.B, base *config.Config, algorithm string, games, repeat int) float64 {
	name := fmt.Sprintf("%s-%s-%d-%d", base.Name, algorithm, games, repeat+1)
	path := filepath.Join(c.folder, name+".json")
	var kept struct {
		Weights map[string]float64
		Played  int64 // games, of tuning and playoff
		Fitness float64
	}
	if data, err := os.ReadFile(path); err == nil && json.Unmarshal(data, &kept) == nil {
		return kept.Fitness
	}
	problem := must(benchmarkConfig(base, name, algorithm, games, repeat))(b)
	if command, other := rivals[algorithm]; other {
		kept.Weights, kept.Played = c.rival(b, problem, command, games, repeat), int64(games)
	} else {
		kept.Weights, kept.Played = tuned(b, problem)
	}
	pool := simulator.NewPool(runtime.NumCPU())
	vector := must(problem.Vector(kept.Weights))(b)
	s := must(experiments.PlayHeldOut(b.Context(), problem, "contest", pool, problem.Form().Player(vector), problem.Stages[0].Search, judgedGames, nil))(b)
	kept.Fitness = s.Fitness.Mean
	data := must(json.Marshal(kept))(b)
	must(0, os.WriteFile(path, data, 0o644))(b)
	return kept.Fitness
}

// tuned returns the weights of the champion of an experiment, and the games of tuning and playoff.
func tuned(b *testing.B, c *config.Config) (weights map[string]float64, played int64) {
	store := must(results.Open(filepath.Join(b.TempDir(), "tune.db")))(b)
	defer store.Close()
	run := must(experiments.Experiment{Config: c, Store: store, Simulator: simulator.NewPool(runtime.NumCPU())}.Run(b.Context()))(b)
	stored := must(store.Reader().Run(b.Context(), run.ID))(b)
	champion := must(store.Reader().Candidate(b.Context(), run.ID, stored.Champion))(b)
	weights = map[string]float64{}
	for _, w := range champion.Weights {
		weights[w.Name] = w.Value
	}
	for _, e := range must(store.Reader().Evaluations(b.Context(), run.ID))(b) {
		if e.Phase == experiments.PhaseTuning || e.Phase == experiments.PhasePlayoff {
			played += int64(len(e.Scores))
		}
	}
	return weights, played
}

// rival returns the weights that another program's optimizer found.
func (c *contest) rival(b *testing.B, problem *config.Config, command string, games, repeat int) (weights map[string]float64) {
	if c.tune == "" {
		c.tune = filepath.Join(must(os.MkdirTemp("", "contest-"))(b), "tune")
		if out, err := exec.Command("go", "build", "-o", c.tune, "tune2048/cmd/tune").CombinedOutput(); err != nil {
			b.Fatalf("build tune: %v\n%s", err, out)
		}
	}
	path := filepath.Join(b.TempDir(), "problem.yaml")
	must(0, os.WriteFile(path, problem.YAML(), 0o644))(b)
	run := exec.CommandContext(b.Context(), "sh", "-c", command, "sh", path, fmt.Sprint(games), fmt.Sprint(repeat+1))
	run.Env = append(os.Environ(), "TUNE="+c.tune)
	var said strings.Builder
	run.Stderr = &said
	out, err := run.Output()
	if err != nil {
		b.Skipf("%v\n%s", err, said.String())
	}
	must(0, json.Unmarshal(out, &weights))(b)
	return weights
}

// must returns a value, or ends the benchmark with the error.
func must[T any](value T, err error) func(*testing.B) T {
	return func(b *testing.B) T {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
		return value
	}
}

func momentsOf(values []float64) (m stats.Moments) {
	for _, x := range values {
		m.Add(x)
	}
	return m
}

// table writes the means of the champions with 95% intervals, a table for each number of games. The
// last row has the geometric mean of the ratio to auto. A star follows who is better or worse than
// auto on a problem, by Welch's test after Holm for the whole table.
func (c *contest) table() string {
	names := slices.Sorted(maps.Keys(c.found))
	part := func(name string, at int) string { return strings.Split(name, "/")[at] }
	var text strings.Builder
	for _, games := range []string{"1000", "2500", "5000", "10000", "40000", "100000", "300000"} {
		var problems, algorithms []string
		for _, name := range names {
			if part(name, 3) != games {
				continue
			}
			if p := part(name, 1); !slices.Contains(problems, p) {
				problems = append(problems, p)
			}
			if a := part(name, 2); !slices.Contains(algorithms, a) {
				algorithms = append(algorithms, a)
			}
		}
		of := func(problem, algorithm string) stats.Moments {
			return momentsOf(c.found["BenchmarkOptimizers/"+problem+"/"+algorithm+"/"+games])
		}
		var p []float64
		for _, problem := range problems {
			for _, algorithm := range algorithms[1:] {
				p = append(p, stats.MeanP(of(problem, algorithm), of(problem, "auto"), stats.Pairs{}))
			}
		}
		adjusted := stats.Holm(p)
		if len(problems) > 0 {
			fmt.Fprintf(&text, "\n| %s games | %s |\n|---%s|\n", games, strings.Join(algorithms, " | "), strings.Repeat("|---", len(algorithms)))
		}
		ratios := map[string]float64{}
		for _, problem := range problems {
			fmt.Fprintf(&text, "| %s |", problem)
			for i, algorithm := range algorithms {
				m, star := of(problem, algorithm), ""
				if ratios[algorithm] += math.Log(m.Mean / of(problem, "auto").Mean); i > 0 {
					if adjusted[0] <= 0.05 {
						star = "*"
					}
					adjusted = adjusted[1:]
				}
				scale, i := 1.0, stats.MeanInterval(m, 0.95)
				if m.Mean > 1000 {
					scale = 1000
				}
				fmt.Fprintf(&text, " %.3g%s [%.3g, %.3g] |", m.Mean/scale, star, i.Low/scale, i.High/scale)
			}
			text.WriteString("\n")
		}
		if len(problems) > 0 {
			text.WriteString("| all, by `auto` |")
			for _, algorithm := range algorithms {
				fmt.Fprintf(&text, " %.3f |", math.Exp(ratios[algorithm]/float64(len(problems))))
			}
			text.WriteString("\n")
		}
	}
	return text.String()
}

// written are the keys of a config that benchmarkConfig writes.
var written = regexp.MustCompile(`(?m)^(name|seed|search|optimizer|stages|playoff|validation|ablation|references):.*\n(  .*\n)*`)

// benchmarkConfig is the config of a user who has so many games in all, and keeps a tenth of them
// for the playoff. The rest of the tuning is left to the algorithm.
func benchmarkConfig(base *config.Config, name, algorithm string, games, repeat int) (*config.Config, error) {
	seed := portable.Hash(base.Seed, "bench", repeat) >> 11
	if rivals[algorithm] != "" {
		algorithm = "auto"
	}
	kept := games / 10
	finalists := max(2+(games-kept)/2500, 2+len(base.Starts)) // as is done where it is left out
	text := fmt.Sprintf("%sseed: %d\nsearch: %s\noptimizer: {algorithm: %s}\nstages: [{name: tune, max_games: %d}]\nplayoff: {games: %d}\nvalidation: {games: 20}\nablation: {games: 0}\n",
		written.ReplaceAllString(string(base.YAML()), ""), seed, key.Writer{}.Text(&base.Validation.Search[0].Settings), algorithm, games-kept, max(2, kept/min(8, finalists)))
	return config.Parse([]byte(text), name+".yaml")
}
