//go:build cgo

package experiments_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/results"
)

// drawn plays no game: it draws a score with the spread of real ones, whose mean is the player's
// first number. What comes of a seed depends on the seed, the search and the player alone.
type drawn struct {
	games  int // drawn so far
	limit  int // games after which cancel is called; 0: never
	cancel func()
	spread float64
	alike  bool // all players play the same games
}

func (d *drawn) Play(ctx context.Context, b simulator.Batch,
	finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	outcomes := make([]simulator.Outcome, len(b.Jobs))
	for i, job := range b.Jobs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p := b.Players[job.Player]
		name := []any{"drawn", b.Search.String()}
		if !d.alike {
			name = append(name, math.Float64bits(p.Values[0]), math.Float64bits(p.Values[1]))
		}
		z := portable.NewSource(portable.Hash(job.Seed, name...)).Normal()
		score := p.Values[0] * portable.Exp(d.spread*z-d.spread*d.spread/2)
		o := &outcomes[i]
		o.Score, o.MaxTile, o.Moves, o.Nodes = math.Trunc(score), 1024, 500, 5000
		d.games++
		if d.limit > 0 && d.games >= d.limit {
			d.cancel()
		}
		if err := finished(i, *o); err != nil {
			return nil, err
		}
	}
	return outcomes, ctx.Err()
}

// playersOf are players of these mean scores. All differ in their second number.
func playersOf(means ...float64) *config.Contest {
	var players []config.Player
	for i, mean := range means {
		family := eval.Heuristic{Symmetry: eval.SymmetryNone}
		values := family.Add(family.Add(nil, eval.Defaults(eval.Line), mean), eval.Defaults(eval.Empty), float64(i))
		players = append(players, config.NewPlayer(fmt.Sprint("player ", i), family, values, eval.Dead{Worst: true}))
	}
	c := config.NewContest(3, engine.DefaultRules(), []engine.Settings{engine.FixedDepth(3)}, players)
	return c
}

// plan is the default one. With -short it looks less often, since it is the looks that make a
// design costly, for more.
func plan() stats.Plan {
	p := stats.DefaultPlan()
	if testing.Short() {
		p.Looks, p.Difference = 5, 0.1
	}
	return p
}

// answers has the findings of a comparison.
type answers struct {
	experiments.Progress
	Pairs []experiments.Comparison
}

// comparing carries a comparison out in the database and returns how many games were drawn.
func comparing(t testing.TB, path string, c *config.Contest, limit int, edit func(*experiments.Contest)) (got answers,
	games int, err error) {
	t.Helper()
	store, err := results.Open(path)
	must(t, err)
	defer store.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	sim := &drawn{limit: limit, cancel: cancel, spread: 0.5}
	x := experiments.Contest{Config: c, Plan: plan(), Simulator: sim, Store: store}
	if edit != nil {
		edit(&x)
	}
	got.Progress, err = x.Run(ctx)
	if err != nil {
		return got, sim.games, err
	}
	all, err := store.Reader().Comparisons(ctx, got.Run.ID)
	got.Pairs = slices.DeleteFunc(all, func(c experiments.Comparison) bool { return c.Look != got.Ask })
	return got, sim.games, err
}

// fixed asks for so many games of each player. Their number does not depend on the difference,
// which stays the default, also with -short.
func fixed(games int) func(*experiments.Contest) {
	return func(x *experiments.Contest) { x.Games, x.Plan.Difference = games, stats.DefaultPlan().Difference }
}

// comparedRows returns everything in the database that is not a time, a line each.
func comparedRows(t testing.TB, path string) string {
	t.Helper()
	return playedRows(t, path) + rowsOf(t, path, "select id, fingerprint from runs order by id",
		"select * from comparisons order by run_id, candidate_id, baseline_id, look")
}

