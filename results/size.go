package results

import "tune2048/experiments"

// Bytes that a row takes in the file: in its table and all its indexes, with its share of what is unused in their
// pages. The texts of a game, an evaluation (phase, stage, search, scores) and a weight (its name) are counted apart, a byte of
// them as 1/full bytes.
// Measured with
//
//	sqlite3 tune.db "select name, sum(pgsize), sum(ncell) from dbstat group by name"
//
// on the quickstart (47,742 games, 4,493 evaluations). A change of the schema changes these figures; TestForecastOfDisk of
// cmd/tune notices.
const (
	emptyFile       = 100_000 // the schema, 37 kB, and the first pages of the tables, which rows fill in part
	full            = 0.89    // share of a page that is used
	bytesGame       = 63
	bytesEvaluation = 148
	bytesCandidate  = 69
	bytesWeight     = 23
	bytesStanding   = 144
	bytesGeneration = 107
	bytesComparison = 150
)

// Forecast returns about how many bytes the file of a run takes once it is closed, if the run records this volume and the
// file has nothing else. A file does not shrink: games that are not kept leave room behind, which is used again, so it
// is their largest block that counts. While the run is going, a write-ahead log of about 16 MB stands beside the file.
func Forecast(v experiments.Volume) int64 {
	size := emptyFile + float64(v.ConfigBytes) +
		float64(v.Candidates)*bytesCandidate + float64(v.Weights)*bytesWeight + float64(v.NameBytes+v.PlaceBytes+v.ScoreBytes)/full +
		float64(v.Generations)*bytesGeneration + float64(v.Evaluations)*bytesEvaluation + float64(v.Standings)*bytesStanding +
		float64(v.Comparisons)*bytesComparison + float64(v.Games+v.Passing)*bytesGame
	return int64(size)
}
