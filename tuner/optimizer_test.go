package tuner

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"tune2048/engine/portable"
	"tune2048/experiments/stats"
)

func newOptimizer(t testing.TB, o Algorithm, parameters []Parameter, seed uint64) *Optimizer {
	t.Helper()
	optimizer, err := New(o, NewSpace(parameters), seed)
	if err != nil {
		t.Fatal(err)
	}
	return optimizer
}

// mustAsk asks for a generation and checks what holds for every generation.
func mustAsk(t testing.TB, optimizer *Optimizer, parameters []Parameter) []Candidate {
	t.Helper()
	candidates := optimizer.Ask()
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

func mustTell(t testing.TB, optimizer *Optimizer, fitness []float64) {
	t.Helper()
	if err := optimizer.Tell(fitness); err != nil {
		t.Fatal(err)
	}
}

// run searches for some generations and returns the last one.
func run(t testing.TB, optimizer *Optimizer, parameters []Parameter, generations int,
	fitness func(x []float64) float64) (last []Candidate) {
	t.Helper()
	for range generations {
		last = mustAsk(t, optimizer, parameters)
		told := make([]float64, len(last))
		for i, c := range last {
			told[i] = fitness(c.Values)
		}
		mustTell(t, optimizer, told)
	}
	return last
}

// trace runs two stages on fitness that is mostly noise, and returns a hash of all that was asked.
// It uses nothing of package math whose last bits could differ, and spoils the slice that it gave.
func trace(t testing.TB, o Algorithm, seed uint64) uint64 {
	f := weights(5)
	optimizer := newOptimizer(t, o, f.space, seed)
	random := portable.NewSource(seed)
	var parts []any
	add := func(c Candidate) {
		parts = append(parts, c.Origin)
		for _, v := range c.Values {
			parts = append(parts, math.Float64bits(v))
		}
	}
	for generation := range 8 {
		if generation == 4 {
			optimizer.NextStage()
		}
		candidates := mustAsk(t, optimizer, f.space)
		fitness := make([]float64, len(candidates))
		for i, c := range candidates {
			fitness[i] = random.Float64() + min(1, c.Values[0]/c.Values[1])
			add(c)
		}
		mustTell(t, optimizer, fitness)
		fitness[0] = 1e9
	}
	add(Candidate{Values: optimizer.Centre()})
	return portable.Hash(0, parts...)
}

// What is asked is a function of options, space, seed and fitness. It never changes: not with the
// machine, the number of processors, the compiler or a dependency. A deliberate change of an
// algorithm declares its new number.
func TestGoldenSearch(t *testing.T) {
	golden := map[string]uint64{
		"genetic": 0x4c715f91b6c39dd6,
		"cma_es":  0x4d06fac77c878bee,
		"auto":    0x8dd171103d364703,
	}
	for _, name := range Algorithms() {
		for _, processors := range []int{1, 4} {
			before := runtime.GOMAXPROCS(processors)
			if got := trace(t, options(name, nil), 2048); got != golden[name] {
				t.Errorf("%s, %d processors: got 0x%016x, want 0x%016x", name, processors, got, golden[name])
			}
			runtime.GOMAXPROCS(before)
		}
		if trace(t, options(name, nil), 2) == golden[name] {
			t.Errorf("%s: the same search with another seed", name)
		}
	}
}

// The best of a generation lives on with its exact values for as long as it is the best when it is
// measured again.
func TestElites(t *testing.T) {
	f := sphere(3)
	f.space[0].Value = math.Pi // a value that is not rounded
	optimizer := newOptimizer(t, options("genetic", nil), f.space, 4)
	isLucky := func(c Candidate) bool { return c.Values[0] == math.Pi }
	run(t, optimizer, f.space, 3, func(x []float64) float64 { return -math.Abs(x[0] - math.Pi) })
	if c := run(t, optimizer, f.space, 1, f.mean)[0]; !isLucky(c) || c.Origin != originElite {
		t.Errorf("the best did not live on: %+v", c)
	}
	if slices.ContainsFunc(mustAsk(t, optimizer, f.space), isLucky) {
		t.Error("a candidate that failed when it was measured again lives on")
	}
}

// spread returns the mean distance of a generation from a centre, in each parameter and in the unit
// cube.
func spread(space *Space, candidates []Candidate, centre []float64) float64 {
	var m stats.Moments
	for _, c := range candidates {
		for k, u := range space.Unit(c.Values) {
			m.Add(math.Abs(u - space.Unit(centre)[k]))
		}
	}
	return m.Mean
}

// A stage begins with the centre of the one before, which stays the answer until the next Tell, and
// more widely. The genetic algorithm carries half of its population over, and compares with the
// start.
func TestNextStage(t *testing.T) {
	for _, name := range searching {
		f := sphere(6)
		space := NewSpace(f.space)
		optimizer := newOptimizer(t, options(name, nil), f.space, 7)
		optimizer.NextStage() // a stage without a generation is none
		last := run(t, optimizer, f.space, 1200/options(name, nil).Candidates(), f.mean)
		centre := optimizer.Centre()
		for range 2 {
			optimizer.NextStage()
			if got := optimizer.Centre(); !slices.Equal(got, centre) {
				t.Errorf("%s: the centre went from %v to %v before anything was told", name, centre, got)
			}
		}
		next := mustAsk(t, optimizer, f.space)
		if before, after := spread(space, last, centre), spread(space, next, centre); after < 2*before || after < 0.045 {
			t.Errorf("%s: the spread went from %.3f to %.3f, want it wider", name, before, after)
		}
		if c := next[0]; c.Origin != OriginCentre || !slices.Equal(c.Values, centre) {
			t.Errorf("%s: first candidate %+v, want the centre %v", name, c, centre)
		}
		for i := 1; name == "genetic" && i < 20; i++ { // the start, and from there on half of the last generation
			old, origin := space.Start(), OriginStart
			if i > 1 {
				old, origin = last[i-2].Values, originCarried
			}
			if c := next[i]; c.Origin != origin || !slices.Equal(c.Values, old) {
				t.Errorf("candidate %d is %+v, want %s %v", i, c, origin, old)
			}
		}
	}
}

// TestCandidatesStay: a candidate stays as it was asked for, and so does the answer, whatever is
// asked next. The space has 6 vectors for 40 places: an elite is mutated as soon as another one is
// like it.
func TestCandidatesStay(t *testing.T) {
	space := cube(2, 0, 2, 1)
	space[0].Max, space[0].Whole, space[1].Whole = 1, true, true
	for _, name := range Algorithms() {
		o := options(name, set{"population": 40, "elites": 10})
		optimizer := newOptimizer(t, o, space, 5)
		for generation := range 40 {
			asked := optimizer.Ask()
			before := make([]Candidate, len(asked))
			for i, c := range asked {
				before[i] = Candidate{slices.Clone(c.Values), c.Origin, slices.Clone(c.unit)}
			}
			mustTell(t, optimizer, slices.Repeat([]float64{1, 2, 3, 4}, 10))
			centre := optimizer.Centre()
			optimizer.Ask()
			if !reflect.DeepEqual(asked, before) {
				t.Fatalf("%s: the candidates of generation %d are others after the next one was asked for", name, generation)
			}
			if after := optimizer.Centre(); !slices.Equal(after, centre) {
				t.Fatalf("%s: the centre after generation %d went from %v to %v by asking", name, generation, centre, after)
			}
		}
	}
}

// TestMisuse: fitness that is no fitness of the generation is refused, and the generation stays.
func TestMisuse(t *testing.T) {
	f := sphere(2)
	optimizer := newOptimizer(t, options("genetic", nil), f.space, 8)
	refused := func(fitness []float64, want string) {
		t.Helper()
		if err := optimizer.Tell(fitness); err == nil || err.Error() != "tuner: Tell: "+want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	refused(make([]float64, 40), "want the fitness of 0 candidates, got 40")
	asked := mustAsk(t, optimizer, f.space)
	refused(make([]float64, 39), "want the fitness of 40 candidates, got 39")
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		refused(append(make([]float64, 39), bad), fmt.Sprintf("fitness of candidate 39: want a finite number, got %v", bad))
	}
	if !reflect.DeepEqual(mustAsk(t, optimizer, f.space), asked) {
		t.Error("asked again before it was told, the generation is another one")
	}
	mustTell(t, optimizer, make([]float64, 40)) // after the refusals
	refused(make([]float64, 40), "want the fitness of 0 candidates, got 40")
}

// A space with fewer vectors than places repeats some rather than hang.
func TestConstants(t *testing.T) {
	space := NewSpace([]Parameter{{Name: "a", Min: 5, Max: 5, Value: 5},
		{Name: "b", Min: 7, Max: 7, Value: 7, Scale: "log"}})
	for _, name := range Algorithms() {
		optimizer, err := New(options(name, nil), space, 11)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			candidates := optimizer.Ask()
			mustTell(t, optimizer, make([]float64, len(candidates)))
			optimizer.NextStage()
			for _, got := range [][]float64{candidates[len(candidates)-1].Values, optimizer.Centre()} {
				if !slices.Equal(got, space.Start()) {
					t.Errorf("%s: %v, want the constants", name, got)
				}
			}
		}
	}
}

