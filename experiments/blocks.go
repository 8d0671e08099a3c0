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
	seed       uint64 // of the config
	storing    string // config.StoreAll ...: games to keep as rows
	candidates registry
	number     func(b Block, candidate, slice int) int       // of a question, see Evaluation.Number
	accept     func(b Block, evaluations []Evaluation) error // refuses some before they are recorded
	asked      int                                           // questions so far
	failed     failures
	all        map[Place]*Standings // after the tuning, by phase and search
	games      int64                // of tuning that were asked for
	progress   Progress
	limit      Limit          // may be nil
	observe    func(Progress) // may be nil
}

func newSession(store Store, run Run, play Simulator, objective fitness.Objective, plan []PlannedPart,
	observe func(Progress)) *session {
	s := &session{store: store, run: run, all: map[Place]*Standings{},
		progress: newProgress(plan, run), observe: observe, candidates: registry{known: map[int]candidate{}}}
	s.Simulator, s.Objective = play, objective
	s.Played = func(ctx context.Context, g Game) error {
		if s.failed.has(g.Candidate) { // its failure is recorded, and no game behind it
			return nil
		}
		s.progress.addGame(g, s.candidates.candidate(g.Candidate).Candidate)
		s.report()
		return store.AddGame(ctx, s.run.ID, g)
	}
	s.Unlike = func(ctx context.Context, why string) error { return store.SetUnrepeatable(ctx, s.run.ID, why) }
	return s
}

// A block is recorded in parts. The first part has ten slices of each candidate. Then the parts
// grow to partGames. Their questions are asked together, so that cores do not wait for the last
// games of each part. At most maxGames are in memory, unless a part has more.
const (
	firstSlices = 10
	partGames   = 8_000
	maxGames    = 40_000
)

// play has a block played, in the slices of its stream, and records it. It takes the evaluations
// into the standings, and returns them: slice by slice, in each in the order of the candidates. A
// limit may leave out the last seeds.
func (s *session) play(ctx context.Context, b Block) (all []Evaluation, err error) {
	b.Games, err = s.inTime(ctx, b)
	if err != nil {
		return nil, err
	}
	if b.Phase == PhaseTuning {
		s.games += int64(len(b.Candidates) * b.Games)
	}
	some := b
	for parts := b.parts(); len(parts) > 0; {
		n := 1
		for n < len(parts) && (parts[n]-some.First)*len(b.Candidates) <= maxGames {
			n++
		}
		some.Candidates, some.Games = s.playable(b.Candidates), parts[n-1]-some.First
		evaluations, end, err := s.playSome(ctx, some, parts[:n])
		if err != nil {
			return nil, err
		}
		all = append(all, evaluations...)
		if end < parts[n-1] {
			if b.Phase == PhaseTuning {
				s.games -= int64(len(b.Candidates) * (b.First + b.Games - end))
			}
			return all, nil
		}
		some.First, parts = parts[n-1], parts[n:]
	}
	return all, nil
}

// parts returns the ends of the parts of a block, as indexes in its stream.
func (b Block) parts() (ends []int) {
	first, end, length := b.First, b.First+b.Games, firstSlices
	for first < end {
		first = min(end, (first/SliceGames+length)*SliceGames)
		if b.Phase == PhaseTuning { // a round is one part
			first = end
		}
		ends = append(ends, first)
		if 2*length*SliceGames*len(b.Candidates) <= partGames {
			length *= 2
		}
	}
	return ends
}

// questions splits a block.
func (s *session) questions(b Block) (all []Question, err error) {
	search, err := engine.ParseSettings(b.Search)
	if err != nil {
		return nil, err
	}
	seeds := b.Stream(s.seed, s.run.HeldOutSalt)
	for first, end := b.First, b.First+b.Games; first < end; {
		next := min(end, (first/SliceGames+1)*SliceGames)
		for _, candidate := range b.Candidates {
			q := NewQuestion(s.candidates.player(candidate), search, seeds, first, next-first)
			q.Place, q.Candidate = b.Place, candidate
			q.Number, q.Key = s.number(b, candidate, first/SliceGames), q.key()
			all = append(all, q)
		}
		first = next
	}
	return all, nil
}

