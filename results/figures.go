package results

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"time"

	"tune2048/configs/config"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/experiments/summary"
)

// Summary makes the figures of a run out of its records, see summary.Summarize. A comparison
// answers the question with this look, or the last one if it is 0. The names and weights are of
// these candidates.
func (r *Reader) Summary(ctx context.Context, run Run, look int, config *config.Config,
	candidates []experiments.Candidate) (s summary.Summary, err error) {
	run.Look = look
	err = r.Moment(ctx, func(now *Reader) error {
		o, err := readOwned(ctx, now.at, run.ID)
		var known []experiments.Generation
		if err == nil {
			known, err = now.generations(ctx, o)
		}
		if err == nil {
			s, err = now.summary(ctx, run, known, nil, config, candidates)
		}
		return explain("read the records of", r.path, err)
	})
	return s, err
}

// summary makes the figures of a run from its first generations, which may be none, and from the
// records behind these.
func (r *Reader) summary(ctx context.Context, run Run, known []experiments.Generation, again experiments.Again,
	config *config.Config, candidates []experiments.Candidate) (s summary.Summary, err error) {
	begin := 0
	if n := len(known); n > 0 {
		begin = known[n-1].Behind
	}
	o, err := readOwned(ctx, r.at, run.ID)
	var made []experiments.Comparison
	if err == nil {
		made, err = comparisons(ctx, r.at, run.ID)
	}
	if err == nil {
		behind := sound(evaluationsBehind(ctx, r.at, o, begin), &err)
		s = summary.Summarize(run.Run, config, candidates, known, behind, again, made)
	}
	return s, err
}

// phaseSummary makes the figures of a run's records of one phase outside tuning.
func (r *Reader) phaseSummary(ctx context.Context, run Run, phase string,
	candidates []experiments.Candidate) (s summary.Summary, err error) {
	made, err := comparisons(ctx, r.at, run.ID)
	if err == nil {
		some := sound(evaluations(ctx, r.at, figuredColumns, run.ID, phase), &err)
		s = summary.Summarize(run.Run, nil, candidates, nil, some, nil, made)
	}
	return s, explain("read the records of", r.path, err)
}

// generations reads the generations of an ending's tuning that the table has, but for the last one,
// which may go on. It returns none if one is missing: somebody deleted it, or another version wrote
// them.
func (r *Reader) generations(ctx context.Context, o owned) (all []experiments.Generation, err error) {
	var last experiments.Generation
	for row, err := range eachGeneration(ctx, r.at, o, "ORDER BY position") {
		if err != nil {
			return nil, err
		}
		if row.position != len(all) || row.Behind <= last.Behind {
			return nil, nil
		}
		if row.Stage == last.Stage && row.Search == last.Search { // a text for all
			row.Stage, row.Search = last.Stage, last.Search
		}
		last = row.Generation
		all = append(all, last)
	}
	return all[:max(0, len(all)-1)], nil
}

// lastGeneration returns the last one that generations returns, by itself, and how many there are.
func (r *Reader) lastGeneration(ctx context.Context, o owned) (last []experiments.Generation, all int, err error) {
	rows, whole := 0, false
	err = r.at.QueryRowContext(ctx, `SELECT count(*), coalesce(max(position) + 1 = count(*) AND min(behind) > 0, 0)
		FROM generations
		WHERE run_id = ?1`, o.search).Scan(&rows, &whole)
	if err != nil || !whole {
		return nil, 0, err
	}
	first := true
	for row, err := range eachGeneration(ctx, r.at, o, "ORDER BY position DESC LIMIT 2") {
		if err != nil {
			return nil, 0, err
		}
		if !first {
			last, all = []experiments.Generation{row.Generation}, row.position+1
		}
		first = false
	}
	return last, all, nil
}

// generationRow is a row of the table generations.
type generationRow struct {
	position int
	experiments.Generation
}

