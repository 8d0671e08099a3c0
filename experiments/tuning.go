package experiments

import (
	"context"
	"math"
	"slices"

	"tune2048/configs"
	"tune2048/engine/heuristic"
	"tune2048/engine/portable"
	"tune2048/experiments/stats"
	"tune2048/tuner"
)

// tune is the tuning phase, the one loop of the product: ask the optimizer for a generation, play
// it, tell its fitness, record it. It returns the numbers of the finalists.
func (s *state) tune(ctx context.Context) (finalists []int, err error) {
	space, err := Space(&s.Config.Family)
	if err != nil {
		return nil, err
	}
	optimizer, err := tuner.New(s.Config.Optimizer, space, portable.Hash(s.Config.Seed, "optimizer"))
	if err != nil {
		return nil, err
	}
	defer optimizer.Close()
	for i, stage := range s.Config.Stages {
		if s.stopped {
			break
		}
		if err := optimizer.NextStage(); err != nil {
			return nil, err
		}
		s.progress.begin(i)
		s.tuned, s.centres, s.began = stage, nil, s.nextGame
		for number := 0; s.fits(number) && !s.stopped; number++ {
			if err := s.tuneOn(ctx, optimizer, number); err != nil {
				return nil, err
			}
			if err := s.decideStop(ctx, s.Config.Stages[i:], number); err != nil {
				return nil, err
			}
		}
		s.lasted = append(s.lasted, len(s.centres))
	}
	if s.run.HeldOutSalt, err = s.Config.PlayedHash(s.lasted); err != nil {
		return nil, err
	}
	return s.finalists(ctx, optimizer.Centres())
}

// tuneOn carries the tuning on by one generation of the stage at hand.
func (s *state) tuneOn(ctx context.Context, optimizer *tuner.Optimizer, number int) error {
	stage, most := s.tuned, generations(s.Config, s.tuned)
	s.progress.foresee(expectedTuning(s.Config, stage, most-number, s.nextGame-s.began))
	candidates, err := optimizer.Ask()
	if err != nil {
		return err
	}
	asked, err := s.register(ctx, candidates, stage.Name, number)
	if err != nil {
		return err
	}
	r := &race{
		phase: PhaseTuning, stage: stage, generation: number, generations: most, candidates: distinct(asked), keep: keptInGeneration(s.Config.Optimizer),
	}
	if err := s.runRace(ctx, r); err != nil {
		return err
	}
	// The lower bound of all games of the stage: so a survivor that was measured often leads a newcomer
	// that was lucky once.
	if err := optimizer.Tell(s.standings.lower(asked)); err != nil {
		return err
	}
	s.centres = append(s.centres, optimizer.Centre())
	s.progress.Generations++
	return s.learn(ctx, number, r.standings)
}

// Space returns the space that optimizers search: the family's tunable weights.
func Space(f *heuristic.Family) (*tuner.Space, error) {
	var parameters []tuner.Parameter
	scaleFree := f.ScaleFree()
	for i, w := range f.Tunable() {
		parameters = append(parameters, tuner.Parameter{
			Name: w.Name, Min: w.Min, Max: w.Max, Start: w.Value, Log: w.Log, Scale: scaleFree != nil && scaleFree[i],
		})
	}
	return tuner.NewSpace(parameters)
}

// keptInGeneration is how many candidates of a generation its race is about: as many as optimizers select from. Who is
// clearly not among them stops early.
func keptInGeneration(o tuner.Options) int { return o.Populations * max(2, o.Population/4) }

// generations returns how many generations of a stage there are at most: at least 1, and with
// max_games as many as fit, unless races may leave room for more.
func generations(c *configs.Config, stage configs.Stage) int {
	if stage.MaxGames == 0 || stage.Rounds > 1 {
		return stage.Generations
	}
	return max(1, min(stage.Generations, stage.MaxGames/(stage.Games*c.Optimizer.Candidates())))
}

// fits reports whether the stage at hand has a generation of this number: whether its games are
// there, if all candidates play all of theirs.
func (s *state) fits(number int) bool {
	stage := s.tuned
	played, generation := s.nextGame-s.began, int64(stage.Games)*int64(s.Config.Optimizer.Candidates())
	return number < generations(s.Config, stage) && (stage.MaxGames == 0 || played+generation <= int64(stage.MaxGames))
}

// learn records what a generation came to, and reports how the tuning stands.
func (s *state) learn(ctx context.Context, number int, measured *standings) error {
	g := Generation{Stage: s.tuned.Name, Search: s.tuned.Search.String(), Number: number, Candidates: len(measured.of)}
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

// decideStop asks whether tuning ends with the generation of this number, or answers from the
// store. stages are the one at hand and those after it.
func (s *state) decideStop(ctx context.Context, stages []configs.Stage, number int) error {
	if !s.fits(number + 1) {
		stages = stages[1:]
	}
	switch {
	case s.run.StoppedAfter > 0:
		s.stopped = s.progress.Generations >= s.run.StoppedAfter
		return nil
	case s.Stop == nil || s.progress.Replaying || len(stages) == 0 || ctx.Err() != nil || !s.Stop(plannedGenerations(s.Config, stages[0], 1)):
		return nil
	}
	s.stopped, s.run.StoppedAfter = true, s.progress.Generations
	return s.Store.SetStop(ctx, s.run.ID, s.progress.Generations)
}

// finalists registers the centres, and returns them with the start weights and the best of the last
// stage's candidates. The start weights are there so that tuning from good ones does not end in
// worse.
func (s *state) finalists(ctx context.Context, centres []tuner.Candidate) ([]int, error) {
	numbers, err := s.register(ctx, centres, s.tuned.Name, len(s.centres))
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
