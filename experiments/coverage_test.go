package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/tuner"
)

// What a run says must hold in a world where the truth is known: these tests carry whole runs out,
// hundreds, or a tenth of them with -short, on synthetic landscapes. They are seeded: a
// change of the pipeline draws other runs, of which about 1 in 500 would miss a bound by chance.

// whole is a run with all that could fool it: many candidates on few games, stages,
// races.
const whole = `
name: whole
heuristic:
  features:
    - {feature: empty, name: a, weight: {min: 0, max: 1, start: 0.2, scale: linear}}
    - {feature: merges, name: b, weight: {min: 1, max: 1000, start: 300, scale: log}}
    - {feature: largest, name: c, weight: {min: -10, max: 0, start: -5, scale: linear}}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 16}
stages:
  - {name: explore, generations: 2, games: 6, rounds: 2}
  - {name: refine, search: {depth: 2}, generations: 2, games: 6, rounds: 3}
playoff: {finalists: 6, games: 60, rounds: 3}
validation: {games: 150}
ablation: {games: 0}
`

// hill is a landscape whose optimum is at the place in the unit cube of the numbers of whole.
func hill(steepness float64, place ...float64) landscape {
	return landscape{numbers: []string{"a", "b", "c"}, mean: func(v []float64) float64 {
		unit := [...]float64{v[0], portable.Log(v[1]) / portable.Log(1000), 1 + v[2]/10}
		squares := 0.0
		for i, u := range unit {
			squares += (u - place[i]) * (u - place[i])
		}
		return portable.Exp(-steepness * squares)
	}}
}

// findings are the results of many runs.
type findings struct {
	objective         string
	runs              int
	covered, ratio    int // runs whose interval of the gain covers the truth: of the difference, of the ratio
	fitness           int // runs whose interval of the champion's fitness covers the truth
	verdicts          map[string]int
	gain              float64 // true gain of the champions, in units of the start's mean, on average
	inSample, heldOut float64 // means of the champions above their true ones, in units of those, on average
	start             int     // runs in which the start weights are the champion
}

// carryOutMany carries whole out in the landscape, with many seeds.
func carryOutMany(t *testing.T, runs int, l landscape, objective string) findings {
	t.Helper()
	c := synthetic(t, whole+"objective: "+objective+"\n")
	stores := make([]*memory, runs)
	repeat(t, runs, func(i int) (err error) {
		stores[i], err = carryOutSynthetic(c, uint64(1000+i), l)
		return err
	})
	f := findings{objective: objective, runs: runs, verdicts: map[string]int{}}
	each := 1 / float64(runs)
	for _, r := range stores {
		gain, fittest := r.against("depth 1", StartNumber), r.candidates[r.champion]
		heldOut := r.standing(c.Objective, PhaseValidation, "depth 1", r.champion)
		inSample := r.standing(c.Objective, PhasePlayoff, "depth 1", r.champion)
		champion, start := worth(c.Objective, l.truth(fittest)),
			worth(c.Objective, typicalMean*l.mean([]float64{0.2, 300, -5}))
		if gain.Difference.Interval.Contains(champion - start) {
			f.covered++
		}
		ratio := champion / start
		if c.Objective.Unit().Logs {
			ratio = math.Exp(champion - start)
		}
		if gain.Ratio.Interval.Contains(ratio) {
			f.ratio++
		}
		if c.Objective.Interval(heldOut.Sample, Confidence).Contains(champion) {
			f.fitness++
		}
		if r.champion == StartNumber {
			f.start++
		}
		f.verdicts[gain.Verdict]++
		f.gain += each * (champion/start - 1)
		f.inSample += each * (inSample.Fitness.Mean/champion - 1)
		f.heldOut += each * (heldOut.Fitness.Mean/champion - 1)
	}
	t.Logf("%+v", f)
	return f
}

