package results

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"tune2048/configs"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/tuner/fitness"
)

// What a run has played so far, for who draws it: a few rows of each table, however many there are.

// Standing is how a candidate stands in a phase and search.
type Standing struct {
	Phase, Search string
	experiments.Standing
	MSPerMove float64 // wall time, milliseconds. It differs between equal runs. 0: not known
}

// Standings returns how a run's candidates stand outside tuning: phases and searches in the order
// in which they were played, and in each of them the candidates by number.
func (r *Reader) Standings(ctx context.Context, run int64) ([]Standing, error) {
	return readAll(ctx, r, "standings", scanStanding, `SELECT phase, search, candidate_id % 1000000, evaluations, generations, games, mean_score, sd_score,
		ci_low, ci_high, fitness, fitness_ci_low, fitness_ci_high, moves, nodes, t.ms_per_move, `+reachedColumns+`
		FROM standings LEFT JOIN (
			SELECT phase, search, candidate_id, sum(duration_us) / 1000.0 / sum(moves) AS ms_per_move
			FROM evaluations WHERE run_id = ?1 AND phase IN ('`+experiments.PhaseValidation+`', '`+experiments.PhaseComparison+`') AND duration_us > 0 AND moves > 0
			GROUP BY phase, search, candidate_id
		) AS t USING (phase, search, candidate_id)
		WHERE run_id = ?1 AND phase IN ('`+strings.Join(experiments.FigurePhases, "', '")+`')
		ORDER BY began, candidate_id`, run)
}

func scanStanding(rows *sql.Rows) (s Standing, err error) {
	var sd float64
	to := []any{&s.Phase, &s.Search, &s.Candidate, &s.Evaluations, &s.Generations, &s.Score.N, &s.Score.Mean, &sd,
		low(&s.Interval), high(&s.Interval), &s.Fitness.Mean, low(&s.FitnessInterval), high(&s.FitnessInterval), orZero[int64]{&s.Moves}, orZero[int64]{&s.Nodes}, nullable{&s.MSPerMove, 0}}
	if err := rows.Scan(append(to, scanReached(&s.Sums)...)...); err != nil {
		return s, err
	}
	sound := s.Score.N >= 1 && s.Moves >= 0 && s.Nodes >= 0
	for _, n := range s.Reached {
		sound = sound && n >= 0 && n <= s.Score.N
	}
	if !sound {
		return s, fmt.Errorf("%w: candidate %d in %s at %s has %d games, and %v of them reach a tile", ErrDamaged, s.Candidate, s.Phase, s.Search, s.Score.N, s.Reached)
	}
	s.Score.M2, s.Fitness.N = sd*sd*float64(s.Score.N-1), s.Score.N
	return s, nil
}

// CandidatesOf returns the candidates of a run with these numbers, by number.
func (r *Reader) CandidatesOf(ctx context.Context, run int64, numbers []int) ([]experiments.Candidate, error) {
	list, _ := json.Marshal(numbers)
	all, err := candidatesThat(ctx, r.db, "c.id IN (SELECT ? + value FROM json_each(?))", candidateID(run, 0), string(list))
	return all, explain("read candidates of", r.path, err)
}

// Tuned is a candidate of tuning with its standing in the last stage in which it played.
type Tuned struct {
	Number     int
	Stage      string             // in which it was first asked for
	Generation int                // in which it was first asked for, from 0
	Weights    map[string]float64 // to 15 digits

	Last    string // stage in which it played last
	Games   int
	Fitness float64 // shrunk, see stats.Prior
}

// TunedStages returns the stages and searches of a run in which a block of games is finished, in
// the order in which they were played.
func (r *Reader) TunedStages(ctx context.Context, run int64) ([]experiments.Place, error) {
	return readAll(ctx, r, "stages", func(rows *sql.Rows) (p experiments.Place, err error) {
		return p, rows.Scan(&p.Stage, &p.Search)
	}, `SELECT p.stage, p.search FROM spreads AS p WHERE p.run_id = ? AND p.phase = '`+experiments.PhaseTuning+`'
		ORDER BY (SELECT s.began FROM standings AS s WHERE s.run_id = p.run_id AND s.phase = p.phase AND s.stage = p.stage AND s.search = p.search LIMIT 1)`, run)
}

// TunedCount returns how many candidates have played in a run's tuning.
func (r *Reader) TunedCount(ctx context.Context, run int64) (n int, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT count(DISTINCT candidate_id) FROM standings WHERE run_id = ? AND phase = ?", run, experiments.PhaseTuning).Scan(&n)
	return n, explain("count candidates of", r.path, err)
}

