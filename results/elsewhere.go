package results

import (
	"context"
	"database/sql"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// source has the candidates of a finished run whose games other runs may take: their ids by
// experiments.Candidate.PlayHash. It is empty if the content of the run no longer has the run's
// fingerprint.
type source map[string][]int64

// elsewhere adds to found what other runs recorded of a block: games, and evaluations where they
// keep no games. It checks each such run against its fingerprint, and the rows of games against
// the evaluations that sum them up. So it takes nothing that somebody changed by hand.
func (s *Store) elsewhere(ctx context.Context, run int64, block experiments.Block, found *experiments.Recalled) error {
	found.Shared, found.Evaluations = map[int]simulator.Outcome{}, map[int]experiments.Evaluation{}
	sameObjective := map[int64]bool{} // by run
	others, err := collect(ctx, s.reader.db, func(rows *sql.Rows) (other int64, err error) {
		var same bool
		err = rows.Scan(&other, &same)
		sameObjective[other] = same
		return other, err
	}, `SELECT other.id, other.objective = own.objective FROM runs AS own
		JOIN runs AS other ON other.signature = own.signature AND other.seed = own.seed AND other.status = 'finished' AND other.id <> own.id
			AND (? <> 'validation' OR other.held_out_salt IS own.held_out_salt)
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
			from, err := s.source(ctx, other)
			if err != nil {
				return err
			}
			for _, same := range from[play] {
				if len(games) == len(block.Seeds) {
					break
				}
				e, err := s.recordedBy(ctx, other, same, block, games)
				if err != nil {
					return err
				}
				if e != nil && sameObjective[other] {
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

// recordedBy adds to games the games of a block that a candidate of another run has played, by index
// in the block's seeds. It takes rows only from evaluations whose hash they have. It also returns the
// evaluation that sums up exactly the block's games, or nil if there is none.
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
				// In all runs with one seed, the n-th game that is dealt to a candidate has the same seed. The row
				// must have it too.
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

// source reads the candidates of a finished run and checks its fingerprint. It does so once for each
// run.
func (s *Store) source(ctx context.Context, run int64) (source, error) {
	if known := s.sources[run]; known != nil {
		return known, nil
	}
	tx, err := s.reader.db.BeginTx(ctx, nil) // fingerprint and candidates of the same moment
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	recorded, found, err := fingerprints(ctx, tx, run)
	if err != nil {
		return nil, err
	}
	all, err := candidates(ctx, tx, run, 0, candidatesPerRun-1)
	if err != nil {
		return nil, err
	}
	from := source{}
	for _, c := range all {
		if recorded == found && c.PlayHash != "" {
			from[c.PlayHash] = append(from[c.PlayHash], candidateID(run, c.Number))
		}
	}
	s.sources[run] = from
	return from, nil
}
