package tuner_test

import (
	"cmp"
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
	"strconv"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/key"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/tuner"
)

var (
	suite = flag.String("suite", "", "keep the results of BenchmarkOptimizers in this `folder`, go on from them, and "+
		"write table.md and summary.md there")
	heldBack = flag.Bool("kept", false, "play the problems that are kept back, which the final tuner plays once")
)

// ours is the command of our algorithms. It gets a config, and notes the games before validation.
const ours = `"$TUNE" -config "$1" -db "$1.db" >&2 && "$TUNE" export -format flat -db "$1.db" &&
"$TUNE" query -db "$1.db" -json -sql "select sum(games) n from evaluations where phase in ('tuning', 'centre', 'playoff')" >"$1.games"`

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
	return `/usr/bin/python3 testdata/rivals.py ` + rival + ` -tune "$TUNE" -config "$1" -games $2 -seed $3 $RIVAL_FLAGS`
}

// counted is a program that notes the answers of tune eval. They say how many games a rival played.
const counted = "#!/bin/sh\n\"$REAL\" \"$@\" | tee -a \"$GAMES\"\n"

// playedGames are the numbers of games in such notes.
var playedGames = regexp.MustCompile(`"n": ?(\d+)`)

// signature returns the tuner's signature for an algorithm of ours.
func signature(algorithm string) string {
	if rivals[algorithm] != "" {
		return ""
	}
	return experiments.Tuner
}

// optimizers are all: ours, auto first, and the rivals.
func optimizers() []string { return append(tuner.Algorithms(), slices.Sorted(maps.Keys(rivals))...) }

// judgedGames are the fresh games of each champion, the same for all.
const judgedGames = 1000

// BenchmarkOptimizers compares our algorithms, and those of other programs that are installed. Each
// tunes the same problem with the same number of games, and keeps a tenth of them for a playoff,
// but for eaopt. All search on the scales of the config. -benchtime 10x makes ten runs of each,
// from other seeds. It reports the mean over the runs of the champion's fitness on fresh games.
// With -suite it goes on where it was interrupted. With more runs it keeps those that it has. The
// settings of the rivals are chosen on the suite, by the environment: RIVAL_FLAGS="-each 16", with
// a folder of its own, and EACH=4 of irace.
//
// The problems are three shipped heuristics, and the configs of testdata/suite; with -kept the
// problems that are kept back. Each config says why it is there.
func BenchmarkOptimizers(b *testing.B) {
	problems := []string{"quickstart", "combined", "best-squares"}
	folder := "testdata/suite"
	if *heldBack {
		problems, folder = nil, kept
	}
	files := must(filepath.Glob(folder + "/*.yaml"))(b)
	c := contest{folder: *suite, runs: map[contestCell][]contestRun{}, start: map[string]float64{},
		best: map[string]float64{}}
	if c.folder == "" {
		c.folder = b.TempDir()
	}
	if *heldBack {
		c.best, c.runs = bestKnown(b), readRuns(b, kept+"/runs.csv")
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
			for _, games := range []int{500, 1000, 2500, 5000, 10_000, 40_000, 100_000, 300_000} {
				cell := contestCell{base.Name, algorithm, games}
				c.load(cell)
				b.Run(fmt.Sprintf("%s/%s/%d", base.Name, algorithm, games), func(b *testing.B) {
					for repeat := 0; b.Loop(); repeat++ {
						if repeat == len(c.runs[cell]) {
							c.runs[cell] = append(c.runs[cell], c.run(b, base, cell, repeat))
						}
					}
					b.ReportMetric(0, "ns/op") // the time says little: what counts is games
					b.ReportMetric(momentsOf(c.runs[cell]).Mean, "fitness")
				})
			}
		}
		if slices.ContainsFunc(c.rows(), func(row contestCell) bool { return row.problem == base.Name }) {
			c.start[base.Name] = c.startFitness(b, base)
			c.best[base.Name] = max(c.best[base.Name], c.bestFitness(b, base))
		}
	}
	must(0, os.WriteFile(filepath.Join(c.folder, "table.md"), []byte(c.table()), 0o644))(b)
	must(0, os.WriteFile(filepath.Join(c.folder, "summary.md"), []byte(c.summary()), 0o644))(b)
	if *heldBack {
		must(0, os.WriteFile(kept+"/runs.csv", []byte(c.list()), 0o644))(b)
	}
}

