package experiments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tune2048/configs"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments/fitness"
)

// machines are a landscape whose games end in an order drawn from a seed. They remember what they were asked for, and may stop.
type machines struct {
	landscape
	random  *portable.Source
	batches []simulator.Batch
	left    int // games until stop is called; below 1: never
	stop    func()
}

func (m *machines) Play(ctx context.Context, batch simulator.Batch, finished func(int, simulator.Outcome) error) ([]simulator.Outcome, error) {
	m.batches = append(m.batches, batch)
	means, streams := m.players(batch)
	outcomes := make([]simulator.Outcome, len(batch.Jobs))
	order := make([]int, len(batch.Jobs))
	for i := range order {
		k := int(m.random.Float64() * float64(i+1))
		order[i], order[k] = order[k], i
	}
	for _, i := range order {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		job := batch.Jobs[i]
		outcomes[i] = draw(portable.NewSource(streams[job.Player]^job.Seed), means[job.Player])
		if err := finished(i, outcomes[i]); err != nil {
			return nil, err
		}
		if m.left--; m.left == 0 {
			m.stop()
		}
	}
	return outcomes, nil
}

func threePopulations(t *testing.T) *configs.Config {
	c := synthetic(t, strings.Replace(whole, "restarts: 2", "restarts: 3", 1))
	c.Seed = 5
	return c
}

// TestPopulationsArePlayedAtOnce: each batch of the tuning has the games of one round of one generation of every population.
func TestPopulationsArePlayedAtOnce(t *testing.T) {
	c := threePopulations(t)
	m := &machines{landscape: hill(1.5, 0.7, 0.4, 0.6), random: portable.NewSource(1)}
	if _, err := (Experiment{Config: c, Simulator: m, Store: newMemory()}).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, stage := range c.Stages {
		first := 0 // game of the round
		for cycle := range stage.Generations {
			for round, games := range dealt(stage.Games, stage.Rounds) {
				if round == 0 {
					first = 0
				}
				batch, played := m.batches[0], map[int]int{} // games by generation
				m.batches = m.batches[1:]
				for _, job := range batch.Jobs {
					of := slices.IndexFunc([]int{0, 1, 2}, func(population int) bool {
						return slices.Contains(gameSeeds(c.Seed, PhaseTuning, stage.Name, 3*cycle+population, first, games), job.Seed)
					})
					played[of]++
				}
				if !slices.IsSortedFunc(batch.Jobs, func(a, b simulator.Job) int { return cmp.Compare(a.Player, b.Player) }) {
					t.Errorf("stage %s, generations from %d, round %d: a player's games are not together", stage.Name, 3*cycle, round)
				}
				if len(played) != 3 || played[0] < 2*games || played[1] < 2*games || played[2] < 2*games {
					t.Errorf("stage %s, generations from %d, round %d: %v games of the populations", stage.Name, 3*cycle, round, played)
				}
				first += games
			}
		}
	}
}

// TestResultsDoNotHangOnTheOrderOfGames, nor on interruptions amid the games of several populations: a run that is stopped after so
// many games, again and again, ends in what one finds that is left alone.
func TestResultsDoNotHangOnTheOrderOfGames(t *testing.T) {
	c := threePopulations(t)
	l := hill(1.5, 0.7, 0.4, 0.6)
	peace, err := carryOutSynthetic(c, c.Seed, l)
	if err != nil {
		t.Fatal(err)
	}
	every := []int{0, 1000, 400, 150, 97, 61, 47, 31, 29, 13}
	if testing.Short() {
		every = every[:5]
	}
	repeat(t, len(every), func(i int) error {
		store, played := newMemory(), 0
		for starts := 0; ; starts++ {
			ctx, cancel := context.WithCancel(context.Background())
			m := &machines{landscape: l, random: portable.NewSource(portable.Hash(uint64(i), starts)), left: every[i], stop: cancel}
			_, err := Experiment{Config: c, Simulator: m, Store: store}.Run(ctx)
			cancel()
			if played += every[i] - m.left; errors.Is(err, context.Canceled) {
				continue
			}
			if err != nil {
				return fmt.Errorf("every %d games: %w", every[i], err)
			}
			if !reflect.DeepEqual(store.candidates, peace.candidates) || !reflect.DeepEqual(store.evaluations, peace.evaluations) || !reflect.DeepEqual(store.finished, peace.finished) ||
				!reflect.DeepEqual(store.spreads, peace.spreads) || !slices.Equal(store.generations, peace.generations) || !slices.Equal(store.contrasts, peace.contrasts) {
				return fmt.Errorf("every %d games: the store has other content", every[i])
			}
			if played != peace.played() {
				return fmt.Errorf("every %d games: %d games were played, want %d: each once", every[i], played, peace.played())
			}
			return nil
		}
	})
}

// TestPopulationsShareTheGamesOfAStage: no generation begins that might take more of them, so the last ones may be fewer than there
// are populations; the next population in turn comes first then.
func TestPopulationsShareTheGamesOfAStage(t *testing.T) {
	c := synthetic(t, strings.NewReplacer("restarts: 2", "restarts: 3", "generations: 2, games: 6, rounds: 2", "generations: 20, games: 6, rounds: 3, max_games: 400").Replace(whole))
	s, store := stateOf(c, 5, hill(20, 0.7, 0.4, 0.6))
	if _, err := s.tune(context.Background()); err != nil {
		t.Fatal(err)
	}
	games, generations := 0, 0
	for _, b := range store.finished {
		if b.Stage == "explore" {
			games, generations = games+b.Games(), max(generations, b.Generation+1)
		}
	}
	if games > 400 || games <= 400-48 || generations < 9 {
		t.Errorf("%d games in %d generations of at most 48, want at most 400 and no room for another", games, generations)
	}
}

// TestStopIsAskedOnceForAllPopulations, and they end together, in a replay too.
func TestStopIsAskedOnceForAllPopulations(t *testing.T) {
	c, store := threePopulations(t), newMemory()
	var next []PlannedPart
	x := Experiment{Config: c, Simulator: hill(1.5, 0.7, 0.4, 0.6), Store: store, Stop: func(p PlannedPart) bool {
		next = append(next, p)
		return len(next) == 3
	}}
	if _, err := x.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if len(next) != 3 || next[0].Generations != 3 || next[0].AtOnce != 3 || next[0].Games != 3*48 || next[1].Stage != "refine" || store.run.StoppedAfter != 9 || len(store.generations) != 9 {
		t.Errorf("asked %+v, stopped after %d generations of %d", next, store.run.StoppedAfter, len(store.generations))
	}
	before := len(store.finished)
	if _, err := x.Run(context.Background()); err != nil || len(next) != 3 || len(store.finished) != before {
		t.Errorf("the replay asks %d times and plays %d blocks: %v", len(next)-3, len(store.finished)-before, err)
	}
}

// TestGenerationsAreCountedOnce: a candidate may be in generations of several populations, whose rounds alternate.
func TestGenerationsAreCountedOnce(t *testing.T) {
	all := newStandings(fitness.MeanScore)
	for round := range 3 {
		for generation := range 2 {
			place := Place{Phase: PhaseTuning, Generation: generation, Round: round, Candidate: StartNumber}
			all.add(summarize(all.objective, place, make([]simulator.Outcome, 4)))
		}
	}
	if s := all.of[StartNumber]; s.Generations != 2 || s.Evaluations != 6 || s.Score.N != 24 {
		t.Errorf("2 generations of 3 rounds of 4 games are %d, with %d evaluations and %d games", s.Generations, s.Evaluations, s.Score.N)
	}
}
