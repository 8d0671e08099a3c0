// Package cluster plays games on many machines: another [tune2048/experiments.Simulator], over
// NATS. It is the only door to NATS. README.md is for users.
//
// A [Coordinator] is part of the run's process. Its Play deals a batch in blocks of about a
// second's work, to the cores of its own machine and to workers that ask for a job ([Worker].Work).
// A worker keeps a result until the run has taken it. It gives a sign of life every second, and the
// coordinator deals a block again whose worker is gone, or whose result is late.
//
// The run's database is the only truth. Outcomes are a function of the game, so the first one
// counts. A result serves each job of the same player and seed, whichever process asked.
//
// Read it in this order:
//
//  1. wire.go: the messages.
//  2. dealer.go: the next block, its size, and when it is dealt again, without NATS or a clock.
//  3. coordinator.go: what lives as long as the run, and who its workers are. door.go: what a
//     worker may send. play.go: Play. replay.go: the sample of games that the run replays.
//  4. worker.go: the other side. connect.go: reaching a NATS server, or being one.
package cluster
