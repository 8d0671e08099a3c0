package eval_test

import (
	"fmt"
	"log"

	"tune2048/engine"
	"tune2048/engine/eval"
)

// own is a family of one's own: empty cells, merges, and a formula with a number p.
func own() (h eval.Heuristic, values eval.Vector) {
	h = eval.Heuristic{Dead: eval.Dead{Worst: true}, Symmetry: eval.SymmetryNone}
	ends := eval.Defaults(eval.Formula)
	ends.Name, ends.Tile, ends.Formula = "ends", eval.Rank, "(max(a, d) == largest) * pow(largest, p)"
	ends.Numbers = eval.Numbers{{Symbol: "p"}}
	values = h.Add(values, eval.Defaults(eval.Empty), 270)
	values = h.Add(values, eval.Defaults(eval.Merges), 700)
	return h, h.Add(values, ends, 50, 2)
}

// A family is compiled for values of its weights. The tables value boards, and searches with them
// value moves.
func Example() {
	family, values := own()
	for _, problem := range family.Problems(values) {
		log.Fatal(problem.Reason)
	}
	for i, name := range family.Names() {
		fmt.Println(name, values[i])
	}
	tables, err := eval.NewCompiler(&family).Compile(values, family.Dead)
	if err != nil {
		log.Fatal(err)
	}
	board, err := engine.ParseBoard("0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("value", tables.Value(board))

	var search engine.Searcher
	search.Prepare(tables, engine.FixedDepth(3), engine.DefaultRules())
	found := search.Search(board)
	fmt.Printf("%v %.1f, %d nodes\n", found.Best, found.Values[found.Best], found.Nodes)
	// Output:
	// empty 270
	// merges 700
	// ends 50
	// ends_p 2
	// value 22110
	// left 22561.4, 140 nodes
}