// playedRows returns all of that but what was asked of the games.
func playedRows(t testing.TB, path string) string {
	t.Helper()
	return rowsOf(t, path,
		"select id, name, kind, config_yaml, config_hash, seed, status, signature from runs order by id",
		"select * from candidates order by id", "select * from weights order by candidate_id, position",
		evaluationRows,
		"select id, candidate_id, phase, search, generation, round, seed, score, max_tile, moves, nodes, capped from games "+
			"order by id",
		"select * from leaderboard", "select * from tile_rates")
}

func rowsOf(t testing.TB, path string, statements ...string) string {
	t.Helper()
	reader, err := results.OpenReader(path)
	must(t, err)
	defer reader.Close()
	var text strings.Builder
	for _, statement := range statements {
		n := 0
		err := reader.Query(context.Background(), statement, func([]string) error { return nil }, func(row []any) error {
			n++
			fmt.Fprintln(&text, row...)
			return nil
		})
		if err != nil || n == 0 {
			t.Fatalf("%s: %d rows, %v", statement, n, err)
		}
	}
	return text.String()
}

func figures(c answers) string { return fmt.Sprintf("%+v", c.Pairs) }

// scoresOf returns the scores of each player of a comparison by its number.
func scoresOf(t testing.TB, path string, c answers) map[int][]float64 {
	t.Helper()
	reader, err := results.OpenReader(path)
	must(t, err)
	defer reader.Close()
	evaluations, err := reader.Evaluations(context.Background(), c.Run.ID)
	must(t, err)
	scores := map[int][]float64{}
	for _, e := range evaluations {
		scores[e.Candidate] = append(scores[e.Candidate], e.Scores...)
	}
	return scores
}

func momentsOf(scores []float64) (m stats.Moments) {
	for _, score := range scores {
		m.Add(score)
	}
	return m
}

func TestComparisonStopsWhenItKnows(t *testing.T) {
	const mean = 30000
	planned := plan().Difference
	alone := plan()
	alone.Level *= stats.AskShare(1)
	design := alone.Design()
	for name, c := range map[string]struct {
		means   []float64
		verdict string
		most    int // games of each
	}{
		"large difference": {[]float64{mean, 1.4 * mean}, experiments.Worse, design.Games(3, 0.7)},
		"small difference": {[]float64{(1 + 1.2*planned) * mean, mean}, experiments.Better, design.Games(plan().Looks, 0.7)},
		"no difference":    {[]float64{mean, mean}, experiments.NoDifference, design.Games(plan().Looks, 0.7)},
		"almost none": {[]float64{mean, (1 + planned/5) * mean}, experiments.NoDifference,
			design.Games(plan().Looks, 0.7)},
	} {
		contest := playersOf(c.means...)
		result, games, err := comparing(t, filepath.Join(t.TempDir(), "tune.db"), contest, 0, nil)
		must(t, err)
		pair := result.Pairs[0]
		verdict := c.verdict
		if other, directed := map[string]string{experiments.Better: experiments.Worse,
			experiments.Worse: experiments.Better}[verdict]; directed && contest.Players[0].Name != "player 0" {
			verdict = other // sorted the other way
		}
		if pair.Verdict != verdict || pair.Games > c.most {
			t.Errorf("%s: %s with %d games, want %s by %d", name, pair.Verdict, pair.Games, verdict, c.most)
		}
		if games != 2*pair.Games || result.Done != int64(games) || result.Reused != 0 {
			t.Errorf("%s: drew %d games, %d of each are told, %d played, %d reused", name, games, pair.Games, result.Done,
				result.Reused)
		}
		known := verdict != experiments.NoDifference
		if known != (pair.P <= 0.05) || known == pair.Difference.Interval.Contains(0) ||
			known == pair.Ratio.Interval.Contains(1) {
			t.Errorf("%s: verdict %s with p %v, difference %+v, ratio %+v", name, pair.Verdict, pair.P, pair.Difference,
				pair.Ratio)
		}
	}
}

