package experiments

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/tuner"
)

// finalists registers the centre, and returns it with all starts and the best of the last
// stage's candidates. The start weights are there so that tuning from good ones does not end in
// worse. The tuning is over, so the salt of the held-out games is known, and the games that follow.
func (s *state) finalists(ctx context.Context, centre []float64) ([]int, error) {
	asked := []tuner.Candidate{{Values: centre, Origin: tuner.OriginCentre}}
	for _, start := range s.Config.Starts {
		asked = append(asked, tuner.Candidate{Values: start, Origin: tuner.OriginStart})
	}
	numbers, err := s.register(ctx, asked, s.stage.Name, s.stage.centres.n)
	if err != nil {
		return nil, err
	}
	s.run.HeldOutSalt = s.Config.Played(s.stageLengths).Hash // of the config as it was written
	costs := newCosts(s.Config)                              // the planner's go by a clock
	s.Config = judged(s.Config, s.cost.games,
		func(search engine.Settings) float64 { return costs.relative(ctx, search, s.stage.Search) })
	if ctx.Err() != nil { // the costs are meaningless
		return nil, ctx.Err()
	}
	s.progress.Plan = slices.Concat(s.progress.Plan[:len(s.Config.Stages)],
		planAfter(s.Config, s.stage.centres.n >= minTrend))
	numbers = distinct(append(s.playable(numbers), StartNumber))
	best := s.stage.field.Best(s.Config.Playoff.Finalists-len(numbers), func(number int) bool {
		return !s.failed.has(number) && !slices.Contains(numbers, number)
	})
	if s.readError != nil {
		return nil, s.readError
	}
	s.stage.field = nil // the figures of millions of candidates need its memory
	numbers = append(numbers, best...)
	return numbers, s.candidates.use(numbers)
}

// playoff lets the finalists race on fresh seeds. It returns them by their fitness: first those
// that played all games, of equals the earlier ones.
func (s *state) playoff(ctx context.Context, finalists []int) (ranked []int, err error) {
	p := s.Config.Playoff
	games, err := s.settle(ctx, Place{Phase: PhasePlayoff, Search: p.Search.String()}, p.Games, minPlayoff)
	if err != nil {
		return nil, err
	}
	stage := config.Stage{Search: p.Search, Games: games, Rounds: p.Rounds}
	_, live, err := s.race(ctx, PhasePlayoff, stage, 0, finalists, 1)
	if err != nil {
		return nil, err
	}
	of := s.standingsAt(PhasePlayoff, p.Search.String()).Of
	ranked = s.playable(distinct(append(live, finalists...)))
	slices.SortStableFunc(ranked, func(a, b int) int {
		x, y := of[a], of[b]
		return cmp.Or(cmp.Compare(y.Fitness.N, x.Fitness.N), cmp.Compare(y.Fitness.Mean, x.Fitness.Mean))
	})
	return ranked, nil
}

// crown makes the first of the finalists the champion that can play its held-out games. The start
// weights can: otherwise the run has stopped.
func (s *state) crown(ctx context.Context, ranked []int) (champion int, err error) {
	for _, champion = range ranked {
		if err := s.Store.SetChampion(ctx, s.run.ID, champion, s.run.HeldOutSalt); err != nil {
			return champion, err
		}
		if err := s.validate(ctx, champion); err != nil || !s.failed.has(champion) {
			return champion, err
		}
	}
	return champion, nil
}

// validate lets the champion, the start weights and the references play held-out seeds at each
// search of the validation, and compares the champion with each of the others. These figures are
// the only ones to believe. The verdicts of all searches are made together.
func (s *state) validate(ctx context.Context, champion int) error {
	references := s.candidates.addReferences(s.candidates.player(champion).Values)
	if err := s.candidates.record(ctx, s.Store, s.run); err != nil {
		return err
	}
	players := distinct(append([]int{champion, StartNumber}, references...))
	var comparisons []Comparison
	for i, search := range s.Config.Validation.Searches() {
		place := Place{Phase: PhaseValidation, Search: search.String()}
		games, err := s.settle(ctx, place, s.Config.Validation.GamesAt(i), minHeldOut)
		if err != nil {
			return err
		}
		of := s.standingsAt(PhaseValidation, place.Search).Of
		rest := slices.DeleteFunc(s.playable(players),
			func(number int) bool { return of[number] != nil })
		if _, err := s.play(ctx, Block{Place: place, Candidates: rest, Games: games}); err != nil {
			return err
		}
		if s.failed.has(champion) {
			return nil // the next one is crowned
		}
		for _, other := range s.playable(players[1:]) {
			comparisons = append(comparisons, compare(s.Config.Objective, of[champion],
				of[other], Confidence))
		}
	}
	correct(comparisons, 1)
	if champion == StartNumber { // it has gained nothing, for certain
		for _, search := range s.Config.Validation.Searches() {
			start := s.standingsAt(PhaseValidation, search.String()).Of[StartNumber]
			comparisons = append(comparisons, compare(s.Config.Objective, start, start, Confidence))
		}
	}
	if err := s.Store.AddComparisons(ctx, s.run.ID, comparisons); err != nil {
		return fmt.Errorf("record the gains: %w", err)
	}
	s.progress.Centre = nil // the verdicts say more
	return nil
}
