package cluster

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// Options are what a coordinator plays with.
type Options struct {
	Listen   *Listener // be the NATS server, or
	Access   Access    // use this one
	Cores    int       // games that this machine plays at once, beside the workers; 0: none
	Name     string    // of the run, for people
	Identity string    // of the run: what is the same when it is taken up again
	Version  string    // of this program
	Warn     func(string)
}

// Coordinator plays games on this machine and on those of workers. It is a Simulator.
type Coordinator struct {
	Options
	run     string // names it in subjects
	epoch   string // names this process: ids of its jobs begin with it
	server  *embedded
	nats    *nats.Conn
	js      jetstream.JetStream
	pools   []*simulator.Pool // one for each core
	end     func()
	threads sync.WaitGroup

	mutex   sync.Mutex
	members members
	pace    pace
	play    *play        // under way, or nil
	jobs    int          // published
	read    uint64       // sequence of the last result that was read
	created [2]time.Time // both streams: others have lost what was published, or told
	missed  bool         // something could not be published
	doubt   chan error   // why somebody should look after the streams
	replays replays
	strange int  // messages that nobody could read
	waits   bool // somebody was told that the server is away

	first sync.Once
	begun chan struct{} // closed when the first batch begins: results that wait for it are not read before
}

// window is how many blocks each core of a worker has at once, in its hands and waiting in the queue. Runs that share workers get equal
// shares of them, as long as the queue never holds much more than what they can play next.
const window = 2

// Open begins to listen for workers. The context is that of the connection; Close ends it.
func Open(ctx context.Context, o Options) (c *Coordinator, err error) {
	c = &Coordinator{
		Options: o, run: hashOf("run", o.Identity), epoch: rand.Text()[:8], members: members{}, pace: pace{},
		begun: make(chan struct{}), doubt: make(chan error, 1),
	}
	c.replays.changed = sync.NewCond(&c.mutex)
	for range o.Cores {
		c.pools = append(c.pools, simulator.NewPool(1))
	}
	what := "tune: run " + o.Name
	if o.Listen != nil {
		if c.server, err = o.Listen.listen(); err != nil {
			return nil, err
		}
		c.nats, err = c.server.connect(what)
	} else {
		c.nats, err = o.Access.connect(what)
	}
	if err == nil && c.nats.MaxPayload() < maxMessage {
		err = fmt.Errorf("the NATS server at %s takes messages of %d bytes at most, and a run's may have %d: its operator changes max_payload",
			c.nats.ConnectedUrlRedacted(), c.nats.MaxPayload(), maxMessage)
	}
	if err == nil {
		c.js, err = jetstream.New(c.nats, jetstream.WithPublishAsyncErrHandler(func(_ jetstream.JetStream, _ *nats.Msg, err error) {
			c.mutex.Lock()
			defer c.mutex.Unlock()
			c.unpublished(err)
		}), jetstream.WithPublishAsyncMaxPending(1<<14), jetstream.WithPublishAsyncTimeout(10*time.Second))
	}
	if err == nil {
		err = c.prepare(ctx)
	}
	if err == nil {
		_, err = c.nats.Subscribe(workersSubject, c.hear)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	ctx, c.end = context.WithCancel(ctx)
	c.threads.Go(func() { c.readResults(ctx) })
	c.threads.Go(func() { c.announce(ctx) })
	c.threads.Go(func() { c.replayAll(ctx) })
	return c, nil
}

// URL is where workers reach the server of this process; "" if it is not one.
func (c *Coordinator) URL() string {
	if c.server == nil {
		return ""
	}
	return c.server.url()
}

// Close takes back what is in the queue and leaves. Workers wait for the next run.
func (c *Coordinator) Close() {
	if c.end != nil {
		c.end()
		c.threads.Wait()
	}
	if c.nats != nil {
		if c.jobs > 0 {
			c.purge(jobsStream, c.jobsSubject(), 0)
		}
		c.nats.Close()
	}
	if c.server != nil {
		c.server.close()
	}
}

// Workers returns those that have played for the run, or offer to, by name.
func (c *Coordinator) Workers() []experiments.Worker {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.members.list(time.Now())
}

// jobsSubject is of this process: what one that was killed has left in the queue is played, and its results are of use.
func (c *Coordinator) jobsSubject() string {
	return jobsPrefix + simulator.Signature + "." + c.run + "." + c.epoch
}

// hear takes what a worker says of itself.
func (c *Coordinator) hear(m *nats.Msg) {
	h, err := decode[hello](m.Data)
	c.mutex.Lock()
	changed := false
	switch {
	case err != nil:
		c.strange++
	case c.members.heard(h, time.Now()):
		changed = true
		if c.play != nil {
			c.play.changed.Broadcast()
		}
	}
	c.mutex.Unlock()
	if changed && h.Signature != simulator.Signature && !h.Leaving {
		c.warn(fmt.Sprintf("worker %s gets no games: it is tune %s, whose play has the signature %s; this run is played by tune %s, %s",
			h.Worker, h.Version, h.Signature, c.Version, simulator.Signature))
	}
}

// Strange is how many messages came that nobody could read; they are dropped.
func (c *Coordinator) Strange() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.strange
}

// announce says of the run that it is there, and looks after its streams.
func (c *Coordinator) announce(ctx context.Context) {
	ticker := time.NewTicker(helloEvery)
	defer ticker.Stop()
	var seen, forgotten uint64
	for ctx.Err() == nil {
		c.say()
		last := c.watchQueue(ctx, seen)
		switch {
		case last < seen: // a new stream, which counts anew
			forgotten = 0
		case seen > forgotten: // what was read before the last tick is committed by now
			c.purge(resultsStream, resultsPrefix+c.run, seen+1)
			forgotten = seen
		}
		seen = last
		select {
		case <-ticker.C:
		case <-ctx.Done():
		}
	}
}

func (c *Coordinator) say() {
	_ = c.nats.Publish(runsSubject, encode(notice{Run: c.run, Name: c.Name, Signature: simulator.Signature, Version: c.Version}))
}

func (c *Coordinator) warn(text string) {
	if c.Warn != nil {
		c.Warn(text)
	}
}

// publish sends a job.
func (c *Coordinator) publish(j job) {
	m := nats.NewMsg(c.jobsSubject())
	m.Data = encode(j)
	c.jobs++
	if _, err := c.js.PublishMsgAsync(m, jetstream.WithMsgID(j.ID)); err != nil {
		c.unpublished(err)
	}
}

// newID names a job.
func (c *Coordinator) newID() string { return fmt.Sprintf("%s-%d", c.epoch, c.jobs) }
