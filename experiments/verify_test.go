package experiments

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
	"tune2048/experiments/stats"
)

// altered returns a copy of a memory that may be changed.
func (m *memory) altered() *memory {
	c := &memory{run: m.run, champion: m.champion, index: maps.Clone(m.index), candidates: slices.Clone(m.candidates), comparisons: slices.Clone(m.comparisons)}
	c.evaluations = m.records().Evaluations
	for i := range c.candidates {
		c.candidates[i].Weights = slices.Clone(c.candidates[i].Weights)
	}
	for i, e := range c.evaluations {
		c.evaluations[i].Scores, c.evaluations[i].Ranks = slices.Clone(e.Scores), slices.Clone(e.Ranks)
	}
	return c
}

// verification verifies the records of a memory, and plays all games again.
func (m *memory) verification(c *config.Config, play Simulator) Verification {
	return Verification{Config: c, Run: m.run, Champion: m.champion, Records: m.records(), Simulator: play, All: true}
}

// everything is a config with every phase.
func everything(t *testing.T, objective string) *config.Config {
	return synthetic(t, strings.NewReplacer("validation: {games: 150}", "validation: {games: 60, search: [{depth: 1}, {depth: 2}]}", "ablation: {games: 0}", "ablation: {games: 60}",
		"generations: 2, games: 6, rounds: 3", "generations: 4, games: 6, rounds: 3", "games: 60, rounds: 3", "games: 20, rounds: 2").Replace(whole)+
		"references: {x: {weights: {b: 7}}, y: {from: champion, weights: {b: 9}}}\nobjective: "+objective+"\n")
}

// endedAt carries a config out until this number of games are played; 0: to the end.
func endedAt(t *testing.T, c *config.Config, l landscape, games int, stop func(PlannedPart) bool) *memory {
	t.Helper()
	store, played := newMemory(), 0
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	l.begins = func() {
		if played++; played == games {
			interrupt()
		}
	}
	if _, err := (Experiment{Config: c, Simulator: l, Store: store, Stop: stop}).Run(ctx); (err == nil) != (games == 0) {
		t.Fatal(err)
	}
	return store
}

// TestUntouchedRunsAreVerified, whatever their objective and status. Of a run that has not ended it
// is said.
func TestUntouchedRunsAreVerified(t *testing.T) {
	l := hill(1.5, 0.7, 0.4, 0.6)
	for _, objective := range []string{"mean_score", "mean_log_score", "{reach: 2048}"} {
		c := everything(t, objective)
		finished, all := endedAt(t, c, l, 0, nil), 0
		for _, games := range finished.played() {
			all += int(games)
		}
		stores := []*memory{finished, endedAt(t, c, l, 0, func(p PlannedPart) bool { return p.Stage == "refine" })}
		for n := range many(20) {
			stores = append(stores, endedAt(t, c, l, 1+n*all/many(20), nil))
		}
		for i, s := range stores {
			s.run.Status = [...]string{s.run.Status, Running, Failed}[i%3*min(1, i/2)]
			told := int64(0)
			v := s.verification(c, l)
			v.Observe = func(Verified) { told++ }
			got, err := v.Verify(t.Context())
			if err != nil || len(got.Differences) > 0 || got.Evaluations != len(s.evaluations) || got.Replayed != got.Evaluations ||
				got.Played != got.Games || got.Planned != got.Played || told != got.Played || (len(got.Unverified) == 0) != (s.run.Status == Finished) {
				t.Errorf("%s, %s, %d: %+v, %v", objective, s.run.Status, i, got, err)
			}
		}
	}
}

