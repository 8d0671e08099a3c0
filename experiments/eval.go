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
	Weights  eval.Vector // of all weights of the config's family
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

// Evaluate plays questions together. All candidates of an instance play the same seeds, so the same
// question has the same answer, whatever it is asked with. Nothing is remembered. The error is
// ctx's.
func Evaluate(ctx context.Context, c *config.Config, play Simulator, questions ...Question) ([]Answer, error) {
	answers := make([]Answer, len(questions))
	batch := simulator.Batch{Rules: c.Rules}
	for i, q := range questions {
		if q.Games < 1 || q.Games > MaxQuestion {
			answers[i].Err = fmt.Errorf("games: want 1 to %d, got %d", MaxQuestion, q.Games)
			continue
		}
		for _, seed := range gameSeeds(c.Seed, PhaseEval, "", q.Instance, 0, q.Games) {
			batch.Jobs = append(batch.Jobs, simulator.Job{Player: len(batch.Players), Seed: seed})
		}
		batch.Players = append(batch.Players, simulator.Player{Family: &c.Family, Values: unsigned(q.Weights),
			Dead: c.Family.Dead, Settings: q.Search})
	}
	if len(batch.Players) == 0 {
		return answers, nil
	}
	outcomes, err := play.Play(ctx, batch, func(int, simulator.Outcome) error { return nil })
	if err != nil { // weights that cannot be played never come here
		return nil, cmp.Or(ctx.Err(), err)
	}
	at := -1 // in the batch
	for i, q := range questions {
		if answers[i].Err == nil {
			at++
			games := outcomes[:q.Games]
			outcomes = outcomes[q.Games:]
			e := summarize(Place{}, "", games)
			if e.Failure != "" {
				answers[i].Err = simulator.Failure(batch.Players[at], e.Failure)
				continue
			}
			for _, o := range games {
				answers[i].Err = cmp.Or(answers[i].Err, c.Objective.Check(o))
			}
			if answers[i].Err == nil {
				answers[i].Sample = c.Objective.Sample(e.Scores, e.Ranks)
			}
		}
	}
	return answers, nil
}
