package experiments

import (
	"math"
	"slices"

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
	var logs stats.Moments
	successes := 0
	for _, g := range games {
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
			logs.Add(portable.Log(float64(g.Score) + 1))
		case configs.Reach:
			if g.MaxTile >= objective.Tile {
				successes++
			}
		case configs.Quantile:
			e.Scores = append(e.Scores, float64(g.Score))
		}
	}
	e.Interval = stats.MeanInterval(e.Score, confidence)
	switch objective.Kind {
	case configs.MeanLogScore:
		e.Fitness = logs
	case configs.Reach:
		e.Fitness = trials(successes, len(games))
	case configs.Quantile:
		slices.Sort(e.Scores)
		e.Fitness = quantile(e.Scores, objective.Q)
	default:
		e.Fitness = e.Score
	}
	return e
}

// trials returns the moments of games that succeed or not: their mean is exactly the share, which a running mean misses
// by a bit.
func trials(successes, games int) stats.Moments {
	share := float64(successes) / float64(games)
	return stats.Moments{N: games, Mean: share, M2: float64(successes) * (1 - share)}
}

// quantile returns a quantile of the sorted scores as if it were the mean of a sample that has its standard error.
func quantile(scores []float64, q float64) stats.Moments {
	value, se := stats.Quantile(scores, q)
	n := float64(len(scores))
	if len(scores) < 2 {
		se = 0
	}
	return stats.Moments{N: len(scores), Mean: value, M2: float64(se * se * n * (n - 1))}
}

// fitnessInterval returns the interval of a fitness; scores are the sorted ones of a quantile.
func fitnessInterval(objective configs.Objective, fitness stats.Moments, scores []float64, confidence float64) stats.Interval {
	switch objective.Kind {
	case configs.Reach:
		return stats.Wilson(int(math.Round(float64(fitness.Mean*float64(fitness.N)))), fitness.N, confidence)
	case configs.Quantile:
		return stats.QuantileInterval(scores, objective.Q, confidence)
	default:
		return stats.MeanInterval(fitness, confidence)
	}
}

// sample returns a fitness as a sample whose mean a race can compare with others by Welch's t. Shares are given a success
// and a failure more, since few games may all have ended alike, which says little of their spread (A. Agresti, B. Caffo,
// Simple and Effective Confidence Intervals for Proportions and Differences of Proportions, The American Statistician 54,
// 2000).
func sample(objective configs.Objective, fitness stats.Moments) stats.Moments {
	if objective.Kind == configs.Reach {
		return trials(int(math.Round(float64(fitness.Mean*float64(fitness.N))))+1, fitness.N+2)
	}
	return fitness
}
