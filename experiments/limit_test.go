package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"tune2048/engine"
	"tune2048/engine/simulator"
)

// hourglass is a landscape whose games take as long as they score, on a clock of its own and on two
// cores. As a limit it cuts one phase after some time, in seconds from its first game on.
type hourglass struct {
	landscape
	phase  string
	after  float64
	now    float64
	until  float64
	fit    float64 // share of its games that a part has time for
	within bool    // in the phase
}

// pointsASecond is the speed of a core.
const pointsASecond = typicalMean

func (h *hourglass) Play(ctx context.Context, b simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	var all []simulator.Outcome
	if _, err := h.landscape.Play(ctx, b, func(_ int, o simulator.Outcome) error {
		all = append(all, o)
		return nil
	}); err != nil {
		return nil, err
	}
	free, parts := [2]float64{h.now, h.now}, b.Parts
	for i, o := range all {
		core := 0
		if free[1] < free[0] {
			core = 1
		}
		h.now = free[core]
		if len(parts) > 0 && parts[0] == i {
			parts = parts[1:]
			if !b.More() {
				break
			}
		}
		free[core] += o.Score / pointsASecond
		if err := finished(i, o); err != nil {
			return nil, err
		}
	}
	h.now = max(free[0], free[1])
	return all, nil
}

func (h *hourglass) Ends(PlannedPart) bool { return false }
func (h *hourglass) Together(int) int      { return 1 }
func (h *hourglass) Over() bool            { return h.within && h.now > h.until }

func (h *hourglass) Fit(parts []PlannedPart) float64 {
	h.within = parts[0].Phase == h.phase
	if h.within {
		h.until = h.now + h.after
		return h.fit
	}
	return 1
}

// TestCutHeldOutGamesAreHonest: a bot's games take as long as they score, and time ends its
// held-out games at one of ten places. The intervals of the champion's mean and of its gain hold
// the truth in 93% of 1,000 runs or more, at each place. In the mean they are not off.
func TestCutHeldOutGamesAreHonest(t *testing.T) {
	head, _, _ := strings.Cut(whole, "stages:")
	c := synthetic(t, strings.Replace(head, "population: 16", "population: 4", 1)+`
stages: [{generations: 1, games: 2}]
playoff: {finalists: 2, games: 4}
validation: {games: 120}
ablation: {games: 0}
`)
	runs, l := many(1000), hill(1, 0.7, 0.3, 0.5)
	start := typicalMean * l.mean([]float64{0.2, 300, -5})
	for place := range 10 {
		share := float64(place+1) / 10
		stores := make([]*memory, runs)
		repeat(t, runs, func(i int) error {
			seeded, store := *c, newMemory()
			seeded.Seed, stores[i] = uint64(5000+i), store
			h := &hourglass{landscape: l, phase: PhaseValidation, after: share * 90, fit: 1} // 120 games of each of two players take some 90 s
			_, err := Experiment{Config: &seeded, Simulator: h, Store: store, Limit: h}.Run(context.Background())
			return err
		})
		covered, difference, ratio, cut, off, games := 0, 0, 0, 0, 0.0, 0
		for _, r := range stores {
			champion := l.truth(r.candidates[r.champion])
			heldOut, gain := r.standing(c.Objective, PhaseValidation, "depth 1", r.champion), r.against("depth 1", StartNumber)
			size := r.run.Sizes["validation depth 1"]
			if heldOut.Score.N != size.Played || gain.BaselineGames != size.Played {
				t.Fatalf("%d games and %d of the start weights, want %d of each", heldOut.Score.N, gain.BaselineGames, size.Played)
			}
			games += size.Played
			if size.Played < size.Games {
				cut++
			}
			off += (heldOut.Fitness.Mean/champion - 1) / float64(runs)
			for _, one := range []struct {
				holds bool
				count *int
			}{
				{c.Objective.Interval(heldOut.Sample, Confidence).Contains(champion), &covered},
				{gain.Difference.Interval.Contains(champion - start), &difference},
				{gain.Ratio.Interval.Contains(champion / start), &ratio},
			} {
				if one.holds {
					*one.count++
				}
			}
		}
		t.Logf("place %d: %d of %d runs are cut, on average to %d games; covered: mean %d, difference %d, ratio %d; off by "+
			"%+.2f%%",
			place+1, cut, runs, games/runs, covered, difference, ratio, 100*off)
		least, _ := likely(runs, 0.95)
		least = max(least, runs*93/100)
		if testing.Short() {
			least, _ = likely(runs, 0.95)
		}
		if min(covered, difference, ratio) < least {
			t.Errorf("place %d: intervals cover the truth in %d, %d and %d of %d runs, want %d", place+1, covered, difference,
				ratio, runs, least)
		}
		if se := 0.55 / math.Sqrt(float64(games)); math.Abs(off) > 4*se {
			t.Errorf("place %d: the means are %+.2f%% off, with a standard error of %.2f%%", place+1, 100*off, 100*se)
		}
	}
}

