package eval_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tune2048/engine"
	"tune2048/engine/eval"
)

// fault returns the first problem of a heuristic and its place, or nothing.
func fault(f *player) string {
	all := f.Problems(f.values)
	switch {
	case len(all) == 0:
		return ""
	case all[0].Feature < 0:
		return all[0].Reason
	}
	return fmt.Sprintf("features[%d].%s: %s", all[0].Feature, all[0].Key, all[0].Reason)
}

// ends are two numbers of a weight within its limits. They are equal if it is fixed.
type ends [2]float64

// anyFamily draws a family, and two numbers within their limits for each of its weights, the first
// of which it has.
func anyFamily(t *rapid.T) (f *player, all []ends) {
	f = playerOf(eval.Heuristic{Symmetry: eval.SymmetryNone,
		Dead: eval.Dead{Worst: rapid.Bool().Draw(t, "worst"), Value: rapid.Float64Range(-9, 9).Draw(t, "dead")}})
	for i := range rapid.IntRange(1, 3).Draw(t, "features") {
		feature := eval.Defaults(rapid.SampledFrom(eval.Kinds()).Draw(t, "kind").Name)
		feature.Name = fmt.Sprint("f", i)
		for _, k := range feature.Keys()[2:] {
			switch to := k.To.(type) {
			case *string:
				switch {
				case k.Choices != nil:
					*to = rapid.SampledFrom(k.Choices).Draw(t, k.Name)
					continue
				case k.Name != "line" && rapid.IntRange(0, 2).Draw(t, "over "+k.Name) > 0:
					continue
				}
				texts := []string{"pow(largest, p)", "exp(300 * a) / p", "p*a + abs(b-c)", "max(d, p) - d",
					"choose(a > b, 1/(p+c), -p)", "log(a - p) * floor(b / p)"}
				if k.Name == "board" {
					texts = []string{"pow(largest, p)", "exp(p * points) - empty", "p*log(1 + rough) + moves",
						"max(points, p) - rough", "choose(empty > 3, 1/(p+corner), -p)*distinct"}
				}
				if k.Name == "cell" {
					texts = []string{"pow(largest, p)", "tile * p * (row == 1 || column == 2)",
						"choose(tile > 4, largest / (tile - p), corner)"}
				}
				feature.Over, feature.Formula, feature.Sums = k.Name, rapid.SampledFrom(texts).Draw(t, k.Name), nil
			case *eval.Sums:
				if strings.Contains(feature.Formula, "rough") {
					*to = eval.Sums{{Name: "rough", Over: rapid.SampledFrom([]string{"line", "row", "square"}).Draw(t, "sum"),
						Formula: "abs(a - b)"}}
				}
			case *eval.Numbers:
				*to = eval.Numbers{{Symbol: "p"}}
			}
		}
		f.values = f.Add(f.values, feature, 0, make([]float64, len(feature.Numbers))...)
	}
	names := f.Names()
	for _, s := range f.Slots() {
		draw := rapid.Float64Range(0.01, 3)
		if s.Key == "weight" || s.Key == "matrix" {
			draw = rapid.Float64Range(-9, 9)
		}
		if s.Key == "matrix" && s.Symbol != "matrix_0_0" && s.Symbol != "matrix_3_1" {
			all = append(all, ends{})
			continue
		}
		of := ends{draw.Draw(t, names[s.At]), draw.Draw(t, names[s.At]+" end")}
		if rapid.Bool().Draw(t, "fixed") {
			of[1] = of[0]
		}
		f.values[s.At] = of[0]
		all = append(all, of)
	}
	return f, all
}

// vectors calls do for all vectors of ends.
func vectors(all []ends, do func(eval.Vector)) {
	var free []int
	v := make(eval.Vector, len(all))
	for i, of := range all {
		v[i] = of[0]
		if of[0] != of[1] {
			free = append(free, i)
		}
	}
	for mask := range 1 << len(free) {
		for k, i := range free {
			v[i] = all[i][mask>>k&1]
		}
		do(v)
	}
}

