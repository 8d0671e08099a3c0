// Package config turns a YAML file into a validated experiment. It is the only door to YAML. A
// config that comes out is complete, within bounds and safe to run. Each problem has its place:
//
//	configs/a.yaml:12:5: optimizer.population: want at least 2, got 0
//
// configs/README.md describes a config's keys. Read in this order:
//
//   - config.go: an experiment and its keys; files.go: the way in, and what is shipped;
//   - heuristic.go: the player; phases.go: searches, and what the phases play; references.go:
//     weights files, too;
//   - sizes.go: ranges chosen by the effect of features;
//   - document.go and node.go: YAML, and what is wrong and where; nearest.go: did you mean;
//   - next.go: a config that goes on from another;
//   - contest.go: contests, which a database stores.
package config
