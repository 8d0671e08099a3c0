package results

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
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

// GameID is the id of a game of the evaluation with that number within a run, by its place in the
// slice.
func GameID(run int64, number, place int) int64 {
	return run*gamesPerRun + int64(number)*sliceGames + int64(place)
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
	game.Run = run
	s.pending = append(s.pending, game)
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

var (
	workerInsertion = newInsertion("workers", "run_id, name", " ON CONFLICT DO NOTHING")
	gameInsertion   = insertion{"games", strings.Split(gameColumns+", worker", ", "), "INSERT INTO games (" + gameColumns + ", worker_id) VALUES (" +
		strings.Repeat("?, ", 16) + "(SELECT w.id FROM workers AS w WHERE w.run_id = ?2 AND w.name = ?)) ON CONFLICT (id) DO NOTHING"}
)

// insertGames inserts games, and the workers that have no row yet.
func insertGames(ctx context.Context, tx *sql.Tx, games []experiments.Game) error {
	var values, workers []any
	for i := range games {
		g := &games[i]
		if g.Worker != "" {
			workers = append(workers, g.Run, g.Worker)
		}
		values = append(values, GameID(g.Run, g.Number, g.Index%sliceGames), g.Run, candidateID(g.Run, g.Candidate), g.Phase,
			g.Stage, g.Search, g.Generation, g.Round,
			int64(g.Seed), g.Score+0, orNull(g.MaxTile, 0), orNull(g.Moves, 0), orNull(g.Nodes, 0), g.Capped,
			boardText(g.Final), g.Duration.Microseconds(), g.Worker)
	}
	_, err := workerInsertion.insert(ctx, tx, workers)
	if err == nil {
		_, err = gameInsertion.insert(ctx, tx, values)
	}
	return err
}

// boardText is a board as SQL shows it: the rank of each tile as a hexadecimal digit, row by row.
func boardText(b engine.Board) string { return backwards(fmt.Sprintf("%016x", uint64(b))) }

func backwards(digits string) string {
	text := []byte(digits)
	slices.Reverse(text)
	return string(text)
}

// gameRows reads games with ids from first to last, in their order. The Index of a game is its
// place in the slice.
func gameRows(ctx context.Context, q querier, first, last int64) ([]experiments.Game, error) {
	return collect(ctx, q, scanGame, `SELECT id, run_id, candidate_id, phase, stage, search, generation, round, seed,
		score, coalesce(max_tile, 0), coalesce(moves, 0), coalesce(nodes, 0), capped, final_board, duration_us,
		coalesce((SELECT w.name FROM workers AS w WHERE w.id = games.worker_id), '') FROM games WHERE id BETWEEN ? AND ? ORDER BY id`, first, last)
}

func scanGame(rows *sql.Rows) (g experiments.Game, err error) {
	var id, candidate, seed, us int64
	var board string
	err = rows.Scan(&id, &g.Run, &candidate, &g.Phase, &g.Stage, &g.Search, &g.Generation, &g.Round, &seed,
		&g.Score, &g.MaxTile, &g.Moves, &g.Nodes, &g.Capped, &board, &us,
		&g.Worker)
	final, wrong := strconv.ParseUint(backwards(board), 16, 64)
	if err == nil && (seed < 0 || seed > largestSeed || wrong != nil) {
		err = fmt.Errorf("%w: game %d: want a seed in [0, 2^53) and 16 hexadecimal digits, got %d and %.20q", ErrDamaged, id, seed, board)
	}
	place := id - GameID(g.Run, 0, 0)
	g.Number, g.Index = int(place/sliceGames), int(place%sliceGames)
	g.Candidate, g.Seed = int(candidate-candidateID(g.Run, 0)), uint64(seed)
	g.Final, g.Duration = engine.Board(final), duration(us)
	return g, err
}