// Tuned returns the candidates of a run's tuning with these numbers, by number.
func (r *Reader) Tuned(ctx context.Context, run int64, numbers []int) ([]Tuned, error) {
	list, _ := json.Marshal(numbers)
	// Of each candidate the bare columns come from the row of the maximum.
	return readAll(ctx, r, "candidates", func(rows *sql.Rows) (t Tuned, err error) {
		var (
			began   int64
			weights []byte
		)
		if err := rows.Scan(&t.Number, &t.Stage, &t.Generation, &t.Last, &t.Games, &t.Fitness, &began, &weights); err != nil {
			return t, err
		}
		if err := json.Unmarshal(weights, &t.Weights); err != nil {
			return t, fmt.Errorf("%w: weights of candidate %d: %w", ErrDamaged, t.Number, err)
		}
		return t, nil
	}, `SELECT c.number, c.stage, c.generation, s.stage, s.games, coalesce(s.fitness_shrunk, s.fitness), max(s.began),
			(SELECT json_group_object(w.name, w.value) FROM weights AS w WHERE w.candidate_id = c.id)
		FROM (SELECT DISTINCT ?3 + value AS id FROM json_each(?2)) AS n
		CROSS JOIN candidates AS c ON c.id = n.id
		CROSS JOIN spreads AS p ON p.run_id = ?1 AND p.phase = '`+experiments.PhaseTuning+`'
		CROSS JOIN standings AS s ON s.run_id = p.run_id AND s.phase = p.phase AND s.stage = p.stage AND s.search = p.search AND s.candidate_id = c.id
		GROUP BY c.id ORDER BY c.id`, run, string(list), candidateID(run, 0))
}

// TunedStart returns the fitness of the start weights in the last stage of tuning in which they
// played, and the stage's name. The name is empty if they did not play yet.
func (r *Reader) TunedStart(ctx context.Context, run int64) (stage string, fitness stats.Estimate, err error) {
	err = r.db.QueryRowContext(ctx, `SELECT s.stage, s.fitness, s.fitness_ci_low, s.fitness_ci_high FROM spreads AS p
		CROSS JOIN standings AS s ON s.run_id = p.run_id AND s.phase = p.phase AND s.stage = p.stage AND s.search = p.search AND s.candidate_id = ?
		WHERE p.run_id = ? AND p.phase = '`+experiments.PhaseTuning+`' ORDER BY s.began DESC LIMIT 1`, candidateID(run, experiments.StartNumber), run).
		Scan(&stage, &fitness.Value, low(&fitness.Interval), high(&fitness.Interval))
	if errors.Is(err, sql.ErrNoRows) {
		return "", fitness, nil
	}
	return stage, fitness, explain("read the start weights of", r.path, err)
}

// Scored is a game and its score.
type Scored struct {
	Game  int64 // number within the run
	Score int
}

// Scores returns the scores of those games of a candidate in a phase outside tuning and a search
// that are kept, in the order of their numbers.
func (r *Reader) Scores(ctx context.Context, run int64, phase, search string, candidate int) ([]Scored, error) {
	return readAll(ctx, r, "scores", func(rows *sql.Rows) (s Scored, err error) {
		return s, rows.Scan(&s.Game, &s.Score)
	}, `SELECT g.id - e.run_id * 1000000000, g.score
		FROM evaluations AS e
		CROSS JOIN games AS g ON g.id BETWEEN e.run_id * 1000000000 + e.first_game AND e.run_id * 1000000000 + e.first_game + e.games - 1
			AND g.candidate_id = e.candidate_id
		WHERE e.run_id = ? AND e.phase = ? AND e.stage = '' AND e.search = ? AND e.generation = 0 AND e.candidate_id = ?
		ORDER BY e.first_game, g.id`, run, phase, search, candidateID(run, candidate))
}

// Last returns where the game stands that was recorded last, as far as its rows are there. Without
// a row of it the generation and the round are 0. It is zero for a run without games.
func (r *Reader) Last(ctx context.Context, run int64) (p experiments.Place, err error) {
	var began int64
	err = r.db.QueryRowContext(ctx, `SELECT p.phase, p.stage, p.search, coalesce((SELECT s.began FROM standings AS s
		WHERE s.run_id = p.run_id AND s.phase = p.phase AND s.stage = p.stage AND s.search = p.search LIMIT 1), 0) AS began
		FROM spreads AS p WHERE p.run_id = ? ORDER BY began DESC LIMIT 1`, run).Scan(&p.Phase, &p.Stage, &p.Search, &began)
	var rows []experiments.Game
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		rows, err = collect(ctx, r.db, scanGame, selectGames+" DESC LIMIT 1", GameID(run, 0), GameID(run+1, 0)-1)
	}
	if len(rows) > 0 && rows[0].Game >= began {
		p = rows[0].Place
	}
	return p, explain("read where a run is from", r.path, err)
}

// Cost is the effort of a run's games at a search.
type Cost struct {
	Search string
	Games  int64
	Moves  int64         // 0: not known
	Nodes  int64         // 0: not known
	Time   time.Duration // sum of the games' wall times, whoever played them; 0: not known
}

