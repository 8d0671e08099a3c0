package experiments

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"tune2048/configs"
	"tune2048/engine/heuristic"
	"tune2048/engine/portable"
	"tune2048/experiments/stats"
	"tune2048/tuner"
)

// tune is the tuning phase, the one loop of the product: ask the optimizer for a generation of candidates,
// simulate, record, tell. With restarts there are several optimizers, each with a population of its own: one generation of each
// is played at once, and generations are numbered in turns over all of them. It returns the finalists' numbers, the populations'
// centres first.
func (s *state) tune(ctx context.Context) (finalists []int, err error) {
	space, err := Space(&s.Config.Family)
	if err != nil {
		return nil, err
	}
	optimizers, err := s.optimizers(space)
	if err != nil {
		return nil, err
	}
	defer closeAll(optimizers)

	for i, stage := range s.Config.Stages {
		for _, o := range optimizers {
			if err := o.NextStage(); err != nil {
				return nil, err
			}
		}
		s.progress.begin(i)
		began, most := s.nextGame, generations(s.Config, stage)*len(optimizers)
		s.tuned, s.centres = stage.Name, nil
		next := func(generation int) int { // how many generations are played at once, from this one on
			s.progress.foresee(expectedTuning(s.Config, stage, most-generation, s.nextGame-began))
			return s.fitting(stage, s.nextGame-began, min(len(optimizers), most-generation))
		}
		for generation, n := 0, next(0); n > 0 && !s.stopped; n = next(generation) {
			races, asked := make([]*race, n), make([][]int, n)
			for k := range races {
				candidates, err := optimizers[(generation+k)%len(optimizers)].Ask()
				if err != nil {
					return nil, err
				}
				if asked[k], err = s.register(ctx, candidates, stage.Name, generation+k); err != nil {
					return nil, err
				}
				races[k] = &race{
					phase: PhaseTuning, stage: stage, generation: generation + k, generations: most, candidates: distinct(asked[k]),
					keep: keptInGeneration(len(asked[k])),
				}
			}
			if err := s.runRaces(ctx, races...); err != nil {
				return nil, err
			}
			for k, r := range races {
				if err := s.learn(ctx, stage, generation, r.standings); err != nil {
					return nil, err
				}
				// The lower bound of what all games of the stage say, so that a survivor that was measured often leads a newcomer
				// that was lucky once.
				if err := optimizers[generation%len(optimizers)].Tell(s.standings.lower(asked[k])); err != nil {
					return nil, err
				}
				s.centres = append(s.centres, centre(space, s.Config.Family.ScaleFree(), optimizers))
				generation, s.progress.Generations = generation+1, s.progress.Generations+1
			}
			if err := s.decideStop(ctx, s.Config.Stages[i:], next(generation) > 0); err != nil {
				return nil, err
			}
		}
		s.lasted = append(s.lasted, (len(s.centres)+len(optimizers)-1)/len(optimizers))
		if s.stopped || i == len(s.Config.Stages)-1 {
			if s.run.HeldOutSalt, err = s.Config.PlayedHash(s.lasted); err != nil {
				return nil, err
			}
			return s.finalists(ctx, stage, space, optimizers)
		}
	}
	return nil, errors.New("experiments: a config without stages") // configs validates it
}

// Space returns the space that optimizers search: the family's tunable weights.
func Space(f *heuristic.Family) (*tuner.Space, error) {
	var parameters []tuner.Parameter
	for _, w := range f.Tunable() {
		parameters = append(parameters, tuner.Parameter{Name: w.Name, Min: w.Min, Max: w.Max, Start: w.Value, Log: w.Log})
	}
	return tuner.NewSpace(parameters)
}

