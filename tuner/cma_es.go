package tuner

import (
	"fmt"
	"math"
	"slices"

	"tune2048/engine/key"
	"tune2048/engine/portable"
)

// CMAES is the CMA-ES.
type CMAES struct {
	Population                                   int
	Spread, StageSpread, LearningRate, StepFloor float64
}

func (c *CMAES) Keys() []key.Key {
	return []key.Key{
		populationKey(&c.Population, 16),
		spreadKey(&c.Spread, 0.4),
		stageSpreadKey(&c.StageSpread, 0.15),
		{Name: "learning_rate", Doc: "share of its step that the distribution's mean makes: the tutorial's c_m",
			To: &c.LearningRate, Default: 0.7, Range: share},
		{Name: "step_floor", Doc: "the least standard deviation of the distribution, over all parameters",
			To: &c.StepFloor, Default: 0.01, Range: key.Between(minStepFloor, maxSpread)},
	}
}

func (*CMAES) Name() string               { return "cma_es" }
func (c *CMAES) Candidates() int          { return c.Population }
func (*CMAES) HandOver(int) int           { return 0 }
func (*CMAES) Narrow() map[string]float64 { return map[string]float64{"spread": 0.1} }

func (*CMAES) Fit(parameters int) (population int) { return min(10+parameters, 64) }

// cmaSearch is the CMA-ES (N. Hansen, The CMA Evolution Strategy: A Tutorial, 2016,
// arXiv:1604.00772; equation numbers below are its own). Candidates come from a normal
// distribution. Its mean, step size and full covariance matrix follow the better half of them. It
// keeps no candidate, so none can live on by luck.
//
// Four things are for noise and bounds. The mean makes only learning_rate of its step. The answer
// is the mean of its last places. The standard deviation has a floor. And a step goes to the place
// where a candidate was mirrored into the unit cube, so the distribution cannot leave it.
//
// The weights are positive only. Negative ones (equation 53) take mirrored steps for short ones,
// and flatten the distribution too early towards an optimum on the edge: of an optimum of 1 they
// reached 0.64 instead of 0.96.
//
// Adapting learning rates (M. Nomura, Y. Akimoto, I. Ono, CMA-ES with Learning Rate Adaptation,
// GECCO 2023) was measured too. It comes nearest to a smooth optimum in the end (0.99 instead of
// 0.97 after 40,000 samples), but later (0.72 instead of 0.82 after 3,000), and tuning has to pay
// its way early.
type cmaSearch struct {
	settings CMAES
	space    *Space
	random   *portable.Source
	rates    cmaRates
	wide     bool // the floor of the steps falls slowly from the spread, see decompose

	now       []float64   // the distribution's mean, in the unit cube
	learned   int         // generations of the stage
	past      [][]float64 // the means after the last quarter of them
	spread    float64     // the standard deviation with which it began
	sigma     float64     // the step size
	shape     matrix      // the covariance matrix without the step size
	axes      matrix      // its eigenvectors, as columns
	lengths   []float64   // the square roots of its eigenvalues
	stepPath  []float64   // evolution path of the step size, in the axes' own lengths
	shapePath []float64   // evolution path of the covariance matrix
}

// cmaRates are constants that follow from the population and the number of parameters: the
// tutorial's table 1.
type cmaRates struct {
	n        float64 // parameters
	parents  float64 // the variance effective selection mass
	step     float64 // c_sigma
	damping  float64 // d_sigma
	path     float64 // c_c
	one      float64 // c_1, of the rank-one update
	mu       float64 // c_mu, of the rank-mu update
	expected float64 // the expected length of a standard normal vector
}

func newCMARates(population, parameters int) cmaRates {
	var sum, squares float64
	for rank := 1; rank <= population/2; rank++ {
		w := rankWeight(rank, population)
		sum += w
		squares += float64(w * w)
	}
	n := float64(parameters)
	m := float64(sum*sum) / squares
	r := cmaRates{n: n, parents: m}
	r.step = (m + 2) / (n + m + 5)
	r.damping = 1 + float64(2*max(0, math.Sqrt((m-1)/(n+1))-1)) + r.step
	r.path = (4 + m/n) / (n + 4 + float64(2*m)/n)
	r.one = 2 / (float64((n+1.3)*(n+1.3)) + m)
	r.mu = min(1-r.one, float64(2*(m-2+1/m))/(float64((n+2)*(n+2))+m))
	r.expected = math.Sqrt(n) * (1 - 1/(4*n) + 1/(21*float64(n*n)))
	return r
}

