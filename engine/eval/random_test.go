package eval_test

import (
	"flag"
	"fmt"
	"go/ast"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/plain"
)

var long = flag.Int("families", 0, "how many random families TestBestOfRandomFamilies draws; 0: a few seconds of them")

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// randomFamily draws a family of up to five features of any kind and setting, and its plain twin.
func randomFamily(r *rand.Rand) (*player, []plain.Feature) {
	f := playerOf(eval.Heuristic{Symmetry: pick(r, eval.SymmetryNone, eval.SymmetryNone, eval.SymmetryBest)})
	var twins []plain.Feature
	for i := range 1 + r.IntN(5) {
		p := plain.Feature{
			Kind: pick(r, eval.Kinds()...).Name, Tile: pick(r, eval.Face, eval.Rank),
			Count: pick(r, eval.Pairs, eval.Runs), Blanks: pick(r, eval.Skip, eval.Keep),
			Corner: pick(r, eval.UpperLeft, eval.UpperRight, eval.LowerLeft, eval.LowerRight),
			First:  pick(r, eval.Column, eval.Row),
			Weight: math.Round(2000*r.Float64()-1000) / 8, Power: pick(r, 1, 2, 0.5, 1.37), Decay: pick(r, 0.1, 0.25, 0.9, 1.1),
		}
		h := feature(p.Kind, p.Weight, nil)
		h.Name = fmt.Sprint("f", i)
		h.Tile, h.Count, h.Blanks, h.Corner, h.First = p.Tile, p.Count, p.Blanks, p.Corner, p.First
		h.power, h.decay = p.Power, p.Decay
		for k := range 16 {
			p.Matrix[k/4][k%4] = math.Round(200*r.Float64()-100) / 10
			h.matrix[k/4][k%4] = p.Matrix[k/4][k%4]
		}
		if p.Kind == eval.Formula {
			randomParts(r, &h.Term, &p)
		}
		h.addTo(f)
		twins = append(twins, p)
	}
	if r.IntN(2) == 0 {
		f.Dead = eval.Dead{Worst: true}
	} else {
		f.Dead = eval.Dead{Value: math.Round(20000*r.Float64() - 10000)}
	}
	return f, twins
}

// randomParts draws a formula over any part of the board. Random ones over lines and squares turn
// with the board.
func randomParts(r *rand.Rand, h *eval.Term, p *plain.Feature) {
	p.Over = pick(r, "line", "row", "column", "square", "square", "cell", "cell", "board", "board")
	if p.Over != "line" {
		h.Over = p.Over
	}
	h.Formula = randomFormula(r, p.Tile, p.Over)
	if p.Over != "board" && r.IntN(3) == 0 { // parts with names, of which later ones know earlier ones
		h.Let = []eval.NamedPart{{Name: "one", Formula: randomFormula(r, p.Tile, p.Over)},
			{Name: "two", Formula: "floor(one / 7) + " + randomFormula(r, p.Tile, p.Over)}}
		h.Formula = pick(r, "max(one, two)", "min(one, two) - one", "(one > two) * (one - two) / 3",
			"one - two / 2 + floor(two / 9)") + " + " + h.Formula
	}
	if p.Over == "board" {
		p.Sums = map[string]plain.Sum{}
		names := []string{"empty", "largest", "distinct", "moves", "points", "corner", "edge"}
		for i := range r.IntN(3) {
			s := eval.NamedPart{Name: fmt.Sprint("s", i),
				Over: pick(r, "line", "row", "column", "square", "cell", "row_0", "row_3", "column_2", "tiles")}
			s.Formula = randomFormula(r, p.Tile, s.Over)
			h.Sums = append(h.Sums, s)
			p.Sums[s.Name] = plain.Sum{Over: s.Over, Formula: plain.Formula(s.Formula)}
			names = append(names, s.Name)
		}
		terms := []string{}
		for _, name := range append(names[7:], pick(r, names...), pick(r, names...)) {
			terms = append(terms, fmt.Sprintf(pick(r, "%d * %s", "%d * sqrt(abs(%s))", "%d * log(1 + max(0, %s))",
				"%d / moves * abs(%s)", "max(%d, %s)", "%d * (%s > 3)", "%d * exp(-abs(%s) / 1000)",
				"%d / %s", "%d * log(%s)", "%d * sqrt(%s)", "%d * floor(%s / 3)", "%d * pow(%s, 0.5)", "%d * half(%s)"),
				r.IntN(20)-10, name))
		}
		h.Formula = strings.Join(terms, " + ")
		if strings.Contains(h.Formula, "half(") { // a part with a name
			h.Let = []eval.NamedPart{{Name: "half", Formula: names[7%len(names)] + " / 2"}}
			h.Formula = regexp.MustCompile(`half\(\w+\)`).ReplaceAllString(h.Formula, "half")
			for _, s := range h.Sums {
				h.Formula += " + 0 * " + s.Name
			}
		}
	}
	p.Formula, p.Let = plain.Formula(h.Formula), map[string]ast.Expr{}
	for _, x := range h.Let {
		p.Let[x.Name] = plain.Formula(x.Formula)
	}
}

