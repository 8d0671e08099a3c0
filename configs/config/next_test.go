package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tune2048/engine/eval"
	"tune2048/engine/key"
	"tune2048/tuner"
)

// TestOfSeed: another seed gives what a file with this name and seed gives.
func TestOfSeed(t *testing.T) {
	const rest = "heuristic: {features: [{feature: empty, weight: {min: 0, max: 1000, start: 300}}]}\n"
	for _, test := range []struct {
		seed uint64
		n    int
		want string
	}{
		{2048, 0, "name: mine\nseed: 2048\n"}, {2048, 1, "name: mine-seed-2049\nseed: 2049\n"},
		{maxSeed, 2, "name: mine-seed-1\nseed: 1\n"},
	} {
		c := load(t, fmt.Sprintf("name: mine\nseed: %d\n", test.seed)+rest)
		got, err := c.OfSeed(test.n)
		must(t, err)
		if want := load(t, test.want+rest); got.Hash != want.Hash || string(got.YAML()) != string(want.YAML()) ||
			got.Name != want.Name {
			t.Errorf("got\n%s\nwant\n%s", got.YAML(), want.YAML())
		}
		if again := load(t, fmt.Sprintf("name: mine\nseed: %d\n", test.seed)+rest); c.Hash != again.Hash || c.Name != "mine" {
			t.Error("the config was changed")
		}
	}
	c := load(t, "name: "+strings.Repeat("m", 60)+"\n"+rest)
	if _, err := c.OfSeed(1); err == nil || !strings.Contains(err.Error(), "want a name of 1 to 64 characters") {
		t.Errorf("got %v", err)
	}
}

// TestNextOfEndless: nobody waits for the end of a config that follows a run of -for.
func TestNextOfEndless(t *testing.T) {
	c := load(t, "stages: [{generations: 3}, {}]\nheuristic: {features: [{feature: empty, weight: {min: 0, max: 1000, "+
		"start: 300}}]}\n")
	next, changes, err := c.Endless().Next("after", c.Start(), c.Heuristic.Dead)
	must(t, err)
	if last := next.Stages[1]; !last.Open() || next.Stages[0].Generations != 3 ||
		!strings.Contains(strings.Join(changes, "\n"), "stages[1].max_games: auto") {
		t.Errorf("got %+v, %q", next.Stages, changes)
	}
}

// TestNext: the start is where it is asked to be, and a range is moved only where the value is at
// its edge, as far as the kind of number allows.
func TestNext(t *testing.T) {
	c := load(t, `
name: mine
heuristic:
  features:
    - {feature: line, weight: 1000}
    - {feature: empty, weight: {min: 0, max: 1000, start: 300}}
    - {feature: merges, weight: {min: 1, max: 10000, start: 700, scale: log}}
    - {feature: sum, power: {min: 0.5, max: 2.5}, weight: {min: -100, max: 0, scale: linear}}
    - {feature: snake, decay: {min: 0, max: 1}, weight: {min: 5, max: 5}}
    - {feature: largest, weight: {min: -10000, max: -1, scale: log}}
references: {old: {weights: {empty: 1}}, without: {from: champion, weights: {empty: 0}}}
`)
	for name, test := range map[string]struct {
		values  eval.Vector // line empty merges sum sum_power snake snake_power snake_decay largest largest_power
		dead    eval.Dead
		want    map[string][3]float64 // min, start, max
		changes []string
	}{
		"inside": {eval.Vector{1000, 500, 100, -50, 1.5, 5, 1, 0.5, -50, 1}, c.Heuristic.Dead,
			map[string][3]float64{"empty": {0, 500, 1000}, "merges": {1, 100, 10000}, "sum": {-100, -50, 0},
				"snake_decay": {0, 0.5, 1}, "largest": {-10000, -50, -1}},
			[]string{"empty: start 500, was 300", "merges: start 100, was 700", "largest: start -50, was -100"}},
		"lower edges": {eval.Vector{1000, 0.3, 1.1, -99, 0.5, 5, 1, 0.001, -9000, 1}, c.Heuristic.Dead,
			map[string][3]float64{"empty": {-68.26, 0.3, 1000}, "merges": {0.011, 1.1, 110}, "sum": {-149, -99, -49},
				"sum_power": {0.5, 0.5, 2.5}, "snake_decay": {0, 0.001, 1}, "largest": {-900000, -9000, -90}},
			[]string{"empty: start 0.3, was 300; it is at the edge of its range, 0 to 1000: now -68.26 to 1000",
				"snake_decay: start 0.001, was 0.5; it is at the edge of its range, 0 to 1: the range stays, a moved one is not " +
					"allowed"}},
		"beyond": {eval.Vector{1, 2000, 100, -50, 2.5, 6, 1, 0.5, -0.5, 1}, eval.Dead{Value: 3},
			map[string][3]float64{"empty": {0, 2000, 28290}, "sum_power": {1.5, 2.5, 3.5}, "snake": {0, 6, 0},
				"largest": {-50, -0.5, -0.005}},
			[]string{"dead: 3, was worst", "line: 1, was 1000",
				"sum_power: start 2.5, was 1.5; it is at the edge of its range, 0.5 to 2.5: now 1.5 to 3.5"}},
		"across 0": {eval.Vector{1000, 500, -3, -50, 1.5, 5, 1, 0.5, 2, 1}, c.Heuristic.Dead,
			map[string][3]float64{"merges": {-736.3, -3, 10000}, "largest": {-10000, 2, 725.2}},
			[]string{"merges: scale: ratio, was log: the range now contains 0",
				"largest: scale: ratio, was log: the range now contains 0",
				"largest: start 2, was -100; it is at the edge of its range, -10000 to -1: now -10000 to 725.2"}},
	} {
		next, changes, err := c.Next("mine-next", test.values, test.dead)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := next.Start(); !slices.Equal(got, test.values) || next.Heuristic.Dead != test.dead ||
			next.Name != "mine-next" || next.Seed != c.Seed+1 {
			t.Errorf("%s: it starts from %v, dead %v", name, got, next.Heuristic.Dead)
		}
		for _, w := range next.Weights {
			if want, given := test.want[w.Name]; given && want != [3]float64{w.Min, w.Value, w.Max} {
				t.Errorf("%s: %s: got %v, want %v", name, w.Name, w, want)
			}
		}
		for _, want := range test.changes {
			if !slices.Contains(changes, want) {
				t.Errorf("%s: want %q in\n%s", name, want, strings.Join(changes, "\n"))
			}
		}
		if largest := weightOf(next, "largest"); (largest.Scale == "log") != (test.values[8] < 0) {
			t.Errorf("%s: largest is %+v", name, largest)
		}
		if old := next.Values(next.References[0], nil)[1]; old != 1 {
			t.Errorf("%s: the reference has another weight, %v", name, old)
		}
	}
	if _, _, err := c.Next("a b", c.Start(), c.Heuristic.Dead); err == nil {
		t.Error("a name with a blank is taken")
	}
}

