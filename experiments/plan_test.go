package experiments

import (
	"math"
	"strings"
	"testing"
	"time"

	"tune2048/engine"
)

// TestPlanIsWhatIsPlayed, part by part, where nothing stops early, and no part without games is in
// it. The progress is at the part whose games are played, and no more of it is left than its bound
// allows.
func TestPlanIsWhatIsPlayed(t *testing.T) {
	c := synthetic(t, strings.NewReplacer("generations: 2, games: 6, rounds: 2", "generations: 2, games: 6",
		"generations: 2, games: 6, rounds: 3", "generations: 9, games: 6, max_games: 96",
		"games: 60, rounds: 3", "games: 10, rounds: 1", "validation: {games: 150}",
		"validation: {games: 20, search: [{depth: 1}, {depth: 2, games: 7}]}",
		"ablation: {games: 0}", "ablation: {games: 8}").Replace(whole)+
		"references: {x: {weights: {b: 7}}, y: {from: champion, weights: {b: 8}}, z: {from: champion, weights: {b: 9}}}\n")
	plan, store := NewPlanner(c).Plan(t.Context(), math.MaxInt), newMemory()
	done, left, last := make([]int64, len(plan)), make([]int64, len(plan)), int64(0)
	x := Experiment{Config: c, Simulator: hill(1.5, 0.7, 0.4, 0.6), Store: store, Observe: func(p Progress) {
		b := p.Plan[p.Part]
		if b.Phase != p.Phase || b.Stage != p.Stage || b.Search != p.Search {
			return // a part begins, and its first block has not
		}
		done[p.Part] += p.Done - last
		last, left[p.Part] = p.Done, p.Left
		if p.Left < 0 || done[p.Part]+p.Left > b.Games {
			t.Errorf("at %s %s %s %d games are done and %d left of at most %d", p.Phase, p.Stage, p.Search, done[p.Part], p.Left,
				b.Games)
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
		if b.Games != games || done[i] != parts[Place{Phase: b.Phase, Stage: b.Stage, Search: b.Search}] ||
			b.Phase != PhaseTuning && (done[i] != games || left[i] != 0) {
			t.Errorf("%s %s %s: %d games of %d are done, %d left, want %d", b.Phase, b.Stage, b.Search, done[i], b.Games,
				left[i], games)
		}
		if left[i] > games/4 { // identical candidates of a generation play once
			t.Errorf("%d games of stage %s are left at its end", left[i], b.Stage)
		}
	}
}

// quick is the head of a config whose games are short.
const quick = "heuristic: {features: [{feature: empty, name: a, weight: {min: 0, max: 1, start: 0.2, scale: linear}}, " +
	"{feature: merges, name: b, weight: {min: 1, max: 1000, start: 300, scale: log}}, {feature: largest, name: c, " +
	"weight: {min: -10, max: 0, start: -5, scale: linear}}]}\n" +
	"search: {depth: 1}\nstore: {games: none}\n"

// TestPlanBoundsAndExpects: no part plays more games than the plan says, no stage more than its
// max_games, and all runs together about as many as are expected.
func TestPlanBoundsAndExpects(t *testing.T) {
	finals := "playoff: {finalists: 8, games: 500}\nvalidation: {games: 1000}\nablation: {games: 4000}\n"
	all, expected := int64(0), int64(0)
	for name, text := range map[string]string{
		"quickstart": quick + "stages: [{generations: 45, games: 12, rounds: 3}]\n" + finals,
		"max_games":  quick + "stages: [{max_games: 5000}]\nablation: {games: 1000}\nvalidation: {games: 1000}",
		"raced":      quick + "stages: [{max_games: 5000, games: 12, rounds: 3, generations: 500}]\n" + finals,
		"population": quick + "optimizer: {algorithm: genetic, population: 120}\nstages: [{max_games: 3000, games: 4, " +
			"rounds: 2}, {search: {depth: 2}, max_games: 2000}]\n" + finals,
		"one generation": quick + "stages: [{max_games: 80}]\nablation: {games: 0}",
		"cma_es": quick + "optimizer: {algorithm: cma_es}\nstages: [{max_games: 1000}]\nreferences: {x: {weights: " +
			"{b: 7}}}\n" + finals,
		"no room": quick + "stages: [{max_games: 119, games: 2}]\nablation: {games: 0}",
	} {
		config := synthetic(t, text)
		store := newMemory()
		if _, err := (Experiment{Config: config, Simulator: hill(1.5, 0.7, 0.4, 0.6),
			Store: store}).Run(t.Context()); err != nil {
			t.Fatal(name, err)
		}
		played := store.played()
		for i, b := range NewPlanner(config).Plan(t.Context(), math.MaxInt) {
			n := played[Place{Phase: b.Phase, Stage: b.Stage, Search: b.Search}]
			tuned := n
			if b.Phase == PhaseTuning {
				n += played[Place{Phase: PhaseCentre, Stage: b.Stage, Search: b.Search}]
			}
			all, expected = all+n, expected+b.Expected
			t.Logf("%s: %s %s: %d games, expected %d, at most %d", name, b.Phase, b.Stage, n, b.Expected, b.Games)
			if n > b.Games || b.Expected > b.Games || i < len(config.Stages) && config.Stages[i].MaxGames > 0 &&
				tuned > int64(config.Stages[i].MaxGames) {
				t.Errorf("%s: %d games of %s %s, %d expected and %d at most", name, n, b.Phase, b.Stage, b.Expected, b.Games)
			}
		}
	}
	if math.Abs(float64(all-expected)) > 0.2*float64(all) {
		t.Errorf("%d games were played, %d expected", all, expected)
	}
}

// TestRoundsFitIntoMemory: a round at the limit is carried out, and one above is not.
func TestRoundsFitIntoMemory(t *testing.T) {
	round := strings.Replace(whole, "generations: 2, games: 6, rounds: 2", "generations: 2, games: 250000, rounds: 1", 1)
	for text, want := range map[string]string{
		round: "",
		strings.Replace(round, "250000", "250001", 1):            "stages: explore: want at most 4000000 games in a round",
		"heuristic: {features: [{feature: empty, weight: 1}]}\n": "nothing to tune",
	} {
		if err := CheckPlan(synthetic(t, text)); (err == nil) != (want == "") || err != nil &&
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v of %s, want %q", err, text, want)
		}
	}
	if _, err := carryOutSynthetic(synthetic(t, strings.Replace(round, "250000", "250001", 1)), 1,
		landscape{}); err == nil {
		t.Error("a plan beyond the limits is carried out")
	}
}

// TestWithinFillsTheLimit: the planned generations fit into the limit with what follows them, or
// have half of it. More generations would not.
func TestWithinFillsTheLimit(t *testing.T) {
	for _, text := range []string{"", "playoff: {search: {depth: 5}}\nvalidation: {search: {depth: 5}}\n",
		"validation: {games: 40000, search: {depth: 5}}\n", "stages: [{generations: 50}, {search: {depth: 2}}]\n"} {
		for _, limit := range []time.Duration{time.Minute, time.Hour, 3 * time.Hour, 8 * time.Hour, 100 * time.Hour} {
			c := synthetic(t, quick+text).Endless()
			planner := NewPlanner(c)
			clock := NewClock(2, limit, func(s engine.Settings) Price {
				return Price{Game: 1000 * float64(s.Rule.Fixed), Node: 25e-6}
			})
			clock.Now = func() time.Time { return clock.Began }
			took := func(generations int) (tuning, follows float64) {
				for _, b := range planner.Plan(t.Context(), generations) {
					if seconds := clock.Takes(b, b.Expected); b.Phase == PhaseTuning {
						tuning += seconds
					} else {
						follows += seconds
					}
				}
				return tuning, follows
			}
			n := clock.Within(func(generations int) []PlannedPart { return planner.Plan(t.Context(), generations) })
			tuning, follows := took(n)
			more, then := took(n + 1)
			if tuning+follows > limit.Seconds() && tuning > limit.Seconds()/2 || more+then < limit.Seconds() ||
				more < limit.Seconds()/2 {
				t.Errorf("%s%v: %d generations take %.0f s and what follows %.0f s; one more %.0f s and %.0f s", text, limit, n,
					tuning, follows, more, then)
			}
		}
	}
}
