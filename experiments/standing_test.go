package experiments

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments/stats"
	"tune2048/tuner/fitness"
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
	o, err := configs.ParseObjective(text)
	if err != nil {
		panic(err)
	}
	return o
}

func isQuantile(o fitness.Objective) bool {
	return len(o.Sample(make([]simulator.Outcome, 1)).Scores) > 0
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
	for _, o := range objectives("{quantile: 0.05}", "{reach: 4096}") {
		random := portable.NewSource(2)
		games, rest := drawn(random, typicalMean, 126), drawn(random, 1.1*typicalMean, 80)
		parts, whole := newStandings(o), newStandings(o)
		for generation, part := range [][]simulator.Outcome{games[:1], games[1:9], games[9:25], games[25:26], games[26:]} {
			parts.add(summarize(o, Place{Generation: generation / 2}, part))
		}
		whole.add(summarize(o, Place{}, games))
		got, want := parts.of[0], whole.of[0]
		if got.Score.N != 126 || got.Fitness.N != 126 || got.Reached != want.Reached || got.Moves != want.Moves || got.Nodes != want.Nodes ||
			!near(got.Score.Mean, want.Score.Mean) || !near(got.Interval.Low, want.Interval.Low) || !near(got.Fitness.Mean, want.Fitness.Mean) ||
			!near(got.FitnessInterval.Low, want.FitnessInterval.Low) || !near(got.FitnessInterval.High, want.FitnessInterval.High) ||
			!isQuantile(o) && !near(parts.spread(), whole.spread()) {
			t.Errorf("%s: in parts %+v, at once %+v", o, *got, *want)
		}
		if got.Evaluations != 5 || got.Generations != 3 {
			t.Errorf("%s: %d evaluations in %d generations, want 5 in 3", o, got.Evaluations, got.Generations)
		}

		if read, err := configs.ParseObjective(o.String()); err != nil || read != o {
			t.Errorf("%s: read back as %v, %v", o, read, err)
		}
		a, b := o.Sample(games), o.Sample(rest)
		narrow, wide := o.Interval(a, 0.5), o.Interval(a, 0.9)
		if !narrow.Contains(a.Fitness.Mean) || narrow.Low < wide.Low || narrow.High > wide.High || narrow == wide {
			t.Errorf("%s: %v lies in %v with 50%%, in %v with 90%%", o, a.Fitness.Mean, narrow, wide)
		}
		d, r, p := o.Compare(a, b, 0.95)
		back, turned, same := o.Compare(b, a, 0.95)
		narrower, _, _ := o.Compare(a, b, 1-1.01*p) // p is the level at which the interval ends at 0
		wider, _, _ := o.Compare(a, b, 1-0.99*p)
		if !near(d.Value, -back.Value) || !near(d.Interval.Low, -back.Interval.High) || !near(r.Value*turned.Value, 1) || !near(p, same) ||
			narrower.Interval.Contains(0) || !wider.Interval.Contains(0) {
			t.Errorf("%s: compared %v, %v, %v, the other way round %v, %v, %v", o, d, r, p, back, turned, same)
		}
		// A race receives the spread of all, of a share with a success and a failure more.
		m, spread := o.Raced(a, whole.spread()), whole.spread()
		if ratio := m.SD() / spread; math.Abs(ratio-1) > 0.02 || math.Abs(m.Mean-a.Fitness.Mean) > 0.03*a.Fitness.Mean {
			t.Errorf("%s: %+v races as %+v, with the spread %v", o, a.Fitness, m, spread)
		}
		if one, two := o.Sample(games[:1]).Fitness, o.Sample(games[:2]).Fitness; one.M2 != 0 || isQuantile(o) && !(two.M2 > 0) {
			t.Errorf("%s: of one game %+v, of two %+v", o, one, two)
		}
		if zero := o.Sample(make([]simulator.Outcome, 3)).Fitness; zero != (stats.Moments{N: 3}) {
			t.Errorf("%s: games without a point have %+v", o, zero)
		}
	}
}

// TestSpreadIsThatOfAGame: 40 candidates of 6 games each give nearly the spread of a game, however
// the candidates differ. The spread of a quantile is the spread of the quantile of many games.
func TestSpreadIsThatOfAGame(t *testing.T) {
	for _, objective := range objectives("{quantile: 0.05}") {
		random := portable.NewSource(3)
		all := newStandings(objective)
		for range 20 {
			var block []Evaluation
			for candidate := range 40 {
				games := drawn(random, typicalMean*(1+float64(candidate%5)/100), 6)
				for i := range games {
					if objective == fitness.MeanScore || isQuantile(objective) {
						games[i].Score += candidate * 100_000
					}
				}
				block = append(block, summarize(objective, Place{Candidate: candidate}, games))
			}
			all.add(block...)
		}
		games, means, near := 1, 10000, 1.05
		if isQuantile(objective) {
			games, means, near = 400, 400, 1.4 // the residuals of six games tell it less well
		}
		var sampled stats.Moments
		for range means {
			sampled.Add(summarize(objective, Place{}, drawn(random, typicalMean, games)).Fitness.Mean)
		}
		if ratio := all.spread() / (sampled.SD() * math.Sqrt(float64(games))); ratio < 1/near || ratio > near {
			t.Errorf("%s: the spread of a game is %v times what it should be", objective, ratio)
		}
	}
}

