package results

import (
	"context"
	"database/sql"
)

// rewinding takes a run back to before a game. ?1 is the run's id, ?2 the game's number, ?3 the number of the first game of its
// block. What is asked of the evaluations that go comes before they do.
var rewinding = []string{
	`UPDATE runs SET champion_id = NULL, held_out_salt = NULL WHERE id = ?1
		AND EXISTS (SELECT 1 FROM evaluations WHERE run_id = ?1 AND phase = 'playoff' AND first_game >= ?3)`,
	"DELETE FROM comparisons WHERE run_id = ?1 AND phase IN (SELECT phase FROM evaluations WHERE run_id = ?1 AND first_game >= ?3)",
	`DELETE FROM generations WHERE run_id = ?1
		AND (stage, generation) IN (SELECT stage, generation FROM evaluations WHERE run_id = ?1 AND phase = 'tuning' AND first_game >= ?3)`,
	// How candidates stand in a place where some of the evaluations go is written anew when the block is finished again.
	`DELETE FROM standings WHERE run_id = ?1
		AND (phase, stage, search) IN (SELECT phase, stage, search FROM evaluations WHERE run_id = ?1 AND first_game >= ?3)`,
	`DELETE FROM reaches WHERE run_id = ?1
		AND (phase, search) IN (SELECT phase, search FROM evaluations WHERE run_id = ?1 AND first_game >= ?3)`,
	`DELETE FROM spreads WHERE run_id = ?1
		AND (phase, stage, search) IN (SELECT phase, stage, search FROM evaluations WHERE run_id = ?1 AND first_game >= ?3)`,
	"DELETE FROM evaluations WHERE run_id = ?1 AND first_game >= ?3",
	"DELETE FROM games WHERE id BETWEEN ?1 * 1000000000 + ?2 AND ?1 * 1000000000 + 999999999",
	// Candidates are numbered as they are asked for: whoever has a smaller number than one that stays was asked for before.
	"DELETE FROM weights WHERE candidate_id BETWEEN " + lastKept + " + 1 AND ?1 * 1000000 + 999999",
	"DELETE FROM candidates WHERE id BETWEEN " + lastKept + " + 1 AND ?1 * 1000000 + 999999",
}

// forgetting counts the games that go: those of evaluations and those of the block that is not finished, without the rows of
// earlier games in the same block.
const forgetting = `SELECT (SELECT coalesce(sum(games), 0) FROM evaluations WHERE run_id = ?1 AND first_game >= ?3)
	+ (SELECT count(*) FROM games WHERE id BETWEEN
		?1 * 1000000000 + max(?2, (SELECT coalesce(max(first_game + games), 0) FROM evaluations WHERE run_id = ?1)) AND ?1 * 1000000000 + 999999999)
	- (SELECT count(*) FROM games WHERE id BETWEEN ?1 * 1000000000 + ?3 AND ?1 * 1000000000 + ?2 - 1)`

// lastKept is the id of the last candidate that has played in what stays.
const lastKept = `max(?1 * 1000000 - 1, (SELECT coalesce(max(candidate_id), 0) FROM evaluations WHERE run_id = ?1),
	(SELECT coalesce(max(candidate_id), 0) FROM games WHERE id BETWEEN ?1 * 1000000000 AND ?1 * 1000000000 + 999999999))`

// Rewind takes a run back to before a game: its row and those of all later games are forgotten, and the evaluations of its block
// and of all later ones with what was recorded because of them. A replay then asks for the same block again, and finds the rows
// of earlier games. Where tuning was stopped stays: it is a part of the result that no game decides.
func (s *Store) Rewind(ctx context.Context, run int64, game int64) (forgotten int64, err error) {
	const operation = "rewind the run in"
	s.mu.Lock()
	defer s.mu.Unlock()
	h, err := s.ready(run, operation)
	if err != nil {
		return 0, err
	}
	h.changed = true
	err = s.commitUnreferred(context.WithoutCancel(ctx), operation, func(ctx context.Context, tx *sql.Tx) error {
		block := game
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(min(b.first_game), ?2) FROM evaluations AS e
			JOIN evaluations AS b ON b.run_id = e.run_id AND b.phase = e.phase AND b.stage = e.stage AND b.search = e.search
				AND b.generation = e.generation AND b.round = e.round
			WHERE e.run_id = ?1 AND ?2 BETWEEN e.first_game AND e.first_game + e.games - 1`, run, game).Scan(&block); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, forgetting, run, game, block).Scan(&forgotten); err != nil {
			return err
		}
		for _, statement := range rewinding {
			if _, err := tx.ExecContext(ctx, statement, run, game, block); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, "UPDATE runs SET played_again = played_again + ? WHERE id = ?", forgotten, run); err != nil {
			return err
		}
		return touch(ctx, tx, run)
	})
	return forgotten, err
}
