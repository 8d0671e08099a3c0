package eval_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tune2048/engine"
	"tune2048/engine/eval"
)

// anyWeight draws a fixed weight or a range around which magnitudes go up to the given power of
// ten.
func anyWeight(t *rapid.T, draw func(*rapid.T) float64) eval.Weight {
	a, b := draw(t), draw(t)
	if rapid.Bool().Draw(t, "fixed") {
		return eval.Fixed(a)
	}
	return eval.Weight{Min: min(a, b), Max: max(a, b), Value: a, Tunable: true}
}

// anyFamily draws a family with numbers within their domains.
func anyFamily(t *rapid.T) *eval.Heuristic {
	number := func(t *rapid.T) float64 { return rapid.Float64Range(-9, 9).Draw(t, "number") }
	small := func(t *rapid.T) float64 { return rapid.Float64Range(0.01, 3).Draw(t, "small") }
	f := &eval.Heuristic{Symmetry: eval.SymmetryNone, Dead: eval.Dead{Worst: rapid.Bool().Draw(t, "worst"), Value: number(t)}}
	for i := range rapid.IntRange(1, 3).Draw(t, "features") {
		feature := eval.Defaults(rapid.SampledFrom(eval.Kinds()).Draw(t, "kind").Name)
		feature.Name = fmt.Sprint("f", i)
		for _, s := range eval.KindOf(feature.Kind).Settings {
			switch {
			case s.Word != nil:
				*s.Word(&feature) = rapid.SampledFrom(s.Choices).Draw(t, s.Key)
			case s.Matrix != nil:
				s.Matrix(&feature)[0][0], s.Matrix(&feature)[3][1] = anyWeight(t, number), anyWeight(t, number)
			case s.Over:
				if s.Key != "line" && rapid.IntRange(0, 2).Draw(t, "over "+s.Key) > 0 {
					continue
				}
				texts := []string{"pow(largest, p)", "exp(300 * a) / p", "p*a + abs(b-c)", "max(d, p) - d", "choose(a > b, 1/(p+c), -p)", "log(a - p) * floor(b / p)"}
				if s.Key == "board" {
					texts = []string{"pow(largest, p)", "exp(p * points) - empty", "p*log(1 + rough) + moves", "max(points, p) - rough", "choose(empty > 3, 1/(p+corner), -p)*distinct"}
				}
				feature.Over, feature.Formula, feature.Sums = s.Key, rapid.SampledFrom(texts).Draw(t, s.Key), nil
			case s.Let:
			case s.Sums && strings.Contains(feature.Formula, "rough"):
				feature.Sums = []eval.NamedPart{{Name: "rough", Over: rapid.SampledFrom([]string{"line", "row", "square"}).Draw(t, "sum"), Formula: "abs(a - b)"}}
			case s.Sums:
			case s.Numbers:
				feature.Numbers = []eval.Number{{Symbol: "p", Weight: anyWeight(t, small)}}
			case s.Key == "weight":
				feature.Weight = anyWeight(t, number)
			default:
				*s.Weight(&feature) = anyWeight(t, small)
			}
		}
		f.Features = append(f.Features, feature)
	}
	return f
}

// ends calls do for all vectors of ends of the ranges.
func ends(f *eval.Heuristic, do func(eval.Vector)) {
	weights := f.Weights()
	var free []int
	for i, w := range weights {
		if w.Tunable {
			free = append(free, i)
		}
	}
	for mask := range 1 << len(free) {
		v := f.Values()
		for k, i := range free {
			v[i] = weights[i].Min
			if mask>>k&1 == 1 {
				v[i] = weights[i].Max
			}
		}
		do(v)
	}
}

// A family that Check passes compiles with any vector, however large its weights: tables hold what
// they can, and the worst value is below all others.
func TestEveryVectorCompiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFamily(t)
		factor := math.Ldexp(1, rapid.IntRange(-200, 200).Draw(t, "factor"))
		for i := range f.Features {
			w := &f.Features[i].Weight
			w.Value, w.Min, w.Max = factor*w.Value, factor*w.Min, factor*w.Max
		}
		if err := f.Check(); err != nil {
			t.Fatal(err)
		}
		compiler, r := eval.NewCompiler(f), rand.New(rand.NewPCG(1, 2))
		try := func(v eval.Vector) {
			tables, err := compiler.Compile(v, eval.Dead{Worst: true})
			if err != nil {
				t.Fatalf("%+v is passed, but %v cannot be compiled: %v", f, v, err)
			}
			for range 20 {
				if b := randomBoard(r, 15, 0.2); tables.Value(b) <= tables.DeadValue() {
					t.Fatalf("%+v, %v: board %v is worth %v, a dead one %v", f, v, b, tables.Value(b), tables.DeadValue())
				}
			}
		}
		v := f.Values()
		for i, w := range f.Weights() {
			if w.Tunable {
				v[i] = rapid.Float64Range(w.Min, w.Max).Draw(t, w.Name)
			}
		}
		try(v)
		ends(f, try)
	})
}

