package experiments

import (
	"math"
	"slices"

	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// Generation is the result of a generation of tuning.
type Generation struct {
	Stage, Search     string
	Number            int // of the stage, from 0
	Candidates        int
	Games             int64
	Different         int64          // games, those of a seed with equal scores counted once
	Played            int64          // games of tuning at its end
	Best, Mean, Worst float64        // of the candidates' mean scores, points; Best is also the luckiest
	SD                float64        // between these: mostly noise
	BestFitness       float64        // likewise the luckiest's
	MeanFitness       stats.Estimate // of the candidates; the interval is 95%, unbounded where games are equal
	Behind            int            // number of the evaluation behind its last one
	Cluster           Cluster        // of the stage up to its end
}

// Cluster is what the generations of a stage tell of the luck of a seed. From it, and from the
// evaluations behind it, the rows of the next generations follow.
//
// The candidates of a generation play the same seeds. So the luck of a seed may be shared, and the
// mean of all games is then known less well than as many independent games would know it. Each
// generation tells both variances of its mean: by residuals that are added up for each seed, and by
// residuals that stand alone. Their ratio is the design effect of cluster samples (L. Kish, Survey
// Sampling, 1965): 1 for independent games, the number of candidates where all play alike. A
// generation has few seeds, so the variances are added up over the generations so far.
type Cluster struct {
	Shared, Independent float64 // variances of the means, added up
	Freedom             int     // seeds less one, added up
}

// stageRows makes the rows of a stage's generations, one after the other.
type stageRows struct {
	objective fitness.Objective
	Cluster

	room []Standing // for the candidates of a generation: a night has many of them
}

// row returns the row of a generation from its evaluations, in the order of play.
func (all *stageRows) row(evaluations []Evaluation) Generation {
	first, measured := evaluations[0], NewStandings(all.objective)
	all.room = slices.Grow(all.room[:0], len(evaluations))[:len(evaluations)]
	clear(all.room)
	measured.spare = all.room
	measured.add(evaluations...)
	g := Generation{Stage: first.Stage, Search: first.Search, Number: first.Generation, Candidates: len(measured.Of)}
	var means, figures stats.Moments
	negative, judged := false, int64(0)
	for _, e := range evaluations { // those of candidates that failed later, too
		g.Games += int64(len(e.Scores))
	}
	shares := 0.0 // of the variance of a game's fitness that the mean of the candidates has
	g.Best, g.Worst, g.BestFitness = math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, candidate := range sortedKeys(measured.Of) { // in order, for the mean's bits
		m := measured.Of[candidate]
		means.Add(m.Score.Mean)
		figures.Add(m.Fitness.Mean)
		shares += 1 / float64(m.Score.N)
		judged += int64(m.Score.N)
		negative = negative || m.Negative
		g.Best, g.Worst, g.BestFitness = max(g.Best, m.Score.Mean), min(g.Worst, m.Score.Mean),
			max(g.BestFitness, m.Fitness.Mean)
	}
	g.Mean, g.SD = means.Mean, means.SD()
	g.Different = all.cluster(evaluations, measured)
	g.Behind, g.Cluster = evaluations[len(evaluations)-1].Number+1, all.Cluster
	effect := all.effect()
	se := measured.spread() * math.Sqrt(shares*effect) / float64(len(measured.Of))
	// The spread is known from this generation alone, and shared games tell it but once.
	freedom := max(1, min(float64(all.Freedom), float64(judged-int64(g.Candidates))/effect))
	g.MeanFitness = stats.Estimate{Value: figures.Mean, Interval: stats.Unbounded()}
	if se > 0 { // otherwise equal games show no spread
		g.MeanFitness.Interval = all.objective.Possible(stats.Around(figures.Mean, se, Confidence, freedom), negative)
	}
	return g
}

// effect is the design effect, at least 1.
func (c Cluster) effect() float64 {
	if !(c.Shared > c.Independent) {
		return 1
	}
	return c.Shared / c.Independent
}

// cluster adds the variances of a generation's mean, and returns how many games differ.
func (all *stageRows) cluster(evaluations []Evaluation, measured *Standings) (different int64) {
	for begin, end := 0, 0; begin < len(evaluations); begin = end {
		for end = begin; end < len(evaluations) && evaluations[end].Round == evaluations[begin].Round &&
			evaluations[end].First == evaluations[begin].First; end++ {
		}
		round, seeds := evaluations[begin:end], 0  // the seeds of all are the same
		standings := make([]*Standing, len(round)) // nil: it failed
		figures := make([][]float64, len(round))
		for i, e := range round {
			figures[i] = all.objective.Figures(e.Scores, e.Ranks)
			seeds, standings[i] = max(seeds, len(e.Scores)), measured.Of[e.Candidate]
		}
		scores := make([]float64, 0, len(round))
		for seed := range seeds {
			sum := 0.0
			scores = scores[:0]
			for i, e := range round {
				if standings[i] == nil || seed >= len(e.Scores) {
					continue
				}
				m := standings[i].Fitness
				residual := (figures[i][seed] - m.Mean) / float64(m.N)
				sum += residual
				all.Independent += float64(residual * residual)
				scores = append(scores, e.Scores[seed])
			}
			all.Shared += float64(sum * sum)
			all.Freedom++
			slices.Sort(scores)
			different += int64(len(slices.Compact(scores)))
		}
	}
	all.Freedom--
	return different
}
