package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/plain"
)

// TestMoveEqualsPlainExpectimax compares `tune move -json` on the shipped configs with a plain
// recursion on 4x4 ints over the sources' own formulas, at depths 1 to 5.
func TestMoveEqualsPlainExpectimax(t *testing.T) {
	feature := func(kind string, weight float64) plain.Feature {
		return plain.Feature{Kind: kind, Tile: "rank", Power: 1, Weight: weight, Blanks: "keep"}
	}
	gradient := plain.Feature{Kind: "position", Tile: "face", Power: 1, Weight: 1, Matrix: [4][4]float64{
		{0.135759, 0.121925, 0.102812, 0.099937},
		{0.0997992, 0.0888405, 0.076711, 0.0724143},
		{0.060654, 0.0562579, 0.037116, 0.0161889},
		{0.0125498, 0.00992495, 0.00575871, 0.00335193},
	}}
	smooth := []plain.Feature{feature("empty", 0.27), feature("monotonicity", -1), feature("difference", -0.1), feature("largest", 1)}
	for name, formula := range map[string]func(plain.Board) float64{
		"snake": plain.Snake, "rows": plain.Rows, "cluster": plain.Cluster, "nneonneo": plain.Nneonneo,
		"combined": plain.Nneonneo, "gradient": plain.Family([]plain.Feature{gradient}, true), "smooth": plain.Family(smooth, false),
	} {
		path := filepath.Join("..", "..", "configs", name+".yaml")
		r := rand.New(rand.NewPCG(5, uint64(len(name))))
		dead := deadValue(t, path)
		for depth := 1; depth <= 5; depth++ {
			for i := range []int{8, 8, 6, 3, 2}[depth-1] {
				var faces plain.Board
				for cell := range 16 {
					if r.Float64() > []float64{0, 0.1, 0.2}[i%3] {
						faces[cell/4][cell%4] = 2 << r.IntN([]int{4, 9, 15}[i%3])
					}
				}
				want := plain.Search{Value: formula, Dead: dead, Four: 0.1}.Moves(faces, depth)
				compareMove(t, path, faces, depth, want)
			}
		}
	}
}

// deadValue is the value of a position without a move by the config's start weights.
func deadValue(t *testing.T, path string) float64 {
	t.Helper()
	c, err := configs.Load(path)
	must(t, err)
	tables, err := heuristic.NewCompiler(&c.Family).Compile(c.Family.Values(), c.Family.Dead)
	must(t, err)
	return tables.DeadValue()
}

func compareMove(t *testing.T, path string, faces plain.Board, depth int, want map[string]float64) {
	t.Helper()
	board, err := engine.FromFaces(faces)
	must(t, err)
	var stdout, stderr bytes.Buffer
	args := []string{"move", "-config", path, "-board", board.String(), "-depth", fmt.Sprint(depth), "-json"}
	if code := run(context.Background(), args, &stdout, &stderr); code != exitOK {
		t.Fatalf("%v: exit %d: %s", args, code, &stderr)
	}
	var got struct {
		Depth  int
		Best   *string
		Values map[string]float64
	}
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatalf("%s: %v", &stdout, err)
	}
	best := ""
	for _, d := range plain.Directions {
		value, legal := want[d]
		g, present := got.Values[d]
		if present != legal || math.Abs(g-value) > 1e-5*math.Abs(value) {
			t.Errorf("%s, depth %d, board %v, %s: got %v %v, want %v %v", path, depth, board, d, present, g, legal, value)
		}
		if legal && (best == "" || g > got.Values[best]) {
			best = d
		}
	}
	if got.Depth != depth || best == "" != (got.Best == nil) || got.Best != nil && *got.Best != best {
		t.Errorf("%s, board %v: got %s, want best %q at depth %d", path, board, &stdout, best, depth)
	}
}
