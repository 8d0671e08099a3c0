package eval_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"tune2048/engine"
	"tune2048/engine/eval"
)

// feature returns a feature of the kind with the given fixed weight, changed by edit.
func feature(kind string, weight float64, edit func(*eval.Term)) eval.Term {
	f := eval.Defaults(kind)
	f.Weight = weight
	if edit != nil {
		edit(&f)
	}
	return f
}

func family(features ...eval.Term) *eval.Heuristic {
	return &eval.Heuristic{Features: features, Dead: eval.Dead{Worst: true}, Symmetry: eval.SymmetryNone}
}

// published are the families of the sources. Package config compares them with their sources.
var published = []struct {
	name   string
	family *eval.Heuristic
}{
	{"snake", family(
		feature(eval.Snake, 1, func(f *eval.Term) { f.Decay = 0.1 }),
		feature(eval.Corner, -1, func(f *eval.Term) { f.Power = 2 }),
	)},
	{"rows", family(
		feature(eval.Line, 1000, nil), feature(eval.Empty, 250, nil), feature(eval.Merges, 750, nil),
		feature(eval.Sum, -10, nil), feature(eval.Monotonicity, -50, nil),
	)},
	{"cluster", family(
		feature(eval.Position, 1, func(f *eval.Term) {
			for i := range 16 {
				f.Matrix[i/4][i%4] = float64(15 - i)
			}
		}),
		feature(eval.Difference, -2, nil),
	)},
	{"nneonneo", family(
		feature(eval.Line, 200000, nil), feature(eval.Empty, 270, nil),
		feature(eval.Merges, 700, func(f *eval.Term) { f.Count = eval.Runs }),
		feature(eval.Monotonicity, -47, func(f *eval.Term) {
			f.Tile, f.Power, f.Blanks = eval.Rank, 4, eval.Keep
		}),
		feature(eval.Sum, -11, func(f *eval.Term) { f.Tile, f.Power = eval.Rank, 3.5 }),
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

func compile(t testing.TB, f *eval.Heuristic) *engine.Tables {
	t.Helper()
	if why := fault(f); why != "" {
		t.Fatal(why)
	}
	tables, err := eval.NewCompiler(f).Compile(f.Values(), f.Dead)
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
