package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"tune2048/engine/simulator"
)

// play is a batch that is being played.
type play struct {
	c       *Coordinator
	batch   simulator.Batch
	end     context.CancelCauseFunc
	keys    []string              // of the players
	players map[string][]int      // by key
	jobs    map[simulator.Job]int // their indices

	mutex    sync.Mutex // guards the rest; held while finished is called, and before the coordinator's
	finished func(job int, o simulator.Outcome) error
	dealer   *dealer
	outcomes []simulator.Outcome
}

// tick is how often a core without work, and whoever waits for replays, looks again.
const tick = 50 * time.Millisecond

// window is how many blocks each core of a worker has, in its hands and waiting in the queue. The
// queue never holds much more, so that runs that share workers get equal shares of them.
const window = 2

// errPlayed ends a batch that is complete.
var errPlayed = errors.New("all games are played")

// Play plays the batch; see simulator.Pool.Play for the contract. Its error is a *Mismatch if a
// worker's outcome differs from its replay.
func (c *Coordinator) Play(ctx context.Context, batch simulator.Batch, finished func(job int, o simulator.Outcome) error) ([]simulator.Outcome, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	p := &play{
		c: c, batch: batch, end: end, players: map[string][]int{}, jobs: map[simulator.Job]int{},
		finished: finished, dealer: newDealer(&batch, c.pace), outcomes: make([]simulator.Outcome, len(batch.Jobs)),
	}
	for i := range batch.Players {
		key := playerKey(batch.Rules, &batch.Players[i])
		p.keys = append(p.keys, key)
		p.players[key] = append(p.players[key], i)
	}
	for i, job := range batch.Jobs {
		p.jobs[job] = i
	}
	if len(batch.Jobs) == 0 {
		end(errPlayed)
	}
	c.mutex.Lock()
	if c.failed != nil {
		end(c.failed)
	}
	c.play = p
	c.mutex.Unlock()
	c.first.Do(func() { c.threads.Go(c.readResults) })

	var cores sync.WaitGroup
	for _, pool := range c.pools {
		cores.Go(func() { p.playHere(ctx, pool) })
	}
	for again := true; again; again = pause(ctx, tick) {
		p.mutex.Lock()
		p.dealer.look(time.Now(), false)
		p.fill()
		p.mutex.Unlock()
	}
	cores.Wait()

	c.mutex.Lock()
	c.play = nil
	c.mutex.Unlock()
	p.mutex.Lock() // waits for a result that came just now
	p.finished = nil
	superfluous := p.dealer.repeated
	p.mutex.Unlock()
	if superfluous {
		c.purge(jobsStream, c.jobsSubject())
	}
	if err := context.Cause(ctx); err != errPlayed {
		return nil, err
	}
	return p.outcomes, nil
}

// pause waits. It returns false as soon as ctx is done.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
	return ctx.Err() == nil
}

// playHere plays blocks on one core of this machine.
func (p *play) playHere(ctx context.Context, pool *simulator.Pool) {
	for ctx.Err() == nil {
		p.mutex.Lock()
		jobs := p.dealer.deal(len(p.c.pools)+p.c.workerCores(), false, time.Now())
		p.mutex.Unlock()
		if len(jobs) == 0 {
			pause(ctx, tick)
			continue
		}
		_, err := pool.Play(ctx, p.only(jobs...), func(i int, o simulator.Outcome) error {
			p.mutex.Lock()
			defer p.mutex.Unlock()
			p.played(jobs[i], o)
			return nil
		})
		if err != nil {
			p.end(err)
		}
	}
}

// only returns the batch of some jobs, in their order.
func (p *play) only(jobs ...int) simulator.Batch {
	b := simulator.Batch{Rules: p.batch.Rules}
	last := -1
	for _, j := range jobs {
		job := p.batch.Jobs[j]
		if job.Player != last {
			last = job.Player
			b.Players = append(b.Players, p.batch.Players[last])
		}
		b.Jobs = append(b.Jobs, simulator.Job{Player: len(b.Players) - 1, Seed: job.Seed})
	}
	return b
}

// played takes the outcome of a job. The first one counts. If a second one differs, the replays
// find the wrong one. Its caller holds the mutex.
func (p *play) played(job int, o simulator.Outcome) {
	if p.dealer.done[job] {
		if first := p.outcomes[job]; first.Result != o.Result {
			p.replay(job, first)
			p.replay(job, o)
		}
		return
	}
	p.outcomes[job] = o
	p.dealer.played(job, o.Duration)
	if game := p.batch.Jobs[job]; o.Worker != "" && (p.c.count(o.Worker) == 1 || sampled(p.keys[game.Player], game.Seed)) {
		p.replay(job, o)
	}
	if p.finished != nil {
		if err := p.finished(job, o); err != nil {
			p.finished = nil
			p.end(err)
		}
	}
	if p.dealer.left == 0 {
		p.end(errPlayed)
	}
}

// fill publishes blocks until the workers have enough. A block whose message does not arrive is
// dealt again. Its caller holds the mutex.
func (p *play) fill() {
	for workers := p.c.workerCores(); p.dealer.queued < window*workers; {
		jobs := p.dealer.deal(len(p.c.pools)+workers, true, time.Now())
		if len(jobs) == 0 {
			return
		}
		_ = p.c.nats.Publish(p.c.jobsSubject(), encode(p.message(jobs)))
	}
}

// message returns the jobs as a message.
func (p *play) message(jobs []int) job {
	b := p.only(jobs...)
	j := job{Run: p.c.run, Four: b.Rules.FourProbability, Family: *b.Players[0].Family}
	for i, game := range b.Jobs {
		if game.Player == len(j.Players) { // its first game
			who, key := &b.Players[game.Player], p.keys[p.batch.Jobs[jobs[i]].Player]
			j.Players = append(j.Players, jobPlayer{Key: key, Search: who.Settings.String(), Dead: who.Dead, Values: who.Values})
		}
		player := &j.Players[game.Player]
		player.Seeds = append(player.Seeds, game.Seed)
	}
	return j
}

// take takes a result, of whatever job: its games serve all jobs of the same player and seed.
func (c *Coordinator) take(text []byte) {
	r, err := decode[result](text)
	if err = cmp.Or(err, r.check()); err != nil {
		c.drop(err)
		return
	}
	c.mutex.Lock()
	p := c.play
	c.member(r.Worker)
	c.mutex.Unlock()
	switch {
	case p == nil:
		return
	case r.Error != "":
		p.end(fmt.Errorf("worker %s cannot play a game of this run: %s (start that worker with this version of the program, or stop it)",
			r.Worker, r.Error))
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, game := range r.Games {
		game.Worker = r.Worker
		for _, player := range p.players[game.Key] {
			if job, asked := p.jobs[simulator.Job{Player: player, Seed: game.Seed}]; asked {
				p.played(job, game.Outcome)
			}
		}
	}
	p.fill()
}
