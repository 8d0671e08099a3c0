package tuner

// Kept returns how many candidates of a generation were asked for before, in a
// stage that goes on: elites, and the members that trials compete with.
func (o Options) Kept() int {
	switch o.Algorithm {
	case Genetic:
		return o.Elites
	case DifferentialEvolution:
		return o.Population / 2
	}
	return 0
}
