package results

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"strings"

	"tune2048/experiments"
)

const (
	comparisonKey     = "ending_id, phase, search, candidate_id, baseline_id, look"
	comparisonColumns = "objective, games, baseline_games, difference, ci_low, ci_high, ratio, ratio_ci_low, " +
		"ratio_ci_high, " +
		"confidence, smallest_difference, question, p, p_adjusted, level, verdict, more_games"
)

var comparisonInsertion = newInsertion("comparisons", "run_id, "+comparisonKey+", "+comparisonColumns,
	replacing(comparisonKey, comparisonColumns)+
		" WHERE ("+comparisonColumns+") IS NOT (excluded."+strings.ReplaceAll(comparisonColumns, ", ",
		", excluded.")+")")

// AddComparisons implements [experiments.Store]. Other figures of a comparison replace the old.
func (s *Store) AddComparisons(ctx context.Context, run int64, comparisons []experiments.Comparison) error {
	return s.record(ctx, run, "record comparisons in", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		var values []any
		for _, c := range comparisons {
			h := s.begun[run]
			values = append(values, h.run(), run, c.Phase, c.Search, h.candidateID(c.Candidate), h.candidateID(c.Baseline),
				c.Look,
				c.Objective, c.Games, c.BaselineGames, c.Difference.Value, lowEnd(c.Difference.Interval),
				highEnd(c.Difference.Interval),
				orNull(c.Ratio.Value, math.Inf(1)), lowEnd(c.Ratio.Interval), highEnd(c.Ratio.Interval),
				c.Confidence, c.Smallest, c.Question, c.P, c.Adjusted, c.Level, c.Verdict,
				orNull(max(0, c.More), 0))
		}
		changed, err := comparisonInsertion.insert(ctx, tx, values)
		return changed > 0, err
	})
}

// comparisons reads a run's comparisons, in an order that does not depend on how they came.
func comparisons(ctx context.Context, q querier, run int64) ([]experiments.Comparison, error) {
	var texts held
	scan := func(rows *sql.Rows) (experiments.Comparison, error) {
		c, err := scanComparison(rows)
		return c, cmp.Or(err, texts.add(c.Phase, c.Search, c.Objective, c.Question, c.Verdict))
	}
	return collect(ctx, q, scan, "SELECT "+comparisonKey+`, objective, games, baseline_games, difference,
		coalesce(ci_low, -9e999), coalesce(ci_high, 9e999), coalesce(ratio, 9e999), coalesce(ratio_ci_low, -9e999),
		coalesce(ratio_ci_high, 9e999),
		confidence, smallest_difference, question, p, p_adjusted, level, verdict, coalesce(more_games, 0)
		FROM comparisons WHERE ending_id = ? ORDER BY phase, search, candidate_id % 1000000000, baseline_id % 1000000000,
		look`, run)
}

func scanComparison(rows *sql.Rows) (c experiments.Comparison, err error) {
	var run, candidate, baseline int64
	err = rows.Scan(&run, &c.Phase, &c.Search, &candidate, &baseline, &c.Look, &c.Objective, &c.Games, &c.BaselineGames,
		&c.Difference.Value, &c.Difference.Interval.Low, &c.Difference.Interval.High, &c.Ratio.Value, &c.Ratio.Interval.Low,
		&c.Ratio.Interval.High,
		&c.Confidence, &c.Smallest, &c.Question, &c.P, &c.Adjusted, &c.Level, &c.Verdict, &c.More)
	c.Candidate, c.Baseline = int(candidate%candidatesPerOwner), int(baseline%candidatesPerOwner)
	return c, err
}

// Questions implements [experiments.Store].
func (s *Store) Questions(ctx context.Context, run int64) (map[string]int, error) {
	questions := map[string]int{}
	_, err := readAll(ctx, s.reader, "comparisons", func(rows *sql.Rows) (question string, err error) {
		var look int
		err = rows.Scan(&question, &look)
		questions[question] = look
		return question, err
	}, `SELECT DISTINCT iif(r.config_hash = this.config_hash, '', r.config_hash) || d.question, d.look
		FROM endings AS this
		JOIN endings AS r ON r.base_name = this.base_name AND r.tuning = this.tuning AND r.kind = this.kind
		AND r.signature = this.signature
		JOIN comparisons AS d ON d.ending_id = r.id
		WHERE this.id = ?`, run)
	return questions, err
}
