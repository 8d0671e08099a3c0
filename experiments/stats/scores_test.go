package stats

import (
	"math"

	"tune2048/engine/portable"
)

// score draws a number like the score of a game of 2048 with the given mean: the score of a game
// that ends with the largest tile T lies between about 1.3 T and 1.9 T in units of a tile's own
// score, and T doubles. 20,000 games of the published nneonneo weights have at depth 3 sd/mean
// 0.554, skewness 0.81 and kurtosis 3.70, 1,500 at depth 5 have 0.466, 0.63 and 3.42. These have
// 0.552, 0.98 and 4.2, a little worse than life.
func score(random *portable.Source, mean float64) float64 {
	const (
		meanTile  = 0.012/8 + 0.06/4 + 0.22/2 + 0.51 + 0.196*2 + 0.002*4
		meanScore = 1.6 * meanTile
	)
	u, tile := random.Float64(), 1.0
	switch {
	case u < 0.51:
	case u < 0.73:
		tile = 1.0 / 2
	case u < 0.79:
		tile = 1.0 / 4
	case u < 0.802:
		tile = 1.0 / 8
	case u < 0.998:
		tile = 2
	default:
		tile = 4
	}
	points := mean / meanScore * tile * (1.3 + 0.6*random.Float64())
	return 4 * math.Floor(points/4+0.5) // scores are multiples of 4
}

const typicalMean = 32000 // points

// play adds games with the given mean to the sample.
func play(random *portable.Source, m *Moments, games int, mean float64) {
	for range games {
		m.Add(score(random, mean))
	}
}
