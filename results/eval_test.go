package results

import (
	"context"
	"errors"
	"io"
	"testing"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// interruptedAfter plays this number of games and is then interrupted.
type interruptedAfter int

func (n interruptedAfter) Play(ctx context.Context, b simulator.Batch, finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	all := make([]simulator.Outcome, len(b.Jobs))
	for i, job := range b.Jobs {
		if i == int(n) {
			return nil, context.Canceled
		}
		all[i] = randomOutcome(random(job.Seed))
		if err := finished(i, all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// TestEvalGoesOnInAnyOrder: after an interruption the questions may come in another order, with
// other games or another search. The run ends like one that was not interrupted.
func TestEvalGoesOnInAnyOrder(t *testing.T) {
	c := sure(configs.Parse([]byte("heuristic: {features: [{feature: empty, weight: {min: 0, max: 1000, start: 270}}]}\n"), "eval.yaml"))(t)
	question := func(instance, games, depth int) experiments.Question {
		return experiments.Question{ID: "x", Weights: c.Family.Values(), Games: games, Search: engine.FixedDepth(depth), Instance: instance}
	}
	eval := func(s *Store, games int, batches ...[]experiments.Question) (answers []experiments.Evaluation, err error) {
		err = experiments.Eval{
			Config: c, Store: s, Archive: s.Reader(), Simulator: interruptedAfter(games), Begun: func(experiments.Run) {},
			Next: func(context.Context) (next []experiments.Question, err error) {
				if len(batches) == 0 {
					return nil, io.EOF
				}
				next, batches = batches[0], batches[1:]
				return next, nil
			},
			Answer: func(_ []experiments.Question, all []experiments.Answer) error {
				for _, a := range all {
					must(t, a.Err)
					answers = append(answers, a.Evaluation)
				}
				return nil
			},
		}.Run(ctx)
		return answers, err
	}
	type batch = []experiments.Question
	for name, test := range map[string]struct{ first, then []batch }{
		"another order":           {[]batch{{question(1, 5, 1)}, {question(2, 5, 1)}}, []batch{{question(2, 5, 1)}, {question(1, 5, 1)}}},
		"another order, together": {[]batch{{question(1, 5, 1), question(2, 5, 1)}}, []batch{{question(2, 5, 1), question(1, 5, 1)}}},
		"another search":          {[]batch{{question(1, 5, 1)}}, []batch{{question(1, 5, 2)}}},
		"more games":              {[]batch{{question(1, 5, 1), question(2, 5, 1)}}, []batch{{question(1, 7, 1), question(2, 7, 1)}}},
		"fewer games":             {[]batch{{question(1, 5, 1), question(2, 5, 1)}}, []batch{{question(1, 3, 1), question(2, 3, 1)}}},
		"one question less":       {[]batch{{question(1, 5, 1), question(2, 5, 1)}}, []batch{{question(2, 5, 1)}}},
	} {
		t.Run(name, func(t *testing.T) {
			undisturbed, _ := open(t)
			want := sure(eval(undisturbed, 1000, test.then...))(t)
			for _, games := range []int{1, 4, 6} {
				s, _ := open(t)
				if _, err := eval(s, games, test.first...); err != nil && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				} else if err == nil {
					continue
				}
				got, err := eval(s, 1000, test.then...)
				if err != nil {
					t.Fatalf("interrupted after %d games: %v", games, err)
				}
				if bits(got) != bits(want) || find(t, s, "eval-eval").Fingerprint != find(t, undisturbed, "eval-eval").Fingerprint {
					t.Errorf("interrupted after %d games: got %+v, want %+v", games, got, want)
				}
			}
		})
	}
}
