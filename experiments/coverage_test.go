package experiments

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tune2048/configs"
	"tune2048/engine/portable"
	"tune2048/experiments/stats"
	"tune2048/tuner"
)

// What a run says must hold in a world where the truth is known: these tests carry whole runs out, 1,000 and more, on
// synthetic landscapes. They are seeded: a change of the pipeline draws other runs, of which about 1 in 500 would
// miss a bound by chance.

// whole is a run with all that could fool it: many candidates on few games, two populations, stages, races.
const whole = `
name: whole
heuristic:
  features:
    - {feature: empty, name: a, weight: {min: 0, max: 1, start: 0.2}}
    - {feature: merges, name: b, weight: {min: 1, max: 1000, start: 300, scale: log}}
    - {feature: largest, name: c, weight: {min: -10, max: 0, start: -5}}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 8}
restarts: 2
stages:
  - {name: explore, generations: 2, games: 6, rounds: 2}
  - {name: refine, search: {depth: 2}, generations: 2, games: 6, rounds: 3}
playoff: {finalists: 6, games: 60, rounds: 3}
validation: {games: 150}
sensitivity: {games: 0}
`

// hill is a landscape whose optimum is at the place in the unit cube of the numbers of whole.
func hill(steepness float64, place ...float64) landscape {
	return landscape{[]string{"a", "b", "c"}, func(v []float64) float64 {
		unit := [...]float64{v[0], portable.Log(v[1]) / portable.Log(1000), 1 + v[2]/10}
		squares := 0.0
		for i, u := range unit {
			squares += (u - place[i]) * (u - place[i])
		}
		return portable.Exp(-steepness * squares)
	}, nil}
}

// findings are what many runs came to.
type findings struct {
	runs              int
	covered, ratio    int // runs whose interval of the gain covers the truth: of the difference, of the ratio
	verdicts          map[string]int
	gain              float64 // true gain of the champions, in units of the start's mean, on average
	inSample, heldOut float64 // means of the champions above their true ones, in units of those, on average
	start             int     // runs in which the start weights are the champion
}

// carryOutMany carries whole out in the landscape, with many seeds.
func carryOutMany(t *testing.T, runs int, l landscape) findings {
	t.Helper()
	c := synthetic(t, whole)
	results := make([]Result, runs)
	repeat(t, runs, func(i int) (err error) {
		results[i], _, err = carryOutSynthetic(c, uint64(i), l)
		return err
	})
	f := findings{runs: runs, verdicts: map[string]int{}}
	each := 1 / float64(runs)
	for _, r := range results {
		v := r.Validated[0]
		champion, start := l.truth(r.Champion), typicalMean*l.mean([]float64{0.2, 300, -5})
		if v.Gain.Difference.Interval.Contains(champion - start) {
			f.covered++
		}
		if v.Gain.Ratio.Interval.Contains(champion / start) {
			f.ratio++
		}
		if r.Champion.Number == StartNumber {
			f.start++
		}
		f.verdicts[v.Verdict()]++
		f.gain += each * (champion/start - 1)
		f.inSample += each * (r.InSample.Mean/champion - 1)
		f.heldOut += each * (v.Champion.Score.Mean/champion - 1)
	}
	t.Logf("%+v", f)
	return f
}

// share returns the share of the runs whose verdict begins so.
func (f findings) share(verdict string) float64 {
	n := 0
	for v, times := range f.verdicts {
		if strings.HasPrefix(v, verdict) {
			n += times
		}
	}
	return float64(n) / float64(f.runs)
}

// checkCoverage wants 95% intervals to be that: neither narrower, nor so wide that they say nothing.
func (f findings) checkCoverage(t *testing.T) {
	t.Helper()
	for name, covered := range map[string]int{"difference": f.covered, "ratio": f.ratio} {
		if share := float64(covered) / float64(f.runs); share < 0.93 || share > 0.975 {
			t.Errorf("the 95%% interval of the %s covers the truth in %.1f%% of runs, want 93%% to 97.5%%", name, 100*share)
		}
	}
	if se := 0.55 / math.Sqrt(float64(150*f.runs)); math.Abs(f.heldOut) > 3.5*se {
		t.Errorf("the held-out means of champions are %+.2f%% off on average", 100*f.heldOut)
	}
}

func TestGainIsCovered(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic of one goroutine: the race detector finds nothing in it")
	}
	f := carryOutMany(t, 1000, hill(1.5, 0.7, 0.4, 0.6))
	f.checkCoverage(t)
	if better := f.share("better"); better < 0.95 || f.gain < 0.3 {
		t.Errorf("better than the start weights in %.1f%% of runs, by %.0f%%: this landscape has more to find", 100*better, 100*f.gain)
	}
}

