package results

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"tune2048/engine"
	"tune2048/experiments"
)

// Games are committed when this many are pending, or with the first game that ends this long after
// the last commit: a commit costs as much as a hundred rows, and a killed process should lose
// little. The clock decides when, never what.
const (
	commitGames = 1000
	commitDelay = 500 * time.Millisecond
)

// GameID is the id of the game with that number within a run.
func GameID(run, number int64) int64 { return run*gamesPerRun + number }

// pendingGame is a game that is to be recorded by the next commit.
type pendingGame struct {
	run int64
	experiments.Game
}

// blockName names a block in messages.
func blockName(b experiments.Block) string {
	if b.Stage == "" {
		return fmt.Sprintf("%s at %s, round %d", b.Phase, b.Search, b.Round)
	}
	return fmt.Sprintf("%s %s at %s, generation %d, round %d", b.Phase, b.Stage, b.Search, b.Generation, b.Round)
}

// AddGame records a game. It commits if a thousand games are pending, or if the last commit is half
// a second old. After an error the games stay pending, and every later commit tries them again.
// Recording a game twice changes nothing.
func (s *Store) AddGame(ctx context.Context, run int64, game experiments.Game) error {
	h, err := s.ready(run, "record a game in")
	if err != nil {
		return err
	}
	h.changed = true
	s.pending = append(s.pending, pendingGame{run, game})
	if len(s.pending) >= commitGames || s.clock().Sub(s.committed) >= commitDelay {
		return s.flush()
	}
	return nil
}

// flush commits the games that are pending.
func (s *Store) flush() error {
	if len(s.pending) == 0 {
		return nil
	}
	return s.commit(context.Background(), "record games in", func(context.Context, *sql.Tx) error { return nil })
}

const gameColumns = "id, run_id, candidate_id, phase, stage, search, generation, round, seed, " +
	"score, max_tile, moves, nodes, capped, final_board, duration_us"

var gameInsertion = newInsertion("games", gameColumns+", worker_id", " ON CONFLICT (id) DO NOTHING")

// insertGames inserts games.
func insertGames(ctx context.Context, tx *sql.Tx, games []pendingGame) error {
	workers, err := workersOf(ctx, tx, games)
	if err != nil {
		return err
	}
	values := make([]any, 0, len(games)*len(gameInsertion.columns))
	for i := range games {
		g := &games[i]
		values = append(values, GameID(g.run, g.Game.Game), g.run, candidateID(g.run, g.Candidate), g.Phase,
			g.Stage, g.Search, g.Generation, g.Round,
			int64(g.Seed), points(g.Score), orNull(g.MaxTile, 0), orNull(g.Moves, 0), orNull(g.Nodes, 0), g.Capped,
			int64(g.Final), g.Duration.Microseconds(), workers[i])
	}
	_, err = gameInsertion.insert(ctx, tx, values)
	return err
}

// points is a score as SQL shows it.
func points(score float64) any {
	// Processors convert 2^63 and more differently.
	if whole := int64(score); score < 1<<63 && float64(whole) == score {
		return whole
	}
	return score
}

// selectGames selects the games with ids from one to another, each with its worker's name.
const selectGames = "SELECT " + gameColumns + ", coalesce((SELECT w.name FROM workers AS w WHERE w.id = games.worker_id), '')" +
	" FROM games WHERE id BETWEEN ? AND ? ORDER BY id"

// scanGame reads a row of selectGames.
func scanGame(rows *sql.Rows) (g experiments.Game, err error) {
	var id, run, candidate, seed, board, us int64
	err = rows.Scan(&id, &run, &candidate, &g.Phase, &g.Stage, &g.Search, &g.Generation, &g.Round, &seed,
		&g.Score, orZero[int]{&g.MaxTile}, orZero[int]{&g.Moves}, orZero[int64]{&g.Nodes}, &g.Capped, &board, &us,
		&g.Worker)
	if err == nil && (seed < 0 || seed > largestSeed) {
		err = fmt.Errorf("%w: game %d: want a seed in [0, 2^53), got %d", ErrDamaged, id, seed)
	}
	g.Game, g.Candidate, g.Seed = id-GameID(run, 0), int(candidate-candidateID(run, 0)), uint64(seed)
	g.Final, g.Duration = engine.Board(board), duration(us)
	return g, err
}

// gameRows reads games with numbers from first to last of a run, in their order.
func gameRows(ctx context.Context, q querier, run, first, last int64) ([]experiments.Game, error) {
	return collect(ctx, q, scanGame, selectGames, GameID(run, first), GameID(run, last))
}

// workersOf returns the ids of the games' players. A worker without a row gets one.
func workersOf(ctx context.Context, tx *sql.Tx, games []pendingGame) ([]sql.NullInt64, error) {
	type player struct {
		run  int64
		name string
	}
	known, ids := map[player]int64{}, make([]sql.NullInt64, len(games))
	for i, g := range games {
		if g.Worker == "" {
			continue
		}
		id, found := known[player{g.run, g.Worker}]
		if !found {
			// The update changes nothing. It is there for RETURNING, which returns no row after DO
			// NOTHING.
			if err := tx.QueryRowContext(ctx, `INSERT INTO workers (run_id, name) VALUES (?, ?)
				ON CONFLICT (run_id, name) DO UPDATE SET name = name RETURNING id`, g.run, g.Worker).Scan(&id); err != nil {
				return nil, fmt.Errorf("worker %q: %w", g.Worker, err)
			}
			known[player{g.run, g.Worker}] = id
		}
		ids[i] = sql.NullInt64{Int64: id, Valid: true}
	}
	return ids, nil
}
