package results

import "tune2048/experiments"

// Bytes that a row takes in the file: in its table and all its indexes, with its share of what is unused in their
// pages. The texts of a row (phase, stage, search, a weight's name) are counted apart, a byte of them as 1/full bytes.
// Measured with
//
//	sqlite3 tune.db "select name, sum(pgsize), sum(ncell) from dbstat group by name"
//
// on real runs of the quickstart (44,734 games, 4,381 evaluations) and of nneonneo, and on made-up games of gradient in
// 2,500 generations. Rows come almost in order, so pages are 87% to 96% full. A change of the schema changes these
// figures; TestForecastOfDisk of cmd/tune notices.
const (
	emptyFile       = 115_000 // the schema, 37 kB, and the first pages of the tables, which rows fill in part
	full            = 0.89    // share of a page that is used
	bytesGame       = 65      // 50 and 15 in games_by_candidate
	bytesEvaluation = 155     // 145 where games are too few for an interval, 160 elsewhere
	bytesCandidate  = 135     // 66, 15 in candidates_by_run and 54 in candidates_by_play, whose hashes come in no order
	bytesWeight     = 23
	bytesStanding   = 115 // 97 and 19 in pools_by_mean; 83 and 21 where candidates have several evaluations
	bytesGeneration = 93  // 75 and 18 in the index by ranking
	bytesComparison = 90
)

// Forecast returns about how many bytes the file of a run takes once it is closed, if the run records this volume and the
// file has nothing else. A file does not shrink: games that are not kept leave room behind, which is used again, so it
// is their largest block that counts. While the run is going, a write-ahead log of about 16 MB stands beside the file.
func Forecast(v experiments.Volume) int64 {
	size := emptyFile + float64(v.ConfigBytes) +
		float64(v.Candidates)*bytesCandidate + float64(v.Weights)*bytesWeight + float64(v.NameBytes+v.PlaceBytes)/full +
		float64(v.Generations)*bytesGeneration + float64(v.Evaluations)*bytesEvaluation + float64(v.Standings)*bytesStanding +
		float64(v.Comparisons)*bytesComparison + float64(v.Games+v.Passing)*bytesGame
	return int64(size)
}
