package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tune2048/engine"
)

// TestMemo asks a memo for few operands and for many, which share entries. Each result has the bits
// of the operation itself.
func TestMemo(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 2, 17, 0.5, 3.3, math.NaN(), math.Inf(1), math.Inf(-1)}
	for _, o := range []operation{power, logarithm, binaryLogarithm, exponential} {
		var recent memo
		random := rand.New(rand.NewPCG(2048, uint64(o)))
		operand := func() float64 {
			if random.IntN(3) > 0 {
				return special[random.IntN(len(special))]
			}
			return 20 * random.Float64()
		}
		for range 20_000 {
			x, y := operand(), operand()
			got, want := recent.apply(o, x, y), apply(o, x, y)
			if math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("operation %v of %v and %v: %v, want %v", o, x, y, got, want)
			}
		}
	}
}

// TestFastCodeEqualsTheFormula compiles each kind with fast code twice, with it and from its
// formula. The tables have the same bits, for all words of its settings.
func TestFastCodeEqualsTheFormula(t *testing.T) {
	for i, kind := range kinds {
		if kind.fast == nil {
			continue
		}
		slow := *kind
		slow.fast = nil
		compile := func(f Term, with *Kind) *engine.Tables {
			kinds[i] = with
			defer func() { kinds[i] = kind }()
			family := &Heuristic{Symmetry: SymmetryNone, Features: []Term{f}}
			tables, err := NewCompiler(family).Compile(family.Values(), Dead{})
			if err != nil {
				t.Fatalf("%s: %v", f.Kind, err)
			}
			return tables
		}
		for _, f := range variants(Defaults(kind.Name), kind.Settings) {
			for _, weight := range []float64{1, -11, 700.1, -46.9999} {
				f.Weight = Fixed(weight)
				name := fmt.Sprintf("%s, weight %v, tile %s, power %v, count %s, blanks %s", f.Kind, weight, f.Tile, f.Power.Value, f.Count, f.Blanks)
				want, got := compile(f, &slow), compile(f, kind)
				for row, v := range want.Rows {
					if got.Rows[row] != v || got.Bits != want.Bits {
						t.Fatalf("%s: row %04x: got %d, the formula has %d", name, row, got.Rows[row], v)
					}
				}
			}
		}
	}
}

// TestLineFeatureByItsFormulaAlone: a kind needs a name, settings and a formula, no more.
func TestLineFeatureByItsFormulaAlone(t *testing.T) {
	kinds = append(kinds, &Kind{Name: "ends", Settings: use("tile", "power"), Line: func(*Term) string { return "max(a, d)" }})
	defer func() { kinds = kinds[:len(kinds)-1] }()
	f := Defaults("ends")
	f.Weight = Weight{Tunable: true, Min: -2, Max: 3, Value: 2}
	f.Power = Weight{Tunable: true, Min: 1, Max: 2, Value: 1}
	family := &Heuristic{Symmetry: SymmetryNone, Features: []Term{f}}
	if err := family.Check(); err != nil {
		t.Fatal(err)
	}
	compiler := NewCompiler(family)
	for _, c := range []struct{ weight, power, want float64 }{{2, 1, 2 * 64}, {2, 2, 2 * 4096}, {3, 2, 3 * 4096}, {-1, 1, -64}} {
		tables, err := compiler.Compile(Vector{c.weight, c.power}, Dead{})
		if err != nil {
			t.Fatal(err)
		}
		row := 1 | 0<<4 | 7<<8 | 6<<12 // 2 0 128 64
		if got := float64(tables.Rows[row]) / float64(int64(1)<<tables.Bits); got != c.want {
			t.Errorf("weight %v, power %v: got %v, want %v", c.weight, c.power, got, c.want)
		}
	}
}

// variants returns the feature with each combination of its words, at several powers.
func variants(f Term, settings []*Setting) []Term {
	all := []Term{f}
	for _, s := range settings {
		var next []Term
		for _, f := range all {
			for _, word := range s.Choices {
				*s.Word(&f) = word
				next = append(next, f)
			}
			if s.Key == "power" {
				for _, power := range []float64{1, 0.5, 1.37} {
					f.Power = Fixed(power)
					next = append(next, f)
				}
			}
		}
		if next != nil {
			all = next
		}
	}
	return all
}
