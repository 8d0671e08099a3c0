package results

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"

	"tune2048/engine/simulator"
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
// its candidates, evaluations (with a hash of their games), comparisons and champion,
// each in an order of their own. How the run was asked for has no part in it: neither its config
// nor a limit such as -for. Nor have its name, ids, times and durations, which games are kept as
// rows, and the order of recording. Standings and generations are left out because they follow from
// the evaluations.
func fingerprint(ctx context.Context, q querier, run int64) (string, error) {
	c := &canon{sum: sha256.New()}
	c.add("tune2048 results 2")
	for _, part := range []func(context.Context, querier, int64) error{
		c.run, c.candidates, c.evaluations, c.comparisons,
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
	c.add("run", kind, objective, signature, seed, champion)
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
		c.add("candidate", one.Origin, one.Name, one.Stage, dead, one.PlayHash, one.Number, one.Generation, len(one.Weights))
		for _, w := range one.Weights {
			c.add(w.Name, w.Value)
		}
	}
	return nil
}

func (c *canon) evaluations(ctx context.Context, q querier, run int64) error {
	for e, err := range each(ctx, q, scanEvaluation, "SELECT "+evaluationColumns+` FROM evaluations WHERE run_id = ?
		ORDER BY phase, stage, search, generation, round, candidate_id`, run) {
		if err != nil {
			return err
		}
		c.add("evaluation", e.Phase, e.Stage, e.Search, e.GamesHash, e.Generation, e.Round, e.Candidate, e.Game, e.Score.N, e.Moves, e.Nodes,
			e.Score.Mean, e.Score.M2, e.Fitness.Mean, e.Fitness.M2, len(e.Scores))
		for _, score := range e.Scores {
			c.add(score)
		}
		c.add(e.Interval.Low, e.Interval.High)
		for _, n := range e.Reached {
			c.add(n)
		}
	}
	return nil
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

// fingerprints returns the fingerprint with which a run finished ("" if it has not), and the one of
// its content now.
func fingerprints(ctx context.Context, q querier, run int64) (recorded, found string, err error) {
	if err := q.QueryRowContext(ctx, "SELECT coalesce(fingerprint, '') FROM runs WHERE id = ?", run).Scan(&recorded); err != nil {
		return "", "", err
	}
	found, err = fingerprint(ctx, q, run)
	return recorded, found, err
}

// source has the candidates of a finished run whose games other runs may take: their ids by
// experiments.Candidate.PlayHash. It is empty if the content of the run no longer has the run's
// fingerprint.
type source map[string][]int64

// elsewhere adds to found the records that other runs have of a block: games, and evaluations where
// they keep no games. It checks each such run against its fingerprint, and the rows of games
// against the evaluations that sum them up. So it takes nothing that somebody changed by hand.
func (s *Store) elsewhere(ctx context.Context, run int64, block experiments.Block, found *experiments.Recalled) error {
	found.Shared, found.Evaluations = map[int]simulator.Outcome{}, map[int]experiments.Evaluation{}
	type finished struct {
		id            int64
		sameObjective bool
	}
	others, err := collect(ctx, s.reader.db, func(rows *sql.Rows) (f finished, err error) {
		return f, rows.Scan(&f.id, &f.sameObjective)
	}, `SELECT other.id, other.objective = own.objective FROM runs AS own
		JOIN runs AS other ON other.signature = own.signature AND other.seed = own.seed AND other.status = '`+experiments.Finished+`' AND other.id <> own.id
			AND (other.unrepeatable IS NULL OR other.id = own.goes_on_from) AND other.programs IS own.programs
			AND (? <> '`+experiments.PhaseValidation+`' OR other.held_out_salt IS own.held_out_salt)
		WHERE own.id = ? ORDER BY other.id DESC`, block.Phase, run)
	if err != nil || len(others) == 0 {
		return err
	}
	for i, number := range block.Candidates {
		var play string
		if err := s.reader.db.QueryRowContext(ctx, "SELECT play FROM candidates WHERE id = ?", candidateID(run, number)).Scan(&play); err != nil {
			return err
		}
		games := map[int]simulator.Outcome{} // by index in the block's seeds
		for _, other := range others {
			from, err := s.source(ctx, other.id)
			if err != nil {
				return err
			}
			for _, same := range from[play] {
				if len(games) == len(block.Seeds) {
					break
				}
				e, err := s.recordedBy(ctx, other.id, same, block, games)
				if err != nil {
					return err
				}
				if e != nil && other.sameObjective {
					e.Candidate = number
					found.Evaluations[number] = *e
				}
			}
		}
		for k, o := range games {
			found.Shared[i*len(block.Seeds)+k] = o
		}
	}
	return nil
}

// recordedBy adds to games the games of a block that a candidate of another run has played, by
// index in the block's seeds. It takes rows only from evaluations whose hash they have. It also
// returns the evaluation that sums up exactly the block's games, or nil if there is none.
func (s *Store) recordedBy(ctx context.Context, run, candidate int64, block experiments.Block, games map[int]simulator.Outcome) (*experiments.Evaluation, error) {
	rounds, err := evaluations(ctx, s.reader.db, `run_id = ? AND phase = ? AND stage = ? AND search = ? AND generation = ?
		AND candidate_id = ? ORDER BY round`, run, block.Phase, block.Stage, block.Search, block.Generation, candidate)
	if err != nil {
		return nil, err
	}
	var same *experiments.Evaluation
	dealt := 0 // games of the rounds before
	for _, e := range rounds {
		rows, err := gameRows(ctx, s.reader.db, run, e.Game, e.Game+int64(e.Score.N)-1)
		if err != nil {
			return nil, err
		}
		outcomes := make([]simulator.Outcome, len(rows))
		for k, g := range rows {
			outcomes[k] = g.Outcome
			outcomes[k].Worker = "" // no worker of this run
		}
		if len(rows) == e.Score.N && experiments.HashGames(outcomes) == e.GamesHash {
			for k, g := range rows {
				// In all runs with one seed, the n-th game that is dealt to a candidate has the
				// same seed. The row must have it too.
				if at := dealt + k - block.Dealt; at >= 0 && at < len(block.Seeds) && g.Seed == block.Seeds[at] {
					games[at] = outcomes[k]
				}
			}
		}
		if dealt == block.Dealt && e.Score.N == len(block.Seeds) {
			same = &e
		}
		dealt += e.Score.N
	}
	return same, nil
}

// source reads the candidates of a finished run and checks its fingerprint. It does so once for
// each run.
func (s *Store) source(ctx context.Context, run int64) (source, error) {
	if known := s.sources[run]; known != nil {
		return known, nil
	}
	from := source{}
	err := s.reader.moment(ctx, func(tx *sql.Tx) error {
		recorded, found, err := fingerprints(ctx, tx, run)
		if err != nil {
			return err
		}
		var without bool // there is no fingerprint to hold
		if err := tx.QueryRowContext(ctx, "SELECT unrepeatable IS NOT NULL FROM runs WHERE id = ?", run).Scan(&without); err != nil {
			return err
		}
		all, err := candidates(ctx, tx, run, 0, candidatesPerRun-1)
		for _, c := range all {
			if (recorded == found || without) && c.PlayHash != "" {
				from[c.PlayHash] = append(from[c.PlayHash], candidateID(run, c.Number))
			}
		}
		return err
	})
	if err == nil {
		s.sources[run] = from
	}
	return from, err
}