func TestNoGainWhereThereIsNone(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic of one goroutine: the race detector finds nothing in it")
	}
	f := carryOutMany(t, 1000, hill(0, 0, 0, 0))
	f.checkCoverage(t)
	// 2.5% on either side.
	if better := f.share("better"); better > 0.04 {
		t.Errorf("better than the start weights in %.1f%% of runs, want at most 4%%", 100*better)
	}
	if none := f.share("no gain found"); none < 0.93 {
		t.Errorf("no gain found in %.1f%% of runs, want at least 93%%", 100*none)
	}
	// The test would see a champion taken at its word: it won because it was lucky.
	if f.inSample < 0.03 {
		t.Errorf("the playoff's figure is %+.2f%% off on average: too little to fool anybody", 100*f.inSample)
	}
}

func TestNoGainWhereTheStartIsOptimal(t *testing.T) {
	f := carryOutMany(t, 400, hill(1.5, 0.2, 0.8257, 0.5))
	if better := f.share("better"); better > 0.04 {
		t.Errorf("better than the start weights in %.1f%% of runs, want at most 4%%", 100*better)
	}
	// The rest are champions that are worse, and said to be.
	if none := f.share("no gain found"); none < 0.9 {
		t.Errorf("no gain found in %.1f%% of runs, want at least 90%%", 100*none)
	}
}

// finalists plays playoffs of one config.
type finalists struct {
	config    *configs.Config
	landscape landscape
}

// newFinalists returns finalists who are as strong as their first number says; the second tells equals apart.
func newFinalists(t testing.TB) finalists {
	return finalists{
		synthetic(t, `
name: finalists
heuristic:
  features:
    - {feature: empty, name: strength, weight: {min: 0, max: 10, start: 1}}
    - {feature: merges, name: label, weight: {min: 0, max: 100, start: 0}}
playoff: {finalists: 8, games: 160, rounds: 4}
`),
		landscape{[]string{"strength", "label"}, func(v []float64) float64 { return v[0] }, nil},
	}
}

// hold holds the playoff of finalists with these true means, of which the first is the best. It returns whether that one
// was raced out, and the share of the games that no racing would play.
func (f finalists) hold(seed uint64, means []float64) (lost bool, share float64, err error) {
	ctx, c, store := context.Background(), *f.config, newMemory()
	c.Seed = seed
	s := &state{Experiment: Experiment{Config: &c, Simulator: f.landscape, Store: store}, candidates: newRegistry(&c)}
	s.progress = newProgress(&c, s.run)
	var asked []tuner.Candidate
	for i, mean := range means {
		asked = append(asked, tuner.Candidate{Values: []float64{mean, float64(i)}})
	}
	numbers, err := s.register(ctx, asked, "", 0)
	if err != nil {
		return false, 0, err
	}
	champion, inSample, err := s.playoff(ctx, numbers)
	if err != nil {
		return false, 0, err
	}
	if champion != store.champion || len(numbers) != len(means) {
		return false, 0, fmt.Errorf("champion %d of %d, the store has %d", champion, len(numbers), store.champion)
	}
	last := store.finished[len(store.finished)-1]
	complete := last.Round == c.Playoff.Rounds-1
	if !slices.Contains(last.Candidates, champion) || complete != (inSample.N == c.Playoff.Games) {
		return false, 0, fmt.Errorf("champion %d played %d games in %d rounds", champion, inSample.N, last.Round+1)
	}
	lost = !slices.Contains(last.Candidates, numbers[0])
	if !complete { // after its last round only the champion was left
		lost = champion != numbers[0]
	}
	return lost, float64(s.progress.Done) / float64(len(means)*c.Playoff.Games), nil
}

// TestPlayoffKeepsTheBest: racing loses the best finalist in at most 5% of playoffs, nominally, and saves games where there
// are any to save.
func TestPlayoffKeepsTheBest(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic of one goroutine: the race detector finds nothing in it")
	}
	const playoffs = 1000
	f := newFinalists(t)
	for first, c := range []struct {
		name  string
		means []float64 // the first is the best
		games float64   // at most
	}{
		// The hardest to keep: as soon as the others are out there is one equal rival with all of the level.
		{"one rival as good, six far behind", []float64{1, 1, 0.6, 0.58, 0.56, 0.54, 0.52, 0.5}, 0.6},
		{"best by 30%", []float64{1.3, 1, 1, 1, 1, 1, 1, 1}, 0.6},
	} {
		lost, shares := make([]bool, playoffs), make([]float64, playoffs)
		repeat(t, playoffs, func(i int) (err error) {
			seed := portable.Hash(uint64(first), "playoff", i) >> 11
			lost[i], shares[i], err = f.hold(seed, c.means)
			return err
		})
		losses := 0
		for _, l := range lost {
			if l {
				losses++
			}
		}
		games := stats.Summarize(shares).Mean
		t.Logf("%s: the best is lost in %.1f%% of playoffs, %.1f%% of the games", c.name, 100*float64(losses)/playoffs, 100*games)
		if losses > playoffs*65/1000 {
			t.Errorf("%s: the best is lost in %d of %d playoffs, want at most 6.5%%", c.name, losses, playoffs)
		}
		if games > c.games {
			t.Errorf("%s: %.1f%% of the games are played, want at most %.0f%%", c.name, 100*games, 100*c.games)
		}
	}
}

