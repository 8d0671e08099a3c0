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

// Tuned returns estimates of some candidates of a summary's last stage of tuning, and its leader.
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

// figures are the figures of a run that tables have.
type figures struct {
	summary.Summary
	leaders []summary.Ranked
}

// figures makes the figures of a run. Those of the leaders of tuning need their evaluations again.
func (r *Reader) figures(ctx context.Context, run Run) (made figures, err error) {
	if made.Summary, err = r.summarize(ctx, run, "", nil, nil); err != nil {
		return made, err
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
	began := s.clock()
	found, err := s.reader.Run(ctx, run)
	if err != nil {
		return err
	}
	found.Look = allLooks
	var made figures
	var figured int64
	err = s.reader.Moment(ctx, func(now *Reader) error {
		if made, err = now.figures(ctx, found); err != nil {
			return err
		}
		return now.at.QueryRowContext(ctx, "SELECT coalesce(max(number) + 1, 0) FROM asked WHERE run_id = ?", run).Scan(&figured)
	})
	if err != nil {
		return err
	}
	err = s.commit(context.WithoutCancel(ctx), "write the figures of a run in", func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE runs SET figured_games = ?, figured = ? WHERE id = ?", made.Games, figured, run)
		for _, table := range figureTables {
			err = cmp.Or(err, table.write(ctx, tx, run, made))
		}
		return err
	})
	if h, took := s.begun[run], s.clock().Sub(began); h != nil {
		h.due = s.clock().Add(max(figuresPause, figuresShare*took))
	}
	return err
}

// Behind returns the runs that nobody works on and whose figures are not of all their games: their
// process was killed. Of each it returns ID, Name, and as Games how many games the figures lag.
func (r *Reader) Behind(ctx context.Context) ([]Run, error) {
	all, err := readAll(ctx, r, "runs", func(rows *sql.Rows) (lag Run, err error) { return lag, rows.Scan(&lag.ID, &lag.Name, &lag.Games) },
		"SELECT id, name, "+gamesOfRun+" - figured_games AS lag FROM runs WHERE status <> ? AND lag <> 0", experiments.Finished)
	return slices.DeleteFunc(all, func(lag Run) bool { return alive(lockPath(r.absolute, lag.ID)) }), err
}

// Renew writes the figures of runs anew.
func (s *Store) Renew(ctx context.Context, runs []Run) error {
	for _, run := range runs {
		lock, err := acquire(lockPath(s.absolute, run.ID))
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

// figureTable is a table of figures: its columns behind the run and the position, and the values of
// its rows.
type figureTable struct {
	name, columns string
	rows          func(run int64, s figures) [][]any
}

var figureTables = []figureTable{
	{"standings", "phase, stage, search, rank, candidate_id, games, generations, mean_score, sd_score, " +
		"ci_low, ci_high, fitness, fitness_ci_low, fitness_ci_high, " +
		"fitness_shrunk, fitness_low, ranks, moves, nodes",
		func(run int64, s figures) (rows [][]any) {
			for _, f := range s.leaders {
				interval := s.Objective.ScoreInterval(f.Sample, experiments.Confidence)
				rows = append(rows, []any{f.Phase, f.Stage, f.Search, f.Rank, candidateID(run, f.Candidate),
					f.Score.N, f.Generations, f.Score.Mean, f.Score.SD(), lowEnd(interval), highEnd(interval),
					f.Fitness.Mean, lowEnd(f.Fit), highEnd(f.Fit), f.Shrunk, f.Lower, largest(f.Standing),
					orNull(f.Moves, 0), orNull(f.Nodes, 0)})
			}
			return rows
		}},
	{"generations", "stage, search, generation, candidates, games, played, mean, sd, best, worst, " +
		"mean_fitness, mean_fitness_ci_low, mean_fitness_ci_high, best_fitness",
		func(_ int64, s figures) (rows [][]any) {
			for _, f := range s.Generations {
				fitness := f.MeanFitness
				rows = append(rows, []any{f.Stage, f.Search, f.Number, f.Candidates, f.Games, f.Played, f.Mean, f.SD, f.Best, f.Worst,
					fitness.Value, lowEnd(fitness.Interval), highEnd(fitness.Interval), f.BestFitness})
			}
			return rows
		}},
	{"tiles", "phase, search, candidate_id, tile, games, reached, ci_low, ci_high",
		func(run int64, s figures) (rows [][]any) {
			for _, p := range s.Fresh() {
				for _, t := range p.Tiles {
					rows = append(rows, []any{p.Standing.Phase, p.Search, candidateID(run, p.Candidate), t.Tile, p.Games, t.Reached, t.Low, t.High})
				}
			}
			return rows
		}},
}

// write replaces a run's rows of the table.
func (f *figureTable) write(ctx context.Context, tx *sql.Tx, run int64, s figures) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM "+f.name+" WHERE run_id = ?", run); err != nil {
		return err
	}
	insertion := newInsertion(f.name, "run_id, position, "+f.columns, "")
	for position, row := range f.rows(run, s) {
		if _, err := insertion.insert(ctx, tx, append([]any{run, position}, row...)); err != nil {
			return err
		}
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