// TestCutPartsAreReplayed: a part is settled before its first game, cut by whole seeds for all its
// players alike, and stored. A replay without a limit that has the stored sizes asks for the same
// games, and finds the same. So does the time that ends another part.
func TestCutPartsAreReplayed(t *testing.T) {
	text := strings.Replace(whole, "ablation: {games: 0}", "ablation: {games: 200}", 1)
	c, l := synthetic(t, strings.ReplaceAll(text, "generations: 2,", "generations: 4,")), hill(1, 0.7, 0.3, 0.5)
	for _, phase := range []string{PhasePlayoff, PhaseValidation, PhaseAblation, PhaseTrend} {
		for _, fit := range []float64{1, 0.5} {
			for seed := range uint64(many(20)) {
				if testing.Short() && seed%3 > 0 {
					continue
				}
				h := &hourglass{landscape: l, phase: phase, after: float64(seed) * 5, fit: fit}
				seeded, cut, again := *c, newMemory(), newMemory()
				seeded.Seed = seed
				_, err := Experiment{Config: &seeded, Simulator: h, Store: cut, Limit: h}.Run(context.Background())
				must(t, err)
				_, err = Experiment{Config: &seeded, Simulator: l, Store: &resumed{again, cut.run.Sizes}}.Run(context.Background())
				must(t, err)
				name := fmt.Sprintf("%s, seed %d, fit %v", phase, seed, fit)
				if cut.champion != again.champion || !slices.Equal(cut.comparisons, again.comparisons) {
					t.Errorf("%s: the replay finds champion %d, %+v, want %d, %+v", name, again.champion, again.comparisons,
						cut.champion, cut.comparisons)
				}
				if a, b := fmt.Sprint(cut.played()), fmt.Sprint(again.played()); a != b {
					t.Errorf("%s: the replay plays %s, want %s", name, b, a)
				}
				size := cut.run.Sizes[phase+" depth 1"]
				if phase == PhaseAblation || phase == PhaseTrend {
					size = cut.run.Sizes[phase+" depth 2"]
				}
				if fit == 0.5 && size.Games*2 != size.Planned {
					t.Errorf("%s: it was settled on %d games of %d", name, size.Games, size.Planned)
				}
				if size.Played > size.Games || size.Played < leastOf(phase) {
					t.Errorf("%s: %+v", name, size)
				}
			}
		}
	}
}

// resumed is a memory that knows the sizes of a run.
type resumed struct {
	*memory
	sizes map[string]Size
}

func (r *resumed) Begin(ctx context.Context, spec RunSpec) (Run, error) {
	run, err := r.memory.Begin(ctx, spec)
	run.Sizes = r.sizes
	return run, err
}

func (r *resumed) Judge(ctx context.Context, run int64, tuned Length) (Run, error) {
	taken, err := r.memory.Judge(ctx, run, tuned)
	taken.Sizes = r.sizes
	return taken, err
}

// TestFalseSizesAreRefused: a size that the config does not allow was changed by hand.
func TestFalseSizesAreRefused(t *testing.T) {
	c := synthetic(t, whole)
	for _, size := range []Size{{150, 151, 150, ""}, {150, 150, 151, ""}, {149, 149, 149, ""}, {150, 150, 1, ""},
		{150, -5, -5, ""},
		{1 << 60, 1 << 60, 1 << 60, ""}, {149, 149, 149, "other"}, {150, 150, 150, simulator.Costs}} {
		store := &resumed{newMemory(), map[string]Size{"validation depth 1": size}}
		_, err := Experiment{Config: c, Simulator: hill(1, 0.7, 0.3, 0.5), Store: store}.Run(context.Background())
		if err == nil || !strings.Contains(err.Error(), "changed by hand") {
			t.Errorf("%+v: %v", size, err)
		}
	}
}

