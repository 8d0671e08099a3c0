package tuner

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/MaxHalford/eaopt"

	"tune2048/experiments/stats"
)

// The first generation is the start, the share of Uniform from everywhere, and the rest around the
// start as widely as Spread says.
func TestFirstGeneration(t *testing.T) {
	parameters := cube(3, 0, 1, 0.5)
	o := options("genetic", set{"population": 4000, "uniform": 0.25, "spread": 0.1})
	moments := map[string]*stats.Moments{OriginStart: {}, originRandom: {}, originInitial: {}}
	for _, c := range mustAsk(t, newOptimizer(t, o, parameters, 1), parameters) {
		for _, v := range c.Values {
			moments[c.Origin].Add(v)
		}
	}
	for origin, want := range map[string]struct {
		n  int
		sd float64
	}{OriginStart: {1, 0}, originRandom: {1000, math.Sqrt(1.0 / 12)}, originInitial: {2999, 0.1}} {
		if m := moments[origin]; m.N != 3*want.n || math.Abs(m.Mean-0.5) > 0.02 || math.Abs(m.SD()-want.sd) > 0.01 {
			t.Errorf("%s: %d, mean %.3f and standard deviation %.3f, want %d, 0.5 and %.3f", origin, m.N/3, m.Mean, m.SD(),
				want.n, want.sd)
		}
	}
}

// second asks for a generation, gives it a fitness, and asks for the next one, by origin.
func second(t *testing.T, o Algorithm, parameters []Parameter, fitness func(x []float64) float64) (first []Candidate,
	next map[string][]Candidate) {
	optimizer := newOptimizer(t, o, parameters, 2)
	first = run(t, optimizer, parameters, 1, fitness)
	next = map[string][]Candidate{}
	for _, c := range mustAsk(t, optimizer, parameters) {
		next[c.Origin] = append(next[c.Origin], c)
	}
	return first, next
}

// middling is best in the middle of the first number: at its ends there are equals.
func middling(x []float64) float64 { return -math.Abs(x[0] - 0.5) }

// Only the share of Parents has children, all of them. Without blending beyond the parents children
// lie between them.
func TestParentsHaveTheChildren(t *testing.T) {
	parameters := cube(2, 0, 1, 0)
	o := options("genetic", set{"population": 2000, "elites": 3, "uniform": 1, "parents": 0.01, "blend": 0,
		"mutation_rate": 0})
	first, next := second(t, o, parameters, middling)
	slices.SortFunc(first, func(a, b Candidate) int { return cmp.Compare(middling(b.Values), middling(a.Values)) })
	for i, c := range next[originElite] {
		if !slices.Equal(c.Values, first[i].Values) {
			t.Errorf("elite %d is %v, want %v", i, c.Values, first[i].Values)
		}
	}
	if len(next[originElite]) != 3 || len(next[originCrossover]) != 1997 {
		t.Errorf("%d elites, %d children", len(next[originElite]), len(next[originCrossover]))
	}
	var low, high [2]float64 // of 20 parents
	for k := range low {
		low[k], high[k] = 1, 0
		for _, c := range first[:20] {
			low[k], high[k] = min(low[k], c.Values[k]), max(high[k], c.Values[k])
		}
		least, most := 1.0, 0.0
		for _, c := range next[originCrossover] {
			least, most = min(least, c.Values[k]), max(most, c.Values[k])
		}
		if width := high[k] - low[k]; least < low[k]-1e-5 || most > high[k]+1e-5 || least > low[k]+0.1*width ||
			most < high[k]-0.1*width {
			t.Errorf("parameter %d: children lie in [%v, %v], their parents in [%v, %v]", k, least, most, low[k], high[k])
		}
	}
}

// TestSelected: the parents or the elites, whichever are more, and of a distribution the better
// half. auto changes from the one to the other.
func TestSelected(t *testing.T) {
	parameters := cube(2, 0, 1, 0.5)
	for _, c := range []struct {
		o           Algorithm
		first, late int
	}{
		{options("genetic", nil), 10, 10},
		{options("genetic", set{"parents": 0.4}), 16, 16},
		{options("genetic", set{"parents": 0.1, "elites": 7}), 7, 7},
		{options("genetic", set{"population": 4, "parents": 0.1, "elites": 0}), 2, 2},
		{options("cma_es", nil), 8, 8},
		{options("cma_es", set{"population": 2}), 2, 2},
		{options("auto", set{"population": 9}), 2, 4},
	} {
		optimizer := newOptimizer(t, c.o, parameters, 1)
		first := optimizer.Selected()
		run(t, optimizer, parameters, 30, func(x []float64) float64 { return x[0] })
		if late := optimizer.Selected(); first != c.first || late != c.late {
			t.Errorf("%+v: %d candidates are selected at first and %d later, want %d and %d", c.o, first, late, c.first, c.late)
		}
	}
}

func parent(g *geneticSearch, unit ...float64) eaopt.Individual {
	return eaopt.Individual{Genome: &individual{Candidate: newCandidate(g.space, unit, originInitial), genetic: g}}
}

// A number is moved by MutationSpread times the parents' own standard deviation, or by
// MutationFloor if that is more. A child that was there already moves once more each time.
func TestMutation(t *testing.T) {
	parameters := cube(2, 0, 1, 0.5)
	o := options("genetic", set{"mutation_spread": 0.5, "mutation_floor": 0.05})
	optimizer := newOptimizer(t, o, parameters, 4)
	g := optimizer.search.(*geneticSearch)
	for _, at := range [][]float64{{0.1, 0.5}, {0.2, 0.51}, {0.6, 0.5}} {
		g.parents = append(g.parents, parent(g, at...))
	}
	g.steps = g.mutationSteps()
	// The standard deviation of 0.1, 0.2 and 0.6 is sqrt(0.07).
	for k, want := range []float64{0.5 * math.Sqrt(0.07), 0.05} {
		if math.Abs(g.steps[k]-want) > 1e-12 {
			t.Errorf("parameter %d: steps of %v, want %v", k, g.steps[k], want)
		}
	}

	// Failed four times, a child moves 4 times more: as far as 2 single steps.
	g.steps = []float64{0.02, 0.02}
	var m stats.Moments
	for range 5000 {
		g.generation = nil
		g.add(Candidate{unit: []float64{0.5, 0.5}})
		for range 4 {
			g.candidate(0, 1)
		}
		m.Add(g.candidate(0, 0).unit[0])
	}
	if math.Abs(m.Mean-0.5) > 0.005 || math.Abs(m.SD()/0.04-1) > 0.1 {
		t.Errorf("a child that failed four times: %v ± %v, want 0.5 ± 0.04", m.Mean, m.SD())
	}
}
