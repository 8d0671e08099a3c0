package results

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tune2048/configs"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/tuner/fitness"
)

// reachedColumns lists reached_128 and so on, in the order of experiments.Tiles.
var reachedColumns = func() string {
	var names []string
	for _, t := range experiments.Tiles {
		names = append(names, fmt.Sprintf("reached_%d", t))
	}
	return strings.Join(names, ", ")
}()

var evaluationColumns = "run_id, candidate_id, phase, stage, search, generation, round, first_game, " +
	"games, mean_score, m2_score, ci_low, ci_high, fitness, m2_fitness, scores, moves, nodes, games_hash, " + reachedColumns

// reachedOf returns the columns reachedColumns. scanReached reads them.
func reachedOf(s experiments.Sums) (values []any) {
	for _, n := range s.Reached {
		if values = append(values, n); s.Untiled {
			values[len(values)-1] = nil
		}
	}
	return values
}

func scanReached(s *experiments.Sums) (to []any) {
	for i := range s.Reached {
		to = append(to, reached{&s.Reached[i], s})
	}
	return to
}

// reached reads one of reachedColumns.
type reached struct {
	to *int
	of *experiments.Sums
}

func (r reached) Scan(column any) error {
	r.of.Untiled = column == nil
	return orZero[int]{r.to}.Scan(column)
}

// FinishBlock implements [experiments.Store]. There must be one evaluation for each of the block's
// candidates, with a game for each of the block's seeds. All games that are to be kept must have
// been added.
func (s *Store) FinishBlock(ctx context.Context, run int64, block experiments.Block, r experiments.BlockResult) error {
	return s.record(ctx, run, "record a block in", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		added, err := putEvaluations(ctx, tx, run, block, r.Evaluations)
		if err == nil && added {
			err = putStandings(ctx, tx, run, block, r.Standings, r.Spread)
		}
		if err == nil && added {
			err = settleGames(ctx, tx, run, block, r.KeepGames)
		}
		if err != nil {
			return false, fmt.Errorf("%s: %w", blockName(block), err)
		}
		return added, nil
	})
}

var evaluationInsertion = newInsertion("evaluations", evaluationColumns+", sd_score", " ON CONFLICT DO NOTHING")

func evaluationRows(run int64, all []experiments.Evaluation) (values []any, err error) {
	for _, e := range all {
		var scores any // NULL for none
		if len(e.Scores) > 0 {
			list, err := json.Marshal(e.Scores)
			if err != nil {
				return nil, fmt.Errorf("candidate %d: %w", e.Candidate, err)
			}
			scores = string(list)
		}
		low, high := ends(e.Interval)
		values = append(values, run, candidateID(run, e.Candidate), e.Phase, e.Stage, e.Search, e.Generation, e.Round, e.Game,
			e.Score.N, e.Score.Mean, e.Score.M2, low, high, e.Fitness.Mean, e.Fitness.M2, scores, orNull(e.Moves, 0), orNull(e.Nodes, 0), e.GamesHash)
		values = append(values, reachedOf(e.Sums)...)
		values = append(values, e.Score.SD())
	}
	return values, nil
}

// putEvaluations records the evaluations of a block, unless some with equally many games or more
// are there. It returns whether it did.
func putEvaluations(ctx context.Context, tx *sql.Tx, run int64, block experiments.Block, all []experiments.Evaluation) (added bool, err error) {
	values, err := evaluationRows(run, all)
	if err != nil {
		return false, err
	}
	at := placeOf(run, block)
	if _, err := tx.ExecContext(ctx, "DELETE FROM evaluations WHERE "+inBlock+" AND games < ?", append(at, len(block.Seeds))...); err != nil {
		return false, err
	}
	switch n, err := evaluationInsertion.insert(ctx, tx, values); {
	case err != nil:
		return false, err
	case n == len(all):
		_, err := tx.ExecContext(ctx, addingTimes, at...)
		return true, err
	}
	recorded, err := evaluations(ctx, tx, inBlock, at...)
	for _, e := range all {
		i := slices.IndexFunc(recorded, func(r experiments.Evaluation) bool { return r.Candidate == e.Candidate })
		if err == nil && (i < 0 || recorded[i].Score.N == e.Score.N && recorded[i].GamesHash != e.GamesHash) {
			err = fmt.Errorf("games %d to %d of candidate %d are not those that were evaluated: the database was changed by hand (start another run with -new)",
				e.Game, e.Game+int64(e.Score.N)-1, e.Candidate)
		}
	}
	return false, err
}

