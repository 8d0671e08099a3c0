package main

import (
	"tune2048/configs"
	"tune2048/experiments"
)

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
// this plan: within some 30% where games are kept.
func foretold(c *configs.Config, plan []experiments.PlannedPart) int64 {
	size := int64(bytesEmpty)
	for i, b := range plan {
		games := b.Games / int64(b.Candidates) // of a candidate
		if b.Phase == experiments.PhaseTuning {
			games = int64(c.Stages[i].Games)
		}
		size += b.Expected / max(1, games) * int64(bytesCandidate+bytesWeight*len(c.Family.Tunable()))
		if experiments.Keeps(c.StoreGames, b.Phase) {
			size += b.Expected * bytesGame
		}
	}
	return size
}
