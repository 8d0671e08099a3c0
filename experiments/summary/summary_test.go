package summary

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
)

// everything is a run with every phase.
const everything = `
name: everything
heuristic:
  features:
    - {feature: empty, name: a, weight: {min: 0, max: 1, start: 0.2, scale: linear}}
    - {feature: merges, name: b, weight: {min: 0, max: 1, start: 0.3, scale: linear}}
    - {feature: largest, name: c, weight: {min: 0, max: 1, start: 0.5, scale: linear}}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 8}
stages:
  - {name: explore, generations: 2, games: 4, rounds: 2}
  - {name: refine, search: {depth: 2}, generations: 6, games: 6, rounds: 3}
playoff: {finalists: 5, games: 120, rounds: 3}
validation: {games: 130, search: [{depth: 1}, {depth: 2, games: 70}]}
references: {x: {weights: {a: 0.1}}, y: {from: champion, weights: {a: 0.9}}}
ablation: {games: 80, difference: 0.1}
`

// slow has the figures of some games by the textbook.
type slow struct {
	n               int
	score, fitness  stats.Estimate
	moves, nodes    int64
	micros, scoreSD float64
	reached         map[int]int // by tile
}

// slowly computes the figures of the games that are asked for.
func slowly(o fitness.Objective, games []experiments.Game, wanted func(experiments.Game) bool) (f slow) {
	var scores, figures []float64
	f.reached = map[int]int{}
	for _, g := range games {
		if !wanted(g) {
			continue
		}
		f.n++
		f.moves, f.nodes, f.micros = f.moves+int64(g.Moves), f.nodes+g.Nodes, f.micros+float64(g.Duration.Microseconds())
		scores = append(scores, float64(g.Score))
		switch o.String() {
		case "mean_log_score":
			figures = append(figures, math.Log(float64(g.Score)+1))
		case "mean_score":
			figures = append(figures, float64(g.Score))
		}
		for _, tile := range experiments.Tiles {
			if g.MaxTile >= tile {
				f.reached[tile]++
			}
		}
	}
	f.score, f.scoreSD = judged(scores)
	if figures != nil {
		f.fitness, _ = judged(figures)
	} else { // a share
		zerosAndOnes := append(slices.Repeat([]float64{0}, f.n-f.reached[2048]+1),
			slices.Repeat([]float64{1}, f.reached[2048]+1)...)
		f.fitness, _ = student(zerosAndOnes) // a success and a failure more
		f.fitness.Interval.High = min(1, f.fitness.Interval.High)
		f.fitness.Value = float64(f.reached[2048]) / float64(f.n)
	}
	return f
}

// judged is student, whose interval counts the least and the largest of 20 values or more twice.
func judged(values []float64) (e stats.Estimate, sd float64) {
	e, sd = student(values)
	if len(values) >= 20 {
		wide, _ := student(append(slices.Clone(values), slices.Min(values), slices.Max(values)))
		e.Interval = wide.Interval
	}
	return e, sd
}

// student is the mean with its 95% interval by Student's t, not below 0, and the standard
// deviation.
func student(values []float64) (e stats.Estimate, sd float64) {
	n, sum, squares := float64(len(values)), 0.0, 0.0
	for _, x := range values {
		sum += x
	}
	for _, x := range values {
		squares += (x - sum/n) * (x - sum/n)
	}
	sd = math.Sqrt(squares / (n - 1))
	return stats.Estimate{Value: sum / n,
		Interval: stats.Around(sum/n, sd/math.Sqrt(n), 0.95, n-1).Within(0, math.Inf(1))}, sd
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-6*math.Abs(want)+1e-12 }

func alike(got, want stats.Estimate) bool {
	return near(got.Value, want.Value) && near(got.Interval.Low, want.Interval.Low) &&
		near(got.Interval.High, want.Interval.High)
}

// check compares a player's figures with its games.
func check(t *testing.T, o fitness.Objective, p Player, games []experiments.Game) {
	t.Helper()
	at := p.Standing.Place
	want := slowly(o, games, func(g experiments.Game) bool {
		return g.Phase == at.Phase && g.Stage == at.Stage && g.Search == at.Search && g.Candidate == at.Candidate
	})
	if p.Candidate != at.Candidate || p.Search != at.Search || p.Games != want.n || !alike(p.Score, want.score) ||
		!alike(p.Fitness, want.fitness) ||
		p.MSPerMove == nil || !near(*p.MSPerMove, want.micros/1000/float64(want.moves)) || p.Standing.Moves != want.moves ||
		p.Standing.Nodes != want.nodes {
		t.Errorf("%s, %s: got %+v, want %+v", o, at, p, want)
	}
	for i, tile := range experiments.Tiles {
		n := want.reached[tile]
		w := stats.Wilson(n, want.n, 0.95)
		if share := (TileShare{tile, float64(n) / float64(want.n), w.Low, w.High, n}); p.Tiles[i] != share {
			t.Errorf("%s, %s: %+v, want %+v", o, at, p.Tiles[i], share)
		}
	}
}