// eachGeneration yields the generations of an ending's tuning that the table has.
func eachGeneration(ctx context.Context, q querier, o owned, order string) iter.Seq2[generationRow, error] {
	var g generationRow
	var mean, low, high any
	to := []any{&g.position, &g.Stage, &g.Search, &g.Number, &g.Candidates, &g.Games, &g.Played, &g.Mean, &g.SD, &g.Best,
		&g.Worst,
		&mean, &low, &high, &g.BestFitness, &g.Different, &g.Behind, &g.Cluster.Shared, &g.Cluster.Independent,
		&g.Cluster.Freedom}
	return each(ctx, q, func(rows *sql.Rows) (generationRow, error) {
		if err := rows.Scan(to...); err != nil {
			return g, err
		}
		g.MeanFitness = stats.Estimate{Interval: stats.Unbounded()}
		g.MeanFitness.Value, _ = mean.(float64)
		if x, closed := low.(float64); closed {
			g.MeanFitness.Interval.Low = x
		}
		if x, closed := high.(float64); closed {
			g.MeanFitness.Interval.High = x
		}
		return g, nil
	}, "SELECT position, "+generationColumns+" FROM generations WHERE run_id = ?1 AND behind <= ?2 "+order, o.search,
		o.questions)
}

// quick is how many evaluations of a tuning are ranked in a fifth of a second. Ranks of a shorter
// tuning are made when somebody looks, where the tables lag. Those of a longer one are as old as
// these. Tests lower it.
var quick = 20_000

// sizeOfTuning returns how many candidates and evaluations of tuning an ending has so far.
func sizeOfTuning(ctx context.Context, q querier, o owned) (candidates, evaluations int, err error) {
	err = q.QueryRowContext(ctx, `SELECT coalesce((SELECT max(c.id) % 1000000000 + 1 FROM candidates AS c
		WHERE c.id BETWEEN ?1 AND ?2), 0),
		coalesce((SELECT max(a.number) + 1 FROM asked AS a WHERE a.owner_id = ?3 AND a.number < ?4), 0)`,
		candidateID(o.search, 0), candidateID(o.search, o.candidates-1), o.search, o.questions).Scan(&candidates,
		&evaluations)
	return candidates, evaluations, err
}

// Sample returns candidates of a run's last stage of tuning, see summary.Sample.
func (r *Reader) Sample(ctx context.Context, run Run) (sample summary.Sample, err error) {
	err = r.Moment(ctx, func(now *Reader) error {
		sample, err = now.sample(ctx, run)
		return err
	})
	return sample, err
}

func (r *Reader) sample(ctx context.Context, run Run) (sample summary.Sample, err error) {
	var ranked, evaluations int
	var games int64
	o, err := readOwned(ctx, r.at, run.ID)
	if err == nil {
		_, evaluations, err = sizeOfTuning(ctx, r.at, o)
	}
	if err == nil {
		err = r.at.QueryRowContext(ctx, "SELECT ranked, ranked_games FROM endings WHERE id = ? UNION ALL SELECT 0, 0",
			run.ID).Scan(&ranked, &games)
	}
	if err == nil && (ranked >= evaluations || evaluations > quick) {
		sample.Fitness, err = collect(ctx, r.at, func(rows *sql.Rows) (one summary.Sampled, err error) {
			err = rows.Scan(&sample.Stage, &sample.Search, &sample.All, &one.Candidate, &one.Fitness)
			return one, err
		}, "SELECT stage, search, candidates, candidate_id % 1000000000, fitness_shrunk FROM samples "+
			"WHERE run_id = ? AND owner_id = ? ORDER BY position", o.search, o.ending)
	}
	if ranked < evaluations {
		sample.Games = games
	}
	if err == nil && len(sample.Fitness) == 0 && evaluations > 0 { // nobody has made it, or it is old
		made, err := r.figures(ctx, run, true)
		return made.sample, err
	}
	return sample, explain("read the sample of", r.path, err)
}

// objectiveOf is the objective that a text names. Another program's is taken for the mean score.
func objectiveOf(text string) fitness.Objective {
	o, err := config.ParseObjective(text)
	if err != nil {
		return fitness.MeanScore
	}
	return o
}

// Within a phase figures are written again after figuresPause, and after figuresShare times as long
// as the last writing took: they cost a run one part in a hundred at most.
const (
	figuresPause = time.Minute
	figuresShare = 100
)

// refresh writes a run's figures if they are due: with the first evaluations of a phase, which end
// the phase before, and now and then. The ranks of a long tuning are due less often.
func (s *Store) refresh(ctx context.Context, run int64, at experiments.Evaluation) error {
	phase := at.Phase
	if phase == experiments.PhaseCentre { // a look is a part of its stage, and a night has hundreds of them
		phase = experiments.PhaseTuning
	}
	h := s.begun[run]
	if h == nil || h.phase == phase && s.clock().Before(h.due) {
		return nil
	}
	long := phase == experiments.PhaseTuning && at.Number >= quick
	if h.phase == "" && long { // a run that goes on: its tables are there
		h.ranks = s.clock().Add(figuresPause)
	}
	h.phase = phase
	return s.writeFigures(ctx, run, !long || !s.clock().Before(h.ranks))
}

