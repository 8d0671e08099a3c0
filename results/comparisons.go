package results

import (
	"context"
	"database/sql"
	"fmt"

	"tune2048/experiments"
)

// AddContrasts records comparisons. Recording the same ones again changes nothing; other figures replace the old.
func (s *Store) AddContrasts(ctx context.Context, run int64, contrasts []experiments.Contrast) error {
	return s.record(ctx, run, "record comparisons", func(ctx context.Context, tx *sql.Tx) (changed bool, err error) {
		for _, c := range contrasts {
			new, err := insertContrast(ctx, tx, run, c)
			if err != nil {
				return false, fmt.Errorf("candidates %d and %d, %s at %s: %w", c.Candidate, c.Baseline, c.Phase, c.Search, err)
			}
			changed = changed || new
		}
		return changed, nil
	})
}

func insertContrast(ctx context.Context, tx *sql.Tx, run int64, c experiments.Contrast) (changed bool, err error) {
	if err := finite("difference", c.Difference.Value); err != nil {
		return false, err
	}
	if err := finite("ratio", c.Ratio.Value); err != nil {
		return false, err
	}
	low, high, err := ends("interval of the difference", c.Difference.Interval)
	if err != nil {
		return false, err
	}
	ratioLow, ratioHigh, err := ends("interval of the ratio", c.Ratio.Interval)
	if err != nil {
		return false, err
	}
	return changes(tx.ExecContext(ctx, `INSERT INTO comparisons (run_id, phase, search, candidate_id, baseline_id,
		difference, ci_low, ci_high, ratio, ratio_ci_low, ratio_ci_high) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET difference = excluded.difference, ci_low = excluded.ci_low, ci_high = excluded.ci_high,
		ratio = excluded.ratio, ratio_ci_low = excluded.ratio_ci_low, ratio_ci_high = excluded.ratio_ci_high
		WHERE (difference, ci_low, ci_high, ratio, ratio_ci_low, ratio_ci_high) IS NOT (excluded.difference,
		excluded.ci_low, excluded.ci_high, excluded.ratio, excluded.ratio_ci_low, excluded.ratio_ci_high)`,
		run, c.Phase, c.Search, candidateID(run, c.Candidate), candidateID(run, c.Baseline),
		c.Difference.Value, low, high, c.Ratio.Value, ratioLow, ratioHigh))
}

// contrasts reads the comparisons that satisfy the condition, in an order that does not depend on how they came.
func contrasts(ctx context.Context, q querier, condition string, args ...any) ([]experiments.Contrast, error) {
	rows, err := q.QueryContext(ctx, `SELECT phase, search, candidate_id % 1000000, baseline_id % 1000000,
		difference, ci_low, ci_high, ratio, ratio_ci_low, ratio_ci_high FROM comparisons
		WHERE `+condition+` ORDER BY run_id, phase, search, candidate_id, baseline_id`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []experiments.Contrast
	for rows.Next() {
		var (
			c                              experiments.Contrast
			low, high, ratioLow, ratioHigh sql.NullFloat64
		)
		if err := rows.Scan(&c.Phase, &c.Search, &c.Candidate, &c.Baseline,
			&c.Difference.Value, &low, &high, &c.Ratio.Value, &ratioLow, &ratioHigh); err != nil {
			return nil, err
		}
		c.Difference.Interval, c.Ratio.Interval = interval(low, high), interval(ratioLow, ratioHigh)
		all = append(all, c)
	}
	return all, rows.Err()
}
