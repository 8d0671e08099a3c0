package experiments

import (
	"cmp"
	"context"
	"slices"

	"tune2048/engine/simulator"
)

// missing are games that the store does not have: they are played in one go, and recorded one by one.
type missing struct {
	batch   simulator.Batch
	players map[int]int // index in the batch by candidate
	games   []missingOne
}

// missingOne is a game without its outcome, and where that goes.
type missingOne struct {
	Game
	player int // index in the batch
	to     *simulator.Outcome
}

// player returns the index in the batch of the candidate's player, which is asked for the first time.
func (m *missing) player(candidate int, player func() simulator.Player) int {
	i, known := m.players[candidate]
	if !known {
		if m.players == nil {
			m.players = map[int]int{}
		}
		i = len(m.batch.Players)
		m.players[candidate] = i
		m.batch.Players = append(m.batch.Players, player())
	}
	return i
}

// add takes a game of the candidate in, and where its outcome goes.
func (m *missing) add(g Game, to *simulator.Outcome, player func() simulator.Player) {
	m.games = append(m.games, missingOne{g, m.player(g.Candidate, player), to})
}

// play plays the games, those of a player together, and records each as it ends, also while the run is being stopped: what is
// finished is kept. played is told each of them.
func (m *missing) play(ctx context.Context, s Simulator, store Store, run int64, played func(Game)) error {
	if len(m.games) == 0 {
		return nil
	}
	slices.SortStableFunc(m.games, func(a, b missingOne) int { return cmp.Compare(a.player, b.player) })
	for _, g := range m.games {
		m.batch.Jobs = append(m.batch.Jobs, simulator.Job{Player: g.player, Seed: g.Seed})
	}
	_, err := s.Play(ctx, m.batch, func(job int, o simulator.Outcome) error {
		g := m.games[job]
		g.Outcome, *g.to = o, o
		played(g.Game)
		return store.AddGame(context.WithoutCancel(ctx), run, g.Game)
	})
	return err
}
