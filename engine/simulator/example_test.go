package simulator_test

import (
	"context"
	"fmt"
	"log"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
)

// A tournament: two players play the same 50 games on all processors. Who plays how well does not
// depend on how many there are.
func ExamplePool_Play() {
	family := &eval.Heuristic{Dead: eval.Dead{Worst: true}, Symmetry: eval.SymmetryNone}
	family.Add(family.Add(nil, eval.Defaults(eval.Empty), 200), eval.Defaults(eval.Monotonicity), -1, 1)
	players := []struct {
		name   string
		values eval.Vector // of the weights empty, monotonicity and monotonicity_power
	}{{"rising rows", eval.Vector{200, -1, 1}}, {"empty cells", eval.Vector{200, 0, 1}}}

	const games = 50
	form := eval.NewForm(engine.DefaultRules(), family)
	batch := simulator.Batch{Search: engine.FixedDepth(2)}
	for i, p := range players {
		batch.Players = append(batch.Players, form.Player(p.values))
		for seed := range games {
			batch.Jobs = append(batch.Jobs, simulator.Job{Player: i, Seed: uint64(seed)})
		}
	}
	outcomes, err := simulator.NewPool(4).Play(context.Background(), batch, nil)
	if err != nil {
		log.Fatal(err)
	}
	for i, p := range players {
		points := 0
		for _, o := range outcomes[i*games : (i+1)*games] {
			points += int(o.Score)
		}
		fmt.Printf("%s: %d points on average\n", p.name, points/games)
	}
	// Output:
	// rising rows: 10838 points on average
	// empty cells: 6192 points on average
}
