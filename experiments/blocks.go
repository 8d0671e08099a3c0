package experiments

import (
	"context"
	"maps"
	"slices"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/experiments/fitness"
)

// blockPlayer has the blocks of a run played and recorded.
type blockPlayer struct {
	Lab
	store   Store
	run     int64
	rows    string                         // config.StoreAll ...: games to keep as rows
	number  func(candidate, slice int) int // of a question, see Evaluation.Number
	player  func(candidate int) eval.Player
	enter   func(b Block, reused int, recorded bool)      // before the first game of some questions
	observe func(Game)                                    // gets each game that is played
	accept  func(b Block, evaluations []Evaluation) error // refuses some before they are recorded
	failed  map[int]string                                // candidates that could not be played, with Evaluation.Failure
	all     map[Place]*Standings                          // by phase, stage and search
}

func newBlockPlayer(store Store, run Run, play Simulator, objective fitness.Objective, rows string) *blockPlayer {
	p := &blockPlayer{store: store, run: run.ID, rows: rows, failed: map[int]string{}, all: map[Place]*Standings{}}
	p.Simulator, p.Objective = play, objective
	p.Played = func(ctx context.Context, g Game) error {
		p.observe(g)
		return store.AddGame(ctx, run.ID, g)
	}
	p.Unlike = func(ctx context.Context, why string) error { return store.SetUnrepeatable(ctx, run.ID, why) }
	return p
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
func (p *blockPlayer) play(ctx context.Context, b Block) (all []Evaluation, err error) {
	some := b
	length := firstSlices
	for first, end := b.First, b.First+b.Games; first < end; {
		next := min(end, (first/SliceGames+length)*SliceGames)
		if b.Phase == PhaseTuning { // a round is in memory as a whole
			next = end
		}
		some.Candidates, some.First, some.Games = p.playable(b.Candidates), first, next-first
		evaluations, err := p.playSome(ctx, some)
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
func (p *blockPlayer) questions(b Block) (all []Question, err error) {
	search, err := engine.ParseSettings(b.Search)
	if err != nil {
		return nil, err
	}
	for first, end := b.First, b.First+b.Games; first < end; {
		next := min(end, (first/SliceGames+1)*SliceGames)
		for _, candidate := range b.Candidates {
			q := NewQuestion(p.player(candidate), search, b.Stream, first, next-first)
			q.Place, q.Candidate = b.Place, candidate
			q.Number, q.Key = p.number(candidate, first/SliceGames), q.key()
			all = append(all, q)
		}
		first = next
	}
	return all, nil
}

// playSome asks the questions of a block together.
func (p *blockPlayer) playSome(ctx context.Context, b Block) ([]Evaluation, error) {
	questions, err := p.questions(b)
	if err != nil || len(questions) == 0 {
		return nil, err
	}
	known, err := p.store.Known(ctx, p.run, questions)
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
	p.enter(b, reused, recorded)
	answers, err := p.Ask(ctx, questions, known)
	if err != nil {
		return nil, err
	}
	return p.finish(ctx, b, answers, recorded)
}

// finish takes evaluations into the standings, and records them unless they are recorded. A
// candidate that has failed in one of them has no others behind it.
func (p *blockPlayer) finish(ctx context.Context, b Block, answers []Evaluation, recorded bool) (all []Evaluation, err error) {
	lost := maps.Clone(p.failed)
	for _, e := range answers {
		if lost[e.Candidate] != "" {
			continue
		}
		if e.Failure != "" {
			lost[e.Candidate] = e.Failure
		}
		all = append(all, e)
	}
	if p.accept != nil {
		if err := p.accept(b, all); err != nil {
			return nil, err
		}
	}
	p.failed = lost
	if p.standingsAt(b.Phase, b.Stage, b.Search).add(all...); !recorded {
		err = p.store.AddEvaluations(ctx, p.run, all, Keeps(p.rows, b.Phase))
	}
	return all, err
}

// playable returns the candidates that have not failed.
func (p *blockPlayer) playable(numbers []int) []int {
	return slices.DeleteFunc(slices.Clone(numbers), func(number int) bool { return p.failed[number] != "" })
}

// standingsAt returns the standings of a phase, stage and search.
func (p *blockPlayer) standingsAt(phase, stage, search string) *Standings {
	at := Place{Phase: phase, Stage: stage, Search: search}
	if p.all[at] == nil {
		p.all[at] = NewStandings(p.Objective)
	}
	return p.all[at]
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
