package results

import (
	"context"
	"iter"

	"tune2048/experiments"
)

// Game returns one game by its id, with the id of its run. The error wraps ErrNotFound if it was not kept.
func (r *Reader) Game(ctx context.Context, id int64) (run int64, g experiments.Game, err error) {
	run, g, err = oneGame(ctx, r.db, id)
	return run, g, explain("read a game", r.path, err)
}

// Games yields the games that are kept of a run, in the order of their numbers. An error is the last thing it yields.
func (r *Reader) Games(ctx context.Context, run int64) iter.Seq2[experiments.Game, error] {
	return func(yield func(experiments.Game, error) bool) {
		const operation = "read games"
		rows, err := r.db.QueryContext(ctx, "SELECT "+gameColumns+" FROM games WHERE id BETWEEN ? AND ? ORDER BY id",
			gameID(run, 0), gameID(run+1, 0)-1)
		if err != nil {
			yield(experiments.Game{}, explain(operation, r.path, err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			_, g, err := scanGame(rows)
			if !yield(g, explain(operation, r.path, err)) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(experiments.Game{}, explain(operation, r.path, err))
		}
	}
}
