package cluster

import (
	"strings"
	"testing"

	"tune2048/engine/simulator"
)

// FuzzDecode: reading ends for any message, and every decoded message can be used.
func FuzzDecode(f *testing.F) {
	j := testJob(3, 1, 2)
	f.Add(encode(j))
	f.Add(encode(answer(must(j.batch()), make([]simulator.Outcome, 4))))
	f.Add(encode(hello{Cores: 8, Version: "1", Signature: signature}))
	f.Add(encode(notice{Run: "r", Name: "snake"}))
	f.Add([]byte(`{"search":"depth 1","form":"heuristic: {features: [{feature: empty}]}","values":[[1]],"games":[{"Player":-1}]}`))
	f.Add([]byte("[]"))
	f.Add([]byte(newID("a worker's name.2")))
	f.Fuzz(func(t *testing.T, text []byte) {
		if j, err := decode[job](text); err == nil {
			if b, err := j.batch(); err == nil {
				for i, p := range b.Players {
					if len(p.Values) != len(p.Heuristic.Names()) {
						t.Fatalf("player %d has %d values", i, len(p.Values))
					}
				}
				answer(b, make([]simulator.Outcome, len(b.Jobs)))
			}
		}
		if r, err := decode[result](text); err == nil {
			for i, g := range r.Games {
				if g.Result.Check() == nil && (g.Score < 0 || g.Moves < 0 || g.Nodes < 0) {
					t.Fatalf("game %d of seed %d: %+v", i, g.Seed, g)
				}
			}
		}
		if name, err := nameOf(string(text)); err == nil &&
			(checkName(name) != nil || strings.ContainsAny(string(text), "*> \n")) {
			t.Fatalf("the id %q", text)
		}
		decode[notice](text)
	})
}
