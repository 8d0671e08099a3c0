package experiments

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"

	"tune2048/configs"
	"tune2048/engine/portable"
	"tune2048/experiments/stats"
)

// confidence of all intervals that are shown and stored.
const confidence = 0.95

// summarize turns the games of one candidate, in the order of their seeds, into its evaluation.
func summarize(objective configs.Objective, candidate int, games []Outcome) Evaluation {
	e := Evaluation{Candidate: candidate, GamesHash: hashGames(games)}
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
		e.Fitness, e.FitnessSE = quantile(utilities, objective.Q)
	case configs.Reach: // exactly the share, which a running mean misses by a bit
		e.Fitness, e.FitnessSE = float64(reached)/float64(len(games)), m.SE()
	default:
		e.Fitness, e.FitnessSE = m.Mean, m.SE()
	}
	return e
}

// hashGames is Evaluation.GamesHash: of each game score, largest tile, moves, nodes and whether it was capped, in 8
// bytes each, big-endian.
func hashGames(games []Outcome) string {
	var buffer []byte
	for _, g := range games {
		capped := uint64(0)
		if g.Capped {
			capped = 1
		}
		for _, v := range [...]uint64{uint64(g.Score), uint64(g.MaxTile), uint64(g.Moves), uint64(g.Nodes), capped} {
			buffer = binary.BigEndian.AppendUint64(buffer, v)
		}
	}
	sum := sha256.Sum256(buffer)
	return hex.EncodeToString(sum[:16])
}

// quantile returns the q quantile of the values by linear interpolation between order statistics (type 7 of
// Hyndman and Fan, The American Statistician 50, 1996) and its standard error: half the distance between the
// order statistics one binomial standard deviation below and above (the sign test's interval). The error is +Inf for
// fewer than two values.
func quantile(values []float64, q float64) (value, se float64) {
	if len(values) == 0 {
		return 0, math.Inf(1)
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	at := func(position float64) float64 {
		position = math.Max(0, math.Min(position, float64(len(sorted)-1)))
		i := int(position)
		if i+1 == len(sorted) {
			return sorted[i]
		}
		part := position - float64(i)
		return sorted[i] + float64(part*(sorted[i+1]-sorted[i]))
	}
	centre := float64(q * float64(len(sorted)-1))
	value = at(centre)
	if len(sorted) < 2 {
		return value, math.Inf(1)
	}
	spread := math.Sqrt(float64(len(sorted)) * float64(q*(1-q)))
	return value, (at(centre+spread) - at(centre-spread)) / 2
}

// pool is what is known of a candidate's fitness within a stage, over all its evaluations there.
type pool struct {
	games    int
	mean     float64 // of the evaluations' fitness, weighted by games
	variance float64 // of that mean
	lower    float64 // what it is ranked by, see bound
}

// add takes an evaluation into the pool.
func (p *pool) add(games int, fitness, se float64) {
	if games == 0 {
		return
	}
	old, fresh := float64(p.games), float64(games)
	all := old + fresh
	p.mean += float64((fitness-p.mean)*fresh) / all
	a, b := old/all, fresh/all
	variance := float64(float64(b*b) * float64(se*se))
	if p.games > 0 {
		variance += float64(float64(a*a) * p.variance)
	}
	p.variance = variance
	p.games += games
	p.lower = p.bound()
}

// bound returns the lower end of a one-sided 95% interval, by which candidates are ranked: few games lower it,
// so luck does not lead the list.
func (p *pool) bound() float64 {
	if p.games < 2 || math.IsInf(p.variance, 1) {
		return math.Inf(-1)
	}
	reach := stats.StudentQuantile(confidence, float64(p.games-1))
	return p.mean - float64(reach*math.Sqrt(p.variance))
}

// moments returns the pool as a sample of games; where nothing is known of their spread, as one game.
func (p *pool) moments() stats.Moments {
	if p.games < 2 || math.IsInf(p.variance, 1) {
		return stats.Moments{N: min(p.games, 1), Mean: p.mean}
	}
	n := float64(p.games)
	return stats.Moments{N: p.games, Mean: p.mean, M2: float64(p.variance * n * (n - 1))}
}