// file is the file of a run.
func (c *contest) file(cell contestCell, repeat int) string {
	return filepath.Join(c.folder, fmt.Sprintf("%s-%s-%d-%d.json", cell.problem, cell.algorithm, cell.games, repeat+1))
}

// load reads the runs of a cell that are in files. Those by another tuner of ours do not count.
func (c *contest) load(cell contestCell) {
	for repeat := 0; ; repeat++ {
		var run contestRun
		data, err := os.ReadFile(c.file(cell, repeat))
		if err != nil || json.Unmarshal(data, &run) != nil || run.Tuner != signature(cell.algorithm) {
			return
		}
		if repeat < len(c.runs[cell]) {
			c.runs[cell][repeat] = run // the list lacks the weights
		} else {
			c.runs[cell] = append(c.runs[cell], run)
		}
	}
}

// run has an optimizer tune a problem, and its champion play fresh games. The result is kept in a
// file.
func (c *contest) run(b *testing.B, base *config.Config, cell contestCell, repeat int) contestRun {
	run := contestRun{Tuner: signature(cell.algorithm)}
	name := strings.TrimSuffix(filepath.Base(c.file(cell, repeat)), ".json")
	problem := benchmarkConfig(b, base, name, cell.algorithm, cell.games, repeat)
	run.Weights, run.Games = c.tuned(b, problem.Path, cmp.Or(rivals[cell.algorithm], ours), cell.games, repeat)
	run.Fitness = judged(b, problem.Config, run.Weights, "contest", judgedGames)
	must(0, os.WriteFile(c.file(cell, repeat), must(json.Marshal(run))(b), 0o644))(b)
	return run
}

// startFitness returns the fitness of the start weights. It is kept in a file.
func (c *contest) startFitness(b *testing.B, base *config.Config) (fitness float64) {
	path := filepath.Join(c.folder, base.Name+"-start.json")
	if data, err := os.ReadFile(path); err == nil && json.Unmarshal(data, &fitness) == nil {
		return fitness
	}
	fitness = judged(b, base, nil, "contest", 10*judgedGames)
	must(0, os.WriteFile(path, must(json.Marshal(fitness))(b), 0o644))(b)
	return fitness
}

// bestFitness returns the fitness of a problem's best champion. The best of many on the same games
// is partly lucky, so it plays others. The result is kept in a file.
func (c *contest) bestFitness(b *testing.B, base *config.Config) float64 {
	var best, known contestRun
	for cell, runs := range c.runs {
		for _, r := range runs {
			if cell.problem == base.Name && r.Weights != nil && (best.Weights == nil || r.Fitness > best.Fitness) {
				best = r
			}
		}
	}
	if best.Weights == nil {
		return math.Inf(-1)
	}
	path := filepath.Join(c.folder, base.Name+"-best.json")
	if data, err := os.ReadFile(path); err == nil && json.Unmarshal(data, &known) == nil &&
		maps.Equal(known.Weights, best.Weights) {
		return known.Fitness
	}
	best.Fitness, best.Games = judged(b, base, best.Weights, "best", 10*judgedGames), 10*judgedGames
	must(0, os.WriteFile(path, must(json.Marshal(best))(b), 0o644))(b)
	return best.Fitness
}