// The most and the largest features that there may be: no sum of look-ups overflows.
func TestTheLargestFamily(t *testing.T) {
	var f eval.Heuristic
	f.Symmetry = eval.SymmetryNone
	for i := range eval.MaxFeatures {
		x := feature([]string{eval.Sum, eval.Snake, eval.Empty, eval.Formula}[i%4], math.Ldexp(1, 1000-i/4%2*990), nil)
		x.Name, x.Formula, x.Decay, x.Power = fmt.Sprint("f", i), "a + b + c + d", eval.Fixed(1), eval.Fixed(2)
		switch i {
		case 8: // weight x 0, and 0 x too large a number
			x.Weight, x.Power = eval.Fixed(0), eval.Fixed(66)
		case 1:
			x.Decay = eval.Fixed(1e20)
		}
		f.Features = append(f.Features, x)
	}
	tables, err := eval.NewCompiler(&f).Compile(f.Values(), eval.Dead{Worst: true})
	if err != nil {
		t.Fatal(err)
	}
	full, empty := tables.Value(engine.Board(math.MaxUint64)), tables.Value(engine.Board(0x1))
	if !(full > 0x1p57 && full < 0x1p62 && empty > 0 && tables.DeadValue() < empty) {
		t.Errorf("the full board is worth %v, an empty one %v, a dead one %v", full, empty, tables.DeadValue())
	}
	f.Features = append(f.Features, feature(eval.Line, 1, nil))
	if err := f.Check(); err == nil || err.Error() != "want at most 64 features, got 65" {
		t.Errorf("65 features: %v", err)
	}
}