// TestFewGamesDoNotLead: of equal means the one of more games ranks higher, and six successes of
// six do not beat 39 of 42.
func TestFewGamesDoNotLead(t *testing.T) {
	game := func(score int) simulator.Outcome {
		return simulator.Outcome{Result: engine.Result{Score: score, MaxTile: score / 16, Moves: 1}}
	}
	games := func(high, low int) []simulator.Outcome {
		return append(slices.Repeat([]simulator.Outcome{game(16 * 4096)}, high), slices.Repeat([]simulator.Outcome{game(16 * 1024)}, low)...)
	}
	for _, objective := range objectives("{reach: 4096}") {
		all := newStandings(objective)
		for candidate, g := range [][]simulator.Outcome{games(1, 0), games(6, 0), games(39, 3), games(4, 4), games(16, 16), games(40, 0)} {
			all.add(summarize(objective, Place{Candidate: candidate}, g))
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
	lone := newStandings(fitness.MeanScore)
	for candidate, score := range []int{20000, 30000, 10000} {
		lone.add(summarize(fitness.MeanScore, Place{Candidate: candidate}, []simulator.Outcome{game(score)}))
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
		all := newStandings(objective)
		all.add(summarize(objective, Place{}, slices.Repeat([]simulator.Outcome{{Result: engine.Result{MaxTile: 2048}}}, games)))
		spread := all.spread()
		if !(spread > 0 && spread <= 0.5 && spread < last) {
			t.Errorf("%d games alike: spread %v", games, spread)
		}
		last = spread
		// Agresti's and Caffo's share of n successes of n is (n+1)/(n+2).
		if m := objective.Raced(all.of[0].Sample, spread); m.N != games+2 || m.Mean != float64(games+1)/float64(games+2) || !(m.SD() > 0) {
			t.Errorf("%d games alike: a race is told %+v", games, m)
		}
	}
}

// TestNewcomersDoNotLead: of candidates that are all alike, those of few games are not fitter than
// those of many, on average, and lead no more often than there are of them; also where the quantile
// of few games is about their lowest score.
func TestNewcomersDoNotLead(t *testing.T) {
	const newcomers, veterans, stages = 50, 5, 60
	for _, objective := range objectives("{quantile: 0.05}", "{quantile: 0.95}") {
		for _, games := range []int{2, 5} {
			random, lead := portable.NewSource(uint64(games)), 0
			var few, many stats.Moments
			for range stages {
				all := newStandings(objective)
				for generation := range 10 {
					var block []Evaluation
					for candidate := range newcomers {
						place := Place{Phase: PhaseTuning, Generation: generation, Candidate: veterans + generation*newcomers + candidate}
						if candidate < veterans {
							place.Candidate = candidate
						}
						block = append(block, summarize(objective, place, drawn(random, typicalMean, games)))
					}
					all.add(block...)
				}
				for number, s := range all.of {
					if number < veterans {
						many.Add(s.Fitness.Mean)
					} else {
						few.Add(s.Fitness.Mean)
					}
				}
				if all.ranking()[0] >= veterans {
					lead++
				}
			}
			truth := worth(objective, typicalMean)
			t.Logf("%s, %d games: newcomers %.4g, veterans %.4g, truth %.4g; a newcomer leads in %d of %d", objective, games, few.Mean, many.Mean, truth, lead, stages)
			if ratio := few.Mean / many.Mean; ratio > 1.12 || !isQuantile(objective) && ratio < 0.9 { // extreme quantiles of two games are rather too low
				t.Errorf("%s, %d games: newcomers have %.4g on average, veterans %.4g", objective, games, few.Mean, many.Mean)
			}
		}
	}
}

// TestShrunkStandings: whatever the objective, a candidate's figure lies between the mean of its
// own games and the mean of its generation, near its own mean if it has many games. Its bound is
// one that the objective can have.
func TestShrunkStandings(t *testing.T) {
	for _, objective := range objectives() {
		random, all := portable.NewSource(8), newStandings(objective)
		for generation := range 12 {
			b := Block{Phase: PhaseTuning, Generation: generation, Candidates: []int{0}}
			games := drawn(random, 1.3*typicalMean, 100) // a veteran who is better
			evaluations := []Evaluation{summarize(objective, Place{Phase: PhaseTuning, Generation: generation}, games)}
			for i := range 20 {
				number := 1 + 20*generation + i
				b.Candidates = append(b.Candidates, number)
				games := drawn(random, typicalMean*(1+float64(generation)/50), 1+i%3)
				evaluations = append(evaluations, summarize(objective, Place{Phase: PhaseTuning, Generation: generation, Candidate: number}, games))
			}
			all.add(evaluations...)
			changed := all.shrink(b)
			if first := 1 + 20*max(0, generation-8); len(changed) != 2+20*generation+20-first || changed[0] != 0 || changed[1] != first {
				t.Errorf("%s: generation %d changes %v", objective, generation, changed)
			}
		}
		var fitness, shrunk stats.Moments
		for number, s := range all.of {
			if !(s.Lower >= 0 && s.Lower <= s.Shrunk) || objective.Unit().Suffix == "%" && s.Shrunk > 1 {
				t.Errorf("%s: candidate %d has %v, at least %v", objective, number, s.Shrunk, s.Lower)
			}
			if number > 0 {
				fitness.Add(s.Fitness.Mean)
				shrunk.Add(s.Shrunk)
			}
		}
		if shrunk.SD() > fitness.SD()/2 || math.Abs(shrunk.Mean-fitness.Mean) > 0.15*fitness.Mean {
			t.Errorf("%s: the figures are %v +- %v, by the games alone %v +- %v", objective, shrunk.Mean, shrunk.SD(), fitness.Mean, fitness.SD())
		}
		veteran := all.of[0]
		for number, s := range all.of {
			if number > 0 && s.Lower >= veteran.Lower && !isQuantile(objective) || math.Abs(veteran.Shrunk-veteran.Fitness.Mean) > 0.1*veteran.Fitness.Mean {
				t.Errorf("%s: the veteran has %v, by its games %v, candidate %d at least %v", objective, veteran.Shrunk, veteran.Fitness.Mean, number, s.Lower)
			}
		}
	}
}

// TestReachedIsAtLeast: a game reaches every tile up to its largest one.
func TestReachedIsAtLeast(t *testing.T) {
	var games []simulator.Outcome
	for _, tile := range []int{64, 128, 128, 256, 32768} {
		games = append(games, simulator.Outcome{Result: engine.Result{MaxTile: tile}})
	}
	e := summarize(fitness.MeanScore, Place{}, games)
	if want := [...]int{4, 2, 1, 1, 1, 1, 1, 1, 1, 0}; e.Reached != want {
		t.Errorf("%v: %v, want %v", Tiles, e.Reached, want)
	}
}

// TestFiguresArePossible: of a few games that differ as much as games do, no interval holds a score
// below 0 or a share outside 0 to 1, and no lucky one's prior draws a quantile below 0.
func TestFiguresArePossible(t *testing.T) {
	for _, objective := range objectives("{quantile: 0.25}") {
		top := math.Inf(1)
		if objective.Unit().Suffix == "%" {
			top = 1
		}
		all := newStandings(objective)
		b := Block{Phase: PhaseTuning}
		for candidate, scores := range [][]int{{20, 60000}, {40000, 40, 45000}, {0, 8}, {70000, 70000}} {
			var games []simulator.Outcome
			for _, score := range scores {
				games = append(games, simulator.Outcome{Result: engine.Result{Score: score, MaxTile: score/64 + 2, Moves: 1}})
			}
			all.add(summarize(objective, Place{Phase: PhaseTuning, Candidate: candidate}, games))
			b.Candidates = append(b.Candidates, candidate)
		}
		check := func(name string, i stats.Interval, values ...float64) {
			for _, x := range append(values, i.Low, i.High) {
				if !math.IsInf(x, 0) && (x < 0 || name != "score" && x > top) {
					t.Errorf("%s: %s %v %+v", objective, name, values, i)
				}
			}
		}
		for _, s := range all.list(all.shrink(b)) {
			check("score", s.Interval, s.Score.Mean)
			check("fitness", s.FitnessInterval, s.Fitness.Mean, s.Shrunk, s.Lower)
		}
		g := generationOf("", "", 0, all)
		check("generation", objective.Possible(g.MeanFitness.Interval), g.MeanFitness.Value, g.BestFitness)
		ratio := compare(objective, Evaluation{Sample: all.of[0].Sample, GamesHash: "a"}, Evaluation{Sample: all.of[3].Sample}, Confidence).Ratio
		if ratio.Interval.Low < 0 && !math.IsInf(ratio.Interval.Low, 0) {
			t.Errorf("%s: ratio %+v", objective, ratio)
		}
	}
}
