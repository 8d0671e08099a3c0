// Package configs turns a YAML file into a validated experiment. It is the only door to YAML. A
// config that comes out is complete, within bounds and safe to run. Each problem has its place:
//
//	configs/a.yaml:12:5: optimizer.population: want at least 2, got 0
//
// README.md beside this file describes a config's keys. Read in this order:
//
//   - config.go: an experiment, and the description of its file; files.go: the way in;
//   - section.go and kinds.go: how one description reads a file, writes it and makes its schema;
//   - heuristic.go, search.go, optimizer.go, phases.go and references.go: the sections;
//   - budget.go: defaults that fit max_games; sizes.go: ranges chosen by the effect of features;
//   - retired.go: keys of older programs;
//   - document.go, fields.go, values.go, problem.go: YAML nodes, and what is wrong and where;
//   - causes.go and nearest.go: the mistakes behind syntax errors and mistyped words;
//   - changed.go and next.go: two configs compared, and a config that goes on from another;
//   - weights.go and contest.go: weights files, and contests, which a database stores; schema.go.
package configs