// randomFormula draws a formula that rewards a few rows or many: for small tiles or large ones, for
// pairs, blanks, merges and differences.
func randomFormula(r *rand.Rand, tile, over string) string {
	tiles := []string{"a", "b", "c", "d", "w", "x", "y", "z", "largest"}
	counts := []string{"empty", "merges", "runs"}
	if over == "square" {
		tiles, counts = []string{"a", "b", "c", "d", "largest"}, counts[:1]
	}
	if over == "tiles" {
		tiles, counts = []string{"tile", "largest", "tile", "largest"}, []string{"tile"}
	}
	if over == "cell" {
		tiles, counts = []string{"tile", "largest", "tile", "row", "column"}, []string{"row", "column", "corner"}
	}
	rank := func() string {
		n := pick(r, 1, 1, 2, 2, 3, 4, 5, 1+r.IntN(15))
		if tile == eval.Face {
			n = 1 << n
		}
		return strconv.Itoa(n)
	}
	var terms []string
	for range 1 + r.IntN(4) {
		k := r.IntN(3) // of the pairs of neighbours
		one, next := tiles[k], tiles[k+1]
		term := pick(r,
			fmt.Sprintf("(%s == %s && %s == %s)", one, rank(), next, rank()),
			fmt.Sprintf("(%s == %s && %s == %s)", one, next, one, rank()),
			fmt.Sprintf("(%s == %s)", pick(r, tiles...), rank()),
			fmt.Sprintf("(%s %s %s)", pick(r, tiles...), pick(r, "<", ">=", "!="), pick(r, tiles...)),
			fmt.Sprintf("(%s > %d)", pick(r, counts...), r.IntN(4)),
			fmt.Sprintf("min(%s, %s)", pick(r, tiles...), rank()),
			fmt.Sprintf("abs(%s - %s)", one, next),
			fmt.Sprintf("log2(1 + %s)", pick(r, tiles...)),
			fmt.Sprintf("choose(%s != 0, %s/%s, 0)", one, next, one),
			fmt.Sprintf("%s / (%s - %s)", one, next, pick(r, tiles...)),
			fmt.Sprintf("%s(%s - %s)", pick(r, "log", "log2", "sqrt"), one, next),
			fmt.Sprintf("pow(%s - %s, %s)", one, next, pick(r, "0.7", "-1", "0", "-0.5")),
			fmt.Sprintf("exp(800 * %s)", pick(r, counts...)),
			fmt.Sprintf("floor(%s / 3)", one),
			pick(r, tiles...), pick(r, counts...))
		terms = append(terms, fmt.Sprintf("%d * %s", r.IntN(200)-100, term))
	}
	return strings.Join(terms, " + ")
}