// TestSummaryIsOfTheGames computes every figure in the slow way, from the games alone.
func TestSummaryIsOfTheGames(t *testing.T) {
	peak := world(func(v []float64) float64 {
		return 32000 * portable.Exp(-1.5*((v[0]-0.7)*(v[0]-0.7)+(v[1]-0.6)*(v[1]-0.6)))
	})
	for _, objective := range []string{"mean_score", "mean_log_score", "{reach: 2048}"} {
		n, s := carryOut(t, everything+"objective: "+objective+"\n", 3, peak)
		o := n.run.Objective
		if n.run.Champion == experiments.StartNumber {
			t.Fatal("the champion is the start: choose another seed")
		}

		// Everybody in every phase after tuning, each once.
		seen := map[experiments.Place]bool{}
		for _, p := range s.Fresh() {
			check(t, o, p, n.games)
			seen[experiments.Place{Phase: p.Standing.Phase, Search: p.Search, Candidate: p.Candidate}] = true
		}
		fresh := map[experiments.Place]bool{}
		for _, g := range n.games {
			if g.Phase != experiments.PhaseTuning {
				fresh[experiments.Place{Phase: g.Phase, Search: g.Search, Candidate: g.Candidate}] = true
			}
		}
		if !reflect.DeepEqual(seen, fresh) || len(s.Fresh()) != len(fresh) {
			t.Errorf("%s: figures of %v, want %v", o, seen, fresh)
		}

		// The headline: champion, start and references at two searches, and the recorded
		// comparisons.
		var roles []string
		for _, p := range s.Players {
			check(t, o, p, n.games)
			roles = append(roles, string(p.Role)+" "+p.Name+" "+p.Search)
		}
		if want := "[champion champion depth 1|start start weights depth 1|reference x depth 1|reference y depth 1|" +
			"champion champion depth 2|start start weights depth 2|reference x depth 2|reference y depth 2]"; "["+
			strings.Join(roles, "|")+"]" != want {
			t.Errorf("%s: players %q", o, roles)
		}
		recorded := map[string][]experiments.Comparison{}
		for _, c := range n.comparisons {
			recorded[c.Phase] = append(recorded[c.Phase], c)
		}
		for i, g := range s.Gains {
			if g.Comparison != recorded[experiments.PhaseValidation][i] || g.Player.Candidate != n.run.Champion ||
				g.Over.Candidate != g.Baseline || g.Player.Search != g.Search || g.Over.Search != g.Search ||
				!o.Unit().Logs && !near(g.Ratio.Value, g.Player.Fitness.Value/g.Over.Fitness.Value) ||
				!near(g.Difference.Value, g.Player.Fitness.Value-g.Over.Fitness.Value) {
				t.Errorf("%s: gain %+v, recorded is %+v", o, g, recorded[experiments.PhaseValidation][i])
			}
		}
		if len(s.Gains) != 6 {
			t.Errorf("%s: %d gains", o, len(s.Gains))
		}
		if over, known := s.Over("depth 2"); !known || over.Over.Role != Start || over.Search != "depth 2" {
			t.Errorf("%s: %+v over the start weights", o, over)
		}

		// The playoff: who played all of it first.
		for i, p := range s.Playoff {
			check(t, o, p, n.games)
			if i > 0 && (p.Games > s.Playoff[i-1].Games || p.Games == s.Playoff[i-1].Games &&
				p.Fitness.Value > s.Playoff[i-1].Fitness.Value) || i == 0 && p.Candidate != n.run.Champion {
				t.Errorf("%s: finalist %d is %+v", o, i, p)
			}
		}
		if in, _ := s.InPlayoff(); len(s.Playoff) != 5 || in == nil || in.Candidate != n.run.Champion {
			t.Errorf("%s: %d finalists, the champion is %+v", o, len(s.Playoff), in)
		}

		// Features and trend: the recorded comparisons.
		features := recorded[experiments.PhaseAblation]
		if len(s.Features) != 3 || len(features) != 3 ||
			!slices.IsSortedFunc(s.Features,
				func(a, b Feature) int { return int(math.Copysign(1, a.Ratio.Value-b.Ratio.Value)) }) {
			t.Errorf("%s: features %+v", o, s.Features)
		}
		for _, f := range s.Features {
			if !slices.Contains(features, f.Comparison) || f.Question != "without "+f.Name {
				t.Errorf("%s: feature %+v", o, f)
			}
		}
		games := map[int]int64{} // of tuning, by number of the generation
		begun := 0
		for i, g := range n.games {
			if g.Phase == experiments.PhaseTuning {
				if i > 0 && g.Generation != n.games[i-1].Generation {
					begun++
					games[begun] = games[begun-1]
				}
				games[begun]++
			}
		}
		if tr := s.Trend; tr == nil || tr.Comparison != recorded[experiments.PhaseTrend][0] || tr.Stage != "refine" ||
			tr.Generation != 3 || tr.Of != 6 || tr.From != games[4] || tr.To != games[7] || len(tr.Centres) != 2 {
			t.Errorf("%s: trend %+v of %+v, games %v", o, tr, recorded[experiments.PhaseTrend], games)
		} else {
			for i, number := range []int{tr.Candidate, tr.Baseline} {
				if check(t, o, tr.Centres[i], n.games); tr.Centres[i].Candidate != number {
					t.Errorf("%s: centre %d is %+v", o, i, tr.Centres[i])
				}
			}
		}

		checkTuning(t, o, n, s, games)
		checkWeights(t, n, s)

		last := n.games[len(n.games)-1]
		if s.Games != int64(len(n.games)) || s.Last.Phase != last.Phase || s.Last.Candidate != last.Candidate {
			t.Errorf("%s: %d games, the last one at %s, want %d and %s", o, s.Games, s.Last, len(n.games), last.Place)
		}
	}
}

