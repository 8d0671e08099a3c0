// Package results keeps the findings of experiments in one SQLite file, and reads them back. It is
// the only door to SQLite: no other package knows a table or writes a statement. README.md
// describes the file for users.
//
// A run is remembered as facts: which weights were asked for, which games they played, and the
// results. Nothing else is kept to resume a run: it is replayed, and takes the known facts from
// here. So facts must come back to the last bit. An evaluation must be there as a whole or be
// seen to be unfinished. Two processes must never work on one run. While a run writes, any number
// of readers may look at it: the subcommands of this project, or the plain sqlite3 shell.
//
// The facts are searches and their endings, candidates, the memo and what was asked of it, games
// under way, comparisons and workers. A search is stored once. An ending judges it after some
// generations, and has rows of its own for that alone: owned.go says which rows are whose. A game
// lies in the file once, in the memo: the views games and weights show lists as rows. A run's
// fingerprint is of the facts that its config determines. Figures follow from facts: summary makes
// them in Go, and the tables standings, samples, generations and tiles keep them for reports, and
// for views, which select and rank.
//
// Read it in this order:
//
//  1. schema.sql: every table and view, column by column.
//  2. schema.go, open.go: which files are opened, how, and how a refusal reads. takeover.go: files
//     of an older version. import.go: the runs of another file.
//  3. store.go: Store, which implements [tune2048/experiments.Store], its transactions and waits.
//     lock.go: one process a run. runs.go: which run and ending a config means, and
//     its end. delete.go: its deletion.
//  4. rows.go: rows, and numbers that SQLite would change. memo.go: what was ever played.
//     candidates.go, games.go, evaluations.go, comparisons.go: the records.
//  5. fingerprint.go: a run's results as one hash. verify.go: a run carried out again.
//     verify_rows.go: its rows beside the stored ones.
//  6. reader.go: Reader, the read model. figures.go: the rows of charts and tables.
//  7. query.go: queries, and how their rows are written.
//
// # Infinity, minus zero, no number
//
// An interval without information reaches from -Inf to +Inf; in SQL such an end is NULL, since
// neither shells nor JSON agree on infinity. A REAL column turns -0 into 0. NaN, and infinity
// anywhere else, are refused: they are errors of whoever computed them, and are best found early.
package results
