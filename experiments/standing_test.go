package experiments

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// objectives has one objective of each kind, and those named.
func objectives(more ...string) (list []fitness.Objective) {
	for _, k := range fitness.Kinds {
		o, _ := k.New(k.Example)
		list = append(list, o)
	}
	for _, text := range more {
		list = append(list, objective(text))
	}
	return list
}

func objective(text string) fitness.Objective {
	o, err := config.ParseObjective(text)
	if err != nil {
		panic(err)
	}
	return o
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }

// drawn draws games of a player with that mean.
func drawn(random *portable.Source, mean float64, games int) (outcomes []simulator.Outcome) {
	for range games {
		outcomes = append(outcomes, draw(random, mean))
	}
	return outcomes
}

// TestObjectives: what holds of each objective.
func TestObjectives(t *testing.T) {
	for _, o := range objectives("{reach: 4096}") {
		random := portable.NewSource(2)
		games, rest := drawn(random, typicalMean, 126), drawn(random, 1.1*typicalMean, 80)
		parts, whole := NewStandings(o), NewStandings(o)
		for generation, part := range [][]simulator.Outcome{games[:1], games[1:9], games[9:25], games[25:26], games[26:]} {
			parts.add(summarize(Place{Generation: generation / 2}, part))
		}
		whole.add(summarize(Place{}, games))
		got, want := parts.Of[0], whole.Of[0]
		if got.Score.N != 126 || got.Fitness.N != 126 || got.Largest != want.Largest || got.Moves != want.Moves ||
			got.Nodes != want.Nodes ||
			!near(got.Score.Mean, want.Score.Mean) ||
			!near(o.ScoreInterval(got.Sample, 0.9).Low, o.ScoreInterval(want.Sample, 0.9).Low) ||
			!near(got.Fitness.Mean, want.Fitness.Mean) ||
			!near(o.Interval(got.Sample, 0.9).Low, o.Interval(want.Sample, 0.9).Low) || !near(got.Fitness.M2, want.Fitness.M2) ||
			!near(parts.spread(), whole.spread()) {
			t.Errorf("%s: in parts %+v, at once %+v", o, *got, *want)
		}
		if got.Evaluations != 5 || got.Generations != 3 {
			t.Errorf("%s: %d evaluations in %d generations, want 5 in 3", o, got.Evaluations, got.Generations)
		}

		if read, err := config.ParseObjective(o.String()); err != nil || read != o {
			t.Errorf("%s: read back as %v, %v", o, read, err)
		}
		a, b := sampleOf(o, games), sampleOf(o, rest)
		narrow, wide := o.Interval(a, 0.5), o.Interval(a, 0.9)
		if !narrow.Contains(a.Fitness.Mean) || narrow.Low < wide.Low || narrow.High > wide.High || narrow == wide {
			t.Errorf("%s: %v lies in %v with 50%%, in %v with 90%%", o, a.Fitness.Mean, narrow, wide)
		}
		d, r, p := o.Compare(a, b, stats.Pairs{}, 0.95)
		back, turned, same := o.Compare(b, a, stats.Pairs{}, 0.95)
		narrower, _, _ := o.Compare(a, b, stats.Pairs{}, 1-1.01*p) // p is the level at which the interval ends at 0
		wider, _, _ := o.Compare(a, b, stats.Pairs{}, 1-0.99*p)
		if !near(d.Value, -back.Value) || !near(d.Interval.Low, -back.Interval.High) || !near(r.Value*turned.Value, 1) ||
			!near(p, same) ||
			narrower.Interval.Contains(0) || !wider.Interval.Contains(0) {
			t.Errorf("%s: compared %v, %v, %v, the other way round %v, %v, %v", o, d, r, p, back, turned, same)
		}
		// A race receives the spread of all, of a share with a success and a failure more.
		m, spread := o.Raced(a), whole.spread()
		if ratio := m.SD() / spread; math.Abs(ratio-1) > 0.02 || math.Abs(m.Mean-a.Fitness.Mean) > 0.03*a.Fitness.Mean {
			t.Errorf("%s: %+v races as %+v, with the spread %v", o, a.Fitness, m, spread)
		}
		if one := sampleOf(o, games[:1]).Fitness; one.M2 != 0 {
			t.Errorf("%s: of one game %+v", o, one)
		}
		if zero := sampleOf(o, make([]simulator.Outcome, 3)).Fitness; zero != (stats.Moments{N: 3}) {
			t.Errorf("%s: games without a point have %+v", o, zero)
		}
	}
}

// TestSpreadIsThatOfAGame: 40 candidates of 6 games each give nearly the spread of a game, however
// the candidates differ.
func TestSpreadIsThatOfAGame(t *testing.T) {
	for _, objective := range objectives() {
		random := portable.NewSource(3)
		all := NewStandings(objective)
		for range 20 {
			var block []Evaluation
			for candidate := range 40 {
				games := drawn(random, typicalMean*(1+float64(candidate%5)/100), 6)
				for i := range games {
					if objective == fitness.MeanScore {
						games[i].Score += float64(candidate * 100_000)
					}
				}
				block = append(block, summarize(Place{Candidate: candidate}, games))
			}
			all.add(block...)
		}
		var sampled stats.Moments
		for range 10000 {
			sampled.Add(sampleOf(objective, drawn(random, typicalMean, 1)).Fitness.Mean)
		}
		if ratio := all.spread() / sampled.SD(); ratio < 1/1.05 || ratio > 1.05 {
			t.Errorf("%s: the spread of a game is %v times what it should be", objective, ratio)
		}
	}
}

