package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// twoStages end by a budget of games or by their generations. Each generation has 8 candidates.
const twoStages = shallow + `
name: mine
stages:
  - {name: explore, max_games: 400, games: 4, rounds: 2}
  - {name: refine, generations: 5, games: 4}
playoff: {finalists: 3, games: 10}
validation: {games: 20, search: [{depth: 1}, {depth: 2}]}
ablation: {games: 10}
`

// TestHadAgain: however a run ended, the command that its report prints, with the config that it
// prints, has it again in an empty folder, with the same fingerprint.
func TestHadAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many small runs")
	}
	more := func(n int) []string { return []string{"-more", fmt.Sprint(n)} }
	for name, c := range map[string]struct {
		stop    int        // generations after which a budget of time ends the first run; 0: none does
		runs    [][]string // flags of the runs that follow, or of the only ones
		edit    [2]string  // of the config
		command string     // that the report prints
	}{
		"by its plan": {runs: [][]string{nil}, command: "tune -config FILE"},
		"by -for with one stage": {stop: 7,
			edit: [2]string{"  - {name: refine, generations: 5, games: 4}\n", ""}, command: "tune -config FILE -generations 7"},
		"by -for in the first stage": {stop: 7, command: "tune -config FILE -generations 7,0"},
		"by -for at the end of the first stage": {stop: 3, edit: [2]string{"max_games: 400", "generations: 3"},
			command: "tune -config FILE -generations 3,0"},
		"by -for in the second stage": {stop: 4, edit: [2]string{"max_games: 400", "max_games: 64"},
			command: "tune -config FILE -generations 2,2"},
		"by -more":                {runs: [][]string{nil, more(2), more(1)}, command: "tune -config FILE"},
		"by -generations by hand": {runs: [][]string{{"-generations", "2"}}, command: "tune -config FILE -generations 2,2"},
		"by -more of a list": {runs: [][]string{{"-generations", "3"}, {"-generations", "3", "-more", "2"}},
			command: "tune -config FILE -generations 3,5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := folderWith(t, strings.Replace(twoStages, c.edit[0], c.edit[1], 1))
			if c.stop > 0 {
				stopped(t, folder, c.stop)
			}
			for _, flags := range c.runs {
				if code, stderr := start(t, folder, append([]string{"-config", "long.yaml"}, flags...)...).end(t); code != exitOK {
					t.Fatalf("%v: exit code %d, stderr:\n%s", flags, code, stderr)
				}
			}
			want, played := foundIn(t, folder)
			if c.command == "" {
				c.command = "tune -config FILE -generations " + played
			}

			asked := exec.Command("tune", "report", "-json")
			asked.Dir = folder
			data, err := asked.Output()
			must(t, err)
			var found struct {
				Made struct {
					Commands     []string
					File, Config string
				}
			}
			must(t, json.Unmarshal(data, &found))
			made, empty := found.Made, t.TempDir()
			if made.Commands[0] != c.command {
				t.Errorf("the report has the command %q, want %q", made.Commands[0], c.command)
			}
			write(t, filepath.Join(empty, made.File), made.Config)
			again := exec.Command("sh", "-ec", made.Commands[0])
			again.Dir = empty
			if out, err := again.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", again, err, out)
			}
			if got, lasted := foundIn(t, empty); got != want || lasted != played {
				t.Errorf("%s: fingerprint %s with %s generations, want %s with %s", again, got, lasted, want, played)
			}
		})
	}
}

// stops is a limit that ends the tuning, and leaves time for all that follows.
type stops func() bool

func (s stops) Ends(experiments.PlannedPart) bool     { return s() }
func (s stops) Fit([]experiments.PlannedPart) float64 { return 1 }
func (s stops) Over() bool                            { return false }
func (s stops) Together(int) int                      { return 1 }

// stopped carries out the long.yaml of a folder, and ends its tuning after this number of
// generations as -for does.
func stopped(t *testing.T, folder string, generations int) {
	t.Helper()
	c, err := config.Load(filepath.Join(folder, "long.yaml"))
	must(t, err)
	must(t, os.MkdirAll(filepath.Join(folder, filepath.Dir(defaultDatabase)), 0o755))
	store, err := results.Open(filepath.Join(folder, defaultDatabase))
	must(t, err)
	defer store.Close()
	asked := 0 // once for each generation
	x := experiments.Experiment{Config: c, Simulator: simulator.NewPool(2), Store: store, Limit: stops(func() bool {
		asked++
		return asked == generations
	})}
	if _, err := x.Run(context.Background()); err != nil || asked != generations {
		t.Fatalf("asked %d times, want %d: %v", asked, generations, err)
	}
}

// foundIn returns the fingerprint of the newest run in a folder, and the generations of each of two
// stages.
func foundIn(t *testing.T, folder string) (fingerprint, generations string) {
	t.Helper()
	reader, err := results.OpenReader(filepath.Join(folder, defaultDatabase))
	must(t, err)
	defer reader.Close()
	run, err := reader.Find(context.Background(), "")
	if err != nil || len(run.Fingerprint) != 64 {
		t.Fatalf("got %+v, %v", run, err)
	}
	s, err := reader.Summary(context.Background(), run, 0, nil, nil)
	must(t, err)
	count := map[string]int{}
	for _, g := range s.Generations {
		count[g.Stage]++
	}
	return run.Fingerprint, fmt.Sprintf("%d,%d", count["explore"], count["refine"])
}