func TestSmallPopulations(t *testing.T) {
	f := sphere(2)
	for _, name := range Algorithms() {
		for size := 2; size < 9; size++ {
			o := options(name, set{"population": float64(size)})
			if name == "genetic" {
				o.(*Genetic).Elites = size - 1
			}
			optimizer := newOptimizer(t, o, f.space, 12)
			for range 4 {
				if last := run(t, optimizer, f.space, 2, f.mean); len(last) != size {
					t.Fatalf("%s: %d candidates, want %d", name, len(last), size)
				}
				optimizer.NextStage()
			}
		}
	}
}

// One parameter leaves little choice of steps, many leave few candidates for each, and a constant
// is no choice. A search that has converged still asks for different vectors.
func TestDimensions(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic of one goroutine: the race detector finds nothing in it")
	}
	for _, name := range Algorithms() {
		for dim, least := range map[int]float64{1: 0.999, 2: 0.999, 3: 0.98, 64: 0} {
			f := sphere(dim)
			best := 1.0
			if dim == 3 {
				f.space[1].Min, f.space[1].Max, f.space[1].Value = 2, 2, 2
				best = f.mean([]float64{-2, 2, -1})
			}
			optimizer := newOptimizer(t, options(name, nil), f.space, 13)
			run(t, optimizer, f.space, 120/(1+dim/10), f.mean)
			if got := f.mean(optimizer.Centre()); got < least*best || math.IsNaN(got) {
				t.Errorf("%s: %d parameters: reached %v, want at least %v", name, dim, got, least*best)
			}
		}
	}
}