// checkCoverage wants 95% intervals to be that: neither narrower, nor so wide that they say
// nothing. Where the start weights are the champion, the gain and its interval are 0, and cover the
// truth for certain.
func (f findings) checkCoverage(t *testing.T) {
	t.Helper()
	for name, c := range map[string]struct{ covered, certain int }{"difference": {f.covered, f.start},
		"ratio": {f.ratio, f.start}, "fitness": {f.fitness, 0}} {
		least, most := likely(f.runs-c.certain, 0.95)
		if covered := c.covered - c.certain; covered < least || covered > most {
			t.Errorf("the 95%% interval of the %s covers the truth in %d of %d runs, want %d to %d", f.objective+", "+name,
				covered, f.runs-c.certain, least, most)
		}
	}
	if se := 0.55 / math.Sqrt(float64(150*f.runs)); f.objective == "mean_score" && math.Abs(f.heldOut) > 3.5*se {
		t.Errorf("the held-out means of champions are %+.2f%% off on average", 100*f.heldOut)
	}
}

func TestGainIsCovered(t *testing.T) {
	f := carryOutMany(t, many(500), hill(1.5, 0.7, 0.4, 0.6), "mean_score")
	f.checkCoverage(t)
	if better := f.verdicts[Better]; better < f.runs*95/100 || f.gain < 0.3 {
		t.Errorf("better than the start weights in %d of %d runs, by %.0f%%: this landscape has more to find", better, f.runs,
			100*f.gain)
	}
}

// TestIntervalsHold: whatever the objective, the intervals of held-out figures that users are shown
// cover the truth with 95%, and of equals 5% are called different. So it is where the games of a
// seed are independent, where half of the luck is the seed's, and where all of it is.
func TestIntervalsHold(t *testing.T) {
	const games = 400
	pairs := many(500)
	for i, objective := range slices.Repeat(objectives("{reach: 4096}"), 3) {
		random, alike := portable.NewSource(uint64(i)), float64(i/4)/2
		truth := [2]float64{worth(objective, typicalMean), worth(objective, 1.3*typicalMean)}
		covered, certain, different := map[string]int{}, 0, 0
		for pair := range pairs {
			means := [2]float64{typicalMean * (1 + 0.3*float64(pair%2)), typicalMean}
			var played [2][]simulator.Outcome
			for range games {
				luck := [2]uint64{random.Uint64(), random.Uint64()}
				if random.Float64() < alike {
					luck[1] = luck[0]
				}
				for k, mean := range means {
					played[k] = append(played[k], draw(portable.NewSource(luck[k]), mean))
				}
			}
			var sides [2]Standing
			for k := range sides {
				sides[k].Candidate = k
				sides[k].add(objective, summarize(Place{Candidate: k, Phase: PhaseValidation}, played[k]))
			}
			a, b := truth[pair%2], truth[0]
			ratio := a / b
			if objective.Unit().Logs {
				ratio = math.Exp(a - b)
			}
			found := []Comparison{compare(objective, &sides[0], &sides[1], Confidence)}
			correct(found, 1)
			c := found[0]
			holds := map[string]bool{"difference": c.Difference.Interval.Contains(a - b),
				"ratio": c.Ratio.Interval.Contains(ratio)}
			if a == b && alike == 1 { // all games are the same
				certain++
			} else {
				holds["fitness"] = objective.Interval(sides[0].Sample, Confidence).Contains(a)
				for name, held := range holds {
					if held {
						covered[name]++
					}
				}
			}
			if a == b && c.Verdict != NoDifference {
				different++
			}
			if excludes := !c.Difference.Interval.Contains(0); excludes != (c.Verdict != NoDifference) ||
				excludes != (c.Adjusted <= c.Level) || excludes && (c.Verdict == Better) != (c.Difference.Value > 0) {
				t.Fatalf("%s: %+v", objective, c)
			}
		}
		t.Logf("%s, %g alike: %v of %d, %d of %d equals different", objective, alike, covered, pairs-certain, different,
			pairs/2)
		least, most := likely(pairs-certain, 0.95)
		for name, n := range covered {
			if n < least || n > most {
				t.Errorf("%s, %g alike: the 95%% interval of the %s covers the truth in %d of %d pairs, want %d to %d", objective,
					alike, name, n, pairs-certain, least, most)
			}
		}
		if _, most := likely(pairs/2, 0.05); different > most {
			t.Errorf("%s, %g alike: %d of %d equals are called different, want 5%%", objective, alike, different, pairs/2)
		}
	}
}

