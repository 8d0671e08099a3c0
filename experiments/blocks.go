package experiments

import (
	"context"
	"maps"
	"slices"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/experiments/fitness"
)

// session is a run under way, of a tuning as of a comparison: its candidates, their games, and how
// far it is.
type session struct {
	Lab
	store      Store
	run        Run
	storing    string // config.StoreAll ...: games to keep as rows
	candidates registry
	number     func(b Block, candidate, slice int) int       // of a question, see Evaluation.Number
	accept     func(b Block, evaluations []Evaluation) error // refuses some before they are recorded
	failed     map[int]string                                // candidates that could not be played, with Evaluation.Failure
	all        map[Place]*Standings                          // by phase, stage and search
	games      int64                                         // that were asked for
	progress   Progress
	observe    func(Progress) // may be nil
}

func newSession(store Store, run Run, play Simulator, objective fitness.Objective, plan []PlannedPart, observe func(Progress)) *session {
	s := &session{store: store, run: run, failed: map[int]string{}, all: map[Place]*Standings{},
		progress: newProgress(plan, run), observe: observe, candidates: registry{index: map[string]int{}, known: map[int]candidate{}}}
	s.Simulator, s.Objective = play, objective
	s.Played = func(ctx context.Context, g Game) error {
		s.progress.played(g, s.candidates.of(g.Candidate).Candidate)
		s.report()
		return store.AddGame(ctx, run.ID, g)
	}
	s.Unlike = func(ctx context.Context, why string) error { return store.SetUnrepeatable(ctx, run.ID, why) }
	return s
}

// The questions of a block are asked some games of each candidate at a time, and are recorded in
// between: at first ten slices, then twice as many, so that cores seldom wait for the last games.
// Their games are in memory.
const (
	firstSlices = 10
	mostGames   = 8_000
)

// play has a block played, in the slices of its stream, and records it. It takes the evaluations
// into the standings, and returns them: slice by slice, in each in the order of the candidates.
func (s *session) play(ctx context.Context, b Block) (all []Evaluation, err error) {
	s.games += int64(len(b.Candidates) * b.Games)
	some := b
	length := firstSlices
	for first, end := b.First, b.First+b.Games; first < end; {
		next := min(end, (first/SliceGames+length)*SliceGames)
		if b.Phase == PhaseTuning { // a round is in memory as a whole
			next = end
		}
		some.Candidates, some.First, some.Games = s.playable(b.Candidates), first, next-first
		evaluations, err := s.playSome(ctx, some)
		if err != nil {
			return nil, err
		}
		all = append(all, evaluations...)
		first = next
		if 2*length*SliceGames*len(b.Candidates) <= mostGames {
			length *= 2
		}
	}
	return all, nil
}

// questions splits a block.
func (s *session) questions(b Block) (all []Question, err error) {
	search, err := engine.ParseSettings(b.Search)
	if err != nil {
		return nil, err
	}
	for first, end := b.First, b.First+b.Games; first < end; {
		next := min(end, (first/SliceGames+1)*SliceGames)
		for _, candidate := range b.Candidates {
			q := NewQuestion(s.candidates.player(candidate), search, b.Stream, first, next-first)
			q.Place, q.Candidate = b.Place, candidate
			q.Number, q.Key = s.number(b, candidate, first/SliceGames), q.key()
			all = append(all, q)
		}
		first = next
	}
	return all, nil
}

// playSome asks the questions of a block together.
func (s *session) playSome(ctx context.Context, b Block) ([]Evaluation, error) {
	questions, err := s.questions(b)
	if err != nil || len(questions) == 0 {
		return nil, err
	}
	known, err := s.store.Known(ctx, s.run.ID, questions)
	if err != nil {
		return nil, err
	}
	reused, recorded, lost := 0, true, map[int]bool{}
	for i, k := range known {
		switch number := questions[i].Candidate; {
		case lost[number]: // it has no evaluation behind its failure
		case k.Evaluation != nil:
			reused += len(k.Evaluation.Scores)
			lost[number] = k.Evaluation.Failure != ""
		default:
			reused, recorded = reused+len(k.Outcomes), false
		}
	}
	s.progress.enter(b, reused, recorded)
	s.report()
	answers, err := s.Ask(ctx, questions, known)
	if err != nil {
		return nil, err
	}
	return s.finish(ctx, b, answers, recorded)
}

// finish takes evaluations into the standings, and records them unless they are recorded. A
// candidate that has failed in one of them has no others behind it.
func (s *session) finish(ctx context.Context, b Block, answers []Evaluation, recorded bool) (all []Evaluation, err error) {
	lost := maps.Clone(s.failed)
	for _, e := range answers {
		if lost[e.Candidate] != "" {
			continue
		}
		if e.Failure != "" {
			lost[e.Candidate] = e.Failure
		}
		all = append(all, e)
	}
	if err := s.accept(b, all); err != nil {
		return nil, err
	}
	s.failed = lost
	if s.standingsAt(b.Phase, b.Stage, b.Search).add(all...); !recorded {
		err = s.store.AddEvaluations(ctx, s.run.ID, all, Keeps(s.storing, b.Phase))
	}
	return all, err
}

// playable returns the candidates that have not failed.
func (s *session) playable(numbers []int) []int {
	return slices.DeleteFunc(slices.Clone(numbers), func(number int) bool { return s.failed[number] != "" })
}

// standingsAt returns the standings of a phase, stage and search.
func (s *session) standingsAt(phase, stage, search string) *Standings {
	at := Place{Phase: phase, Stage: stage, Search: search}
	if s.all[at] == nil {
		s.all[at] = NewStandings(s.Objective)
	}
	return s.all[at]
}

// Keeps reports whether the games of a phase stay in the store as rows. rows is config.StoreAll,
// StoreValidation or StoreNone.
func Keeps(rows, phase string) bool {
	switch rows {
	case config.StoreNone:
		return false
	case config.StoreValidation:
		return phase != PhaseTuning
	default:
		return true
	}
}

// distinct returns the numbers in their order, each once.
func distinct(numbers []int) []int {
	var once []int
	for _, n := range numbers {
		if !slices.Contains(once, n) {
			once = append(once, n)
		}
	}
	return once
}

func sortedKeys[V any](m map[int]V) []int { return slices.Sorted(maps.Keys(m)) }
