package tuner

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"tune2048/experiments/stats"
)

func mustSpace(t testing.TB, parameters []Parameter) *Space {
	t.Helper()
	space, err := NewSpace(parameters)
	if err != nil {
		t.Fatal(err)
	}
	return space
}

func newOptimizer(t testing.TB, o Options, parameters []Parameter, seed uint64) Optimizer {
	t.Helper()
	optimizer, err := New(o, mustSpace(t, parameters), seed)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(optimizer.Close)
	return optimizer
}

func algorithm(name string) Options {
	o := DefaultOptions()
	o.Algorithm = name
	return o
}

// mustAsk asks for a generation and checks what holds for every generation.
func mustAsk(t testing.TB, optimizer Optimizer, parameters []Parameter) []Candidate {
	t.Helper()
	candidates, err := optimizer.Ask()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, c := range candidates {
		for k, v := range c.Values {
			if p := parameters[k]; !(v >= p.Min && v <= p.Max) {
				t.Fatalf("candidate %d (%s): %s = %v is outside [%v, %v]", i, c.Origin, p.Name, v, p.Min, p.Max)
			}
		}
		key := fmt.Sprint(c.Values)
		if seen[key] {
			t.Fatalf("candidate %d (%s) is there twice: %v", i, c.Origin, c.Values)
		}
		seen[key] = true
	}
	return candidates
}

func mustTell(t testing.TB, optimizer Optimizer, fitness []float64) {
	t.Helper()
	if err := optimizer.Tell(fitness); err != nil {
		t.Fatal(err)
	}
}

// trace runs two stages on fitness that is mostly noise, and returns all that
// was asked. It uses nothing of package math whose last bits could differ.
func trace(t testing.TB, o Options, seed uint64) [][]Candidate {
	f := weights(5)
	optimizer := newOptimizer(t, o, f.space, seed)
	random := stats.NewSource(seed)
	var all [][]Candidate
	for generation := range 8 {
		if generation == 4 {
			if err := optimizer.NextStage(); err != nil {
				t.Fatal(err)
			}
		}
		candidates := mustAsk(t, optimizer, f.space)
		fitness := make([]float64, len(candidates))
		for i, c := range candidates {
			fitness[i] = random.Float64() + min(1, c.Values[0]/c.Values[1])
		}
		all = append(all, candidates)
		mustTell(t, optimizer, fitness)
	}
	return append(all, []Candidate{{Values: optimizer.Centre()}})
}

func TestSameSeedSameSearch(t *testing.T) {
	for _, name := range []string{Genetic, Random} {
		want := trace(t, algorithm(name), 1)
		for _, processors := range []int{1, 2, 4} {
			before := runtime.GOMAXPROCS(processors)
			got := trace(t, algorithm(name), 1)
			runtime.GOMAXPROCS(before)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: another search with %d processors", name, processors)
			}
		}
		if reflect.DeepEqual(trace(t, algorithm(name), 2), want) {
			t.Errorf("%s: the same search with another seed", name)
		}
	}
}

// What is asked never changes: not with the machine, the compiler or a
// dependency. A deliberate change of an algorithm declares its new number.
func TestGoldenSearch(t *testing.T) {
	for name, want := range map[string]uint64{Genetic: 0x68b280babe790bb1, Random: 0x13aa47663ff18fb6} {
		var parts []any
		for _, generation := range trace(t, algorithm(name), 2048) {
			for _, c := range generation {
				parts = append(parts, c.Origin)
				for _, v := range c.Values {
					parts = append(parts, math.Float64bits(v))
				}
			}
		}
		if got := stats.Hash(0, parts...); got != want {
			t.Errorf("%s: got 0x%016x, want 0x%016x", name, got, want)
		}
	}
}

