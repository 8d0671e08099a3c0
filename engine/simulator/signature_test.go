package simulator

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
	"testing"

	"tune2048/engine"
	"tune2048/engine/eval"
)

// played is the hash of the games and searches that Signature names. Signature was taken when nodes
// were hashed, too. The play has not changed since, so it kept its name.
const played = "69d3c647e6288a98"

// TestSignature pins the play and its costs: a fixed set of games with all kinds of features, depth
// rules and dead values, and the values of searches of other boards. played and Costs are the first
// 16 hexadecimal digits of the SHA-256 of the results, without the nodes and of the nodes alone.
//
// If the play differs and that is meant, set Signature and played to the new hash and say so in the
// commit: runs of the old signature will not be mixed with new ones. If only the costs differ, set
// Costs and say in the commit how many nodes a search takes now.
func TestSignature(t *testing.T) {
	pool, play, costs := NewPool(2), sha256.New(), sha256.New()
	add := func(hash hash.Hash, all ...uint64) {
		for _, v := range all {
			hash.Write(binary.BigEndian.AppendUint64(nil, v))
		}
	}
	for _, batch := range signatureBatches() {
		outcomes, err := pool.Play(t.Context(), batch, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range outcomes {
			capped := uint64(0)
			if o.Capped {
				capped = 1
			}
			add(play, uint64(o.Score), uint64(o.Moves), uint64(o.Final), capped)
			add(costs, uint64(o.Nodes))
		}
		player, s := batch.Players[0], new(engine.Searcher)
		tables, err := eval.NewCompiler(player.Heuristic).Compile(player.Values, player.Heuristic.Dead)
		if err != nil {
			t.Fatal(err)
		}
		s.Prepare(tables, batch.Search, player.Rules)
		for _, o := range outcomes[:min(len(outcomes), 3)] {
			d := s.Search(o.Final &^ 0xFFFF) // the last board of a game, without its upper row
			add(play, uint64(d.Best))
			for _, v := range d.Values {
				add(play, math.Float64bits(v))
			}
			add(costs, uint64(d.Nodes))
		}
	}
	short := func(hash hash.Hash) string { return hex.EncodeToString(hash.Sum(nil))[:16] }
	if got := short(play); got != played {
		t.Errorf("the engine plays otherwise than before: %s, want %s", got, played)
	}
	if got := short(costs); got != Costs {
		t.Errorf("the engine counts other nodes than before: costs %s, want %s", got, Costs)
	}
}

// signatureBatches have families that use every feature between them, each at several settings.
func signatureBatches() (all []Batch) {
	type feature struct { // with its numbers
		eval.Term
		weight, power, decay float64
	}
	of := func(kind string, weight float64, edit ...func(*feature)) feature {
		f := feature{eval.Defaults(kind), weight, 1, 0}
		for _, e := range edit {
			e(&f)
		}
		return f
	}
	rank := func(power float64) func(*feature) {
		return func(f *feature) { f.Tile, f.power = eval.Rank, power }
	}
	power := func(p float64) func(*feature) {
		return func(f *feature) { f.power = p }
	}
	heuristic := func(symmetry string, features ...feature) (p eval.Player) {
		h := &eval.Heuristic{Symmetry: symmetry}
		for _, f := range features {
			var numbers []float64
			for i, n := range f.Numbers {
				numbers = append(numbers, map[string]float64{"power": f.power, "decay": f.decay}[n.Symbol])
				if f.Kind == eval.Position && i > 0 {
					numbers[i] = float64(16 - i)
				}
			}
			p.Values = h.Add(p.Values, f.Term, f.weight, numbers...)
		}
		p.Form = eval.NewForm(engine.DefaultRules(), h)
		return p
	}
	lines := heuristic(eval.SymmetryNone,
		of(eval.Line, 200000), of(eval.Empty, 270),
		of(eval.Merges, 700, func(f *feature) { f.Count = eval.Runs }),
		of(eval.Monotonicity, -47, rank(4), func(f *feature) { f.Blanks = eval.Keep }),
		of(eval.Sum, -11, rank(3.5)),
	)
	snake := heuristic(eval.SymmetryNone,
		of(eval.Snake, 1, func(f *feature) { f.decay = 0.1 }),
		of(eval.Corner, -1, power(2)),
	)
	matrix := heuristic(eval.SymmetryNone,
		of(eval.Position, 1),
		of(eval.Difference, -2),
	)
	best := heuristic(eval.SymmetryBest,
		of(eval.Snake, 1, power(1.3), func(f *feature) {
			f.decay, f.Corner, f.First = 0.4, eval.UpperRight, eval.Row
		}),
		of(eval.Largest, 0.5, power(1.1)), of(eval.Merges, 30), of(eval.Monotonicity, -0.7, power(0.9)),
		of(eval.Empty, 40),
	)
	over := func(part, text string, weight float64, sums ...eval.NamedPart) feature {
		f := of(eval.Formula, weight)
		f.Name, f.Tile, f.Over, f.Formula, f.Sums = part, eval.Rank, part, text, sums
		return f
	}
	rough := eval.NamedPart{Name: "rough", Over: "line", Formula: "abs(a - b) + abs(b - c) + abs(c - d)"}
	squares := heuristic(eval.SymmetryNone,
		of(eval.Merges, 30), of(eval.Monotonicity, -12, rank(2)),
		over("square", "exp(largest / 4) + abs(a - d)", -3), over("row", "max(b - a, 0)", -5),
		over("board", "log(1 + empty)", 200),
	)
	board := heuristic(eval.SymmetryNone,
		of(eval.Empty, 20), over("board", "corner * largest + edge + distinct / moves - pow(rough, 1.3) + log2(1 + points)",
			4, rough),
	)
	turning := heuristic(eval.SymmetryBest,
		of(eval.Empty, 20), over("column", "sqrt(a) - d", 3), over("square", "2*a - b", 1),
	)
	worst, zero := eval.Dead{Worst: true}, eval.Dead{}
	fixed := engine.FixedDepth
	distinct := engine.Settings{Rule: engine.DepthRule{ByDistinct: &engine.DistinctLayers{Minus: 8, Least: 1}},
		MinProbability: 0.01}
	deep := engine.Settings{Rule: engine.DepthRule{ByDistinct: &engine.DistinctLayers{Minus: 5, Least: 2}},
		MinProbability: 0.02}
	empty := engine.Settings{Rule: engine.DepthRule{ByEmpty: []engine.EmptyDepth{{Above: 7, Depth: 2},
		{Above: 3, Depth: 3}, {Above: -1, Depth: 4}}}}
	add := func(p eval.Player, dead eval.Dead, s engine.Settings, games int) {
		batch := Batch{Search: s, Players: []eval.Player{p.WithDead(dead).Player(p.Values)}}
		for seed := range uint64(games) {
			batch.Jobs = append(batch.Jobs, Job{Seed: seed})
		}
		all = append(all, batch)
	}
	add(lines, zero, fixed(1), 50)
	add(lines, zero, fixed(3), 30)
	add(lines, worst, fixed(2), 20)
	add(lines, zero, fixed(5), 1)
	add(lines, zero, distinct, 2)
	add(lines, zero, deep, 1)
	add(snake, worst, fixed(1), 50)
	add(snake, worst, fixed(3), 20)
	add(snake, zero, fixed(4), 5)
	add(matrix, worst, fixed(3), 20)
	add(matrix, worst, empty, 5)
	add(matrix, worst, distinct, 5)
	add(best, worst, fixed(1), 20)
	add(best, zero, fixed(3), 1)
	add(squares, worst, fixed(3), 20)
	add(squares, zero, fixed(5), 1)
	add(squares, worst, empty, 2)
	add(board, worst, fixed(1), 20)
	add(board, worst, fixed(3), 1)
	add(turning, worst, fixed(2), 5)
	add(turning, zero, fixed(1), 20)
	return all
}
