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
	const operation = "read the champion"
	run, err := r.Find(ctx, name)
	if err != nil {
		return Champion{}, err
	}
	if run.Champion < 0 {
		return Champion{}, notFound(operation, r.path, "run %s has no champion yet: it is %s before the end of its playoff "+
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

// heldOut reads the rows of champions that satisfy the condition, by the run's name.
func (r *Reader) heldOut(ctx context.Context, condition string, args ...any) (map[string][]HeldOut, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT run, search, games, mean_score, ci_low, ci_high,
		coalesce(start_games, 0), coalesce(start_mean, 0), start_ci_low, start_ci_high,
		gain, gain_ci_low, gain_ci_high, coalesce(gain_ratio, 0), gain_ratio_ci_low, gain_ratio_ci_high,
		coalesce(in_sample_search, ''), coalesce(in_sample_games, 0), coalesce(in_sample_mean, 0),
		coalesce(tuning_search, ''), coalesce(tuning_games, 0), coalesce(tuning_mean, 0)
		FROM champions WHERE `+condition, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string][]HeldOut{}
	for rows.Next() {
		var (
			run                         string
			h                           HeldOut
			gain                        sql.NullFloat64
			mean, start, plus, multiple ciColumns
		)
		if err := rows.Scan(&run, &h.Search, &h.Games, &h.Mean.Value, &mean.low, &mean.high,
			&h.StartGames, &h.Start.Value, &start.low, &start.high,
			&gain, &plus.low, &plus.high, &h.Ratio.Value, &multiple.low, &multiple.high,
			&h.Playoff.Search, &h.Playoff.Games, &h.Playoff.Mean,
			&h.Tuning.Search, &h.Tuning.Games, &h.Tuning.Mean); err != nil {
			return nil, err
		}
		h.Compared, h.Gain.Value = gain.Valid, gain.Float64
		h.Mean.Interval, h.Start.Interval = mean.interval(), start.interval()
		h.Gain.Interval, h.Ratio.Interval = plus.interval(), multiple.interval()
		all[run] = append(all[run], h)
	}
	return all, rows.Err()
}

// ciColumns are the two columns of an interval.
type ciColumns struct{ low, high sql.NullFloat64 }

func (c ciColumns) interval() stats.Interval { return interval(c.low, c.high) }
