package experiments

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"tune2048/configs"
	"tune2048/experiments/stats"
	"tune2048/tuner"
)

// tune is the tuning phase, the one loop of the product: ask the optimizer for a generation of candidates,
// simulate, record, tell. It returns the finalists' numbers, the population's centre first.
func (s *state) tune(ctx context.Context) (finalists []int, err error) {
	space, err := s.candidates.space()
	if err != nil {
		return nil, err
	}
	optimizer, err := tuner.New(s.Config.Optimizer, space, stats.Hash(s.Config.Seed, "optimizer"))
	if err != nil {
		return nil, err
	}
	defer optimizer.Close()

	for i, stage := range s.Config.Stages {
		if i > 0 {
			if err := optimizer.NextStage(); err != nil {
				return nil, err
			}
		}
		s.progress.begin(i)
		s.pools = map[int]*pool{}
		for generation := 0; generation < generations(s.Config, stage) && !s.stopped; generation++ {
			asked, err := optimizer.Ask()
			if err != nil {
				return nil, err
			}
			numbers, err := s.register(ctx, asked, stage.Name, generation)
			if err != nil {
				return nil, err
			}
			block := s.block(PhaseTuning, stage, generation, numbers)
			evaluations, err := s.play(ctx, block)
			if err != nil {
				return nil, err
			}
			fitness := make([]float64, len(asked))
			for k, number := range numbers {
				fitness[k] = evaluations[number].Fitness
			}
			if err := optimizer.Tell(fitness); err != nil {
				return nil, err
			}
			s.learn(evaluations)
			if err := s.decideStop(ctx); err != nil {
				return nil, err
			}
		}
		if s.stopped || i == len(s.Config.Stages)-1 {
			return s.finalists(ctx, stage, optimizer.Centre())
		}
	}
	return nil, errors.New("experiments: a config without stages") // configs validates it
}

// generations returns how many generations of a stage fit into its limits, at least 1.
func generations(c *configs.Config, stage configs.Stage) int {
	if stage.MaxGames == 0 {
		return stage.Generations
	}
	return max(1, min(stage.Generations, stage.MaxGames/(stage.Games*c.Optimizer.Population)))
}

// block plans the games of a generation.
func (s *state) block(phase string, stage configs.Stage, generation int, numbers []int) Block {
	return Block{
		Phase: phase, Stage: stage.Name, Search: stage.Search.String(), Generation: generation,
		Candidates: distinct(numbers), settings: stage.Search, of: generations(s.Config, stage),
		Seeds: gameSeeds(s.Config.Seed, phase, stage.Name, generation, 0, stage.Games),
	}
}

// learn pools a generation's evaluations and reports how the tuning stands.
func (s *state) learn(evaluations map[int]Evaluation) {
	var best, mean float64
	first := true
	for _, number := range sortedKeys(evaluations) { // an order, so that the mean's bits are the same
		e := evaluations[number]
		if s.pools[number] == nil {
			s.pools[number] = &pool{}
		}
		s.pools[number].add(e.Score.N, e.Fitness, e.FitnessSE)
		if first || e.Fitness > best {
			best, first = e.Fitness, false
		}
		mean += e.Fitness / float64(len(evaluations))
	}
	s.progress.Best, s.progress.Mean, s.progress.HasFitness = best, mean, true
	leader := s.ranking()[0]
	p := s.pools[leader]
	s.progress.Leader = Leader{Number: leader, Games: p.games, Fitness: p.mean, SE: math.Sqrt(p.variance)}
	s.report()
}

// ranking returns the candidates of the stage by the lower bound of their fitness, ties by number.
func (s *state) ranking() []int {
	numbers := sortedKeys(s.pools)
	slices.SortStableFunc(numbers, func(a, b int) int {
		return cmp.Compare(s.pools[b].lower, s.pools[a].lower)
	})
	return numbers
}

// decideStop asks whether tuning ends with the generation just told, or answers from the store.
func (s *state) decideStop(ctx context.Context) error {
	s.progress.Generations++
	switch {
	case s.run.StoppedAfter > 0:
		s.stopped = s.progress.Generations >= s.run.StoppedAfter
		return nil
	case s.Stop == nil || s.progress.Replaying || !s.Stop():
		return nil
	}
	s.stopped = true
	return s.Store.SetStop(ctx, s.run.ID, s.progress.Generations)
}

// finalists registers the population's centre and returns it with the best of the last stage's
// candidates.
func (s *state) finalists(ctx context.Context, last configs.Stage, centre []float64) ([]int, error) {
	numbers, err := s.register(ctx, []tuner.Candidate{{Values: centre, Origin: tuner.OriginCentre}}, last.Name, last.Generations)
	if err != nil {
		return nil, err
	}
	for _, number := range s.ranking() {
		if len(numbers) < s.Config.Playoff.Finalists && !slices.Contains(numbers, number) {
			numbers = append(numbers, number)
		}
	}
	return numbers, nil
}
