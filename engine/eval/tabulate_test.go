package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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

// TestWarningsLookOnce: looking for operations without a result takes each entry of an operation
// once, however often the formula has it. Once it worked 30 parts of 60 powers out for every line
// of every board.
func TestWarningsLookOnce(t *testing.T) {
	at := slices.IndexFunc(operations, func(o operation) bool { return o.name == "pow" })
	pow, count := operations[at].of, 0
	operations[at].of = func(x, y float64) float64 {
		count++
		return pow(x, y)
	}
	defer func() { operations[at].of = pow }()
	f := Defaults(Formula)
	f.Let = Lets{{Name: "part", Formula: strings.Repeat("pow(", 60) + "a" + strings.Repeat(", 0.99)", 60)}}
	f.Formula = strings.Repeat("part + ", 29) + "part + choose(a == 0, 0, 1 / a)"
	h := &Heuristic{}
	v := h.Add(nil, f, 1)
	if got := h.Warnings(v); len(got) > 0 {
		t.Errorf("warnings: %q", got)
	}
	if count > 2*60*16 { // of 16 tiles, for the values and for the look
		t.Errorf("%d powers of 60 x 16 were worked out", count)
	}
}

// TestTilesOfKinds: a kind with the setting tile sees ranks if that says so, and any other one
// sees faces.
func TestTilesOfKinds(t *testing.T) {
	for _, k := range Kinds() {
		want := 2048.0
		if k.uses("tile") {
			want = 11
		}
		f := Term{Kind: k.Name, Tile: Rank}
		if got := f.tiles()[11]; got != want {
			t.Errorf("%s sees a 2048 as %v, want %v", k.Name, got, want)
		}
	}
}
