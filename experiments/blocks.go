package experiments

import (
	"context"
	"maps"
	"slices"

	"tune2048/configs"
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
)

// play carries out blocks of one phase, stage and search: what the store has is read, what is missing is played in one go and
// recorded. It returns the evaluations in the order of the blocks and of their candidates, and takes them into the standings at
// hand. Games are numbered and blocks finished in this order too, whichever games end first.
func (s *state) play(ctx context.Context, blocks ...Block) (all []Evaluation, err error) {
	rest := missing{batch: simulator.Batch{Rules: s.Config.Rules}}
	recalled := make([]recalled, len(blocks))
	for i, b := range blocks {
		b.First = s.nextGame
		s.nextGame += int64(b.Games())
		s.enter(b)
		if recalled[i], err = s.recall(ctx, b, &rest); err != nil {
			return nil, err
		}
		s.report()
	}
	if err := rest.play(ctx, s.Simulator, s.Store, s.run.ID, func(g Game) {
		s.progress.played(g, s.candidates.list[g.Candidate])
		s.report()
	}); err != nil {
		return nil, err
	}
	for _, b := range recalled {
		evaluations := b.evaluations(s.Config.Objective)
		s.standings.add(evaluations...)
		all = append(all, evaluations...)
		stand := b.Candidates
		if b.Phase == PhaseTuning {
			stand = s.standings.shrink(b.Block)
		}
		if b.finished {
			continue
		}
		if err := s.Store.FinishBlock(ctx, s.run.ID, b.Block, evaluations, s.standings.list(stand), s.standings.spread(),
			keeps(s.Config.Store, b.Phase)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// enter notes that a block begins. Standings are of one phase, stage and search.
func (s *state) enter(b Block) {
	s.progress.enter(b)
	if at := (Place{Phase: b.Phase, Stage: b.Stage, Search: b.Search}); at != s.at {
		s.at, s.standings = at, newStandings(s.Config.Objective)
	}
}

// recalled is a block with what the store has of it.
type recalled struct {
	Block
	finished  bool                // by an earlier process
	evaluated map[int]Evaluation  // by candidate: of those whose games are not needed
	games     []simulator.Outcome // of the others, by index in the block; those that are missing come later
}

// recall asks the store for a block: for its evaluations, or for the games that an earlier process or another run has recorded.
// The others are added to the missing ones. A run that is asked for again with more generations does not play again what the
// shorter one played.
func (s *state) recall(ctx context.Context, b Block, rest *missing) (r recalled, err error) {
	r.Block = b
	if r.evaluated, err = s.Store.Evaluations(ctx, s.run.ID, b); err != nil {
		return r, err
	}
	if r.finished = len(r.evaluated) > 0; r.finished {
		s.progress.replay(int64(b.Games()))
		return r, nil
	}
	recorded, err := s.Store.Games(ctx, s.run.ID, b)
	if err != nil {
		return r, err
	}
	s.progress.Replaying = false
	var elsewhere map[int]simulator.Outcome
	if !s.run.OwnGamesOnly {
		if elsewhere, r.evaluated, err = s.Store.Elsewhere(ctx, s.run.ID, b); err != nil {
			return r, err
		}
	}
	if keeps(s.Config.Store, b.Phase) {
		r.evaluated = nil // games without rows would be missing here
	}
	r.games = make([]simulator.Outcome, b.Games())
	for i, number := range b.Candidates {
		if _, done := r.evaluated[number]; done {
			s.progress.replay(int64(len(b.Seeds)))
			continue
		}
		player := func() simulator.Player {
			p := s.candidates.player(number)
			p.Settings = b.settings
			return p
		}
		for index := i * len(b.Seeds); index < (i+1)*len(b.Seeds); index++ {
			g, known, taken := b.Game(index), false, false
			if g.Outcome, known = recorded[index]; !known {
				g.Outcome, taken = elsewhere[index]
			}
			if !known && !taken {
				rest.add(g, &r.games[index], player)
				continue
			}
			r.games[index] = g.Outcome
			s.progress.replay(1)
			if taken {
				if err := s.Store.AddGame(ctx, s.run.ID, g); err != nil {
					return r, err
				}
			}
		}
	}
	return r, nil
}

// evaluations are what the block's games came to, in the order of its candidates. None is missing any more.
func (r recalled) evaluations(objective fitness.Objective) []Evaluation {
	list := make([]Evaluation, len(r.Candidates))
	for i, number := range r.Candidates {
		e, done := r.evaluated[number]
		if !done {
			e = summarize(objective, r.place(i), r.games[i*len(r.Seeds):(i+1)*len(r.Seeds)])
		}
		e.Place = r.place(i)
		list[i] = e
	}
	return list
}

// keeps reports whether the games of a phase stay in the store as rows.
func keeps(store configs.Store, phase string) bool {
	switch store.Games {
	case configs.StoreNone:
		return false
	case configs.StoreValidation:
		return phase != PhaseTuning && phase != PhaseEval
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
