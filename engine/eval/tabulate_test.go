package eval

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMemo asks a memo for few operands and for many, which share entries. Each result has the bits
// of the operation itself.
func TestMemo(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 2, 17, 0.5, 3.3, math.NaN(), math.Inf(1), math.Inf(-1)}
	for _, o := range []string{"pow", "log", "log2", "exp"} {
		var recent memo
		random := rand.New(rand.NewPCG(2048, uint64(len(o))))
		operand := func() float64 {
			if random.IntN(3) > 0 {
				return special[random.IntN(len(special))]
			}
			return 20 * random.Float64()
		}
		for range 20_000 {
			x, y := operand(), operand()
			got, want := recent.apply(functions[o].of, x, y), total(functions[o].of(x, y))
			if math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("operation %v of %v and %v: %v, want %v", o, x, y, got, want)
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
