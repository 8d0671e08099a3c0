//go:build cgo

package experiments_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"tune2048/configs/config"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// Tune two weights at depth 1, then read the champion's held-out games from the database.
func Example() {
	const text = `
name: tiny
heuristic:
  features:
    - {feature: empty, weight: {min: 0, max: 100, start: 1, scale: linear}}
    - {feature: snake, decay: {min: 0.05, max: 0.95, start: 0.9}}
search: {depth: 1}
stages: [{generations: 8, games: 5}]
playoff: {games: 50}
validation: {games: 200}
ablation: {games: 0}
`
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "tune.db")
	config, err := config.Parse([]byte(text), "tiny.yaml")
	if err != nil {
		log.Fatal(err)
	}
	store, err := results.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	run, err := experiments.Experiment{Config: config, Simulator: simulator.NewPool(2),
		Store: store}.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	if err := store.Close(); err != nil {
		log.Fatal(err)
	}

	reader, err := results.OpenReader(path)
	if err != nil {
		log.Fatal(err)
	}
	defer reader.Close()
	stored, err := reader.Run(context.Background(), run.ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, player := range stored.Headline.Players {
		fmt.Printf("candidate %d: mean score %.0f of %d held-out games\n", player.Candidate, player.Score.Value, player.Games)
	}
	// Output:
	// candidate 306: mean score 3756 of 200 held-out games
	// candidate 0: mean score 2792 of 200 held-out games
}
