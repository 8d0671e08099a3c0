package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

const standingKey = "run_id, phase, stage, search, candidate_id"

var standingColumns = "evaluations, generations, games, mean_score, sd_score, ci_low, ci_high, fitness, fitness_ci_low, fitness_ci_high, fitness_shrunk, fitness_low, se_factor, moves, nodes, " + reachedColumns

var standingInsertion = newInsertion("standings", standingKey+", began, "+standingColumns, replacing(standingKey, standingColumns))

const spreadKey = "run_id, phase, stage, search"

var spreadInsertion = newInsertion("spreads", spreadKey+", spread", replacing(spreadKey, "spread"))

const reachKey = "run_id, phase, search, candidate_id, tile"

var reachInsertion = newInsertion("reaches", reachKey+", games, reached, ci_low, ci_high", replacing(reachKey, "games, reached, ci_low, ci_high"))

// replacing is the clause that writes columns of a row anew.
func replacing(key, columns string) string {
	var set []string
	for _, c := range strings.Split(columns, ", ") {
		set = append(set, c+" = excluded."+c)
	}
	return " ON CONFLICT (" + key + ") DO UPDATE SET " + strings.Join(set, ", ")
}

// putStandings records how the candidates of a block stand with it, and the spread of one game's fitness.
func putStandings(ctx context.Context, tx *sql.Tx, run int64, block experiments.Block, standings []experiments.Standing, spread float64) error {
	if err := finite("spread", spread); err != nil {
		return err
	}
	var began int64
	err := tx.QueryRowContext(ctx, `SELECT coalesce((SELECT began FROM standings
		WHERE run_id = ?1 AND phase = ?2 AND stage = ?3 AND search = ?4 LIMIT 1), ?5)`,
		run, block.Phase, block.Stage, block.Search, block.First).Scan(&began)
	if err != nil {
		return err
	}
	var rows, reaches []any
	for _, s := range standings {
		id := candidateID(run, s.Candidate)
		low, high, err := ends("interval of the mean score", s.Interval)
		fitnessLow, fitnessHigh, wrong := ends("interval of the fitness", s.FitnessInterval)
		if err = errors.Join(err, wrong, finite("fitness", s.Fitness.Mean)); err != nil {
			return fmt.Errorf("standing of candidate %d: %w", s.Candidate, err)
		}
		var shrunk, lower any
		if block.Phase == experiments.PhaseTuning {
			shrunk, lower = s.Shrunk, s.Lower
			if err := errors.Join(finite("shrunk fitness", s.Shrunk), finite("lower bound of fitness", s.Lower)); err != nil {
				return fmt.Errorf("standing of candidate %d: %w", s.Candidate, err)
			}
		}
		rows = append(rows, run, block.Phase, block.Stage, block.Search, id, began, s.Evaluations, s.Generations, s.Score.N, s.Score.Mean, s.Score.SD(),
			low, high, s.Fitness.Mean, fitnessLow, fitnessHigh, shrunk, lower, 1/math.Sqrt(float64(s.Score.N)), s.Moves, s.Nodes)
		for i, tile := range experiments.Tiles {
			rows = append(rows, s.Reached[i])
			if block.Phase != experiments.PhaseTuning && block.Phase != experiments.PhaseEval {
				share := stats.Wilson(s.Reached[i], s.Score.N, 0.95)
				reaches = append(reaches, run, block.Phase, block.Search, id, tile, s.Score.N, s.Reached[i], share.Low, share.High)
			}
		}
	}
	_, err = standingInsertion.insert(ctx, tx, rows)
	if err == nil {
		_, err = spreadInsertion.insert(ctx, tx, []any{run, block.Phase, block.Stage, block.Search, spread})
	}
	if err == nil {
		_, err = reachInsertion.insert(ctx, tx, reaches)
	}
	return err
}

// AddGeneration records a generation; recording the same one again changes nothing.
func (s *Store) AddGeneration(ctx context.Context, run int64, g experiments.Generation) error {
	return s.record(ctx, run, "record a generation in", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		return changes(tx.ExecContext(ctx, `INSERT INTO generations (run_id, stage, search, generation, candidates, games,
			best, mean, worst, sd, best_fitness, mean_fitness, mean_fitness_ci_low, mean_fitness_ci_high, position)
			SELECT ?1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT count(*) FROM generations WHERE run_id = ?1) WHERE true ON CONFLICT DO NOTHING`,
			run, g.Stage, g.Search, g.Number, g.Candidates, g.Games, g.Best, g.Mean, g.Worst, g.SD, g.BestFitness,
			g.MeanFitness.Value, g.MeanFitness.Interval.Low, g.MeanFitness.Interval.High))
	})
}
