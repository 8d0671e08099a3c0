package results

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"tune2048/engine/eval"
	"tune2048/experiments"
)

var candidateInsertion = newInsertion("candidates",
	"id, run_id, number, generation, stage, origin, name, dead, play, names, weights", "")

// namesOfFirst are the names of the weights of candidate 0 of a run: the candidates of a run mostly
// have the same. %s is the run.
const namesOfFirst = "(SELECT f.names FROM candidates AS f WHERE f.id = %s * 1000000000)"

// AddCandidates commits new candidates, all or none. A number that the run already has is an error;
// so are weights that are not finite.
func (s *Store) AddCandidates(ctx context.Context, run int64, candidates []experiments.Candidate) error {
	return s.record(ctx, run, "record candidates in", func(ctx context.Context, tx *sql.Tx) (bool, error) {
		var common string
		err := tx.QueryRowContext(ctx, "SELECT coalesce("+fmt.Sprintf(namesOfFirst, "?")+", '')",
			s.begun[run].run()).Scan(&common)
		if err != nil {
			return false, err
		}
		var rows []any
		for _, c := range candidates {
			dead, err := formatDead(c.Dead)
			if err != nil {
				return false, fmt.Errorf("candidate %d: %w", c.Number, err)
			}
			names, weights, err := formatWeights(c.Weights)
			if err != nil {
				return false, fmt.Errorf("candidate %d: %w", c.Number, err)
			}
			own := orNull(names, common)
			if c.Number == experiments.StartNumber {
				own, common = names, names
			}
			rows = append(rows, s.begun[run].candidateID(c.Number), s.begun[run].run(), c.Number, c.Generation, c.Stage,
				c.Origin, c.Name, dead, c.PlayHash, own, weights)
		}
		_, err = candidateInsertion.insert(ctx, tx, rows)
		return len(candidates) > 0, err
	})
}

// formatWeights returns the names of weights and their values as JSON lists.
func formatWeights(weights []experiments.Weight) (names, values string, err error) {
	all, text := make([]string, len(weights)), []byte{'['}
	for i, w := range weights {
		if err := finite("weight "+w.Name, w.Value); err != nil {
			return "", "", err
		}
		all[i] = w.Name
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, decimal(w.Value)...)
	}
	var list bytes.Buffer
	to := json.NewEncoder(&list)
	to.SetEscapeHTML(false)
	err = to.Encode(all)
	return strings.TrimSpace(list.String()), string(append(text, ']')), err
}

// decimal is the shortest text of a number that reads back as the same bits. SQL and JSON take it
// for no whole number.
func decimal(x float64) string {
	text := strconv.FormatFloat(x+0, 'g', -1, 64) // no -0
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// parseWeights reads what formatWeights wrote. Numbers are read by the package that wrote them:
// SQLite may miss the last bit.
func parseWeights(names []string, values string) (weights []experiments.Weight, err error) {
	inside, opened := strings.CutPrefix(values, "[")
	inside, closed := strings.CutSuffix(inside, "]")
	sound := opened && closed
	for more := inside != ""; more && sound; {
		var part string
		part, inside, more = strings.Cut(inside, ",")
		x, wrong := strconv.ParseFloat(part, 64)
		sound = wrong == nil && finite("weight", x) == nil && len(weights) < len(names)
		if sound {
			weights = append(weights, experiments.Weight{Name: names[len(weights)], Value: x})
		}
	}
	if !sound || len(weights) != len(names) {
		return nil, fmt.Errorf("%w: want a list of weights with %d names, got %.200s", ErrDamaged, len(names), values)
	}
	return weights, nil
}

// Candidates implements [experiments.Store].
func (s *Store) Candidates(ctx context.Context, run int64, first, last int) ([]experiments.Candidate, error) {
	return s.reader.Candidates(ctx, run, first, last)
}

// candidatesOf reads the candidates that satisfy a condition, by id, with their weights in order.
func candidatesOf(ctx context.Context, q querier, condition string, args ...any) (all []experiments.Candidate,
	err error) {
	var texts held
	for c, err := range eachCandidate(ctx, q, condition, args...) {
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
		all = append(all, c)
	}
	return all, nil
}

// eachCandidate yields the candidates that satisfy a condition, by id. An error is the last thing
// it yields.
func eachCandidate(ctx context.Context, q querier, condition string, args ...any) iter.Seq2[experiments.Candidate,
	error] {
	var list string // of the last one
	var names []string
	scan := func(rows *sql.Rows) (c experiments.Candidate, err error) {
		var dead, own, values string
		err = rows.Scan(&c.Number, &c.Generation, &c.Stage, &c.Origin, &c.Name, &dead, &c.PlayHash, &own, &values)
		if err != nil {
			return c, err
		}
		if own != list {
			names = nil
			list = own
			if json.Unmarshal([]byte(own), &names) != nil {
				names = nil // of which there are none to the values
			}
		}
		c.Dead, err = parseDead(dead)
		if err == nil {
			c.Weights, err = parseWeights(names, values)
		}
		if err != nil {
			err = fmt.Errorf("candidate %d: %w", c.Number, err)
		}
		return c, err
	}
	return each(ctx, q, scan, "SELECT c.number, c.generation, c.stage, c.origin, c.name, c.dead, c.play, "+
		"coalesce(c.names, "+
		fmt.Sprintf(namesOfFirst, "c.run_id")+", '[]'), c.weights FROM candidates AS c WHERE "+condition+" ORDER BY c.id",
		args...)
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