// checkTuning compares generations, stages and start weights with the games. played has the games
// of tuning at the end of each generation.
func checkTuning(t *testing.T, o fitness.Objective, n *notes, s Summary, played map[int]int64) {
	t.Helper()
	var shared, alone, seeds float64 // of the stage's means, by seed and by game
	for i, g := range s.Generations {
		if g.Number == 0 {
			shared, alone, seeds = 0, 0, 0
		}
		bySeed := map[uint64]float64{}
		own := func(of experiments.Game) bool {
			return of.Phase == experiments.PhaseTuning && of.Stage == g.Stage && of.Generation == g.Number
		}
		var means, figures []float64
		var squares, freedom, shares float64
		for number := range n.candidates {
			w := slowly(o, n.games, func(of experiments.Game) bool { return own(of) && of.Candidate == number })
			if w.n == 0 {
				continue
			}
			means, figures, shares = append(means, w.score.Value), append(figures, w.fitness.Value), shares+1/float64(w.n)
			squares, freedom = squares+w.scoreSD*w.scoreSD*float64(w.n-1), freedom+float64(w.n-1)
			for _, game := range n.games {
				if own(game) && game.Candidate == number {
					residual := (game.Score - w.score.Value) / float64(w.n)
					bySeed[game.Seed] += residual
					alone += residual * residual
				}
			}
		}
		for _, sum := range bySeed {
			shared += sum * sum
		}
		seeds += float64(len(bySeed)) - 1
		mean, sd := student(means)
		fit, _ := student(figures)
		if g.Number != i%2*min(1, 2/(i+1))+max(0, i-2) || g.Candidates != len(means) || g.Played != played[i] ||
			!near(g.Mean, mean.Value) || !near(g.SD, sd) ||
			!near(g.Best, slices.Max(means)) || !near(g.Worst, slices.Min(means)) || !near(g.BestFitness, slices.Max(figures)) ||
			!near(g.MeanFitness.Value, fit.Value) {
			t.Errorf("%s: generation %d is %+v, want %d candidates of %v +- %v, %v games", o, i, g, len(means), mean.Value, sd,
				played[i])
		}
		effect := max(1, shared/alone)
		se := math.Sqrt(squares/freedom*shares*effect) / float64(len(means))
		want := stats.Around(fit.Value, se, 0.95, max(1, min(seeds, freedom/effect)))
		want.Low = max(0, want.Low)
		if o == fitness.MeanScore && !alike(g.MeanFitness, stats.Estimate{Value: fit.Value, Interval: want}) {
			t.Errorf("%s: generation %d has a mean of %+v, want %+v", o, i, g.MeanFitness, want)
		}
	}
	if len(s.Generations) != 8 || len(s.Stages) != 2 {
		t.Fatalf("%s: %d generations, stages %+v", o, len(s.Generations), s.Stages)
	}
	explore, refine := s.Stages[0], s.Stages[1]
	if explore.From != 0 || explore.To != played[1] || refine.From != played[1] || refine.To != played[7] ||
		explore.Generations != 2 || refine.Generations != 6 || refine.Search != "depth 2" {
		t.Errorf("%s: stages %+v", o, s.Stages)
	}
}