// TestVerificationNoticesChanges of finished runs and of interrupted ones: of what is played again,
// and of what follows from it.
func TestVerificationNoticesChanges(t *testing.T) {
	c, l := everything(t, "mean_score"), hill(1.5, 0.7, 0.4, 0.6)
	finished := endedAt(t, c, l, 0, nil)
	all, decided := int64(0), int64(0) // games; before the ablation
	for at, games := range finished.played() {
		if all += games; at.Phase != PhaseAblation && at.Phase != PhaseTrend {
			decided += games
		}
	}
	if finished.champion == StartNumber || decided == all || len(finished.comparisons) < 8 {
		t.Fatalf("champion %d, %d games of %d, %d comparisons: choose another landscape", finished.champion, decided, all, len(finished.comparisons))
	}
	first := func(m *memory, phase string) *Evaluation {
		return &m.evaluations[slices.IndexFunc(m.evaluations, func(e Evaluation) bool { return e.Phase == phase })]
	}
	for name, alteration := range map[string]struct {
		change  func(*memory)
		replays bool // only games that are played again show it
		want    string
	}{
		"score":              {func(m *memory) { first(m, PhaseTuning).Scores[1] += 4 }, true, "scores stored"},
		"held-out score":     {func(m *memory) { first(m, PhaseValidation).Scores[1] += 4 }, false, "validation at depth 1"},
		"rank":               {func(m *memory) { first(m, PhasePlayoff).Ranks[1]++ }, true, "ranks stored"},
		"moves":              {func(m *memory) { first(m, PhaseTuning).Moves++ }, true, "moves stored"},
		"nodes":              {func(m *memory) { first(m, PhaseTuning).Nodes++ }, true, "nodes stored"},
		"games_hash":         {func(m *memory) { first(m, PhaseValidation).GamesHash = "0" }, true, "games_hash stored"},
		"key":                {func(m *memory) { first(m, PhaseTuning).Key = "0" }, false, "no decision of the run asks for these games"},
		"place":              {func(m *memory) { first(m, PhaseTuning).Generation = 1 }, false, "these games stand at"},
		"fewer scores":       {func(m *memory) { e := first(m, PhaseTuning); e.Scores = e.Scores[:1] }, false, "scores, got 1"},
		"deleted evaluation": {func(m *memory) { m.evaluations = slices.Delete(m.evaluations, 3, 4) }, false, "no decision of the run asks for these games"},
		"another evaluation": {func(m *memory) { m.evaluations = append(m.evaluations, Evaluation{Key: "0", Scores: []float64{1}}) }, false, "no decision of the run asks for these games"},
		"weight":             {func(m *memory) { m.candidates[7].Weights[0].Value /= 2 }, false, "asks for candidate 7"},
		"champion's weight":  {func(m *memory) { m.candidates[m.champion].Weights[1].Value++ }, false, "asks for candidate"},
		"origin":             {func(m *memory) { m.candidates[7].Origin = "start" }, false, "asks for candidate 7"},
		"champion":           {func(m *memory) { m.champion = StartNumber }, false, "champion: stored candidate 0"},
		"no champion":        {func(m *memory) { m.champion = -1 }, false, "champion: stored candidate -1"},
		"salt":               {func(m *memory) { m.run.HeldOutSalt = "0" }, false, "another salt"},
		"figure":             {func(m *memory) { m.comparisons[0].Ratio.Interval.Low += 1e-9 }, false, "validation at depth 1"},
		"p":                  {func(m *memory) { m.comparisons[1].Adjusted /= 2 }, false, "validation at"},
		"verdict":            {func(m *memory) { m.comparisons[0].Verdict = Undecided }, false, "validation at depth 1"},
		"deleted comparison": {func(m *memory) { m.comparisons = m.comparisons[1:] }, false, "it is not recorded"},
		"another comparison": {func(m *memory) {
			m.comparisons = append(m.comparisons, Comparison{Phase: PhaseTrend, Search: "depth 9"})
		}, false, "makes this comparison"},
		"an earlier look": {func(m *memory) {
			early := m.comparisons[0]
			early.Look--
			m.comparisons = slices.Insert(m.comparisons, 0, early)
		}, false, "makes this comparison"},
		"nothing but the time": {func(m *memory) { first(m, PhaseTuning).Time++ }, false, ""},
	} {
		for _, left := range []*memory{finished, endedAt(t, c, l, int(decided+all)/2, nil)} {
			m := left.altered()
			alteration.change(m)
			for _, replay := range []bool{true, false} {
				v := m.verification(c, l)
				v.All = replay
				got, err := v.Verify(t.Context())
				found := strings.Contains(strings.Join(got.Differences, "\n"), alteration.want) && len(got.Differences) > 0
				if err != nil || found != (alteration.want != "" && (replay || !alteration.replays)) {
					t.Errorf("%s of a run that is %s, played again %v: %v, %q", name, m.run.Status, replay, err, got.Differences)
				}
			}
		}
	}
	// A champion before the end of the playoff is nobody's decision.
	early := endedAt(t, c, l, 200, nil)
	early.champion = StartNumber
	if got, err := early.verification(c, l).Verify(t.Context()); err != nil || len(got.Differences) != 1 || !strings.HasPrefix(got.Differences[0], "champion: stored candidate 0, and the playoff has not ended") {
		t.Errorf("%+v, %v", got, err)
	}
	// A finished run has all of its evaluations.
	cut := finished.altered()
	cut.evaluations = cut.evaluations[:len(cut.evaluations)-1]
	if got, err := cut.verification(c, l).Verify(t.Context()); err != nil || !strings.Contains(strings.Join(got.Differences, "\n"), "an evaluation is missing") {
		t.Errorf("without its last evaluation: %+v, %v", got, err)
	}
	// Tuning that -for ended must end there.
	stopped := endedAt(t, c, l, 0, func(p PlannedPart) bool { return p.Stage == "refine" })
	stopped.run.StoppedAfter++
	if got, err := stopped.verification(c, l).Verify(t.Context()); err != nil || len(got.Differences) == 0 {
		t.Errorf("another stop: %+v, %v", got, err)
	}
}

