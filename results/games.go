package results

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math/bits"
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

// AddGame records a game. It commits if a thousand games are pending, or if the last commit is half
// a second old. After an error the games stay pending, and every later commit tries them again.
// Recording a game twice changes nothing.
func (s *Store) AddGame(ctx context.Context, run int64, game experiments.Game) error {
	h, err := s.ready(run, "record a game in")
	if err != nil {
		return err
	}
	h.changed = true
	h.played++
	s.pending = append(s.pending, pendingGame{game, h})
	if len(s.pending) >= commitGames || s.clock().Sub(s.committed) >= commitDelay {
		return s.flush()
	}
	return nil
}

// pendingGame is a game that is not committed, of a run that is begun.
type pendingGame struct {
	experiments.Game
	by *begunRun
}

// flush commits the games that are pending.
func (s *Store) flush() error {
	if len(s.pending) == 0 {
		return nil
	}
	return s.commit(context.Background(), "record games in", func(context.Context, *sql.Tx) error { return nil })
}

// keptGame is what a row of the memo has of a game for people alone, as far as its config keeps it.
type keptGame struct {
	kept   bool         // whether it is kept
	board  engine.Board // the last one; 0: a bot did not say it
	us     int64        // its duration in microseconds
	worker int64        // the machine that played it, a row of the table workers; 0: the process that carried the run out
}

// notKept is the board of a game that was not kept. No game ends with it: it has moves.
const notKept = ^engine.Board(0)

// boardBytes are the ranks of a board's tiles, row by row, two in a byte.
func boardBytes(b engine.Board) []byte {
	return binary.LittleEndian.AppendUint64(nil, uint64(b&0x0f0f0f0f0f0f0f0f<<4|b>>4&0x0f0f0f0f0f0f0f0f))
}

// boardOf reads what boardBytes wrote.
func boardOf(text []byte) engine.Board {
	b := engine.Board(binary.LittleEndian.Uint64(text))
	return b&0x0f0f0f0f0f0f0f0f<<4 | b>>4&0x0f0f0f0f0f0f0f0f
}

// keptLists are the boards, times and workers of games as a row of the memo has them.
func keptLists(kept []keptGame) []any {
	var boards, times, workers []byte
	number := func(to []byte, n int64, known bool) []byte {
		if !known {
			return append(to, "null,"...)
		}
		return append(strconv.AppendInt(to, n, 10), ',')
	}
	is, elsewhere := false, false
	for _, k := range kept {
		is, elsewhere = is || k.kept, elsewhere || k.worker != 0
		if !k.kept {
			k.board = notKept
		}
		boards = append(boards, boardBytes(k.board)...)
		times, workers = number(times, k.us, k.kept), number(workers, k.worker, k.worker != 0)
	}
	all := []any{nil, nil, nil}
	if is {
		all[0], all[1] = boards, "["+strings.TrimSuffix(string(times), ",")+"]"
	}
	if elsewhere {
		all[2] = "[" + strings.TrimSuffix(string(workers), ",") + "]"
	}
	return all
}

// parseKept reads what keptLists wrote. False times and workers, which decide nothing, are 0.
func parseKept(games int, boards []byte, times, workers string) []keptGame {
	kept := make([]keptGame, games)
	if len(boards) == 0 {
		return kept
	}
	for i := range kept {
		if len(boards) >= 8*(i+1) {
			kept[i].board = boardOf(boards[8*i:])
			kept[i].kept = kept[i].board != notKept
		}
		if !kept[i].kept {
			kept[i].board = 0
		}
	}
	for text, to := range map[string]func(*keptGame) *int64{
		times:   func(k *keptGame) *int64 { return &k.us },
		workers: func(k *keptGame) *int64 { return &k.worker },
	} {
		inside, _ := strings.CutPrefix(text, "[")
		for i, part := range strings.SplitN(strings.TrimSuffix(inside, "]"), ",", games+1) {
			if n, err := strconv.ParseInt(part, 10, 64); err == nil && i < games && kept[i].kept {
				*to(&kept[i]) = n
			}
		}
	}
	return kept
}

var (
	workerInsertion = newInsertion("workers", "name", " ON CONFLICT DO NOTHING")
	gameInsertion   = newInsertion("playing", "id, run_id, candidate_id, phase, stage, search, generation, round, seed, "+
		"score, rank, moves, nodes, board, duration_us, worker_id", " ON CONFLICT (id) DO NOTHING")
)

