// Package summary makes every figure of a run out of its records. It is one pure function, without
// SQL, clock or files. Terminal, report, live page, export and the lists of runs read its result.
// The search needs some of the figures, too: fitness, generations, comparisons. Both call the same
// functions of package experiments.
//
// Read it in this order: summary.go has Summarize. players.go has the players of the headline and
// the gains between them. tuning.go says how tuning went. weights.go has the weights, and what each
// feature is worth. leaders.go ranks the candidates, and takes the luck off the leaders of tuning.
package summary

import (
	"cmp"
	"iter"
	"slices"

	"tune2048/configs/config"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
)

// Run is the part of a run's own record on which its figures depend.
type Run struct {
	Kind      experiments.Kind
	Objective fitness.Objective
	Champion  int // number; -1 before the playoff's end
	Look      int // of a comparison: the question to answer, see Comparison.Look; 0: the last one, -1: all
}

// Summary has the figures of a run. Scores are in points, fitness is in the objective's unit,
// shares lie in 0 to 1. Intervals are 95% unless a confidence stands beside them.
type Summary struct {
	Run
	// of the headline: by search, then champion, start weights, references; or the players compared
	Players     []Player
	Gains       []Gain   // of the champion over each other player; of a comparison: all pairs of the question
	Playoff     []Player // finalists by rank
	Features    []Feature
	Trend       *Trend // nil: it was not played
	Stages      []Stage
	Generations []experiments.Generation
	HandOver    experiments.Generation // the last one before CMA-ES took over; without games: it did not
	Looks       []Look                 // at the centre of the search, in the order of play
	Centre      *experiments.Centre    // at the last look: what is shown before there are verdicts; nil: there are, or no look was yet
	Weights     []Weight
	Last        experiments.Evaluation // where the one with the largest number stands
	Games       int64                  // of all evaluations
	Failures    []Failure              // candidates that could not be played, in the order of play

	totals experiments.Totals
	names  map[int]string       // of candidates that have one
	looks  []*experiments.Looks // of each stage that has one, in the order of play
}

// Failure is a candidate that could not be played, and lost.
type Failure struct {
	experiments.Place
	Number  int    `json:"-"`       // of the evaluation
	Weights string `json:"weights"` // as a config writes them; empty: not known
	Fault   string `json:"fault"`   // what the bot did, and from the second line on the end of its stderr
}

// Summarize makes the figures of a run. evaluations are in the order of their numbers within tuning
// and within each other phase. Some of them give the figures of these alone. A night has millions,
// so known may have the first generations: then those behind them follow, and of those before only
// failures. again yields those of tuning once more: who does not rank them leaves it out. Without a
// config there are no weights and no features. candidates may be a sample: it gives names, and the
// last population. An unfinished run has the figures that are known so far.
func Summarize(run Run, config *config.Config, candidates []experiments.Candidate, known []experiments.Generation,
	evaluations iter.Seq[experiments.Evaluation], again experiments.Again, comparisons []experiments.Comparison) Summary {
	s := Summary{Run: run, names: map[int]string{}}
	stage := experiments.Place{}
	for _, c := range candidates {
		if c.Name != "" {
			s.names[c.Number] = c.Name
		}
	}
	if run.Kind.HasPlayers() {
		comparisons = s.ofLastLook(comparisons)
		evaluations = firstGames(evaluations, comparisons)
	}
	begin := 0 // number of the first evaluation of tuning that is not known
	if n := len(known); n > 0 {
		begin, s.Games = known[n-1].Behind, known[n-1].Played
	}
	s.totals = experiments.Fold(run.Objective, known, func(yield func(experiments.Evaluation) bool) {
		for e := range evaluations {
			s.note(e, candidates)
			if e.Phase == experiments.PhaseTuning && e.Number < begin {
				continue
			}
			if e.Phase == experiments.PhaseCentre {
				if at := (experiments.Place{Stage: e.Stage, Search: e.Search}); len(s.looks) == 0 || at != stage {
					stage, s.looks = at, append(s.looks, experiments.NewLooks(run.Objective))
				}
				s.looks[len(s.looks)-1].Add(e)
			}
			if !yield(e) {
				return
			}
		}
	}, again)
	slices.SortStableFunc(s.Failures, func(a, b Failure) int { return cmp.Compare(a.Number, b.Number) })
	handOver := 0
	if config != nil {
		handOver = config.Optimizer.HandOver(len(config.Tunable()))
	}
	s.tuning(handOver)
	if s.players(comparisons); s.Judged() {
		s.Centre = nil
	}
	s.trend(comparisons)
	if config != nil {
		s.weights(config, candidates)
		s.features(config, candidates, comparisons)
	}
	for _, stage := range s.totals.Stages {
		stage.From(nil) // who asks for more says where it is
	}
	return s
}

// note counts an evaluation's games, and notes its failure.
func (s *Summary) note(e experiments.Evaluation, candidates []experiments.Candidate) {
	s.Games += int64(len(e.Scores))
	if e.Failure != "" {
		i := slices.IndexFunc(candidates, func(c experiments.Candidate) bool { return c.Number == e.Candidate })
		failure := Failure{Place: e.Place, Number: e.Number, Fault: e.Failure}
		if i >= 0 {
			failure.Weights = candidates[i].Text()
		}
		s.Failures = append(s.Failures, failure)
	}
	if e.Number >= s.Last.Number {
		s.Last = experiments.Evaluation{Place: e.Place, Number: e.Number}
	}
}

// ofLastLook returns the comparisons of the question to answer.
func (s *Summary) ofLastLook(all []experiments.Comparison) []experiments.Comparison {
	if s.Look == 0 {
		for _, c := range all {
			s.Look = max(s.Look, c.Look)
		}
	}
	return slices.DeleteFunc(slices.Clone(all),
		func(c experiments.Comparison) bool { return s.Look > 0 && c.Look != s.Look })
}

// firstGames returns the evaluations of the games that a question asks for: the first ones of each
// player. An evaluation that has more is cut.
func firstGames(evaluations iter.Seq[experiments.Evaluation],
	question []experiments.Comparison) iter.Seq[experiments.Evaluation] {
	left := map[experiments.Place]int{} // games, by search and player
	at := func(search string, player int) experiments.Place {
		return experiments.Place{Search: search, Candidate: player}
	}
	for _, c := range question {
		a, b := at(c.Search, c.Candidate), at(c.Search, c.Baseline)
		left[a], left[b] = max(left[a], c.Games), max(left[b], c.BaselineGames)
	}
	return func(yield func(experiments.Evaluation) bool) {
		for e := range evaluations {
			place := at(e.Search, e.Candidate)
			if len(question) > 0 { // otherwise it is under way
				e = e.Cut(left[place])
			}
			left[place] -= len(e.Scores)
			if len(e.Scores) > 0 && !yield(e) {
				return
			}
		}
	}
}

// at returns the standings of a phase outside tuning and a search, by number; of all searches for
// an empty one.
func (s *Summary) at(phase, search string) (list []*experiments.Standing) {
	for _, t := range s.totals.Others {
		if t.Phase != phase || search != "" && t.Search != search {
			continue
		}
		for _, number := range t.Numbers() {
			list = append(list, t.Of[number])
		}
	}
	return list
}

// Searches returns the searches of the headline's games, in the order of play. The answer's is the
// last one.
func (s *Summary) Searches() (list []string) {
	for _, t := range s.totals.Others {
		if t.Phase == s.Kind.Figures() {
			list = append(list, t.Search)
		}
	}
	return list
}
