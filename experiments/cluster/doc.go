// Package cluster plays games on many machines: another [tune2048/experiments.Simulator], over NATS JetStream. It is the only
// door to NATS. README.md tells users how it is run and what it costs.
//
// A [Coordinator] is part of the process that carries a run out. Its Play deals a batch in blocks of about a second's work, to
// the processors of its own machine and, as jobs, to a work queue in NATS, from which workers ([Worker].Work) pull them. What comes
// of a job goes to another stream, by the subject of its run. A worker publishes the result first, then it acknowledges the
// job; while it plays it says so, and a job of which nobody says so is handed to another worker.
//
// The database at the coordinator is the only truth. Both streams are in the memory of the NATS server, and all that they hold
// may be lost at any moment: the coordinator finds out, and publishes what it still waits for once more. Outcomes are a function
// of the game, so whoever answers first counts, and results are taken by what they are of
// (player and seed), not by which job asked for them: what a coordinator asked for before it was killed serves the one that
// takes its run up again.
//
// Read it in this order:
//
//  1. wire.go: the messages.
//  2. dealer.go: which games are dealt next, in blocks of which size, and to whom a second time. It knows neither NATS nor the clock.
//  3. coordinator.go: what lives as long as the run; streams.go: results that arrive, and messages that are lost; play.go:
//     Play; replay.go: the sample of the workers' games that the run replays.
//  4. worker.go: the other side; presence.go: how runs and workers find out about each other.
//  5. connect.go, server.go: reaching a NATS server, or being one.
package cluster
