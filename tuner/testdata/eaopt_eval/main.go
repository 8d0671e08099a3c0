// eaopt_eval tunes the weights of a config with eaopt as its README uses it, through tune eval, and
// prints the fittest weights: every default, and 8 games a candidate. It searches the unit cube of
// the config's own scales.
//
//	tune init quickstart
//	go run ./tuner/testdata/eaopt_eval quickstart.yaml 2500 1 > best.json   # games in all, seed
//
// TUNE names the program.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand"
	"os"
	"os/exec"
	"strconv"

	"github.com/MaxHalford/eaopt"

	"tune2048/tuner"
)

const games = 8 // of a candidate

// ranges are the weights to tune, as tune eval -ranges prints them.
var ranges []tuner.Parameter

// ask writes a candidate to tune eval, and answers reads its fitness.
var (
	ask     *json.Encoder
	answers *bufio.Scanner
)

// weights are a place in the unit cube.
type weights []float64

func (w weights) named() map[string]float64 {
	named := map[string]float64{}
	for i, r := range ranges {
		named[r.Name] = min(max(r.At(w[i]), r.Min), r.Max)
	}
	return named
}

func (w weights) Evaluate() (float64, error) {
	if err := ask.Encode(map[string]any{"id": "eaopt", "weights": w.named()}); err != nil {
		return 0, err
	}
	var answer struct{ Fitness *float64 }
	if !answers.Scan() {
		return 0, io.ErrUnexpectedEOF
	}
	if err := json.Unmarshal(answers.Bytes(), &answer); err != nil || answer.Fitness == nil {
		return 0, fmt.Errorf("tune eval answered %s", answers.Text())
	}
	return -*answer.Fitness, nil
}

func (w weights) Mutate(random *rand.Rand) {
	eaopt.MutNormalFloat64(w, 0.8, random)
	for i, u := range w {
		w[i] = min(max(u, 0), 1)
	}
}

func (w weights) Crossover(other eaopt.Genome, random *rand.Rand) {
	eaopt.CrossUniformFloat64(w, other.(weights), random)
}

func (w weights) Clone() eaopt.Genome { return append(weights{}, w...) }

func main() {
	file, tune := os.Args[1], os.Getenv("TUNE")
	budget, err := strconv.Atoi(os.Args[2])
	seed, err2 := strconv.ParseInt(os.Args[3], 10, 64)
	text, err3 := exec.Command(tune, "eval", "-config", file, "-ranges").Output()
	eval := exec.Command(tune, "eval", "-config", file, "-games", strconv.Itoa(games))
	to, err4 := eval.StdinPipe()
	from, err5 := eval.StdoutPipe()
	check(err, err2, err3, err4, err5, json.Unmarshal(text, &ranges), eval.Start())
	ask, answers = json.NewEncoder(to), bufio.NewScanner(from)

	settings := eaopt.NewDefaultGAConfig()
	settings.NGenerations = uint(budget/games)/settings.PopSize - 1 // the first population plays, too
	settings.RNG = rand.New(rand.NewSource(seed))
	ga, err := settings.NewGA()
	check(err)
	check(ga.Minimize(func(random *rand.Rand) eaopt.Genome {
		w := make(weights, len(ranges))
		for i := range w {
			w[i] = random.Float64()
		}
		return w
	}))
	check(to.Close(), eval.Wait(), json.NewEncoder(os.Stdout).Encode(ga.HallOfFame[0].Genome.(weights).named()))
}

func check(all ...error) {
	for _, err := range all {
		if err != nil {
			log.Fatal(fmt.Errorf("eaopt_eval: %w", err))
		}
	}
}
