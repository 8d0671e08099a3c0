package results

import (
	"context"
	"database/sql"
	"errors"
	"math"

	"tune2048/experiments"
)

// The summaries are the tables that migrations/003_summaries.sql describes: what evaluations say, added up for the
// views. A trigger on blocks writes them. They are no facts of their own: no result and no fingerprint rests on them.

const blockColumns = "run_id, phase, stage, search, generation, round, candidates, games, first_game"

// insertBlock records that the block is finished, which adds its evaluations to the summaries.
func insertBlock(ctx context.Context, tx *sql.Tx, run int64, b experiments.Block) error {
	if len(b.Candidates) == 0 {
		return nil
	}
	fresh, err := changes(tx.ExecContext(ctx, "INSERT INTO blocks ("+blockColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		run, b.Phase, b.Stage, b.Search, b.Generation, b.Round, len(b.Candidates), b.Games(), b.First))
	if err == nil && !fresh {
		err = errors.New("it is recorded already, with other candidates")
	}
	return err
}

// tally is what a run's evaluations and its summaries must agree on.
type tally struct {
	evaluations, games, tuning int64 // tuning: games of that phase
	moves, nodes, score        float64
}

func (t tally) agrees(with tally) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) } // sums in another order
	return t.evaluations == with.evaluations && t.games == with.games && t.tuning == with.tuning &&
		near(t.moves, with.moves) && near(t.nodes, with.nodes) && near(t.score, with.score)
}

// Each counts for one run what the fields of tally say, in their order.
const (
	tallyEvaluations = `SELECT count(*), coalesce(sum(games), 0), coalesce(sum(iif(phase = 'tuning', games, 0)), 0),
		total(moves), total(nodes), total(games * mean_score)
		FROM evaluations WHERE run_id = ?`
	tallyPools = `SELECT coalesce(sum(p.evaluations), 0), coalesce(sum(p.games), 0),
		(SELECT coalesce(sum(games), 0) FROM generations WHERE run_id = ?1),
		total(p.moves), total(p.nodes), total(p.total_score)
		FROM rankings AS k CROSS JOIN pools AS p ON p.setting_id = k.setting_id AND p.ranking_id = k.id
		WHERE k.run_id = ?1`
	tallyBlocks = `SELECT coalesce(sum(candidates), 0), coalesce(sum(games), 0), coalesce(sum(iif(phase = 'tuning', games, 0)), 0),
		0, 0, 0
		FROM blocks WHERE run_id = ?`
)

// summarise finishes the blocks of a run's evaluations, in the order of recording, which makes all summaries.
const summarise = "INSERT INTO blocks (" + blockColumns + `)
	SELECT run_id, phase, stage, search, generation, round, count(*), sum(games), min(first_game)
	FROM evaluations WHERE run_id = ?
	GROUP BY run_id, phase, stage, search, generation, round ORDER BY min(first_game)`

// refreshSummaries makes the summaries of a run anew if they do not agree with its evaluations. That happens when
// somebody has changed evaluations by hand; what this program records, it records together.
func refreshSummaries(ctx context.Context, tx *sql.Tx, run int64) error {
	var all [3]tally
	for i, query := range []string{tallyEvaluations, tallyPools, tallyBlocks} {
		t := &all[i]
		if err := tx.QueryRowContext(ctx, query, run).Scan(&t.evaluations, &t.games, &t.tuning, &t.moves, &t.nodes, &t.score); err != nil {
			return err
		}
	}
	facts, pools, blocks := all[0], all[1], all[2]
	blocks.moves, blocks.nodes, blocks.score = facts.moves, facts.nodes, facts.score // not in blocks
	if facts.agrees(pools) && facts.agrees(blocks) {
		return nil
	}
	for _, statement := range []string{
		"DELETE FROM generations WHERE run_id = ?",
		"DELETE FROM pools WHERE ranking_id IN (SELECT id FROM rankings WHERE run_id = ?)",
		"DELETE FROM rankings WHERE run_id = ?",
		"DELETE FROM blocks WHERE run_id = ?",
		summarise,
	} {
		if _, err := tx.ExecContext(ctx, statement, run); err != nil {
			return err
		}
	}
	return nil
}
