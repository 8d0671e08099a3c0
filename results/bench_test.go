package results

import (
	"context"
	"fmt"
	"testing"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// One operation is one game, commits included.
func BenchmarkAddGame(b *testing.B) {
	ctx := context.Background()
	s, _ := open(b)
	run := begin(b, s, spec("snake", "a"))
	must(b, s.AddCandidates(ctx, run.ID, []experiments.Candidate{{Number: 0}}))
	block := experiments.Block{Phase: experiments.PhaseTuning, Stage: "explore", Search: "depth 3", Candidates: []int{0}, Seeds: make([]uint64, 1e8)}
	outcome := experiments.Outcome{Score: 31_000, MaxTile: 2048, Moves: 1500, Nodes: 1_000_000, DurationUS: 900_000}
	index := 0
	for b.Loop() {
		must(b, s.AddGame(ctx, run.ID, block, index, outcome))
		index++
	}
}

// large is a store with as many generations of 50 new candidates as asked for, 8 games each, games not kept.
func large(b *testing.B, generations int) (*Store, string) {
	b.Helper()
	ctx := context.Background()
	s, path := open(b)
	run := begin(b, s, spec("snake", "a"))
	r := random(1)
	block := experiments.Block{Phase: experiments.PhaseTuning, Stage: "explore", Search: "depth 3", Seeds: make([]uint64, 8)}
	next := 0
	for g := range generations {
		block.Generation, block.Candidates = g, nil
		var candidates []experiments.Candidate
		var evaluations []experiments.Evaluation
		for range 50 {
			c := experiments.Candidate{Number: next, Origin: "crossover", Stage: "explore", Generation: g}
			for i := range 8 {
				c.Weights = append(c.Weights, experiments.Weight{Name: fmt.Sprint("weight_", i), Value: r.NormFloat64()})
			}
			candidates = append(candidates, c)
			e := experiments.Evaluation{Candidate: next, Score: stats.Moments{N: 8, Mean: 30_000 + 10_000*r.NormFloat64(), M2: 1e9}, Moves: 1}
			e.Interval = stats.MeanInterval(e.Score, 0.95)
			evaluations = append(evaluations, e)
			block.Candidates = append(block.Candidates, next)
			next++
			if next%2 == 0 && g > 0 { // half of the generation are survivors of the last
				old := e
				old.Candidate = next - 51
				evaluations = append(evaluations, old)
				block.Candidates = append(block.Candidates, old.Candidate)
			}
		}
		must(b, s.AddCandidates(ctx, run.ID, candidates))
		must(b, s.FinishBlock(ctx, run.ID, block, evaluations, false))
		block.First += int64(block.Games())
	}
	return s, path
}

// A database of 37,500 candidates and 56,000 evaluations: 450,000 games.
func BenchmarkLeaderboard(b *testing.B) {
	s, _ := large(b, 750)
	b.Run("limit 5", func(b *testing.B) {
		for b.Loop() {
			if rows, err := s.Reader().Leaderboard(context.Background(), Filter{}, 5); err != nil || len(rows) != 5 {
				b.Fatal(len(rows), err)
			}
		}
	})
	b.Run("convergence", func(b *testing.B) {
		for b.Loop() {
			if rows, err := s.Reader().Convergence(context.Background(), "snake"); err != nil || len(rows) != 750 {
				b.Fatal(len(rows), err)
			}
		}
	})
	b.Run("runs", func(b *testing.B) {
		for b.Loop() {
			if rows, err := s.Reader().Runs(context.Background()); err != nil || len(rows) != 1 {
				b.Fatal(len(rows), err)
			}
		}
	})
}

// What opening costs: looking at a file as large as a night makes it.
func BenchmarkOpen(b *testing.B) {
	s, path := large(b, 750)
	must(b, s.Close())
	for b.Loop() {
		s, err := Open(path)
		must(b, err)
		must(b, s.Close())
	}
}