// Only the order and the sign of fitness matter, not its unit or its scale.
func TestFitnessHasAnyUnit(t *testing.T) {
	f := sphere(3)
	for _, name := range Algorithms() {
		search := func(unit func(x float64) float64) []Candidate {
			random := portable.NewSource(14)
			exact := func([]float64) float64 { return unit(float64(random.Uint64() >> 54)) }
			return run(t, newOptimizer(t, options(name, nil), f.space, 14), f.space, 33, exact)
		}
		want := search(func(x float64) float64 { return x })
		for i, unit := range []func(x float64) float64{
			func(x float64) float64 { return 4096 * x }, func(x float64) float64 { return x / 64 },
			func(x float64) float64 { return x + 1<<20 }, func(x float64) float64 { return x * x * x },
		} {
			if !reflect.DeepEqual(search(unit), want) {
				t.Errorf("%s: another search with the fitness of unit %d", name, i)
			}
		}
	}
}

// TestFurtherStarts: the first generation of each algorithm begins with all starts, each once.
func TestFurtherStarts(t *testing.T) {
	space := NewSpace(cube(2, 0, 1, 0.25))
	for _, name := range Algorithms() {
		optimizer, err := New(options(name, set{"population": 6}), space, 1, []float64{math.Pi / 4, 1}, []float64{0.25, 0.25},
			[]float64{0, 0.5})
		if err != nil {
			t.Fatal(err)
		}
		if got := optimizer.Centre(); !slices.Equal(got, []float64{0.25, 0.25}) {
			t.Errorf("%s: before any Tell the centre is %v, want the start", name, got)
		}
		for generation := range 2 {
			asked := optimizer.Ask()
			for place, want := range [][]float64{{0.25, 0.25}, {math.Pi / 4, 1}, nil, {0, 0.5}, nil} {
				if c := asked[place]; generation == 0 && want != nil && !slices.Equal(c.Values, want) || generation == 0 &&
					(c.Origin == OriginStart) != (want != nil) {
					t.Errorf("%s: candidate %d is %v, want %v", name, place, c, want)
				}
			}
			if err := optimizer.Tell([]float64{1, 2, 3, 4, 5, 6}); err != nil {
				t.Fatal(err)
			}
		}
	}
}