func (c *CMAES) start(s *Space, random *portable.Source) (search, error) {
	if n := s.Dim(); n > maxDimensions {
		return nil, fmt.Errorf("tuner: cma_es: want at most %d parameters, got %d; auto and genetic have no such limit",
			maxDimensions, n)
	}
	return newCMASearch(*c, s, random, s.Unit(s.Start()), c.Spread, false), nil
}

func newCMASearch(settings CMAES, s *Space, random *portable.Source, centre []float64, spread float64,
	wide bool) *cmaSearch {
	c := &cmaSearch{settings: settings, space: s, random: random, rates: newCMARates(settings.Population, s.Dim()),
		wide: wide}
	c.now = centre
	c.begin(spread)
	return c
}

// begin forgets all but the mean.
func (c *cmaSearch) begin(spread float64) {
	n := c.space.Dim()
	c.spread, c.sigma, c.shape = spread, spread, identity(n)
	c.axes, c.lengths = identity(n), make([]float64, n)
	for i := range c.lengths {
		c.lengths[i] = 1
	}
	c.stepPath, c.shapePath = make([]float64, n), make([]float64, n)
}

// candidate draws from the distribution (equations 38 to 40), further out the more often the draw
// failed. The first candidate of a stage is the mean itself.
func (c *cmaSearch) candidate(place, failed int) Candidate {
	x := slices.Clone(c.now)
	if place == 0 && c.learned == 0 {
		return newCandidate(c.space, x, OriginCentre)
	}
	for k, length := range c.lengths {
		step := float64(c.sigma*length) * c.random.Normal() * float64(1+failed)
		for i := range x {
			x[i] += float64(step * c.axes[i][k])
		}
	}
	for i := range x { // a whole number needs steps that reach the next one
		if least := c.space.leastStep(i, c.now[i]); least > 0 {
			if missing := float64(least*least) - float64(c.sigma*c.sigma)*c.shape[i][i]; missing > 0 {
				x[i] += float64(math.Sqrt(missing) * c.random.Normal())
			}
		}
	}
	return newCandidate(c.space, x, originSampled)
}

// selected is the better half: the others weigh nothing, see rankShares.
func (c *cmaSearch) selected() int { return c.settings.Population / 2 }

// learn moves the distribution towards the better candidates.
func (c *cmaSearch) learn(generation []Candidate, fitness []float64) {
	r := c.rates

	// Selection and recombination (equations 41 and 42).
	weights := rankShares(fitness)
	total := 0.0
	for _, w := range weights {
		total += w
	}
	steps := make([][]float64, len(weights))
	step := make([]float64, len(c.now))
	for k := range weights {
		weights[k] /= total
		steps[k] = slices.Clone(generation[k].unit)
		for i := range steps[k] {
			steps[k][i] = (steps[k][i] - c.now[i]) / c.sigma
			step[i] += float64(weights[k] * steps[k][i])
		}
	}
	for i := range c.now {
		c.now[i] += float64(float64(c.settings.LearningRate*c.sigma) * step[i])
	}

	// Step size (43 and 44).
	gain := math.Sqrt(float64(r.step*(2-r.step)) * r.parents)
	for i, s := range c.whiten(step) {
		c.stepPath[i] = float64((1-r.step)*c.stepPath[i]) + float64(gain*s)
	}
	length := norm(c.stepPath)
	c.sigma *= portable.Exp(min(1, r.step/r.damping*(length/r.expected-1)))

	// Covariance matrix (45 to 47). stalled is 1 - h_sigma: while the step size has yet to grow,
	// the path stays as long as it is.
	stalled := 0.0
	if grown := 1 - portable.Pow(1-r.step,
		float64(2*(c.learned+2))); length/math.Sqrt(grown) >= (1.4+2/(r.n+1))*r.expected {
		stalled = 1
	}
	gain = (1 - stalled) * math.Sqrt(float64(r.path*(2-r.path))*r.parents)
	for i, s := range step {
		c.shapePath[i] = float64((1-r.path)*c.shapePath[i]) + float64(gain*s)
	}
	c.shape.scale(1 - r.one - r.mu + float64(stalled*r.one*r.path*(2-r.path)))
	c.shape.addOuter(c.shapePath, r.one)
	for k, w := range weights {
		c.shape.addOuter(steps[k], float64(r.mu*w))
	}
	c.decompose()
	c.remember(slices.Clone(c.now))
}