// allLooks is the look of all questions of a comparison: their figures have all games.
const allLooks = -1

// figures are the figures of an ending that tables have.
type figures struct {
	summary.Summary
	owned
	ranked  bool // with the ranks of tuning
	leaders []summary.Ranked
	sample  summary.Sample
	stay    int  // the table has so many generations; Generations are those behind them
	shorter bool // the tables have the tuning, or more of it
}

// figures makes the figures of an ending. The ranks of tuning need all of its evaluations. All else
// follows from the table generations and from what is behind it.
func (r *Reader) figures(ctx context.Context, run Run, ranked bool) (made figures, err error) {
	var again experiments.Again
	var known []experiments.Generation
	candidates := 0
	made.ranked = ranked
	if ranked {
		again = r.reread(ctx, run.ID, &err)
		candidates, _, err = sizeOfTuning(ctx, r.at, run.owned)
	} else {
		known, made.stay, err = r.lastGeneration(ctx, run.owned)
	}
	if err == nil {
		made.Summary, err = r.summary(ctx, run, known, again, nil, nil)
	}
	made.Generations = made.Generations[len(known):]
	if err != nil {
		return made, explain("read the records of", r.path, err)
	}
	made.leaders, made.sample = made.Leaderboard(again, candidates)
	return made, explain("read the leaders of", r.path, err)
}

// sound yields evaluations until there is an error.
func sound(all iter.Seq2[experiments.Evaluation, error], err *error) iter.Seq[experiments.Evaluation] {
	return func(yield func(experiments.Evaluation) bool) {
		for e, failed := range all {
			if failed != nil {
				*err = failed
				return
			}
			if !yield(e) {
				return
			}
		}
	}
}

// writeFigures writes the run's figures anew, with the ranks of tuning or without them. It has the
// ranks written once after the tuning: a night's tuning is not read again for each phase.
func (s *Store) writeFigures(ctx context.Context, run int64, ranked bool) error {
	began, h := s.clock(), s.begun[run]
	found, err := s.reader.Run(ctx, run)
	if err != nil {
		return err
	}
	found.Look = allLooks
	over := false // the tables have the ranks of a tuning that is over
	err = s.reader.db.QueryRowContext(ctx, `SELECT generations IS NOT NULL AND ranked >= questions AND EXISTS (SELECT 1
		FROM samples WHERE run_id = search_id AND owner_id = id)
		AND EXISTS (SELECT 1 FROM standings WHERE run_id = search_id AND owner_id = search_id) FROM endings
		WHERE id = ?`, run).Scan(&over)
	if err != nil {
		return explain("write the figures of a run in", s.path, err)
	}
	ranked = ranked && !(over && (h == nil || h.tuned || found.owned.questions > quick))
	var made figures
	var figured int64
	var hashed *searchHash
	err = s.reader.Moment(ctx, func(now *Reader) error {
		made, err = now.figures(ctx, found, ranked)
		if err != nil {
			return err
		}
		hashed, err = hashSearch(ctx, now.at, found.owned)
		if err != nil {
			return err
		}
		return now.at.QueryRowContext(ctx, `SELECT coalesce((SELECT max(number) FROM asked WHERE owner_id = e.id),
			(SELECT max(number) FROM asked WHERE owner_id = e.search_id AND number < e.questions), -1) + 1 FROM endings AS e
			WHERE e.id = ?`, run).Scan(&figured)
	})
	if err != nil {
		return err
	}
	err = s.commit(context.WithoutCancel(ctx), "write the figures of a run in",
		func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, "UPDATE endings SET figured_games = ?, figured = ? WHERE id = ?", made.Games, figured,
				run)
			if err == nil && (ranked || over || found.owned.search == 0) {
				_, err = tx.ExecContext(ctx, "UPDATE endings SET ranked_games = figured_games, ranked = figured WHERE id = ?", run)
			}
			if err == nil {
				made.owned, err = readOwned(ctx, tx, run)
			}
			if err == nil && made.search != 0 {
				err = hashed.keep(ctx, tx, made.search)
			}
			if err == nil {
				err = tx.QueryRowContext(ctx, "SELECT count(*) > ? FROM generations WHERE run_id = ?",
					made.stay+len(made.Generations), made.search).Scan(&made.shorter)
			}
			for _, table := range figureTables {
				err = cmp.Or(err, table.write(ctx, tx, made))
			}
			return err
		})
	if now := s.clock(); h != nil {
		pause := max(figuresPause, figuresShare*now.Sub(began))
		h.due = now.Add(pause)
		if ranked {
			h.ranks, h.due = h.due, now.Add(figuresPause)
			h.tuned = err == nil && found.Judged
		}
	}
	return err
}