func TestComparisonOfAFixedSize(t *testing.T) {
	const enough = 4000 // games to say that there is no difference of 5%
	for _, c := range []struct {
		games   int
		means   [2]float64
		verdict string
	}{
		{2, [2]float64{30000, 30001}, experiments.Undecided},
		{25, [2]float64{30000, 30001}, experiments.Undecided},
		{enough, [2]float64{30000, 30001}, experiments.NoDifference},
		{enough, [2]float64{40000, 30000}, experiments.Worse},
	} {
		path := filepath.Join(t.TempDir(), "tune.db")
		result, games, err := comparing(t, path, playersOf(c.means[:]...), 0, fixed(c.games))
		must(t, err)
		pair := result.Pairs[0]
		if games != 2*c.games || pair.Games != c.games {
			t.Errorf("%d games of each: drew %d, the pair has %d", c.games, games, pair.Games)
		}
		if pair.Verdict != c.verdict && !(c.verdict == experiments.Worse && pair.Verdict == experiments.Better) {
			t.Errorf("%d games of each: %s, want %s", c.games, pair.Verdict, c.verdict)
		}
		// With a fixed size the interval is Student's of the pairs, from 20 games on with their
		// ends, and p its. A fifth of the level is kept for later asks.
		scores := scoresOf(t, path, result)
		a, b, pairs := momentsOf(scores[0]), momentsOf(scores[1]), stats.PairsOf(scores[0], scores[1])
		if c.games >= 20 {
			a, b, pairs.Moments = a.WithEnds(a.Low, a.High), b.WithEnds(b.Low, b.High), pairs.WithEnds(pairs.Low, pairs.High)
		}
		want := stats.MeanDifference(a, b, pairs, 0.96).Interval
		if got := pair.Difference.Interval; math.Abs(got.Low-want.Low) > 1e-6*math.Abs(want.Low) {
			t.Errorf("%d games of each: interval %v, want %v", c.games, got, want)
		}
		if p := stats.MeanP(a, b, pairs); math.Abs(pair.P-p) > 1e-6 || math.Abs(pair.Adjusted-min(1, p/0.8)) > 1e-6 ||
			math.Abs(pair.Confidence-0.96) > 1e-9 {
			t.Errorf("%d games of each: p %v, adjusted %v, confidence %v, want %v", c.games, pair.P, pair.Adjusted,
				pair.Confidence, p)
		}
	}
}

func TestInterruptedComparisonEndsInTheSameRows(t *testing.T) {
	contest := playersOf(30000, 33000, 30500)
	whole := filepath.Join(t.TempDir(), "tune.db")
	want, games, err := comparing(t, whole, contest, 0, nil)
	must(t, err)
	rows := comparedRows(t, whole)
	r := rand.New(rand.NewPCG(1, 2))
	repeats := 3
	if testing.Short() { // under the race detector
		repeats = 1
	}
	for range repeats {
		path := filepath.Join(t.TempDir(), "tune.db")
		var got answers
		drawn := 0
		for err = context.Canceled; errors.Is(err, context.Canceled); {
			var n int
			got, n, err = comparing(t, path, contest, 1+r.IntN(games/2), nil)
			drawn += n
		}
		must(t, err)
		if drawn != games {
			t.Errorf("drew %d games, want %d: each once", drawn, games)
		}
		if figures(got) != figures(want) {
			t.Errorf("other figures after interruptions: %s, want %s", figures(got), figures(want))
		}
		if comparedRows(t, path) != rows {
			t.Error("other rows after interruptions")
		}
	}
	again, n, err := comparing(t, whole, contest, 0, nil)
	if err != nil || n != 0 || again.Reused != int64(games) || figures(again) != figures(want) ||
		comparedRows(t, whole) != rows {
		t.Errorf("asked again it drew %d games, reused %d of %d, in run %s: %v", n, again.Reused, games, again.Run.Name, err)
	}
}

