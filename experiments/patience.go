package experiments

import (
	"context"
	"math"

	"tune2048/configs/config"
	"tune2048/engine/portable"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/tuner"
)

// Patience ends a stage whose centre does not rise any more. The centre plays against an earlier
// one, the reference, on common seeds that nothing else uses. Two confidence sequences follow the
// differences, so it does no harm that they are looked at again and again (see
// [stats.MeanSequence]). The first says whether the centres since the reference are better than it
// on average. Then the newest becomes the reference. The second says whether they are not better
// by worthwhile. Then the stage ends, if so many generations are over as its patience has. With
// few games neither is known, and the stage goes on.

const (
	// worthwhile is the relative rise that patience waits for. About plannedPairs games of both
	// players tell whether it is there, if the scores are those of 2048.
	worthwhile   = 0.03
	plannedPairs = 5000
	// Each of both players has a tenth of the games of tuning, and maxPatient at once.
	patientShare = 10
	minPatient   = 10
	maxPatient   = 500
)

// patientGames is the schedule of the games of centre and reference.
var patientGames = schedule{patientShare * minPatient, 100,
	func(since int64) int { return int(min(maxPatient, since/patientShare)) }}

// rise follows the centre of a stage with patience.
type rise struct {
	reference    []float64     // the centre when it was last seen to rise; nil before the first generation
	since        int           // its generation
	looked       int64         // games of tuning when it last played, or when it became the reference
	gain, beyond stats.Moments // of a game: what the centres gained, and that less what is worthwhile
}

// over reports whether a stage of this patience ends before a generation: a worthwhile rise would
// have been seen.
func (r *rise) over(patience, generation int) bool {
	return patience > 0 && r.reference != nil && generation-1-r.since >= patience &&
		stats.MeanSequence(r.beyond, plannedPairs, Confidence).High < 0
}

// watch lets the centre and the reference play, if the stage has patience and games are due. first
// is how many games of its seeds the generation's look has taken.
func (s *state) watch(ctx context.Context, centre []float64, g, first int) error {
	if s.stage.Patience == 0 {
		return nil
	}
	r := &s.stage.rise
	if r.reference == nil {
		*r = rise{reference: centre, since: g, looked: s.games}
		return nil
	}
	games := patientGames.due(s.stageGames(), s.games-r.looked)
	if games == 0 {
		return nil
	}
	r.looked = s.games
	numbers, err := s.register(ctx, []tuner.Candidate{
		{Values: r.reference, Origin: tuner.OriginCentre}, {Values: centre, Origin: tuner.OriginCentre},
	}, s.stage.Name, g)
	if err != nil {
		return err
	}
	place := s.ofCentre(g)
	place.Round = 1
	evaluations, err := s.play(ctx,
		Block{Place: place, Candidates: distinct(numbers), First: (first + SliceGames - 1) / SliceGames * SliceGames,
			Games: games})
	if err != nil {
		return err
	}
	figures := map[int][]float64{}
	for _, e := range evaluations {
		figures[e.Candidate] = append(figures[e.Candidate], s.Config.Objective.Figures(e.Scores, e.Ranks)...)
	}
	if s.failed.has(numbers[0]) {
		*r = rise{reference: centre, since: g, looked: s.games}
		return nil
	}
	if !s.failed.has(numbers[1]) {
		r.add(s.Config.Objective, figures[numbers[0]], figures[numbers[1]])
	}
	if stats.MeanSequence(r.gain, plannedPairs, Confidence).Low > 0 {
		*r = rise{reference: centre, since: g, looked: s.games}
	}
	return nil
}

// add takes in the games of the reference and of a centre on the same seeds.
func (r *rise) add(objective fitness.Objective, reference, centre []float64) {
	for i, before := range reference {
		wanted := worthwhile * math.Abs(before)
		if objective.Unit().Logs {
			wanted = portable.Log(1 + worthwhile)
		}
		r.gain.Add(centre[i] - before)
		r.beyond.Add(centre[i] - before - float64(wanted))
	}
}

// looksBetween returns the games of the centre and of its opponents that are likely while a stage's
// games of tuning grow from one number to another. looked and watched are their numbers when these
// played last.
func looksBetween(c *config.Config, stage config.Stage, from, looked, watched, to, generation int64) (games int64) {
	games = looksOf(c).between(from, looked, to, generation)
	if stage.Patience > 0 {
		games += patientGames.between(from, watched, to, generation)
	}
	return games
}

// looksWithin returns the games of looks that are likely within so many games of tuning from now
// on.
func (s *state) looksWithin(games int64, generations int) int64 {
	return looksBetween(s.Config, s.stage.Stage, s.stageGames(), s.stage.looked-s.stage.before,
		max(0, s.stage.rise.looked-s.stage.before), s.stageGames()+games, games/int64(generations))
}
