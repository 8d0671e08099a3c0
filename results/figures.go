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
	"tune2048/experiments/summary"
)

// Summary makes the figures of a run out of its records, see summary.Summarize. A comparison
// answers the question with this look, or the last one if it is 0. The names and weights are of
// these candidates.
func (r *Reader) Summary(ctx context.Context, run Run, look int, config *config.Config,
	candidates []experiments.Candidate) (s summary.Summary, err error) {
	run.Look = look
	err = r.Moment(ctx, func(now *Reader) error {
		s, err = now.summarize(ctx, run, "", config, candidates)
		return err
	})
	return s, err
}

// Tuned returns estimates of some candidates of a summary's last stage of tuning.
func (r *Reader) Tuned(ctx context.Context, run Run, s summary.Summary, wanted func(candidate int) bool) (t summary.Tuned, err error) {
	t = s.Tuned(r.again(ctx, run.ID, &err), wanted)
	return t, explain("read the tuning of", r.path, err)
}

// summarize makes the figures of a run out of its records of one phase, or of all.
func (r *Reader) summarize(ctx context.Context, run Run, phase string, config *config.Config,
	candidates []experiments.Candidate) (s summary.Summary, err error) {
	made, err := comparisons(ctx, r.at, run.ID)
	if err == nil {
		s = summary.Summarize(run.Run, config, candidates, sound(evaluations(ctx, r.at, figuredColumns, run.ID, phase), &err), r.again(ctx, run.ID, &err), made)
	}
	return s, explain("read the records of", r.path, err)
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
// the phase before, and now and then.
func (s *Store) refresh(ctx context.Context, run int64, phase string) error {
	if phase == experiments.PhaseCentre { // a look is a part of its stage, and a night has hundreds of them
		phase = experiments.PhaseTuning
	}
	h := s.begun[run]
	if h == nil || h.phase == phase && s.clock().Before(h.due) {
		return nil
	}
	h.phase = phase
	return s.writeFigures(ctx, run)
}

// allLooks is the look of all questions of a comparison: their figures have all games.
const allLooks = -1

// figures are the figures of an ending that tables have.
type figures struct {
	summary.Summary
	owned
	leaders []summary.Ranked
	shorter bool // the tables have the tuning, or more of it
}

// figures makes the figures of an ending: of its own evaluations alone where the tables have those
// of its tuning. The leaders of tuning need their evaluations again.
func (r *Reader) figures(ctx context.Context, run Run, tuned bool) (made figures, err error) {
	if made.shorter = tuned; tuned {
		var games int64
		err = r.at.QueryRowContext(ctx, "SELECT CAST(total(games) AS INTEGER) FROM asked WHERE owner_id = ? AND number < ?",
			run.owned.search, run.owned.questions).Scan(&games)
		var compared []experiments.Comparison
		if err == nil {
			compared, err = comparisons(ctx, r.at, run.ID)
		}
		if err == nil {
			made.Summary = summary.Summarize(run.Run, nil, nil,
				sound(evaluationsOf(ctx, r.at, figuredColumns, run.ID, run.owned.questions, candidatesPerOwner, ""), &err), r.again(ctx, run.ID, &err), compared)
		}
		made.Games += games
	} else {
		made.Summary, err = r.summarize(ctx, run, "", nil, nil)
	}
	if err != nil {
		return made, explain("read the records of", r.path, err)
	}
	made.leaders = made.Leaderboard(r.again(ctx, run.ID, &err))
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

// writeFigures writes the run's figures anew.
func (s *Store) writeFigures(ctx context.Context, run int64) error {
	began, h := s.clock(), s.begun[run]
	found, err := s.reader.Run(ctx, run)
	if err != nil {
		return err
	}
	found.Look = allLooks
	var made figures
	var figured int64
	var hashed *searchHash
	err = s.reader.Moment(ctx, func(now *Reader) error {
		// A night's tuning is not read again for each phase that follows it.
		if made, err = now.figures(ctx, found, h != nil && h.tuned && found.Judged); err != nil {
			return err
		}
		if hashed, err = hashSearch(ctx, now.at, found.owned); err != nil {
			return err
		}
		return now.at.QueryRowContext(ctx, `SELECT coalesce((SELECT max(number) FROM asked WHERE owner_id = e.id),
			(SELECT max(number) FROM asked WHERE owner_id = e.search_id AND number < e.questions), -1) + 1 FROM endings AS e WHERE e.id = ?`, run).Scan(&figured)
	})
	if err != nil {
		return err
	}
	err = s.commit(context.WithoutCancel(ctx), "write the figures of a run in", func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE endings SET figured_games = ?, figured = ? WHERE id = ?", made.Games, figured, run)
		if err == nil {
			made.owned, err = readOwned(ctx, tx, run)
		}
		if err == nil && made.search != 0 {
			err = hashed.keep(ctx, tx, made.search)
		}
		if err == nil && !made.shorter {
			err = tx.QueryRowContext(ctx, "SELECT count(*) > ? FROM generations WHERE run_id = ?", len(made.Generations), made.search).Scan(&made.shorter)
		}
		for _, table := range figureTables {
			err = cmp.Or(err, table.write(ctx, tx, made))
		}
		return err
	})
	if took := s.clock().Sub(began); h != nil {
		h.due, h.tuned = s.clock().Add(max(figuresPause, figuresShare*took)), err == nil && found.Judged
	}
	return err
}

// Behind returns the runs that nobody works on and whose figures are not of all their games: their
// process was killed. Of each it returns ID, Name, and as Games how many games the figures lag.
func (r *Reader) Behind(ctx context.Context) ([]Run, error) {
	all, err := readAll(ctx, r, "runs", func(rows *sql.Rows) (lag Run, err error) {
		err = rows.Scan(&lag.ID, &lag.owned.search, &lag.Name, &lag.Games)
		lag.owned.ending = lag.ID
		return lag, err
	},
		"SELECT e.id, coalesce(e.search_id, 0), "+endingName+", "+gamesOfEnding+` - e.figured_games AS lag
		FROM endings AS e LEFT JOIN searches AS s ON s.id = e.search_id WHERE e.status <> ? AND lag <> 0`, experiments.Finished)
	return slices.DeleteFunc(all, func(lag Run) bool { return alive(lockPath(r.absolute, lag.owned.run())) }), err
}

// Renew writes the figures of runs anew.
func (s *Store) Renew(ctx context.Context, runs []Run) error {
	for _, run := range runs {
		lock, err := acquire(lockPath(s.absolute, run.owned.run()))
		if errors.Is(err, experiments.ErrBusy) {
			continue // its process writes them
		}
		if err == nil {
			err = errors.Join(s.writeFigures(ctx, run.ID), lock.release())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// figureTable is a table of figures: the column of its owner, the columns behind that
// and the position, and the values of its rows. The figures of a tuning belong to the search.
type figureTable struct {
	name, owner, columns string
	tuning               func(row []any) bool
	rows                 func(s figures) [][]any
}

var figureTables = []figureTable{
	{"standings", "owner_id", "run_id, phase, stage, search, rank, candidate_id, games, generations, mean_score, sd_score, " +
		"ci_low, ci_high, fitness, fitness_ci_low, fitness_ci_high, " +
		"fitness_shrunk, fitness_low, ranks, moves, nodes",
		func(row []any) bool { return row[1] == experiments.PhaseTuning },
		func(s figures) (rows [][]any) {
			for _, f := range s.leaders {
				interval := s.Objective.ScoreInterval(f.Sample, experiments.Confidence)
				rows = append(rows, []any{s.run(), f.Phase, f.Stage, f.Search, f.Rank, s.candidateID(f.Candidate),
					f.Score.N, f.Generations, f.Score.Mean, f.Score.SD(), lowEnd(interval), highEnd(interval),
					f.Fitness.Mean, lowEnd(f.Fit), highEnd(f.Fit), f.Shrunk, f.Lower, largest(f.Standing),
					orNull(f.Moves, 0), orNull(f.Nodes, 0)})
			}
			return rows
		}},
	{"generations", "run_id", "stage, search, generation, candidates, games, played, mean, sd, best, worst, " +
		"mean_fitness, mean_fitness_ci_low, mean_fitness_ci_high, best_fitness",
		func([]any) bool { return true },
		func(s figures) (rows [][]any) {
			for _, f := range s.Generations {
				fitness := f.MeanFitness
				rows = append(rows, []any{f.Stage, f.Search, f.Number, f.Candidates, f.Games, f.Played, f.Mean, f.SD, f.Best, f.Worst,
					fitness.Value, lowEnd(fitness.Interval), highEnd(fitness.Interval), f.BestFitness})
			}
			return rows
		}},
	{"tiles", "owner_id", "run_id, phase, search, candidate_id, tile, games, reached, ci_low, ci_high",
		func([]any) bool { return false },
		func(s figures) (rows [][]any) {
			for _, p := range s.Fresh() {
				for _, t := range p.Tiles {
					rows = append(rows, []any{s.run(), p.Standing.Phase, p.Search, s.candidateID(p.Candidate), t.Tile, p.Games, t.Reached, t.Low, t.High})
				}
			}
			return rows
		}},
}

// write replaces the rows of an ending in the table, and of its search, unless these are of more.
func (f *figureTable) write(ctx context.Context, tx *sql.Tx, s figures) error {
	tuned := s.search
	if s.shorter {
		tuned = 0
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM "+f.name+" WHERE run_id = ? AND "+f.owner+" IN (?, ?)", s.run(), s.ending, tuned); err != nil {
		return err
	}
	insertion := newInsertion(f.name, f.owner+", position, "+f.columns, "")
	positions := map[int64]int{} // by owner, so that neither depends on the other
	for _, row := range f.rows(s) {
		owner := s.ending
		if f.tuning(row) {
			owner = tuned
		}
		if owner == 0 {
			continue
		}
		if _, err := insertion.insert(ctx, tx, append([]any{owner, positions[owner]}, row...)); err != nil {
			return err
		}
		positions[owner]++
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