// TestFinalistsAreNotLucky: whatever is dealt, and whatever the objective, the start is among the
// finalists, and no other one is there whom a candidate with twice the games and no lower a mean
// should have displaced.
func TestFinalistsAreNotLucky(t *testing.T) {
	for _, edit := range []string{
		"games: 4, rounds: 3", "games: 5, rounds: 4", "games: 4, rounds: 3}]\nobjective: {reach: 2048}\n#",
		"games: 4, rounds: 3}]\nobjective: {reach: 4096}\n#",
		"games: 4, rounds: 2}]\noptimizer: {population: 64}\n#", "games: 1",
	} {
		optimizer := "optimizer: {population: 8}\n"
		if strings.Contains(edit, "optimizer") {
			optimizer = ""
		}
		c := synthetic(t, strings.NewReplacer("optimizer: {algorithm: genetic, population: 16}\n", optimizer,
			"\n  - {name: explore, generations: 2, games: 6, rounds: 2}\n  - {name: refine, search: {depth: 2}, generations: "+
				"2, games: 6, rounds: 3}",
			" [{generations: 8, "+edit+"}]", "games: 60, rounds: 3", "games: 4, rounds: 1", "validation: {games: 150}",
			"validation: {games: 2}").Replace(whole))
		repeat(t, many(40), func(i int) error {
			store, err := carryOutSynthetic(c, uint64(i), hill(1.5, 0.7, 0.4, 0.6))
			if err != nil {
				return err
			}
			all := NewStandings(c.Objective)
			var finalists []int
			for _, e := range store.evaluations {
				switch e.Phase {
				case PhaseTuning:
					all.add(e)
				case PhasePlayoff:
					finalists = append(finalists, e.Candidate)
				}
			}
			if !slices.Contains(finalists, StartNumber) || len(finalists) != 6 {
				return fmt.Errorf("%s, seed %d: finalists %v without the start, or not six", edit, i, finalists)
			}
			for _, f := range finalists {
				if origin := store.candidates[f].Origin; f == StartNumber || origin == tuner.OriginCentre {
					continue
				}
				for number, other := range all.Of {
					if f := all.Of[f].Fitness; !slices.Contains(finalists, number) && other.Fitness.N >= 2*f.N &&
						other.Fitness.Mean >= f.Mean {
						return fmt.Errorf("%s, seed %d: a finalist has %d games and %v, candidate %d has %d and %v", edit, i, f.N, f.Mean,
							number, other.Fitness.N, other.Fitness.Mean)
					}
				}
			}
			return nil
		})
	}
}

// TestValidationIsOneFamily: champions that are no better than anybody are called better or worse,
// at any of several searches and against any of several references, in 5% of runs.
func TestValidationIsOneFamily(t *testing.T) {
	runs := many(500)
	c := synthetic(t, strings.Replace(whole, "validation: {games: 150}", `validation: {games: 60, search: [{depth: 1}, {depth: 2}, {depth: 3}]}
references: {x: {weights: {a: 0.1}}, y: {from: champion, weights: {a: 0.9}}}`, 1))
	setNumber(c, "population", 8)
	c.Playoff.Games = 2
	for i := range c.Stages {
		c.Stages[i].Generations, c.Stages[i].Games, c.Stages[i].Rounds = 1, 1, 1
	}
	stores := make([]*memory, runs)
	repeat(t, runs, func(i int) (err error) {
		stores[i], err = carryOutSynthetic(c, uint64(i), hill(0, 0, 0, 0))
		return err
	})
	wrong := 0
	for _, r := range stores {
		found := false
		for _, c := range r.comparisons {
			found = found || c.Verdict != NoDifference
			if c.Phase != PhaseValidation || c.Candidate != r.champion {
				t.Fatalf("%s of candidate %d, the champion is %d", c.Phase, c.Candidate, r.champion)
			}
		}
		if found {
			wrong++
		}
	}
	t.Logf("%d of %d", wrong, runs)
	if _, most := likely(runs, 0.05); wrong > most || wrong < runs/100 {
		t.Errorf("of equals somebody is called different in %d of %d runs, want at most 5%%, and not never", wrong, runs)
	}
}

