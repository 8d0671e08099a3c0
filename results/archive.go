package results

import (
	"context"
	"database/sql"
	"errors"

	"tune2048/experiments"
)

var _ experiments.Archive = (*Reader)(nil)

// Evaluations returns a run's evaluations in the order of their first games.
func (r *Reader) Evaluations(ctx context.Context, run int64) ([]experiments.Evaluation, error) {
	const operation = "read evaluations"
	rows, err := r.db.QueryContext(ctx, "SELECT "+evaluationColumns+" FROM evaluations WHERE run_id = ? ORDER BY first_game", run)
	if err != nil {
		return nil, explain(operation, r.path, err)
	}
	defer rows.Close()
	var all []experiments.Evaluation
	for rows.Next() {
		_, e, err := scanEvaluation(rows)
		if err != nil {
			return nil, explain(operation, r.path, err)
		}
		all = append(all, e)
	}
	return all, explain(operation, r.path, rows.Err())
}

// GameID is the id of the game with that number within a run.
func GameID(run, number int64) int64 { return run*gamesPerRun + number }

// GameOfRun returns a game by its id, with its run. The error wraps ErrNotFound if there is none, and says whether there
// never was or its row was not kept.
func (r *Reader) GameOfRun(ctx context.Context, id int64) (Run, experiments.Game, error) {
	const operation = "find the game"
	runs, err := r.runs(ctx, "id = ?", id/gamesPerRun)
	if err != nil {
		return Run{}, experiments.Game{}, explain(operation, r.path, err)
	}
	if len(runs) == 0 {
		return Run{}, experiments.Game{}, notFound(operation, r.path, "there is no game %d: no run has the number %d (the column id of games has them)", id, id/gamesPerRun)
	}
	run := runs[0]
	_, g, err := oneGame(ctx, r.db, id)
	if err == nil {
		return run, g, nil
	}
	if !errors.Is(err, ErrNotFound) {
		return run, experiments.Game{}, explain(operation, r.path, err)
	}
	var (
		e      experiments.Place
		number = id % gamesPerRun
		games  int64
	)
	err = r.db.QueryRowContext(ctx, `SELECT candidate_id, phase, stage, search, generation, games, first_game FROM evaluations
		WHERE run_id = ? AND first_game <= ? ORDER BY first_game DESC LIMIT 1`, run.ID, number).
		Scan(&e.Candidate, &e.Phase, &e.Stage, &e.Search, &e.Generation, &games, &e.Game)
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return run, experiments.Game{}, explain(operation, r.path, err)
	case err != nil || number >= e.Game+games:
		return run, experiments.Game{}, notFound(operation, r.path, "there is no game %d: run %s has not recorded that many (the column id of games has them)", id, run.Name)
	}
	return run, experiments.Game{}, notFound(operation, r.path, "game %d of run %s was played, but its row was not kept (store: games: in its config says which are); "+
		"it counts in the evaluation of candidate %d in %s at %s, games %d to %d of the run, which tune verify -all %s plays again as a whole",
		id, run.Name, e.Candidate%candidatesPerRun, e.Phase, e.Search, e.Game, e.Game+games-1, run.Name)
}