// magnitude bounds the values of a family on a board: what cancels in a sum still costs its
// rounding.
func magnitude(features []plain.Feature, b plain.Board) float64 {
	sum := 0.0
	for _, f := range features {
		f.Weight = math.Abs(f.Weight)
		if f.Kind == eval.Formula { // of up to four terms of up to 100 x 32768, in eight lines
			if f.Over == "board" { // of the points, and of sums of such terms, ten times
				sum += f.Weight * 10 * (16*15*65536 + float64(len(f.Sums))*4*100*32768*9)
				continue
			}
			sum += f.Weight * 4 * 100 * 32768 * 8 * 4 // with named parts
			continue
		}
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
		used, values := eval.NewCompiler(f.Heuristic), slices.Clone(f.values)
		for i := range values {
			values[i] = max(values[i], 0.5) * pick(r, 0.5, 0.75, 1.25)
			again, err := used.Compile(values, f.Dead)
			if err != nil {
				t.Fatal(err)
			}
			fresh, err := eval.NewCompiler(f.Heuristic).Compile(values, f.Dead)
			if err != nil {
				t.Fatal(err)
			}
			got, want := []any{again.Bits, again.Dead, again.Rows, again.Columns, again.Squares, again.Cells, again.ByLargest,
				again.Oriented}, []any{fresh.Bits, fresh.Dead, fresh.Rows, fresh.Columns, fresh.Squares, fresh.Cells,
				fresh.ByLargest, fresh.Oriented}
			if r.IntN(2) == 0 {
				largest := r.IntN(16)
				if !fresh.ByLargest {
					largest = 0
				}
				rows, columns := again.Along(largest)
				freshRows, freshColumns := fresh.Along(largest)
				got, want = append(got, rows, columns), append(want, freshRows, freshColumns)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("family %+v: after a change of %s the tables are not those of a new compiler", f, f.Names()[i])
			}
		}
	}
}