// Behind returns the runs whose ranks are not of all their games: they go on, or their process was
// killed, or had no time for them. Of each it returns ID, Name, Status, Alive, and as Games how
// many games the ranks lag. A killed run that is still expected to end is one of them, too.
func (r *Reader) Behind(ctx context.Context) ([]Run, error) {
	all, err := readAll(ctx, r, "runs", func(rows *sql.Rows) (lag Run, err error) {
		err = rows.Scan(&lag.ID, &lag.owned.search, &lag.Name, &lag.Status, &lag.Games)
		lag.owned.ending = lag.ID
		lag.Alive = alive(lockPath(r.absolute, lag.owned.run()))
		return lag, err
	},
		"SELECT e.id, coalesce(e.search_id, 0), "+endingName+", e.status, "+gamesOfEnding+` - e.ranked_games AS lag
		FROM endings AS e LEFT JOIN searches AS s ON s.id = e.search_id WHERE e.status <> ? AND (lag <> 0
		OR e.expected_end IS NOT NULL)`, experiments.Finished)
	return slices.DeleteFunc(all, func(lag Run) bool { return lag.Alive && lag.Games == 0 }), err
}

// isLong reports whether it takes long to rank the tuning of a run.
func (s *Store) isLong(ctx context.Context, run int64) (bool, error) {
	o, err := readOwned(ctx, s.reader.db, run)
	evaluations := 0
	if err == nil {
		_, evaluations, err = sizeOfTuning(ctx, s.reader.db, o)
	}
	return evaluations > quick, explain("write the figures of a run in", s.path, err)
}

