// Package tuner searches a bounded space of named numbers for the vector with the highest fitness,
// when fitness can only be measured with much noise.
//
// You describe the numbers as a Space and choose an Algorithm. The Optimizer proposes a
// generation of candidates (Ask). You measure each candidate as you like, for example by games, and
// pass on the fitness (Tell). You repeat this as long as you can afford. Then the Centre is the
// answer. It is not the candidate with the highest fitness, because that one is mostly the
// luckiest. The package knows neither the meaning of the numbers nor the way to measure them. The
// example finds two numbers of a noisy function. README.md says which algorithm to choose.
//
// Read it in this order:
//
//  1. space.go: Space, the map between natural values of parameters (Parameter) and the
//     unit cube in which every algorithm works, and its candidates.
//  2. optimizer.go: the Optimizer, which owns turns, duplicates and errors, and the small interface
//     of a search.
//  3. algorithm.go: the table of the algorithms, and their settings.
//  4. centre.go: how much each candidate of a generation counts in its centre.
//  5. The algorithms, each alone: genetic.go (on the eaopt library), cma_es.go (with matrix.go), and
//     auto.go, which uses both.
//
// The candidates are a function of the algorithm, the space, the seed and the fitness, to the last
// bit, on any machine and with any number of processors. So a search is resumed by a repetition
// with the same fitness.
//
// A new algorithm is one file with its entry, and one line in the table.
package tuner