// Costs returns the effort of a run's games, by search.
func (r *Reader) Costs(ctx context.Context, run int64) ([]Cost, error) {
	return readAll(ctx, r, "the cost of games", func(rows *sql.Rows) (c Cost, err error) {
		var seconds float64
		err = rows.Scan(&c.Search, &c.Games, &c.Moves, &c.Nodes, &seconds)
		if seconds >= 0 && seconds < time.Duration(1<<62).Seconds() {
			c.Time = time.Duration(seconds * float64(time.Second))
		}
		return c, err
	}, `SELECT search, sum(games), coalesce(sum(moves), 0), coalesce(sum(nodes), 0),
			-- Evaluations without a time are taken to be as fast as the others.
			coalesce(sum(moves) * (sum(duration_us) / 1e6 / (sum(moves) FILTER (WHERE duration_us IS NOT NULL))), 0)
		FROM evaluations WHERE run_id = ? GROUP BY search ORDER BY search`, run)
}

// HeldOut has the figures of a champion at one search, from games that nothing was chosen by.
// Fitness and Gain are in the unit of the objective. Intervals are 95%.
type HeldOut struct {
	run          int64
	Search       string
	Objective    fitness.Objective
	Games        int
	Fitness      stats.Estimate
	Mean         stats.Estimate // score, points
	StartFitness stats.Estimate // of the start weights
	Start        stats.Estimate // score of the start weights, points

	Gain    stats.Estimate // fitness minus the start weights' fitness
	Ratio   stats.Estimate // of the two
	Verdict string         // on the gain, see experiments.Comparison; empty: not recorded, as Gain, Ratio
}

// Champion returns the winner of the playoff of the run of that name, and for an empty name of the
// newest. The error wraps ErrNotFound if there is no such run or it has no champion yet.
func (r *Reader) Champion(ctx context.Context, name string) (run Run, c experiments.Candidate, err error) {
	if run, err = r.Find(ctx, name); err != nil {
		return run, c, err
	}
	switch {
	case run.Kind.HasPlayers():
		err = notFound("run %s is a comparison: it has no champion (tune query comparisons%s)", run.Name, DatabaseFlag(r.path))
	case !run.Kind.HasChampion():
		err = notFound("run %s answers another optimizer: it has no champion (the view leaderboard ranks its candidates)", run.Name)
	case run.Champion < 0:
		err = r.noChampion(ctx, run)
	default:
		c, err = r.Candidate(ctx, run.ID, run.Champion)
	}
	return run, c, err
}

// noChampion is the error for a run before the end of its playoff. It names the leader so far.
func (r *Reader) noChampion(ctx context.Context, run Run) error {
	leader, err := collect(ctx, r.db, scanText, "SELECT number FROM leaderboard WHERE run_id = ? AND phase = ? LIMIT 1", run.ID, experiments.PhaseTuning)
	if err != nil {
		return explain("find the leader in", r.path, err)
	}
	db, so := DatabaseFlag(r.path), ""
	if len(leader) > 0 {
		so = fmt.Sprintf("The leader so far: tune export %s:%s%s. ", ShellWord(run.Name), leader[0], db)
	}
	return notFound("run %s (%s) has no champion yet: its playoff has not ended. %sThe same command as before resumes it; "+
		"to end it properly within an hour: tune -config FILE -for 1h%s", run.Name, run.State(), so, db)
}

// heldOut reads the rows of champions that satisfy the condition.
func (r *Reader) heldOut(ctx context.Context, condition string, args ...any) ([]HeldOut, error) {
	return collect(ctx, r.db, scanHeldOut, `SELECT run_id, search, objective, games, coalesce(verdict, ''),
		mean_score, ci_low, ci_high, fitness, fitness_ci_low, fitness_ci_high,
		start_mean, start_ci_low, start_ci_high, start_fitness, start_fitness_ci_low, start_fitness_ci_high,
		gain, gain_ci_low, gain_ci_high, gain_ratio, gain_ratio_ci_low, gain_ratio_ci_high
		FROM champions WHERE `+condition, args...)
}

func scanHeldOut(rows *sql.Rows) (h HeldOut, err error) {
	var objective string
	to := []any{&h.run, &h.Search, &objective, &h.Games, &h.Verdict}
	for _, e := range []*stats.Estimate{&h.Mean, &h.Fitness, &h.Start, &h.StartFitness, &h.Gain, &h.Ratio} {
		to = append(to, nullable{&e.Value, 0}, low(&e.Interval), high(&e.Interval))
	}
	if err := rows.Scan(to...); err != nil {
		return h, err
	}
	if h.Objective, err = configs.ParseObjective(objective); err != nil { // of another program
		h.Objective = fitness.MeanScore
	}
	return h, nil
}
