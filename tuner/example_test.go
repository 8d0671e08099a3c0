package tuner_test

import (
	"fmt"
	"log"
	"math"

	"tune2048/engine/portable"
	"tune2048/tuner"
)

// measure is a noisy measurement: at its best near temperature 200 and rate 0.01.
func measure(temperature, rate float64) float64 {
	a, b := (temperature-200)/50, math.Log10(rate/0.01)
	return 10/(1+a*a+b*b) + noise.Normal()
}

var noise = portable.NewSource(1)

func Example() {
	space := tuner.NewSpace([]tuner.Parameter{
		{Name: "temperature", Min: 100, Max: 300, Value: 150},
		{Name: "rate", Min: 0.0001, Max: 1, Value: 0.1, Scale: "log"},
	})
	optimizer, err := tuner.New(tuner.NewAlgorithm("cma_es"), space, 2048)
	if err != nil {
		log.Fatal(err)
	}
	for range 100 {
		candidates := optimizer.Ask()
		fitness := make([]float64, len(candidates))
		for i, c := range candidates {
			fitness[i] = measure(c.Values[0], c.Values[1])
		}
		optimizer.Tell(fitness)
	}
	fmt.Printf("%.0f %.2f", optimizer.Centre()[0], optimizer.Centre()[1])
	// Output: 196 0.01
}