func TestNoGainWhereThereIsNone(t *testing.T) {
	f := carryOutMany(t, many(500), hill(0, 0, 0, 0), "mean_score")
	f.checkCoverage(t)
	// 2.5% on either side.
	if _, most := likely(f.runs, 0.025); f.verdicts[Better] > most {
		t.Errorf("better than the start weights in %d of %d runs, want at most %d", f.verdicts[Better], f.runs, most)
	}
	if least, _ := likely(f.runs, 0.95); f.verdicts[NoDifference] < least {
		t.Errorf("no gain found in %d of %d runs, want at least %d", f.verdicts[NoDifference], f.runs, least)
	}
	// The test would see a champion taken at its word: it won because it was lucky.
	if f.inSample < 0.03 {
		t.Errorf("the playoff's figure is %+.2f%% off on average: too little to fool anybody", 100*f.inSample)
	}
}

// finalists plays playoffs of one config.
type finalists struct {
	config    *config.Config
	landscape landscape
}

// newFinalists returns finalists whose first number is their strength. The second number makes
// equals differ.
func newFinalists(t testing.TB) finalists {
	return finalists{
		synthetic(t, `
name: finalists
heuristic:
  features:
    - {feature: empty, name: strength, weight: {min: 0, max: 10, start: 1, scale: linear}}
    - {feature: merges, name: label, weight: {min: 0, max: 100, start: 0, scale: linear}}
playoff: {finalists: 8, games: 160, rounds: 4}
`),
		landscape{numbers: []string{"strength", "label"}, mean: func(v []float64) float64 { return v[0] }},
	}
}

// hold holds the playoff of finalists with these true means, of which the first is the best. It
// returns whether that one was raced out, and the share of the games that no racing would play.
func (f finalists) hold(seed uint64, means []float64) (lost bool, share float64, err error) {
	ctx, c := context.Background(), f.config
	s, store := stateOf(c, seed, f.landscape)
	var asked []tuner.Candidate
	for i, mean := range means {
		asked = append(asked, tuner.Candidate{Values: []float64{mean, float64(i)}})
	}
	numbers, err := s.register(ctx, asked, "", 0)
	if err != nil {
		return false, 0, err
	}
	ranked, err := s.playoff(ctx, numbers)
	if err != nil {
		return false, 0, err
	}
	champion := ranked[0]
	if len(numbers) != len(means) {
		return false, 0, fmt.Errorf("champion %d of %d", champion, len(numbers))
	}
	round, last := store.last()
	of := s.standingsAt(PhasePlayoff, c.Playoff.Search.String()).Of
	if len(last) < 2 {
		return false, 0, fmt.Errorf("candidate %d plays on alone", last[0])
	}
	for _, number := range last {
		if mean := of[number].Fitness.Mean; mean > of[champion].Fitness.Mean {
			return false, 0, fmt.Errorf("champion %d has %v, candidate %d has %v", champion, of[champion].Fitness.Mean, number,
				mean)
		}
	}
	complete := round == c.Playoff.Rounds-1
	if !slices.Contains(last, champion) || complete != (of[champion].Score.N == c.Playoff.Games) {
		return false, 0, fmt.Errorf("champion %d played %d games in %d rounds", champion, of[champion].Score.N, round+1)
	}
	lost = !slices.Contains(last, numbers[0])
	if !complete { // after its last round only the champion was left
		lost = champion != numbers[0]
	}
	return lost, float64(s.progress.Done) / float64(len(means)*c.Playoff.Games), nil
}

