package results

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"

	"tune2048/experiments/stats"
)

// canon is a stream of facts that is the same whenever the facts are: every text has its length before it, every
// number has eight bytes, a float its bits.
type canon struct {
	sum hash.Hash
	buf []byte
}

func (c *canon) texts(all ...string) {
	for _, t := range all {
		c.buf = binary.BigEndian.AppendUint64(c.buf[:0], uint64(len(t)))
		c.buf = append(c.buf, t...)
		c.sum.Write(c.buf)
	}
}

func (c *canon) ints(all ...int64) {
	c.buf = c.buf[:0]
	for _, n := range all {
		c.buf = binary.BigEndian.AppendUint64(c.buf, uint64(n))
	}
	c.sum.Write(c.buf)
}

func (c *canon) floats(all ...float64) {
	c.buf = c.buf[:0]
	for _, v := range all {
		c.buf = binary.BigEndian.AppendUint64(c.buf, math.Float64bits(v))
	}
	c.sum.Write(c.buf)
}

func (c *canon) interval(i stats.Interval) { c.floats(i.Low, i.High) }

// fingerprint is the SHA-256 of everything that the run found: what it is (kind, objective, seed,
// signature), its candidates, evaluations (with a hash of their games), comparisons and champion,
// each in an order of their own. How the run was asked for has no part in it: neither its config
// nor a limit such as -for. Nor have its name, ids, times and durations, which games are kept as
// rows, and the order of recording. Standings and generations are left out because they follow from
// the evaluations.
func fingerprint(ctx context.Context, q querier, run int64) (string, error) {
	c := &canon{sum: sha256.New()}
	c.texts("tune2048 results 2")
	for _, part := range []func(context.Context, querier, int64) error{
		c.run, c.candidates, c.evaluations, c.contrasts,
	} {
		if err := part(ctx, q, run); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(c.sum.Sum(nil)), nil
}

func (c *canon) run(ctx context.Context, q querier, run int64) error {
	var (
		kind, objective, signature string
		seed, champion             int64
	)
	err := q.QueryRowContext(ctx, "SELECT kind, objective, signature, seed, coalesce(champion_id % 1000000, -1) FROM runs WHERE id = ?",
		run).Scan(&kind, &objective, &signature, &seed, &champion)
	c.texts("run", kind, objective, signature)
	c.ints(seed, champion)
	return err
}

func (c *canon) candidates(ctx context.Context, q querier, run int64) error {
	all, err := candidates(ctx, q, run, 0, candidatesPerRun-1)
	if err != nil {
		return err
	}
	for _, one := range all {
		dead, err := formatDead(one.Dead)
		if err != nil {
			return err
		}
		c.texts("candidate", one.Origin, one.Name, one.Stage, dead, one.PlayHash)
		c.ints(int64(one.Number), int64(one.Generation), int64(len(one.Weights)))
		for _, w := range one.Weights {
			c.texts(w.Name)
			c.floats(w.Value)
		}
	}
	return nil
}

func (c *canon) evaluations(ctx context.Context, q querier, run int64) error {
	rows, err := q.QueryContext(ctx, "SELECT "+evaluationColumns+` FROM evaluations WHERE run_id = ?
		ORDER BY phase, stage, search, generation, round, candidate_id`, run)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		e, err := scanEvaluation(rows)
		if err != nil {
			return err
		}
		c.texts("evaluation", e.Phase, e.Stage, e.Search, e.GamesHash)
		c.ints(int64(e.Generation), int64(e.Round), int64(e.Candidate), e.Game, int64(e.Score.N), e.Moves, e.Nodes)
		c.floats(e.Score.Mean, e.Score.M2, e.Fitness.Mean, e.Fitness.M2)
		c.ints(int64(len(e.Scores)))
		c.floats(e.Scores...)
		c.interval(e.Interval)
		for _, n := range e.Reached {
			c.ints(int64(n))
		}
	}
	return rows.Err()
}

func (c *canon) contrasts(ctx context.Context, q querier, run int64) error {
	all, err := contrasts(ctx, q, run)
	for _, one := range all {
		c.texts("comparison", one.Phase, one.Search, one.Objective, one.Question, one.Verdict)
		c.ints(int64(one.Candidate), int64(one.Baseline), int64(one.Games), int64(one.BaselineGames), int64(one.Look), int64(one.More))
		c.floats(one.Difference.Value, one.Ratio.Value, one.Confidence, one.Smallest, one.P, one.Adjusted, one.Level)
		c.interval(one.Difference.Interval)
		c.interval(one.Ratio.Interval)
	}
	return err
}

// fingerprints returns the one that a run finished with ("" if it is not finished), and that of what is recorded now.
func fingerprints(ctx context.Context, q querier, run int64) (recorded, found string, err error) {
	if err := q.QueryRowContext(ctx, "SELECT coalesce(fingerprint, '') FROM runs WHERE id = ?", run).Scan(&recorded); err != nil {
		return "", "", err
	}
	found, err = fingerprint(ctx, q, run)
	return recorded, found, err
}
