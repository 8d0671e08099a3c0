package results

import (
	"context"
	"database/sql"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// Champion is the winner of a run's playoff.
type Champion struct {
	Run       Run
	Candidate experiments.Candidate // with its weights in order
	Start     experiments.Candidate // the start weights
	HeldOut   []HeldOut             // one for each validated search; none before the validation
}

// HeldOut is what a champion is worth at one setting: figures of games that nothing was chosen by, and beside
// them the figures of those that it was chosen by. Intervals are 95%.
type HeldOut struct {
	Search     string
	Games      int
	Mean       stats.Estimate // score, points
	StartGames int
	Start      stats.Estimate // score of the start weights, points

	Compared bool           // Gain and Ratio are recorded
	Gain     stats.Estimate // mean minus that of the start weights, points
	Ratio    stats.Estimate // of the two means

	Playoff InSample // the games that it won
	Tuning  InSample // those of the last stage that it played in
}

// InSample is a figure that flatters, because something was chosen by it.
type InSample struct {
	Search string
	Games  int     // 0: it played none
	Mean   float64 // score, points
}

// Champion returns the champion of the run of that name, and for an empty name of the newest. The error wraps
// ErrNotFound if there is no such run or it has no champion yet.
func (r *Reader) Champion(ctx context.Context, name string) (Champion, error) {
	run, err := r.Find(ctx, name)
	if err != nil {
		return Champion{}, err
	}
	if run.Kind == experiments.KindCompare {
		return Champion{}, notFound("run %s is a comparison: it has no champion (tune query comparisons)", run.Name)
	}
	if run.Champion < 0 {
		return Champion{}, notFound("run %s has no champion yet: it is %s before the end of its playoff "+
			"(the same command as before resumes it)", run.Name, run.Status)
	}
	c := Champion{Run: run, HeldOut: run.HeldOut}
	if c.Candidate, err = r.Candidate(ctx, run.ID, run.Champion); err != nil {
		return Champion{}, err
	}
	if c.Start, err = r.Candidate(ctx, run.ID, 0); err != nil {
		return Champion{}, err
	}
	return c, nil
}

// heldOutOf is a row of champions with its run.
type heldOutOf struct {
	run int64
	HeldOut
}

// heldOut reads the rows of champions that satisfy the condition.
func (r *Reader) heldOut(ctx context.Context, condition string, args ...any) ([]heldOutOf, error) {
	return collect(ctx, r.db, scanHeldOut, `SELECT run_id, search, games, mean_score, ci_low, ci_high,
		coalesce(start_games, 0), coalesce(start_mean, 0), start_ci_low, start_ci_high,
		gain, gain_ci_low, gain_ci_high, coalesce(gain_ratio, 0), gain_ratio_ci_low, gain_ratio_ci_high,
		coalesce(in_sample_search, ''), coalesce(in_sample_games, 0), coalesce(in_sample_mean, 0),
		coalesce(tuning_search, ''), coalesce(tuning_games, 0), coalesce(tuning_mean, 0)
		FROM champions WHERE `+condition, args...)
}

func scanHeldOut(rows *sql.Rows) (h heldOutOf, err error) {
	var gain, low, high, startLow, startHigh, gainLow, gainHigh, ratioLow, ratioHigh sql.NullFloat64
	err = rows.Scan(&h.run, &h.Search, &h.Games, &h.Mean.Value, &low, &high,
		&h.StartGames, &h.Start.Value, &startLow, &startHigh,
		&gain, &gainLow, &gainHigh, &h.Ratio.Value, &ratioLow, &ratioHigh,
		&h.Playoff.Search, &h.Playoff.Games, &h.Playoff.Mean,
		&h.Tuning.Search, &h.Tuning.Games, &h.Tuning.Mean)
	h.Compared, h.Gain.Value = gain.Valid, gain.Float64
	h.Mean.Interval, h.Start.Interval = interval(low, high), interval(startLow, startHigh)
	h.Gain.Interval, h.Ratio.Interval = interval(gainLow, gainHigh), interval(ratioLow, ratioHigh)
	return h, err
}
