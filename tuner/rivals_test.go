package tuner_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tune2048/engine/portable"
	"tune2048/experiments/stats"
	"tune2048/tuner"
)

// TestMain lets the test binary stand in for the program, as the rivals call it: it then answers
// `tune eval` for a known function.
func TestMain(m *testing.M) {
	if asked := os.Getenv("KNOWN_FUNCTION"); asked != "" && len(os.Args) > 1 && os.Args[1] == "eval" {
		knownFunction(asked)
		return
	}
	os.Exit(m.Run())
}

// known are the parameters of the function, of all scales, in the order of best: its optimum in
// the unit cube. The start is far from it.
var (
	known = []tuner.Parameter{
		{Name: "linear", Min: -2, Max: 6, Value: 5.5, Tunable: true},
		{Name: "log", Min: -1000, Max: -1, Value: -2, Tunable: true, Scale: tuner.LogScale},
		{Name: "ratio", Min: -500, Max: 2000, Value: 0, Near: 5, Tunable: true, Scale: tuner.RatioScale},
		{Name: "whole", Min: 0, Max: 40, Value: 36, Tunable: true, Whole: true},
	}
	best = []float64{0.3, 0.4, 0.75, 0.35}
)

// knownMean is the function: 1 at its optimum, and 1/(1+n) where the squares of the distances add
// up to n/12, as those of n equally distributed coordinates do from the middle.
func knownMean(weights map[string]float64) float64 {
	sum := 0.0
	for i, p := range known {
		d := p.Unit(weights[p.Name]) - best[i]
		sum += 12 * d * d
	}
	return 1 / (1 + sum)
}

// ask is a line to tune eval, and answer the answer to it.
type ask struct {
	Weights  map[string]float64
	Games    int
	Instance int
}

// knownFunction answers like tune eval. It adds the lines to a file.
func knownFunction(file string) {
	games := 0
	for i, arg := range os.Args {
		switch arg {
		case "-ranges":
			var lines []string
			for _, p := range known {
				text := fmt.Sprintf(`{"name":%q,"min":%v,"max":%v,"start":%v,"scale":%q,"whole":%v}`, p.Name, p.Min, p.Max, p.Value,
					p.Scale, p.Whole)
				if p.Scale == tuner.RatioScale {
					text = strings.Replace(text, `,"whole"`, fmt.Sprintf(`,"near":%v,"whole"`, p.Near), 1)
				}
				lines = append(lines, text)
			}
			fmt.Printf("[\n%s\n]\n", strings.Join(lines, ",\n"))
			return
		case "-games":
			fmt.Sscan(os.Args[i+1], &games)
		}
	}
	said, _ := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		line := ask{Games: games}
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			fmt.Printf("{\"error\":%q}\n", err)
			continue
		}
		text, _ := json.Marshal(line)
		fmt.Fprintln(said, string(text))
		noise := portable.NewSource(portable.Hash(uint64(line.Instance), fmt.Sprint(line.Weights)))
		mean := knownMean(line.Weights) * (1 + 0.5/math.Sqrt(float64(line.Games))*noise.Normal())
		fmt.Printf("{\"id\":\"x\",\"fitness\":%v,\"n\":%d}\n", mean, line.Games)
	}
}

// TestRivals: each rival whose interpreter and package are here comes near the optimum of a known
// function under noise, begins with the start, stays within the ranges, and plays the games that it
// has: at most 1% more, and 3% less, since irace leaves some. eaopt begins at random, and does not
// play some of its children.
func TestRivals(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs other programs, in which the race detector finds nothing")
	}
	for name, command := range rivals {
		t.Run(name, func(t *testing.T) {
			const games, least = 1000, 0.6
			var found stats.Moments
			for seed := range 2 {
				asked := filepath.Join(t.TempDir(), "asked")
				run := exec.CommandContext(t.Context(), "sh", "-c", command, "sh", "problem.yaml", fmt.Sprint(games),
					fmt.Sprint(seed+1))
				run.Env = append(os.Environ(), "TUNE="+os.Args[0], "KNOWN_FUNCTION="+asked)
				var said strings.Builder
				run.Stderr = &said
				out, err := run.Output()
				if missing(said.String()) {
					t.Skip(said.String())
				}
				var weights map[string]float64
				if err != nil || json.Unmarshal(out, &weights) != nil {
					t.Fatalf("%v, %s\n%s", err, out, said.String())
				}
				found.Add(knownMean(weights))
				lines := readAsked(t, asked)
				played := 0
				for _, line := range lines {
					played += line.Games
					for _, p := range known {
						if x := line.Weights[p.Name]; !(x >= p.Min && x <= p.Max) || p.Whole && x != math.Trunc(x) {
							t.Fatalf("%s = %v, want a number of its range", p.Name, x)
						}
					}
				}
				if played > games*101/100 || played < games*97/100 && name != "eaopt" {
					t.Errorf("%d games, want %d", played, games)
				}
				if !slices.ContainsFunc(lines[:50], func(a ask) bool { return isStart(a.Weights) }) && name != "eaopt" {
					t.Errorf("it begins with %v, want the start", lines[0].Weights)
				}
			}
			t.Logf("%.3f", found.Mean)
			if found.Mean < least {
				t.Errorf("found %.3f, want at least %v", found.Mean, least)
			}
		})
	}
}

// missing reports whether a program said that its interpreter or a package is not installed.
func missing(said string) bool {
	for _, text := range []string{"Rscript: not found", "python3: not found", "ModuleNotFoundError",
		"there is no package called",
		"unexpected keyword argument 'lr_adapt'"} {
		if strings.Contains(said, text) {
			return true
		}
	}
	return false
}

func readAsked(t *testing.T, path string) (lines []ask) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for text := range strings.Lines(string(data)) {
		var line ask
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}

// isStart reports whether weights are the start's, as nearly as a text has them.
func isStart(weights map[string]float64) bool {
	return !slices.ContainsFunc(known,
		func(p tuner.Parameter) bool { return math.Abs(p.Unit(weights[p.Name])-p.Unit(p.Value)) > 1e-6 })
}
