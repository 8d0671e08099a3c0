package eval_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tune2048/engine"
	"tune2048/engine/eval"
)

// valued is a feature with its numbers.
type valued struct {
	eval.Term
	weight, power, decay float64
	matrix               [4][4]float64
	own                  []float64 // of a formula
}

// feature returns a feature of the kind with the given weight, changed by edit.
func feature(kind string, weight float64, edit func(*valued)) valued {
	f := valued{Term: eval.Defaults(kind), weight: weight, power: 1}
	if edit != nil {
		edit(&f)
	}
	return f
}

// addTo adds the feature to a heuristic, and its numbers to the vector.
func (f valued) addTo(h *player) {
	numbers := map[string]float64{"power": f.power, "decay": f.decay}
	for i := range 16 {
		numbers[fmt.Sprintf("matrix_%d_%d", i/4, i%4)] = f.matrix[i/4][i%4]
	}
	own := f.own
	if f.Kind != eval.Formula {
		own = nil
		for _, n := range f.Numbers {
			own = append(own, numbers[n.Symbol])
		}
	}
	h.values = h.Add(h.values, f.Term, f.weight, own...)
}

// player is a heuristic with its vector.
type player struct {
	*eval.Heuristic
	values eval.Vector
}

func playerOf(h eval.Heuristic, features ...valued) *player {
	p := &player{Heuristic: &h}
	for _, f := range features {
		f.addTo(p)
	}
	return p
}

func family(features ...valued) *player {
	return playerOf(eval.Heuristic{Dead: eval.Dead{Worst: true}, Symmetry: eval.SymmetryNone}, features...)
}

// published are the families of the sources. Package config compares them with their sources.
var published = []struct {
	name   string
	family *player
}{
	{"snake", family(
		feature(eval.Snake, 1, func(f *valued) { f.decay = 0.1 }),
		feature(eval.Corner, -1, func(f *valued) { f.power = 2 }),
	)},
	{"rows", family(
		feature(eval.Line, 1000, nil), feature(eval.Empty, 250, nil), feature(eval.Merges, 750, nil),
		feature(eval.Sum, -10, nil), feature(eval.Monotonicity, -50, nil),
	)},
	{"cluster", family(
		feature(eval.Position, 1, func(f *valued) {
			for i := range 16 {
				f.matrix[i/4][i%4] = float64(15 - i)
			}
		}),
		feature(eval.Difference, -2, nil),
	)},
	{"nneonneo", family(
		feature(eval.Line, 200000, nil), feature(eval.Empty, 270, nil),
		feature(eval.Merges, 700, func(f *valued) { f.Count = eval.Runs }),
		feature(eval.Monotonicity, -47, func(f *valued) {
			f.Tile, f.power, f.Blanks = eval.Rank, 4, eval.Keep
		}),
		feature(eval.Sum, -11, func(f *valued) { f.Tile, f.power = eval.Rank, 3.5 }),
	)},
}

// randomBoard draws a board of ranks up to top with about the given share of blanks.
func randomBoard(r *rand.Rand, top int, blanks float64) engine.Board {
	var b engine.Board
	for i := range 16 {
		if r.Float64() >= blanks {
			b |= engine.Board(1+r.IntN(top)) << (4 * i)
		}
	}
	return b
}

func compile(t testing.TB, f *player) *engine.Tables {
	t.Helper()
	if why := fault(f); why != "" {
		t.Fatal(why)
	}
	tables, err := eval.NewCompiler(f.Heuristic).Compile(f.values, f.Dead)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// The worst value is below all boards': for nneonneo's constants by the least table entry of eight
// lines, and by 2^-20 of the largest sum.
func TestWorst(t *testing.T) {
	f := published[3].family
	tables := compile(t, f)
	least := math.Inf(1)
	for _, v := range tables.Rows {
		least = min(least, 8*math.Ldexp(float64(v), -tables.Bits))
	}
	if dead := tables.Dead; dead >= least || dead < least-100 {
		t.Errorf("got %v, the least sum of eight lines is %v", dead, least)
	}
}
