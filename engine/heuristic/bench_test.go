package heuristic_test

import (
	"fmt"
	"sync"
	"testing"

	"tune2048/engine"
	"tune2048/engine/heuristic"
)

// benchFamily returns a published family by name.
func benchFamily(name string) *heuristic.Family {
	for _, p := range published {
		if p.name == name {
			return p.family
		}
	}
	panic(name)
}

// gameBoards are all boards of eight games that nneonneo's constants play at depth 3, seeds 1 to 8: what
// `tune play -config configs/nneonneo.yaml -depth 3 -seed N -json` prints.
var gameBoards = sync.OnceValue(func() []engine.Board {
	family := benchFamily("nneonneo")
	tables, err := heuristic.NewCompiler(family).Compile(family.Start(), heuristic.Dead{})
	if err != nil {
		panic(err)
	}
	var player engine.Expectimax
	player.Prepare(tables, engine.FixedDepth(3), engine.DefaultRules())
	var boards []engine.Board
	for seed := uint64(1); seed <= 8; seed++ {
		engine.Play(engine.DefaultRules(), seed, &player, func(s engine.Step) bool {
			boards = append(boards, s.Board)
			return true
		})
	}
	return boards
})

// BenchmarkSearch values all moves of every 10th, 100th or 1000th of these boards: with the search of
// nneonneo/2048-ai (its constants, its cut at 0.0001) at 1, 2, 3 chance layers and at its own depth rule, and with
// the other families at depth 5. An operation is one pass over the boards.
func BenchmarkSearch(b *testing.B) {
	layers := func(n int) engine.Settings {
		return engine.Settings{Rule: engine.DepthRule{Fixed: 2*n + 1}, MinProbability: 0.0001}
	}
	own := engine.Settings{Rule: engine.DepthRule{ByDistinct: &engine.DistinctLayers{Minus: 2, Least: 3}}, MinProbability: 0.0001}
	for _, c := range []struct {
		family   string
		symmetry string
		settings engine.Settings
		every    int
	}{
		{"nneonneo", heuristic.SymmetryNone, layers(1), 10},
		{"nneonneo", heuristic.SymmetryNone, layers(2), 10},
		{"nneonneo", heuristic.SymmetryNone, layers(3), 100},
		{"nneonneo", heuristic.SymmetryNone, own, 1000},
		{"snake", heuristic.SymmetryNone, engine.FixedDepth(5), 10},
		{"rows", heuristic.SymmetryNone, engine.FixedDepth(5), 10},
		{"cluster", heuristic.SymmetryNone, engine.FixedDepth(5), 10},
		{"cluster", heuristic.SymmetryBest, engine.FixedDepth(5), 10},
		{"snake", heuristic.SymmetryBest, engine.FixedDepth(5), 10},
	} {
		b.Run(fmt.Sprintf("%s/%s/%s", c.family, c.symmetry, c.settings), func(b *testing.B) {
			family := *benchFamily(c.family)
			family.Symmetry = c.symmetry
			tables, err := heuristic.NewCompiler(&family).Compile(family.Start(), heuristic.Dead{})
			if err != nil {
				b.Fatal(err)
			}
			boards := gameBoards()
			var s engine.Searcher
			s.Prepare(tables, c.settings, engine.DefaultRules())
			var nodes int64
			b.ResetTimer()
			for range b.N {
				for i := 0; i < len(boards); i += c.every {
					nodes += s.Search(boards[i]).Nodes
				}
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}

// BenchmarkCompile makes tables for new weights.
func BenchmarkCompile(b *testing.B) {
	for _, p := range published {
		b.Run(p.name, func(b *testing.B) {
			compiler := heuristic.NewCompiler(p.family)
			values := p.family.Start()
			for range b.N {
				values[0] += 0.001
				if _, err := compiler.Compile(values, heuristic.Dead{Worst: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
