// Command simulation says how many machines a run can use: how long a generation takes on so many cores, and what is in the way.
//
//	go run ./experiments/cluster/simulation
//
// It plays nothing. Its cores take as long as measured games take; jobs are dealt by the coordinator's own dealer.
package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"tune2048/experiments/cluster"
)

// search is how long games of configs/quickstart.yaml's start weights are at a search.
type search struct {
	name      string
	nodes     float64     // of a game, mean
	quantiles [21]float64 // of that, by twentieths, in units of the mean
}

// nodesPerSecond is what one core makes of them: 93 s of CPU time for the 47,742 games of the quickstart, of 133 nodes a move, on the machine
// whose figures experiments/cluster/README.md has. The coordinator's costs, the defaults below, were measured there too: a
// block by BenchmarkBlocks, games and candidates by a profile of a run with two workers.
const nodesPerSecond = 150e6

// Measured by these commands, with -depth 7 -games 60 too; nodes are the same everywhere:
//
//	tune compare configs/quickstart.yaml configs/snake.yaml -depth 3 -games 500
//	tune query "select nodes from games where candidate_id % 1000000 = 0 and search = 'depth 3' order by nodes"
var searches = []search{
	{"depth 3", 194_679, [21]float64{0.162, 0.335, 0.515, 0.62, 0.669, 0.715, 0.752, 0.825, 0.9, 0.957, 1.002, 1.031, 1.07, 1.113, 1.153, 1.193,
		1.242, 1.443, 1.585, 1.739, 2.336}}, // standard deviation 0.40 of the mean
	{"depth 7", 137_215_493, [21]float64{0.224, 0.519, 0.566, 0.667, 0.726, 0.76, 0.813, 0.835, 0.85, 0.875, 0.998, 1.122, 1.145, 1.163, 1.174,
		1.279, 1.303, 1.33, 1.354, 1.435, 1.884}}, // 0.34
}

// times are the quantiles of how long a game takes on one core.
func (s search) times() (list []time.Duration) {
	for _, q := range s.quantiles {
		list = append(list, time.Duration(q*s.nodes/nodesPerSecond*float64(time.Second)))
	}
	return list
}

func main() {
	s := cluster.Simulation{}
	var cores, restarts string
	var generations int
	flag.StringVar(&cores, "cores", "10,100,1000,10000", "the `NUMBERS` of cores")
	flag.StringVar(&restarts, "restarts", "1,4,16,64", "the `NUMBERS` of populations")
	flag.IntVar(&generations, "generations", 5, "the `NUMBER` of generations of each population")
	flag.IntVar(&s.Population, "population", 40, "the `NUMBER` of candidates in a generation")
	flag.IntVar(&s.Games, "games", 16, "the `NUMBER` of games of each")
	flag.IntVar(&s.Rounds, "rounds", 1, "the `NUMBER` of rounds in which they are dealt")
	flag.Float64Var(&s.Slow, "slow", 0.2, "the `SHARE` of cores that are slow")
	flag.Float64Var(&s.Slower, "slower", 2, "how many `TIMES` as long a game takes there")
	flag.DurationVar(&s.Block, "block", 70*time.Microsecond, "the coordinator's `TIME` for a block: publishing it and taking its result")
	flag.DurationVar(&s.Game, "game", 10*time.Microsecond, "the coordinator's `TIME` for a game: taking and recording it")
	flag.DurationVar(&s.Candidate, "candidate", 150*time.Microsecond, "the coordinator's `TIME` for a candidate at the end of its games")
	flag.Float64Var(&s.Messages, "messages", 36_000, "the `NUMBER` of messages a second that the coordinator can send and take; 0: any")
	flag.DurationVar(&s.Latency, "latency", 500*time.Microsecond, "the `TIME` of a message")
	flag.DurationVar(&s.Tables, "tables", 130*time.Microsecond, "a core's `TIME` for each player of a block")
	flag.Uint64Var(&s.Seed, "seed", 2048, "the `SEED` of the games' times")
	flag.Parse()
	out := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "search\tcores\trestarts\tgames play\tgeneration\tideal\tcoordinator busy\tblocks\ttwice\tlimit\t")
	for _, search := range searches {
		s.Times = search.times()
		for _, s.Cores = range numbers("cores", cores) {
			for _, s.Restarts = range numbers("restarts", restarts) {
				found := s.Run(generations)
				fmt.Fprintf(out, "%s\t%d\t%d\t%.0f%%\t%v\t%v\t%.0f%%\t%.0f\t%.0f\t%s\t\n", search.name, s.Cores, s.Restarts, 100*found.Efficiency(),
					short(found.Took), short(found.Ideal), 100*found.Coordinator, found.Blocks, found.Repeated, limit(s, found, generations))
			}
		}
	}
	out.Flush()
}

// limit says what costs most of what is lost: the coordinator, that there are fewer games than cores, or that all wait for the last
// games. The last two are what is lost where messages and the coordinator cost nothing.
func limit(s cluster.Simulation, found cluster.Simulated, generations int) string {
	if found.Efficiency() >= 0.9 {
		return "none"
	}
	games := s.Restarts * s.Population * s.Games / s.Rounds
	s.Costs = cluster.Costs{}
	free := s.Run(generations).Efficiency()
	switch {
	case found.Efficiency()/free < free:
		return "coordinator"
	case games < 2*s.Cores:
		return "too few games"
	default:
		return "barrier"
	}
}

// short is a time in three digits.
func short(t time.Duration) time.Duration {
	digit := time.Duration(1)
	for t/digit >= 1000 {
		digit *= 10
	}
	return t.Round(digit)
}

// numbers reads what a flag says.
func numbers(flag, text string) (list []int) {
	for _, word := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 {
			fmt.Fprintf(os.Stderr, "-%s: want numbers from 1 such as 10,100, got %q\n", flag, text)
			os.Exit(2)
		}
		list = append(list, n)
	}
	return list
}
