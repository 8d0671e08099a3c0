package experiments

import (
	"context"
	"maps"
	"slices"

	"tune2048/configs"
	"tune2048/engine/simulator"
)

// play carries out a block: what the store has is read, what is missing is played and recorded. It returns the
// evaluations by candidate.
func (s *state) play(ctx context.Context, b Block) (map[int]Evaluation, error) {
	b.First = s.nextGame
	s.nextGame += int64(b.Games())
	s.progress.enter(b)

	stored, err := s.Store.Evaluations(ctx, s.run.ID, b)
	if err != nil {
		return nil, err
	}
	if len(stored) > 0 {
		s.progress.replay(int64(b.Games()))
		s.report()
		return stored, nil
	}

	known, err := s.elsewhere(ctx, b)
	if err != nil {
		return nil, err
	}
	games, err := s.playMissing(ctx, b, known)
	if err != nil {
		return nil, err
	}
	evaluations := map[int]Evaluation{}
	var list []Evaluation
	for i, number := range b.Candidates {
		e, evaluated := known[number]
		if !evaluated {
			e = summarize(s.Config.Objective, number, games[i*len(b.Seeds):(i+1)*len(b.Seeds)])
		}
		evaluations[number] = e
		list = append(list, e)
	}
	return evaluations, s.Store.FinishBlock(ctx, s.run.ID, b, list, s.keeps(b.Phase))
}

// elsewhere returns the evaluations of the block that other runs have, where no games need to be kept: a run that is asked for
// again with more generations does not play again what the shorter one played.
func (s *state) elsewhere(ctx context.Context, b Block) (map[int]Evaluation, error) {
	if s.run.Fresh || s.keeps(b.Phase) {
		return nil, nil
	}
	known, err := s.Store.EvaluationsOfOthers(ctx, s.run.ID, b)
	s.progress.replay(int64(len(known) * len(b.Seeds)))
	return known, err
}

// playMissing returns the outcomes of all games of the block, by index, but for those of candidates whose evaluations are
// known. Games that an earlier process or another run recorded are not played again.
func (s *state) playMissing(ctx context.Context, b Block, known map[int]Evaluation) ([]Outcome, error) {
	recorded, err := s.Store.Games(ctx, s.run.ID, b)
	if err != nil {
		return nil, err
	}
	s.progress.Replaying = false
	var others map[int]Outcome
	if !s.run.Fresh {
		if others, err = s.Store.GamesOfOthers(ctx, s.run.ID, b); err != nil {
			return nil, err
		}
	}
	batch := simulator.Batch{Rules: s.Config.Rules}
	games := make([]Outcome, b.Games())
	var missing []int // index in the block by job
	for i, number := range b.Candidates {
		if _, evaluated := known[number]; evaluated {
			continue
		}
		player := s.candidates.player(number)
		player.Settings = b.settings
		batch.Players = append(batch.Players, player)
		for k, seed := range b.Seeds {
			index := i*len(b.Seeds) + k
			if outcome, ok := recorded[index]; ok {
				games[index] = outcome
				s.progress.replay(1)
				continue
			}
			if outcome, ok := others[index]; ok {
				games[index] = outcome
				s.progress.replay(1)
				if err := s.Store.AddGame(ctx, s.run.ID, b, index, outcome); err != nil {
					return nil, err
				}
				continue
			}
			batch.Jobs = append(batch.Jobs, simulator.Job{Player: len(batch.Players) - 1, Seed: seed})
			missing = append(missing, index)
		}
	}
	s.report()
	if len(batch.Jobs) == 0 {
		return games, nil
	}
	_, err = s.Simulator.Play(ctx, batch, func(job int, o simulator.Outcome) error {
		index := missing[job]
		games[index] = record(o)
		s.progress.played(b.Search, b.Candidates[index/len(b.Seeds)], o)
		s.report()
		// What is finished is kept even while the run is being stopped.
		return s.Store.AddGame(context.WithoutCancel(ctx), s.run.ID, b, index, games[index])
	})
	return games, err
}

// keeps reports whether the games of a phase stay in the store as rows.
func (s *state) keeps(phase string) bool {
	switch s.Config.Store.Games {
	case configs.StoreNone:
		return false
	case configs.StoreValidation:
		return phase != PhaseTuning
	default:
		return true
	}
}

func record(o simulator.Outcome) Outcome {
	return Outcome{
		Score: o.Score, MaxTile: o.MaxTile, Moves: o.Moves, Nodes: o.Nodes,
		DurationUS: o.Duration.Microseconds(), Capped: o.Capped,
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
