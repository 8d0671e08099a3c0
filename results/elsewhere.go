package results

import (
	"context"
	"database/sql"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// source holds the candidates of a finished run that games can be taken from: their ids by experiments.Candidate.PlayHash. It is
// empty if the run's content no longer has the run's fingerprint.
type source map[string][]int64

// elsewhere adds to found what other runs recorded of a block: games, and evaluations where they
// keep no games. It checks each such run against its fingerprint, and the rows of games against
// the evaluations that sum them up. So it takes nothing over that somebody changed by hand.
func (s *Store) elsewhere(ctx context.Context, run int64, block experiments.Block, found *experiments.Recalled) error {
	found.Shared, found.Evaluations = map[int]simulator.Outcome{}, map[int]experiments.Evaluation{}
	type other struct {
		run           int64
		sameObjective bool
	}
	others, err := collect(ctx, s.reader.db, func(rows *sql.Rows) (o other, err error) {
		return o, rows.Scan(&o.run, &o.sameObjective)
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
		mine := map[int]simulator.Outcome{} // by index in the block's seeds
		for _, o := range others {
			from, err := s.source(ctx, o.run)
			if err != nil {
				return err
			}
			for _, same := range from[play] {
				if len(mine) == len(block.Seeds) {
					break
				}
				e, err := s.recordedBy(ctx, o.run, same, block, mine)
				if err != nil {
					return err
				}
				if e != nil && o.sameObjective {
					e.Candidate = number
					found.Evaluations[number] = *e
				}
			}
		}
		for k, o := range mine {
			found.Shared[i*len(block.Seeds)+k] = o
		}
	}
	return nil
}

// recordedBy adds to games what a candidate of another run has played of the block, by index in the block's seeds. It also
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
		played, err := s.evaluatedGames(ctx, run, e)
		if err != nil {
			return nil, err
		}
		for k, g := range played {
			// In all runs with one seed, the n-th game that is dealt to a candidate has the same seed. The row must say so too.
			if at := dealt + k - block.Dealt; at >= 0 && at < len(block.Seeds) && g.Seed == block.Seeds[at] {
				g.Worker = "" // none of this run
				games[at] = g.Outcome
			}
		}
		if dealt == block.Dealt && e.Score.N == len(block.Seeds) {
			same = &e
		}
		dealt += e.Score.N
	}
	return same, nil
}

// evaluatedGames returns the games of an evaluation, or none if their rows are not kept or do not have its hash.
func (s *Store) evaluatedGames(ctx context.Context, run int64, e experiments.Evaluation) ([]experiments.Game, error) {
	games, err := gameRows(ctx, s.reader.db, run, e.Game, e.Game+int64(e.Score.N)-1)
	if err != nil || len(games) != e.Score.N {
		return nil, err
	}
	outcomes := make([]simulator.Outcome, len(games))
	for i, g := range games {
		outcomes[i] = g.Outcome
	}
	if experiments.HashGames(outcomes) != e.GamesHash {
		return nil, nil
	}
	return games, nil
}

// source reads the candidates of a finished run and checks its fingerprint. It does so once for each run.
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
