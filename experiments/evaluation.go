package experiments

import (
	"tune2048/configs"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments/stats"
)

// confidence of all intervals that are shown and stored.
const confidence = 0.95

// summarize turns the games of one candidate, in the order of their seeds, into its evaluation.
func summarize(objective configs.Objective, place Place, games []simulator.Outcome) Evaluation {
	e := Evaluation{Place: place, GamesHash: HashGames(games)}
	reached := 0                             // games that reach the objective's tile
	utilities := make([]float64, len(games)) // of which the fitness is the mean, or the quantile
	for i, g := range games {
		e.Score.Add(float64(g.Score))
		e.Moves += int64(g.Moves)
		e.Nodes += g.Nodes
		for k, tile := range Tiles {
			if g.MaxTile >= tile {
				e.Reached[k]++
			}
		}
		switch objective.Kind {
		case configs.MeanLogScore:
			utilities[i] = portable.Log(float64(g.Score) + 1)
		case configs.Reach:
			if g.MaxTile >= objective.Tile {
				utilities[i] = 1
				reached++
			}
		default:
			utilities[i] = float64(g.Score)
		}
	}
	e.Interval = stats.MeanInterval(e.Score, confidence)
	m := stats.Summarize(utilities)
	switch objective.Kind {
	case configs.Quantile:
		e.Fitness, e.FitnessSE = stats.Quantile(utilities, objective.Q)
	case configs.Reach: // exactly the share, which a running mean misses by a bit
		e.Fitness, e.FitnessSE = float64(reached)/float64(len(games)), m.SE()
	default:
		e.Fitness, e.FitnessSE = m.Mean, m.SE()
	}
	return e
}