// TestSizesOfAnotherVersion: where the config leaves a size to the cost of the tuning, and an
// engine that counts other nodes has settled it, a resume keeps it. No size is beyond what any cost
// gives.
func TestSizesOfAnotherVersion(t *testing.T) {
	c := synthetic(t, strings.Replace(whole, "validation: {games: 150}\n", "", 1))
	part := "validation " + c.Validation.Searches()[0].String()
	run := func(size Size) (*memory, error) {
		store := &resumed{newMemory(), map[string]Size{part: size}}
		_, err := Experiment{Config: c, Simulator: hill(1, 0.7, 0.3, 0.5), Store: store}.Run(context.Background())
		return store.memory, err
	}
	other := Size{37, 37, 37, "other"}
	store, err := run(other)
	must(t, err)
	games := 0
	for _, e := range store.evaluations {
		if e.Phase == PhaseValidation && e.Candidate == store.champion {
			games += len(e.Scores)
		}
	}
	if games != 37 || store.run.Sizes[part] != other {
		t.Errorf("the champion plays %d games, the size is %+v", games, store.run.Sizes[part])
	}
	for _, size := range []Size{{37, 37, 37, simulator.Costs}, {37, 37, 37, ""}, {40_001, 40_001, 40_001, "other"},
		{37, 38, 37, "other"}} {
		if _, err := run(size); err == nil || !strings.Contains(err.Error(), "changed by hand") {
			t.Errorf("%+v: %v", size, err)
		}
	}
}

// TestDoneWithinALimit: a run whose time is over before its first generation ended is not done.
// What no limit takes from it is still ahead: a seed of each candidate, and the least games behind
// that. When these are played, the limit ends the run, and it is done.
func TestDoneWithinALimit(t *testing.T) {
	search := engine.FixedDepth(3)
	plan := []PlannedPart{planned(PhaseTuning, search, 40, 10, 1), planned(PhaseValidation, search, 2, 100, 1)}
	plan[0].Stage, plan[0].Generations = "tune", 9
	p := NewClock(1, 4*time.Second, func(engine.Settings) Price { return Price{Game: 1, Node: 1} })
	passed := time.Duration(0)
	p.Now = func() time.Time { return p.Began.Add(passed) }
	for _, at := range []struct {
		passed      time.Duration
		generations int
		part        int
		left        int64 // games of the part
		done        float64
	}{
		{3 * time.Second, 0, 0, plan[0].Expected - 4, 0.07}, // 36 candidates and 4 held-out games are to be played, a second each
		{5 * time.Second, 0, 0, plan[0].Expected - 10, 0.13},
		{5 * time.Second, 1, 0, plan[0].Expected - 400, 0.56}, // 4 held-out games
		{5 * time.Second, 1, 1, plan[1].Expected - 4, 1},
	} {
		passed = at.passed
		q := Progress{Plan: plan, Phase: plan[at.part].Phase, Stage: plan[at.part].Stage, Search: plan[at.part].Search,
			Generations: at.generations, Part: at.part, Left: at.left, Last: time.Second, LastAt: search.String(),
			LastNodes: 1, LastMoves: 1, LastBy: Candidate{Number: 1}}
		p.Observe(q)
		p.First, p.recent, p.gauges = p.Began, nil, map[string]*gauge{} // a game takes a second
		if done, left, known := p.Estimate(); !known || math.Abs(done-at.done) > 0.006 || left > p.Limit {
			t.Errorf("%+v: %.3f is done, %v left", at, done, left)
		}
	}
}

// TestTimeIsSharedBySearches: held-out games at a search that takes 100 times as long have their
// share of the time, too, when the games before it were short.
func TestTimeIsSharedBySearches(t *testing.T) {
	var plan []PlannedPart
	for _, depth := range []int{3, 5, 7} {
		plan = append(plan, planned(PhaseValidation, engine.FixedDepth(depth), 2, 1200, 1))
	}
	c := NewClock(2, 30*time.Second, func(s engine.Settings) Price {
		return Price{Game: 1000, Node: 1e-6 * math.Pow(10, float64(s.Rule.Fixed-3))}
	})
	c.Now = func() time.Time { return c.Began.Add(20 * time.Second) }
	c.Last = Progress{Plan: plan, Phase: PhaseValidation, Search: plan[0].Search}
	if share := c.Fit(plan[1:]); share != 1 || c.until.Sub(c.Now()) < 4*time.Second ||
		c.until.Sub(c.Now()) > 6*time.Second {
		t.Errorf("of 10 s, depth 5 has %v, and %v of its games", c.until.Sub(c.Now()), share)
	}
}