func TestStartComesFirstAndExact(t *testing.T) {
	parameters := []Parameter{
		{Name: "a", Min: 0, Max: 1, Start: 1.0 / 3},
		{Name: "b", Min: 1e-3, Max: 1e5, Start: math.Pi * 1000, Log: true},
		{Name: "c", Min: -2, Max: -2, Start: -2},
	}
	want := []float64{1.0 / 3, math.Pi * 1000, -2}
	for _, name := range []string{Genetic, Random} {
		optimizer := newOptimizer(t, algorithm(name), parameters, 3)
		if got := optimizer.Centre(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: centre before any Tell: got %v, want %v", name, got, want)
		}
		first := mustAsk(t, optimizer, parameters)
		if len(first) != DefaultOptions().Population {
			t.Errorf("%s: %d candidates, want %d", name, len(first), DefaultOptions().Population)
		}
		if c := first[0]; c.Origin != OriginStart || !reflect.DeepEqual(c.Values, want) {
			t.Errorf("%s: first candidate %+v, want the start", name, c)
		}
		for _, c := range first[1:] {
			if c.Origin == OriginStart {
				t.Errorf("%s: the start is there twice", name)
			}
		}
		if got := optimizer.Centre(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: centre between Ask and the first Tell: got %v, want %v", name, got, want)
		}
	}
}

// The start survives with its exact values as long as it is the best.
func TestElitesKeepTheirValues(t *testing.T) {
	f := sphere(3)
	f.space[0].Start = math.Pi
	optimizer := newOptimizer(t, DefaultOptions(), f.space, 4)
	for generation := range 5 {
		candidates := mustAsk(t, optimizer, f.space)
		fitness := make([]float64, len(candidates))
		for i := range fitness {
			fitness[i] = -float64(i)
		}
		if c := candidates[0]; c.Values[0] != math.Pi || (c.Origin == OriginElite) != (generation > 0) {
			t.Errorf("generation %d: first candidate %+v, want the start", generation, c)
		}
		mustTell(t, optimizer, fitness)
	}
}

// A survivor that does badly when it is measured again is dropped.
func TestLuckDoesNotLast(t *testing.T) {
	f := sphere(3)
	optimizer := newOptimizer(t, DefaultOptions(), f.space, 5)
	first := mustAsk(t, optimizer, f.space)
	fitness := make([]float64, len(first))
	fitness[7] = 100
	mustTell(t, optimizer, fitness)
	second := mustAsk(t, optimizer, f.space)
	if !reflect.DeepEqual(second[0].Values, first[7].Values) || second[0].Origin != OriginElite {
		t.Fatalf("the best did not survive: %+v, want %+v", second[0], first[7])
	}
	fitness[7], fitness[0] = 0, -100
	mustTell(t, optimizer, fitness)
	for _, c := range mustAsk(t, optimizer, f.space) {
		if reflect.DeepEqual(c.Values, first[7].Values) {
			t.Errorf("a candidate that failed when measured again is still there as %s", c.Origin)
		}
	}
}

func TestCentre(t *testing.T) {
	parameters := []Parameter{{Name: "a", Min: 1, Max: 10000, Start: 100, Log: true}, {Name: "b", Min: 0, Max: 8, Start: 4}}
	o := DefaultOptions()
	o.Population, o.Elites = 4, 1
	optimizer := newOptimizer(t, o, parameters, 6)
	space := mustSpace(t, parameters)
	candidates := mustAsk(t, optimizer, parameters)
	mustTell(t, optimizer, []float64{1, 4, 2, 3})
	// ln(2.5) for the best, ln(2.5) - ln(2) for the second, nothing for the rest.
	w1, w2 := math.Log(2.5), math.Log(1.25)
	best, second := space.Unit(candidates[1].Values), space.Unit(candidates[3].Values)
	want := make([]float64, 2)
	for i := range want {
		want[i] = (w1*best[i] + w2*second[i]) / (w1 + w2)
	}
	for i, got := range optimizer.Centre() {
		if wanted := space.Values(want)[i]; math.Abs(got-wanted) > 1e-4*wanted {
			t.Errorf("centre of %s = %v, want %v", parameters[i].Name, got, wanted)
		}
	}
}

func TestRankWeights(t *testing.T) {
	for _, c := range []struct {
		fitness []float64
		equal   [][]int // groups with equal weights, heaviest group first
	}{
		{[]float64{5, 5, 5, 5}, [][]int{{0, 1, 2, 3}}},
		{[]float64{1, 3, 3, 0}, [][]int{{1, 2}, {0, 3}}},
		{[]float64{1, 2}, [][]int{{1}, {0}}},
	} {
		weights := rankWeights(c.fitness)
		for g, group := range c.equal {
			for _, i := range group {
				if weights[i] != weights[group[0]] {
					t.Errorf("%v: weights %v: %d and %d differ", c.fitness, weights, i, group[0])
				}
			}
			if g > 0 && weights[group[0]] >= weights[c.equal[g-1][0]] {
				t.Errorf("%v: weights %v are not in order", c.fitness, weights)
			}
		}
	}
}

