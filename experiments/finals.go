package experiments

import (
	"context"
	"fmt"

	"tune2048/configs"
	"tune2048/experiments/stats"
)

// playoff lets the finalists race on fresh seeds; the fittest of those that played all games is the champion, the
// first of equals. The figure by which it won is returned too: it is in-sample, the best of several noisy ones.
func (s *state) playoff(ctx context.Context, finalists []int) (champion int, inSample stats.Moments, err error) {
	p := s.Config.Playoff
	s.progress.begin(len(s.Config.Stages))
	found, err := s.runRace(ctx, race{
		phase: PhasePlayoff, stage: configs.Stage{Search: p.Search, Games: p.Games, Rounds: p.Rounds}, generations: 1,
		candidates: finalists, keep: 1,
	})
	if err != nil {
		return 0, inSample, err
	}
	champion = -1
	for _, number := range finalists {
		if found.out[number] {
			continue
		}
		if champion < 0 || found.standings[number].Fitness > found.standings[champion].Fitness {
			champion = number
		}
	}
	s.progress.lead(found.standings[champion])
	if err := s.Store.SetChampion(ctx, s.run.ID, champion); err != nil {
		return 0, inSample, err
	}
	return champion, found.standings[champion].Score, nil
}

// validate lets the champion, the start weights and the references play held-out seeds at each search of the
// validation. The figures it returns are the only ones to believe.
func (s *state) validate(ctx context.Context, champion int) ([]Validated, error) {
	const start = StartNumber
	references, err := s.registerReferences(ctx)
	if err != nil {
		return nil, err
	}
	var all []Validated
	for i, search := range s.Config.Validation.Search {
		s.progress.begin(len(s.Config.Stages) + 1 + i)
		e, err := s.play(ctx, s.block(PhaseValidation, search, s.Config.Validation.Games, append([]int{champion, start}, references...)))
		if err != nil {
			return nil, err
		}
		v := Validated{Search: search.String(), Champion: e[champion], Start: e[start]}
		v.Gain = contrast(e[champion], e[start], confidence)
		contrasts := []Contrast{v.Gain}
		for i, number := range references {
			r := ReferenceResult{Name: s.Config.References[i].Name, Evaluation: e[number], Gain: contrast(e[champion], e[number], confidence)}
			v.References = append(v.References, r)
			if number != start {
				contrasts = append(contrasts, r.Gain)
			}
		}
		if err := s.Store.AddContrasts(ctx, s.run.ID, contrasts); err != nil {
			return nil, fmt.Errorf("record the comparison at %s: %w", v.Search, err)
		}
		all = append(all, v)
	}
	return all, nil
}
