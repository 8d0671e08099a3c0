package results

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"slices"
)

// canon is a stream of facts that is the same whenever the facts are: every text has its length
// before it, every number has eight bytes, a float its bits.
type canon struct {
	sum hash.Hash
	buf []byte
}

func (c *canon) add(facts ...any) {
	c.buf = c.buf[:0]
	for _, fact := range facts {
		switch f := fact.(type) {
		case string:
			c.buf = append(binary.BigEndian.AppendUint64(c.buf, uint64(len(f))), f...)
		case int:
			c.buf = binary.BigEndian.AppendUint64(c.buf, uint64(f))
		case int64:
			c.buf = binary.BigEndian.AppendUint64(c.buf, uint64(f))
		case float64:
			c.buf = binary.BigEndian.AppendUint64(c.buf, math.Float64bits(f))
		default:
			c.buf = fmt.Append(c.buf, f) // somebody changed the file: no column has another type
		}
	}
	c.sum.Write(c.buf)
}

// fingerprint is the SHA-256 of everything that the run found: kind, objective, seed and signature,
// its candidates, evaluations, comparisons and champion, each in an order of its own. How the run
// was asked for has no part in it: neither its config nor a limit such as -for. Nor have its name,
// ids, times, status, workers, rows of games, and figures.
func fingerprint(ctx context.Context, q querier, run int64) (string, error) {
	c := &canon{sum: sha256.New()}
	c.add("tune2048 results 4")
	err := cmp.Or(
		c.rows(ctx, q, run, 0, "SELECT 'run', kind, objective, signature, seed, coalesce(champion_id % 10000000, -1) FROM runs WHERE id = ?"),
		c.rows(ctx, q, run, 9, `SELECT 'candidate', c.origin, c.name, c.stage, c.dead, c.play, c.number, c.generation,
			(SELECT count(*) FROM weights AS v WHERE v.candidate_id = c.id), w.name, w.value
			FROM candidates AS c LEFT JOIN weights AS w ON w.candidate_id = c.id
			WHERE c.id BETWEEN ?1 * 10000000 AND ?1 * 10000000 + 9999999 ORDER BY c.id, w.position`),
		c.evaluations(ctx, q, run),
		// An open end of an interval is infinite.
		c.rows(ctx, q, run, 0, `SELECT 'comparison', phase, search, objective, question, verdict, candidate_id - run_id * 10000000,
			baseline_id - run_id * 10000000, games, baseline_games, look, coalesce(more_games, 0), difference, coalesce(ratio, 9e999),
			confidence, smallest_difference, p, p_adjusted, level, coalesce(ci_low, -9e999), coalesce(ci_high, 9e999),
			coalesce(ratio_ci_low, -9e999), coalesce(ratio_ci_high, 9e999) FROM comparisons WHERE run_id = ? ORDER BY `+comparisonKey))
	return hex.EncodeToString(c.sum.Sum(nil)), err
}

// rows adds the rows of a query. Of rows that have their first columns in common, it adds these
// once.
func (c *canon) rows(ctx context.Context, q querier, run int64, common int, query string) error {
	var last []any
	for row, err := range each(ctx, q, scanRow, query, run) {
		if err != nil {
			return err
		}
		if common == 0 || !slices.Equal(row[:common], last) {
			last = row[:common]
			c.add(last...)
		}
		if row[len(row)-1] != nil { // a candidate without weights
			c.add(row[common:]...)
		}
	}
	return nil
}

func (c *canon) evaluations(ctx context.Context, q querier, run int64) error {
	for e, err := range evaluations(ctx, q, detailedColumns, run, "") {
		if err != nil {
			return err
		}
		c.add("evaluation", e.Phase, e.Stage, e.Search, e.Key, e.Number, e.Generation, e.Round, e.Candidate,
			e.First, e.Moves, e.Nodes, len(e.Scores))
		for i, score := range e.Scores {
			c.add(score, int(e.Each[i].Rank), e.Each[i].Moves, e.Each[i].Nodes)
		}
		if e.Failure != "" {
			c.add(e.Fault())
		}
	}
	return nil
}
