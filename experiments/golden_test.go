package experiments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"testing"

	"tune2048/configs"
	"tune2048/engine/simulator"
)

// TestGoldenRun pins the findings of a whole run to the last bit: its candidates, evaluations,
// generations and comparisons. The config has every phase. The test needs no database, so .ci/run
// repeats it on other processors. A change of the play, the optimizer or the statistics changes
// these hashes and declares the new ones.
func TestGoldenRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it says that something changed, and the other tests what is wrong")
	}
	c, err := configs.Load("../.ci/fingerprint.yaml")
	must(t, err)
	for text, want := range map[string]string{
		"mean_score":       "152e8d51577cd346",
		"mean_log_score":   "fb73dafe5faa49b7",
		"{quantile: 0.25}": "c7a0479d44238990",
		"{reach: 1024}":    "c57fcf1daba6761a",
	} {
		for _, workers := range []int{1, 16} {
			c.Objective = objective(text)
			store := newMemory()
			_, err := Experiment{Config: c, Simulator: simulator.NewPool(workers), Store: store}.Run(context.Background())
			must(t, err)
			sum := sha256.New()
			writeFindings(sum, store)
			if got := hex.EncodeToString(sum.Sum(nil))[:16]; got != want {
				t.Errorf("%s, %d workers: got %s, want %s", text, workers, got, want)
			}
		}
	}
}

// writeFindings writes each finding as a list of values in a fixed order. Field names do not
// appear, so a rename of a Go field leaves the hashes alone. Floats are written as the shortest
// text that reads back to the same bits.
func writeFindings(w io.Writer, store *memory) {
	fmt.Fprintln(w, "champion", store.champion)
	for _, c := range store.candidates {
		fmt.Fprintln(w, "candidate", c.Number, c.Origin, c.Name, c.Stage, c.Generation, c.Dead.Worst, c.Dead.Value, c.PlayHash)
		for _, weight := range c.Weights {
			fmt.Fprintln(w, weight.Name, weight.Value)
		}
	}
	for _, g := range store.generations {
		fmt.Fprintln(w, "generation", g.Stage, g.Search, g.Number, g.Candidates, g.Games, g.Best, g.Mean, g.Worst, g.SD, g.BestFitness,
			g.MeanFitness.Value, g.MeanFitness.Interval.Low, g.MeanFitness.Interval.High)
	}
	for _, b := range store.finished {
		fmt.Fprintln(w, "spread", store.spreads[blockKey{b.Phase, b.Stage, b.Search, 0, 0}])
		for _, e := range store.evaluations[keyOf(b)] {
			fmt.Fprintln(w, "evaluation", e.Phase, e.Stage, e.Search, e.Generation, e.Round, e.Candidate, e.Game, e.Score.N, e.Score.Mean, e.Score.M2,
				e.Interval.Low, e.Interval.High, e.Fitness.N, e.Fitness.Mean, e.Fitness.M2, e.Scores, e.Reached, e.Moves, e.Nodes, e.GamesHash)
		}
	}
	for _, c := range store.comparisons {
		fmt.Fprintln(w, "comparison", c.Phase, c.Search, c.Candidate, c.Baseline, c.Objective, c.Games, c.BaselineGames,
			c.Difference.Value, c.Difference.Interval.Low, c.Difference.Interval.High, c.Ratio.Value, c.Ratio.Interval.Low, c.Ratio.Interval.High,
			c.Confidence, c.Smallest, c.Question, c.Look, c.P, c.Adjusted, c.Level, c.Verdict, c.More)
	}
}