// workerIDs are the rows of the workers that played games, by their names. It adds those that have
// no row yet.
func workerIDs(ctx context.Context, tx *sql.Tx, games []pendingGame) (map[string]int64, error) {
	ids := map[string]int64{"": 0}
	for i := range games {
		name := games[i].Worker
		if _, known := ids[name]; known {
			continue
		}
		if _, err := workerInsertion.insert(ctx, tx, []any{name}); err != nil {
			return nil, err
		}
		var id int64
		if err := tx.QueryRowContext(ctx, "SELECT id FROM workers WHERE name = ?", name).Scan(&id); err != nil {
			return nil, err
		}
		ids[name] = id
	}
	return ids, nil
}

// insertGames inserts games that are under way.
func insertGames(ctx context.Context, tx *sql.Tx, games []pendingGame) error {
	workers, err := workerIDs(ctx, tx, games)
	if err != nil {
		return err
	}
	var values []any
	for i := range games {
		g := &games[i]
		values = append(values, g.by.gameID(g.Number, g.Index%sliceGames), g.by.run(), g.by.candidateID(g.Candidate), g.Phase,
			g.Stage, g.Search, g.Generation, g.Round,
			int64(g.Seed), g.Score+0, rankOf(g.MaxTile), g.Moves, g.Nodes,
			boardBytes(g.Final), g.Duration.Microseconds(), orNull(workers[g.Worker], 0))
	}
	_, err = gameInsertion.insert(ctx, tx, values)
	return err
}

// rankOf is the rank of a tile, or 0 if it is not known.
func rankOf(face int) int { return max(0, bits.Len(uint(face))-1) }

// readKept reads what is known of the games of evaluations, and counts their rows of the table
// playing: the held ones have none.
func (r *recording) readKept(ctx context.Context, tx *sql.Tx, held []pendingGame,
	evaluations []experiments.Evaluation) error {
	if len(evaluations) == 0 {
		return nil
	}
	workers, err := workerIDs(ctx, tx, held)
	if err != nil {
		return err
	}
	for i := range held {
		g := &held[i]
		r.kept[r.h.gameID(g.Number, g.Index%sliceGames)] = keptGame{r.keep, g.Final, g.Duration.Microseconds(),
			workers[g.Worker]}
	}
	first, last := evaluations[0].Number, 0
	for i := range evaluations {
		first, last = min(first, evaluations[i].Number), max(last, evaluations[i].Number)
	}
	scan := func(rows *sql.Rows) (id int64, err error) {
		k, board := keptGame{kept: r.keep}, []byte(nil)
		err = rows.Scan(&id, &board, &k.us, &k.worker)
		if err == nil && len(board) == 8 {
			k.board = boardOf(board)
			r.kept[id] = k
			r.rows++
		}
		return id, err
	}
	_, err = collect(ctx, tx, scan, "SELECT id, board, duration_us, coalesce(worker_id, 0) FROM playing "+
		"WHERE id BETWEEN ? AND ?",
		r.h.gameID(first, 0), r.h.gameID(last, sliceGames-1))
	return err
}

// playingRows reads games under way with ids from first to last, in their order. The Index of a
// game is its place in the slice.
func playingRows(ctx context.Context, q querier, first, last int64) ([]experiments.Game, error) {
	return collect(ctx, q, scanGame, `SELECT id, run_id, candidate_id, phase, stage, search, generation, round, seed,
		score, rank, moves, nodes, board, duration_us,
		coalesce((SELECT w.name FROM workers AS w WHERE w.id = worker_id), '') FROM playing WHERE id BETWEEN ? AND ?
		ORDER BY id`, first, last)
}

func scanGame(rows *sql.Rows) (g experiments.Game, err error) {
	var id, candidate, seed, us, rank int64
	var board []byte
	var worker string
	err = rows.Scan(&id, &g.Run, &candidate, &g.Phase, &g.Stage, &g.Search, &g.Generation, &g.Round, &seed,
		&g.Score, &rank, &g.Moves, &g.Nodes, &board, &us,
		&worker)
	if err == nil && (seed < 0 || seed > largestSeed || len(board) != 8 || rank < 0 || rank > largestRank) {
		err = fmt.Errorf("%w: game %d: want a seed in [0, 2^53), a rank and a board, got %d, %d and %x", ErrDamaged, id, seed,
			rank, board)
	}
	if err != nil {
		return g, err
	}
	g.Number, g.Index = int(id%gamesPerOwner/sliceGames), int(id%sliceGames)
	g.Candidate, g.Seed = int(candidate%candidatesPerOwner), uint64(seed)
	m := memoRow{kept: []keptGame{{true, boardOf(board), us, 0}}}
	m.Scores, m.Each = []float64{g.Score}, []experiments.Detail{{Rank: byte(rank), Moves: g.Moves, Nodes: g.Nodes}}
	g.Outcome = m.outcome(0)
	g.Worker = worker
	return g, nil
}
