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
		c.rows(ctx, q, run, "SELECT 'run', kind, objective, signature, seed, coalesce(champion_id % 10000000, -1) FROM runs WHERE id = ?"),
		c.candidates(ctx, q, run),
		c.evaluations(ctx, q, run),
		// An open end of an interval is infinite.
		c.rows(ctx, q, run, `SELECT 'comparison', phase, search, objective, question, verdict, candidate_id - run_id * 10000000,
			baseline_id - run_id * 10000000, games, baseline_games, look, coalesce(more_games, 0), difference, coalesce(ratio, 9e999),
			confidence, smallest_difference, p, p_adjusted, level, coalesce(ci_low, -9e999), coalesce(ci_high, 9e999),
			coalesce(ratio_ci_low, -9e999), coalesce(ratio_ci_high, 9e999) FROM comparisons WHERE run_id = ? ORDER BY `+comparisonKey))
	return hex.EncodeToString(c.sum.Sum(nil)), err
}

// rows adds the rows of a query.
func (c *canon) rows(ctx context.Context, q querier, run int64, query string) error {
	for row, err := range each(ctx, q, scanRow, query, run) {
		if err != nil {
			return err
		}
		c.add(row...)
	}
	return nil
}

func (c *canon) candidates(ctx context.Context, q querier, run int64) error {
	for one, err := range eachCandidate(ctx, q, "c.id BETWEEN ? AND ?", candidateID(run, 0), candidateID(run+1, 0)-1) {
		if err != nil {
			return err
		}
		dead, _ := formatDead(one.Dead) // it was read
		c.add("candidate", one.Origin, one.Name, one.Stage, dead, one.PlayHash, one.Number, one.Generation,
			len(one.Weights))
		for _, w := range one.Weights {
			c.add(w.Name, w.Value)
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