// judged returns the fitness of weights on fresh games; of the start where a weight is left out.
func judged(b *testing.B, problem *config.Config, weights map[string]float64, salt string, games int) float64 {
	vector := must(problem.Vector(weights, problem.Heuristic.Dead))(b)
	pool := simulator.NewPool(runtime.NumCPU())
	s := must(experiments.PlayHeldOut(b.Context(), problem, salt, pool, problem.Form().Player(vector),
		problem.Stages[0].Search, games, nil))(b)
	return s.Fitness.Mean
}

// tuned returns the weights that an optimizer's command found, and the games that it played.
func (c *contest) tuned(b *testing.B, problem, command string, games, repeat int) (weights map[string]float64,
	played int) {
	if c.tune == "" {
		c.tune = filepath.Join(must(os.MkdirTemp("", "contest-"))(b), "tune")
		if out, err := exec.Command("go", "build", "-o", c.tune, "tune2048/cmd/tune").CombinedOutput(); err != nil {
			b.Fatalf("build tune: %v\n%s", err, out)
		}
		must(0, os.WriteFile(c.tune+"-counted", []byte(counted), 0o755))(b)
	}
	program := c.tune
	if command != ours {
		program += "-counted"
	}
	run := exec.CommandContext(b.Context(), "sh", "-c", command, "sh", problem, fmt.Sprint(games), fmt.Sprint(repeat+1))
	run.Env = append(os.Environ(), "TUNE="+program, "REAL="+c.tune, "GAMES="+problem+".games")
	var said strings.Builder
	run.Stderr = &said
	out, err := run.Output()
	if missing(said.String()) {
		b.Skip(said.String())
	}
	if err != nil {
		b.Fatalf("%v\n%s", err, said.String())
	}
	must(0, json.Unmarshal(out, &weights))(b)
	for _, n := range playedGames.FindAllStringSubmatch(string(must(os.ReadFile(problem+".games"))(b)), -1) {
		played += must(strconv.Atoi(n[1]))(b)
	}
	return weights, played
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

// written are the keys of a config that benchmarkConfig writes.
var written = regexp.MustCompile(`(?m)^(name|seed|search|optimizer|stages|playoff|validation|ablation|references):.*\n(  .*\n)*`)

// writtenConfig is a config in a file.
type writtenConfig struct {
	*config.Config
	Path string
}

// benchmarkConfig writes the config of a user who has so many games in all, and keeps a tenth of
// them for the playoff. The looks at the centre are of the games of tuning. The rest is left to the
// algorithm. A bot is copied beside it.
func benchmarkConfig(b *testing.B, base *config.Config, name, algorithm string, games, repeat int) writtenConfig {
	seed := portable.Hash(base.Seed, "bench", repeat) >> 11
	if rivals[algorithm] != "" {
		algorithm = "auto"
	}
	kept := games / 10
	finalists := max(2+(games-kept)/2500, 2+len(base.Starts)) // as is done where it is left out
	rest := written.ReplaceAllString(string(base.YAML()), "")
	folder := b.TempDir()
	if bot := base.Heuristic.Bot; bot == nil {
		rest += fmt.Sprintf("search: %s\n", key.Writer{}.Text(&base.Validation.Search[0].Settings))
	} else {
		must(0, os.CopyFS(folder, os.DirFS(bot.Folder)))(b)
	}
	path := filepath.Join(folder, name+".yaml")
	write := func(tuning int64) *config.Config {
		text := fmt.Sprintf("%sseed: %d\noptimizer: {algorithm: %s}\nstages: [{name: tune, max_games: %d}]\nplayoff: "+
			"{games: %d}\nvalidation: {games: 20}\nablation: {games: 0}\n",
			rest, seed, algorithm, tuning, max(2, kept/min(8, finalists)))
		must(0, os.WriteFile(path, []byte(text), 0o644))(b)
		return must(config.Load(path))(b)
	}
	tuning := int64(games - kept)
	plan := experiments.NewPlanner(write(tuning)).Plan(b.Context(), config.MaxGenerations)
	return writtenConfig{write(tuning - plan[0].Looks), path}
}
