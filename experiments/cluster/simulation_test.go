package cluster

import (
	"testing"
	"time"
)

// alike are games of one length.
func alike(game time.Duration) []time.Duration { return []time.Duration{game, game} }

// TestSimulationIsArithmetic where a sheet of paper is enough.
func TestSimulationIsArithmetic(t *testing.T) {
	const game = 2 * time.Second // longer than a block should take: each game is a block
	for name, c := range map[string]struct {
		Simulation
		took, ideal time.Duration
	}{
		"one core":            {Simulation{Cores: 1, Restarts: 1, Population: 5, Games: 6, Rounds: 1}, 30 * game, 30 * game},
		"shared equally":      {Simulation{Cores: 10, Restarts: 2, Population: 5, Games: 6, Rounds: 1}, 6 * game, 6 * game},
		"barrier":             {Simulation{Cores: 9, Restarts: 1, Population: 10, Games: 1, Rounds: 1}, 2 * game, game * 10 / 9},
		"barrier of rounds":   {Simulation{Cores: 10, Restarts: 1, Population: 5, Games: 3, Rounds: 3}, 3 * game, game * 15 / 10},
		"rounds side by side": {Simulation{Cores: 10, Restarts: 2, Population: 5, Games: 3, Rounds: 3}, 3 * game, 3 * game},
		"too few games":       {Simulation{Cores: 100, Restarts: 1, Population: 10, Games: 1, Rounds: 1}, game, game / 10},
		// A fast core plays two games while the slow one plays its first.
		"slow cores": {Simulation{Cores: 2, Slow: 0.5, Slower: 2, Restarts: 1, Population: 1, Games: 3, Rounds: 1}, 2 * game, 2 * game},
		// A message to the core and one back; the core asks for the next meanwhile.
		"latency": {Simulation{Cores: 1, Restarts: 1, Population: 1, Games: 3, Rounds: 1, Costs: Costs{Latency: 10 * time.Millisecond}},
			3*game + 7*10*time.Millisecond, 3 * game},
		// Of what the coordinator does only the first half block, and after the last game the rest, is not done while games are played.
		"coordinator": {Simulation{Cores: 1, Restarts: 1, Population: 2, Games: 2, Rounds: 1,
			Costs: Costs{Block: 10 * time.Millisecond, Game: 3 * time.Millisecond, Candidate: 2 * time.Millisecond}},
			4*game + 5*time.Millisecond + 8*time.Millisecond + 4*time.Millisecond, 4 * game},
		"tables": {Simulation{Cores: 1, Restarts: 1, Population: 2, Games: 2, Rounds: 1, Costs: Costs{Tables: time.Millisecond}}, 4*game + 4*time.Millisecond, 4 * game},
	} {
		c.Times = alike(game)
		if got := c.Run(3); got.Took != c.took || got.Ideal != c.ideal || got.Repeated != 0 {
			t.Errorf("%s: a generation takes %v of %v at best, with %v blocks twice; want %v of %v", name, got.Took, got.Ideal, got.Repeated, c.took, c.ideal)
		}
	}
}

// TestSimulationIsAFunction of its fields, the seed among them.
func TestSimulationIsAFunction(t *testing.T) {
	s := Simulation{Cores: 30, Slow: 0.2, Slower: 3, Restarts: 2, Population: 20, Games: 8, Rounds: 2, Times: []time.Duration{time.Millisecond, time.Second, 4 * time.Second},
		Costs: Costs{Block: time.Millisecond, Game: time.Microsecond, Candidate: time.Millisecond, Messages: 900, Latency: time.Millisecond, Tables: time.Millisecond}, Seed: 1}
	first := s.Run(3)
	if again := s.Run(3); again != first {
		t.Errorf("%+v, then %+v", first, again)
	}
	s.Seed++
	if other := s.Run(3); other == first {
		t.Error("another seed draws the same games")
	}
	if e := first.Efficiency(); e <= 0.2 || e >= 1 {
		t.Errorf("%.2f of the time is spent in games", e)
	}
}
