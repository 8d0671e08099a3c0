package experiments

import (
	"context"
	"fmt"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
	"tune2048/experiments/stats"
)

// Repeat asks the questions of a comparison's run again, by the answers that were made, and then
// for as many games of each player at each search as are given. The store answers.
func (x Contest) Repeat(ctx context.Context, games map[Place]int, made []Comparison) (err error) {
	s, err := x.begin(ctx)
	if err != nil {
		return err
	}
	defer func() { err = finish(ctx, x.Store, s.run.ID, err) }()
	answers := map[int]Comparison{}
	for _, c := range made {
		answers[c.Look] = c
	}
	for _, ask := range sortedKeys(answers) {
		again := *s // its standings begin anew
		again.all = map[Place]*Standings{}
		x, err := x.asked(answers[ask])
		if err != nil {
			return err
		}
		if err := x.answer(ctx, &again, ask); err != nil {
			return err
		}
	}
	for _, search := range x.Config.Searches { // also of a question that was not answered
		for number := range x.Config.Players {
			place := Place{Search: search.String(), Candidate: number}
			if n := games[place]; n > x.limit() {
				return fmt.Errorf("player %d has %d games at %s: a player has %d at most", number, n, search, x.limit())
			}
			if _, err := s.play(ctx, x.block(place.Search, []int{number}, 0, games[place])); err != nil {
				return err
			}
		}
	}
	return nil
}

// asked returns the contest that asked a question, by one of its answers. tune compare lets a user
// choose the difference or the games, nothing else.
func (x Contest) asked(answer Comparison) (Contest, error) {
	x.Plan, x.Games = stats.DefaultPlan(), 0
	x.Plan.Difference = answer.Smallest
	if x.label() != answer.Question {
		fmt.Sscanf(answer.Question, "%d games", &x.Games)
	}
	if x.Plan.Validate() != nil || x.label() != answer.Question {
		return x, fmt.Errorf("question %d is %.100q about a difference of %v, which nobody asks",
			answer.Look, answer.Question, answer.Smallest)
	}
	return x, nil
}

// Players returns the players of a run's config: of an experiment, or else of a comparison.
func Players(c *config.Config, contest *config.Contest) (list []*eval.Heuristic) {
	if c != nil {
		return []*eval.Heuristic{&c.Heuristic}
	}
	for i := range contest.Players {
		list = append(list, &contest.Players[i].Heuristic)
	}
	return list
}

// heldOutChunk is how many held-out games are asked for at once.
const heldOutChunk = 5000

// PlayHeldOut plays the first held-out games of a run again with a player, by the run's config and
// its salt, and returns their sum. observe gets the number of games played. It may be nil.
func PlayHeldOut(ctx context.Context, c *config.Config, salt string, play Simulator, player eval.Player,
	search engine.Settings, games int, observe func(played int)) (*Standing, error) {
	played := 0
	lab := Lab{Simulator: play, Objective: c.Objective, Played: func(context.Context, Game) error {
		played++
		if observe != nil {
			observe(played)
		}
		return nil
	}}
	s, stream := new(Standing), Stream{Seed: c.Seed, Phase: PhaseValidation, Salt: salt}
	for first := 0; first < games; first += heldOutChunk {
		found, err := lab.Ask(ctx, []Question{NewQuestion(player, search, stream, first, min(heldOutChunk, games-first))},
			nil)
		if err != nil {
			return nil, err
		}
		if found[0].Failure != "" {
			return nil, simulator.Failure(player, found[0].Failure)
		}
		s.add(c.Objective, found[0])
	}
	return s, nil
}
