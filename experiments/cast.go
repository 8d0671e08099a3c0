package experiments

import (
	"fmt"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/simulator"
)

// Cast is who plays in a run, and by which rules: what its stored config says to play its games again.
type Cast struct {
	Rules     engine.Rules
	objective configs.Objective
	family    func(Candidate) (*heuristic.Family, error)
	seeds     func(e Evaluation, before int) []uint64 // before: games that earlier rounds dealt
}

// TuneCast is that of an experiment.
func TuneCast(c *configs.Config) Cast {
	return Cast{
		Rules: c.Rules, objective: c.Objective,
		family: func(Candidate) (*heuristic.Family, error) { return &c.Family, nil },
		seeds: func(e Evaluation, before int) []uint64 {
			return gameSeeds(c.Seed, e.Phase, e.Stage, e.Generation, before, int(e.games()))
		},
	}
}

// CompareCast is that of a comparison.
func CompareCast(c *configs.Comparison) Cast {
	return Cast{
		Rules: c.Rules, objective: configs.Objective{Kind: configs.MeanScore},
		family: func(who Candidate) (*heuristic.Family, error) {
			if who.Number < 0 || who.Number >= len(c.Players) {
				return nil, fmt.Errorf("the comparison has %d players", len(c.Players))
			}
			return &c.Players[who.Number].Family, nil
		},
		seeds: func(e Evaluation, _ int) []uint64 { // as match.block numbers its rounds
			first := e.Round / max(1, len(c.Players)) * comparisonBatch
			return gameSeeds(c.Seed, e.Phase, "", 0, first, int(e.games()))
		},
	}
}

// Player returns a stored candidate as a player at the settings that the text names.
func (c Cast) Player(candidate Candidate, search string) (simulator.Player, error) {
	fail := func(err error) (simulator.Player, error) {
		return simulator.Player{}, fmt.Errorf("candidate %d at %s: %w", candidate.Number, search, err)
	}
	settings, err := engine.ParseSettings(search)
	if err != nil {
		return fail(err)
	}
	family, err := c.family(candidate)
	if err != nil {
		return fail(err)
	}
	values, weights := family.Start(), family.Weights()
	for _, w := range candidate.Weights {
		i := 0
		for i < len(weights) && weights[i].Name != w.Name {
			i++
		}
		if i == len(weights) {
			return fail(fmt.Errorf("its heuristic has no weight %s", w.Name))
		}
		values[i] = w.Value
	}
	return simulator.Player{Family: family, Values: values, Dead: candidate.Dead, Settings: settings}, nil
}
