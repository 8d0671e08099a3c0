// Package configs turns a YAML file into a validated experiment. It is the only door to YAML: what comes out is
// complete, within bounds and safe to run, and what is wrong is told with its place in the file:
//
//	configs/a.yaml:12:5: optimizer.population: want at least 2, got 0
//
// All problems of a file are reported, not just the first. A config that is as good as any needs one line,
//
//	heuristic: {family: nneonneo}
//
// since everything but the heuristic has a default. Written out, a file looks like this:
//
//	name: snake                    # default: the file's name
//	seed: 2048                     # of everything random
//	game: {four_probability: 0.1}
//	heuristic:
//	  family: snake                # a label; without features: the heuristic of that shipped config
//	  dead: worst                  # value of a position without a legal move: worst or a number
//	  symmetry: none               # or best
//	  features:
//	    - feature: snake           # the kind, one of heuristic.Kinds
//	      name: snake              # of its weight, default the kind; other numbers are snake_power, snake_decay
//	      weight: 1                # a fixed number
//	      decay: {min: 0.02, max: 0.9, start: 0.1, scale: log} # a tuned one
//	    - {feature: corner, power: 2, weight: {min: -10, max: 0, start: -1}}
//	search: {depth: 5}             # default of every phase; or depth_by_empty, or depth_by_distinct
//	optimizer: {algorithm: genetic, population: 40}
//	restarts: 1                    # populations tuned side by side; the mean of their centres is a finalist too
//	stages:
//	  - {name: explore, search: {depth: 3}, generations: 40, games: 16, rounds: 4} # who is clearly out after a round stops
//	  - {name: refine, generations: 100, games: 16, max_games: 50000}
//	objective: mean_score          # or mean_log_score, {reach: 2048}, {quantile: 0.25}
//	playoff: {finalists: 8, games: 500, rounds: 10}
//	validation: {games: 2000, search: [{depth: 3}, {depth: 5}]}
//	sensitivity: {games: 500, step: 0.1} # one weight of the champion moved at a time; games: 0 leaves it out
//	references:                    # other weights to compare with
//	  old: {dead: 0, weights: {snake: 1, corner: -2}}
//	  best: best.json              # or {file: best.json}
//	store: {games: all}            # or validation, none
//
// Read config.go (what an experiment is) and parse.go (the sections and their defaults). The sections are read
// in heuristic.go, numbers.go, search.go, optimizer.go, phases.go and references.go; they stand on document.go (a
// file's one YAML document), fields.go (mappings), values.go (numbers, words, names) and problem.go. Then
// canonical.go (the text that identifies an experiment), override.go, files.go (what is shipped), weights.go
// (weights files) and comparison.go (what a comparison of players plays, as runs of that kind are stored).
package configs
