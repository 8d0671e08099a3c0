// Package experiments is the pipeline: from a validated config to a champion with an interval.
//
// Read experiment.go (the main flow), tuning.go (the one loop: ask, simulate, record, tell), finals.go (playoff
// and held-out validation), then blocks.go (how games are planned, played, recorded and, on resuming, not played
// again), candidates.go (who is who), objective.go (what fitness is) and seeds.go (which games are played). compare.go
// is another way in: which of several players is best, on fresh games. verify.go plays stored games again. plan.go lists what
// a config will play and limits it, volume.go foretells how much of that a run records. README.md says what the statistics
// promise.
//
// The package plays through the small interface Simulator and remembers through Store; it knows neither threads
// nor SQL. What a run finds is a function of its config alone: no clock, no global random number and no map
// order has a say. Resuming is replay: the optimizer runs again from its seed and whatever the store already has
// is answered from it.
package experiments
