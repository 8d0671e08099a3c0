package tuner

import (
	"fmt"
	"math"
)

// objective is a function to be maximized: its highest value is 1, at a place that is neither the
// middle nor the start.
type objective struct {
	name  string
	space []Parameter
	mean  func(x []float64) float64
}

// cube returns n parameters of [low, high] that start at the same place.
func cube(n int, low, high, start float64) []Parameter {
	ps := make([]Parameter, n)
	for i := range ps {
		ps[i] = Parameter{Name: fmt.Sprint("x", i), Min: low, Max: high, Value: start}
	}
	return ps
}

// loss makes a score of a loss, so that noise can be a share of it.
func loss(l float64) float64 { return 1 / (1 + l) }

// bowl has weights for the squares of distances from its optimum, at -2, -1.5, -1, -2 ... unless on
// the low edge.
func bowl(name string, n int, weight func(i int) float64, onEdge func(i int) bool) objective {
	return objective{name, cube(n, -5, 5, 3), func(x []float64) float64 {
		sum := 0.0
		for i, v := range x {
			d := v + 2 - 0.5*float64(i%3)
			if onEdge(i) {
				d = v + 5
			}
			sum += d * d * weight(i)
		}
		return loss(sum / 10)
	}}
}

func equal(int) float64 { return 1 }
func never(int) bool    { return false }

func sphere(n int) objective { return bowl("sphere", n, equal, never) }

// ellipsoid has parameters that matter more than others, 1 to 30 in length.
func ellipsoid(n int) objective {
	return bowl("ellipsoid", n, func(i int) float64 { return math.Pow(30, 2*float64(i)/float64(n-1)) / 100 }, never)
}

// edge has half of its optimum on the edges of the space.
func edge(n int) objective { return bowl("edge", n, equal, func(i int) bool { return i%2 == 0 }) }

// rosenbrock has a curved valley; shifted so that its optimum is at -0.5.
func rosenbrock(n int) objective {
	return objective{"rosenbrock", cube(n, -3, 3, 1), func(x []float64) float64 {
		sum := 0.0
		for i := 0; i+1 < len(x); i++ {
			a, b := x[i]+1.5, x[i+1]+1.5
			sum += 100*(b-a*a)*(b-a*a) + (1-a)*(1-a)
		}
		return loss(sum / 100)
	}}
}

// rastrigin is a bowl with a local optimum near each point of a grid.
func rastrigin(n int) objective {
	return objective{"rastrigin", cube(n, -5, 5, 3), func(x []float64) float64 {
		sum := 0.0
		for i, v := range x {
			d := v + 1.3 - 0.2*float64(i%4)
			sum += d*d + 3*(1-math.Cos(2*math.Pi*d))
		}
		return loss(sum / 20)
	}}
}

// weights is shaped like a heuristic of features: only ratios of its log-distributed parameters
// matter, one parameter hardly does.
func weights(n int) objective {
	ps := make([]Parameter, n)
	for i := range ps {
		ps[i] = Parameter{Name: fmt.Sprint("w", i), Min: 1, Max: 10000, Value: 100, Scale: "log"}
	}
	return objective{"weights", ps, func(x []float64) float64 {
		sum := 0.0
		for i := 1; i < len(x); i++ {
			d := math.Log10(x[i]/x[i-1]) - []float64{1.2, -0.8, 0.9}[i%3]
			if i == 2 {
				d /= 5
			}
			sum += d * d
		}
		return loss(sum / 2)
	}}
}