// TestPlayoffKeepsTheBest: racing loses the best finalist in at most 5% of playoffs, nominally, and
// saves games where there are any to save.
func TestPlayoffKeepsTheBest(t *testing.T) {
	playoffs := many(500)
	f := newFinalists(t)
	for first, c := range []struct {
		name  string
		means []float64 // the first is the best
		games float64   // at most
	}{
		// The hardest to keep: as soon as the others are out there is one equal rival with all of
		// the level.
		{"one rival as good, six far behind", []float64{1, 1, 0.6, 0.58, 0.56, 0.54, 0.52, 0.5}, 0.6},
		{"best by 30%", []float64{1.3, 1, 1, 1, 1, 1, 1, 1}, 0.6},
	} {
		lost, shares := make([]bool, playoffs), make([]float64, playoffs)
		repeat(t, playoffs, func(i int) (err error) {
			seed := portable.Hash(uint64(first), "playoff", i) >> 11
			lost[i], shares[i], err = f.hold(seed, c.means)
			return err
		})
		losses, games := 0, 0.0
		for i, share := range shares {
			games += share / float64(playoffs)
			if lost[i] {
				losses++
			}
		}
		t.Logf("%s: the best is lost in %.1f%% of playoffs, %.1f%% of the games", c.name,
			100*float64(losses)/float64(playoffs), 100*games)
		if _, most := likely(playoffs, 0.05); losses > most {
			t.Errorf("%s: the best is lost in %d of %d playoffs, want at most 5%%", c.name, losses, playoffs)
		}
		if games > c.games {
			t.Errorf("%s: %.1f%% of the games are played, want at most %.0f%%", c.name, 100*games, 100*c.games)
		}
	}
}

// planted has a feature that matters, one that changes every game but not their mean, and one that
// changes nothing.
const planted = `
name: planted
heuristic:
  features:
    - {feature: empty, name: strong, weight: {min: 0, max: 1, start: 0.3, scale: linear}}
    - {feature: merges, name: idle, weight: {min: 0.1, max: 1, start: 0.5, scale: linear}}
    - {feature: largest, name: absent, weight: {min: 0.1, max: 1, start: 0.5, scale: linear}}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 8}
stages: [{generations: 4, games: 6, rounds: 2}]
playoff: {finalists: 4, games: 40, rounds: 2}
validation: {games: 10}
ablation: {games: 400, difference: 0.1}
`

// TestAblationFindsWhatMatters: also where the champion is as good as tuning found it, which is not
// the best.
func TestAblationFindsWhatMatters(t *testing.T) {
	runs := many(100)
	c := synthetic(t, planted)
	strength := func(x float64) float64 { return portable.Exp(-4 * (x - 0.6) * (x - 0.6)) }
	l := landscape{numbers: []string{"strong", "idle"}, mean: func(v []float64) float64 { return strength(v[0]) }}
	stores := make([]*memory, runs)
	repeat(t, runs, func(i int) (err error) {
		stores[i], err = carryOutSynthetic(c, uint64(i), l)
		return err
	})
	verdicts := map[string]int{}
	covered := 0 // runs in which all intervals of the ablation hold
	for _, r := range stores {
		truth, all := map[string]float64{"strong": strength(0) * typicalMean / l.truth(r.candidates[r.champion]), "idle": 1,
			"absent": 1}, true
		for _, c := range r.comparisons {
			if c.Phase != PhaseAblation {
				continue
			}
			feature := strings.TrimPrefix(c.Question, "without ")
			verdicts[feature+": "+c.Verdict]++
			all = all && c.Ratio.Interval.Contains(truth[feature])
			if known := c.Verdict == Worse || c.Verdict == Better; known != (c.Adjusted <= c.Level) {
				t.Errorf("%s: %s with an adjusted p of %v", feature, c.Verdict, c.Adjusted)
			}
			if (c.Verdict == Undecided) != (c.More > 0) {
				t.Errorf("%s is %s: %d more games would tell", feature, c.Verdict, c.More)
			}
		}
		if all {
			covered++
		}
	}
	t.Log(verdicts, covered)
	for said, least := range map[string]int{"strong: " + Worse: 95, "absent: " + NoDifference: 100, "idle: " +
		NoDifference: 40} {
		if verdicts[said] < runs*least/100 {
			t.Errorf("%s, in %d of %d runs, want at least %d%%", said, verdicts[said], runs, least)
		}
	}
	if wrong := verdicts["idle: "+Worse] + verdicts["idle: "+Better]; wrong > runs*4/100 {
		t.Errorf("idle is said to matter in %d of %d runs", wrong, runs)
	}
	if covered < runs*94/100 {
		t.Errorf("all intervals of the ablation hold in %d of %d runs", covered, runs)
	}
}
