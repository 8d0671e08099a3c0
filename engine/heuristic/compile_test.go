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

func TestSearchEqualsPlainExpectimax(t *testing.T) {
	for _, p := range published {
		for _, dead := range []heuristic.Dead{{Worst: true}, {Value: 0}, {Value: -12345.5}} {
			p.family.Dead = dead
			tables := compile(t, p.family)
			for depth := 1; depth <= 5; depth++ {
				boards := []int{400, 150, 40, 6, 2}[depth-1]
				checkSearch(t, p.name, tables, p.formula, engine.FixedDepth(depth), boards)
			}
			cut := engine.FixedDepth(5)
			cut.MinProbability = 0.004
			checkSearch(t, p.name, tables, p.formula, cut, 4)
		}
	}
}

// checkSearch compares the engine's search with the plain one on boards that are nearly full, where
// death is near and trees are small, some of them with 32768s that merge.
func checkSearch(t *testing.T, name string, tables *engine.Tables, formula func(plain.Board) float64, settings engine.Settings, boards int) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, uint64(boards)))
	var s engine.Searcher
	s.Prepare(tables, settings, engine.DefaultRules())
	reference := plain.Search{Value: formula, Dead: tables.DeadValue(), Four: 0.1, MinProbability: settings.MinProbability}
	for i := range boards {
		b := randomBoard(r, []int{3, 8, 15, 11}[i%4], []float64{0, 0.1, 0.2, 0.4}[i/4%4])
		if i%5 == 4 {
			b = b&^0xFF0 | 0xFF0
		}
		d := s.Search(b)
		want := reference.Moves(b.Faces(), settings.Rule.Fixed)
		for _, m := range engine.Moves() {
			value, legal := want[m.String()]
			if d.Legal[m] != legal || legal && !near(d.Values[m], value) {
				t.Fatalf("%s, %v: board %v: %v: got %v %v, want %v %v", name, settings, b, m, d.Legal[m], d.Values[m], legal, value)
			}
		}
	}
}

// The value of a dead position that engine/README.md defines: below the bounds of all features, for
// nneonneo's constants.
func TestWorst(t *testing.T) {
	low := -47*12*math.Pow(16, 4) - 11*32*math.Pow(16, 3.5)
	f := family(feature(heuristic.Line, 200000, nil), feature(heuristic.Empty, 270, nil),
		feature(heuristic.Merges, 700, func(f *heuristic.Feature) { f.Count = heuristic.Runs }),
		feature(heuristic.Monotonicity, -47, func(f *heuristic.Feature) { f.Tile, f.Power = heuristic.Rank, heuristic.Fixed(4) }),
		feature(heuristic.Sum, -11, func(f *heuristic.Feature) { f.Tile, f.Power = heuristic.Rank, heuristic.Fixed(3.5) }))
	f.Dead = heuristic.Dead{Worst: true}
	low += 8 * 200000
	if got, want := compile(t, f).DeadValue(), low+low/(1<<20); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("got %v, want %v", got, want)
	}
}
