package main

import (
	"math"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine"
)

// At depth 1 the value of a move is the value of the board right after it: the parts of the
// features, one compiled at a time, must add up to it.
func TestPartsAddUp(t *testing.T) {
	for _, name := range config.Names() {
		c, err := config.LoadEmbedded(name)
		if err != nil {
			t.Fatal(err)
		}
		who := startPlayer(c)
		e, err := who.expectimax(engine.FixedDepth(1))
		if err != nil {
			t.Fatal(err)
		}
		engine.Play(c.Rules, 1, e, func(s engine.Step) bool {
			d := e.Search(s.Board)
			shown, _, err := who.explain(s.Board, d)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range engine.Moves() {
				sum, size, parts := 0.0, 1.0, shown.Features[m.String()]
				for _, x := range parts {
					sum, size = sum+x, size+math.Abs(x)
				}
				if d.Legal[m] != (parts != nil) || d.Legal[m] && math.Abs(sum-d.Values[m]) > 1e-8*size {
					t.Errorf("%s, %v, %v: value %v, its parts %v add up to %v", name, s.Board, m, d.Values[m], parts, sum)
				}
			}
			return s.Score < 300 && !t.Failed()
		})
	}
}
