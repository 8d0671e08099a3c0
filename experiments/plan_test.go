package experiments

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"tune2048/engine"
)

// TestPlanIsWhatIsPlayed, part by part, where nothing stops early, and no part without games is in
// it. The progress is at the part whose games are played, and no more of it is left than its bound
// allows.
func TestPlanIsWhatIsPlayed(t *testing.T) {
	c := synthetic(t, strings.NewReplacer("generations: 2, games: 6, rounds: 2", "generations: 2, games: 6", "generations: 2, games: 6, rounds: 3", "generations: 9, games: 6, max_games: 96",
		"games: 60, rounds: 3", "games: 10, rounds: 1", "validation: {games: 150}", "validation: {games: 20, search: [{depth: 1}, {depth: 2, games: 7}]}",
		"ablation: {games: 0}", "ablation: {games: 8}").Replace(whole)+
		"references: {x: {weights: {b: 7}}, y: {from: champion, weights: {b: 8}}, z: {from: champion, weights: {b: 9}}}\n")
	plan, store := Plan(c), newMemory()
	done, left, last := make([]int64, len(plan)), make([]int64, len(plan)), int64(0)
	x := Experiment{Config: c, Simulator: hill(1.5, 0.7, 0.4, 0.6), Store: store, Observe: func(p Progress) {
		b := p.Plan[p.Part]
		if b.Phase != p.Phase || b.Stage != p.Stage || b.Search != p.Search {
			return // a part begins, and its first block has not
		}
		done[p.Part] += p.Done - last
		last, left[p.Part] = p.Done, p.Left
		if p.Left < 0 || done[p.Part]+p.Left > b.Games {
			t.Errorf("at %s %s %s %d games are done and %d left of at most %d", p.Phase, p.Stage, p.Search, done[p.Part], p.Left, b.Games)
		}
	}}
	_, err := x.Run(t.Context())
	must(t, err)
	parts := store.played()
	for _, games := range parts {
		last -= games
	}
	if last != 0 {
		t.Errorf("the progress is %d games off", last)
	}
	if len(plan) != 6 || len(parts) != 6 { // a trend needs more generations
		t.Errorf("planned %+v, played %v", plan, parts)
	}
	for i, games := range []int64{2 * 2 * 8 * 6, 96, 6 * 10, 5 * 20, 5 * 7} {
		b := plan[i]
		if b.Games != games || done[i] != parts[Place{Phase: b.Phase, Stage: b.Stage, Search: b.Search}] || b.Phase != PhaseTuning && (done[i] != games || left[i] != 0) {
			t.Errorf("%s %s %s: %d games of %d are done, %d left, want %d", b.Phase, b.Stage, b.Search, done[i], b.Games, left[i], games)
		}
		if left[i] > games/4 { // identical candidates of a generation play once
			t.Errorf("%d games of stage %s are left at its end", left[i], b.Stage)
		}
	}
}

// quick is the head of a config whose games are short.
const quick = "heuristic: {features: [{feature: empty, name: a, weight: {min: 0, max: 1, start: 0.2, scale: linear}}, " +
	"{feature: merges, name: b, weight: {min: 1, max: 1000, start: 300, scale: log}}, {feature: largest, name: c, weight: {min: -10, max: 0, start: -5, scale: linear}}]}\n" +
	"search: {depth: 1}\nstore: {games: none}\n"

// TestPlanBoundsAndExpects: no part plays more games than the plan says, no stage more than its
// max_games, and the whole run about as many as are expected.
func TestPlanBoundsAndExpects(t *testing.T) {
	finals := "playoff: {finalists: 8, games: 500}\nvalidation: {games: 1000}\nablation: {games: 4000}\n"
	for name, text := range map[string]string{
		"quickstart":     quick + "stages: [{generations: 45, games: 12, rounds: 3}]\n" + finals,
		"max_games":      quick + "stages: [{max_games: 5000}]\nablation: {games: 1000}\nvalidation: {games: 1000}",
		"raced":          quick + "stages: [{max_games: 5000, games: 12, rounds: 3, generations: 500}]\n" + finals,
		"population":     quick + "optimizer: {algorithm: genetic, population: 120}\nstages: [{max_games: 3000, games: 4, rounds: 2}, {search: {depth: 2}, max_games: 2000}]\n" + finals,
		"one generation": quick + "stages: [{max_games: 80}]\nablation: {games: 0}",
		"cma_es":         quick + "optimizer: {algorithm: cma_es}\nstages: [{max_games: 1000}]\nreferences: {x: {weights: {b: 7}}}\n" + finals,
		"no room":        quick + "stages: [{max_games: 119, games: 2}]\nablation: {games: 0}",
	} {
		config := synthetic(t, text)
		store := newMemory()
		if _, err := (Experiment{Config: config, Simulator: hill(1.5, 0.7, 0.4, 0.6), Store: store}).Run(t.Context()); err != nil {
			t.Fatal(name, err)
		}
		all, expected, played := int64(0), int64(0), store.played()
		for i, b := range Plan(config) {
			n := played[Place{Phase: b.Phase, Stage: b.Stage, Search: b.Search}]
			all, expected = all+n, expected+b.Expected
			t.Logf("%s: %s %s: %d games, expected %d, at most %d", name, b.Phase, b.Stage, n, b.Expected, b.Games)
			if n > b.Games || b.Expected > b.Games || i < len(config.Stages) && config.Stages[i].MaxGames > 0 && n > int64(config.Stages[i].MaxGames) {
				t.Errorf("%s: %d games of %s %s, %d expected and %d at most", name, n, b.Phase, b.Stage, b.Expected, b.Games)
			}
		}
		if math.Abs(float64(all-expected)) > 0.2*float64(all) {
			t.Errorf("%s: %d games were played, %d expected", name, all, expected)
		}
	}
}