// TestComparisonGrows asks one question after the other: each plays what is missing and no more,
// finds what it would find in an empty database, and a run has the same evaluations and games
// however it came to its size. The first question may have been interrupted amid a block.
func TestComparisonGrows(t *testing.T) {
	contest := playersOf(30000, 30600)
	grown, has := filepath.Join(t.TempDir(), "tune.db"), 0
	interrupted := filepath.Join(t.TempDir(), "tune.db")
	if _, _, err := comparing(t, interrupted, contest, 63, fixed(120)); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for _, games := range []int{25, 30, 7, 50, 51, 200, 233, 0, 700} {
		got, n, err := comparing(t, grown, contest, 0, fixed(games))
		if err != nil {
			t.Fatalf("%d games: %v", games, err)
		}
		each := got.Pairs[0].Games
		if n != 2*max(0, each-has) || games > 0 && each != games {
			t.Errorf("%d games of each, %d were asked for, after %d: drew %d", each, games, has, n)
		}
		alone := filepath.Join(t.TempDir(), "tune.db")
		want, _, err := comparing(t, alone, contest, 0, fixed(each))
		must(t, err)
		again, _, err := comparing(t, interrupted, contest, 0, fixed(each))
		must(t, err)
		for _, pair := range []experiments.Comparison{got.Pairs[0], again.Pairs[0]} {
			if w := want.Pairs[0]; pair.Difference.Value != w.Difference.Value || pair.Ratio.Value != w.Ratio.Value ||
				games > 0 && pair.P != w.P {
				t.Errorf("%d games of each after %d: %+v, want %+v", each, has, pair, w)
			}
		}
		has = max(has, each)
		if has == each && (playedRows(t, grown) != playedRows(t, alone) || each > 120 &&
			playedRows(t, interrupted) != playedRows(t, alone)) {
			t.Errorf("%d games of each: other rows than in one go", each)
		}
	}
}

// TestAsksAreRemembered: each question is another ask about the same games, which pays for the
// earlier ones, and so is one at more searches. One that is asked again, at another level or in a
// run of its own, is the ask that it was.
func TestAsksAreRemembered(t *testing.T) {
	contest := playersOf(30000, 30000)
	contest.Seed = 4
	deep := *contest
	deep.Searches = []engine.Settings{engine.FixedDepth(3), engine.FixedDepth(5)}
	path := filepath.Join(t.TempDir(), "tune.db")
	sequential := func(edit func(*experiments.Contest)) func(*experiments.Contest) {
		return func(x *experiments.Contest) {
			x.Plan.Difference = 0.3
			edit(x)
		}
	}
	said := map[int]string{} // by ask
	for i, c := range []struct {
		ask   int
		level float64 // of the pair
		edit  func(*experiments.Contest)
	}{
		{1, 0.05 * 0.8, fixed(100)},
		{2, 0.05 / 10, fixed(200)},
		{1, 0.05 * 0.8, fixed(100)},
		{3, 0.05 / 30, sequential(func(*experiments.Contest) {})},
		{3, 0.1 / 30, sequential(func(x *experiments.Contest) { x.Plan.Level = 0.1 })},
		{4, 0.05 / 120, func(x *experiments.Contest) { fixed(200)(x); x.Config = &deep }},
		{5, 0.05 / 100, sequential(func(x *experiments.Contest) { x.Plan.Power = 0.8 })},
		{6, 0.05 / 150, fixed(400)},
		{7, 0.05 / 210, fixed(800)},
		{2, 0.05 / 10, fixed(200)},
		{3, 0.05 / 30, sequential(func(*experiments.Contest) {})},
	} {
		got, _, err := comparing(t, path, contest, 0, c.edit)
		must(t, err)
		level := 1 - got.Pairs[0].Confidence // of a sequential test it is no larger
		if got.Ask != c.ask || level > c.level+1e-9 || strings.HasSuffix(got.Pairs[0].Question, "games") &&
			level < c.level-1e-9 {
			t.Errorf("question %d: the question %d at level %v, want %d at %v", i, got.Ask, level, c.ask, c.level)
		}
		if len(got.Pairs) == 2 || c.level != 0.05*stats.AskShare(c.ask) {
			continue
		}
		if text := fmt.Sprintf("%+v", got.Pairs); said[c.ask] == "" {
			said[c.ask] = text
		} else if said[c.ask] != text {
			t.Errorf("question %d: asked again it says %s, want %s", i, text, said[c.ask])
		}
	}
	reseeded := *contest // other games of the same players
	reseeded.Seed++
	if again, _, err := comparing(t, path, &reseeded, 0, fixed(200)); err != nil || again.Ask != 8 {
		t.Errorf("with another seed: the question %d, want 8 (%v)", again.Ask, err)
	}
	rows := rowsOf(t, path, "select run, search, look, question, games, round(confidence, 6), smallest_difference, "+
		"level, verdict from verdicts order by run_id, search, look")
	t.Log("\n" + rows)
	for _, want := range []string{
		"compare depth 3 1 100 games 100 0.96 0.05 0.05 undecided\n",
		"compare depth 3 2 200 games 200 0.995 0.05 0.05 undecided\n",
		fmt.Sprintf("compare depth 3 3 sequential: 30%%, power 95%%, at most %d times", plan().Looks),
		"compare.2 depth 5 4 200 games 200 0.999583 ",
		"compare depth 3 7 800 games 800",
	} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %q in\n%s", want, rows)
		}
	}
}

