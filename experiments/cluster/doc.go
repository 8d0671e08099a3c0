// Package cluster plays games on many machines: another [tune2048/experiments.Simulator], over NATS
// JetStream. It is the only door to NATS. README.md is for users.
//
// A [Coordinator] is part of the run's process. Its Play deals a batch in blocks of about a
// second's work, to the processors of its own machine and, as jobs, to a work queue in NATS.
// Workers ([Worker].Work) pull jobs from it and publish results to another stream, under the run's
// subject. A worker publishes the result first, then it acknowledges the job. While it plays it
// reports progress. Without such a report the server gives the job to another worker.
//
// The run's database is the only truth. Both streams are in the memory of the NATS server, which
// may lose them at any moment. So the coordinator deals a block again when its result is late, and
// all blocks when the connection or a stream was lost. Outcomes are a function of the game, so the
// first one counts. A result serves each job of the same player and seed, whichever process asked.
//
// Read it in this order:
//
//  1. wire.go: the messages.
//  2. dealer.go: the next block, its size, and when it is dealt again, without NATS or a clock.
//  3. coordinator.go: what lives as long as the run. play.go: Play. streams.go: arriving results.
//     replay.go: the sample of the workers' games that the run replays.
//  4. worker.go: the other side. presence.go: how runs and workers learn about each other.
//  5. connect.go, server.go: reaching a NATS server, or being one.
package cluster
