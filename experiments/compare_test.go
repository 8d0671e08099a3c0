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
	"strings"
	"testing"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/stats"
	"tune2048/results"
)

// drawn plays no game: it draws a score with the spread of real ones, whose mean is the player's first number. What
// comes of a seed depends on the seed and the player alone.
type drawn struct {
	games  int // drawn so far
	limit  int // games after which cancel is called; 0: never
	cancel func()
	spread float64
}

func (d *drawn) Play(ctx context.Context, b simulator.Batch, finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	outcomes := make([]simulator.Outcome, len(b.Jobs))
	for i, job := range b.Jobs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p := b.Players[job.Player]
		z := portable.NewSource(portable.Hash(job.Seed, "drawn", math.Float64bits(p.Values[0]), math.Float64bits(p.Values[1]))).Normal()
		score := p.Values[0] * portable.Exp(d.spread*z-d.spread*d.spread/2)
		o := &outcomes[i]
		o.Score, o.MaxTile, o.Moves, o.Nodes = int(score), 1024, 500, 5000
		if d.games++; d.limit > 0 && d.games >= d.limit {
			d.cancel()
		}
		if err := finished(i, *o); err != nil {
			return nil, err
		}
	}
	return outcomes, ctx.Err()
}

// playersOf are players of these mean scores; all differ in their second number.
func playersOf(means ...float64) *configs.Comparison {
	var players []configs.Player
	for i, mean := range means {
		line, empty := heuristic.Defaults(heuristic.Line), heuristic.Defaults(heuristic.Empty)
		family := heuristic.Family{Features: []heuristic.Feature{line, empty}, Symmetry: heuristic.SymmetryNone}
		players = append(players, configs.NewPlayer(fmt.Sprint("player ", i), family, []float64{mean, float64(i)}, heuristic.Dead{Worst: true}))
	}
	c, _ := configs.NewComparison(3, engine.DefaultRules(), engine.FixedDepth(3), players)
	return c
}

// comparing carries a comparison out in the database and returns how many games were drawn.
func comparing(t testing.TB, path string, c *configs.Comparison, limit int, edit func(*experiments.Comparison)) (experiments.Compared, int, error) {
	t.Helper()
	store, err := results.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	sim := &drawn{limit: limit, cancel: cancel, spread: 0.5}
	x := experiments.Comparison{Config: c, Plan: stats.DefaultPlan(), Simulator: sim, Store: store}
	if edit != nil {
		edit(&x)
	}
	result, err := x.Run(ctx)
	return result, sim.games, err
}

// fixed asks for so many games of each player.
func fixed(games int) func(*experiments.Comparison) {
	return func(x *experiments.Comparison) { x.Games = games }
}