// playSome asks the questions of a block together, and records the parts that end there as soon as
// their games are played. It returns where in its stream the block ended, see Lab.stream.
func (s *session) playSome(ctx context.Context, b Block, ends []int) (all []Evaluation, end int, err error) {
	questions, err := s.questions(b)
	if err != nil || len(questions) == 0 {
		return nil, never, err
	}
	for i := range questions {
		q := &questions[i]
		q.part = slices.IndexFunc(ends, func(end int) bool { return q.First < end })
		if i > 0 && b.Phase == PhaseTuning && questions[0].Candidate == StartNumber {
			q.part++ // a run whose start weights cannot be played ends by these games alone
		}
	}
	known, err := s.store.Known(ctx, s.run.ID, questions)
	if err != nil {
		return nil, never, err
	}
	reused, open, lost := 0, map[int]bool{}, map[int]bool{} // open: parts that are not recorded
	for i, k := range known {
		switch number := questions[i].Candidate; {
		case lost[number]: // it has no evaluation behind its failure
		case k.Evaluation != nil:
			reused += len(k.Evaluation.Scores)
			lost[number] = k.Evaluation.Failure != ""
		default:
			reused += len(k.Outcomes)
			open[questions[i].part] = true
		}
	}
	s.progress.enter(b, reused, len(open) == 0)
	s.report()
	var part []Evaluation
	taken := 0
	record := func() error {
		found, err := s.finish(context.WithoutCancel(ctx), b, part, !open[questions[taken-1].part])
		all, part = append(all, found...), nil
		return err
	}
	deal := s.timed(b)
	deal.cut = func(end int) error { // before the last games are recorded: a process may die between
		return s.cut(context.WithoutCancel(ctx), b, questions, end)
	}
	end, err = s.stream(ctx, questions, known, deal, func(e Evaluation) error {
		part = append(part, e)
		taken++
		if taken < len(questions) && questions[taken].part == questions[taken-1].part {
			return nil
		}
		return record()
	})
	if err == nil && len(part) > 0 { // the limit left out the rest of it
		err = record()
	}
	return all, end, err
}

// timed returns how a limit deals the seeds of a block.
func (s *session) timed(b Block) dealing {
	if s.limit == nil {
		return dealing{}
	}
	deal := dealing{together: s.limit.Together(len(b.Candidates)), least: leastOf(b.Phase), over: s.limit.Over}
	if b.Phase != PhaseTuning && b.Phase != PhaseCentre { // the seeds of those who have played
		for _, other := range s.standingsAt(b.Phase, b.Search).Of {
			deal.least = max(deal.least, other.Score.N)
		}
	}
	return deal
}

// finish takes evaluations into the standings, and records them unless they are recorded. A
// candidate that has failed in one of them has no others behind it. Tuning has standings of its
// own, and looks at the centre need none.
func (s *session) finish(ctx context.Context, b Block, answers []Evaluation, recorded bool) (all []Evaluation,
	err error) {
	for _, e := range answers {
		if s.failed.has(e.Candidate) {
			continue
		}
		if e.Failure != "" {
			s.failed.add(e.Candidate, e.Failure)
		}
		all = append(all, e)
	}
	if err := s.accept(b, all); err != nil {
		return nil, err
	}
	if b.Phase != PhaseTuning && b.Phase != PhaseCentre {
		s.standingsAt(b.Phase, b.Search).add(all...)
	}
	if !recorded {
		err = s.store.AddEvaluations(ctx, s.run.ID, all, Keeps(s.storing, b.Phase))
	}
	return all, err
}

// playable returns the candidates that have not failed.
func (s *session) playable(numbers []int) []int {
	return slices.DeleteFunc(slices.Clone(numbers), func(number int) bool { return s.failed.has(number) })
}

// standingsAt returns the standings of a phase after the tuning, at a search.
func (s *session) standingsAt(phase, search string) *Standings {
	at := Place{Phase: phase, Search: search}
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
		return phase != PhaseTuning && phase != PhaseCentre
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
