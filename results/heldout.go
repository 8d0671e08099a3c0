package results

import (
	"context"
	"fmt"

	"tune2048/experiments/stats"
)

// Measured is what all held-out games of one candidate at one search say: games that nothing was chosen by.
type Measured struct {
	Run       string
	Candidate int64  // id
	Name      string // of a reference or a compared player; otherwise empty
	Phase     string
	Search    string
	Score     stats.Moments
	Moves     int64
	Nodes     int64
	// TimedMoves are the moves of those games that are kept as rows, which took TimedUS microseconds.
	TimedMoves, TimedUS int64
}

// HeldOutGames returns what the validations, comparisons and sensitivities of all runs measured, by run, phase, search and
// candidate; of one search, unless it is empty.
func (r *Reader) HeldOutGames(ctx context.Context, search string) ([]Measured, error) {
	const operation = "read held-out games"
	// By the primary key: run, then phase.
	rows, err := r.db.QueryContext(ctx, `SELECT r.name, e.candidate_id, c.name, e.phase, e.search, e.games, e.mean_score, e.m2_score, e.moves, e.nodes
		FROM runs AS r
		CROSS JOIN evaluations AS e ON e.run_id = r.id AND e.phase IN ('validation', 'comparison', 'sensitivity')
		CROSS JOIN candidates AS c ON c.id = e.candidate_id
		WHERE ?1 = '' OR e.search = ?1
		ORDER BY r.id, e.phase, e.search, e.candidate_id, e.first_game`, search)
	if err != nil {
		return nil, explain(operation, r.path, err)
	}
	defer rows.Close()
	var all []Measured
	for rows.Next() {
		var one Measured
		if err := rows.Scan(&one.Run, &one.Candidate, &one.Name, &one.Phase, &one.Search, &one.Score.N, &one.Score.Mean, &one.Score.M2,
			&one.Moves, &one.Nodes); err != nil {
			return nil, explain(operation, r.path, err)
		}
		if one.Score.N < 1 || finite("mean score", one.Score.Mean) != nil || finite("squared deviations", one.Score.M2) != nil {
			return nil, explain(operation, r.path, fmt.Errorf("%w: candidate %d: its evaluation of %d games is none", ErrDamaged, one.Candidate, one.Score.N))
		}
		if n := len(all) - 1; n >= 0 && all[n].Candidate == one.Candidate && all[n].Phase == one.Phase && all[n].Search == one.Search {
			all[n].Score.Merge(one.Score)
			all[n].Moves += one.Moves
			all[n].Nodes += one.Nodes
			continue
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		return nil, explain(operation, r.path, err)
	}
	return all, explain(operation, r.path, r.addTimes(ctx, all))
}

// addTimes adds up the durations of the games that are kept.
func (r *Reader) addTimes(ctx context.Context, all []Measured) error {
	type key struct {
		candidate     int64
		phase, search string
	}
	index := map[key]int{}
	for i, m := range all {
		index[key{m.Candidate, m.Phase, m.Search}] = i
	}
	rows, err := r.db.QueryContext(ctx, `SELECT candidate_id, phase, search, sum(moves), sum(duration_us) FROM games
		WHERE phase IN ('validation', 'comparison', 'sensitivity') GROUP BY candidate_id, phase, search`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			k         key
			moves, us int64
		)
		if err := rows.Scan(&k.candidate, &k.phase, &k.search, &moves, &us); err != nil {
			return err
		}
		if i, known := index[k]; known {
			all[i].TimedMoves, all[i].TimedUS = moves, us
		}
	}
	return rows.Err()
}
