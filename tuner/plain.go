package tuner

import (
	"fmt"
	"math/rand"

	"github.com/MaxHalford/eaopt"

	"tune2048/engine/portable"
)

// Plain is the baseline that the optimizers here are measured against, and not one of them: eaopt as its README shows
// it. A generational model with tournaments of 3, the library's own operators at its own rates, 30 individuals drawn from
// the whole space; each is evaluated when it is made and never again, and the answer is the best of the hall of fame,
// taken at its word. It returns the natural values of that, after about as many evaluations as asked for (at least 30).
//
// evaluate returns the fitness of natural values, higher is better. It is called by one goroutine; its error ends the
// search. rand's NormFloat64, which the library uses, makes the last bits differ between processors.
func Plain(s *Space, evaluations int, seed uint64, evaluate func(values []float64) (float64, error)) ([]float64, error) {
	const population = 30
	b := &plainBudget{space: s, left: evaluations, evaluate: evaluate}
	ga, err := eaopt.GAConfig{
		NPops: 1, PopSize: population, HofSize: 1,
		NGenerations: uint(max(1, evaluations)), // the budget ends it
		Model:        eaopt.ModGenerational{Selector: eaopt.SelTournament{NContestants: 3}, MutRate: 0.5, CrossRate: 0.7},
		RNG:          rand.New(portable.NewSource(portable.Hash(seed, "plain"))),
		EarlyStop:    func(*eaopt.GA) bool { return b.left <= 0 },
	}.NewGA()
	if err != nil {
		return nil, fmt.Errorf("tuner: eaopt: %w", err)
	}
	err = ga.Minimize(func(random *rand.Rand) eaopt.Genome {
		g := &plainGenome{budget: b}
		for range s.Dim() {
			g.unit = append(g.unit, random.Float64())
		}
		return g
	})
	if err != nil {
		return nil, fmt.Errorf("tuner: eaopt: %w", err)
	}
	return s.Values(ga.HallOfFame[0].Genome.(*plainGenome).unit), nil
}

// plainBudget counts evaluations.
type plainBudget struct {
	space    *Space
	left     int
	evaluate func(values []float64) (float64, error)
}

// plainGenome is a point of the unit cube under eaopt's operators.
type plainGenome struct {
	unit   []float64
	budget *plainBudget
}

func (g *plainGenome) Evaluate() (float64, error) {
	g.budget.left--
	fitness, err := g.budget.evaluate(g.budget.space.Values(g.unit))
	return -fitness, err
}

func (g *plainGenome) Mutate(random *rand.Rand) { eaopt.MutNormalFloat64(g.unit, 0.8, random) }

func (g *plainGenome) Crossover(mate eaopt.Genome, random *rand.Rand) {
	eaopt.CrossUniformFloat64(g.unit, mate.(*plainGenome).unit, random)
}

func (g *plainGenome) Clone() eaopt.Genome {
	return &plainGenome{unit: append([]float64(nil), g.unit...), budget: g.budget}
}
