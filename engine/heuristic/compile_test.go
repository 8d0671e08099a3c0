package heuristic_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/plain"
)

// feature returns a feature of the kind with the given fixed weight, changed by edit.
func feature(kind string, weight float64, edit func(*heuristic.Feature)) heuristic.Feature {
	f := heuristic.Defaults(kind)
	f.Weight = heuristic.Fixed(weight)
	if edit != nil {
		edit(&f)
	}
	return f
}

func family(features ...heuristic.Feature) *heuristic.Family {
	return &heuristic.Family{Features: features, Dead: heuristic.Dead{Worst: true}, Symmetry: heuristic.SymmetryNone}
}

// published are the families of the sources with the formulas that they must reproduce.
var published = []struct {
	name    string
	family  *heuristic.Family
	formula func(plain.Board) float64
}{
	{"snake", family(
		feature(heuristic.Snake, 1, func(f *heuristic.Feature) { f.Decay = heuristic.Fixed(0.1) }),
		feature(heuristic.Corner, -1, func(f *heuristic.Feature) { f.Power = heuristic.Fixed(2) }),
	), plain.Snake},
	{"rows", family(
		feature(heuristic.Line, 1000, nil), feature(heuristic.Empty, 250, nil), feature(heuristic.Merges, 750, nil),
		feature(heuristic.Sum, -10, nil), feature(heuristic.Monotonicity, -50, nil),
	), plain.Rows},
	{"cluster", family(
		feature(heuristic.Position, 1, func(f *heuristic.Feature) {
			for i := range 16 {
				f.Matrix[i/4][i%4] = heuristic.Fixed(float64(15 - i))
			}
		}),
		feature(heuristic.Difference, -2, nil),
	), plain.Cluster},
	{"nneonneo", family(
		feature(heuristic.Line, 200000, nil), feature(heuristic.Empty, 270, nil),
		feature(heuristic.Merges, 700, func(f *heuristic.Feature) { f.Count = heuristic.Runs }),
		feature(heuristic.Monotonicity, -47, func(f *heuristic.Feature) {
			f.Tile, f.Power, f.Blanks = heuristic.Rank, heuristic.Fixed(4), heuristic.Keep
		}),
		feature(heuristic.Sum, -11, func(f *heuristic.Feature) { f.Tile, f.Power = heuristic.Rank, heuristic.Fixed(3.5) }),
	), plain.Nneonneo},
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

func compile(t *testing.T, f *heuristic.Family) *engine.Tables {
	t.Helper()
	if err := f.Check(); err != nil {
		t.Fatal(err)
	}
	tables, err := heuristic.NewCompiler(f).Compile(f.Values(), f.Dead)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// near compares values as DESIGN asks: to 1e-5 relative (and far better than that).
func near(got, want float64) bool {
	return math.Abs(got-want) <= 1e-6*math.Max(1e-3, math.Abs(want))
}

func TestPublishedFormulas(t *testing.T) {
	for _, p := range published {
		tables := compile(t, p.family)
		r := rand.New(rand.NewPCG(1, 2))
		for i := range 20000 {
			b := randomBoard(r, 1+i%15, float64(i%7)/7)
			if b == 0 {
				continue
			}
			if got, want := tables.Value(b), p.formula(b.Faces()); !near(got, want) {
				t.Fatalf("%s: board %v: got %v, want %v", p.name, b, got, want)
			}
		}
	}
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
	if dead := tables.DeadValue(); dead >= least || dead < least-100 {
		t.Errorf("got %v, the least sum of eight lines is %v", dead, least)
	}
}
