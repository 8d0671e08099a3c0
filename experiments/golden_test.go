package experiments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// TestGoldenRun pins the findings of a whole run to the last bit: its candidates, evaluations,
// generations and comparisons. The config has every phase, but is too short for a look at the
// centre. The test needs no database, so .ci/run repeats it on other processors. A change of the
// play, the optimizer or the statistics changes these hashes and declares the new ones.
func TestGoldenRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it says that something changed, and the other tests what is wrong")
	}
	file, err := os.ReadFile("../.ci/fingerprint.yaml")
	must(t, err)
	for text, want := range map[string]string{
		"mean_score":     "e0bf63a607469098",
		"mean_log_score": "178c7343d18de1c2",
		"{reach: 1024}":  "68d8175b848799f1",
	} {
		c, err := config.Parse([]byte(string(file)+"\nobjective: "+text+"\n"), "fingerprint.yaml")
		must(t, err)
		for _, workers := range []int{1, 16} {
			store := newMemory()
			_, err := Experiment{Config: c, Simulator: simulator.NewPool(workers), Store: store}.Run(context.Background())
			must(t, err)
			sum := sha256.New()
			writeFindings(sum, c.Objective, store)
			if text == "mean_score" {
				tuned := sha256.New()
				for _, c := range store.candidates {
					fmt.Fprintln(tuned, c.Origin, c.Stage, c.Generation, c.Weights)
				}
				if got := hex.EncodeToString(tuned.Sum(nil))[:16]; got != Tuner {
					t.Errorf("%d workers: the tuner's signature is %s, want %s", workers, got, Tuner)
				}
			}
			if got := hex.EncodeToString(sum.Sum(nil))[:16]; got != want {
				t.Errorf("%s, %d workers: got %s, want %s", text, workers, got, want)
			}
		}
	}
}

// writeFindings writes each finding as a list of values in a fixed order. Field names do not
// appear, so a rename of a Go field leaves the hashes alone. Floats are written as the shortest
// text that reads back to the same bits.
func writeFindings(w io.Writer, o fitness.Objective, store *memory) {
	fmt.Fprintln(w, "champion", store.champion)
	for _, c := range store.candidates {
		fmt.Fprintln(w, "candidate", c.Number, c.Origin, c.Name, c.Stage, c.Generation, c.Dead.Worst, c.Dead.Value,
			c.PlayHash)
		for _, weight := range c.Weights {
			fmt.Fprintln(w, weight.Name, weight.Value)
		}
	}
	totals := Fold(o, nil, slices.Values(store.evaluations), againOf(store.evaluations))
	for _, g := range totals.Generations {
		fmt.Fprintln(w, "generation", g.Stage, g.Search, g.Number, g.Candidates, g.Games, g.Best, g.Mean, g.Worst, g.SD,
			g.BestFitness,
			g.MeanFitness.Value, g.MeanFitness.Interval.Low, g.MeanFitness.Interval.High)
	}
	spreads := map[Place]float64{}
	for _, t := range totals.Stages {
		spreads[Place{Phase: t.Phase, Stage: t.Stage, Search: t.Search}] = t.Spread()
	}
	for _, t := range totals.Others {
		spreads[Place{Phase: t.Phase, Stage: t.Stage, Search: t.Search}] = t.spread()
	}
	var before Evaluation
	for _, e := range store.evaluations {
		if e.block() != before.block() || e.Round != before.Round {
			fmt.Fprintln(w, "spread", spreads[Place{Phase: e.Phase, Stage: e.Stage, Search: e.Search}])
		}
		before = e
		all := new(Standing)
		all.add(o, e)
		interval := stats.MeanInterval(all.Score, Confidence)
		var reached []int
		for _, tile := range Tiles {
			reached = append(reached, all.Reached(tile))
		}
		fmt.Fprintln(w, "evaluation", e.Phase, e.Stage, e.Search, e.Generation, e.Round, e.Candidate, e.Number, e.First,
			all.Score.N, all.Score.Mean, all.Score.M2,
			interval.Low, interval.High, all.Fitness.N, all.Fitness.Mean, all.Fitness.M2, reached, e.Moves, e.Nodes, e.Each)
	}
	for _, c := range store.comparisons {
		fmt.Fprintln(w, "comparison", c.Phase, c.Search, c.Candidate, c.Baseline, c.Objective, c.Games, c.BaselineGames,
			c.Difference.Value, c.Difference.Interval.Low, c.Difference.Interval.High, c.Ratio.Value, c.Ratio.Interval.Low,
			c.Ratio.Interval.High,
			c.Confidence, c.Smallest, c.Question, c.Look, c.P, c.Adjusted, c.Level, c.Verdict, c.More)
	}
}
