package tuner_test

import (
	"fmt"
	"math/rand"
	"runtime"
	"slices"
	"testing"

	"github.com/MaxHalford/eaopt"

	"tune2048/configs/config"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/tuner"
)

// plain is a genome as eaopt's README shows it: a point of the unit cube.
type plain struct {
	unit     []float64
	evaluate func(unit []float64) (float64, error)
}

func (g *plain) Evaluate() (float64, error) { return g.evaluate(g.unit) }
func (g *plain) Mutate(random *rand.Rand)   { eaopt.MutNormalFloat64(g.unit, 0.8, random) }
func (g *plain) Crossover(mate eaopt.Genome, random *rand.Rand) {
	eaopt.CrossUniformFloat64(g.unit, mate.(*plain).unit, random)
}
func (g *plain) Clone() eaopt.Genome { return &plain{slices.Clone(g.unit), g.evaluate} }

// BenchmarkPlainEaopt is the reference of the genetic algorithm here: eaopt as its README shows it
// tunes the quickstart's heuristic, with 10,000 and 20,000 games. It has a generational model with
// tournaments of 3, and the library's own operators and rates. It evaluates each of 30 individuals
// from the whole space once, with 100 games, and takes the best of the hall of fame at its word.
// The benchmark reports its mean score on 1,500 other games, averaged over as many runs as
// -benchtime says, such as 20x. Compare
//
//	go test -run '^$' -bench Optimizers/quickstart/genetic/2500 -benchtime 10x ./tuner
func BenchmarkPlainEaopt(b *testing.B) {
	const games, heldOut = 100, 1500
	config, err := config.LoadEmbedded("quickstart")
	if err != nil {
		b.Fatal(err)
	}
	space := tuner.NewSpace(config.Family.Tunable())
	pool := simulator.NewPool(runtime.NumCPU())
	play := func(values []float64, games int, seed func(game int) uint64) (mean float64, err error) {
		all := config.Family.Values().WithGenome(&config.Family, values)
		player := simulator.Player{Family: &config.Family, Values: all, Dead: config.Family.Dead, Settings: config.Search}
		batch := simulator.Batch{Rules: config.Rules, Players: []simulator.Player{player}}
		for game := range games {
			batch.Jobs = append(batch.Jobs, simulator.Job{Seed: seed(game) >> 13})
		}
		outcomes, err := pool.Play(b.Context(), batch, nil)
		for _, o := range outcomes {
			mean += float64(o.Score) / float64(games)
		}
		return mean, err
	}
	for _, budget := range []int{10_000, 20_000} {
		b.Run(fmt.Sprint(budget), func(b *testing.B) {
			sum := 0.0
			for repeat := range b.N {
				seed, evaluation := portable.Hash(config.Seed, "plain", budget, repeat), 0
				evaluate := func(unit []float64) (float64, error) {
					mean, err := play(space.Values(unit), games, func(game int) uint64 { return portable.Hash(seed, evaluation, game) })
					evaluation++
					return -mean, err
				}
				ga, err := eaopt.GAConfig{
					NPops: 1, PopSize: 30, HofSize: 1, NGenerations: uint(budget),
					Model:     eaopt.ModGenerational{Selector: eaopt.SelTournament{NContestants: 3}, MutRate: 0.5, CrossRate: 0.7},
					RNG:       rand.New(portable.NewSource(portable.Hash(seed, "plain"))),
					EarlyStop: func(*eaopt.GA) bool { return evaluation >= budget/games },
				}.NewGA()
				if err == nil {
					err = ga.Minimize(func(random *rand.Rand) eaopt.Genome {
						g := &plain{evaluate: evaluate}
						for range space.Dim() {
							g.unit = append(g.unit, random.Float64())
						}
						return g
					})
				}
				if err != nil {
					b.Fatal(err)
				}
				best := space.Values(ga.HallOfFame[0].Genome.(*plain).unit)
				mean, err := play(best, heldOut, func(game int) uint64 { return portable.Hash(seed, "held-out", game) })
				if err != nil {
					b.Fatal(err)
				}
				sum += mean
			}
			b.ReportMetric(sum/float64(b.N), "score")
		})
	}
}
