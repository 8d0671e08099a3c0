package results

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"iter"
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
	err = r.Moment(ctx, func(now *Reader) error {
		made, err := comparisons(ctx, now.at, run.ID)
		if err != nil {
			return err
		}
		run.Look = look
		return evaluations(ctx, now.at, figuredColumns, run.ID, "", func(all iter.Seq[experiments.Evaluation]) {
			s = summary.Summarize(run.Run, config, candidates, all, made)
		})
	})
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

// Figures are written again after figuresPause, and after figuresShare times as long as the last
// writing took: they cost a run one part in a hundred at most.
const (
	figuresPause = time.Minute
	figuresShare = 100
)

// refresh writes a run's figures if they are due: with the first evaluations of a phase, which end
// the phase before, and now and then. After a night that waits for its turn.
func (s *Store) refresh(ctx context.Context, run int64, phase string) error {
	h := s.begun[run]
	if h == nil || s.clock().Before(h.free) || h.phase == phase && s.clock().Before(h.due) {
		return nil
	}
	h.phase = phase
	return s.writeFigures(ctx, run)
}

// allLooks is the look of all questions of a comparison: their figures have all games.
const allLooks = -1

// writeFigures writes the run's figures anew.
func (s *Store) writeFigures(ctx context.Context, run int64) error {
	began := s.clock()
	found, err := s.reader.Run(ctx, run)
	if err != nil {
		return err
	}
	figures, err := s.reader.Summary(ctx, found, allLooks, nil, nil)
	if err != nil {
		return err
	}
	err = s.commit(context.WithoutCancel(ctx), "write the figures of a run in", func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE runs SET figured_games = ? WHERE id = ?", figures.Games, run)
		return cmp.Or(err, standings.write(ctx, tx, run, figures.Leaderboard()),
			generations.write(ctx, tx, run, figures.Generations), tiles.write(ctx, tx, run, tilesOf(figures)))
	})
	if h, took := s.begun[run], s.clock().Sub(began); h != nil {
		h.free, h.due = s.clock().Add(figuresShare*took), s.clock().Add(max(figuresPause, figuresShare*took))
	}
	return err
}

// Behind returns the names of runs that nobody works on and whose figures are not of all their
// games: their process was killed. It also returns how many games these lag in all.
func (r *Reader) Behind(ctx context.Context) (names []string, games int64, err error) {
	type lag struct {
		id    int64
		name  string
		games int64
	}
	all, err := readAll(ctx, r, "runs", func(rows *sql.Rows) (l lag, err error) { return l, rows.Scan(&l.id, &l.name, &l.games) },
		`SELECT r.id, r.name, coalesce((SELECT sum(a.games) FROM asked AS a WHERE a.run_id = r.id), 0) - r.figured_games AS lag
			FROM runs AS r WHERE r.status <> ? AND lag <> 0`, experiments.Finished)
	for _, l := range all {
		if !alive(lockPath(r.absolute, l.id)) {
			names, games = append(names, l.name), games+l.games
		}
	}
	return names, games, err
}

// Renew writes the figures of the runs of these names anew.
func (s *Store) Renew(ctx context.Context, names []string) error {
	for _, name := range names {
		run, err := s.reader.Find(ctx, name)
		if err != nil {
			return err
		}
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

// figureTable is a table of figures: its columns behind the run and the position, and their values
// for a row.
type figureTable[T any] struct {
	table, columns string
	values         func(run int64, row T) []any
}

var standings = figureTable[summary.Ranked]{"standings",
	"phase, stage, search, rank, candidate_id, games, generations, mean_score, sd_score, " +
		"ci_low, ci_high, fitness, fitness_ci_low, fitness_ci_high, " +
		"fitness_shrunk, fitness_low, ranks, moves, nodes",
	func(run int64, f summary.Ranked) []any {
		interval := f.Interval()
		return []any{f.Phase, f.Stage, f.Search, f.Rank, candidateID(run, f.Candidate),
			f.Score.N, f.Generations, f.Score.Mean, f.Score.SD(), lowEnd(interval), highEnd(interval),
			f.Fitness.Mean, lowEnd(f.Fit), highEnd(f.Fit), f.Shrunk, f.Lower, largest(f.Standing),
			orNull(f.Moves, 0), orNull(f.Nodes, 0)}
	}}

var generations = figureTable[summary.Generation]{"generations",
	"stage, search, generation, candidates, games, played, mean, sd, best, worst, " +
		"mean_fitness, mean_fitness_ci_low, mean_fitness_ci_high, best_fitness",
	func(_ int64, f summary.Generation) []any {
		fitness := f.MeanFitness
		return []any{f.Stage, f.Search, f.Number, f.Candidates, f.Games, f.Played, f.Mean, f.SD, f.Best, f.Worst,
			fitness.Value, lowEnd(fitness.Interval), highEnd(fitness.Interval), f.BestFitness}
	}}

var tiles = figureTable[tile]{"tiles", "phase, search, candidate_id, tile, games, reached, ci_low, ci_high",
	func(run int64, f tile) []any {
		return []any{f.Standing.Phase, f.Search, candidateID(run, f.Candidate), f.Tile, f.Games, f.Reached, f.Low, f.High}
	}}

// tile is how often a player reaches a tile.
type tile struct {
	summary.Player
	summary.TileShare
}

func tilesOf(s summary.Summary) (all []tile) {
	for _, p := range s.Fresh() {
		for _, share := range p.Tiles {
			all = append(all, tile{p, share})
		}
	}
	return all
}

// write replaces a run's rows of the table.
func (f *figureTable[T]) write(ctx context.Context, tx *sql.Tx, run int64, rows []T) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM "+f.table+" WHERE run_id = ?", run); err != nil {
		return err
	}
	insertion := newInsertion(f.table, "run_id, position, "+f.columns, "")
	for position, row := range rows {
		values := append([]any{run, position}, f.values(run, row)...)
		if _, err := insertion.insert(ctx, tx, values); err != nil {
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
