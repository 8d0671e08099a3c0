package stats

import "math"

// Prior describes a candidate before its own games. It comes from candidates whose worths are
// normal around Mean, with the variance Between.
type Prior struct {
	Mean    float64
	SE      float64 // standard error of Mean
	Between float64 // variance between the candidates; 0: no more than the luck of their games
	Within  float64 // variance of one game
}

// NewPrior estimates the prior from candidates' games, of which one has the variance within. The
// model has normal worths and normal luck (C. N. Morris, Parametric Empirical Bayes Inference:
// Theory and Applications, JASA 78, 1983). Each group has a mean of its own, and Between is the
// variance within groups. Mean is the mean of all groups.
//
// Between is Morris's estimator, with the positive part. Only its weights are squared, which makes
// it the maximum of the likelihood. A race deals more games to lucky candidates. That biases
// moments, and does not bias the likelihood.
func NewPrior(groups [][]Moments, within float64) Prior {
	p := Prior{Within: within, Between: math.Inf(1)} // at first all candidates weigh the same
	const steps, precision = 100, 1e-6
	for step := range steps {
		before := p.Between
		squares, weights := 0.0, 0.0
		for _, group := range groups {
			k := float64(len(group))
			if k < 2 {
				continue
			}
			mean, _ := p.mean(group)
			for _, m := range group {
				w, deviation := p.weight(m), m.Mean-mean
				weights += float64(w * w)
				squares += float64(w * w * (float64(deviation*deviation*k)/(k-1) - within/float64(m.N)))
			}
		}
		p.Between = 0
		if weights > 0 {
			p.Between = math.Max(0, squares/weights)
		}
		if step > 0 && math.Abs(p.Between-before) <= precision*before {
			break
		}
	}
	p.Mean, p.SE = p.mean(groups...)
	return p
}

// weight is the inverse of a mean's variance around the prior's. All weigh 1 where that says
// nothing.
func (p Prior) weight(m Moments) float64 {
	variance := p.Between + p.Within/float64(m.N)
	if variance == 0 || math.IsInf(variance, 1) {
		return 1
	}
	return 1 / variance
}

// mean returns the weighted mean of the samples' means, and its standard error.
func (p Prior) mean(groups ...[]Moments) (mean, se float64) {
	sum, weights := 0.0, 0.0
	for _, group := range groups {
		for _, m := range group {
			w := p.weight(m)
			weights += w
			sum += float64(w * m.Mean)
		}
	}
	return sum / weights, math.Sqrt(1 / weights)
}

// Shrink estimates the worth of a candidate by its games and by the prior, with a standard error.
// The mean of its games moves towards the prior's mean, further for fewer games (W. James, C.
// Stein, Estimation with Quadratic Loss, 1961). So the best of many candidates is not overrated:
// the share of its lead that is luck is taken off. The standard error takes Between for known.
func (p Prior) Shrink(m Moments) (mean, se float64) {
	luck := p.Within / float64(m.N)
	if luck == 0 {
		return m.Mean, 0
	}
	own := p.Between / (p.Between + luck) // share of the mean that is its own
	rest := float64((1 - own) * p.SE)
	return p.Mean + float64(own*(m.Mean-p.Mean)), math.Sqrt(float64(own*luck) + float64(rest*rest))
}