// resolution is the largest error of rounding the look-ups of a board to fixed point.
func resolution(t *engine.Tables) float64 { return 64 * math.Ldexp(1, -t.Bits) }

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
			Value: plain.Family(twins, f.Symmetry == eval.SymmetryBest), Dead: tables.Dead,
			Four: rules.FourProbability, MinProbability: settings.MinProbability,
		}
		for i := range 3 {
			b := randomBoard(r, 1+r.IntN(15), []float64{0, 0.1, 0.3}[i])
			d := s.Search(b)
			want := reference.Moves(b.Faces(), settings.Rule.Fixed)
			scale := math.Max(1, magnitude(twins, plain.Board{{32768}})+math.Abs(tables.Dead))
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
// search, to the bit, for random families, formulas, boards, rules and depths. The slow reference
// judges both where it ends in time. Fewer nodes show that the search leaves moves out.
func TestBestOfRandomFamilies(t *testing.T) {
	families := 400
	if *long > 0 {
		families = *long
	}
	r := rand.New(rand.NewPCG(17, 18))
	var full, best engine.Searcher
	var boards, judged int
	var all, left int64
	for range families {
		f, twins := randomFamily(r)
		switch r.IntN(7) {
		case 0: // the family that is played most, with odd weights
			f, twins = nneonneo(r), nil
		case 1: // a merged tile is worth more than the two that it was
			f, twins = squares(), nil
		case 2, 3, 4, 5: // rewards for a few rows alone
			f, twins = rewards(r)
		}
		tables := compile(t, f)
		rules := engine.Rules{FourProbability: pick(r, 0.1, 0.1, 0, 1, 0.37)}
		settings := engine.FixedDepth(2 + r.IntN(7))
		settings.MinProbability = pick(r, 0, 0, 0.02, 0.005)
		if settings.Rule.Fixed > 5 {
			settings.MinProbability = max(settings.MinProbability, 0.005)
		}
		full.Prepare(tables, settings, rules)
		best.Prepare(tables, settings, rules)
		reference := plain.Search{
			Value: plain.Family(twins, f.Symmetry == eval.SymmetryBest), Dead: tables.Dead,
			Four: rules.FourProbability, MinProbability: settings.MinProbability,
		}
		for i := range 5 {
			b := randomBoard(r, 1+r.IntN(pick(r, 3, 5, 15)), []float64{0, 0.05, 0.1, 0.2, 0.4}[i])
			if i > 1 && settings.Rule.Fixed < 6 && r.IntN(2) == 0 { // two 32768s, and boards that become such
				b = b&^0xFFFF | pick(r, b&0xFFFF, 0xFF, 0xEEF, 0xF0EE)
			}
			if r.IntN(3) == 0 {
				b = played(r, b, 1+r.IntN(30))
			}
			d := full.Search(b)
			m, value, nodes := best.Best(b)
			if m != d.Best || m != engine.NoMove && value != d.Values[m] {
				t.Fatalf("family %+v, dead %v, %v, %v:\nboard %v: got %v %v, want %v of %v", f.Features, f.Dead, rules, settings, b,
					m, value, d.Best, d.Values)
			}
			boards, all, left = boards+1, all+d.Nodes, left+nodes
			if twins == nil || d.Nodes > 200 || m == engine.NoMove {
				continue
			}
			judged++
			most, wants := math.Inf(-1), reference.Moves(b.Faces(), settings.Rule.Fixed)
			for _, v := range wants {
				most = max(most, v)
			}
			error := resolution(tables) + 1e-9*math.Max(1, magnitude(twins, plain.Board{{32768}})+math.Abs(tables.Dead))
			if want := wants[m.String()]; math.Abs(value-want) > error || most-want > error {
				t.Fatalf("family %+v, dead %v, %v, %v:\nboard %v: got %v %v, the reference has %v", f.Features, f.Dead, rules,
					settings, b, m, value, wants)
			}
		}
	}
	t.Logf("%d boards, %d of them judged by the slow reference, %.2f of the nodes", boards, judged,
		float64(left)/float64(all))
	if share := float64(left) / float64(all); share > 0.97 {
		t.Errorf("%.2f of the nodes are left: nothing is left out", share)
	}
}

// TestBestDoesNotDependOnHistory: a searcher that has searched other boards, with other weights,
// and remembers their bounds, finds the moves, values and nodes of a new one.
func TestBestDoesNotDependOnHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	var old engine.Searcher
	for range 25 {
		f, _ := rewards(r)
		if r.IntN(2) == 0 {
			f = nneonneo(r)
		}
		compiler, values := eval.NewCompiler(f.Heuristic), slices.Clone(f.values)
		boards := make([]engine.Board, 4)
		for i := range boards {
			boards[i] = played(r, randomBoard(r, 1+r.IntN(11), 0.2), r.IntN(20))
		}
		for _, depth := range []int{5, 6, 5, 7} {
			values[r.IntN(len(values))] *= pick(r, -1, 0.25, 3) // the next tables lie in the same memory
			tables, err := compiler.Compile(values, f.Dead)
			if err != nil {
				t.Fatal(err)
			}
			settings := engine.FixedDepth(depth)
			if depth > 5 {
				settings.MinProbability = pick(r, 0.02, 0.005)
			}
			for _, b := range boards {
				var fresh engine.Searcher
				fresh.Prepare(tables, settings, engine.DefaultRules())
				old.Prepare(tables, settings, engine.DefaultRules())
				m, value, nodes := old.Best(b)
				if m2, value2, nodes2 := fresh.Best(b); m != m2 || value != value2 || nodes != nodes2 {
					t.Fatalf("%v, %v, board %v: got %v %v with %d nodes, a new searcher %v %v with %d",
						f.Features, settings, b, m, value, nodes, m2, value2, nodes2)
				}
			}
		}
	}
}

// played returns the board after up to so many random moves.
func played(r *rand.Rand, b engine.Board, moves int) engine.Board {
	for range moves {
		after, _, ok, capped := b.Slide(pick(r, engine.Up, engine.Left, engine.Left, engine.Down))
		if ok && !capped {
			b = after
			for cell := range r.Perm(16) {
				if b>>(4*cell)&15 == 0 {
					b |= engine.Board(1+r.IntN(10)/9) << (4 * cell)
					break
				}
			}
		}
	}
	return b
}

