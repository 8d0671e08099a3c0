package results

import (
	"context"
	"database/sql"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
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
// them the figures of those that it was chosen by. Fitness and Gain are in the unit of the objective. Intervals are 95%.
type HeldOut struct {
	Search       string
	Objective    fitness.Objective
	Games        int
	Fitness      stats.Estimate
	Mean         stats.Estimate // score, points
	StartGames   int
	StartFitness stats.Estimate // of the start weights
	Start        stats.Estimate // score of the start weights, points

	Compared bool           // Gain, Ratio and Verdict are recorded
	Gain     stats.Estimate // fitness minus that of the start weights
	Ratio    stats.Estimate // of the two
	Verdict  string         // on the gain, see experiments.Contrast

	Playoff InSample // the games that it won
	Tuning  InSample // those of the last stage that it played in
}

// InSample is a figure that flatters, because something was chosen by it.
type InSample struct {
	Search  string
	Games   int // 0: it played none
	Fitness float64
	Mean    float64 // score, points
}

// Champion returns the champion of the run of that name, and for an empty name of the newest. The error wraps
// ErrNotFound if there is no such run or it has no champion yet.
func (r *Reader) Champion(ctx context.Context, name string) (Champion, error) {
	run, err := r.Find(ctx, name)
	if err != nil {
		return Champion{}, err
	}
	if run.Kind == experiments.KindCompare {
		return Champion{}, notFound("run %s is a comparison: it has no champion (tune query comparisons%s)", run.Name, DatabaseFlag(r.path))
	}
	if run.Kind == experiments.KindEval {
		return Champion{}, notFound("run %s answers another optimizer: it has no champion (the view leaderboard ranks its candidates)", run.Name)
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
	return collect(ctx, r.db, scanHeldOut, `SELECT run_id, search, objective, games, mean_score, ci_low, ci_high, fitness, fitness_ci_low, fitness_ci_high,
		coalesce(start_games, 0), coalesce(start_mean, 0), start_ci_low, start_ci_high,
		coalesce(start_fitness, 0), start_fitness_ci_low, start_fitness_ci_high,
		gain, gain_ci_low, gain_ci_high, coalesce(gain_ratio, 0), gain_ratio_ci_low, gain_ratio_ci_high, coalesce(verdict, ''),
		coalesce(in_sample_search, ''), coalesce(in_sample_games, 0), coalesce(in_sample_mean, 0), coalesce(in_sample_fitness, 0),
		coalesce(tuning_search, ''), coalesce(tuning_games, 0), coalesce(tuning_mean, 0), coalesce(tuning_fitness, 0)
		FROM champions WHERE `+condition, args...)
}

func scanHeldOut(rows *sql.Rows) (h heldOutOf, err error) {
	var objective string
	var gain sql.NullFloat64
	var mean, worth, start, startFitness, gained, ratio [2]sql.NullFloat64 // the ends of intervals
	err = rows.Scan(&h.run, &h.Search, &objective, &h.Games, &h.Mean.Value, &mean[0], &mean[1], &h.Fitness.Value, &worth[0], &worth[1],
		&h.StartGames, &h.Start.Value, &start[0], &start[1], &h.StartFitness.Value, &startFitness[0], &startFitness[1],
		&gain, &gained[0], &gained[1], &h.Ratio.Value, &ratio[0], &ratio[1], &h.Verdict,
		&h.Playoff.Search, &h.Playoff.Games, &h.Playoff.Mean, &h.Playoff.Fitness,
		&h.Tuning.Search, &h.Tuning.Games, &h.Tuning.Mean, &h.Tuning.Fitness)
	if err != nil {
		return h, err
	}
	h.Compared, h.Gain.Value = gain.Valid, gain.Float64
	h.Mean.Interval, h.Fitness.Interval = interval(mean[0], mean[1]), interval(worth[0], worth[1])
	h.Start.Interval, h.StartFitness.Interval = interval(start[0], start[1]), interval(startFitness[0], startFitness[1])
	h.Gain.Interval, h.Ratio.Interval = interval(gained[0], gained[1]), interval(ratio[0], ratio[1])
	if h.Objective, err = configs.ParseObjective(objective); err != nil { // of another program
		h.Objective = fitness.MeanScore
	}
	return h, nil
}
