package results

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"tune2048/experiments"
)

// Games are committed when this many are held back, or when the first of them has waited this long: a commit costs
// as much as a hundred rows, and a killed process should lose little. The clock decides when, never what.
const (
	commitGames = 1000
	commitDelay = 500 * time.Millisecond
)

// gameRow is a row of the table games.
type gameRow struct {
	id, run, candidate   int64
	phase, stage, search string
	generation, round    int
	seed                 uint64
	experiments.Outcome
}

// checkBlock refuses a block whose games cannot be numbered.
func checkBlock(b experiments.Block) error {
	if b.First < 0 || b.First+int64(b.Games()) > gamesPerRun {
		return fmt.Errorf("%s: want its games numbered in [0, %d), got %d to %d",
			blockName(b), gamesPerRun, b.First, b.First+int64(b.Games())-1)
	}
	return nil
}

// blockName names a block in messages.
func blockName(b experiments.Block) string {
	if b.Stage == "" {
		return fmt.Sprintf("%s at %s, round %d", b.Phase, b.Search, b.Round)
	}
	return fmt.Sprintf("%s %s at %s, generation %d, round %d", b.Phase, b.Stage, b.Search, b.Generation, b.Round)
}

// gameOf returns the row of the game with that index in the block, without its outcome.
func gameOf(run int64, b experiments.Block, index int) (gameRow, error) {
	if err := checkBlock(b); err != nil {
		return gameRow{}, err
	}
	if index < 0 || index >= b.Games() {
		return gameRow{}, fmt.Errorf("%s: want a game in [0, %d), got %d", blockName(b), b.Games(), index)
	}
	candidate, seed := b.Candidates[index/len(b.Seeds)], b.Seeds[index%len(b.Seeds)]
	if seed > largestSeed {
		return gameRow{}, fmt.Errorf("%s: game %d: want a seed in [0, 2^53), got %d", blockName(b), index, seed)
	}
	return gameRow{
		id: run*gamesPerRun + b.First + int64(index), run: run, candidate: candidateID(run, candidate),
		phase: b.Phase, stage: b.Stage, search: b.Search, generation: b.Generation, round: b.Round, seed: seed,
	}, nil
}

// AddGame records the game with the given index in the block. It holds up to a thousand games back, for half a
// second at most; an error of a commit that was due meanwhile is returned by the next call, and the games are tried
// again. Recording a game twice changes nothing; with another outcome it is an error.
func (s *Store) AddGame(ctx context.Context, run int64, block experiments.Block, index int, outcome experiments.Outcome) error {
	const operation = "record a game"
	game, err := gameOf(run, block, index)
	if err != nil {
		return fmt.Errorf("results: %s: %w", operation, err)
	}
	game.Outcome = outcome

	s.mu.Lock()
	defer s.mu.Unlock()
	failed := s.takeFailure() // told last: this game is held back whatever became of others
	h, err := s.ready(run, operation)
	if err != nil {
		return err
	}
	h.changed = true
	s.pending = append(s.pending, game)
	if failed != nil {
		return failed
	}
	if len(s.pending) >= commitGames {
		return s.flush()
	}
	if s.due == nil {
		s.due = time.AfterFunc(commitDelay, s.commitDue)
	}
	return nil
}

// commitDue is what the clock calls.
func (s *Store) commitDue() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.due = nil
	if s.closed {
		return
	}
	if err := s.flush(); err != nil {
		s.failed = err
	}
}

// flush commits the games that are held back.
func (s *Store) flush() error {
	if len(s.pending) == 0 {
		return nil
	}
	return s.commit(context.Background(), "record games", nil)
}

func (s *Store) stopClock() {
	if s.due != nil {
		s.due.Stop()
		s.due = nil
	}
}

const gameColumns = "id, run_id, candidate_id, phase, stage, search, generation, round, seed, " +
	"score, max_tile, moves, nodes, duration_us, capped"

var gameInsertion = newInsertion("games", gameColumns, " ON CONFLICT (id) DO NOTHING")

