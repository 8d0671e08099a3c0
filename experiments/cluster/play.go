package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
)

// play is a batch that is being played.
type play struct {
	c     *Coordinator
	batch simulator.Batch
	end   context.CancelCauseFunc
	keys  []string         // of the players
	jobs  map[gameID][]int // their indices

	mutex    sync.Mutex // guards the rest; held while finished is called, and before the coordinator's
	finished func(job int, o simulator.Outcome) error
	dealer   *dealer
	outcomes []simulator.Outcome
}

const (
	tick    = 50 * time.Millisecond // a core without work, and whoever waits for replays, tries again
	window  = 2                     // blocks of each core of a worker: in its hands and in the queue
	holdFor = time.Second           // a request waits for a job
	replyIn = 3 * time.Second       // for an answer, and until a worker names the block that it got
)

// gameID names a game: its player by the key, and its seed. Jobs of one id have the same outcome.
type gameID struct {
	key  string
	seed uint64
}

type ask struct {
	*nats.Msg
	from  *member
	until time.Time
}

var errPlayed = errors.New("all games are played") // ends a batch that is complete

// Play plays the batch; see simulator.Pool.Play for the contract. Its error is a *Mismatch if a
// worker's outcome differs from its replay.
func (c *Coordinator) Play(ctx context.Context, batch simulator.Batch, finished func(job int, o simulator.Outcome) error) ([]simulator.Outcome, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	p := &play{
		c: c, batch: batch, end: end, jobs: map[gameID][]int{},
		finished: finished, dealer: newDealer(&batch, c.pace), outcomes: make([]simulator.Outcome, len(batch.Jobs)),
	}
	for i := range batch.Players {
		p.keys = append(p.keys, playerKey(batch.Rules, &batch.Players[i]))
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
	c.play = p
	c.mutex.Unlock()
	c.first.Do(func() {
		if err := c.subscribe(playedPrefix+c.run+".*.*", c.take); err != nil {
			end(err)
		}
	})

	var cores sync.WaitGroup
	for _, pool := range c.pools {
		cores.Go(func() { p.playHere(ctx, pool) })
	}
	for again := true; again; again = pause(ctx, tick) {
		p.mutex.Lock()
		c.mutex.Lock()
		p.dealer.findLost(time.Now(), (*block).gone)
		c.mutex.Unlock()
		p.fill()
		p.mutex.Unlock()
		c.tidy()
	}
	cores.Wait()

	c.mutex.Lock()
	c.play, c.queue = nil, nil
	c.mutex.Unlock()
	p.mutex.Lock() // waits for a result that came just now
	p.finished = nil
	p.mutex.Unlock()
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
	for ctx.Err() == nil {
		p.mutex.Lock()
		_, jobs := p.dealer.deal(len(p.c.pools)+p.workerCores(), false, time.Now())
		p.mutex.Unlock()
		if len(jobs) == 0 {
			pause(ctx, tick)
			continue
		}
		_, err := pool.Play(ctx, p.only(jobs...), func(i int, o simulator.Outcome) error {
			p.mutex.Lock()
			defer p.mutex.Unlock()
			p.played(jobs[i], o, nil)
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
		b.Jobs = append(b.Jobs, simulator.Job{Player: len(b.Players) - 1, Seed: job.Seed, Twice: job.Twice})
	}
	return b
}

// played takes the outcome of a job from a worker, or from a core of this machine. The first one
// counts. If a second one differs, the replays find the wrong one. Its caller holds the mutex.
func (p *play) played(job int, o simulator.Outcome, from *member) {
	if from != nil {
		o = simulator.Outcome{Result: o.Result, Failed: o.Failed, Duration: max(0, min(o.Duration, p.dealer.longest(job, time.Now()))), Worker: from.name}
	}
	if p.dealer.done[job] {
		first := p.outcomes[job]
		if alike := first.Result == o.Result && (first.Failed == "") == (o.Failed == ""); !alike && p.tried(job, first) && p.tried(job, o) {
			p.replay(job, first)
			p.replay(job, o)
		}
		return
	}
	p.outcomes[job] = o
	p.dealer.played(job, o.Duration)
	if from != nil {
		p.c.mutex.Lock()
		first := !from.played
		from.played = true
		p.c.mutex.Unlock()
		if p.tried(job, o) && (first || o.Failed != "" || p.id(job).sampled()) {
			p.replay(job, o)
		}
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

// fill queues blocks until the workers have enough. Its caller holds the mutex.
func (p *play) fill() {
	for workers := p.workerCores(); p.dealer.queued < window*workers; {
		b, jobs := p.dealer.deal(len(p.c.pools)+workers, true, time.Now())
		if b == nil {
			return
		}
		b.text = encode(p.message(b, jobs))
		p.c.mutex.Lock()
		b.holder = nil
		p.c.queue = append(p.c.queue, b)
		p.c.handOut()
		p.c.mutex.Unlock()
	}
}

// asked takes a request of a job. A worker has at most one for each of its cores.
func (c *Coordinator) asked(message *nats.Msg) {
	r, from := c.heard(message)
	if from == nil {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	before := len(slices.DeleteFunc(slices.Clone(c.asks), func(a ask) bool { return a.from != from }))
	switch until := time.Now(); {
	case from.refused || from.signature != simulator.Signature || before >= from.cores:
	case !r.Wait && c.play == nil:
		_ = message.Respond(nil)
	default:
		if r.Wait {
			until = until.Add(holdFor)
		}
		c.asks = append(c.asks, ask{message, from, until})
		c.handOut()
	}
}

// handOut answers asks with blocks. A job that does not arrive is soon dealt again. Its caller
// holds the coordinator's mutex.
func (c *Coordinator) handOut() {
	for len(c.queue) > 0 {
		at := slices.IndexFunc(c.asks, func(a ask) bool { return !a.from.owes })
		if at < 0 {
			return
		}
		a, b := c.asks[at], c.queue[0]
		c.asks, c.queue = slices.Delete(c.asks, at, at+1), c.queue[1:]
		b.holder, b.given = a.from, time.Now()
		_ = a.Respond(b.text)
	}
}

// workerCores returns how many cores of workers ask for a job or have one. A worker's own word is
// not enough: many cores make small blocks. Its caller holds the mutex.
func (p *play) workerCores() (n int) {
	p.c.mutex.Lock()
	defer p.c.mutex.Unlock()
	for _, b := range p.dealer.out {
		if b.queued && b.holder != nil {
			n++
		}
	}
	return n + len(p.c.asks)
}

// message returns a block's jobs as a message.
func (p *play) message(of *block, jobs []int) job {
	b := p.only(jobs...)
	j := job{Block: of.first, Four: b.Rules.FourProbability, Family: *b.Players[0].Family}
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

// take takes a result, of whatever job: its games serve all jobs of the same player and seed. The
// worker keeps the result until it has the answer.
func (c *Coordinator) take(message *nats.Msg) {
	r, from := c.heard(message)
	if from == nil {
		return
	}
	defer message.Respond(nil)
	c.mutex.Lock()
	if from.owes && r.Block == from.owed {
		from.owes = false
	}
	p := c.play
	c.mutex.Unlock()
	if p == nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if r.Error != "" && r.Block >= 0 && r.Block < len(p.outcomes) && p.holds(from, r.Block) {
		p.refused(r, from)
	}
	failed := map[string]bool{} // players, in this block
	for _, game := range r.Games {
		jobs := p.jobs[gameID{game.Key, game.Seed}]
		err := game.Result.Check()
		if game.Failed != "" {
			if err = nil; game.Result != (engine.Result{}) || len(game.Failed) > mostFault || !failed[game.Key] && !ownFault(game.Failed, game.Seed) {
				err = fmt.Errorf("no game with seed %d fails so: %.100q", game.Seed, game.Failed)
			}
			failed[game.Key] = true
		}
		if len(jobs) > 0 && ownGames(p.batch.Players[p.batch.Jobs[jobs[0]].Player].Family) {
			err = nil // replays check it
		}
		if err != nil {
			c.complain(fmt.Sprintf("dropped a game of worker %s: %v", from.name, err))
		}
		for _, job := range jobs {
			if err == nil {
				p.played(job, game.Outcome, from)
			} else if p.holds(from, job) { // the replay shows that the machine is faulty
				p.replay(job, simulator.Outcome{Result: game.Result, Worker: from.name})
			}
		}
	}
	p.fill()
}

// mostFault bounds the text of a fault, with the end of a bot's stderr.
const mostFault = 16 << 10

// ownFault reports whether a bot's fault is of the game of a seed. Games that follow a game that
// failed have its fault, and are not tried.
func ownFault(fault string, seed uint64) bool {
	return bot.Refused(fault) || bot.Recorded(nil, nil, fault).Seed == seed
}

// tried reports whether somebody played a game, or tried to.
func (p *play) tried(job int, o simulator.Outcome) bool {
	return o.Failed == "" || ownFault(o.Failed, p.batch.Jobs[job].Seed)
}

// ownGames reports whether a player is a bot that plays games by itself: any score is possible.
func ownGames(family *eval.Heuristic) bool {
	return family != nil && family.Bot != nil && family.Bot.Answers != bot.Moves
}

// holds reports whether a worker has the block of a job, and has refused none.
func (p *play) holds(from *member, job int) bool {
	p.c.mutex.Lock()
	defer p.c.mutex.Unlock()
	b := p.dealer.block[job]
	return b != nil && b.queued && b.holder == from && !from.refused
}

// refused takes a worker's word that it cannot play its block. It gets no more, and others get this
// one. If this machine cannot play it either, the run ends.
func (p *play) refused(r result, from *member) {
	p.c.complain(fmt.Sprintf("worker %s cannot play a game of this run, and gets no more: %.200q (update it, or stop it)", from.name, r.Error))
	p.c.mutex.Lock()
	defer p.c.mutex.Unlock()
	from.refused = true
	p.c.replays = append(p.c.replays, replay{Batch: p.only(p.dealer.open(p.dealer.block[r.Block])...)})
}
