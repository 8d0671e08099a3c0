// Package results keeps what experiments find, in one SQLite file, and reads it back. It is the only door to
// SQLite: no other package knows a table or writes a statement.
//
// A run is remembered as facts: which weights were asked for, which games they played, what came of it. Nothing
// else is kept to resume a run; it is replayed, and what is known is answered from here. So what is recorded must
// come back to the last bit, a block of games must be there as a whole or be seen to be unfinished, and two
// processes must never work on one run. While a run writes, any number of readers may look at it: the
// subcommands of this project, or the plain sqlite3 shell.
//
// Read it in this order:
//
//  1. migrations/001_tables.sql, 003_summaries.sql and 004_views.sql: what is kept, column by column with units, how
//     it is added up, and the questions that SQL answers about it. (002 has the views as they were first: slow and
//     obvious. Tests hold the others against them.)
//  2. open.go, identity.go, schema.go, beside.go, check.go, driver.go, errors.go: which files are opened, how, and how a refusal
//     reads; migrate.go, upgrade.go, backup.go: how an older one is brought up to date.
//  3. store.go: Store, the writer that implements [tune2048/experiments.Store]; lock.go, one process a run;
//     begin.go, which run a config means; finish.go, how it ends.
//  4. candidates.go, games.go, blocks.go, comparisons.go: what the writer records; insertion.go, many rows at once;
//     summaries.go, what is added up with a block; others.go, what other runs have played already.
//  5. floats.go: how numbers that SQLite would change come back to the last bit; fingerprint.go: a run's results
//     as one hash.
//  6. reader.go: Reader, the read model; runs.go, champion.go, leaderboard.go, curves.go, rows.go, query.go: what
//     it tells; named.go, the queries that are shipped.
//  7. compare.go and archive.go: what comparisons and verify read; delete.go: a run and all that belongs to it;
//     patience.go: waiting for others' transactions; size.go: how large a file a run will leave.
//
// # Tables
//
// runs: one row for each run: its name, config, seed, status, times, and in the end its champion and fingerprint.
// Name, kind, config hash and signature of play say which run is meant; a changed config under a taken name gets
// the name with .2, .3 and so on.
//
// candidates: the vectors that a run asked for, by number; 0 is the start. The id is run x 1,000,000 + number, so
// that it does not depend on what else is in the file.
//
// weights: the numbers of each candidate by name, in order.
//
// evaluations: a summary of the games of one candidate in one block: the count, mean and spread of the scores, how
// often each tile was reached, what it cost. Written once, when the block is finished.
//
// games: one row for each game: seed, score, largest tile, moves, cost. Those of the block that is being played are
// always there, so that a killed run loses half a second; of finished blocks as the config asks. The id is
// run x 1,000,000,000 + number of the game within the run.
//
// comparisons: the difference and the ratio of two candidates' mean scores, with intervals.
//
// blocks, rankings, pools, generations: what evaluations say, added up so that the views need not. A trigger writes
// them in the transaction that finishes a block. They can be made anew at any time, no result rests on them.
//
// # Views
//
// leaderboard, champions, convergence, tile_rates and progress answer the usual questions; pooled is what several
// of them rest on. Only champions is worth quoting: it has held-out games and says beside them how much the
// games of the choice flattered. All read the summaries in the order of indexes: of a million games, what is asked
// of one run, phase or candidate is answered in milliseconds, and a LIMIT ends the work. What takes longer is to
// print all of a large view (the weights as JSON, mostly), and to look through all ranks.
//
// # Infinity, minus zero, no number
//
// An interval that tells nothing reaches from -Inf to +Inf; in SQL such an end is NULL, since neither shells nor
// JSON agree on infinity. A REAL column turns -0 into 0. NaN, and infinity
// anywhere else, are refused: they are errors of whoever computed them, and are best found early.
package results
