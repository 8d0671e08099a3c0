package experiments

import (
	"context"
	"maps"
	"slices"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/simulator"
)

// play carries out a block: what the store has is read, what is missing is played and recorded. It returns the evaluations
// in the order of the block's candidates, and takes them into the standings of the phase, stage and search at hand.
func (s *state) play(ctx context.Context, b Block) ([]Evaluation, error) {
	b.First = s.nextGame
	s.nextGame += int64(b.Games())
	s.enter(b)

	stored, err := s.Store.Evaluations(ctx, s.run.ID, b)
	if err != nil {
		return nil, err
	}
	if len(stored) > 0 {
		evaluations := make([]Evaluation, len(b.Candidates))
		for i, number := range b.Candidates {
			evaluations[i] = stored[number]
		}
		s.standings.add(evaluations...)
		s.readBack = true
		s.progress.replay(int64(b.Games()))
		s.report()
		return evaluations, nil
	}

	evaluations, err := s.playMissing(ctx, b)
	if err != nil {
		return nil, err
	}
	s.standings.add(evaluations...)
	stand := b.Candidates
	if s.readBack { // Store.Rewind may have forgotten how the others stand
		s.readBack, stand = false, sortedKeys(s.standings.of)
	}
	return evaluations, s.Store.FinishBlock(ctx, s.run.ID, b, evaluations, s.standings.list(stand), s.standings.spread(),
		keeps(s.Config.Store, b.Phase))
}

// enter notes that a block begins. Standings are of one phase, stage and search.
func (s *state) enter(b Block) {
	s.progress.enter(b)
	if at := (Place{Phase: b.Phase, Stage: b.Stage, Search: b.Search}); at != s.at {
		s.at, s.standings, s.readBack = at, newStandings(s.Config.Objective), false
	}
}

// playMissing plays the games of the block that neither an earlier process nor another run has recorded, and returns the
// evaluations in the order of the block's candidates. A run that is asked for again with more generations does not play
// again what the shorter one played.
func (s *state) playMissing(ctx context.Context, b Block) ([]Evaluation, error) {
	recorded, err := s.Store.Games(ctx, s.run.ID, b)
	if err != nil {
		return nil, err
	}
	s.progress.Replaying = false
	var elsewhere map[int]simulator.Outcome
	var evaluated map[int]Evaluation
	if !s.run.OwnGamesOnly {
		if elsewhere, evaluated, err = s.Store.Elsewhere(ctx, s.run.ID, b); err != nil {
			return nil, err
		}
	}
	if keeps(s.Config.Store, b.Phase) {
		evaluated = nil // games without rows would be missing here
	}
	games := make([]simulator.Outcome, b.Games())
	rest := missing{batch: simulator.Batch{Rules: s.Config.Rules}}
	for i, number := range b.Candidates {
		if _, done := evaluated[number]; done {
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
				rest.add(g, player)
				continue
			}
			games[index] = g.Outcome
			s.progress.replay(1)
			if taken {
				if err := s.Store.AddGame(ctx, s.run.ID, g); err != nil {
					return nil, err
				}
			}
		}
	}
	s.report()
	if err := rest.play(ctx, s.Simulator, s.Store, s.run.ID, func(_ int, g Game) {
		games[g.Game-b.First] = g.Outcome
		s.progress.played(b.Search, g.Outcome)
		s.report()
	}); err != nil {
		return nil, err
	}
	evaluations := make([]Evaluation, len(b.Candidates))
	for i, number := range b.Candidates {
		e, done := evaluated[number]
		if !done {
			e = summarize(s.Config.Objective, b.place(i), games[i*len(b.Seeds):(i+1)*len(b.Seeds)])
		}
		e.Place = b.place(i)
		evaluations[i] = e
	}
	return evaluations, nil
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

// block plans games outside of the tuning phase.
func (s *state) block(phase string, search engine.Settings, games int, numbers []int) Block {
	return Block{
		Phase: phase, Search: search.String(), Candidates: distinct(numbers), settings: search, generations: 1,
		Seeds: gameSeeds(s.Config.Seed, phase, "", 0, 0, games),
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