// comparedRows returns everything in the database that is not a time, a line each.
func comparedRows(t testing.TB, path string) string {
	t.Helper()
	reader, err := results.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var text strings.Builder
	for _, statement := range []string{
		"select id, name, kind, config_yaml, config_hash, seed, status, signature, fingerprint from runs order by id",
		"select * from candidates order by id", "select * from weights order by candidate_id, position",
		"select * from evaluations order by first_game",
		"select id, candidate_id, phase, search, generation, round, seed, score, max_tile, moves, nodes, capped from games order by id",
		"select * from comparisons order by candidate_id, baseline_id", "select * from leaderboard", "select * from tile_rates",
	} {
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

// figures are what is printed of a comparison.
func figures(c experiments.Compared) string {
	return fmt.Sprintf("%+v %+v", c.Players, c.Pairs)
}

func TestComparisonStopsWhenItKnows(t *testing.T) {
	const mean = 30000
	for name, c := range map[string]struct {
		means   []float64
		verdict stats.Verdict
		most    int // looks
	}{
		"large difference":  {[]float64{mean, 1.4 * mean}, stats.SecondBetter, 3},
		"small difference":  {[]float64{1.06 * mean, mean}, stats.FirstBetter, 20},
		"no difference":     {[]float64{mean, mean}, stats.NoDifference, 20},
		"almost none (1 %)": {[]float64{mean, 1.01 * mean}, stats.NoDifference, 20},
	} {
		config := playersOf(c.means...)
		result, games, err := comparing(t, filepath.Join(t.TempDir(), "tune.db"), config, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		pair := result.Pairs[0]
		verdict := c.verdict
		if mirrored := stats.FirstBetter + stats.SecondBetter - verdict; config.Players[0].Name != "player 0" && verdict != stats.NoDifference {
			verdict = mirrored // sorted the other way
		}
		if pair.Verdict != verdict || pair.Look > c.most || pair.Look == 20 && c.most < 20 {
			t.Errorf("%s: %s at look %d with %d games, want %s by look %d", name, pair.Verdict, pair.Look, pair.Games, verdict, c.most)
		}
		if games != 2*pair.Games || result.Played != int64(games) || result.ReadBack != 0 {
			t.Errorf("%s: drew %d games, %d of each are told, %d played, %d replayed", name, games, pair.Games, result.Played, result.ReadBack)
		}
		known := verdict != stats.NoDifference
		if known != (pair.PValue <= 0.05) || known == pair.Difference.Interval.Contains(0) || known == pair.Ratio.Interval.Contains(1) {
			t.Errorf("%s: verdict %s with p %v, difference %+v, ratio %+v", name, pair.Verdict, pair.PValue, pair.Difference, pair.Ratio)
		}
	}
}

func TestComparisonOfAFixedSize(t *testing.T) {
	for _, c := range []struct {
		games   int
		means   [2]float64
		verdict stats.Verdict
	}{
		{2, [2]float64{30000, 30001}, stats.GoOn},
		{25, [2]float64{30000, 30001}, stats.GoOn},
		{4000, [2]float64{30000, 30001}, stats.NoDifference},
		{4000, [2]float64{40000, 30000}, stats.SecondBetter},
	} {
		path := filepath.Join(t.TempDir(), "tune.db")
		result, games, err := comparing(t, path, playersOf(c.means[:]...), 0, fixed(c.games))
		if err != nil {
			t.Fatal(err)
		}
		pair := result.Pairs[0]
		if games != 2*c.games || pair.Games != c.games || result.Players[0].Evaluation.Score.N != c.games {
			t.Errorf("%d games of each: drew %d, the pair has %d", c.games, games, pair.Games)
		}
		if pair.Verdict != c.verdict && !(c.verdict == stats.SecondBetter && pair.Verdict == stats.FirstBetter) || pair.Bias != stats.Unbiased {
			t.Errorf("%d games of each: %s (%s), want %s", c.games, pair.Verdict, pair.Bias, c.verdict)
		}
		// With a fixed size the interval is Welch's, and p its.
		a, b := result.Players[0].Evaluation.Score, result.Players[1].Evaluation.Score
		want := stats.MeanDifference(a, b, 0.95).Interval
		if got := pair.Difference.Interval; math.Abs(got.Low-want.Low) > 1e-6*math.Abs(want.Low) {
			t.Errorf("%d games of each: interval %v, want %v", c.games, got, want)
		}
	}
}

func TestInterruptedComparisonEndsInTheSameRows(t *testing.T) {
	config := playersOf(30000, 33000, 30500)
	whole := filepath.Join(t.TempDir(), "tune.db")
	want, games, err := comparing(t, whole, config, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := comparedRows(t, whole)
	r := rand.New(rand.NewPCG(1, 2))
	repeats := 3
	if testing.Short() { // under the race detector
		repeats = 1
	}
	for range repeats {
		path := filepath.Join(t.TempDir(), "tune.db")
		var got experiments.Compared
		drawn := 0
		for err = context.Canceled; errors.Is(err, context.Canceled); {
			var n int
			got, n, err = comparing(t, path, config, 1+r.IntN(games/2), nil)
			drawn += n
		}
		if err != nil {
			t.Fatal(err)
		}
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
}

func TestComparisonAskedAgainPlaysNothing(t *testing.T) {
	config := playersOf(30000, 33000)
	path := filepath.Join(t.TempDir(), "tune.db")
	first, games, err := comparing(t, path, config, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	before := comparedRows(t, path)
	again, n, err := comparing(t, path, config, 0, nil)
	if err != nil || n != 0 || again.ReadBack != int64(games) || again.Run.Name != "compare" {
		t.Errorf("asked again it drew %d games, replayed %d of %d, in run %s: %v", n, again.ReadBack, games, again.Run.Name, err)
	}
	if figures(again) != figures(first) || comparedRows(t, path) != before {
		t.Error("asked again it says other things")
	}
	fresh, n, err := comparing(t, path, config, 0, func(x *experiments.Comparison) { x.New = true })
	if err != nil || n != games || fresh.Run.Name != "compare.2" || figures(fresh) != figures(first) {
		t.Errorf("-new: drew %d games of %d in run %s: %v", n, games, fresh.Run.Name, err)
	}
}

// TestComparisonGrows asks one question after the other: each plays what is missing and no more, says what it would say
// in an empty database, and a run has the same evaluations and games however it came to its size.
func TestComparisonGrows(t *testing.T) {
	config := playersOf(30000, 30600)
	grown := filepath.Join(t.TempDir(), "tune.db")
	has := 0
	for _, games := range []int{25, 30, 7, 50, 51, 200, 233, 0, 700} {
		got, n, err := comparing(t, grown, config, 0, fixed(games))
		if err != nil {
			t.Fatalf("%d games: %v", games, err)
		}
		alone := filepath.Join(t.TempDir(), "tune.db")
		want, _, err := comparing(t, alone, config, 0, fixed(games))
		if err != nil {
			t.Fatal(err)
		}
		each := want.Players[0].Evaluation.Score.N
		if n != 2*max(0, each-has) || figures(got) != figures(want) {
			t.Errorf("%d games of each after %d: drew %d; figures %s, want %s", each, has, n, figures(got), figures(want))
		}
		if has = max(has, each); has == each {
			if comparedRows(t, grown) != comparedRows(t, alone) {
				t.Errorf("%d games of each: other rows than in one go", each)
			}
		}
	}
}

// TestInterruptedBlockTakesAnotherShape stops one question in the middle of a block and then asks another.
func TestInterruptedBlockTakesAnotherShape(t *testing.T) {
	config := playersOf(30000, 40000)
	path := filepath.Join(t.TempDir(), "tune.db")
	if _, _, err := comparing(t, path, config, 63, fixed(120)); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for _, games := range []int{13, 60, 170} {
		got, _, err := comparing(t, path, config, 0, fixed(games))
		if err != nil || got.Players[1].Evaluation.Score.N != games {
			t.Fatalf("%d games: %v", games, err)
		}
	}
	alone := filepath.Join(t.TempDir(), "tune.db")
	if _, _, err := comparing(t, alone, config, 0, fixed(170)); err != nil {
		t.Fatal(err)
	}
	if comparedRows(t, path) != comparedRows(t, alone) {
		t.Error("other rows than in one go")
	}
}

func TestComparisonOfSeveral(t *testing.T) {
	config := playersOf(30000, 45000, 30000, 30001)
	result, games, err := comparing(t, filepath.Join(t.TempDir(), "tune.db"), config, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	name := func(number int) string { return config.Players[number].Name }
	total, p, adjusted := 0, []float64{}, []float64{}
	for _, f := range result.Players {
		total += f.Evaluation.Score.N
		if best := f.Candidate.Name == "player 1"; best && f.Evaluation.Score.N >= result.Players[0].Evaluation.Score.N && result.Players[0].Candidate.Name != "player 1" {
			t.Errorf("the best, whose pairs are decided early, played %d games, others no more", f.Evaluation.Score.N)
		}
	}
	if total != games || len(result.Pairs) != 6 || result.Plan.Level != 0.05/6 {
		t.Errorf("%d pairs at level %v, %d games told, %d drawn", len(result.Pairs), result.Plan.Level, total, games)
	}
	for _, pair := range result.Pairs {
		p, adjusted = append(p, pair.PValue), append(adjusted, pair.Adjusted)
		want := stats.NoDifference
		switch {
		case name(pair.First) == "player 1":
			want = stats.FirstBetter
		case name(pair.Second) == "player 1":
			want = stats.SecondBetter
		}
		if pair.Verdict != want {
			t.Errorf("%s and %s: %s, want %s", name(pair.First), name(pair.Second), pair.Verdict, want)
		}
	}
	if !reflect.DeepEqual(adjusted, stats.Holm(p)) {
		t.Errorf("adjusted p-values %v of %v", adjusted, p)
	}
}

// TestComparisonWithoutSpread: players that always score the same are told apart, or are not.
func TestComparisonWithoutSpread(t *testing.T) {
	constant := func(x *experiments.Comparison) { x.Simulator.(*drawn).spread = 0 }
	for _, means := range [][]float64{{100, 100}, {100, 200}, {0, 0}, {0, 1}} {
		result, _, err := comparing(t, filepath.Join(t.TempDir(), "tune.db"), playersOf(means...), 0, constant)
		if err != nil {
			t.Errorf("%v: %v", means, err)
			continue
		}
		pair := result.Pairs[0]
		if different := pair.Verdict == stats.FirstBetter || pair.Verdict == stats.SecondBetter; different != (means[0] != means[1]) {
			t.Errorf("%v: %s, p %v", means, pair.Verdict, pair.PValue)
		}
	}
}

func TestComparisonRefusesWhatItCannotCompare(t *testing.T) {
	two := playersOf(1, 2)
	twins := *two
	twins.Players = []configs.Player{two.Players[0], two.Players[0]}
	for want, edit := range map[string]func(*experiments.Comparison){
		"want at least 2 players": func(x *experiments.Comparison) { x.Config = playersOf(1) },
		"same heuristic":          func(x *experiments.Comparison) { x.Config = &twins },
		"games: want 2 to":        fixed(1),
		"games: want 2":           fixed(-3),
		"ask for a larger":        func(x *experiments.Comparison) { x.Plan.Difference = 1e-5 },
		"difference: want":        func(x *experiments.Comparison) { x.Plan.Difference = -1 },
		"level: want":             func(x *experiments.Comparison) { x.Plan.Level = 2 },
		"power: want":             func(x *experiments.Comparison) { x.Plan.Power = 2 },
	} {
		path := filepath.Join(t.TempDir(), "tune.db")
		if _, games, err := comparing(t, path, two, 0, edit); err == nil || games != 0 || !strings.Contains(err.Error(), want) {
			t.Errorf("drew %d games: %v, want an error with %q", games, err, want)
		}
	}
}

func TestChangedComparisonIsRefused(t *testing.T) {
	for want, change := range map[string]string{
		"changed after it had finished": "update evaluations set mean_score = 1 where first_game = 0",
		"not those that were evaluated": "update games set score = 1 where id = 1000000000",
		"recorded as one of candidate":  "update games set seed = 1 where id = 1000000000",
	} {
		path := filepath.Join(t.TempDir(), "tune.db")
		config := playersOf(30000, 50000)
		if _, _, err := comparing(t, path, config, 0, nil); err != nil {
			t.Fatal(err)
		}
		tamper(t, path, change)
		if _, _, err := comparing(t, path, config, 0, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", change, err, want)
		}
	}
	// Games that are gone are played again.
	path := filepath.Join(t.TempDir(), "tune.db")
	config := playersOf(30000, 50000)
	first, _, err := comparing(t, path, config, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := comparedRows(t, path)
	tamper(t, path, "delete from games where id % 3 = 0")
	again, games, err := comparing(t, path, config, 0, nil)
	if err != nil || games == 0 || figures(again) != figures(first) || comparedRows(t, path) != rows {
		t.Errorf("drew %d games again: %v", games, err)
	}
}

// TestComparisonOfFamilies plays real games with players of different families.
func TestComparisonOfFamilies(t *testing.T) {
	var players []configs.Player
	for _, name := range []string{"nneonneo", "snake", "cluster"} {
		c, err := configs.LoadEmbedded(name)
		if err != nil {
			t.Fatal(err)
		}
		players = append(players, configs.NewPlayer(name, c.Family, c.Family.Start(), c.Family.Dead))
	}
	config, _ := configs.NewComparison(1, engine.DefaultRules(), engine.FixedDepth(1), players)
	want := ""
	for _, workers := range []int{1, 4} {
		path := filepath.Join(t.TempDir(), "tune.db")
		if _, _, err := comparing(t, path, config, 0, func(x *experiments.Comparison) { x.Simulator, x.Games = simulator.NewPool(workers), 30 }); err != nil {
			t.Fatal(err)
		}
		if got := comparedRows(t, path); want == "" {
			want = got
		} else if got != want {
			t.Errorf("%d workers: other rows", workers)
		}
	}
}