// ranking returns the candidates by the lower bounds of their fitness, ties by number.
func (all *Standings) ranking() []int {
	numbers := sortedKeys(all.Of)
	bounds := map[int]float64{}
	for i, bound := range all.Lower(numbers) {
		bounds[numbers[i]] = bound
	}
	slices.SortStableFunc(numbers, func(a, b int) int { return cmp.Compare(bounds[b], bounds[a]) })
	return numbers
}

// TestFewGamesDoNotLead: of equal means the one of more games ranks higher, and six successes of
// six do not beat 39 of 42.
func TestFewGamesDoNotLead(t *testing.T) {
	game := func(score int) simulator.Outcome {
		return simulator.Outcome{Result: engine.Result{Score: float64(score), MaxTile: score / 16, Moves: 1}}
	}
	games := func(high, low int) []simulator.Outcome {
		return append(slices.Repeat([]simulator.Outcome{game(16 * 4096)}, high),
			slices.Repeat([]simulator.Outcome{game(16 * 1024)}, low)...)
	}
	for _, objective := range objectives("{reach: 4096}") {
		all := NewStandings(objective)
		for candidate, g := range [][]simulator.Outcome{games(1, 0), games(6, 0), games(39, 3), games(4, 4), games(16, 16),
			games(40, 0)} {
			all.add(summarize(Place{Candidate: candidate}, g))
		}
		got := fmt.Sprint(all.ranking())
		if want := "[5 2 1 0 4 3]"; objective.Unit().Suffix == "%" && got != want {
			t.Errorf("%s: ranked %s, want %s", objective, got, want)
		}
		rank := map[int]int{}
		for i, number := range all.ranking() {
			rank[number] = i
		}
		if !(rank[5] < rank[1] && rank[1] < rank[0] && rank[4] < rank[3]) {
			t.Errorf("%s: ranked %s: of equal means few games come first", objective, got)
		}
	}
	// Where nobody has two games their means are all there is.
	lone := NewStandings(fitness.MeanScore)
	for candidate, score := range []int{20000, 30000, 10000} {
		lone.add(summarize(Place{Candidate: candidate}, []simulator.Outcome{game(score)}))
	}
	if got := fmt.Sprint(lone.ranking()); got != "[1 0 2]" || lone.spread() != 10000 {
		t.Errorf("of one game each: ranked %s, spread %v", got, lone.spread())
	}
}

// TestSharesAreNeverCertain: games that all end alike have a spread. More games have a smaller one,
// and none has more than a coin.
func TestSharesAreNeverCertain(t *testing.T) {
	objective, last := objective("{reach: 2048}"), math.Inf(1)
	for _, games := range []int{2, 10, 100} {
		all := NewStandings(objective)
		all.add(summarize(Place{}, slices.Repeat([]simulator.Outcome{{Result: engine.Result{MaxTile: 2048}}}, games)))
		spread := all.spread()
		if !(spread > 0 && spread <= 0.5 && spread < last) {
			t.Errorf("%d games alike: spread %v", games, spread)
		}
		last = spread
		// Agresti's and Caffo's share of n successes of n is (n+1)/(n+2).
		if m := objective.Raced(all.Of[0].Sample); m.N != games+2 || m.Mean != float64(games+1)/float64(games+2) ||
			!(m.SD() > 0) {
			t.Errorf("%d games alike: a race is told %+v", games, m)
		}
	}
}

// TestFiguresArePossible: of a few games that differ as much as games do, no interval holds a score
// below 0 or a share outside 0 to 1.
func TestFiguresArePossible(t *testing.T) {
	for _, objective := range objectives() {
		top := math.Inf(1)
		if objective.Unit().Suffix == "%" {
			top = 1
		}
		all, rows := NewStandings(objective), stageRows{objective: objective}
		var evaluations []Evaluation
		for candidate, scores := range [][]int{{20, 60000}, {40000, 40, 45000}, {0, 8}, {70000, 70000}} {
			var games []simulator.Outcome
			for _, score := range scores {
				games = append(games, simulator.Outcome{Result: engine.Result{Score: float64(score), MaxTile: score/64 + 2,
					Moves: 1}})
			}
			evaluations = append(evaluations, summarize(Place{Phase: PhaseTuning, Candidate: candidate}, games))
			all.add(evaluations[candidate])
		}
		check := func(name string, i stats.Interval, values ...float64) {
			for _, x := range append(values, i.Low, i.High) {
				if !math.IsInf(x, 0) && (x < 0 || name != "score" && x > top) {
					t.Errorf("%s: %s %v %+v", objective, name, values, i)
				}
			}
		}
		for _, s := range all.Of {
			check("score", objective.ScoreInterval(s.Sample, Confidence), s.Score.Mean)
			check("fitness", objective.Interval(s.Sample, Confidence), s.Fitness.Mean)
		}
		g := rows.row(evaluations)
		check("generation", objective.Possible(g.MeanFitness.Interval, false), g.MeanFitness.Value, g.BestFitness)
		ratio := compare(objective, all.Of[0], all.Of[3], Confidence).Ratio
		if ratio.Interval.Low < 0 && !math.IsInf(ratio.Interval.Low, 0) {
			t.Errorf("%s: ratio %+v", objective, ratio)
		}
	}
}