func insertGames(ctx context.Context, tx *sql.Tx, games []gameRow) error {
	values := make([]any, 0, len(games)*gameInsertion.columns)
	for i := range games {
		g := &games[i]
		values = append(values, g.id, g.run, g.candidate, g.phase, g.stage, g.search, g.generation, g.round,
			int64(g.seed), g.Score, g.MaxTile, g.Moves, g.Nodes, g.DurationUS, g.Capped)
	}
	fresh, err := gameInsertion.insert(ctx, tx, values)
	if err != nil || fresh == len(games) {
		return err
	}
	for i := range games {
		if err := sameGame(ctx, tx, &games[i]); err != nil {
			return fmt.Errorf("game %d: %w", games[i].id, err)
		}
	}
	return nil
}

// sameGame refuses a game that is recorded with another outcome: play has changed, or the game is not the same.
func sameGame(ctx context.Context, tx *sql.Tx, g *gameRow) error {
	row, err := oneGame(ctx, tx, g.id)
	if err != nil {
		return err
	}
	row.DurationUS = g.DurationUS
	if row != *g {
		return fmt.Errorf("it is recorded already, with another outcome: %d points in %d moves, now %d in %d",
			row.Score, row.Moves, g.Score, g.Moves)
	}
	return nil
}

func oneGame(ctx context.Context, q querier, id int64) (gameRow, error) {
	rows, err := q.QueryContext(ctx, "SELECT "+gameColumns+" FROM games WHERE id = ?", id)
	if err != nil {
		return gameRow{}, err
	}
	defer rows.Close()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return gameRow{}, err
		}
		return gameRow{}, fmt.Errorf("game %d: %w", id, ErrNotFound)
	}
	return scanGame(rows)
}

func scanGame(rows *sql.Rows) (g gameRow, err error) {
	var seed int64
	err = rows.Scan(&g.id, &g.run, &g.candidate, &g.phase, &g.stage, &g.search, &g.generation, &g.round, &seed,
		&g.Score, &g.MaxTile, &g.Moves, &g.Nodes, &g.DurationUS, &g.Capped)
	if err == nil && (seed < 0 || seed > largestSeed) {
		err = fmt.Errorf("%w: game %d: want a seed in [0, 2^53), got %d", ErrDamaged, g.id, seed)
	}
	g.seed = uint64(seed)
	return g, err
}

// Games returns the games of the block that are recorded, those that are held back included, by their index in it.
// A game that was played with another candidate, seed or setting than the block asks for is an error: the run is
// not replayed as it was.
func (s *Store) Games(ctx context.Context, run int64, block experiments.Block) (map[int]experiments.Outcome, error) {
	const operation = "read games"
	if err := checkBlock(block); err != nil {
		return nil, fmt.Errorf("results: %s: %w", operation, err)
	}
	s.mu.Lock()
	err := s.takeFailure()
	if err == nil && !s.closed {
		err = s.flush()
	}
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	first := run*gamesPerRun + block.First
	rows, err := s.reader.db.QueryContext(ctx, "SELECT "+gameColumns+" FROM games WHERE id BETWEEN ? AND ?",
		first, first+int64(block.Games())-1)
	if err != nil {
		return nil, explain(operation, s.path, err)
	}
	defer rows.Close()
	outcomes := map[int]experiments.Outcome{}
	for rows.Next() {
		g, err := scanGame(rows)
		if err != nil {
			return nil, explain(operation, s.path, err)
		}
		index := int(g.id - first)
		want, err := gameOf(run, block, index)
		if err != nil {
			return nil, fmt.Errorf("results: %s: %w", operation, err)
		}
		want.Outcome = g.Outcome
		if want != g {
			return nil, fmt.Errorf("results: %s: %s: game %d of %s was recorded as one of candidate %d, seed %d, %s, generation %d: "+
				"the replay asks for another (start another run with -new)",
				operation, s.path, index, blockName(block), g.candidate%candidatesPerRun, g.seed, g.search, g.generation)
		}
		outcomes[index] = g.Outcome
	}
	return outcomes, explain(operation, s.path, rows.Err())
}
