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
			got, want := recent.apply(functions[o].of, x, y), functions[o].of(x, y)
			if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
				t.Fatalf("operation %v of %v and %v: %v, want %v", o, x, y, got, want)
			}
		}
	}
}
