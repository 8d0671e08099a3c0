package main

import (
	"fmt"

	"tune2048/configs"
	"tune2048/experiments"
)

// largeDatabase is the size in bytes that a night's run should stay under.
const largeDatabase = 1_000_000_000

// Bytes that rows take in the file, with their share of its indexes and of unused space. They were
// measured on the quickstart with sqlite3 tune.db "select name, sum(pgsize), sum(ncell) from
// dbstat group by name".
const (
	bytesEmpty     = 100_000 // a database without a run
	bytesGame      = 95
	bytesCandidate = 400 // its row, an evaluation and a standing
	bytesWeight    = 33
)

// foretold returns about how large the database of a run gets, in bytes, if the run carries out
// this plan: within some 30%.
func foretold(c *configs.Config, plan []experiments.PlannedPart) int64 {
	size, passing := int64(bytesEmpty), int64(0) // passing: games whose rows leave room behind
	for i, b := range plan {
		games := b.Games / int64(b.Candidates) // of a candidate
		if b.Phase == experiments.PhaseTuning {
			games = int64(c.Stages[i].Games)
		}
		size += b.Expected / max(1, games) * int64(bytesCandidate+bytesWeight*len(c.Family.Tunable()))
		if c.StoreGames == configs.StoreAll || c.StoreGames == configs.StoreValidation && b.Phase != experiments.PhaseTuning {
			size += b.Expected * bytesGame
		} else {
			passing = max(passing, b.Round)
		}
	}
	return size + passing*bytesGame
}

// tooLarge warns of a plan whose database would be large, and names a way out; otherwise "".
func tooLarge(c *configs.Config, plan []experiments.PlannedPart) string {
	size := foretold(c, plan)
	if size <= largeDatabase {
		return ""
	}
	text := fmt.Sprintf("the database will grow to about %s, which is more than 1 GB: ", bytesText(size))
	none := *c
	none.StoreGames = configs.StoreNone
	if least := foretold(&none, plan); least <= largeDatabase {
		return text + fmt.Sprintf("with store: {games: none} to about %s", bytesText(least))
	}
	return text + "the candidates and their summaries alone take that much: lower generations or population"
}
