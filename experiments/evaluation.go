package experiments

import (
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// confidence of all intervals that are shown and stored.
const confidence = 0.95

// summarize evaluates the games of one candidate, in the order of their seeds.
func summarize(objective fitness.Objective, place Place, games []simulator.Outcome) Evaluation {
	e := Evaluation{Place: place, Sample: objective.Sample(games), GamesHash: HashGames(games)}
	for _, g := range games {
		e.Moves += int64(g.Moves)
		e.Nodes += g.Nodes
		for k, tile := range Tiles {
			if g.MaxTile >= tile {
				e.Reached[k]++
			}
		}
	}
	e.Interval = stats.MeanInterval(e.Score, confidence)
	return e
}
