package experiments

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
)

// TestAnswersDependOnTheQuestionAlone: a question has the same answer alone and with others, also
// beside one that cannot be played. Each instance has its own games. Games that are known are not
// played.
func TestAnswersDependOnTheQuestionAlone(t *testing.T) {
	form := synthetic(t, whole).Form()
	stream := Stream{Seed: 1, Phase: PhaseEval}
	lab := Lab{Simulator: failing{hill(1.5, 0.7, 0.4, 0.6), 7, stream.At(2)}, Objective: fitness.MeanScore}
	ask := func(a, b float64, games, depth, instance int) Question {
		stream.Generation = instance
		return NewQuestion(form.Player(eval.Vector{a, b, -5}), engine.FixedDepth(depth), stream, 0, games)
	}
	asked := []Question{ask(0.2, 300, 5, 1, 0), ask(0.4, 300, 70, 2, 0), ask(0.2, 300, 5, 1, 1), ask(0.2, 7, 5, 1, 0),
		ask(0.2, 7, 5, 1, 1), ask(0.2, 300, 5, 1, 0)}
	var alone []Evaluation
	for _, q := range asked {
		answers, err := lab.Ask(t.Context(), []Question{q}, nil)
		must(t, err)
		alone = append(alone, answers...)
	}
	for _, left := range [][]int{{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {0, 1, 2, 5}, {0, 3, 1}, {4}} {
		var some []Question
		var expected []Evaluation
		for _, i := range left {
			some, expected = append(some, asked[i]), append(expected, alone[i])
		}
		if got, err := lab.Ask(t.Context(), some, nil); err != nil || !reflect.DeepEqual(got, expected) {
			t.Errorf("questions %v: %+v, alone %+v, %v", left, got, expected, err)
		}
	}
	for i, games := range []int{5, 70, 5, 0, 5, 5} {
		if e := alone[i]; len(e.Scores) != games || len(e.Each) != games || (e.Failure == "crashed") != (i == 3) {
			t.Errorf("question %d: %+v", i, e)
		}
	}
	if !reflect.DeepEqual(alone[0], alone[5]) || reflect.DeepEqual(alone[0].Scores, alone[2].Scores) {
		t.Errorf("answers %+v", alone)
	}
	known := Known{Outcomes: map[int]simulator.Outcome{1: {Result: engine.Result{Score: 77}}}}
	played := 0
	lab.Played = func(_ context.Context, g Game) error {
		played++
		if g.Index == 1 || g.Seed != asked[0].Seeds.At(g.Index) || g.Score != alone[0].Scores[g.Index] {
			t.Errorf("played %+v", g)
		}
		return nil
	}
	got, err := lab.Ask(t.Context(), asked[:1], []Known{known})
	if err != nil || played != 4 || got[0].Scores[1] != 77 || got[0].Scores[4] != alone[0].Scores[4] ||
		got[0].Ranks != nil || got[0].Moves != 0 {
		t.Errorf("with a known game, %d played: %+v, %v", played, got, err)
	}
	again, err := lab.Ask(t.Context(), append(asked[:1:1], asked[3:5]...),
		[]Known{{Evaluation: &got[0]}, {Failure: "was lost"}, {}})
	if err != nil || played != 4 || !reflect.DeepEqual(again[0], got[0]) || again[1].Failure != "was lost" ||
		again[2].Failure != "was lost" {
		t.Errorf("with answers, %d played: %+v, %v", played, again, err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := lab.Ask(done, asked, nil); got != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %+v, %v", got, err)
	}
}

// TestKnownGamesAreChecked: a game that another run took may have no largest tile, which this run's
// objective needs, or a score outside this run's bounds. It fails as a game does that is played.
func TestKnownGamesAreChecked(t *testing.T) {
	reach, err := config.ParseObjective("{reach: 2048}")
	must(t, err)
	for want, c := range map[string]struct {
		objective fitness.Objective
		program   bot.Program
	}{
		"its game with seed %d: score 2 lies outside player.score, 0 to 1: widen these bounds, or let the bot answer a " +
			"score within them": {fitness.MeanScore, bot.Program{Score: bot.Bounds{Min: 0, Max: 1}}},
		"its game with seed %d: objective {reach: 2048}: want the largest tile of each game, got a score alone: ": {reach,
			bot.Program{}},
		"": {fitness.MeanScore, bot.Program{Score: bot.Bounds{Min: 0, Max: 2}}},
	} {
		player := eval.NewForm(engine.DefaultRules(), &eval.Heuristic{Bot: &c.program}).Player(nil)
		q := NewQuestion(player, engine.Settings{Bot: true}, Stream{Seed: 1, Phase: PhaseEval}, 0, 3)
		lab := Lab{Objective: c.objective}
		outcomes := map[int]simulator.Outcome{}
		for game, score := range []float64{1, 2, 0} {
			outcomes[game] = simulator.Outcome{Result: engine.Result{Score: score}}
		}
		if strings.Contains(want, "reach") { // the first game fails
			want = fmt.Sprintf(want, q.Seeds.At(0))
		} else if want != "" {
			want = fmt.Sprintf(want, q.Seeds.At(1))
		}
		got, err := lab.Ask(t.Context(), []Question{q}, []Known{{Outcomes: outcomes}})
		if must(t, err); !strings.HasPrefix(got[0].Failure, want) || (got[0].Failure == "") != (want == "") {
			t.Errorf("got %q, want %q", got[0].Failure, want)
		}
	}
}

// interrupted is a simulator that is stopped at its first batch.
type interrupted struct{ jobs int }

func (i *interrupted) Play(_ context.Context, batch simulator.Batch,
	_ func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	i.jobs = len(batch.Jobs)
	return nil, context.Canceled
}

// TestSeedsAreMadeAsGamesArePlayed: a stranger's record may claim many games.
func TestSeedsAreMadeAsGamesArePlayed(t *testing.T) {
	var before, after runtime.MemStats
	s, player := new(interrupted), alikes(9, 1, 1).Players[0].At(engine.DefaultRules())
	runtime.ReadMemStats(&before)
	_, err := PlayHeldOut(t.Context(), &config.Config{Seed: 1}, "", s, player, engine.FixedDepth(1), MaxGames, nil)
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; !errors.Is(err, context.Canceled) || s.jobs != heldOutChunk ||
		mb > 32 {
		t.Errorf("%d MB for %d games, %v", mb, s.jobs, err)
	}
}

// TestStoredPlayerHasItsWeights, or is an error.
func TestStoredPlayerHasItsWeights(t *testing.T) {
	c := alikes(9, 1, 1)
	start := c.Players[0].At(c.Rules)
	for _, dead := range []eval.Dead{start.Heuristic.Dead, {Value: -3}} {
		got, err := StoredPlayer(start, Candidate{Weights: []Weight{{start.Heuristic.Names()[0], 77}}, Dead: dead})
		if err != nil || got.Values[0] != 77 || start.Values[0] == 77 || got.Heuristic.Dead != dead || got.Rules != c.Rules {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if _, err := StoredPlayer(start, Candidate{Weights: []Weight{{"nonsense", 1}}}); err == nil ||
		!strings.Contains(err.Error(), "no weight nonsense") {
		t.Error(err)
	}
}