// TestVerifiedComparison: its games are played again, and the figures of all its questions follow
// from them.
func TestVerifiedComparison(t *testing.T) {
	contest, store := alikes(9, 3, 1)[0], newMemory()
	for _, x := range []Contest{{Games: 120}, {Games: 20}, {Plan: stats.Plan{Difference: 0.4, Level: 0.05, Power: 0.8, Looks: 2}}} {
		x.Configs, x.Store, x.Simulator = []*config.Contest{contest}, store, uneven{}
		if x.Games > 0 {
			x.Plan = stats.DefaultPlan()
		}
		_, err := x.Run(t.Context())
		must(t, err)
	}
	for want, change := range map[string]func(*memory){
		"":                              func(*memory) {},
		"scores stored":                 func(m *memory) { m.evaluations[4].Scores[1] += 4 },
		"the difference is stored as":   func(m *memory) { m.comparisons[4].Difference.Value++ },
		"the interval":                  func(m *memory) { m.comparisons[0].Difference.Interval.Low-- },
		"no player of the comparison":   func(m *memory) { m.evaluations = slices.Delete(m.evaluations, 1, 2) },
		"these games stand at":          func(m *memory) { m.evaluations[0].Search = "depth 7" },
		"the candidate is not the conf": func(m *memory) { m.candidates[1].PlayHash = "0" },
	} {
		m := store.altered()
		change(m)
		got, err := Verification{Contest: contest, Run: m.run, Champion: -1, Records: m.records(), Simulator: uneven{}, All: true}.Verify(t.Context())
		if said := strings.Join(got.Differences, "\n"); err != nil || len(got.Unverified) != 1 || (said == "") != (want == "") || !strings.Contains(said, want) {
			t.Errorf("%q, %v, want %q", got.Differences, err, want)
		}
		if want == "" && (got.Played != got.Games || got.Games < 3*120) {
			t.Errorf("%+v", got)
		}
	}
}

