package tuner_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
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
	"tune2048/tuner"
)

// suite is where BenchmarkOptimizers keeps its results.
var suite = flag.String("suite", "", "keep the results of BenchmarkOptimizers in this `folder`, go on from them, and write table.md there")

// ours is the command of our algorithms. It gets a config.
const ours = `"$TUNE" -config "$1" -db "$1.db" >&2 && "$TUNE" export -format flat -db "$1.db"`

// rivals are other programs' optimizers that tune through tune eval, by name. Each is a command
// that gets a config, a number of games and a seed.
var rivals = map[string]string{
	"tpe":    python("tpe"),
	"cmaes":  python("cmaes"),
	"pycma":  python("pycma"),
	"random": python("random"),
	"irace":  `Rscript testdata/irace_eval.R "$1" $2 $3`,
	"eaopt":  `go run ./testdata/eaopt_eval "$1" $2 $3`,
}

func python(rival string) string {
	return `/usr/bin/python3 testdata/rivals.py ` + rival + ` -tune "$TUNE" -config "$1" -games $2 -seed $3`
}

// optimizers are all: ours, auto first, and the rivals.
func optimizers() []string { return append(tuner.Algorithms(), slices.Sorted(maps.Keys(rivals))...) }

// judgedGames are the fresh games of each champion, the same for all.
const judgedGames = 1000

// BenchmarkOptimizers compares our algorithms, and those of other programs that are installed. Each
// tunes the same problem with the same number of games. Ours and Optuna keep a tenth of them for a
// playoff. Rivals search a range of scale ratio linearly, so their figures are not like for like.
// -benchtime 10x makes ten runs of each, from other seeds. It reports the mean over the runs of the
// champion's fitness on fresh games. With -suite it goes on where it was interrupted.
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
		for _, algorithm := range optimizers() {
			for _, games := range []int{1000, 2500, 5000, 10_000, 40_000, 100_000, 300_000} {
				b.Run(fmt.Sprintf("%s/%s/%d", base.Name, algorithm, games), func(b *testing.B) {
					var found []float64
					for repeat := 0; b.Loop(); repeat++ {
						found = append(found, c.champion(b, base, algorithm, games, repeat))
					}
					c.found[b.Name()] = found
					b.ReportMetric(0, "ns/op") // the time says little: what counts is games
					b.ReportMetric(momentsOf(found).Mean, "fitness")
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
		Fitness float64
	}
	if data, err := os.ReadFile(path); err == nil && json.Unmarshal(data, &kept) == nil {
		return kept.Fitness
	}
	problem := must(benchmarkConfig(base, name, algorithm, games, repeat))(b)
	kept.Weights = c.tuned(b, problem, cmp.Or(rivals[algorithm], ours), games, repeat)
	vector := must(problem.Vector(kept.Weights, problem.Heuristic.Dead))(b)
	pool := simulator.NewPool(runtime.NumCPU())
	s := must(experiments.PlayHeldOut(b.Context(), problem, "contest", pool, problem.Form().Player(vector), problem.Stages[0].Search, judgedGames, nil))(b)
	kept.Fitness = s.Fitness.Mean
	data := must(json.Marshal(kept))(b)
	must(0, os.WriteFile(path, data, 0o644))(b)
	return kept.Fitness
}

// tuned returns the weights that an optimizer's command found.
func (c *contest) tuned(b *testing.B, problem *config.Config, command string, games, repeat int) (weights map[string]float64) {
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

// table writes the means of the champions with 95% intervals, a row for each problem and number of
// games. A star follows who is better than auto in a row, and a dagger who is worse: by Welch's
// test after Holm for the whole table.
func (c *contest) table() string {
	columns := slices.DeleteFunc(optimizers(), func(name string) bool {
		return name != "auto" && !slices.ContainsFunc(slices.Collect(maps.Keys(c.found)), func(row string) bool { return strings.Contains(row, "/"+name+"/") })
	})
	type cell struct{ problem, algorithm, games string }
	of := map[cell]stats.Moments{}
	var rows []cell
	for name, found := range c.found {
		part := strings.Split(name, "/")
		of[cell{part[1], part[2], part[3]}] = momentsOf(found)
		if row := (cell{part[1], "", part[3]}); !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b cell) int {
		return cmp.Or(cmp.Compare(len(a.games), len(b.games)), strings.Compare(a.games, b.games), strings.Compare(a.problem, b.problem))
	})
	var p []float64
	for _, row := range rows {
		for _, algorithm := range columns[1:] {
			p = append(p, stats.MeanP(of[cell{row.problem, algorithm, row.games}], of[cell{row.problem, "auto", row.games}], stats.Pairs{}))
		}
	}
	adjusted := stats.Holm(p)
	var text strings.Builder
	fmt.Fprintf(&text, "| games | problem | %s |\n|---|---%s|\n", strings.Join(columns, " | "), strings.Repeat("|---", len(columns)))
	for _, row := range rows {
		fmt.Fprintf(&text, "| %s | %s |", row.games, row.problem)
		auto := of[cell{row.problem, "auto", row.games}].Mean
		for i, algorithm := range columns {
			m, mark := of[cell{row.problem, algorithm, row.games}], ""
			if i > 0 {
				if adjusted[0] <= 0.05 {
					mark = map[bool]string{true: "*", false: "†"}[m.Mean > auto]
				}
				adjusted = adjusted[1:]
			}
			if m.N == 0 {
				text.WriteString(" |")
				continue
			}
			scale, i := 1.0, stats.MeanInterval(m, 0.95)
			if m.Mean > 1000 {
				scale = 1000
			}
			fmt.Fprintf(&text, " %.3g%s [%.3g, %.3g] |", m.Mean/scale, mark, i.Low/scale, i.High/scale)
		}
		text.WriteString("\n")
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
