package experiments

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"tune2048/engine"
	"tune2048/engine/eval"
)

// TestAnswersDependOnTheQuestionAlone: a question has the same answer alone and with others, also
// beside one that asks for no games or too many. Each instance has its own games.
func TestAnswersDependOnTheQuestionAlone(t *testing.T) {
	c := synthetic(t, whole)
	play := hill(1.5, 0.7, 0.4, 0.6)
	ask := func(a float64, games, depth, instance int) Question {
		return Question{Weights: eval.Vector{a, 300, -5}, Games: games, Search: engine.FixedDepth(depth), Instance: instance}
	}
	asked := []Question{ask(0.2, 5, 1, 0), ask(0.4, 7, 2, 0), ask(0.2, 5, 1, 1), ask(0.2, 0, 1, 0), ask(0.2, MaxQuestion+1, 1, 0), ask(0.2, 5, 1, 0)}
	want := []string{"", "", "", "want 1 to 10000, got 0", "want 1 to 10000, got 10001", ""}
	var alone []Answer
	for i, q := range asked {
		answers, err := Evaluate(t.Context(), c, play, q)
		must(t, err)
		if alone = append(alone, answers...); (answers[0].Err == nil) != (want[i] == "") || answers[0].Err != nil && !strings.Contains(answers[0].Err.Error(), want[i]) {
			t.Errorf("question %d: %v, want %q", i, answers[0].Err, want[i])
		}
	}
	for _, left := range [][]int{{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {0, 1, 2, 5}, {0, 3, 1}, {4}} {
		var some []Question
		var expected []Answer
		for _, i := range left {
			some, expected = append(some, asked[i]), append(expected, alone[i])
		}
		if got, err := Evaluate(t.Context(), c, play, some...); err != nil || !reflect.DeepEqual(got, expected) {
			t.Errorf("questions %v: %+v, alone %+v, %v", left, got, expected, err)
		}
	}
	if alone[0].Score.N != 5 || alone[1].Score.N != 7 || alone[0].Sample != alone[5].Sample || alone[0].Sample == alone[2].Sample {
		t.Errorf("answers %+v", alone)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := Evaluate(done, c, play, asked...); got != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %+v, %v", got, err)
	}
}
