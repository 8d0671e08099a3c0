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
//  2. optimizer.go and options.go: the Optimizer interface, New and Options.
//  3. generation.go and turns.go: what every algorithm shares, generations
//     without duplicates and the order of Ask and Tell.
//  4. centre.go: the answer of a generation.
//  5. genetic.go and operators.go: the genetic algorithm, on the eaopt library.
//  6. random.go: random search, the baseline to beat.
//
// What is asked is a function of the options, the space, the seed and what was
// told, to the last bit, on any machine and with any number of processors. So a
// search is resumed by running it again and telling it what it was told.
package tuner
