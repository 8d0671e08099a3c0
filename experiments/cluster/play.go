package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"tune2048/engine/simulator"
)

// play is a batch that is being played. The coordinator's mutex guards it.
type play struct {
	c        *Coordinator
	batch    simulator.Batch
	end      context.CancelCauseFunc
	finished func(job int, o simulator.Outcome) error // nil after its error
	keys     []string                                 // of the players
	jobs     map[gameID][]int                         // their indices
	dealer   *dealer
	outcomes []simulator.Outcome
	disputed map[int]bool // jobs that are replayed because of what workers reported
	began    time.Time
}

// gameID names a game: its player by the key, and its seed. Jobs of one id have the same outcome.
type gameID struct {
	key  string
	seed uint64
}

var errPlayed = errors.New("all games are played") // ends a batch that is complete

// Play plays the batch; see simulator.Pool.Play for the contract. Its error is a *Mismatch if a
// worker's outcome differs from its replay.
func (c *Coordinator) Play(ctx context.Context, batch simulator.Batch,
	finished func(job int, o simulator.Outcome) error) ([]simulator.Outcome, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	p := &play{
		c: c, batch: batch, end: end, finished: finished, jobs: map[gameID][]int{}, disputed: map[int]bool{},
		dealer: newDealer(&batch, c.pace), outcomes: make([]simulator.Outcome, len(batch.Jobs)),
		began: time.Now(),
	}
	for i := range batch.Players {
		p.keys = append(p.keys, gameOf(batch.Players[i], batch.Search))
	}
	for i := range batch.Jobs {
		id := p.id(i)
		p.jobs[id] = append(p.jobs[id], i)
	}
	if len(batch.Jobs) == 0 {
		end(errPlayed)
	}
	c.mutex.Lock()
	if c.failed != nil {
		end(c.failed)
	}
	c.play, c.begun = p, true
	c.mutex.Unlock()
	_ = c.announce(false)
	var cores sync.WaitGroup
	for _, pool := range c.pools {
		cores.Go(func() { p.playHere(ctx, pool) })
	}
	<-ctx.Done()
	cores.Wait()
	c.mutex.Lock()
	c.play = nil
	c.mutex.Unlock()
	if err := context.Cause(ctx); err != errPlayed {
		return nil, err
	}
	return p.outcomes, nil
}

// id returns the id of a job's game.
func (p *play) id(job int) gameID {
	game := p.batch.Jobs[job]
	return gameID{p.keys[game.Player], game.Seed}
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
	me := &member{here: true}
	for ctx.Err() == nil {
		p.c.mutex.Lock()
		p.c.forget()
		jobs := p.deal(me)
		p.c.mutex.Unlock()
		if len(jobs) == 0 {
			pause(ctx, tick)
			continue
		}
		_, err := pool.Play(ctx, p.only(jobs), func(i int, o simulator.Outcome) error {
			p.c.mutex.Lock()
			defer p.c.mutex.Unlock()
			p.take(jobs[i], o, nil)
			return nil
		})
		if err != nil {
			p.end(err)
		}
	}
}

// deal returns the jobs of the next block for a core, or none.
func (p *play) deal(to *member) []int {
	cores := max(1, len(p.c.pools)+int(p.c.cores.Load()))
	b := p.dealer.deal(to, cores, time.Now())
	if p.dealer.left == 0 { // there is no time for the rest
		p.end(errPlayed)
	}
	if b == nil {
		return nil
	}
	return p.dealer.open(b)
}

// only returns some jobs, in their order.
func (p *play) only(jobs []int) simulator.Batch {
	b, last := simulator.Batch{Search: p.batch.Search}, -1
	for _, index := range jobs {
		game := p.batch.Jobs[index]
		if game.Player != last {
			last = game.Player
			b.Players = append(b.Players, p.batch.Players[last])
		}
		game.Player = len(b.Players) - 1
		b.Jobs = append(b.Jobs, game)
	}
	return b
}

// take takes the outcome of a job from a worker, or from a core of this machine. The first one
// counts. If a second one differs, the replays find the wrong one.
func (p *play) take(job int, o simulator.Outcome, from *member) {
	if job >= p.dealer.end { // there was no time for it, and it may come from elsewhere
		return
	}
	if p.dealer.done[job] {
		if first := p.outcomes[job]; !alike(first, o) && p.tried(job, first) && p.tried(job, o) {
			p.dispute(job, first, o)
		}
		return
	}
	p.outcomes[job] = o
	p.dealer.finished(job, o.Duration)
	if from != nil {
		if p.tried(job, o) && (!from.played || o.Failed != "" || p.id(job).sampled()) {
			p.recheck(job, o)
		}
		from.played = true
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

// asked answers a request of a job, with an empty message if there is none.
func (c *Coordinator) asked(_ result, from *member, answer string) {
	if !from.able {
		return
	}
	var text []byte
	if c.play != nil {
		if jobs := c.play.deal(from); len(jobs) > 0 {
			text = c.play.message(jobs)
		}
	}
	if err := c.nats.Publish(answer, text); errors.Is(err, nats.ErrMaxPayload) {
		c.play.end(fmt.Errorf("a message of this run has %d bytes, and the NATS server takes %d at most: its operator "+
			"changes max_payload",
			len(text), c.nats.MaxPayload()))
	}
}

// message returns jobs as a message.
func (p *play) message(jobs []int) []byte {
	b := p.only(jobs)
	j := job{Search: b.Search.String(), Form: b.Players[0].Form.Text, Games: b.Jobs}
	for _, player := range b.Players {
		j.Values = append(j.Values, player.Values)
	}
	return encode(j)
}

// take takes a result, of whatever job: its games serve all jobs of the same player and seed. The
// worker keeps the result until it has the answer.
func (c *Coordinator) take(r result, from *member, answer string) {
	if !c.begun {
		return
	}
	defer c.nats.Publish(answer, nil)
	if r.Error != "" && from.able { // it gets no more, and others get its blocks
		c.Warn(fmt.Sprintf("worker %s cannot play a game of this run, and gets no more: %.200q (update it, or stop it)",
			from.name, r.Error))
		from.able = false
	}
	p := c.play
	if p == nil {
		return
	}
	c.taken += int64(len(r.Games))
	for _, game := range r.Games {
		for _, job := range p.jobs[gameID{game.Key, game.Seed}] {
			if o, fits := p.outcome(job, game, from); fits {
				p.take(job, o, from)
			} else {
				p.dispute(job, o)
			}
		}
	}
}