// scanEvaluation reads a row of evaluationColumns.
func scanEvaluation(rows *sql.Rows) (r experiments.Evaluation, err error) {
	var (
		run, candidate int64
		scores         sql.NullString
	)
	to := []any{&run, &candidate, &r.Phase, &r.Stage, &r.Search, &r.Generation, &r.Round, &r.Game,
		&r.Score.N, &r.Score.Mean, &r.Score.M2, low(&r.Interval), high(&r.Interval), &r.Fitness.Mean, &r.Fitness.M2, &scores, orZero[int64]{&r.Moves}, orZero[int64]{&r.Nodes}, &r.GamesHash}
	if err := rows.Scan(append(to, scanReached(&r.Sums)...)...); err != nil {
		return r, err
	}
	r.Fitness.N = r.Score.N
	r.Candidate = int(candidate - candidateID(run, 0))
	sound := r.Score.N >= 1 && r.Score.N <= experiments.MaxBlock && r.Game >= 0 && r.Game <= gamesPerRun-int64(r.Score.N)
	if scores.Valid {
		err = json.Unmarshal([]byte(scores.String), &r.Scores)
		sound = sound && err == nil && len(r.Scores) == r.Score.N && slices.IsSorted(r.Scores)
	}
	if !sound { // it would exhaust the memory
		return r, fmt.Errorf("%w: candidate %d in %s at %s: want 1 to %d games numbered in [0, %d), got %d from %d on; or its list of scores is not theirs",
			ErrDamaged, r.Candidate, r.Phase, r.Search, experiments.MaxBlock, gamesPerRun, r.Score.N, r.Game)
	}
	return r, nil
}

// settleGames forgets the block's games, or checks that all of them are there.
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

// evaluations reads the evaluations that satisfy a condition.
func evaluations(ctx context.Context, q querier, condition string, args ...any) ([]experiments.Evaluation, error) {
	return collect(ctx, q, scanEvaluation, "SELECT "+evaluationColumns+" FROM evaluations WHERE "+condition, args...)
}

// errOtherBlock: the rows that have a block's numbers are not of the block.
var errOtherBlock = errors.New("the replay asks for another (start another run with -new)")

// Recall implements [experiments.Store]. A block of a comparison can grow, so its evaluations are
// left out. The questions of an eval may come in another order after an interruption. So it forgets
// the rows of an unfinished block whose numbers another block has now.
func (s *Store) Recall(ctx context.Context, run int64, block experiments.Block, shared bool) (found experiments.Recalled, err error) {
	s.mu.Lock()
	err = s.flush()
	s.mu.Unlock()
	if err != nil {
		return found, err
	}
	if block.Phase != experiments.PhaseComparison {
		found.Evaluations, err = s.recorded(ctx, run, block)
		found.Finished = len(found.Evaluations) > 0
	}
	if err == nil && !found.Finished {
		found.Games, err = s.playedOf(ctx, run, block)
		if errors.Is(err, errOtherBlock) && block.Phase == experiments.PhaseEval {
			err = s.record(ctx, run, "forget games in", func(ctx context.Context, tx *sql.Tx) (bool, error) {
				return true, settleGames(ctx, tx, run, block, false)
			})
		}
		if err == nil && shared {
			err = s.elsewhere(ctx, run, block, &found)
		}
	}
	if err != nil {
		return experiments.Recalled{}, explain("read "+blockName(block)+" from", s.path, err)
	}
	return found, nil
}

