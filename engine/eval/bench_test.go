package eval_test

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"tune2048/engine"
	"tune2048/engine/eval"
)

// benchFamily returns a published family by name.
func benchFamily(name string) *player {
	for _, p := range published {
		if p.name == name {
			return p.family
		}
	}
	panic(name)
}

// layers is the search of nneonneo/2048-ai with a fixed number of chance layers, ownRule that with
// its own number of them.
func layers(n int) engine.Settings {
	return engine.Settings{Rule: engine.DepthRule{Fixed: 2*n + 1}, MinProbability: 0.0001}
}

var ownRule = engine.Settings{Rule: engine.DepthRule{ByDistinct: &engine.DistinctLayers{Minus: 2, Least: 3}},
	MinProbability: 0.0001}

// lateBoards are every 25th board from the 2,600th to the 5,200th of the games that nneonneo's
// constants play at ownRule with seeds 1 and 2 (`tune play -config configs/nneonneo.yaml -seed N
// -json` prints them in some ten minutes), but for the 4 that have more than 2% of the nodes of a
// pass.
//
//go:embed testdata/late_boards.txt
var lateBoards string

// benchBoards returns the boards that searches are measured on, of games that nneonneo's constants
// play with the search itself: lateBoards of ownRule; otherwise 400, evenly spread over the whole
// games of seeds 1 to 8 (to 2, three layers deep).
func benchBoards(tb testing.TB, settings engine.Settings) (boards []engine.Board) {
	if settings.Rule.Fixed == 0 {
		for line := range strings.Lines(lateBoards) {
			b, err := engine.ParseBoard(line)
			if err != nil {
				tb.Fatal(err)
			}
			boards = append(boards, b)
		}
		return boards
	}
	family := benchFamily("nneonneo")
	tables, err := eval.NewCompiler(family.Heuristic).Compile(family.values, eval.Dead{})
	if err != nil {
		tb.Fatal(err)
	}
	var player engine.Searcher
	player.Prepare(tables, settings, engine.DefaultRules())
	games, all := 8, []engine.Board(nil)
	if settings.Rule.Fixed > 5 {
		games = 2
	}
	for seed := range games {
		engine.Play(engine.DefaultRules(), uint64(seed)+1, &player, func(s engine.Step) bool {
			all = append(all, s.Board)
			return true
		})
	}
	for i := range 400 {
		boards = append(boards, all[i*len(all)/400])
	}
	return boards
}

// BenchmarkSearch searches benchBoards: all values their moves, best finds the best move alone. It
// has the search of nneonneo/2048-ai (its constants, its cut at 0.0001) at 1, 2, 3 chance layers
// and at its own depth rule, apart for each depth. The other families search at depth 5. An
// operation is one pass over the boards.
func BenchmarkSearch(b *testing.B) {
	for _, c := range []struct {
		family   string
		symmetry string
		settings engine.Settings
		boards   engine.Settings
	}{
		{"nneonneo", eval.SymmetryNone, layers(1), layers(1)},
		{"nneonneo", eval.SymmetryNone, layers(2), layers(2)},
		{"nneonneo", eval.SymmetryNone, layers(3), layers(3)},
		{"nneonneo", eval.SymmetryNone, ownRule, ownRule},
		{"snake", eval.SymmetryNone, engine.FixedDepth(5), layers(2)},
		{"rows", eval.SymmetryNone, engine.FixedDepth(5), layers(2)},
		{"cluster", eval.SymmetryNone, engine.FixedDepth(5), layers(2)},
		{"cluster", eval.SymmetryBest, engine.FixedDepth(5), layers(2)},
		{"snake", eval.SymmetryBest, engine.FixedDepth(5), layers(2)},
	} {
		b.Run(fmt.Sprintf("%s/%s/%s", c.family, c.symmetry, c.settings), func(b *testing.B) {
			family := *benchFamily(c.family).Heuristic
			family.Symmetry = c.symmetry
			tables, err := eval.NewCompiler(&family).Compile(benchFamily(c.family).values, eval.Dead{})
			if err != nil {
				b.Fatal(err)
			}
			byDepth := map[int][]engine.Board{}
			for _, board := range benchBoards(b, c.boards) {
				depth := c.settings.Rule.Depth(board)
				byDepth[depth] = append(byDepth[depth], board)
			}
			for _, depth := range slices.Sorted(maps.Keys(byDepth)) {
				boards := byDepth[depth]
				for _, search := range []struct {
					name  string
					nodes func(*engine.Searcher, engine.Board) int64
				}{
					{"all", func(s *engine.Searcher, board engine.Board) int64 { return s.Search(board).Nodes }},
					{"best", func(s *engine.Searcher, board engine.Board) int64 { _, _, nodes := s.Best(board); return nodes }},
				} {
					b.Run(fmt.Sprintf("depth_%d/%d_boards/%s", depth, len(boards), search.name), func(b *testing.B) {
						var s engine.Searcher
						s.Prepare(tables, c.settings, engine.DefaultRules())
						var nodes int64
						for b.Loop() {
							for _, board := range boards {
								nodes += search.nodes(&s, board)
							}
						}
						b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
					})
				}
			}
		})
	}
}

// BenchmarkCompile makes the tables of candidates whose first and last weight change.
func BenchmarkCompile(b *testing.B) {
	for _, name := range []string{"nneonneo", "snake"} {
		b.Run(name, func(b *testing.B) {
			family := benchFamily(name)
			c, values := eval.NewCompiler(family.Heuristic), slices.Clone(family.values)
			for b.Loop() {
				values[0] *= 1.0001
				values[len(values)-1] *= 1.0001
				if _, err := c.Compile(values, eval.Dead{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
