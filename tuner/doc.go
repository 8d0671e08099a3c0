// Package tuner searches a bounded space of named numbers for the vector with
// the highest fitness, when fitness can only be measured with much noise. It
// knows nothing of what the numbers mean or of how fitness is measured: it is
// asked for a generation of candidates, and told their fitness.
//
//	optimizer, err := tuner.New(options, space, seed)
//	if err != nil {
//		return err
//	}
//	defer optimizer.Close()
//	for range generations {
//		candidates, err := optimizer.Ask()
//		// ... measure the fitness of each candidate ...
//		err = optimizer.Tell(fitness)
//	}
//	answer := optimizer.Centre()
//
// Read it in this order:
//
//  1. space.go: Parameter and Space, the map between natural values and the
//     unit cube in which every algorithm works.
//  2. optimizer.go, options.go and defaults.go: the Optimizer interface, New,
//     Options, and the measured defaults of each algorithm.
//  3. generation.go and turns.go: what every algorithm shares, generations
//     without duplicates and the order of Ask and Tell.
//  4. centre.go and iterates.go: the answers, of a generation and of a path.
//  5. The algorithms, each alone: genetic.go and operators.go (on the eaopt
//     library), cma_es.go (with eigen.go), differential_evolution.go, spsa.go,
//     and the baselines to beat, sobol.go (with its table, sobol_directions.go)
//     and random.go. population.go has what those with a population share.
//
// What is asked is a function of the options, the space, the seed and what was
// told, to the last bit, on any machine and with any number of processors. So a
// search is resumed by running it again and telling it what it was told.
package tuner