// spread returns the mean standard deviation of a generation in the unit cube.
func spread(space *Space, candidates []Candidate) float64 {
	sum := 0.0
	for k := range space.Dim() {
		var m stats.Moments
		for _, c := range candidates {
			m.Add(space.Unit(c.Values)[k])
		}
		sum += m.SD()
	}
	return sum / float64(space.Dim())
}

func TestNextStageWidens(t *testing.T) {
	f := sphere(6)
	space := mustSpace(t, f.space)
	optimizer := newOptimizer(t, DefaultOptions(), f.space, 7)
	if err := optimizer.NextStage(); err != nil {
		t.Errorf("NextStage before any generation: %v", err)
	}
	var last []Candidate
	for range 25 {
		last = mustAsk(t, optimizer, f.space)
		fitness := make([]float64, len(last))
		for i, c := range last {
			fitness[i] = f.mean(c.Values)
		}
		mustTell(t, optimizer, fitness)
	}
	centre := optimizer.Centre()
	if err := optimizer.NextStage(); err != nil {
		t.Fatal(err)
	}
	next := mustAsk(t, optimizer, f.space)
	if before, after := spread(space, last), spread(space, next); after < 2*before || after < 0.05 {
		t.Errorf("the spread went from %.3f to %.3f, want it much wider", before, after)
	}
	if c := next[0]; c.Origin != OriginCentre || !reflect.DeepEqual(c.Values, centre) {
		t.Errorf("first candidate %+v, want the centre %v", c, centre)
	}
	if c := next[1]; c.Origin != OriginStart || !reflect.DeepEqual(c.Values, space.Start()) {
		t.Errorf("second candidate %+v, want the start", c)
	}
	carried := 0
	for _, c := range next {
		for _, old := range last {
			if reflect.DeepEqual(c.Values, old.Values) {
				carried++
				if c.Origin != OriginCarried {
					t.Errorf("a member of the last stage is called %s", c.Origin)
				}
			}
		}
	}
	if carried < len(last)/3 {
		t.Errorf("%d of %d were carried over, want about half", carried, len(last))
	}
}

func TestMisuse(t *testing.T) {
	for _, name := range []string{Genetic, Random} {
		f := sphere(2)
		optimizer := newOptimizer(t, algorithm(name), f.space, 8)
		fitness := make([]float64, DefaultOptions().Population)
		wantTurn := func(what string, err error) {
			t.Helper()
			if !errors.Is(err, ErrTurn) {
				t.Errorf("%s: %s: got %v, want %v", name, what, err, ErrTurn)
			}
		}
		wantText := func(what string, err error, text string) {
			t.Helper()
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %s: got %v, want %q in it", name, what, err, text)
			}
		}
		wantTurn("Tell before Ask", optimizer.Tell(fitness))
		mustAsk(t, optimizer, f.space)
		_, err := optimizer.Ask()
		wantTurn("Ask twice", err)
		wantTurn("NextStage before Tell", optimizer.NextStage())
		wantText("too few values", optimizer.Tell(fitness[1:]), "want 40 fitness values, one for each candidate, got 39")
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			fitness[3] = bad
			wantText("bad fitness", optimizer.Tell(fitness), "fitness of candidate 3: want a finite number, got "+fmt.Sprint(bad))
		}
		fitness[3] = 0
		mustTell(t, optimizer, fitness) // after the refusals
		wantTurn("Tell twice", optimizer.Tell(fitness))
		fitness[0] = 1e9 // the caller's slice is the caller's
		mustAsk(t, optimizer, f.space)

		optimizer.Close()
		optimizer.Close()
		_, err = optimizer.Ask()
		for _, err := range []error{err, optimizer.Tell(fitness), optimizer.NextStage()} {
			if !errors.Is(err, ErrClosed) {
				t.Errorf("%s: after Close: got %v, want %v", name, err, ErrClosed)
			}
		}
		if got := optimizer.Centre(); len(got) != 2 {
			t.Errorf("%s: after Close the centre is %v", name, got)
		}
	}
}

