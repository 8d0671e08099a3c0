// Package experiments is the pipeline: from a validated config to a champion with an interval. README.md says what its
// statistics promise.
//
// Read it in this order:
//
//  1. experiment.go: the main flow; tuning.go: the one loop (ask, simulate, record, tell), with racing.go, how a generation's
//     games are dealt, and plateau.go, since when nothing rises; finals.go: playoff and held-out validation; questions.go: which
//     features matter, and whether more tuning would help.
//  2. record.go: what is recorded, each of it one type up to the store and back; package fitness: how games become fitness,
//     by each objective; standing.go (the one model of fitness) and contrast.go: how candidates stand and compare;
//     candidates.go: who is who.
//  3. blocks.go: how blocks of games are recalled, played, recorded and finished; seeds.go: which games these are;
//     store.go: the memory of a run, as the pipeline needs it.
//  4. comparison.go and match.go: which of several players is best on fresh games; eval.go: evaluations for the optimizer of
//     another program; stored.go and verify.go: stored games played again; worker.go: machines that play.
//  5. plan.go: what a config will play; progress.go: how far a run is.
//
// The package plays through the small interface Simulator and remembers through Store; it knows neither threads
// nor SQL. What a run finds is a function of its config alone: no clock, no global random number and no map
// order has a say. Resuming is replay: the optimizer runs again from its seed and whatever the store already has
// is answered from it.
package experiments
