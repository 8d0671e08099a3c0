package results

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"

	"tune2048/engine/eval"
	"tune2048/experiments"
)

// candidateID is the id of a run's candidate.
func candidateID(run int64, number int) int64 { return run*candidatesPerRun + int64(number) }

var (
	candidateInsertion = newInsertion("candidates",
		"id, run_id, number, generation, stage, origin, name, dead, play", "")
	weightInsertion = newInsertion("weights", "candidate_id, position, name, value", "")
)

// AddCandidates commits new candidates, all or none. A number that the run already has is an error;
// so are weights that are not finite.
func (s *Store) AddCandidates(ctx context.Context, run int64, candidates []experiments.Candidate) error {
	return s.record(ctx, run, "record candidates in", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		var rows, weights []any
		for _, c := range candidates {
			id := candidateID(run, c.Number)
			dead, err := formatDead(c.Dead)
			if err != nil {
				return false, fmt.Errorf("candidate %d: %w", c.Number, err)
			}
			for i, w := range c.Weights {
				weights = append(weights, id, i, w.Name, w.Value)
			}
			rows = append(rows, id, run, c.Number, c.Generation, c.Stage, c.Origin, c.Name, dead, c.PlayHash)
		}
		_, err := candidateInsertion.insert(ctx, tx, rows)
		if err == nil {
			_, err = weightInsertion.insert(ctx, tx, weights)
		}
		return len(candidates) > 0, err
	})
}

// Candidates implements [experiments.Store].
func (s *Store) Candidates(ctx context.Context, run int64, first, last int) ([]experiments.Candidate, error) {
	return s.reader.Candidates(ctx, run, first, last)
}

// candidatesOf reads the candidates that satisfy a condition, by id, with their weights in order.
func candidatesOf(ctx context.Context, q querier, condition string, args ...any) (all []experiments.Candidate, err error) {
	var texts held
	for c, err := range each(ctx, q, scanWeight, `SELECT c.number, c.generation, c.stage, c.origin, c.name, c.dead, c.play, w.name, w.value
		FROM candidates AS c LEFT JOIN weights AS w ON w.candidate_id = c.id
		WHERE `+condition+" ORDER BY c.id, w.position", args...) {
		if err != nil {
			return nil, err
		}
		if err := texts.add(c.Stage, c.Origin, c.Name, c.PlayHash); err != nil {
			return nil, err
		}
		for _, w := range c.Weights {
			if err := texts.add(w.Name); err != nil {
				return nil, err
			}
		}
		if last := len(all) - 1; last >= 0 && all[last].Number == c.Number {
			all[last].Weights = append(all[last].Weights, c.Weights...)
		} else {
			all = append(all, c)
		}
	}
	return all, nil
}

// scanWeight reads a candidate with one of its weights, if it has any.
func scanWeight(rows *sql.Rows) (c experiments.Candidate, err error) {
	var dead string
	var name sql.NullString
	var value sql.NullFloat64
	if err = rows.Scan(&c.Number, &c.Generation, &c.Stage, &c.Origin, &c.Name, &dead, &c.PlayHash, &name, &value); err != nil {
		return c, err
	}
	if name.Valid {
		c.Weights = []experiments.Weight{{Name: name.String, Value: value.Float64}}
	}
	if c.Dead, err = parseDead(dead); err != nil {
		err = fmt.Errorf("candidate %d: %w", c.Number, err)
	}
	return c, err
}

// deadWorst is how candidates.dead says eval.Dead.Worst.
const deadWorst = "worst"

func formatDead(d eval.Dead) (string, error) {
	if d.Worst {
		return deadWorst, nil
	}
	return strconv.FormatFloat(d.Value, 'g', -1, 64), finite("dead", d.Value)
}

func parseDead(text string) (eval.Dead, error) {
	if text == deadWorst {
		return eval.Dead{Worst: true}, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || finite("dead", v) != nil {
		return eval.Dead{}, fmt.Errorf("%w: dead: want worst or a number, got %q", ErrDamaged, text)
	}
	return eval.Dead{Value: v}, nil
}
