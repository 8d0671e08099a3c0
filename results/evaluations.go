package results

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tune2048/experiments"
)

// reachedColumns lists reached_128 and so on, as the order of experiments.Tiles has them.
var reachedColumns = func() string {
	var names []string
	for _, t := range experiments.Tiles {
		names = append(names, fmt.Sprintf("reached_%d", t))
	}
	return strings.Join(names, ", ")
}()

var evaluationColumns = "run_id, candidate_id, phase, stage, search, generation, round, first_game, " +
	"games, mean_score, m2_score, ci_low, ci_high, fitness, m2_fitness, scores, moves, nodes, games_hash, " + reachedColumns

// FinishBlock commits all games that are pending, the block's evaluations and how its candidates stand with them, in
// one transaction, and forgets the block's games unless they are to be kept. There must be one evaluation for each of the
// block's candidates, of as many games as the block has seeds; games that are to be kept must all have been added.
func (s *Store) FinishBlock(ctx context.Context, run int64, block experiments.Block, evaluations []experiments.Evaluation,
	standings []experiments.Standing, spread float64, keepGames bool) error {
	return s.record(ctx, run, "record a block in", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		err := checkEvaluations(block, evaluations)
		if err == nil {
			err = insertEvaluations(ctx, tx, run, evaluations)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, addingTimes, run, block.Phase, block.Stage, block.Search, block.Generation, block.Round)
		}
		if err == nil {
			err = putStandings(ctx, tx, run, block, standings, spread)
		}
		if err == nil {
			err = settleGames(ctx, tx, run, block, keepGames)
		}
		if err != nil {
			return false, fmt.Errorf("%s: %w", blockName(block), err)
		}
		return true, nil
	})
}

func checkEvaluations(block experiments.Block, evaluations []experiments.Evaluation) error {
	if len(evaluations) != len(block.Candidates) {
		return fmt.Errorf("want %d evaluations, got %d", len(block.Candidates), len(evaluations))
	}
	for _, e := range evaluations {
		if !slices.Contains(block.Candidates, e.Candidate) {
			return fmt.Errorf("candidate %d is not in the block", e.Candidate)
		}
		if e.Score.N != len(block.Seeds) {
			return fmt.Errorf("candidate %d: want %d games, got %d", e.Candidate, len(block.Seeds), e.Score.N)
		}
	}
	return nil
}

var evaluationInsertion = newInsertion("evaluations", evaluationColumns+", sd_score", " ON CONFLICT DO NOTHING")

func insertEvaluations(ctx context.Context, tx *sql.Tx, run int64, evaluations []experiments.Evaluation) error {
	values := make([]any, 0, len(evaluations)*evaluationInsertion.columns)
	for _, e := range evaluations {
		one, err := evaluationValues(run, e)
		if err != nil {
			return fmt.Errorf("candidate %d: %w", e.Candidate, err)
		}
		values = append(append(values, one...), e.Score.SD())
	}
	added, err := evaluationInsertion.insert(ctx, tx, values)
	if err == nil && added < len(evaluations) {
		err = fmt.Errorf("%d of its %d evaluations are recorded already", len(evaluations)-added, len(evaluations))
	}
	return err
}

// evaluationValues returns the row in the order of evaluationColumns.
func evaluationValues(run int64, r experiments.Evaluation) ([]any, error) {
	low, high, err := ends("interval of the mean score", r.Interval)
	scores, wrong := formatScores(r.Scores)
	if err := errors.Join(err, wrong, finite("mean score", r.Score.Mean), finite("squared deviations", r.Score.M2),
		finite("fitness", r.Fitness.Mean), finite("squared deviations of the fitness", r.Fitness.M2)); err != nil {
		return nil, err
	}
	values := []any{run, candidateID(run, r.Candidate), r.Phase, r.Stage, r.Search, r.Generation, r.Round, r.Game,
		r.Score.N, r.Score.Mean, r.Score.M2, low, high, r.Fitness.Mean, r.Fitness.M2, scores, r.Moves, r.Nodes, r.GamesHash}
	for _, n := range r.Reached {
		values = append(values, n)
	}
	return values, nil
}

// scanEvaluation reads a row of evaluationColumns.
func scanEvaluation(rows *sql.Rows) (r experiments.Evaluation, err error) {
	var (
		run, candidate int64
		low, high      sql.NullFloat64
		scores         sql.NullString
	)
	to := []any{&run, &candidate, &r.Phase, &r.Stage, &r.Search, &r.Generation, &r.Round, &r.Game,
		&r.Score.N, &r.Score.Mean, &r.Score.M2, &low, &high, &r.Fitness.Mean, &r.Fitness.M2, &scores, &r.Moves, &r.Nodes, &r.GamesHash}
	for i := range r.Reached {
		to = append(to, &r.Reached[i])
	}
	if err := rows.Scan(to...); err != nil {
		return r, err
	}
	r.Interval, r.Fitness.N = interval(low, high), r.Score.N
	r.Candidate = int(candidate - candidateID(run, 0))
	if scores.Valid {
		if err := json.Unmarshal([]byte(scores.String), &r.Scores); err != nil || len(r.Scores) != r.Score.N || !slices.IsSorted(r.Scores) {
			return r, fmt.Errorf("%w: evaluation of candidate %d in %s at %s: want a list of its %d scores in ascending order",
				ErrDamaged, r.Candidate, r.Phase, r.Search, r.Score.N)
		}
	}
	return r, checkEvaluation(r)
}

// formatScores writes scores as a JSON list; NULL for none.
func formatScores(scores []float64) (text sql.NullString, err error) {
	if len(scores) == 0 {
		return text, nil
	}
	data, err := json.Marshal(scores)
	return sql.NullString{String: string(data), Valid: true}, err
}

