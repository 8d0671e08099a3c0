package results

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
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
// the phase before, and now and then.
func (s *Store) refresh(ctx context.Context, run int64, phase string) error {
	h := s.begun[run]
	if h == nil || h.phase == phase && s.clock().Before(h.due) {
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
	err = s.commit(context.WithoutCancel(ctx), "write the figures of a run in",
		func(ctx context.Context, tx *sql.Tx) error {
			return putFigures(ctx, tx, run, figures)
		})
	if took := s.clock().Sub(began); s.begun[run] != nil {
		s.begun[run].due = s.clock().Add(max(figuresPause, figuresShare*took))
	}
	return err
}

const figureKinds = "('candidate', 'generation', 'tile')" // in this order

var figureInsertion = newInsertion("figures", "kind, run_id, position, phase, stage, search, generation, candidate_id, rank, tile, candidates, games, played, "+
	"generations, reached, mean_score, sd_score, ci_low, ci_high, best, worst, fitness, fitness_ci_low, fitness_ci_high, best_fitness, fitness_shrunk, fitness_low, ranks, moves, nodes", "")

func putFigures(ctx context.Context, tx *sql.Tx, run int64, s summary.Summary) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM figures WHERE run_id = ? AND kind IN "+figureKinds, run); err != nil {
		return err
	}
	var values []any
	for row := range figureRows(run, s) {
		if values = append(values, row...); len(values) >= 32*len(row) { // a few at a time: a night has millions
			if _, err := figureInsertion.insert(ctx, tx, values); err != nil {
				return err
			}
			values = values[:0]
		}
	}
	_, err := figureInsertion.insert(ctx, tx, values)
	return err
}

// figureRows yields the rows of a run's figures by kind and position, with figureInsertion's
// columns.
func figureRows(run int64, s summary.Summary) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for i, c := range s.Leaderboard() {
			low, high := ends(c.Interval())
			own := s.Objective.Interval(c.Sample, experiments.Confidence)
			fitnessLow, fitnessHigh := ends(own)
			if !yield([]any{"candidate", run, i, c.Phase, c.Stage, c.Search, nil, candidateID(run, c.Candidate),
				c.Rank, nil, nil, c.Score.N, nil,
				c.Generations, nil, c.Score.Mean, c.Score.SD(), low, high, nil, nil, c.Fitness.Mean, fitnessLow,
				fitnessHigh, nil, c.Shrunk, c.Lower,
				largest(c.Standing), orNull(c.Moves, 0), orNull(c.Nodes, 0)}) {
				return
			}
		}
		for i, g := range s.Generations {
			low, high := ends(g.MeanFitness.Interval) // open for single games
			if !yield([]any{"generation", run, i, experiments.PhaseTuning, g.Stage, g.Search, g.Number, nil,
				nil, nil, g.Candidates, g.Games, g.Played,
				nil, nil, g.Mean, g.SD, nil, nil, g.Best, g.Worst, g.MeanFitness.Value, low, high, g.BestFitness, nil,
				nil, nil, nil, nil}) {
				return
			}
		}
		tiles := 0
		for _, p := range s.Fresh() {
			for _, t := range p.Tiles {
				if !yield([]any{"tile", run, tiles, p.Standing.Phase, "", p.Search, nil,
					candidateID(run, p.Candidate), nil, t.Tile, nil, p.Games, nil,
					nil, t.Reached, nil, nil, t.Low, t.High, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil}) {
					return
				}
				tiles++
			}
		}
	}
}

// WrongFigures names the first figure of a run that its records do not give, to the bit. It is
// empty if there is none, and if the run has no figures at all.
func (r *Reader) WrongFigures(ctx context.Context, run Run) (wrong string, err error) {
	s, err := r.Summary(ctx, run, allLooks, nil, nil)
	if err != nil {
		return "", err
	}
	next, stop := iter.Pull(figureRows(run.ID, s))
	defer stop()
	rows := 0
	columns := figureInsertion.columns
	err = eachRow(ctx, r.at, fmt.Sprintf("SELECT %s FROM figures WHERE kind IN %s AND run_id = %d ORDER BY kind, position",
		strings.Join(columns, ", "), figureKinds, run.ID), func([]string) error { return nil }, func(stored []any) error {
		rows++
		found, more := next()
		if wrong != "" || !more {
			wrong = cmp.Or(wrong, fmt.Sprintf("figures: a row of kind %v more than there are", stored[0]))
			return nil
		}
		for i, x := range found {
			value, err := driver.DefaultParameterConverter.ConvertValue(x)
			if err != nil {
				return err
			}
			if value != stored[i] {
				wrong = fmt.Sprintf("figures: row %v of kind %v: %s is stored as %v, found %v", found[2], found[0], columns[i], stored[i], value)
				break
			}
		}
		return nil
	})
	if found, more := next(); more && wrong == "" && rows > 0 {
		wrong = fmt.Sprintf("figures: row %v of kind %v is missing", found[2], found[0])
	}
	return wrong, explain("read the figures of", r.path, err)
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
