// Package configs turns a YAML file into a validated experiment. It is the only door to YAML: what comes out is complete, within
// bounds and safe to run, and all that is wrong is told with its place in the file:
//
//	configs/a.yaml:12:5: optimizer.population: want at least 2, got 0
//
// README.md beside this file says what a config may say. Begin with parse.go, the way in, and read config.go (what an
// experiment is, and the description of its sections) and section.go (how one description reads a section, writes it and has
// its defaults). The sections are in heuristic.go, search.go, optimizer.go, phases.go and references.go. They stand on
// document.go (a file's one YAML document), fields.go (mappings), values.go (numbers, words, names), problem.go (what is wrong
// and where) and nearest.go (what a mistyped word may mean). Then files.go (what is shipped), weights.go (weights files),
// comparison.go (what a comparison plays, as runs of that kind are stored) and schema.go (the JSON Schema of a config, which the
// same descriptions make).
package configs