// remember notes the mean after a generation, and forgets the mean before the last quarter.
func (c *cmaSearch) remember(mean []float64) {
	c.learned++
	c.past = append(c.past, mean)
	if len(c.past) > (c.learned+3)/4 {
		c.past[0], c.past = nil, c.past[1:]
	}
}

const (
	maxDimensions = 256  // a generation takes their number cubed: a second for 300
	maxCondition  = 1e12 // the largest condition number of the covariance matrix
	maxSpread     = 0.5  // of the distribution, mirrored into the unit cube: more changes little
	minStepFloor  = 1e-6 // values are rounded to about as much
)

// decompose finds the axes of the shape. It keeps the standard deviation over all parameters
// between a floor and maxSpread. A wide search adds a part of the spread to step_floor: 1 over
// the square of 1 + generations/60. So a half is left after 25 generations, a tenth after 130.
func (c *cmaSearch) decompose() {
	values, axes := c.shape.eigen()
	c.axes = axes
	largest := 0.0
	for _, v := range values {
		largest = max(largest, v)
	}
	sum := 0.0
	for k, v := range values {
		v = max(v, largest/maxCondition)
		sum += v
		c.lengths[k] = math.Sqrt(v)
	}
	relative := math.Sqrt(sum / float64(len(values)))
	floor := c.settings.StepFloor
	if c.wide {
		age := 1 + float64(c.learned+1)/60
		floor += c.spread / float64(age*age)
	}
	c.sigma = max(c.sigma, floor/relative)
	c.sigma = min(c.sigma, maxSpread/relative)
	if _, exponent := math.Frexp(relative); exponent < -farScale || exponent > farScale {
		c.rescale(-exponent)
	}
}

// farScale is how far, in powers of two, the shape may drift before its scale moves into sigma.
const farScale = 100

// rescale multiplies the standard deviations of the shape by a power of two, and divides sigma by
// it. The distribution stays the same, to the bit. Where floor or maxSpread holds sigma, the shape
// drifts for ever: after some 17,000 generations of one run nothing was finite any more.
func (c *cmaSearch) rescale(power int) {
	c.sigma = math.Ldexp(c.sigma, -power)
	c.shape.scale(math.Ldexp(1, 2*power))
	for i := range c.shape {
		c.shapePath[i], c.lengths[i] = math.Ldexp(c.shapePath[i], power), math.Ldexp(c.lengths[i], power)
	}
}

// whiten returns the step with the shape taken out of it: C^(-1/2) times it.
func (c *cmaSearch) whiten(step []float64) []float64 {
	white := make([]float64, len(step))
	for k, length := range c.lengths {
		along := 0.0
		for i, s := range step {
			along += float64(c.axes[i][k] * s)
		}
		for i := range white {
			white[i] += float64(along / length * c.axes[i][k])
		}
	}
	return white
}

func norm(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x * x)
	}
	return math.Sqrt(sum)
}

// nextStage begins afresh around the answer of the stage before. It would have to unlearn the old
// shape: keeping it was no better.
func (c *cmaSearch) nextStage() {
	c.now, c.learned, c.past = c.centre(), 0, nil
	c.begin(c.settings.StageSpread)
}

// centre returns the mean of the last quarter. A search under noise wanders about the optimum, and
// the mean of its places is nearer to it (B. T. Polyak, A. B. Juditsky, Acceleration of Stochastic
// Approximation by Averaging, SIAM Journal on Control and Optimization 30, 1992). When a stage has
// just begun, it is the place of the search.
func (c *cmaSearch) centre() []float64 {
	if len(c.past) == 0 {
		return c.now
	}
	mean := make([]float64, len(c.now))
	for _, place := range c.past {
		for i, u := range place {
			mean[i] += u / float64(len(c.past))
		}
	}
	return mean
}