// planted has a number that matters, one that changes every game but not their mean, and one that changes nothing.
const planted = `
name: planted
heuristic:
  features:
    - {feature: empty, name: strong, weight: {min: 0, max: 1, start: 0.3}}
    - {feature: merges, name: idle, weight: {min: 0, max: 1, start: 0.5}}
    - {feature: largest, name: absent, weight: {min: 0, max: 1, start: 0.5}}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 8}
stages: [{generations: 3, games: 6, rounds: 2}]
playoff: {finalists: 4, games: 40, rounds: 2}
validation: {games: 10}
sensitivity: {games: 200, step: 0.3}
`

func TestSensitivityFindsWhatMatters(t *testing.T) {
	const runs = 400
	c := synthetic(t, planted)
	l := landscape{[]string{"strong", "idle"}, func(v []float64) float64 { return portable.Exp(-4 * (v[0] - 0.6) * (v[0] - 0.6)) }, nil}
	results := make([]Result, runs)
	repeat(t, runs, func(i int) (err error) {
		results[i], _, err = carryOutSynthetic(c, uint64(i), l)
		return err
	})
	verdicts := map[string]int{}
	allowed := 0 // runs in which the effect of idle is within what is said to be possible
	for _, r := range results {
		for _, e := range r.Effects {
			verdicts[e.Weight+": "+e.Verdict()]++
			if e.Weight == "idle" && covers(e, 1) {
				allowed++
			}
		}
	}
	t.Log(verdicts, allowed)
	for said, least := range map[string]int{"strong: " + Matters: runs * 95 / 100, "idle: " + NotSeen: runs * 95 / 100, "absent: " + NoEffect: runs} {
		if verdicts[said] < least {
			t.Errorf("%s, in %d of %d runs, want at least %d", said, verdicts[said], runs, least)
		}
	}
	if allowed < runs*95/100 {
		t.Errorf("the intervals of idle hold 1 in %d of %d runs", allowed, runs)
	}
}

// covers reports whether the intervals of both shifts hold the true ratio.
func covers(e Effect, ratio float64) bool {
	for _, shift := range []Shift{e.Down, e.Up} {
		if shift.Played && !shift.Contrast.Ratio.Interval.Contains(ratio) {
			return false
		}
	}
	return true
}

// TestDeathsChangeNothing lets the store die at random calls, with games lost that it held back, and the simulator be
// interrupted at random games: in the end the result and the store are those of a run that was left in peace.
func TestDeathsChangeNothing(t *testing.T) {
	const runs = 60
	c := synthetic(t, strings.NewReplacer("sensitivity: {games: 0}", "sensitivity: {games: 30}",
		"validation: {games: 150}", "validation: {games: 50, search: [{depth: 1}, {depth: 2}]}").Replace(whole))
	repeat(t, runs, func(i int) error {
		l, random := hill(1.5, 0.7, 0.4, 0.6), portable.NewSource(uint64(i))
		want, peace, err := carryOutSynthetic(c, uint64(i), l)
		if err != nil {
			return err
		}
		calls := peace.calls
		seeded, store := *c, newMemory()
		seeded.Seed = uint64(i)
		store.lost = func() bool { return random.Float64() < 0.5 }
		for starts := 1; ; starts++ {
			ctx, cancel := context.WithCancel(context.Background())
			left := -1 // games until the interruption
			dies := 1 + int(random.Float64()*float64(calls))
			if random.Float64() < 0.5 {
				left, dies = dies, 0
			}
			if starts == 10 {
				left, dies = -1, 0
			}
			l.begins = func() {
				if left--; left == 0 {
					cancel()
				}
			}
			store.revive(dies, random.Float64() < 0.5)
			got, err := Experiment{Config: &seeded, Simulator: l, Store: store}.Run(ctx)
			cancel()
			switch {
			case err == nil:
				got.Run, want.Run, got.ReadBack = Run{}, Run{}, 0
				if !reflect.DeepEqual(got, want) {
					return fmt.Errorf("seed %d, %d starts: got %+v, want %+v", i, starts, got, want)
				}
				if !reflect.DeepEqual(store.candidates, peace.candidates) || !reflect.DeepEqual(store.evaluations, peace.evaluations) ||
					!reflect.DeepEqual(store.finished, peace.finished) || !slices.Equal(store.contrasts, peace.contrasts) || store.champion != peace.champion {
					return fmt.Errorf("seed %d, %d starts: the store has other content", i, starts)
				}
				return nil
			case !errors.Is(err, errDied) && !errors.Is(err, context.Canceled):
				return fmt.Errorf("seed %d, start %d: %w", i, starts, err)
			}
		}
	})
}
