package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"tune2048/engine/heuristic"
	"tune2048/engine/simulator"
)

// play is a batch that is being played. The coordinator's mutex guards what is below it.
type play struct {
	c        *Coordinator
	batch    simulator.Batch
	fail     context.CancelCauseFunc
	rest     context.CancelFunc                             // ends what the cores of this machine play, once all games are there
	telling  sync.Mutex                                     // held while finished is called, and guards it
	finished func(job int, o simulator.Outcome) (err error) // nil if nobody wants to be told, any more

	dealer   *dealer
	outcomes []simulator.Outcome
	untold   int              // outcomes of which finished is being told
	changed  *sync.Cond       // something that a thread may wait for
	resend   bool             // what is out must be published again
	keys     []string         // of the players; nil until they are needed
	byKey    map[string][]int // players
	jobsBy   [][]int32        // by player: jobs
	bySeed   []map[uint64]int // by player: jobs by seed; nil until they are needed
}

// tick is how often somebody looks whether a block is late.
const tick = 50 * time.Millisecond

// Play plays the batch; see simulator.Pool.Play for the contract. Its error is a *Mismatch if a
// worker's outcome differs from its replay.
func (c *Coordinator) Play(ctx context.Context, batch simulator.Batch, finished func(job int, o simulator.Outcome) error) ([]simulator.Outcome, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var threads sync.WaitGroup
	here, rest := context.WithCancel(ctx)
	defer rest()
	p := c.begin(batch, finished, cancel, rest)
	for _, pool := range c.pools {
		threads.Go(func() { p.playHere(here, pool) })
	}
	threads.Go(func() { p.publishAll(ctx) })
	clock, stop := context.WithCancel(ctx)
	go p.wakeNowAndThen(clock)
	threads.Wait()
	stop()
	c.finish(p)
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return p.outcomes, nil
}

// begin makes the batch the one that results are taken for.
func (c *Coordinator) begin(batch simulator.Batch, finished func(int, simulator.Outcome) error, fail context.CancelCauseFunc, rest context.CancelFunc) *play {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	p := &play{
		c: c, batch: batch, finished: finished, fail: fail, rest: rest, dealer: newDealer(&batch, c.pace), outcomes: make([]simulator.Outcome, len(batch.Jobs)),
		changed: sync.NewCond(&c.mutex),
	}
	if c.replays.failed != nil {
		fail(c.replays.failed)
	}
	c.play = p
	c.first.Do(func() { close(c.begun) })
	return p
}

// finish takes no more results for the batch, and takes back what nobody needs to play any more.
func (c *Coordinator) finish(p *play) {
	c.mutex.Lock()
	c.play = nil
	for p.untold > 0 { // a result that came just now
		p.changed.Wait()
	}
	superfluous := p.dealer.queued > 0 || p.dealer.repeated > 0
	c.mutex.Unlock()
	if superfluous {
		c.purge(jobsStream, c.jobsSubject(), 0)
	}
}

// over tells whether there is nothing to do any more.
func (p *play) over(ctx context.Context) bool {
	return ctx.Err() != nil || p.dealer.left == 0 && p.untold == 0
}

// await calls do, with the mutex held, until it says that it has found something to do; each time something has changed. It
// returns false once the batch is over.
func (p *play) await(ctx context.Context, do func(now time.Time) bool) bool {
	p.c.mutex.Lock()
	defer p.c.mutex.Unlock()
	for !p.over(ctx) {
		if do(time.Now()) {
			return true
		}
		p.changed.Wait()
	}
	p.changed.Broadcast() // for the others
	return false
}

// wakeNowAndThen makes all threads look again.
func (p *play) wakeNowAndThen(ctx context.Context) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for ctx.Err() == nil {
		select {
		case <-ticker.C:
		case <-ctx.Done():
		}
		p.c.mutex.Lock()
		p.changed.Broadcast()
		p.c.mutex.Unlock()
	}
}

// cores are all that play.
func (p *play) cores(now time.Time) int { return len(p.c.pools) + p.c.members.cores(now) }

// playHere plays blocks on one core of this machine.
func (p *play) playHere(ctx context.Context, pool *simulator.Pool) {
	var jobs []int
	for p.await(ctx, func(now time.Time) bool {
		b := p.dealer.deal(p.cores(now), false, now)
		if b == nil {
			b = p.dealer.again(true, false, now)
		}
		if b != nil {
			jobs = p.dealer.jobs(b)
		}
		return b != nil
	}) {
		_, err := pool.Play(ctx, p.only(jobs), func(i int, o simulator.Outcome) error { p.played(jobs[i], o); return nil })
		if err != nil && ctx.Err() == nil {
			p.fail(err)
			return
		}
	}
}