// TestVerificationChooses whole evaluations until there are enough games, each as likely as any
// other. The same seed has the same choice.
func TestVerificationChooses(t *testing.T) {
	contest, store := alikes(9, 2, 1)[0], newMemory()
	x := Contest{Configs: []*config.Contest{contest}, Store: store, Simulator: equals{}, Plan: stats.DefaultPlan(), Games: 250}
	_, err := x.Run(t.Context())
	must(t, err)
	chosen := map[int64]int{} // by first game
	verify := func(seed uint64, games int64) (all []int64, got Verified) {
		m := store.altered()
		for i := range m.evaluations {
			m.evaluations[i].Moves++ // so that each evaluation that is played again is a difference
		}
		got, err := Verification{Contest: contest, Run: m.run, Champion: -1, Records: m.records(), Simulator: equals{}, Games: games, Seed: seed}.Verify(t.Context())
		must(t, err)
		for _, e := range m.evaluations {
			if slices.ContainsFunc(got.Differences, func(text string) bool { return strings.HasPrefix(text, e.Place.String()+":") }) {
				all = append(all, e.Game)
			}
		}
		if got.Played != got.Planned || len(got.Differences) != len(all) || got.Replayed != len(all) {
			t.Fatalf("%+v, chosen %v", got, all)
		}
		return all, got
	}
	for seed := range uint64(300) {
		all, got := verify(seed, 51)
		if again, _ := verify(seed, 51); !slices.Equal(all, again) || got.Played != 100 {
			t.Fatalf("seed %d: %v, then %v; %+v", seed, all, again, got)
		}
		for _, game := range all {
			chosen[game]++
		}
	}
	for game, n := range chosen {
		if least, most := likely(300, 0.2); n < least || n > most || len(chosen) != 10 {
			t.Errorf("game %d is chosen %d times of 300", game, n)
		}
	}
	if all, _ := verify(1, 0); len(all) != 0 {
		t.Errorf("of no games %v are chosen", all)
	}
}

// TestInterruptedVerification: the differences found so far are returned.
func TestInterruptedVerification(t *testing.T) {
	c, l := everything(t, "mean_score"), hill(1.5, 0.7, 0.4, 0.6)
	store := endedAt(t, c, l, 0, nil)
	ctx, interrupt := context.WithCancel(t.Context())
	v := store.verification(c, l)
	v.Observe = func(found Verified) {
		if found.Played == 1000 {
			interrupt()
		}
	}
	if got, err := v.Verify(ctx); !errors.Is(err, context.Canceled) || got.Played != 1000 || got.Replayed == 0 || got.Replayed >= got.Evaluations || len(got.Differences) > 0 {
		t.Errorf("interrupted: %+v, %v", got, err)
	}
	if got, err := store.verification(c, l).Verify(ctx); !errors.Is(err, context.Canceled) || len(got.Differences) > 0 {
		t.Errorf("interrupted before: %+v, %v", got, err)
	}
}

// TestStoredPlayerHasItsWeights, or is an error.
func TestStoredPlayerHasItsWeights(t *testing.T) {
	c := alikes(9, 1, 1)[0]
	start := c.Players[0].At(c.Rules)
	for _, dead := range []eval.Dead{start.Heuristic.Dead, {Value: -3}} {
		got, err := StoredPlayer(start.Form, Candidate{Weights: []Weight{{start.Heuristic.Names()[0], 77}}, Dead: dead})
		if err != nil || got.Values[0] != 77 || start.Values[0] == 77 || got.Heuristic.Dead != dead || got.Rules != c.Rules {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if _, err := StoredPlayer(start.Form, Candidate{Weights: []Weight{{"nonsense", 1}}}); err == nil || !strings.Contains(err.Error(), "no weight nonsense") {
		t.Error(err)
	}
}

// interrupted is a simulator that is stopped at its first batch.
type interrupted struct{ jobs int }

func (i *interrupted) Play(_ context.Context, batch simulator.Batch, _ func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	i.jobs = len(batch.Jobs)
	return nil, context.Canceled
}

// TestSeedsAreMadeAsGamesArePlayed: a stranger's record may claim many games.
func TestSeedsAreMadeAsGamesArePlayed(t *testing.T) {
	var before, after runtime.MemStats
	s := new(interrupted)
	runtime.ReadMemStats(&before)
	_, _, err := PlayHeldOut(t.Context(), &config.Config{Seed: 1}, "", s, eval.Player{}, engine.FixedDepth(1), MaxGames, nil)
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; !errors.Is(err, context.Canceled) || s.jobs != heldOutChunk || mb > 32 {
		t.Errorf("%d MB for %d games, %v", mb, s.jobs, err)
	}
}