// optimizers makes one for each restart. The first one's seed does not depend on how many there are.
func (s *state) optimizers(space *tuner.Space) (list []*tuner.Optimizer, err error) {
	for restart := range s.Config.Restarts {
		label := "optimizer"
		if restart > 0 {
			label += strconv.Itoa(restart)
		}
		o, err := tuner.New(s.Config.Optimizer, space, portable.Hash(s.Config.Seed, label))
		if err != nil {
			closeAll(list)
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

func closeAll(optimizers []*tuner.Optimizer) {
	for _, o := range optimizers {
		o.Close()
	}
}

// keptInGeneration is how many candidates of a generation its race is about: as many as optimizers select from. Who is
// clearly not among them stops early.
func keptInGeneration(population int) int { return max(2, population/4) }

// generations returns how many generations of a stage there are at most for each population: at least 1, and with
// max_games as many as fit, unless races may leave room for more.
func generations(c *configs.Config, stage configs.Stage) int {
	if stage.MaxGames == 0 || stage.Rounds > 1 {
		return stage.Generations
	}
	return max(1, min(stage.Generations, stage.MaxGames/(stage.Games*c.Optimizer.Population*c.Restarts)))
}

// fitting returns how many of so many more generations fit into the stage's games.
func (s *state) fitting(stage configs.Stage, played int64, more int) int {
	if stage.MaxGames == 0 {
		return more
	}
	fit := max(0, (int64(stage.MaxGames)-played)/(int64(stage.Games)*int64(s.Config.Optimizer.Population)))
	return int(min(fit, int64(more)))
}

// learn records what a generation came to, and reports how the tuning stands.
func (s *state) learn(ctx context.Context, stage configs.Stage, number int, measured *standings) error {
	g := Generation{Stage: stage.Name, Search: stage.Search.String(), Number: number, Candidates: len(measured.of)}
	var means, fitness stats.Moments
	shares := 0.0 // of the variance of a game's fitness that the mean of the candidates has
	g.Best, g.Worst, g.BestFitness = math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, candidate := range sortedKeys(measured.of) { // an order, so that the mean's bits are the same
		m := measured.of[candidate]
		means.Add(m.Score.Mean)
		fitness.Add(m.Fitness.Mean)
		shares += 1 / float64(m.Score.N)
		g.Games += int64(m.Score.N)
		g.Best, g.Worst, g.BestFitness = max(g.Best, m.Score.Mean), min(g.Worst, m.Score.Mean), max(g.BestFitness, m.Fitness.Mean)
	}
	g.Mean, g.SD = means.Mean, means.SD()
	se := measured.spread() * math.Sqrt(shares) / float64(len(measured.of))
	reach := -portable.NormalQuantile((1 - confidence) / 2)
	g.MeanFitness = stats.Estimate{Value: fitness.Mean, Interval: stats.Interval{Low: fitness.Mean - float64(reach*se), High: fitness.Mean + float64(reach*se)}}
	s.progress.learn(g, s.standings.of[StartNumber])
	s.report()
	return s.Store.AddGeneration(ctx, s.run.ID, g)
}

// decideStop asks whether tuning ends with the generations just told, or answers from the store. stages are the one at hand
// and those after it; more is whether the one at hand has another generation.
func (s *state) decideStop(ctx context.Context, stages []configs.Stage, more bool) error {
	if !more {
		stages = stages[1:]
	}
	switch {
	case s.run.StoppedAfter > 0:
		s.stopped = s.progress.Generations >= s.run.StoppedAfter
		return nil
	case s.Stop == nil || s.progress.Replaying || len(stages) == 0 || ctx.Err() != nil || !s.Stop(plannedGenerations(s.Config, stages[0], s.Config.Restarts)):
		return nil
	}
	s.stopped, s.run.StoppedAfter = true, s.progress.Generations
	return s.Store.SetStop(ctx, s.run.ID, s.progress.Generations)
}

// centre is where the populations stand: the mean of their centres.
func centre(space *tuner.Space, scaleFree []bool, optimizers []*tuner.Optimizer) []float64 {
	if len(optimizers) == 1 {
		return optimizers[0].Centre()
	}
	var all [][]float64
	for _, o := range optimizers {
		all = append(all, o.Centre())
	}
	return space.Mean(all, scaleFree)
}

// finalists registers the populations' centres, with several also their mean, and returns them with the start weights
// and the best of the last stage's candidates. The start weights are there so that tuning from good ones does not end in worse.
func (s *state) finalists(ctx context.Context, last configs.Stage, space *tuner.Space, optimizers []*tuner.Optimizer) ([]int, error) {
	var centres []tuner.Candidate
	if len(optimizers) > 1 {
		centres = append(centres, tuner.Candidate{Values: centre(space, s.Config.Family.ScaleFree(), optimizers), Origin: tuner.OriginMean})
	}
	for _, o := range optimizers {
		centres = append(centres, tuner.Candidate{Values: o.Centre(), Origin: tuner.OriginCentre})
	}
	numbers, err := s.register(ctx, centres, last.Name, len(s.centres))
	if err != nil {
		return nil, err
	}
	numbers = distinct(numbers)
	numbers = distinct(append(numbers[:min(len(numbers), s.Config.Playoff.Finalists-1)], StartNumber))
	for _, number := range s.standings.ranking() {
		if len(numbers) < s.Config.Playoff.Finalists && !slices.Contains(numbers, number) {
			numbers = append(numbers, number)
		}
	}
	return numbers, nil
}
