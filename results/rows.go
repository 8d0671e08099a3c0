package results

import (
	"context"
	"iter"

	"tune2048/experiments"
)

// Game is a recorded game with what is needed to replay it.
type Game struct {
	ID         int64 // run x 1,000,000,000 + number of the game within the run
	Run        int64
	Candidate  int // number
	Phase      string
	Stage      string
	Search     string
	Generation int
	Round      int
	Seed       uint64 // of the spawns
	experiments.Outcome
}

func (g gameRow) game() Game {
	return Game{
		ID: g.id, Run: g.run, Candidate: int(g.candidate - candidateID(g.run, 0)),
		Phase: g.phase, Stage: g.stage, Search: g.search, Generation: g.generation, Round: g.round,
		Seed: g.seed, Outcome: g.Outcome,
	}
}

// Game returns one game by its id. The error wraps ErrNotFound if it was not kept.
func (r *Reader) Game(ctx context.Context, id int64) (Game, error) {
	g, err := oneGame(ctx, r.db, id)
	return g.game(), explain("read a game", r.path, err)
}

// Games yields the games that are kept of a run (its id), in the order of their numbers; the filter's Run is
// ignored. An error is the last thing it yields.
func (r *Reader) Games(ctx context.Context, run int64, f Filter) iter.Seq2[Game, error] {
	return func(yield func(Game, error) bool) {
		const operation = "read games"
		f.Run = ""
		condition, args := f.where()
		rows, err := r.db.QueryContext(ctx, "SELECT "+gameColumns+" FROM games WHERE id BETWEEN ? AND ? AND "+condition+
			" ORDER BY id", append([]any{run * gamesPerRun, (run+1)*gamesPerRun - 1}, args...)...)
		if err != nil {
			yield(Game{}, explain(operation, r.path, err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			g, err := scanGame(rows)
			if err != nil {
				yield(Game{}, explain(operation, r.path, err))
				return
			}
			if !yield(g.game(), nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Game{}, explain(operation, r.path, err))
		}
	}
}