func TestChangingCandidatesIsHarmless(t *testing.T) {
	f := sphere(2)
	optimizer := newOptimizer(t, DefaultOptions(), f.space, 9)
	for range 3 {
		candidates := mustAsk(t, optimizer, f.space)
		for _, c := range candidates {
			c.Values[0] = math.NaN()
		}
		mustTell(t, optimizer, make([]float64, len(candidates)))
	}
}

func TestCloseLeavesNoGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	f := sphere(2)
	space := mustSpace(t, f.space)
	for when := range 5 {
		optimizer, err := New(DefaultOptions(), space, 10)
		if err != nil {
			t.Fatal(err)
		}
		for range when / 2 { // 0 to 2 whole generations
			mustTell(t, optimizer, make([]float64, len(mustAsk(t, optimizer, f.space))))
		}
		if when%2 == 1 { // and one that is not told
			mustAsk(t, optimizer, f.space)
		}
		optimizer.Close()
	}
	for try := 0; runtime.NumGoroutine() > before; try++ {
		if try == 100 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
}

// A space with fewer vectors than places repeats some rather than hang.
func TestConstants(t *testing.T) {
	parameters := []Parameter{{Name: "a", Min: 5, Max: 5, Start: 5}, {Name: "b", Min: 7, Max: 7, Start: 7, Log: true}}
	for _, name := range []string{Genetic, Random} {
		optimizer := newOptimizer(t, algorithm(name), parameters, 11)
		for range 3 {
			candidates, err := optimizer.Ask()
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range candidates {
				if !reflect.DeepEqual(c.Values, []float64{5, 7}) {
					t.Fatalf("%s: %v, want the constants", name, c.Values)
				}
			}
			mustTell(t, optimizer, make([]float64, len(candidates)))
			if err := optimizer.NextStage(); err != nil {
				t.Fatal(err)
			}
		}
		if got := optimizer.Centre(); !reflect.DeepEqual(got, []float64{5, 7}) {
			t.Errorf("%s: centre %v, want the constants", name, got)
		}
	}
}

func TestSmallPopulations(t *testing.T) {
	f := sphere(2)
	for _, size := range []int{2, 3, 5} {
		o := DefaultOptions()
		o.Population, o.Elites = size, size-1
		optimizer := newOptimizer(t, o, f.space, 12)
		for range 4 {
			candidates := mustAsk(t, optimizer, f.space)
			if len(candidates) != size {
				t.Fatalf("%d candidates, want %d", len(candidates), size)
			}
			mustTell(t, optimizer, make([]float64, size))
			if err := optimizer.NextStage(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestValidateOptions(t *testing.T) {
	if err := DefaultOptions().Validate(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Options){
		`Algorithm: want "genetic" or "random", got "cma"`:                      func(o *Options) { o.Algorithm = "cma" },
		"Population: want at least 2, got 1":                                    func(o *Options) { o.Population, o.Elites = 1, 0 },
		"Elites: want at least 0 and less than Population, which is 40, got 40": func(o *Options) { o.Elites = 40 },
		"Spread: want more than 0 and at most 1, got 0":                         func(o *Options) { o.Spread = 0 },
		"Uniform: want within [0, 1], got -0.1":                                 func(o *Options) { o.Uniform = -0.1 },
		"Parents: want more than 0 and at most 1, got 1.1":                      func(o *Options) { o.Parents = 1.1 },
		"Blend: want within [0, 2], got NaN":                                    func(o *Options) { o.Blend = math.NaN() },
		"MutationRate: want within [0, 1], got 2":                               func(o *Options) { o.MutationRate = 2 },
		"MutationSpread: want within [0, 10], got 11":                           func(o *Options) { o.MutationSpread = 11 },
		"MutationFloor: want within [0, 1], got -1":                             func(o *Options) { o.MutationFloor = -1 },
		"StageSpread: want within [0, 1], got +Inf":                             func(o *Options) { o.StageSpread = math.Inf(1) },
	} {
		o := DefaultOptions()
		change(&o)
		space := mustSpace(t, cube(1, 0, 1, 0))
		if _, err := New(o, space, 0); err == nil || err.Error() != "tuner: "+want {
			t.Errorf("got %v, want tuner: %s", err, want)
		}
	}
	if err := (Options{}).Validate(); err == nil || strings.Count(err.Error(), "\n") < 3 {
		t.Errorf("the zero options: got %v, want all that is wrong", err)
	}
}
