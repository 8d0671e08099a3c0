package export

import (
	"testing"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
)

// TestBestOfChampions: on boards of whole games, the search for the best move finds the move and
// the value of the full search, to the bit. It holds for the shipped families with their start
// weights and with their champions' weights.
func TestBestOfChampions(t *testing.T) {
	rules := []struct {
		search string
		every  int // compare on every so many boards
	}{
		{"depth 4", 10}, {"depth 5", 10}, {"depth 6 p 0.002", 80}, {"depth 7", 60},
		{"depth by distinct -7 least 2", 10}, {"depth by distinct -5 least 3 p 0.0005", 60},
		{"depth by distinct -2 least 3 p 0.002", 120}, {"depth by empty >12:2 >7:3 >4:4 >1:5 else 7", 20},
	}
	for _, name := range config.Champions() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := config.ReadFile("champions/" + name)
			must(t, err)
			record, err := Read(data)
			must(t, err)
			config, err := config.LoadEmbedded(name)
			must(t, err)
			heuristic := record.Player().Heuristic.With(record.Values())
			for _, values := range []eval.Vector{config.Heuristic.Values(), record.Values()} {
				tables, err := eval.NewCompiler(&heuristic).Compile(values, heuristic.Dead)
				must(t, err)
				var full, best engine.Searcher
				var all, left int64
				player := new(engine.Expectimax)
				player.Prepare(tables, engine.FixedDepth(3), engine.DefaultRules())
				moves := 0
				engine.Play(engine.DefaultRules(), 3, player, func(s engine.Step) bool {
					moves++
					for i, rule := range rules {
						if (moves+i)%rule.every != 0 {
							continue
						}
						settings, err := engine.ParseSettings(rule.search)
						must(t, err)
						full.Prepare(tables, settings, engine.DefaultRules())
						best.Prepare(tables, settings, engine.DefaultRules())
						want := full.Search(s.Board)
						move, value, nodes := best.Best(s.Board)
						if move != want.Best || value != want.Values[move] {
							t.Fatalf("%s, board\n%v: got %v of value %v, want %v of %v", rule.search, s.Board, move, value, want.Best, want.Values)
						}
						all, left = all+want.Nodes, left+nodes
					}
					return true
				})
				share := float64(left) / float64(all)
				if lines := tables.Bound != nil; lines && share > 0.95 || !lines && share != 1 {
					t.Errorf("after %d moves %.3f of the nodes are left, with a bound: %t", moves, share, lines)
				}
				t.Logf("%d moves, %.3f of %d nodes", moves, share, all)
			}
		})
	}
}
