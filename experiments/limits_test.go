//go:build cgo

package experiments_test

import (
	"fmt"
	"strings"
	"testing"

	"tune2048/configs"
	"tune2048/experiments"
)

// TestPlansThatDoNotFit: what would eat the memory, or an algorithm's time, is refused before anything is played.
func TestPlansThatDoNotFit(t *testing.T) {
	tunable := func(n int) string {
		var b strings.Builder
		b.WriteString("heuristic:\n  features:\n")
		for i := range n {
			fmt.Fprintf(&b, "    - {feature: position, name: p%d, weight: 1, matrix: [", i)
			for row := range 4 {
				fmt.Fprintf(&b, "%s[", strings.Repeat(", ", min(row, 1)))
				for cell := range 4 {
					fmt.Fprintf(&b, "%s{min: 0, max: 1}", strings.Repeat(", ", min(cell, 1)))
				}
				b.WriteString("]")
			}
			b.WriteString("]}\n")
		}
		return b.String()
	}
	const one = "heuristic: {features: [{feature: empty, weight: {min: 0, max: 9}}]}\n"
	for text, want := range map[string]string{
		one + "validation: {games: 10000000}":                                 "validation: want at most 4000000 games in a round, got 20000000",
		one + "playoff: {finalists: 10000, games: 50000, rounds: 100}":        "playoff: want at most 4000000 games in a round, got 5000000",
		one + "stages: [{name: a, generations: 1, games: 10000000}]":          "stages: a: want at most 4000000 games in a round, got 400000000",
		one + "stages: [{generations: 1000000, games: 1000}]":                 "want at most 1000000000 games and 1000000 candidates in a run",
		one + "optimizer: {population: 10000}\nstages: [{generations: 1000}]": "want at most 1000000000 games and 1000000 candidates in a run",
		tunable(20) + "optimizer: {algorithm: cma_es}":                        "cma_es: want at most 256 parameters, got 320",
	} {
		c, err := configs.Parse([]byte(text), "big.yaml")
		if err != nil {
			t.Errorf("%.60q...: %v", text, err)
			continue
		}
		if err := experiments.CheckPlan(c); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "big.yaml: ") {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
