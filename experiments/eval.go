package experiments

import (
	"cmp"
	"context"
	"fmt"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
)

// Question asks for an evaluation of a candidate, for the optimizer of another program.
type Question struct {
	Weights  eval.Vector // of all weights of the config's heuristic
	Games    int         // 1 to MaxQuestion
	Search   engine.Settings
	Instance int // at least 0; each instance has other games
}

// MaxQuestion is the most games of a question.
const MaxQuestion = 10_000

// Answer is the result of a question's games, or the reason why they cannot be played.
type Answer struct {
	fitness.Sample
	Err error
}

// Evaluate plays questions together, those at one search at once. All candidates of an instance
// play the same seeds, so the same question has the same answer, whatever it is asked with. Nothing
// is remembered. The error is ctx's.
func Evaluate(ctx context.Context, c *config.Config, play Simulator, questions ...Question) ([]Answer, error) {
	answers, form := make([]Answer, len(questions)), c.Form()
	left := map[string][]int{} // questions, by search
	var searches []string
	for i, q := range questions {
		if q.Games < 1 || q.Games > MaxQuestion {
			answers[i].Err = fmt.Errorf("games: want 1 to %d, got %d", MaxQuestion, q.Games)
			continue
		}
		search := q.Search.String()
		if left[search] == nil {
			searches = append(searches, search)
		}
		left[search] = append(left[search], i)
	}
	for _, search := range searches {
		batch := simulator.Batch{Search: questions[left[search][0]].Search}
		for _, i := range left[search] {
			q := questions[i]
			for _, seed := range gameSeeds(c.Seed, PhaseEval, "", q.Instance, 0, q.Games) {
				batch.Jobs = append(batch.Jobs, simulator.Job{Player: len(batch.Players), Seed: seed})
			}
			batch.Players = append(batch.Players, form.Player(unsigned(q.Weights)))
		}
		outcomes, err := play.Play(ctx, batch, func(int, simulator.Outcome) error { return nil })
		if err != nil { // weights that cannot be played never come here
			return nil, cmp.Or(ctx.Err(), err)
		}
		for at, i := range left[search] {
			games := outcomes[:questions[i].Games]
			outcomes = outcomes[len(games):]
			answers[i] = answer(c.Objective, batch.Players[at], games)
		}
	}
	return answers, nil
}

// answer evaluates the games of a question.
func answer(objective fitness.Objective, player eval.Player, games []simulator.Outcome) (a Answer) {
	e := summarize(Place{}, "", games)
	if e.Failure != "" {
		a.Err = simulator.Failure(player, e.Failure)
		return a
	}
	for _, o := range games {
		a.Err = cmp.Or(a.Err, objective.Check(o))
	}
	if a.Err == nil {
		a.Sample = objective.Sample(e.Scores, e.Ranks)
	}
	return a
}
