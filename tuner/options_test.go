package tuner

import (
	"flag"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the generated part of README.md")

func TestValidate(t *testing.T) {
	refuses := func(algorithm, want string, change func(*Options)) {
		t.Helper()
		o := Defaults(algorithm)
		change(&o)
		if _, err := New(o, mustSpace(t, cube(1, 0, 1, 0)), 0); err == nil || err.Error() != "tuner: "+want {
			t.Errorf("%s: got %v, want tuner: %s", algorithm, err, want)
		}
	}
	refuses(Genetic, `algorithm: want one of genetic, cma_es, spsa, random, got "cma"`, func(o *Options) { o.Algorithm = "cma" })
	refuses(Genetic, "population: want a whole number from 2 to 10000, got 1", func(o *Options) { o.Population, o.Elites = 1, 0 })
	refuses(Genetic, "elites: want less than population, which is 40, got 40", func(o *Options) { o.Elites = 40 })
	refuses(Genetic, "elites: want a whole number from 0 to 9999, got -1", func(o *Options) { o.Elites = -1 })
	refuses(Genetic, "blend: want a number from 0 to 2, got NaN", func(o *Options) { o.Blend = math.NaN() })
	refuses(Genetic, "mutation_spread: want a number from 0 to 10, got +Inf", func(o *Options) { o.MutationSpread = math.Inf(1) })
	refuses(CMAES, "stage_spread: want a number more than 0 and at most 1, got 0", func(o *Options) { o.StageSpread = 0 })
	refuses(CMAES, "step_floor: want a number from 0.000001 to 0.5, got 0", func(o *Options) { o.StepFloor = 0 })
	refuses(SPSA, "population: want an even number for spsa, got 7", func(o *Options) { o.Population = 7 })
	refuses(SPSA, "iterations: want a whole number from 1 to 1000000, got 0\ntuner: final_perturbation: want a number more than 0 and at most 0.5, got 1",
		func(o *Options) { o.Iterations, o.FinalPerturbation = 0, 1 })

	o := Defaults(Random) // what it does not use may be anything
	o.Elites, o.Blend = -1, math.NaN()
	if err := o.Validate(); err != nil {
		t.Error(err)
	}
}

// A matrix of many parameters takes too long; constants are none of them, and other algorithms have no matrix.
func TestFits(t *testing.T) {
	constants := []Parameter{{Name: "a", Min: 3, Max: 3, Start: 3}, {Name: "b", Min: 3, Max: 3, Start: 3}}
	for n, fits := range map[int]bool{1: true, cmaesDimensions: true, cmaesDimensions + 1: false} {
		space := mustSpace(t, append(cube(n, 0, 1, 0), constants...))
		for _, name := range Algorithms() {
			if err := Defaults(name).Fits(space); (err == nil) != (fits || name != CMAES) {
				t.Errorf("%s, %d parameters: %v", name, n, err)
			}
		}
	}
}

func TestRange(t *testing.T) {
	for _, c := range []struct {
		r        Range
		text     string
		in, outs []float64
	}{
		{Range{Low: -1, High: 2}, "from -1 to 2", []float64{-1, 0, 2}, []float64{-1.1, 2.1, math.NaN()}},
		{Range{Low: 0, High: 1, LowOut: true}, "more than 0 and at most 1", []float64{0.1, 1}, []float64{0, -1, 1.1}},
		{Range{Low: 0, High: 1, HighOut: true}, "at least 0 and less than 1", []float64{0, 0.9}, []float64{1, -0.1, math.NaN()}},
		{Range{Low: 0, High: 1, LowOut: true, HighOut: true}, "more than 0 and less than 1", []float64{0.5}, []float64{0, 1}},
	} {
		if c.r.String() != c.text {
			t.Errorf("got %q, want %q", c.r, c.text)
		}
		for _, x := range c.in {
			if !c.r.Contains(x) {
				t.Errorf("%v is not %s", x, c.r)
			}
		}
		for _, x := range c.outs {
			if c.r.Contains(x) {
				t.Errorf("%v is %s", x, c.r)
			}
		}
	}
}

// Every option has a setting of its name, every setting an algorithm that searches otherwise with another value, and
// others that do not.
func TestSettings(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic of one goroutine: the race detector finds nothing in it")
	}
	fields := reflect.VisibleFields(reflect.TypeFor[Options]())
	if len(settings) != len(fields)-1 {
		t.Errorf("%d settings, Options has %d fields beside Algorithm", len(settings), len(fields)-1)
	}
	for _, s := range settings {
		o := Options{}
		s.Set(&o, 3)
		field, ok := reflect.TypeFor[Options]().FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, strings.ReplaceAll(s.Key, "_", "")) })
		if !ok || s.Get(o) != 3 || fmt.Sprint(reflect.ValueOf(o).FieldByIndex(field.Index)) != "3" {
			t.Errorf("%s is not the field %s", s.Key, field.Name)
		}
		for _, name := range Algorithms() {
			base := Defaults(name)
			if err := base.Validate(); err != nil {
				t.Error(err)
			}
			o := base
			switch {
			case s.Whole():
				s.Set(&o, s.Get(o)+2)
			case strings.HasSuffix(s.Key, "floor"): // so high that it is reached at once
				s.Set(&o, 0.4)
			default:
				s.Set(&o, s.Get(o)/2+0.01)
			}
			if same := trace(t, o, 17) == trace(t, base, 17); same == s.Uses(name) {
				t.Errorf("%s: with another %s the search is the same: %v", name, s.Key, same)
			}
		}
	}
}

// The README's table is generated from the settings: go test ./tuner -run README -update. Its example is the one that
// is tested.
func TestREADME(t *testing.T) {
	const begin, end = "<!-- settings -->\n", "<!-- end -->"
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	table, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("README.md has no %s and %s", begin, end)
	}
	want := "| key | default | range | meaning |\n|---|---|---|---|\n"
	for _, s := range settings {
		var defaults []string
		for _, name := range Algorithms() {
			if s.Uses(name) {
				defaults = append(defaults, "`"+name+"` "+decimal(s.Defaults[name]))
			}
		}
		want += fmt.Sprintf("| `%s` | %s | %s | %s |\n", s.Key, strings.Join(defaults, ", "), s.Range, s.Doc)
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if table != want {
		t.Errorf("got the table\n%s\nwant\n%s", table, want)
	}

	_, code, _ := strings.Cut(string(data), "```go\n")
	code, _, _ = strings.Cut(code, "```")
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if strip := strings.NewReplacer("\t", "", " ", ""); code == "" || !strings.Contains(strip.Replace(string(example)), strip.Replace(code)) {
		t.Errorf("the README's example is not that of example_test.go:\n%s", code)
	}
}