// Two features that are the same on every board cancel in the sum, not in the tables.
func TestOppositeFeatures(t *testing.T) {
	line := func(name string, weight float64) eval.Term {
		return feature(eval.Line, weight, func(f *eval.Term) { f.Name = name })
	}
	f := family(line("a", 2e14), line("b", -1e14), line("c", 1-1e14), feature(eval.Empty, 1, nil))
	if got := compile(t, f).Value(engine.Board(0x1111)); got != 32 {
		t.Errorf("8 lines and their 24 blanks are worth %v", got)
	}
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	sum := func(edit func(*eval.Term)) *eval.Heuristic { return family(feature(eval.Sum, 1, edit)) }
	tuned := func(min, max, start float64) func(*eval.Term) {
		return func(f *eval.Term) {
			f.Power = eval.Weight{Min: min, Max: max, Value: start, Tunable: true}
		}
	}
	position := func(w eval.Weight) eval.Term {
		return feature(eval.Position, 1, func(f *eval.Term) { f.Matrix[3][1] = w })
	}
	for want, f := range map[string]*eval.Heuristic{
		"want at least one feature":                    family(),
		`symmetry: want none or best, got "some"`:      {Features: sum(nil).Features, Symmetry: "some"},
		`features[0].feature: there is no feature "x"`: family(eval.Term{Kind: "x"}),
		"features[1].name: the name sum_power is taken by features[0]: give one of them another name": family(sum(nil).Features[0], feature(eval.Line, 1, func(f *eval.Term) { f.Name = "sum_power" })),
		`features[0].tile: want one of [face rank], got "colour"`:                                     sum(func(f *eval.Term) { f.Tile = "colour" }),
		"features[0].power: want more than 0, got 0":                                                  sum(func(f *eval.Term) { f.Power = eval.Weight{Max: 1, Tunable: true} }),
		"features[0].power: min: want at most max, which is 1, got 2":                                 sum(tuned(2, 1, 1)),
		"features[0].power: start: want a number within the range from 1 to 2, got 3":                 sum(tuned(1, 2, 3)),
		"features[0].matrix: want a range above 0 or below 0 with scale: log, got 0 to 1; move one end or write scale: ratio": family(
			position(eval.Weight{Max: 1, Tunable: true, Scale: "log"})),
		"features[0].matrix: want a range above 0 or below 0 with scale: log, got -5 to 0; move one end or write scale: ratio": family(
			position(eval.Weight{Min: -5, Tunable: true, Scale: "log"})),
		"features[0].power: want more than 0, got -9": sum(func(f *eval.Term) {
			f.Power = eval.Weight{Min: -9, Max: -1, Value: -2, Tunable: true, Scale: "log"}
		}),
		"features[0].matrix: the range is too wide: want a smaller max or a larger min":       family(position(eval.Weight{Min: -1.7e308, Max: 1.7e308, Tunable: true})),
		"dead: want worst, or a number from -1125899906842624 to 1125899906842624, got 1e+16": {Features: sum(nil).Features, Symmetry: eval.SymmetryNone, Dead: eval.Dead{Value: 1e16}},
		"features[0].weight: the range is too wide: want a smaller max or a larger min": family(feature(eval.Empty, 1, func(f *eval.Term) {
			f.Weight = eval.Weight{Min: 1e-300, Max: 1e300, Value: 1, Tunable: true, Scale: "log"}
		})),
		"features[1].weight: the range is too wide: want a smaller max or a larger min": family(sum(nil).Features[0], feature(eval.Empty, 1, func(f *eval.Term) {
			f.Weight = eval.Weight{Min: -1e300, Max: -1e-300, Value: -1, Tunable: true, Scale: "log"}
		})),
		"features[0].weight: want a finite number, got NaN": sum(func(f *eval.Term) { f.Weight = eval.Fixed(math.NaN()) }),
	} {
		if err := f.Check(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	tunable := func(name string, w eval.Weight) eval.Term {
		return feature(eval.Empty, 1, func(f *eval.Term) { f.Name, f.Weight, f.Weight.Tunable = name, w, true })
	}
	limits := family(tunable("start_at_min", eval.Weight{Min: -2, Max: 3, Value: -2, Scale: "linear"}), tunable("start_at_max", eval.Weight{Min: -2, Max: 3, Value: 3, Scale: "ratio"}),
		tunable("one_number", eval.Weight{Min: 4, Max: 4, Value: 4}), tunable("log", eval.Weight{Min: 1e-9, Max: 1e9, Value: 1, Scale: "log"}),
		tunable("below_0", eval.Weight{Min: -1e9, Max: -1e-9, Value: -1, Scale: "log"}), feature(eval.Snake, 1, func(f *eval.Term) {
			f.Decay = eval.Weight{Min: 0, Max: 0.5, Value: 0, Tunable: true}
		}))
	if err := limits.Check(); err != nil {
		t.Errorf("the limits themselves: %v", err)
	}
}

// -0 is the same weight as 0, and must not make another player.
func TestNegativeZero(t *testing.T) {
	f := family(feature(eval.Empty, 1, nil))
	f.Features[0].Weight = eval.Weight{Min: -1, Max: 1, Tunable: true}
	negative := math.Copysign(0, -1)
	for name, x := range map[string]float64{
		"WithGenome": f.Values().WithGenome(f, []float64{negative})[0],
		"Fix":        f.Fix(eval.Vector{negative}).Features[0].Weight.Value,
	} {
		if math.Signbit(x) {
			t.Errorf("%s keeps -0", name)
		}
	}
}

// TestEdge: within 2% of an end of the range or beyond it, on the range's scale.
func TestEdge(t *testing.T) {
	linear, log := eval.Weight{Tunable: true, Min: -10, Max: 90}, eval.Weight{Tunable: true, Min: 0.01, Max: 100, Scale: "log"}
	below := eval.Weight{Tunable: true, Min: -100, Max: -0.01, Scale: "log"}
	ratio := eval.Weight{Tunable: true, Min: 0, Max: 1000, Scale: "ratio"}
	levels := eval.Weight{Tunable: true, Min: 1, Max: 6, Whole: true}
	rollouts := eval.Weight{Tunable: true, Min: 10, Max: 10_000, Scale: "log", Whole: true}
	for _, test := range []struct {
		of   eval.Weight
		x    float64
		want string
	}{
		{linear, -8.1, "min"}, {linear, -7.9, ""}, {linear, 87.9, ""}, {linear, 88.1, "max"}, {linear, 100, "max"},
		{log, 0.012, "min"}, {log, 0.0121, ""}, {log, 82, ""}, {log, 84, "max"}, {log, 0, "min"}, // 10^-1.92 is 2% of four powers of ten
		{below, -84, "min"}, {below, -82, ""}, {below, -0.0121, ""}, {below, -0.012, "max"}, {below, 0, "max"}, {below, 5, "max"}, {below, -101, "min"},
		{ratio, 1, "min"}, {ratio, 1.1, ""}, {ratio, 895, ""}, {ratio, 905, "max"}, {ratio, -1, "min"},
		{eval.Fixed(3), 3, ""},
		{levels, 1, "min"}, {levels, 2, ""}, {levels, 5, ""}, {levels, 6, "max"},
		{rollouts, 10, "min"}, {rollouts, 12, ""}, {rollouts, 9_000, "max"}, {rollouts, 8_000, ""},
		{eval.Weight{Tunable: true, Max: 1, Whole: true}, 1, ""}, {eval.Weight{Tunable: true, Max: 1, Whole: true}, 0, ""},
	} {
		if got := test.of.Edge(test.x); got != test.want {
			t.Errorf("%v at %v: got %q, want %q", test.of, test.x, got, test.want)
		}
	}
}
