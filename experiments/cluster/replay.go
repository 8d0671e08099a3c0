package cluster

import (
	"context"
	"fmt"
	"time"

	"tune2048/engine"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
)

// Workers are people's machines, and memory fails. So the coordinator plays a sample of the
// workers' games too: the first game of each worker, and one in replayEvery of the rest. It does
// so beside the run, on one core of its own. An outcome that differs ends the run.

// replayEvery is a compromise: one core keeps up with 500 cores that are as fast, and a worker
// that is always wrong is found by its first game.
const replayEvery = 500

// sampled reports whether a game belongs to the sample. This depends on the game alone, so that the
// same games are replayed whoever plays them.
func (g gameID) sampled() bool { return portable.Hash(g.seed, "replay", g.key)%replayEvery == 0 }

// Mismatch is the error of a run when the replay of a worker's game has another outcome.
type Mismatch struct {
	Worker             string
	Seed               uint64
	Search             string
	Reported, Replayed simulator.Outcome
}

// Error implements error.
func (m *Mismatch) Error() string {
	text := fmt.Sprintf("worker %s reported another outcome than this machine finds for the game with seed %d at %s: "+
		"reported %s, found %s",
		m.Worker, m.Seed, m.Search, resultText(m.Reported), resultText(m.Replayed))
	if m.Search == (engine.Settings{Bot: true}).String() {
		text += "; it may have another program, and a bot that does not repeat itself can be tuned on one machine alone"
	}
	return text
}

// resultText lists all that two results may differ in.
func resultText(r simulator.Outcome) string {
	if r.Failed != "" {
		return fmt.Sprintf("that it cannot be played: %.300s", r.Failed)
	}
	text := fmt.Sprintf("%v points, %d moves, %d nodes, last board %v", r.Score, r.Moves, r.Nodes, r.Final)
	if r.Capped {
		text += ", capped"
	}
	return text
}

// recheck is a game with the outcome that a worker reported.
type recheck struct {
	simulator.Batch // of this game alone
	reported        simulator.Outcome
}

// recheck has a worker's outcome replayed. Its caller holds the mutex.
func (p *play) recheck(job int, reported simulator.Outcome) {
	if reported.Worker != "" {
		p.c.rechecks = append(p.c.rechecks, recheck{p.only([]int{job}), reported})
	}
}

// dispute has outcomes of a job replayed, one of which is wrong. That is found by the first ones,
// so later ones are not kept.
func (p *play) dispute(job int, reported ...simulator.Outcome) {
	if p.disputed[job] {
		return
	}
	p.disputed[job] = true
	for _, o := range reported {
		o.Failed = fmt.Sprintf("%.300s", o.Failed) // a copy
		p.recheck(job, o)
	}
}

// alike reports whether two outcomes are of the same game.
func alike(a, b simulator.Outcome) bool {
	return a.Result == b.Result && (a.Failed == "") == (b.Failed == "")
}

// recheckAll replays the games that wait, one after the other, until the coordinator is closed or a
// game differs.
func (c *Coordinator) recheckAll() {
	pool := simulator.NewPool(1)
	defer pool.Close()
	for c.failed == nil && c.life.Err() == nil { // nobody else writes it
		c.mutex.Lock()
		waiting := c.rechecks
		c.mutex.Unlock()
		if len(waiting) == 0 {
			pause(c.life, tick)
			continue
		}
		game := waiting[0]
		outcomes, err := pool.Play(c.life, game.Batch, nil)
		if c.life.Err() != nil {
			return
		}
		if told := game.reported; err == nil && !alike(told, outcomes[0]) {
			err = &Mismatch{told.Worker, game.Jobs[0].Seed, game.Search.String(), told, outcomes[0]}
		}
		c.mutex.Lock()
		c.rechecks, c.failed = c.rechecks[1:], err
		if err != nil && c.play != nil {
			c.play.end(err)
		}
		c.mutex.Unlock()
	}
}

// Settle waits until all replays have passed. Its error is a *Mismatch if one differs.
func (c *Coordinator) Settle(ctx context.Context) error {
	defer time.AfterFunc(2*time.Second, func() { c.Warn("waiting for replays of the workers' games") }).Stop()
	for {
		c.mutex.Lock()
		failed, left := c.failed, len(c.rechecks)
		c.mutex.Unlock()
		if failed != nil || left == 0 {
			return failed
		}
		if !pause(ctx, tick) {
			return ctx.Err()
		}
	}
}
