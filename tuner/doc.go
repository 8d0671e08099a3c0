// Package tuner searches a bounded space of named numbers for the vector with the highest fitness, when fitness can only
// be measured with much noise. It knows nothing of what the numbers mean or of how fitness is measured: it is asked for
// a generation of candidates, and told their fitness. README.md says which algorithm to choose.
//
// Read it in this order:
//
//  1. space.go: Parameter and Space, the map between natural values and the unit cube in which every algorithm works.
//  2. options.go: the algorithms' settings, one list of them, and their measured defaults.
//  3. optimizer.go: the Optimizer, which owns turns, duplicates and errors, and what an algorithm is to it. point.go: what
//     they hand each other.
//  4. centre.go: the answers, of a generation and of a path; mean.go: that of several searches.
//  5. The algorithms, each alone: genetic.go and operators.go (on the eaopt library), cma_es.go (with eigen.go), spsa.go
//     and the baseline to beat, random.go.
//
// What is asked is a function of the options, the space, the seed and what was told, to the last bit, on any machine and
// with any number of processors. So a search is resumed by running it again and telling it what it was told.
package tuner
