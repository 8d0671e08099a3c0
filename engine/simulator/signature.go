package simulator

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"tune2048/engine"
	"tune2048/engine/heuristic"
)

// Signature names the play of this engine: the hash that Sign computes. A change of play, of the
// spawns, of a value or of the count of nodes changes it, on purpose or not. A run never mixes
// games of two signatures.
const Signature = "d70244b265fef450"

// Sign plays a fixed set of games, with all kinds of features, depth rules and dead values. It
// returns the first 16 hexadecimal digits of the SHA-256 of their results. It takes about a second.
func Sign(ctx context.Context, workers int) (string, error) {
	outcomes, err := NewPool(workers).Play(ctx, signatureBatch(), nil)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	for _, o := range outcomes {
		capped := uint64(0)
		if o.Capped {
			capped = 1
		}
		for _, v := range []uint64{uint64(o.Score), uint64(o.Moves), uint64(o.Nodes), uint64(o.Final), capped} {
			hash.Write(binary.BigEndian.AppendUint64(nil, v))
		}
	}
	return hex.EncodeToString(hash.Sum(nil))[:16], nil
}

// signatureBatch has families that use every feature between them, each at several settings.
func signatureBatch() Batch {
	feature := func(kind string, weight float64, edit ...func(*heuristic.Feature)) heuristic.Feature {
		f := heuristic.Defaults(kind)
		f.Weight = heuristic.Fixed(weight)
		for _, e := range edit {
			e(&f)
		}
		return f
	}
	rank := func(power float64) func(*heuristic.Feature) {
		return func(f *heuristic.Feature) { f.Tile, f.Power = heuristic.Rank, heuristic.Fixed(power) }
	}
	power := func(p float64) func(*heuristic.Feature) {
		return func(f *heuristic.Feature) { f.Power = heuristic.Fixed(p) }
	}
	lines := &heuristic.Family{Symmetry: heuristic.SymmetryNone, Features: []heuristic.Feature{
		feature(heuristic.Line, 200000), feature(heuristic.Empty, 270),
		feature(heuristic.Merges, 700, func(f *heuristic.Feature) { f.Count = heuristic.Runs }),
		feature(heuristic.Monotonicity, -47, rank(4), func(f *heuristic.Feature) { f.Blanks = heuristic.Keep }),
		feature(heuristic.Sum, -11, rank(3.5)),
	}}
	snake := &heuristic.Family{Symmetry: heuristic.SymmetryNone, Features: []heuristic.Feature{
		feature(heuristic.Snake, 1, func(f *heuristic.Feature) { f.Decay = heuristic.Fixed(0.1) }),
		feature(heuristic.Corner, -1, power(2)),
	}}
	matrix := &heuristic.Family{Symmetry: heuristic.SymmetryNone, Features: []heuristic.Feature{
		feature(heuristic.Position, 1, func(f *heuristic.Feature) {
			for i := range 16 {
				f.Matrix[i/4][i%4] = heuristic.Fixed(float64(15 - i))
			}
		}),
		feature(heuristic.Difference, -2),
	}}
	best := &heuristic.Family{Symmetry: heuristic.SymmetryBest, Features: []heuristic.Feature{
		feature(heuristic.Snake, 1, power(1.3), func(f *heuristic.Feature) {
			f.Decay, f.Corner, f.First = heuristic.Fixed(0.4), heuristic.UpperRight, heuristic.Row
		}),
		feature(heuristic.Largest, 0.5, power(1.1)), feature(heuristic.Merges, 30), feature(heuristic.Monotonicity, -0.7, power(0.9)),
		feature(heuristic.Empty, 40),
	}}
	over := func(part, text string, weight float64, sums ...heuristic.NamedSum) heuristic.Feature {
		f := feature(heuristic.Formula, weight)
		f.Name, f.Tile, f.Over, f.Formula, f.Sums = part, heuristic.Rank, part, text, sums
		return f
	}
	rough := heuristic.NamedSum{Name: "rough", Over: "line", Formula: "abs(a - b) + abs(b - c) + abs(c - d)"}
	squares := &heuristic.Family{Symmetry: heuristic.SymmetryNone, Features: []heuristic.Feature{
		feature(heuristic.Merges, 30), feature(heuristic.Monotonicity, -12, rank(2)),
		over("square", "exp(largest / 4) + abs(a - d)", -3), over("row", "max(b - a, 0)", -5), over("board", "log(1 + empty)", 200),
	}}
	board := &heuristic.Family{Symmetry: heuristic.SymmetryNone, Features: []heuristic.Feature{
		feature(heuristic.Empty, 20), over("board", "corner * largest + edge + distinct / moves - pow(rough, 1.3) + log2(1 + points)", 4, rough),
	}}
	turning := &heuristic.Family{Symmetry: heuristic.SymmetryBest, Features: []heuristic.Feature{
		feature(heuristic.Empty, 20), over("column", "sqrt(a) - d", 3), over("square", "2*a - b", 1),
	}}
	worst, zero := heuristic.Dead{Worst: true}, heuristic.Dead{}
	fixed := engine.FixedDepth
	distinct := engine.Settings{Rule: engine.DepthRule{ByDistinct: &engine.DistinctLayers{Minus: 8, Least: 1}}, MinProbability: 0.01}
	empty := engine.Settings{Rule: engine.DepthRule{ByEmpty: []engine.EmptyDepth{{Above: 7, Depth: 2}, {Above: 3, Depth: 3}, {Above: -1, Depth: 4}}}}
	batch := Batch{Rules: engine.DefaultRules()}
	add := func(f *heuristic.Family, dead heuristic.Dead, s engine.Settings, games int) {
		for seed := range uint64(games) {
			batch.Jobs = append(batch.Jobs, Job{Player: len(batch.Players), Seed: seed})
		}
		batch.Players = append(batch.Players, Player{Family: f, Values: f.Values(), Dead: dead, Settings: s})
	}
	add(lines, zero, fixed(1), 50)
	add(lines, zero, fixed(3), 30)
	add(lines, worst, fixed(2), 20)
	add(lines, zero, fixed(5), 1)
	add(lines, zero, distinct, 2)
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
	return batch
}
