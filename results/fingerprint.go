package results

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"iter"
	"math"

	"tune2048/experiments"
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
			panic(fmt.Sprintf("a fact of type %T", fact))
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
	err := cmp.Or(c.run(ctx, q, run), c.candidates(ctx, q, run), c.evaluations(ctx, q, run), c.comparisons(ctx, q, run))
	return hex.EncodeToString(c.sum.Sum(nil)), err
}

func (c *canon) run(ctx context.Context, q querier, run int64) error {
	var (
		kind, objective, signature string
		seed, champion             int64
	)
	err := q.QueryRowContext(ctx, "SELECT kind, objective, signature, seed, coalesce(champion_id % 10000000, -1) FROM runs WHERE id = ?",
		run).Scan(&kind, &objective, &signature, &seed, &champion)
	c.add("run", kind, objective, signature, seed, champion)
	return err
}

func (c *canon) candidates(ctx context.Context, q querier, run int64) error {
	for one, err := range eachCandidate(ctx, q, "c.id BETWEEN ? AND ?", candidateID(run, 0), candidateID(run+1, 0)-1) {
		if err != nil {
			return err
		}
		dead, err := formatDead(one.Dead)
		if err != nil {
			return err
		}
		c.add("candidate", one.Origin, one.Name, one.Stage, dead, one.PlayHash, one.Number, one.Generation,
			len(one.Weights))
		for _, w := range one.Weights {
			c.add(w.Name, w.Value)
		}
	}
	return nil
}

func (c *canon) evaluations(ctx context.Context, q querier, run int64) error {
	return evaluations(ctx, q, detailedColumns, run, "", func(all iter.Seq[experiments.Evaluation]) {
		for e := range all {
			c.add("evaluation", e.Phase, e.Stage, e.Search, e.Key, e.Number, e.Generation, e.Round, e.Candidate,
				e.First, e.Moves, e.Nodes, len(e.Scores))
			for i, score := range e.Scores {
				c.add(score, int(e.Each[i].Rank), e.Each[i].Moves, e.Each[i].Nodes)
			}
			if e.Failure != "" {
				c.add(e.Fault())
			}
		}
	})
}

func (c *canon) comparisons(ctx context.Context, q querier, run int64) error {
	all, err := comparisons(ctx, q, run)
	for _, one := range all {
		difference, ratio := one.Difference, one.Ratio
		c.add("comparison", one.Phase, one.Search, one.Objective, one.Question, one.Verdict,
			one.Candidate, one.Baseline, one.Games, one.BaselineGames, one.Look, one.More,
			difference.Value, ratio.Value, one.Confidence, one.Smallest, one.P, one.Adjusted, one.Level,
			difference.Interval.Low, difference.Interval.High, ratio.Interval.Low, ratio.Interval.High)
	}
	return err
}
