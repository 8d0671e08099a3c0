package heuristic_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/plain"
)

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// randomFamily draws a family of up to five features of any kind and setting, and its plain twin.
func randomFamily(r *rand.Rand) (*heuristic.Family, []plain.Feature) {
	f := &heuristic.Family{Symmetry: pick(r, heuristic.SymmetryNone, heuristic.SymmetryNone, heuristic.SymmetryBest)}
	var twins []plain.Feature
	for i := range 1 + r.IntN(5) {
		kinds := slices.DeleteFunc(heuristic.Kinds(), func(k *heuristic.Kind) bool { return k.Name == heuristic.Formula }) // it has no twin
		p := plain.Feature{
			Kind: pick(r, kinds...).Name, Tile: pick(r, heuristic.Face, heuristic.Rank),
			Count: pick(r, heuristic.Pairs, heuristic.Runs), Blanks: pick(r, heuristic.Skip, heuristic.Keep),
			Corner: pick(r, heuristic.UpperLeft, heuristic.UpperRight, heuristic.LowerLeft, heuristic.LowerRight),
			First:  pick(r, heuristic.Column, heuristic.Row),
			Weight: math.Round(2000*r.Float64()-1000) / 8, Power: pick(r, 1, 2, 0.5, 1.37), Decay: pick(r, 0.1, 0.25, 0.9, 1.1),
		}
		h := heuristic.Defaults(p.Kind)
		h.Name = fmt.Sprint("f", i)
		h.Weight = heuristic.Fixed(p.Weight)
		h.Tile, h.Count, h.Blanks, h.Corner, h.First = p.Tile, p.Count, p.Blanks, p.Corner, p.First
		h.Power, h.Decay = heuristic.Fixed(p.Power), heuristic.Fixed(p.Decay)
		for k := range 16 {
			p.Matrix[k/4][k%4] = math.Round(200*r.Float64()-100) / 10
			h.Matrix[k/4][k%4] = heuristic.Fixed(p.Matrix[k/4][k%4])
		}
		f.Features = append(f.Features, h)
		twins = append(twins, p)
	}
	if r.IntN(2) == 0 {
		f.Dead = heuristic.Dead{Worst: true}
	} else {
		f.Dead = heuristic.Dead{Value: math.Round(20000*r.Float64() - 10000)}
	}
	return f, twins
}

// magnitude bounds the values of a family on a board: what cancels in a sum still costs its
// rounding.
func magnitude(features []plain.Feature, b plain.Board) float64 {
	sum := 0.0
	for _, f := range features {
		f.Weight = math.Abs(f.Weight)
		for r := range f.Matrix {
			for c := range f.Matrix[r] {
				f.Matrix[r][c] = math.Abs(f.Matrix[r][c])
			}
		}
		sum += plain.Family([]plain.Feature{f}, true)(b)
	}
	return sum
}

// A compiler's next tables hold nothing of the ones before. They equal a new compiler's, bit for
// bit, whichever weight has changed. What a deeper search looks up is made when it is asked for, so
// it is asked for now and then only.
func TestCompilerForgets(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 20 {
		f, _ := randomFamily(r)
		used, values := heuristic.NewCompiler(f), f.Values()
		for i := range values {
			values[i] = max(values[i], 0.5) * pick(r, 0.5, 0.75, 1.25)
			again, err := used.Compile(values, f.Dead)
			if err != nil {
				t.Fatal(err)
			}
			fresh, err := heuristic.NewCompiler(f).Compile(values, f.Dead)
			if err != nil {
				t.Fatal(err)
			}
			got, want := []any{again.Bits, again.Dead, again.Lines, again.Cells, again.Corners, again.Oriented}, []any{fresh.Bits, fresh.Dead, fresh.Lines, fresh.Cells, fresh.Corners, fresh.Oriented}
			if r.IntN(2) == 0 {
				rows, columns := again.Along()
				freshRows, freshColumns := fresh.Along()
				got, want = append(got, rows, columns), append(want, freshRows, freshColumns)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("family %+v: after a change of %s the tables are not those of a new compiler", f, f.Weights()[i].Name)
			}
		}
	}
}

// resolution is the largest error of rounding the look-ups of a board to fixed point.
func resolution(t *engine.Tables) float64 { return 64 * math.Ldexp(1, -t.Bits) }

func TestRandomFamilies(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 200 {
		f, twins := randomFamily(r)
		tables := compile(t, f)
		formula := plain.Family(twins, f.Symmetry == heuristic.SymmetryBest)
		for i := range 15 {
			b := randomBoard(r, 1+r.IntN(15), float64(i%5)/6)
			if b == 0 {
				continue
			}
			got, want := tables.Value(b), formula(b.Faces())
			if math.Abs(got-want) > resolution(tables)+1e-12*magnitude(twins, b.Faces()) {
				t.Fatalf("family %+v:\nboard %v: got %v, want %v", twins, b, got, want)
			}
			if f.Dead.Worst && tables.DeadValue() >= got {
				t.Fatalf("family %+v:\nboard %v: value %v is not above that of a dead board, %v", twins, b, got, tables.DeadValue())
			}
		}
	}
}

func TestRandomFamiliesSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var s engine.Searcher
	for range 80 {
		f, twins := randomFamily(r)
		tables := compile(t, f)
		rules := engine.Rules{FourProbability: pick(r, 0.1, 0.1, 0, 1, 0.37)}
		settings := engine.FixedDepth(1 + r.IntN(4))
		settings.MinProbability = pick(r, 0, 0, 0.02, 0.2)
		s.Prepare(tables, settings, rules)
		reference := plain.Search{
			Value: plain.Family(twins, f.Symmetry == heuristic.SymmetryBest), Dead: tables.DeadValue(),
			Four: rules.FourProbability, MinProbability: settings.MinProbability,
		}
		for i := range 3 {
			b := randomBoard(r, 1+r.IntN(15), []float64{0, 0.1, 0.3}[i])
			d := s.Search(b)
			want := reference.Moves(b.Faces(), settings.Rule.Fixed)
			scale := math.Max(1, magnitude(twins, plain.Board{{32768}})+math.Abs(tables.DeadValue()))
			for _, m := range engine.Moves() {
				value, legal := want[m.String()]
				if d.Legal[m] != legal || math.Abs(d.Values[m]-value) > resolution(tables)+1e-9*scale {
					t.Fatalf("family %+v, symmetry %s, dead %v, %v:\nboard %v, %v: got %v %v, want %v %v",
						twins, f.Symmetry, f.Dead, settings, b, m, d.Legal[m], d.Values[m], legal, value)
				}
			}
		}
	}
}

// TestBestOfRandomFamilies: the search for the best move finds the move and the value of the full
// search, to the bit, for random weights, boards, rules and depths. Fewer nodes show that it leaves
// moves out.
func TestBestOfRandomFamilies(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	var full, best engine.Searcher
	var all, left int64
	for range 600 {
		f, _ := randomFamily(r)
		switch r.IntN(4) {
		case 0, 1: // the family that is played most, with odd weights
			f = nneonneo(r)
		case 2: // a 65536 is worth more than all that its tiles were
			f = squares()
		}
		tables := compile(t, f)
		rules := engine.Rules{FourProbability: pick(r, 0.1, 0.1, 0, 1, 0.37)}
		settings := engine.FixedDepth(4 + r.IntN(4))
		if settings.MinProbability = pick(r, 0, 0, 0.02, 0.005); settings.Rule.Fixed > 5 {
			settings.MinProbability = max(settings.MinProbability, 0.005)
		}
		full.Prepare(tables, settings, rules)
		best.Prepare(tables, settings, rules)
		for i := range 5 {
			b := randomBoard(r, 2+r.IntN(14), []float64{0, 0.05, 0.1, 0.2, 0.4}[i])
			if i > 1 && settings.Rule.Fixed < 6 && r.IntN(2) == 0 { // two 32768s, and boards that become such
				b = b&^0xFFFF | pick(r, b&0xFFFF, 0xFF, 0xEEF, 0xF0EE)
			}
			d := full.Search(b)
			m, value, nodes := best.Best(b)
			if m != d.Best || m != engine.NoMove && value != d.Values[m] {
				t.Fatalf("family %+v, dead %v, %v, %v:\nboard %v: got %v %v, want %v of %v", f.Features, f.Dead, rules, settings, b, m, value, d.Best, d.Values)
			}
			all, left = all+d.Nodes, left+nodes
		}
	}
	if share := float64(left) / float64(all); share > 0.97 {
		t.Errorf("%.2f of the nodes are left: nothing is left out", share)
	}
}

// squares is the sum of the tiles' squares.
func squares() *heuristic.Family {
	sum := heuristic.Defaults("sum")
	sum.Name, sum.Tile, sum.Weight, sum.Power = "sum", heuristic.Face, heuristic.Fixed(1), heuristic.Fixed(2)
	return &heuristic.Family{Symmetry: heuristic.SymmetryNone, Features: []heuristic.Feature{sum}}
}

// nneonneo draws a family of nneonneo's features with weights about the published ones.
func nneonneo(r *rand.Rand) *heuristic.Family {
	f := &heuristic.Family{Symmetry: heuristic.SymmetryNone, Dead: pick(r, heuristic.Dead{Worst: true}, heuristic.Dead{}, heuristic.Dead{Value: 1e7})}
	for _, x := range []struct {
		kind          string
		weight, power float64
	}{{"line", 200000, 1}, {"empty", 270, 1}, {"merges", 700, 1}, {"monotonicity", -47, 4}, {"sum", -11, 3.5}} {
		feature := heuristic.Defaults(x.kind)
		feature.Name, feature.Tile, feature.Blanks, feature.Count = x.kind, heuristic.Rank, heuristic.Keep, heuristic.Runs
		feature.Weight, feature.Power = heuristic.Fixed(x.weight*pick(r, 1, 1, 1, 0.5, 2, -1)), heuristic.Fixed(x.power)
		if r.IntN(5) > 0 {
			f.Features = append(f.Features, feature)
		}
	}
	return f
}
