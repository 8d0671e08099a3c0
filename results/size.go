package results

import "tune2048/experiments"

// Bytes that a row takes in the file, with its share of what is unused in the pages. The texts of a row (phase, stage, search, a
// weight's name) are counted apart, a byte of them as 1/full bytes. Measured with
//
//	sqlite3 tune.db "select name, sum(pgsize), sum(ncell) from dbstat group by name"
//
// on a real run of the quickstart: 44,734 games, 4,381 evaluations, 1,734 standings. Rows come almost in order, so pages are 85%
// to 93% full. A change of the schema changes these figures; TestForecastOfDisk of cmd/tune notices.
const (
	emptyFile       = 105_000 // the schema and the first pages of the tables, which rows fill in part
	full            = 0.89    // share of a page that is used
	bytesGame       = 61
	bytesEvaluation = 146
	bytesStanding   = 106
	bytesReach      = 45 // of one tile
	bytesCandidate  = 65
	bytesWeight     = 23
	bytesGeneration = 75
	bytesComparison = 150
)

// Forecast returns about how many bytes the file of a run takes once it is closed, if the run records this volume and the
// file has nothing else. A file does not shrink: games that are not kept leave room behind, which is used again, so it
// is their largest block that counts. While the run is going, a write-ahead log of about 16 MB stands beside the file.
func Forecast(v experiments.Volume) int64 {
	weights := 0.0 // of one candidate
	for _, name := range v.Weights {
		weights += bytesWeight + float64(len(name))/full
	}
	size, largest := float64(emptyFile+v.Config), 0.0
	for _, p := range v.Parts {
		texts := float64(len(p.Phase)+len(p.Stage)+len(p.Search)) / full
		size += float64(p.Candidates)*(bytesCandidate+float64(len(p.Stage))/full+weights) +
			float64(p.Players)*(bytesStanding+texts) +
			float64(p.Generations)*(bytesGeneration+texts) +
			float64(p.Evaluations)*(bytesEvaluation+texts) +
			float64(p.Comparisons)*(bytesComparison+texts)
		if p.Phase != experiments.PhaseTuning {
			size += float64(p.Players) * float64(len(experiments.Tiles)) * (bytesReach + texts)
		}
		games, passing := p.Games, int64(0)
		if !p.Kept {
			games, passing = 0, p.Block
		}
		size += float64(games) * (bytesGame + texts)
		largest = max(largest, size+float64(passing)*(bytesGame+texts))
	}
	return int64(largest)
}