// A family that Check passes compiles with any vector, however large its weights: tables hold what
// they can, and the worst value is below all others.
func TestEveryVectorCompiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, all := anyFamily(t)
		factor := math.Ldexp(1, rapid.IntRange(-200, 200).Draw(t, "factor"))
		for i, s := range f.Slots() {
			if s.Key == "weight" {
				f.values[i], all[i][0], all[i][1] = factor*f.values[i], factor*all[i][0], factor*all[i][1]
			}
		}
		if why := fault(f); why != "" {
			t.Fatal(why)
		}
		compiler, r := eval.NewCompiler(f.Heuristic), rand.New(rand.NewPCG(1, 2))
		try := func(v eval.Vector) {
			tables, err := compiler.Compile(v, eval.Dead{Worst: true})
			if err != nil {
				t.Fatalf("%+v is passed, but %v cannot be compiled: %v", f, v, err)
			}
			for range 20 {
				if b := randomBoard(r, 15, 0.2); tables.Value(b) <= tables.Dead {
					t.Fatalf("%+v, %v: board %v is worth %v, a dead one %v", f, v, b, tables.Value(b), tables.Dead)
				}
			}
		}
		v := slices.Clone(f.values)
		for i, of := range all {
			v[i] = rapid.Float64Range(min(of[0], of[1]), max(of[0], of[1])).Draw(t, "between")
		}
		try(v)
		vectors(all, try)
	})
}

// The most and the largest features that there may be: no sum of look-ups overflows.
func TestTheLargestFamily(t *testing.T) {
	f := playerOf(eval.Heuristic{Symmetry: eval.SymmetryNone})
	for i := range eval.MaxFeatures {
		x := feature([]string{eval.Sum, eval.Snake, eval.Empty, eval.Formula}[i%4], math.Ldexp(1, 1000-i/4%2*990), nil)
		x.Name, x.Formula, x.decay, x.power = fmt.Sprint("f", i), "a + b + c + d", 1, 2
		switch i {
		case 8: // weight x 0, and 0 x too large a number
			x.weight, x.power = 0, 66
		case 1:
			x.decay = 1e20
		}
		x.addTo(f)
	}
	tables, err := eval.NewCompiler(f.Heuristic).Compile(f.values, eval.Dead{Worst: true})
	if err != nil {
		t.Fatal(err)
	}
	full, empty := tables.Value(engine.Board(math.MaxUint64)), tables.Value(engine.Board(0x1))
	if !(full > 0x1p57 && full < 0x1p62 && empty > 0 && tables.Dead < empty) {
		t.Errorf("the full board is worth %v, an empty one %v, a dead one %v", full, empty, tables.Dead)
	}
}

// Two features that are the same on every board cancel in the sum, not in the tables.
func TestOppositeFeatures(t *testing.T) {
	line := func(name string, weight float64) valued {
		return feature(eval.Line, weight, func(f *valued) { f.Name = name })
	}
	f := family(line("a", 2e14), line("b", -1e14), line("c", 1-1e14), feature(eval.Empty, 1, nil))
	if got := compile(t, f).Value(engine.Board(0x1111)); got != 32 {
		t.Errorf("8 lines and their 24 blanks are worth %v", got)
	}
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	sum := func(edit func(*valued)) *player { return family(feature(eval.Sum, 1, edit)) }
	for want, f := range map[string]*player{
		"features[1].name: the name sum_power is taken by features[0]: give one of them another name": family(feature(eval.Sum, 1, nil), feature(eval.Line, 1, func(f *valued) { f.Name = "sum_power" })),
		"features[0].power: want more than 0, got 0":                                                  sum(func(f *valued) { f.power = 0 }),
		"features[0].power: want more than 0, got -9":                                                 sum(func(f *valued) { f.power = -9 }),
		"features[0].matrix: want a finite number, got +Inf":                                          family(feature(eval.Position, 1, func(f *valued) { f.matrix[3][1] = math.Inf(1) })),
		"dead: want worst, or a number from -1125899906842624 to 1125899906842624, got 1e+16":         playerOf(eval.Heuristic{Dead: eval.Dead{Value: 1e16}}, feature(eval.Sum, 1, nil)),
		"features[0].weight: want a finite number, got NaN":                                           sum(func(f *valued) { f.weight = math.NaN() }),
	} {
		if got := fault(f); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	limits := family(feature(eval.Snake, 1, func(f *valued) { f.decay, f.power = 0, math.SmallestNonzeroFloat64 }),
		feature(eval.Empty, math.MaxFloat64, nil))
	if why := fault(limits); why != "" {
		t.Errorf("the limits themselves: %s", why)
	}
}

// -0 is the same weight as 0, and must not make another player.
func TestNegativeZero(t *testing.T) {
	form := eval.NewForm(engine.DefaultRules(), family(feature(eval.Empty, 1, nil)).Heuristic)
	if p := form.Player(eval.Vector{math.Copysign(0, -1)}); math.Signbit(p.Values[0]) {
		t.Error("a player keeps -0")
	}
}
