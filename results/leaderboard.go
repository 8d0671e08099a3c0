package results

import (
	"context"
	"fmt"
	"strings"

	"tune2048/experiments"
	"tune2048/experiments/stats"
)

// Filter chooses rows. An empty field chooses all.
type Filter struct {
	Run    string // name
	Phase  string
	Stage  string
	Search string
}

// where returns the filter as a condition on columns of those names, and its arguments.
func (f Filter) where() (condition string, args []any) {
	terms := []string{"true"}
	for _, t := range []struct{ column, value string }{
		{"run", f.Run}, {"phase", f.Phase}, {"stage", f.Stage}, {"search", f.Search},
	} {
		if t.value != "" {
			terms = append(terms, t.column+" = ?")
			args = append(args, t.value)
		}
	}
	return strings.Join(terms, " AND "), args
}

// Standing is a row of the leaderboard: one candidate in one phase, stage and search of a run, all games together.
type Standing struct {
	Run, Phase, Stage, Search string

	Rank      int // from 1, by mean score within run, phase, stage and search
	Candidate int // number
	ID        int64
	Origin    string
	Name      string // of a reference; otherwise empty

	Games        int
	Mean         stats.Estimate                  // score, points; 95%
	SD           float64                         // of the scores, points
	Fitness      float64                         // mean of the evaluations' fitness, by games
	Reach        [len(experiments.Tiles)]float64 // share of games whose largest tile is at least Tiles[i]
	Generations  int                             // in which it played
	Moves        int64                           // of all the games
	NodesPerMove float64
	Weights      string // JSON object in genome order
}

// Leaderboard returns the rows of the leaderboard that the filter chooses, in the view's order: the newest run
// first, validation before playoff before tuning, then by rank. At most limit rows; 0 or less: all.
func (r *Reader) Leaderboard(ctx context.Context, f Filter, limit int) ([]Standing, error) {
	const operation = "read the leaderboard"
	condition, args := f.where()
	reach := make([]string, len(experiments.Tiles))
	for i, t := range experiments.Tiles {
		reach[i] = fmt.Sprintf("reach_%d", t)
	}
	if limit <= 0 {
		limit = -1 // SQLite's word for no limit
	}
	rows, err := r.db.QueryContext(ctx, `SELECT run, phase, stage, search, rank, number, candidate_id, origin, name,
		games, mean_score, ci_low, ci_high, sd_score, fitness, generations, moves, coalesce(nodes_per_move, 0), weights, `+
		strings.Join(reach, ", ")+" FROM leaderboard WHERE "+condition+" LIMIT ?", append(args, limit)...)
	if err != nil {
		return nil, explain(operation, r.path, err)
	}
	defer rows.Close()
	var all []Standing
	for rows.Next() {
		var (
			s  Standing
			ci ciColumns
		)
		to := []any{&s.Run, &s.Phase, &s.Stage, &s.Search, &s.Rank, &s.Candidate, &s.ID, &s.Origin, &s.Name,
			&s.Games, &s.Mean.Value, &ci.low, &ci.high, &s.SD, &s.Fitness, &s.Generations, &s.Moves, &s.NodesPerMove, &s.Weights}
		for i := range s.Reach {
			to = append(to, &s.Reach[i])
		}
		if err := rows.Scan(to...); err != nil {
			return nil, explain(operation, r.path, err)
		}
		s.Mean.Interval = ci.interval()
		all = append(all, s)
	}
	return all, explain(operation, r.path, rows.Err())
}