// TestBestFindsASpawnedPair: two new tiles of rank 1 need no slide. The family pays for a pair of
// them alone.
func TestBestFindsASpawnedPair(t *testing.T) {
	pair := feature(eval.Formula, 1000, nil)
	pair.Name, pair.Tile = "pair", eval.Rank
	pair.Formula = "a == 1 && b == 1 || b == 1 && c == 1 || c == 1 && d == 1"
	tables := compile(t, playerOf(eval.Heuristic{Symmetry: eval.SymmetryNone}, pair))
	b, err := engine.ParseBoard("64 0 16 16/0 0 64 0/4 4 0 16/16 8 16 64")
	if err != nil {
		t.Fatal(err)
	}
	var s engine.Searcher
	s.Prepare(tables, engine.FixedDepth(4), engine.Rules{FourProbability: 0.1})
	if m, value, _ := s.Best(b); m != engine.Right || math.Abs(value-250.7) > 0.05 {
		t.Errorf("got %v %.1f, want right 250.7", m, value)
	}
}

// rewards draws formulas that reward pairs of one or two ranks in lines or squares, and some
// numbers of blanks, and their plain twins.
func rewards(r *rand.Rand) (*player, []plain.Feature) {
	f, twins := playerOf(eval.Heuristic{Symmetry: eval.SymmetryNone}), []plain.Feature(nil)
	for i, over := range [][]string{{"line"}, {"row"}, {"square"}, {"square", "board"}, {"line", "square"},
		{"column", "board"}}[r.IntN(6)] {
		var terms []string
		for range 1 + r.IntN(2) {
			rank := pick(r, 1, 1, 2, 2, 3, 3, 4, 5, 6, 13, 14, 15)
			pair := func(x, y string) string { return fmt.Sprintf("(%s == %d && %s == %d)", x, rank, y, rank) }
			term := pick(r, pair("a", "b")+" || "+pair("b", "c")+" || "+pair("c", "d"), pair("a", "d"),
				fmt.Sprintf("(a == %d) + (b == %d) + (c == %d) + (d == %d) >= 2", rank, rank, rank, rank))
			switch {
			case over == "board":
				term = fmt.Sprintf("(empty == %d)", r.IntN(12))
			case over != "square" && r.IntN(4) == 0:
				term = pair("w", "x") + " || " + pair("x", "y") + " || " + pair("y", "z")
			}
			terms = append(terms, term)
		}
		p := plain.Feature{Kind: eval.Formula, Tile: eval.Rank, Weight: pick(r, 1000.0, 1000, -1000), Over: over}
		h := feature(p.Kind, p.Weight, nil)
		h.Name, h.Tile, h.Formula = fmt.Sprint("f", i), p.Tile, strings.Join(terms, " || ")
		if over != "line" {
			h.Over = over
		}
		p.Formula = plain.Formula(h.Formula)
		h.addTo(f)
		twins = append(twins, p)
	}
	return f, twins
}

// squares is the sum of the tiles' squares.
func squares() *player {
	return playerOf(eval.Heuristic{Symmetry: eval.SymmetryNone}, feature(eval.Sum, 1, func(f *valued) { f.power = 2 }))
}

// nneonneo draws a family of nneonneo's features with weights about the published ones.
func nneonneo(r *rand.Rand) *player {
	f := playerOf(eval.Heuristic{Symmetry: eval.SymmetryNone,
		Dead: pick(r, eval.Dead{Worst: true}, eval.Dead{}, eval.Dead{Value: 1e7})})
	for _, x := range []struct {
		kind          string
		weight, power float64
	}{{"line", 200000, 1}, {"empty", 270, 1}, {"merges", 700, 1}, {"monotonicity", -47, 4}, {"sum", -11, 3.5}} {
		feature := feature(x.kind, 0, nil)
		feature.Name, feature.Tile, feature.Blanks, feature.Count = x.kind, eval.Rank, eval.Keep, eval.Runs
		feature.weight, feature.power = x.weight*pick(r, 1, 1, 1, 0.5, 2, -1), x.power
		if x.kind == "line" || r.IntN(5) > 0 {
			feature.addTo(f)
		}
	}
	return f
}