// TestOneFamily: all pairs at all searches are tested together.
func TestOneFamily(t *testing.T) {
	contest := playersOf(30000, 36000, 30000)
	for depth := 4; depth <= 6; depth++ {
		contest.Searches = append(contest.Searches, engine.FixedDepth(depth))
	}
	path := filepath.Join(t.TempDir(), "tune.db")
	found, _, err := comparing(t, path, contest, 0, fixed(150))
	must(t, err)
	var p, adjusted []float64
	for _, pair := range found.Pairs {
		p, adjusted = append(p, pair.P/0.8), append(adjusted, pair.Adjusted)
		if known := pair.Verdict == experiments.Better ||
			pair.Verdict == experiments.Worse; known != (pair.Adjusted <= 0.05) {
			t.Errorf("%s: %s with p %v", pair.Search, pair.Verdict, pair.Adjusted)
		}
		if math.Abs(pair.Confidence-(1-0.05*0.8/12)) > 1e-9 {
			t.Errorf("%s: confidence %v", pair.Search, pair.Confidence)
		}
	}
	if len(p) != 12 || !reflect.DeepEqual(adjusted, stats.Holm(p)) {
		t.Errorf("adjusted p-values %v of %v", adjusted, p)
	}
	rows := rowsOf(t, path, "select count(*), count(distinct run_id), min(p_adjusted) from comparisons where level = "+
		"0.05 and look = 1")
	if want := fmt.Sprintln(12, 1, slices.Min(adjusted)); rows != want {
		t.Errorf("recorded %s, want %s", rows, want)
	}
}

// TestSameGames: players whose every game is the same are said to be so, and no interval is a
// point.
func TestSameGames(t *testing.T) {
	for _, spread := range []float64{0.5, 0} {
		path := filepath.Join(t.TempDir(), "tune.db")
		result, _, err := comparing(t, path, playersOf(30000, 30000), 0, func(x *experiments.Contest) {
			x.Simulator.(*drawn).spread, x.Simulator.(*drawn).alike = spread, true
		})
		must(t, err)
		if pair := result.Pairs[0]; pair.Verdict != experiments.SameGames || pair.Games < 50 ||
			pair.Difference.Interval.Low >= pair.Difference.Interval.High {
			t.Errorf("spread %v: %+v", spread, pair)
		}
		if rows := rowsOf(t, path, "select verdict, ci_low = ci_high, ratio_ci_low = ratio_ci_high from verdicts"); !strings.HasPrefix(rows, "same games ") || strings.Contains(rows, " 1") {
			t.Errorf("spread %v: recorded %s", spread, rows)
		}
	}
}

