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

	games, err := s.playMissing(ctx, b)
	if err != nil {
		return nil, err
	}
	evaluations := map[int]Evaluation{}
	var list []Evaluation
	for i, number := range b.Candidates {
		e := summarize(s.Config.Objective, number, games[i*len(b.Seeds):(i+1)*len(b.Seeds)])
		evaluations[number] = e
		list = append(list, e)
	}
	return evaluations, s.Store.FinishBlock(ctx, s.run.ID, b, list, s.keeps(b.Phase))
}

// playMissing returns the outcomes of all games of the block, by index. Games that an earlier process recorded
// are not played again.
func (s *state) playMissing(ctx context.Context, b Block) ([]Outcome, error) {
	recorded, err := s.Store.Games(ctx, s.run.ID, b)
	if err != nil {
		return nil, err
	}
	s.progress.replay(int64(len(recorded)))
	s.progress.Replaying = false
	batch := simulator.Batch{Rules: s.Config.Rules}
	games := make([]Outcome, b.Games())
	var missing []int // index in the block by job
	for i, number := range b.Candidates {
		player := s.candidates.player(number)
		player.Settings = b.settings
		batch.Players = append(batch.Players, player)
		for k, seed := range b.Seeds {
			index := i*len(b.Seeds) + k
			if outcome, ok := recorded[index]; ok {
				games[index] = outcome
				continue
			}
			batch.Jobs = append(batch.Jobs, simulator.Job{Player: i, Seed: seed})
			missing = append(missing, index)
		}
	}
	if len(batch.Jobs) == 0 {
		return games, nil
	}
	_, err = s.Simulator.Play(ctx, batch, func(job int, o simulator.Outcome) error {
		index := missing[job]
		games[index] = record(o)
		s.progress.played(b.Search, o)
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
