package experiments

import (
	"context"
	"fmt"

	"tune2048/configs"
	"tune2048/experiments/stats"
)

// playoff lets the finalists play fresh seeds; the fittest is the champion, the first of equals. The figure by
// which it won is returned too: it is in-sample, the best of several noisy ones.
func (s *state) playoff(ctx context.Context, finalists []int) (champion int, inSample stats.Moments, err error) {
	p := s.Config.Playoff
	s.progress.begin(len(s.Config.Stages))
	evaluations, err := s.play(ctx, s.block(PhasePlayoff, configs.Stage{Search: p.Search, Games: p.Games}, 0, finalists))
	if err != nil {
		return 0, inSample, err
	}
	champion = finalists[0]
	for _, number := range finalists {
		if evaluations[number].Fitness > evaluations[champion].Fitness {
			champion = number
		}
	}
	e := evaluations[champion]
	s.progress.Leader, s.progress.HasFitness = Leader{Number: champion, Games: e.Score.N, Fitness: e.Fitness, SE: e.FitnessSE}, true
	if err := s.Store.SetChampion(ctx, s.run.ID, champion); err != nil {
		return 0, inSample, err
	}
	return champion, evaluations[champion].Score, nil
}

// validate lets the champion, the start weights and the references play held-out seeds at each search of the
// validation. The figures it returns are the only ones to believe.
func (s *state) validate(ctx context.Context, champion int) ([]Validated, error) {
	const start = 0
	references, err := s.registerReferences(ctx)
	if err != nil {
		return nil, err
	}
	var all []Validated
	for i, search := range s.Config.Validation.Search {
		s.progress.begin(len(s.Config.Stages) + 1 + i)
		games := configs.Stage{Search: search, Games: s.Config.Validation.Games}
		e, err := s.play(ctx, s.block(PhaseValidation, games, 0, append([]int{champion, start}, references...)))
		if err != nil {
			return nil, err
		}
		v := Validated{Search: search.String(), Champion: e[champion], Start: e[start]}
		v.Gain = contrast(v.Search, e[champion], e[start])
		contrasts := []Contrast{v.Gain}
		for i, number := range references {
			r := ReferenceResult{Name: s.Config.References[i].Name, Evaluation: e[number], Gain: contrast(v.Search, e[champion], e[number])}
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

// contrast compares the scores of two candidates. They played the same seeds, but that ties their scores so
// little that the samples are treated as independent. A candidate does not differ from itself.
func contrast(search string, a, b Evaluation) Contrast {
	c := Contrast{Phase: PhaseValidation, Search: search, Candidate: a.Candidate, Baseline: b.Candidate}
	if a.Candidate == b.Candidate {
		c.Ratio, c.RatioInterval = 1, stats.Interval{Low: 1, High: 1}
		return c
	}
	difference, ratio := stats.MeanDifference(a.Score, b.Score, confidence), stats.MeanRatio(a.Score, b.Score, confidence)
	c.Difference, c.Interval = difference.Value, difference.Interval
	c.Ratio, c.RatioInterval = ratio.Value, ratio.Interval
	return c
}
