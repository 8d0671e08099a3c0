package results

import (
	"context"
	"slices"
	"time"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// Others are the candidates of other runs that play like one of the block's, the same numbers of the same heuristic by the
// same rules, in runs of the same engine and seed: of another seed no game is the same, and to read all games of the start
// weights in dozens of runs to find that takes longer than to play some. ?1 to ?3 are the run and its first and last
// candidate of the block.
const others = `FROM candidates AS mine
	CROSS JOIN candidates AS other ON other.play = mine.play AND other.play <> '' AND other.run_id <> mine.run_id
	CROSS JOIN runs AS own ON own.id = ?1
	CROSS JOIN runs AS run ON run.id = other.run_id AND run.signature = own.signature AND run.seed = own.seed `

// span returns the first and the last id of the block's candidates.
func span(run int64, b experiments.Block) (first, last int64) {
	return candidateID(run, slices.Min(b.Candidates)), candidateID(run, slices.Max(b.Candidates))
}

// Elsewhere implements [experiments.Store].
func (s *Store) Elsewhere(ctx context.Context, run int64, block experiments.Block) (map[int]simulator.Outcome, map[int]experiments.Evaluation, error) {
	games, err := s.GamesOfOthers(ctx, run, block)
	if err != nil {
		return nil, nil, err
	}
	evaluations, err := s.EvaluationsOfOthers(ctx, run, block)
	return games, evaluations, err
}

// AddGeneration implements [experiments.Store].
func (s *Store) AddGeneration(context.Context, int64, experiments.Generation) error { return nil }

func (s *Store) GamesOfOthers(ctx context.Context, run int64, block experiments.Block) (map[int]simulator.Outcome, error) {
	const operation = "read games of other runs"
	candidate, seed := map[int]int{}, map[uint64]int{} // index in the block by number and by seed
	for i, number := range block.Candidates {
		candidate[number] = i
	}
	for i, one := range block.Seeds {
		seed[one] = i
	}
	first, last := span(run, block)
	// Seeds are hashes of the phase, the stage and the generation among others: where these differ, no seed is the same.
	rows, err := s.reader.db.QueryContext(ctx, `SELECT mine.number, g.seed, g.score, g.max_tile, g.moves, g.nodes, g.duration_us, g.capped `+others+`
		CROSS JOIN games AS g ON g.candidate_id = other.id AND g.phase = ?4 AND g.stage = ?5 AND g.generation = ?6 AND g.search = ?7
		WHERE mine.id BETWEEN ?2 AND ?3`, run, first, last, block.Phase, block.Stage, block.Generation, block.Search)
	if err != nil {
		return nil, explain(operation, s.path, err)
	}
	defer rows.Close()
	found := map[int]simulator.Outcome{}
	for rows.Next() {
		var (
			number int
			which  int64
			o      simulator.Outcome
			us     int64
		)
		if err := rows.Scan(&number, &which, &o.Score, &o.MaxTile, &o.Moves, &o.Nodes, &us, &o.Capped); err != nil {
			return nil, explain(operation, s.path, err)
		}
		o.Duration = time.Duration(us) * time.Microsecond
		i, mine := candidate[number]
		k, same := seed[uint64(which)]
		if mine && same {
			found[i*len(block.Seeds)+k] = o
		}
	}
	return found, explain(operation, s.path, rows.Err())
}

// EvaluationsOfOthers implements [experiments.Store].
func (s *Store) EvaluationsOfOthers(ctx context.Context, run int64, block experiments.Block) (map[int]experiments.Evaluation, error) {
	const operation = "read evaluations of other runs"
	all, err := s.twins(ctx, run, block)
	if err != nil {
		return nil, explain(operation, s.path, err)
	}
	found := map[int]experiments.Evaluation{}
	for _, a := range all {
		// The seeds are the same if as many games were dealt before.
		rows, err := s.reader.db.QueryContext(ctx, "SELECT "+evaluationColumns+` FROM evaluations AS e
			WHERE run_id = ?1 AND phase = ?2 AND stage = ?3 AND search = ?4 AND generation = ?5 AND round = ?6 AND candidate_id = ?7 AND games = ?8
			AND ?9 = (SELECT coalesce(sum(b.games), 0) FROM evaluations AS b WHERE b.run_id = ?1 AND b.phase = ?2 AND b.stage = ?3
				AND b.search = ?4 AND b.generation = ?5 AND b.round < ?6 AND b.candidate_id = ?7)`,
			a.run, block.Phase, block.Stage, block.Search, block.Generation, block.Round, a.candidate, len(block.Seeds), block.Dealt)
		if err != nil {
			return nil, explain(operation, s.path, err)
		}
		for rows.Next() {
			_, r, err := scanEvaluation(rows)
			if err != nil {
				rows.Close()
				return nil, explain(operation, s.path, err)
			}
			r.Candidate = a.number
			found[a.number] = r
		}
		if err := rows.Err(); err != nil {
			return nil, explain(operation, s.path, err)
		}
	}
	return found, nil
}

// twin is a candidate of another run that plays like the block's candidate of the given number.
type twin struct {
	number         int
	run, candidate int64 // ids
}

// twins returns those of runs with the same objective, as far as that is known.
func (s *Store) twins(ctx context.Context, run int64, block experiments.Block) (all []twin, err error) {
	first, last := span(run, block)
	rows, err := s.reader.db.QueryContext(ctx, "SELECT mine.number, run.id, other.id "+others+`
		WHERE mine.id BETWEEN ?2 AND ?3 AND run.objective = own.objective AND own.objective <> ''`, run, first, last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var a twin
		if err := rows.Scan(&a.number, &a.run, &a.candidate); err != nil {
			return nil, err
		}
		if slices.Contains(block.Candidates, a.number) {
			all = append(all, a)
		}
	}
	return all, rows.Err()
}