// Renew writes the figures of runs anew, but for a long tuning under way: who looks does not wait
// until it is ranked. A run that nobody works on is not expected to end.
func (s *Store) Renew(ctx context.Context, runs []Run) error {
	for _, run := range runs {
		lock, err := acquire(lockPath(s.absolute, run.owned.run()))
		if errors.Is(err, experiments.ErrBusy) {
			continue // its process writes them
		}
		if err == nil {
			var long bool
			var o owned
			long, err = s.isLong(ctx, run.ID)
			if err == nil {
				o, err = readOwned(ctx, s.reader.db, run.ID)
			}
			if err == nil && (!long || o.questions < candidatesPerOwner) {
				err = s.writeFigures(ctx, run.ID, !long)
			}
			if err == nil {
				_, err = s.writer.ExecContext(ctx, "UPDATE endings SET expected_end = NULL WHERE id = ?", run.ID)
				err = explain("write the figures of a run in", s.path, err)
			}
			err = errors.Join(err, lock.release())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// figureTable is a table of figures: the column of its owner, and those behind the position.
type figureTable struct {
	name, owner, columns string // owner: the column of an ending or a search, or run_id in a table of searches alone
	// The rows of the ending, and those of its search from a position on. nil: they stay as they are.
	rows func(s *figures) (own, tuned iter.Seq[[]any], from int)
}

const generationColumns = "stage, search, generation, candidates, games, played, mean, sd, best, worst, " +
	"mean_fitness, mean_fitness_ci_low, mean_fitness_ci_high, best_fitness, different, behind, shared, independent, " +
	"freedom"

var figureTables = []figureTable{
	{"standings", "owner_id", "phase, stage, search, rank, candidate_id, games, generations, mean_score, sd_score, " +
		"ci_low, ci_high, fitness, fitness_ci_low, fitness_ci_high, " +
		"fitness_shrunk, fitness_low, ranks, moves, nodes",
		func(s *figures) (own, tuned iter.Seq[[]any], from int) {
			rows := func(tuned bool) iter.Seq[[]any] {
				return func(yield func([]any) bool) {
					for _, f := range s.leaders {
						interval := s.Objective.ScoreInterval(f.Sample, experiments.Confidence)
						if (f.Phase == experiments.PhaseTuning) == tuned &&
							!yield([]any{f.Phase, f.Stage, f.Search, f.Rank, s.candidateID(f.Candidate),
								f.Score.N, f.Generations, f.Score.Mean, f.Score.SD(), lowEnd(interval), highEnd(interval),
								f.Fitness.Mean, lowEnd(f.Fit), highEnd(f.Fit), f.Shrunk, f.Lower, largest(f.Standing),
								orNull(f.Moves, 0), orNull(f.Nodes, 0)}) {
							return
						}
					}
				}
			}
			if s.ranked {
				tuned = rows(true)
			}
			return rows(false), tuned, 0
		}},
	{"samples", "owner_id", "stage, search, candidates, candidate_id, fitness_shrunk",
		func(s *figures) (own, tuned iter.Seq[[]any], from int) {
			if !s.ranked {
				return nil, nil, 0
			}
			return func(yield func([]any) bool) {
				for _, one := range s.sample.Fitness {
					if !yield([]any{s.sample.Stage, s.sample.Search, s.sample.All, s.candidateID(one.Candidate), one.Fitness}) {
						return
					}
				}
			}, nil, 0
		}},
	{"generations", "run_id", generationColumns,
		func(s *figures) (own, tuned iter.Seq[[]any], from int) {
			return nil, func(yield func([]any) bool) {
				for _, f := range s.Generations {
					if !yield([]any{f.Stage, f.Search, f.Number, f.Candidates, f.Games, f.Played, f.Mean, f.SD, f.Best, f.Worst,
						f.MeanFitness.Value, lowEnd(f.MeanFitness.Interval), highEnd(f.MeanFitness.Interval), f.BestFitness,
						f.Different, f.Behind, f.Cluster.Shared, f.Cluster.Independent, f.Cluster.Freedom}) {
						return
					}
				}
			}, s.stay
		}},
	{"tiles", "owner_id", "phase, search, candidate_id, tile, games, reached, ci_low, ci_high",
		func(s *figures) (own, tuned iter.Seq[[]any], from int) {
			return func(yield func([]any) bool) {
				for _, p := range s.Fresh() {
					for _, t := range p.Tiles {
						if !yield([]any{p.Standing.Phase, p.Search, s.candidateID(p.Candidate), t.Tile, p.Games, t.Reached, t.Low,
							t.High}) {
							return
						}
					}
				}
			}, nil, 0
		}},
}

// write replaces the rows of an ending in the table, and of its search, unless these are of more.
func (f *figureTable) write(ctx context.Context, tx *sql.Tx, s figures) error {
	own, tuned, from := f.rows(&s)
	err := f.replace(ctx, tx, s, s.ending, 0, own)
	if err == nil && s.search != 0 && !s.shorter {
		err = f.replace(ctx, tx, s, s.search, from, tuned)
	}
	return err
}

// replace replaces the rows of an owner from a position on.
func (f *figureTable) replace(ctx context.Context, tx *sql.Tx, s figures, owner int64, position int,
	rows iter.Seq[[]any]) error {
	if rows == nil {
		return nil
	}
	of, where, key := []any{s.run(), owner}, "run_id = ? AND owner_id = ?", "run_id, owner_id"
	if f.owner == "run_id" {
		of, where, key = of[:1], "run_id = ?", "run_id"
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM "+f.name+" WHERE "+where+" AND position >= ?",
		slices.Concat(of, []any{position})...); err != nil {
		return err
	}
	insertion := newInsertion(f.name, key+", position, "+f.columns, "")
	for row := range rows {
		if _, err := insertion.insert(ctx, tx, slices.Concat(of, []any{position}, row)); err != nil {
			return err
		}
		position++
	}
	return nil
}

// largest counts the games by their largest tile, as a JSON object by face, or NULL if that is not
// known.
func largest(s *experiments.Standing) any {
	if s.Untiled {
		return nil
	}
	counts := map[int]int32{}
	for rank, n := range s.Largest {
		if n > 0 {
			counts[1<<rank] = n
		}
	}
	text, _ := json.Marshal(counts) // never fails
	return string(text)
}