// recorded returns the evaluations of a block by candidate, or none if it is not finished.
func (s *Store) recorded(ctx context.Context, run int64, block experiments.Block) (map[int]experiments.Evaluation, error) {
	all, err := evaluations(ctx, s.reader.db, inBlock, placeOf(run, block)...)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	found := map[int]experiments.Evaluation{}
	for i, number := range block.Candidates {
		k := slices.IndexFunc(all, func(e experiments.Evaluation) bool { return e.Candidate == number })
		if k < 0 || all[k].Score.N != len(block.Seeds) || all[k].Game != block.First+int64(i*len(block.Seeds)) {
			return nil, fmt.Errorf("it was recorded otherwise: %w", errOtherBlock)
		}
		found[number] = all[k]
	}
	return found, nil
}

// playedOf returns the games of a block that are recorded, by their index in it.
func (s *Store) playedOf(ctx context.Context, run int64, block experiments.Block) (map[int]simulator.Outcome, error) {
	games, err := gameRows(ctx, s.reader.db, run, block.First, block.First+int64(block.Games())-1)
	found := map[int]simulator.Outcome{}
	for _, g := range games {
		index := int(g.Game - block.First)
		want := block.Game(index)
		if want.Outcome = g.Outcome; want != g {
			return nil, fmt.Errorf("it was recorded with game %d as one of candidate %d, seed %d, %s, generation %d: %w",
				index, g.Candidate, g.Seed, g.Search, g.Generation, errOtherBlock)
		}
		found[index] = g.Outcome
	}
	return found, err
}

// inBlock is the condition on the rows of a block. placeOf returns its arguments.
const inBlock = "run_id = ? AND phase = ? AND stage = ? AND search = ? AND generation = ? AND round = ?"

func placeOf(run int64, b experiments.Block) []any {
	return []any{run, b.Phase, b.Stage, b.Search, b.Generation, b.Round}
}

// addingTimes adds up the times of a block's games, before rows are forgotten. Run times are
// computed from these sums.
const addingTimes = `UPDATE evaluations SET duration_us = (SELECT CASE WHEN count(*) = evaluations.games THEN sum(g.duration_us) END FROM games AS g
	WHERE g.id BETWEEN evaluations.run_id * 1000000000 + first_game AND evaluations.run_id * 1000000000 + first_game + evaluations.games - 1) WHERE ` + inBlock

// Validation returns the evaluation of a candidate in a run's validation at a search. The error
// wraps ErrNotFound if there is none.
func (r *Reader) Validation(ctx context.Context, run int64, search string, candidate int) (experiments.Evaluation, error) {
	found, err := evaluations(ctx, r.db, inBlock+" AND candidate_id = ?", run, experiments.PhaseValidation, "", search, 0, 0, candidateID(run, candidate))
	return first(found, explain("read an evaluation of", r.path, err),
		notFound("candidate %d of run %d has not been validated at %s", candidate, run, search))
}

const standingKey = "run_id, phase, stage, search, candidate_id"

var standingColumns = "evaluations, generations, games, mean_score, sd_score, ci_low, ci_high, fitness, fitness_ci_low, fitness_ci_high, fitness_shrunk, fitness_low, se_factor, moves, nodes, " + reachedColumns

var standingInsertion = newInsertion("standings", standingKey+", began, "+standingColumns, replacing(standingKey, standingColumns))

const spreadKey = "run_id, phase, stage, search"

var spreadInsertion = newInsertion("spreads", spreadKey+", spread", replacing(spreadKey, "spread"))

const reachKey = "run_id, phase, search, candidate_id, tile"

var reachInsertion = newInsertion("reaches", reachKey+", games, reached, ci_low, ci_high", replacing(reachKey, "games, reached, ci_low, ci_high"))