// TestNextBeginsNarrow: a start that is known to be good is not lost in a wide first generation. A
// config that begins narrower stays as it is.
func TestNextBeginsNarrow(t *testing.T) {
	for optimizer, want := range map[string]string{
		"": "spread 0.05 uniform 0", "{spread: 0.02, uniform: 0}": "spread 0.02 uniform 0",
		"{algorithm: cma_es}":                              "spread 0.1 uniform 0",
		"{algorithm: cma_es, spread: 0.4, population: 20}": "spread 0.1 uniform 0",
	} {
		text := "heuristic: {features: [{feature: sum, weight: {min: 0, max: 4}}]}\n"
		if optimizer != "" {
			text += "optimizer: " + optimizer + "\n"
		}
		c := load(t, text)
		next, changes, err := c.Next("mine-next", c.Start(), c.Heuristic.Dead)
		must(t, err)
		if string(c.YAML()) != string(load(t, text).YAML()) {
			t.Errorf("%s: the config itself was changed", optimizer)
		}
		o := next.Optimizer
		get := func(o tuner.Algorithm, name string) float64 {
			k, found := key.Find(o, name)
			if !found {
				return 0
			}
			return k.Value()
		}
		if got := fmt.Sprintf("spread %v uniform %v", get(o, "spread"), get(o, "uniform")); got != want ||
			o.Candidates() != c.Optimizer.Candidates() {
			t.Errorf("%s: got %s, want %s", optimizer, got, want)
		}
		said := strings.Contains(strings.Join(changes, "\n"), "optimizer.spread: ")
		if changed := get(o, "spread") != get(c.Optimizer, "spread"); said != changed {
			t.Errorf("%s: changes %q", optimizer, changes)
		}
	}
}

// A range of whole numbers moves to whole numbers.
func TestNextOfWhole(t *testing.T) {
	for want, x := range map[string]float64{
		"depth: start 30, was 2; it is at the edge of its range, 1 to 30: now 15 to 45": 30,
		"depth: start 1, was 2; it is at the edge of its range, 1 to 30: now -14 to 16": 1,
	} {
		c := load(t, "player: {command: [go], answers: moves, weights: {depth: {min: 1, max: 30, start: 2, whole: true}}}")
		if _, changes, err := c.Next("next", eval.Vector{x}, c.Heuristic.Dead); err != nil ||
			!slices.Contains(changes, want) {
			t.Errorf("want %s, got %q, %v", want, changes, err)
		}
	}
}