// checkWeights compares the weights with the candidates.
func checkWeights(t *testing.T, n *notes, s Summary) {
	t.Helper()
	for i, w := range s.Weights {
		champion := n.candidates[n.run.Champion].Weights[i]
		if w.Name != champion.Name || *w.Champion != champion.Value || !near(w.Start, []float64{0.2, 0.3, 0.5}[i]) {
			t.Errorf("weight %+v, the champion has %v", w, champion.Value)
		}
	}
}

// TestChampionThatIsTheStart has gained nothing, for certain. The search did not end at the edge at
// which a weight starts.
func TestChampionThatIsTheStart(t *testing.T) {
	_, s := carryOut(t, strings.Replace(everything, "start: 0.2", "start: 0", 1), 1, world(func(v []float64) float64 {
		return 32000 * portable.Exp(-40*(v[0]*v[0]+(v[1]-0.3)*(v[1]-0.3)+(v[2]-0.5)*(v[2]-0.5)))
	}))
	if s.Run.Champion != experiments.StartNumber {
		t.Fatal("the champion is not the start: choose another seed")
	}
	if w := s.Weights[0]; *w.Champion != 0 || w.Edge != "" {
		t.Errorf("the weight that starts at its minimum: %+v", w)
	}
	for _, search := range []string{"depth 1", "depth 2"} {
		if g, known := s.Over(search); !known || g.Ratio != experiments.Unchanged || g.Verdict != experiments.NoDifference ||
			g.Player.Candidate != g.Over.Candidate {
			t.Errorf("%s: %+v, %v", search, g, known)
		}
	}
}

// TestFiguresAreOfTheQuestion: a comparison that asks for 200 games and then for 10 shows figures
// of the first 10 of each player. The first question still has its figures of 200.
func TestFiguresAreOfTheQuestion(t *testing.T) {
	var players []config.Player
	for i, name := range []string{"one", "two"} {
		family := eval.Heuristic{Features: []eval.Term{eval.Defaults(eval.Line)}, Symmetry: eval.SymmetryNone}
		players = append(players, config.NewPlayer(name, family, []float64{float64(i + 1)}, eval.Dead{Worst: true}))
	}
	contest := config.NewContest(5, engine.DefaultRules(), []engine.Settings{engine.FixedDepth(1)}, players)
	n := &notes{run: Run{Kind: experiments.KindCompare, Objective: contest.Objective, Champion: -1},
		evaluations: map[int]experiments.Evaluation{}}
	play := world(func(v []float64) float64 { return 30000 + 300*v[0] })
	for _, games := range []int{200, 10} {
		x := experiments.Contest{Config: contest, Plan: stats.DefaultPlan(), Games: games, Simulator: play, Store: n}
		_, err := x.Run(t.Context())
		must(t, err)
	}
	for look, games := range map[int]int{1: 200, 2: 10, 0: 10} {
		n.run.Look = look
		s := n.summary(nil)
		if len(s.Players) != 2 || len(s.Gains) != 1 || s.Games != int64(2*games) {
			t.Fatalf("look %d: %d players, %d gains, %d games", look, len(s.Players), len(s.Gains), s.Games)
		}
		var means [2]float64
		for i, p := range s.Players {
			var scores []float64
			for _, g := range n.games {
				if g.Candidate == i && len(scores) < games {
					scores = append(scores, float64(g.Score))
				}
			}
			want, _ := judged(scores)
			means[i] = want.Value
			if p.Name != contest.Players[i].Name || p.Games != games || !alike(p.Score, want) || !alike(p.Fitness, want) {
				t.Errorf("look %d: %+v, want %d games and %+v", look, p, games, want)
			}
		}
		if g := s.Gains[0]; g.Games != games || !near(g.Difference.Value, means[0]-means[1]) || g.Player.Games != games {
			t.Errorf("look %d: gain %+v, want a difference of %v", look, g, means[0]-means[1])
		}
	}
}