// putStandings records how the candidates of a block stand with it, and the spread of one game's
// fitness.
func putStandings(ctx context.Context, tx *sql.Tx, run int64, block experiments.Block, standings []experiments.Standing, spread float64) error {
	var began int64
	err := tx.QueryRowContext(ctx, `SELECT coalesce((SELECT began FROM standings
		WHERE run_id = ?1 AND phase = ?2 AND stage = ?3 AND search = ?4 LIMIT 1), ?5)`,
		run, block.Phase, block.Stage, block.Search, block.First).Scan(&began)
	if err != nil {
		return err
	}
	rows, spreads, reaches := standingRows(run, experiments.Total{Phase: block.Phase, Stage: block.Stage, Search: block.Search,
		First: began, Standings: standings, Spread: spread})
	_, err = standingInsertion.insert(ctx, tx, rows)
	if err == nil {
		_, err = spreadInsertion.insert(ctx, tx, spreads)
	}
	if err == nil {
		_, err = reachInsertion.insert(ctx, tx, reaches)
	}
	return err
}

// standingRows returns the rows of standings, spreads and reaches that come of a total.
func standingRows(run int64, t experiments.Total) (rows, spreads, reaches []any) {
	for _, s := range t.Standings {
		id := candidateID(run, s.Candidate)
		low, high := ends(s.Interval)
		fitnessLow, fitnessHigh := ends(s.FitnessInterval)
		var shrunk, lower any
		if t.Phase == experiments.PhaseTuning {
			shrunk, lower = s.Shrunk, s.Lower
		}
		rows = append(rows, run, t.Phase, t.Stage, t.Search, id, t.First, s.Evaluations, s.Generations, s.Score.N, s.Score.Mean, s.Score.SD(),
			low, high, s.Fitness.Mean, fitnessLow, fitnessHigh, shrunk, lower, 1/math.Sqrt(float64(s.Score.N)), orNull(s.Moves, 0), orNull(s.Nodes, 0))
		rows = append(rows, reachedOf(s.Sums)...)
		for i, tile := range experiments.Tiles {
			if !s.Untiled && slices.Contains(experiments.FigurePhases, t.Phase) {
				share := stats.Wilson(s.Reached[i], s.Score.N, experiments.Confidence)
				reaches = append(reaches, run, t.Phase, t.Search, id, tile, s.Score.N, s.Reached[i], share.Low, share.High)
			}
		}
	}
	return rows, []any{run, t.Phase, t.Stage, t.Search, t.Spread}, reaches
}

// AddGeneration implements [experiments.Store].
func (s *Store) AddGeneration(ctx context.Context, run int64, g experiments.Generation) error {
	return s.record(ctx, run, "record a generation in", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		objective, err := objectiveOf(ctx, tx, run)
		if err != nil {
			return false, err
		}
		var position int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM generations WHERE run_id = ?", run).Scan(&position); err != nil {
			return false, err
		}
		added, err := generationInsertion.insert(ctx, tx, generationRow(run, objective, position, g))
		return added > 0, err
	})
}

var generationInsertion = newInsertion("generations", "run_id, stage, generation, search, candidates, games, best, mean, worst, sd, best_fitness, "+
	"mean_fitness, mean_fitness_ci_low, mean_fitness_ci_high, position", " ON CONFLICT DO NOTHING")

func generationRow(run int64, objective fitness.Objective, position int, g experiments.Generation) []any {
	mean := objective.Possible(g.MeanFitness.Interval)
	return []any{run, g.Stage, g.Number, g.Search, g.Candidates, g.Games, g.Best, g.Mean, g.Worst, g.SD, g.BestFitness,
		g.MeanFitness.Value, mean.Low, mean.High, position}
}

func objectiveOf(ctx context.Context, q querier, run int64) (fitness.Objective, error) {
	var text string
	if err := q.QueryRowContext(ctx, "SELECT objective FROM runs WHERE id = ?", run).Scan(&text); err != nil {
		return fitness.Objective{}, err
	}
	return configs.ParseObjective(text)
}