// TestPlanAtItsLimits is carried out, and one above is not.
func TestPlanAtItsLimits(t *testing.T) {
	limits := strings.NewReplacer("finalists: 6", "finalists: 14", "- {name: refine, search: {depth: 2}, generations: 2, games: 6, rounds: 3}", "", "generations: 2, games: 6, rounds: 2",
		"generations: 624999, games: 100", "validation: {games: 150}", "validation: {games: 380}").Replace(whole)
	games, candidates := int64(0), int64(0)
	for _, b := range Plan(synthetic(t, limits)) {
		games, candidates = games+b.Games, candidates+int64(b.Generations*b.Candidates)
	}
	if games != MaxGames || candidates != MaxCandidates {
		t.Fatalf("%d games and %d candidates are not at the limits", games, candidates)
	}
	round := strings.Replace(whole, "generations: 2, games: 6, rounds: 2", "generations: 2, games: 250000, rounds: 1", 1)
	for text, want := range map[string]string{
		limits: "", round: "",
		strings.Replace(limits, "{games: 380", "{games: 381", 1):                           "want at most 1000000000 games and 10000000 candidates in a run",
		strings.Replace(limits, "finalists: 14, games: 60", "finalists: 15, games: 51", 1): "want at most 1000000000 games and 10000000 candidates in a run",
		strings.Replace(round, "250000", "250001", 1):                                      "stages: explore: want at most 4000000 games in a round",
		"heuristic: {features: [{feature: empty, weight: 1}]}\n":                           "nothing to tune",
	} {
		if err := CheckPlan(synthetic(t, text)); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v of %s, want %q", err, text, want)
		}
	}
	if _, err := carryOutSynthetic(synthetic(t, strings.Replace(round, "250000", "250001", 1)), 1, landscape{}); err == nil {
		t.Error("a plan beyond the limits is carried out")
	}
}

// TestFilledIsAtNoLimit: what time ends can be carried out, however many games a candidate plays.
func TestFilledIsAtNoLimit(t *testing.T) {
	for _, games := range []int{1, 8, 99, 100, 200, 5000, 90_000} {
		c, err := Filled(synthetic(t, fmt.Sprintf("%s\nstages: [{games: %d}]\nvalidation: {search: [{depth: 1}, {depth: 2}]}\n", quick, games)))
		must(t, err)
		if err := CheckPlan(c); err != nil {
			t.Errorf("%d games: %v", games, err)
		}
	}
}

// TestWithinFillsTheLimit: what follows the planned generations follows as many games, both fit
// into the limit, and more generations would not. What follows takes most of the time here.
func TestWithinFillsTheLimit(t *testing.T) {
	for _, games := range []int{8, 200} {
		for _, limit := range []time.Duration{time.Minute, time.Hour, 3 * time.Hour, 8 * time.Hour, 100 * time.Hour} {
			c, err := Filled(synthetic(t, fmt.Sprintf("%sstages: [{games: %d, search: {depth: 1}}]\nplayoff: {search: {depth: 5}}\nvalidation: {search: {depth: 5}}\n", quick, games)))
			must(t, err)
			pace := NewPace(c, 2, limit, func(s engine.Settings) time.Duration {
				return time.Duration(s.Rule.Fixed) * 25 * time.Millisecond
			})
			took := func(plan []PlannedPart) (seconds float64) {
				for _, b := range plan {
					share := 1 + PaceMargin
					if b.Phase == PhaseTuning {
						share = 1
					}
					seconds += share * pace.Takes(b, b.Expected)
				}
				return seconds
			}
			plan := pace.Within()
			tuning := plan[0].Expected
			if want := planAfter(c.Grown(tuning)); !reflect.DeepEqual(plan[1:], want) {
				t.Errorf("%d games, %v: after %d games of tuning %+v, want %+v", games, limit, tuning, plan[1:], want)
			}
			one := tuning / int64(plan[0].Generations)
			longer := append([]PlannedPart{plan[0]}, planAfter(c.Grown(tuning+2*one))...)
			longer[0].Expected = tuning + 2*one
			generation := plan[0]
			generation.Expected = one
			if took(plan) > limit.Seconds()+took([]PlannedPart{generation}) && plan[0].Generations > 1 || took(longer) < limit.Seconds() {
				t.Errorf("%d games, %v: %.0f s, and %.0f s with two generations more", games, limit, took(plan), took(longer))
			}
		}
	}
}

// TestTimeIsSharedFromTheBeginning: before its first generation a run of limited time plans the
// least that can follow.
func TestTimeIsSharedFromTheBeginning(t *testing.T) {
	c, err := Filled(synthetic(t, quick))
	must(t, err)
	pace := NewPace(c, 2, time.Hour, func(engine.Settings) time.Duration { return time.Millisecond })
	pace.Observe(Progress{Plan: Plan(c)}) // the run begins
	if want := planAfter(c); !reflect.DeepEqual(pace.Plan[1:], want) {
		t.Errorf("%+v, want %+v", pace.Plan[1:], want)
	}
}
