package results

import (
	"context"

	"tune2048/experiments/stats"
)

// Generation is a row of convergence: the candidates of one generation of tuning by their mean scores, in points.
type Generation struct {
	Stage, Search     string
	Number            int     // of the stage, from 0
	Best, Mean, Worst float64 // Best is the luckiest as well as the best
	SD                float64 // between the candidates: mostly noise
	BestFitness       float64
	MeanFitness       float64
	Candidates        int
	Games             int64 // from the beginning of the run's tuning
}

// Convergence returns the generations of a run in the order in which they were played.
func (r *Reader) Convergence(ctx context.Context, run string) ([]Generation, error) {
	const operation = "read the generations"
	rows, err := r.db.QueryContext(ctx, `SELECT stage, search, generation, best, mean, worst, sd, best_fitness, mean_fitness,
		candidates, games FROM convergence WHERE run = ?`, run)
	if err != nil {
		return nil, explain(operation, r.path, err)
	}
	defer rows.Close()
	var all []Generation
	for rows.Next() {
		var g Generation
		if err := rows.Scan(&g.Stage, &g.Search, &g.Number, &g.Best, &g.Mean, &g.Worst, &g.SD, &g.BestFitness, &g.MeanFitness,
			&g.Candidates, &g.Games); err != nil {
			return nil, explain(operation, r.path, err)
		}
		all = append(all, g)
	}
	return all, explain(operation, r.path, rows.Err())
}

// TileRate is a row of tile_rates: how often a candidate's games reach a tile.
type TileRate struct {
	Candidate     int // number
	Phase, Search string
	Tile          int // face
	Games         int
	Share         stats.Estimate // 0..1; Wilson's 95% interval
}

// TileRates returns a run's rates in a phase by search, candidate and tile. An empty phase: of all phases.
func (r *Reader) TileRates(ctx context.Context, run, phase string) ([]TileRate, error) {
	const operation = "read the tile rates"
	condition, args := Filter{Run: run, Phase: phase}.where()
	rows, err := r.db.QueryContext(ctx, `SELECT candidate_id % 1000000, phase, search, tile, games, share, ci_low, ci_high
		FROM tile_rates WHERE `+condition+" ORDER BY phase, search, candidate_id, tile", args...)
	if err != nil {
		return nil, explain(operation, r.path, err)
	}
	defer rows.Close()
	var all []TileRate
	for rows.Next() {
		var t TileRate
		if err := rows.Scan(&t.Candidate, &t.Phase, &t.Search, &t.Tile, &t.Games,
			&t.Share.Value, &t.Share.Interval.Low, &t.Share.Interval.High); err != nil {
			return nil, explain(operation, r.path, err)
		}
		all = append(all, t)
	}
	return all, explain(operation, r.path, rows.Err())
}