// checkEvaluation refuses numbers of games that were never recorded, and would eat the memory.
func checkEvaluation(r experiments.Evaluation) error {
	if r.Score.N < 1 || r.Score.N > experiments.MaxBlock || r.Game < 0 || r.Game > gamesPerRun-int64(r.Score.N) {
		return fmt.Errorf("%w: evaluation of candidate %d in %s at %s: want 1 to %d games numbered in [0, %d), got %d from %d on",
			ErrDamaged, r.Candidate, r.Phase, r.Search, experiments.MaxBlock, gamesPerRun, r.Score.N, r.Game)
	}
	return nil
}

// settleGames forgets the block's games, or sees to it that all of them are there.
func settleGames(ctx context.Context, tx *sql.Tx, run int64, block experiments.Block, keep bool) error {
	first, last := GameID(run, block.First), GameID(run, block.First+int64(block.Games())-1)
	if !keep {
		_, err := tx.ExecContext(ctx, "DELETE FROM games WHERE id BETWEEN ? AND ?", first, last)
		return err
	}
	var n int
	err := tx.QueryRowContext(ctx, "SELECT count(*) FROM games WHERE id BETWEEN ? AND ?", first, last).Scan(&n)
	if err == nil && n != block.Games() {
		err = fmt.Errorf("want all its %d games to keep, got %d", block.Games(), n)
	}
	return err
}

// evaluations reads those that satisfy the condition.
func evaluations(ctx context.Context, q querier, condition string, args ...any) ([]experiments.Evaluation, error) {
	return collect(ctx, q, scanEvaluation, "SELECT "+evaluationColumns+" FROM evaluations WHERE "+condition, args...)
}

// Evaluations returns what is recorded for the block's candidates, by number; none if the block is not finished. A
// block that was recorded with other candidates or games is an error: the run is not replayed as it was.
func (s *Store) Evaluations(ctx context.Context, run int64, block experiments.Block) (map[int]experiments.Evaluation, error) {
	const operation = "read a block of"
	recorded, err := evaluations(ctx, s.reader.db, inBlock, run, block.Phase, block.Stage, block.Search, block.Generation, block.Round)
	if err != nil {
		return nil, explain(operation, s.path, err)
	}
	other := func(format string, args ...any) error {
		return fmt.Errorf("cannot %s %s: %s was recorded %s: the replay asks for another block (start another run with -new)",
			operation, s.path, blockName(block), fmt.Sprintf(format, args...))
	}
	byCandidate := map[int]experiments.Evaluation{}
	for _, e := range recorded {
		byCandidate[e.Candidate] = e
	}
	found := make(map[int]experiments.Evaluation, len(block.Candidates))
	for i, c := range block.Candidates {
		r, ok := byCandidate[c]
		if !ok {
			continue
		}
		if want := block.First + int64(i*len(block.Seeds)); r.Score.N != len(block.Seeds) || r.Game != want {
			return nil, other("with %d games of candidate %d from number %d on, not %d from %d on",
				r.Score.N, c, r.Game, len(block.Seeds), want)
		}
		found[c] = r
	}
	if len(recorded) > 0 && len(found) != len(block.Candidates) {
		return nil, other("with other candidates")
	}
	return found, nil
}

// inBlock is the condition on the rows of a block.
const inBlock = "run_id = ? AND phase = ? AND stage = ? AND search = ? AND generation = ? AND round = ?"

// addingTimes adds up the times of a block's games, before rows are forgotten: what a run's games
// took is computed from these sums.
const addingTimes = `UPDATE evaluations SET duration_us = (SELECT CASE WHEN count(*) = evaluations.games THEN sum(g.duration_us) END FROM games AS g
	WHERE g.id BETWEEN evaluations.run_id * 1000000000 + first_game AND evaluations.run_id * 1000000000 + first_game + evaluations.games - 1) WHERE ` + inBlock

// Recorded returns how many games a candidate of each finished block of the phase and search played, by round.
func (s *Store) Recorded(ctx context.Context, run int64, phase, search string) (map[int]int, error) {
	found, err := evaluations(ctx, s.reader.db, "run_id = ? AND phase = ? AND stage = '' AND search = ? AND generation = 0", run, phase, search)
	games := map[int]int{}
	for _, e := range found {
		games[e.Round] = e.Score.N
	}
	return games, explain("read blocks of", s.path, err)
}

// Reopen forgets the evaluations of a finished block, so that it can be finished again with more games. Its games stay.
func (s *Store) Reopen(ctx context.Context, run int64, block experiments.Block) error {
	return s.record(ctx, run, "reopen a block in", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		_, err := tx.ExecContext(ctx, "DELETE FROM evaluations WHERE "+inBlock,
			run, block.Phase, block.Stage, block.Search, block.Generation, block.Round)
		return true, err
	})
}

// Validation returns the evaluation of a candidate in a run's validation at a search. The error wraps ErrNotFound if there is none.
func (r *Reader) Validation(ctx context.Context, run int64, search string, candidate int) (experiments.Evaluation, error) {
	found, err := evaluations(ctx, r.db, inBlock+" AND candidate_id = ?", run, experiments.PhaseValidation, "", search, 0, 0, candidateID(run, candidate))
	switch {
	case err != nil:
		return experiments.Evaluation{}, explain("read an evaluation of", r.path, err)
	case len(found) == 0:
		return experiments.Evaluation{}, notFound("candidate %d of run %d has not been validated at %s", candidate, run, search)
	}
	return found[0], nil
}
