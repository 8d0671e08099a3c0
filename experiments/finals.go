package experiments

import (
	"context"
	"fmt"
	"slices"

	"tune2048/configs"
	"tune2048/tuner"
)

// finalists registers the centre, and returns it with the start weights and the best of the last
// stage's candidates. The start weights are there so that tuning from good ones does not end in
// worse. The tuning is over, so the salt of the held-out games is known.
func (s *state) finalists(ctx context.Context, centre []float64) ([]int, error) {
	numbers, err := s.register(ctx, []tuner.Candidate{{Values: centre, Origin: tuner.OriginCentre}}, s.stage.Name, len(s.centres))
	if err != nil {
		return nil, err
	}
	numbers = distinct(append(numbers, StartNumber))
	for _, number := range s.standings.ranking() {
		if len(numbers) < s.Config.Playoff.Finalists && !slices.Contains(numbers, number) {
			numbers = append(numbers, number)
		}
	}
	s.run.HeldOutSalt, err = s.Config.PlayedHash(s.lasted)
	return numbers, err
}

// playoff lets the finalists race on fresh seeds and records the champion: the fittest of those
// that played all games, the first of equals.
func (s *state) playoff(ctx context.Context, finalists []int) (champion int, err error) {
	p := s.Config.Playoff
	stage := configs.Stage{Search: p.Search, Games: p.Games, Rounds: p.Rounds}
	measured, live, err := s.race(ctx, PhasePlayoff, stage, 0, finalists, 1)
	if err != nil {
		return 0, err
	}
	champion = live[0]
	for _, number := range live {
		if measured.Of[number].Fitness.Mean > measured.Of[champion].Fitness.Mean {
			champion = number
		}
	}
	return champion, s.Store.SetChampion(ctx, s.run.ID, champion, s.run.HeldOutSalt)
}

// validate lets the champion, the start weights and the references play held-out seeds at each
// search of the validation, and compares the champion with each of the others. These figures are
// the only ones to believe. The verdicts of all searches are made together.
func (s *state) validate(ctx context.Context, champion int) error {
	references := s.candidates.addReferences(s.candidates.vectors[champion])
	if err := s.candidates.record(ctx, s.Store, s.run); err != nil {
		return err
	}
	players := distinct(append([]int{champion, StartNumber}, references...))
	var comparisons []Comparison
	for i, search := range s.Config.Validation.Searches() {
		if _, err := s.play(ctx, Block{
			Phase: PhaseValidation, Search: search.String(), Candidates: players,
			Seeds: gameSeeds(s.Config.Seed, PhaseValidation, s.run.HeldOutSalt, 0, 0, s.Config.Validation.GamesAt(i)),
		}); err != nil {
			return err
		}
		for _, other := range players[1:] {
			comparisons = append(comparisons, compare(s.Config.Objective, s.standings.Of[champion], s.standings.Of[other], Confidence))
		}
	}
	JudgeTogether(comparisons, 1-Confidence)
	if champion == StartNumber { // it has gained nothing, for certain
		for _, search := range s.Config.Validation.Searches() {
			start := s.blocks.standingsAt(PhaseValidation, "", search.String()).Of[StartNumber]
			comparisons = append(comparisons, compare(s.Config.Objective, start, start, Confidence))
		}
	}
	if err := s.Store.AddComparisons(ctx, s.run.ID, comparisons); err != nil {
		return fmt.Errorf("record the gains: %w", err)
	}
	return nil
}