func TestComparisonOfSeveral(t *testing.T) {
	contest := playersOf(30000, 45000, 30000, 30001)
	path := filepath.Join(t.TempDir(), "tune.db")
	result, games, err := comparing(t, path, contest, 0, nil)
	must(t, err)
	name := func(number int) string { return contest.Players[number].Name }
	total := 0
	of := map[string]int{} // games by name
	for number, scores := range scoresOf(t, path, result) {
		total += len(scores)
		of[name(number)] = len(scores)
	}
	if of["player 1"] >= of["player 0"] {
		t.Errorf("the best, whose pairs are decided early, played %d games, others %d", of["player 1"], of["player 0"])
	}
	if total != games || len(result.Pairs) != 6 {
		t.Errorf("%d pairs, %d games recorded, %d drawn", len(result.Pairs), total, games)
	}
	for _, pair := range result.Pairs {
		want := experiments.NoDifference
		switch {
		case name(pair.Candidate) == "player 1":
			want = experiments.Better
		case name(pair.Baseline) == "player 1":
			want = experiments.Worse
		}
		if pair.Verdict != want {
			t.Errorf("%s and %s: %s, want %s", name(pair.Candidate), name(pair.Baseline), pair.Verdict, want)
		}
	}
}

// TestComparisonWithoutSpread: whether players differ that always have the same score is undecided,
// and more games are not played for it. Bounds of the scores decide it.
func TestComparisonWithoutSpread(t *testing.T) {
	for _, means := range [][]float64{{100, 100}, {100, 200}, {0, 0}, {0, 1}} {
		for _, bounds := range []bot.Bounds{{}, {Min: 0, Max: max(1, means[1])}} {
			constant := func(x *experiments.Contest) {
				x.Simulator.(*drawn).spread, x.Config.Objective = 0, fitness.MeanScore.Within(bounds)
			}
			result, games, err := comparing(t, filepath.Join(t.TempDir(), "tune.db"), playersOf(means...), 0, constant)
			if err != nil {
				t.Errorf("%v: %v", means, err)
				continue
			}
			pair := result.Pairs[0]
			different := pair.Verdict == experiments.Better || pair.Verdict == experiments.Worse
			if different != (means[0] != means[1] && bounds.Known()) ||
				(pair.Verdict == experiments.SameGames) != (means[0] == means[1]) ||
				pair.Difference.Interval.Bounded() != bounds.Known() || games > 1000 {
				t.Errorf("%v within %v: %s after %d games, p %v, %+v", means, bounds, pair.Verdict, games, pair.P, pair.Difference)
			}
		}
	}
	never := playersOf(100, 100)
	var err error
	never.Objective, err = config.ParseObjective("{reach: 65536}")
	must(t, err)
	result, _, err := comparing(t, filepath.Join(t.TempDir(), "tune.db"), never, 0, nil)
	must(t, err)
	if pair := result.Pairs[0]; pair.Verdict != experiments.Undecided {
		t.Errorf("of players that never reach a tile: %s", pair.Verdict)
	}
}

// TestChangedComparisonIsRefused, but rows of games that are gone are played again. Verify notices
// what was changed after the end.
func TestChangedComparisonIsRefused(t *testing.T) {
	contest := playersOf(30000, 50000)
	whole := filepath.Join(t.TempDir(), "tune.db")
	first, _, err := comparing(t, whole, contest, 0, fixed(120))
	must(t, err)
	for _, c := range []struct {
		limit        int
		change, want string
	}{
		{63, "update playing set seed = 1 where id = 50000000000", "game 0 of evaluation 0 was recorded as one of candidate"},
		{63, "delete from playing where id % 3 = 0", ""},
	} {
		path := filepath.Join(t.TempDir(), "tune.db")
		if _, _, err := comparing(t, path, contest, c.limit, fixed(120)); c.limit > 0 != errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		tamper(t, path, c.change)
		again, games, err := comparing(t, path, contest, 0, fixed(120))
		switch {
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want an error with %q", c.change, err, c.want)
		case c.want == "" && (err != nil || games != 240-63+21 || figures(again) != figures(first) ||
			comparedRows(t, path) != comparedRows(t, whole)):
			t.Errorf("%s: drew %d games: %v", c.change, games, err)
		}
	}
}
