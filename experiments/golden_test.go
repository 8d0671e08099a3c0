package experiments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"tune2048/configs"
	"tune2048/engine/simulator"
)

// TestGoldenRun pins what a whole run finds, to the last bit: every candidate, evaluation, generation and comparison of a config
// with everything in it. It needs no database, so that .ci/run can try it on other processors without compiling one for each. A
// change of play, of the optimizer or of the statistics changes it, and declares the new one.
func TestGoldenRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it says that something changed, and the other tests what is wrong")
	}
	c, err := configs.Load("../.ci/fingerprint.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for objective, want := range map[configs.Objective]string{
		{Kind: configs.MeanScore}:         "f3399886ea4774a9",
		{Kind: configs.Quantile, Q: 0.25}: "02754bc01c6d6385",
		{Kind: configs.Reach, Tile: 1024}: "8b33249ae82d7e35",
	} {
		for _, workers := range []int{1, 16} {
			c.Objective = objective
			store := newMemory()
			result, err := Experiment{Config: c, Simulator: simulator.NewPool(workers), Store: store}.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.New()
			fmt.Fprintf(sum, "%d %+v\n%+v\n%+v\n%+v\n", result.Champion.Number, store.candidates, store.generations, store.contrasts, result.InSample)
			for _, b := range store.finished {
				fmt.Fprintf(sum, "%+v\n%v\n", store.evaluations[keyOf(b)], store.spreads[blockKey{b.Phase, b.Stage, b.Search, 0, 0}])
			}
			if got := hex.EncodeToString(sum.Sum(nil))[:16]; got != want {
				t.Errorf("%s, %d workers: got %s, want %s", objective, workers, got, want)
			}
		}
	}
}
