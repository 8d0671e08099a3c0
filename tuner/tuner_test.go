package tuner

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"tune2048/engine/portable"
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
	random := portable.NewSource(seed)
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
	for _, name := range Algorithms() {
		want := trace(t, Defaults(name), 1)
		for _, processors := range []int{1, 2, 4} {
			before := runtime.GOMAXPROCS(processors)
			got := trace(t, Defaults(name), 1)
			runtime.GOMAXPROCS(before)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: another search with %d processors", name, processors)
			}
		}
		if reflect.DeepEqual(trace(t, Defaults(name), 2), want) {
			t.Errorf("%s: the same search with another seed", name)
		}
	}
}

// What is asked never changes: not with the machine, the compiler or a
// dependency. A deliberate change of an algorithm declares its new number.
func TestGoldenSearch(t *testing.T) {
	golden := map[string]uint64{
		Genetic:               0x68b280babe790bb1,
		CMAES:                 0xe634375c9787cae1,
		DifferentialEvolution: 0xc040cd9669cd80de,
		SPSA:                  0x3ce1a9363c9f7942,
		Sobol:                 0x6ae035683d0bced2,
		Random:                0x13aa47663ff18fb6,
	}
	for _, name := range Algorithms() {
		var parts []any
		for _, generation := range trace(t, Defaults(name), 2048) {
			for _, c := range generation {
				parts = append(parts, c.Origin)
				for _, v := range c.Values {
					parts = append(parts, math.Float64bits(v))
				}
			}
		}
		if got := portable.Hash(0, parts...); got != golden[name] {
			t.Errorf("%s: got 0x%016x, want 0x%016x", name, got, golden[name])
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
	for _, name := range Algorithms() {
		optimizer := newOptimizer(t, Defaults(name), parameters, 3)
		if got := optimizer.Centre(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: centre before any Tell: got %v, want %v", name, got, want)
		}
		first := mustAsk(t, optimizer, parameters)
		if size := Defaults(name).Population; len(first) != size {
			t.Errorf("%s: %d candidates, want %d", name, len(first), size)
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

// converged returns an optimizer after a search without noise, and its last
// generation.
func converged(t testing.TB, name string, f objective) (Optimizer, []Candidate) {
	optimizer := newOptimizer(t, Defaults(name), f.space, 7)
	if err := optimizer.NextStage(); err != nil {
		t.Errorf("%s: NextStage before any generation: %v", name, err)
	}
	var last []Candidate
	for range 1200 / Defaults(name).Population {
		last = mustAsk(t, optimizer, f.space)
		fitness := make([]float64, len(last))
		for i, c := range last {
			fitness[i] = f.mean(c.Values)
		}
		mustTell(t, optimizer, fitness)
	}
	return optimizer, last
}

// A stage begins with the centre of the one before, which stays the answer until
// it is told, and more widely.
func TestNextStageWidens(t *testing.T) {
	// SPSA stands at a point: its pairs are as wide as the schedule says.
	for name, wider := range map[string]float64{Genetic: 2, CMAES: 2, DifferentialEvolution: 2, SPSA: 1.3} {
		f := sphere(6)
		space := mustSpace(t, f.space)
		optimizer, last := converged(t, name, f)
		centre := optimizer.Centre()
		for range 2 { // a stage without a generation is none
			if err := optimizer.NextStage(); err != nil {
				t.Fatal(err)
			}
			if got := optimizer.Centre(); !reflect.DeepEqual(got, centre) {
				t.Errorf("%s: the centre went from %v to %v before anything was told", name, centre, got)
			}
		}
		next := mustAsk(t, optimizer, f.space)
		if before, after := spread(space, last), spread(space, next); after < wider*before || after < 0.05 {
			t.Errorf("%s: the spread went from %.3f to %.3f, want it wider", name, before, after)
		}
		if len(next) != len(last) {
			t.Errorf("%s: %d candidates, want %d", name, len(next), len(last))
		}
		if c := next[0]; c.Origin != OriginCentre || !reflect.DeepEqual(c.Values, centre) {
			t.Errorf("%s: first candidate %+v, want the centre %v", name, c, centre)
		}
	}
}

// Algorithms with a population carry half of it over, and compare with the start.
func TestNextStageCarriesOver(t *testing.T) {
	for _, name := range []string{Genetic, DifferentialEvolution} {
		f := sphere(6)
		optimizer, last := converged(t, name, f)
		if err := optimizer.NextStage(); err != nil {
			t.Fatal(err)
		}
		next := mustAsk(t, optimizer, f.space)
		if c := next[1]; c.Origin != OriginStart || !reflect.DeepEqual(c.Values, mustSpace(t, f.space).Start()) {
			t.Errorf("%s: second candidate %+v, want the start", name, c)
		}
		carried := 0
		for _, c := range next {
			for _, old := range last {
				if reflect.DeepEqual(c.Values, old.Values) {
					carried++
					if c.Origin != OriginCarried {
						t.Errorf("%s: a member of the last stage is called %s", name, c.Origin)
					}
				}
			}
		}
		if carried < len(last)/3 {
			t.Errorf("%s: %d of %d were carried over, want about half", name, carried, len(last))
		}
	}
}

// Resuming is replay: told what it was told, another optimizer goes on as the
// first one does.
func TestReplay(t *testing.T) {
	f := sphere(4)
	for _, name := range Algorithms() {
		first, second := newOptimizer(t, Defaults(name), f.space, 16), newOptimizer(t, Defaults(name), f.space, 16)
		random := portable.NewSource(16)
		var told [][]float64
		stage := func(optimizer Optimizer, generation int) {
			if generation == 3 {
				if err := optimizer.NextStage(); err != nil {
					t.Fatal(err)
				}
			}
		}
		for generation := range 6 {
			stage(first, generation)
			fitness := make([]float64, len(mustAsk(t, first, f.space)))
			for i := range fitness {
				fitness[i] = random.Float64()
			}
			mustTell(t, first, fitness)
			told = append(told, fitness)
		}
		for generation, fitness := range told {
			stage(second, generation)
			mustAsk(t, second, f.space)
			mustTell(t, second, fitness)
		}
		if got, want := second.Centre(), first.Centre(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: centre %v after a replay, want %v", name, got, want)
		}
		if got, want := mustAsk(t, second, f.space), mustAsk(t, first, f.space); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: after a replay it asks for %v, want %v", name, got, want)
		}
	}
}

func TestMisuse(t *testing.T) {
	for _, name := range Algorithms() {
		f := sphere(2)
		optimizer := newOptimizer(t, Defaults(name), f.space, 8)
		size := Defaults(name).Population
		fitness := make([]float64, size)
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
		wantText("too few values", optimizer.Tell(fitness[1:]),
			fmt.Sprintf("want %d fitness values, one for each candidate, got %d", size, size-1))
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
	for _, name := range Algorithms() {
		optimizer := newOptimizer(t, Defaults(name), f.space, 9)
		for range 3 {
			candidates := mustAsk(t, optimizer, f.space)
			for _, c := range candidates {
				c.Values[0] = math.NaN()
			}
			mustTell(t, optimizer, make([]float64, len(candidates)))
		}
	}
}

// TestCloseLeavesNoGoroutines: a bubble waits for its goroutines, and says which of them can never end.
func TestCloseLeavesNoGoroutines(t *testing.T) {
	f := sphere(2)
	space := mustSpace(t, f.space)
	for _, name := range Algorithms() {
		for when := range 5 {
			synctest.Test(t, func(t *testing.T) {
				optimizer, err := New(Defaults(name), space, 10)
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
			})
		}
	}
}

// A space with fewer vectors than places repeats some rather than hang.
func TestConstants(t *testing.T) {
	parameters := []Parameter{{Name: "a", Min: 5, Max: 5, Start: 5}, {Name: "b", Min: 7, Max: 7, Start: 7, Log: true}}
	for _, name := range Algorithms() {
		optimizer := newOptimizer(t, Defaults(name), parameters, 11)
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
	for _, name := range Algorithms() {
		smallest := 0
		for _, size := range []int{2, 3, 4, 5, 6, 7, 8} {
			o := Defaults(name)
			o.Population, o.Elites = size, size-1
			if o.Validate() != nil {
				continue
			}
			if smallest == 0 {
				smallest = size
			}
			optimizer := newOptimizer(t, o, f.space, 12)
			for range 4 {
				candidates := mustAsk(t, optimizer, f.space)
				if len(candidates) != size {
					t.Fatalf("%s: %d candidates, want %d", name, len(candidates), size)
				}
				mustTell(t, optimizer, make([]float64, size))
				mustTell(t, optimizer, make([]float64, len(mustAsk(t, optimizer, f.space))))
				if err := optimizer.NextStage(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if want := map[string]int{DifferentialEvolution: 6}[name]; smallest != max(2, want) {
			t.Errorf("%s: the smallest population is %d, want %d", name, smallest, max(2, want))
		}
	}
}

// One parameter leaves little choice of steps, many leave few candidates for
// each. A search that has converged still asks for different vectors.
func TestDimensions(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic of one goroutine: the race detector finds nothing in it")
	}
	for _, name := range Algorithms() {
		for _, dim := range []int{1, 2, 64} {
			f := sphere(dim)
			optimizer := newOptimizer(t, Defaults(name), f.space, 13)
			for range 120 - dim {
				candidates := mustAsk(t, optimizer, f.space)
				fitness := make([]float64, len(candidates))
				for i, c := range candidates {
					fitness[i] = f.mean(c.Values)
				}
				mustTell(t, optimizer, fitness)
			}
			least := map[int]float64{1: 0.999, 2: 0.999}[dim]
			if name == Sobol || name == Random {
				least = 0
			}
			if got := f.mean(optimizer.Centre()); got < least || math.IsNaN(got) {
				t.Errorf("%s: %d parameters: reached %v, want at least %v", name, dim, got, least)
			}
		}
	}
}

// The unit and the zero of fitness do not matter.
func TestFitnessHasAnyUnit(t *testing.T) {
	f := sphere(3)
	for _, name := range Algorithms() {
		run := func(unit, zero float64) (asked [][]Candidate) {
			optimizer := newOptimizer(t, Defaults(name), f.space, 14)
			random := portable.NewSource(14)
			for range 6 {
				candidates := mustAsk(t, optimizer, f.space)
				fitness := make([]float64, len(candidates))
				for i := range fitness {
					fitness[i] = zero + unit*float64(random.Uint64()>>54) // exact
				}
				asked = append(asked, candidates)
				mustTell(t, optimizer, fitness)
			}
			return asked
		}
		want := run(1, 0)
		for _, c := range [][2]float64{{4096, 0}, {1.0 / 64, 0}, {1, 1 << 20}, {4096, -1 << 20}} {
			if !reflect.DeepEqual(run(c[0], c[1]), want) {
				t.Errorf("%s: another search if fitness is multiplied by %v and added to %v", name, c[0], c[1])
			}
		}
	}
}

// Constants among the parameters change nothing for the others' search, but
// for those algorithms that draw numbers for them.
func TestConstantsAmongOthers(t *testing.T) {
	for _, name := range Algorithms() {
		f := sphere(3)
		f.space[1].Min, f.space[1].Max, f.space[1].Start = 2, 2, 2
		optimizer := newOptimizer(t, Defaults(name), f.space, 15)
		for generation := range 60 {
			if generation == 40 {
				if err := optimizer.NextStage(); err != nil {
					t.Fatal(err)
				}
			}
			candidates := mustAsk(t, optimizer, f.space)
			fitness := make([]float64, len(candidates))
			for i, c := range candidates {
				fitness[i] = f.mean(c.Values)
			}
			mustTell(t, optimizer, fitness)
		}
		best := f.mean([]float64{-2, 2, -1})
		if got := f.mean(optimizer.Centre()); name != Sobol && name != Random && got < 0.98*best {
			t.Errorf("%s: reached %v, want nearly %v", name, got, best)
		}
	}
}

func TestValidateOptions(t *testing.T) {
	for _, name := range Algorithms() {
		if err := Defaults(name).Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if DefaultOptions() != Defaults(Algorithms()[0]) {
		t.Error("the default algorithm is not the first one")
	}
	refuses := func(algorithm, want string, change func(*Options)) {
		t.Helper()
		o := Defaults(algorithm)
		change(&o)
		space := mustSpace(t, cube(1, 0, 1, 0))
		if _, err := New(o, space, 0); err == nil || err.Error() != "tuner: "+want {
			t.Errorf("%s: got %v, want tuner: %s", algorithm, err, want)
		}
	}
	refuses(Genetic, `Algorithm: want one of genetic, cma_es, differential_evolution, spsa, sobol, random, got "cma"`, func(o *Options) { o.Algorithm = "cma" })
	refuses(Genetic, "Population: want at least 2, got 1", func(o *Options) { o.Population, o.Elites = 1, 0 })
	refuses(Genetic, "Elites: want at least 0 and less than Population, which is 40, got 40", func(o *Options) { o.Elites = 40 })
	refuses(Genetic, "Spread: want more than 0 and at most 1, got 0", func(o *Options) { o.Spread = 0 })
	refuses(Genetic, "Uniform: want within [0, 1], got -0.1", func(o *Options) { o.Uniform = -0.1 })
	refuses(Genetic, "Parents: want more than 0 and at most 1, got 1.1", func(o *Options) { o.Parents = 1.1 })
	refuses(Genetic, "Blend: want within [0, 2], got NaN", func(o *Options) { o.Blend = math.NaN() })
	refuses(Genetic, "MutationRate: want within [0, 1], got 2", func(o *Options) { o.MutationRate = 2 })
	refuses(Genetic, "MutationSpread: want within [0, 10], got 11", func(o *Options) { o.MutationSpread = 11 })
	refuses(Genetic, "MutationFloor: want within [0, 1], got -1", func(o *Options) { o.MutationFloor = -1 })
	refuses(Genetic, "StageSpread: want within [0, 1], got +Inf", func(o *Options) { o.StageSpread = math.Inf(1) })
	refuses(CMAES, "Population: want at least 2, got 1", func(o *Options) { o.Population = 1 })
	refuses(CMAES, "StageSpread: want more than 0 and at most 1, got 0", func(o *Options) { o.StageSpread = 0 })
	refuses(CMAES, "LearningRate: want more than 0 and at most 1, got NaN", func(o *Options) { o.LearningRate = math.NaN() })
	refuses(CMAES, "StepFloor: want within [1e-06, 0.5], got 0", func(o *Options) { o.StepFloor = 0 })
	refuses(DifferentialEvolution, "Population: want at least 6 for differential_evolution, got 5", func(o *Options) { o.Population = 5 })
	refuses(DifferentialEvolution, "DifferenceWeight: want more than 0 and at most 2, got 0", func(o *Options) { o.DifferenceWeight = 0 })
	refuses(DifferentialEvolution, "BestWeight: want within [0, 2], got -1", func(o *Options) { o.BestWeight = -1 })
	refuses(DifferentialEvolution, "CrossoverRate: want within [0, 1], got 2", func(o *Options) { o.CrossoverRate = 2 })
	refuses(SPSA, "Population: want an even number of at least 2 for spsa, got 7", func(o *Options) { o.Population = 7 })
	refuses(SPSA, "Iterations: want at least 1, got 0", func(o *Options) { o.Iterations = 0 })
	refuses(SPSA, "FinalRate: want more than 0 and at most 100, got 0", func(o *Options) { o.FinalRate = 0 })
	refuses(SPSA, "FinalPerturbation: want more than 0 and at most 0.5, got 1", func(o *Options) { o.FinalPerturbation = 1 })

	o := Options{Algorithm: Genetic}
	if err := o.Validate(); err == nil || strings.Count(err.Error(), "\n") < 2 {
		t.Errorf("the zero options: got %v, want all that is wrong", err)
	}
}

// Every option belongs to an algorithm, and changes what that one asks, but not
// what another does.
func TestUses(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic of one goroutine: the race detector finds nothing in it")
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Options]()) {
		used := false
		for _, name := range Algorithms() {
			if field.Name == "Algorithm" {
				continue
			}
			used = used || Uses(name, field.Name)
			base := Defaults(name)
			base.Uniform = 0.5
			o := base
			v := reflect.ValueOf(&o).Elem().FieldByIndex(field.Index)
			switch {
			case v.Kind() == reflect.Int:
				v.SetInt(v.Int() + 2)
			case strings.HasSuffix(field.Name, "Floor"): // so high that it is reached at once
				v.SetFloat(0.4)
			default:
				v.SetFloat(v.Float()/2 + 0.01)
			}
			same := reflect.DeepEqual(trace(t, o, 17), trace(t, base, 17))
			if same == Uses(name, field.Name) {
				t.Errorf("%s: with another %s the search is the same: %v", name, field.Name, same)
			}
		}
		if !used && field.Name != "Algorithm" {
			t.Errorf("no algorithm uses %s", field.Name)
		}
	}
}