// only is the batch of some jobs, in their order.
func (p *play) only(jobs []int) simulator.Batch {
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

// played takes the outcome of a job from this machine.
func (p *play) played(job int, o simulator.Outcome) {
	p.c.mutex.Lock()
	fresh := p.note(job, o)
	if fresh {
		p.untold++
	}
	p.c.mutex.Unlock()
	if fresh {
		p.tell(job)
	}
}

// note takes an outcome. It reports whether the outcome is the first of its job. Of two that differ
// the replays find the wrong one.
func (p *play) note(job int, o simulator.Outcome) (fresh bool) {
	if p.dealer.done[job] {
		if p.outcomes[job].Result != o.Result {
			p.replay(job, p.outcomes[job])
			p.replay(job, o)
		}
		return false
	}
	p.outcomes[job] = o
	p.dealer.played(job, o.Duration)
	if p.dealer.left == 0 {
		p.rest()
	}
	return true
}

// tell tells finished of outcomes that were counted as untold. Its caller does not hold the mutex.
func (p *play) tell(jobs ...int) {
	if len(jobs) == 0 {
		return
	}
	p.telling.Lock()
	for _, job := range jobs {
		if p.finished == nil {
			break
		}
		if err := p.finished(job, p.outcomes[job]); err != nil {
			p.finished = nil
			p.fail(err)
		}
	}
	p.telling.Unlock()
	p.c.mutex.Lock()
	defer p.c.mutex.Unlock()
	if p.untold -= len(jobs); p.untold == 0 {
		p.changed.Broadcast()
	}
}

// publishAll keeps the queue filled.
func (p *play) publishAll(ctx context.Context) {
	p.await(ctx, func(now time.Time) bool { p.publishDue(now); return false })
}

// publishDue publishes what workers should have now.
func (p *play) publishDue(now time.Time) {
	if p.resend {
		p.resend = false
		for _, b := range p.dealer.out() {
			p.publish(b)
		}
	}
	workers := p.c.members.cores(now)
	if workers == 0 {
		return
	}
	for p.dealer.queued < window*workers {
		b := p.dealer.deal(p.cores(now), true, now)
		if b == nil {
			break
		}
		p.publish(b)
	}
	for {
		b := p.dealer.again(p.dealer.queued < workers, true, now)
		if b == nil {
			return
		}
		p.publish(b)
	}
}

// publish publishes what is left of a block as one job.
func (p *play) publish(b *block) {
	jobs := p.dealer.jobs(b)
	if len(jobs) == 0 {
		return
	}
	p.needKeys()
	j := job{ID: p.c.newID(), Run: p.c.run, Signature: simulator.Signature, Four: p.batch.Rules.FourProbability}
	var families []*heuristic.Family
	last := -1
	for _, n := range jobs {
		if game := p.batch.Jobs[n]; game.Player != last {
			last = game.Player
			who := &p.batch.Players[last]
			family := slices.Index(families, who.Family)
			if family < 0 {
				family = len(families)
				families = append(families, who.Family)
				j.Families = append(j.Families, *who.Family)
			}
			j.Players = append(j.Players, jobPlayer{Key: p.keys[last], Family: family, Search: p.dealer.search[last], Dead: who.Dead, Values: who.Values})
		}
		player := &j.Players[len(j.Players)-1]
		player.Seeds = append(player.Seeds, p.batch.Jobs[n].Seed)
	}
	p.c.publish(j)
}

// needKeys names the players.
func (p *play) needKeys() {
	if p.keys != nil {
		return
	}
	p.byKey, p.bySeed = map[string][]int{}, make([]map[uint64]int, len(p.batch.Players))
	for i := range p.batch.Players {
		key := playerKey(p.batch.Rules, &p.batch.Players[i])
		p.keys = append(p.keys, key)
		p.byKey[key] = append(p.byKey[key], i)
	}
	p.jobsBy = make([][]int32, len(p.batch.Players))
	for i, job := range p.batch.Jobs {
		p.jobsBy[job.Player] = append(p.jobsBy[job.Player], int32(i))
	}
}

// jobsOf returns the jobs that are this game.
func (p *play) jobsOf(key string, seed uint64) (jobs []int) {
	for _, player := range p.byKey[key] {
		if p.bySeed[player] == nil {
			p.bySeed[player] = map[uint64]int{}
			for _, job := range p.jobsBy[player] {
				p.bySeed[player][p.batch.Jobs[job].Seed] = int(job)
			}
		}
		if job, asked := p.bySeed[player][seed]; asked {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// take takes a result, of whatever job: it is used for the games that are in it.
func (c *Coordinator) take(text []byte) {
	r, err := decode[result](text)
	now := time.Now()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err != nil || r.Signature != simulator.Signature {
		c.strange++
		return
	}
	who, p := c.members.member(r.Worker, now), c.play
	if p == nil {
		return
	}
	if r.Error != "" {
		if strings.HasPrefix(r.ID, c.epoch+"-") {
			p.fail(fmt.Errorf("worker %s cannot play a game of this run: %s (start that worker with this version of the program, or stop it)", r.Worker, r.Error))
		}
		return
	}
	p.needKeys()
	var fresh []int
	for _, games := range r.Players {
		for i, seed := range games.Seeds {
			for _, job := range p.jobsOf(games.Key, seed) {
				o := outcome(games.Games[i], r.Worker)
				if !p.note(job, o) {
					continue
				}
				fresh = append(fresh, job)
				if who.Games++; who.Games == 1 || sampled(games.Key, seed) {
					p.replay(job, o)
				}
			}
		}
	}
	p.untold += len(fresh)
	p.changed.Broadcast()
	c.mutex.Unlock()
	p.tell(fresh...)
	c.mutex.Lock()
}
