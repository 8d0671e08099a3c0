package cluster

import (
	"context"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tune2048/engine/simulator"
)

// Options are the settings of a coordinator.
type Options struct {
	Listen   *Listener // be the NATS server, or
	Access   Access    // use this one
	Cores    int       // games that this machine plays at once, beside the workers; 0: none
	Name     string    // of the run, for people
	Identity string    // of the run: the same when it is resumed
	Version  string    // of this program
	Warn     func(string)
}

// Coordinator plays games on this machine and on the workers' machines. It is a Simulator.
type Coordinator struct {
	Options
	run     string // names it in subjects
	server  *embedded
	nats    *nats.Conn
	js      jetstream.JetStream
	pools   []*simulator.Pool // one for each core
	pace    pace              // guarded by the play
	life    context.Context
	end     func()
	threads sync.WaitGroup
	first   sync.Once // batch: results that wait for it are not read before
	strange sync.Once // message that cannot be decoded

	mutex   sync.Mutex
	members map[string]*member // by name
	play    *play              // under way, or nil
	replays []replay           // the first is under way
	sample  sample
	failed  error  // of a replay: it ends the run
	reread  func() // reads the results anew
	trouble string // the last warning; empty: all is well
}

// Open begins to listen for workers, until ctx is done or Close is called.
func Open(ctx context.Context, o Options) (c *Coordinator, err error) {
	c = &Coordinator{Options: o, run: hashOf("run", o.Identity, simulator.Signature), members: map[string]*member{}, pace: pace{}, sample: sample{}, reread: func() {}}
	c.life, c.end = context.WithCancel(ctx)
	for range o.Cores {
		c.pools = append(c.pools, simulator.NewPool(1))
	}
	options := []nats.Option{
		nats.ReconnectHandler(func(*nats.Conn) { c.readAgain() }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { c.fares(err) }),
	}
	if o.Listen != nil {
		if c.server, err = o.Listen.listen(); err == nil {
			c.nats, err = c.server.connect("tune: run "+o.Name, options...)
		}
	} else {
		c.nats, err = o.Access.connect("tune: run "+o.Name, options...)
	}
	if err == nil && c.nats.MaxPayload() < maxMessage {
		err = fmt.Errorf("the NATS server at %s takes messages of %d bytes at most, and a run's may have %d: its operator changes max_payload",
			c.nats.ConnectedUrlRedacted(), c.nats.MaxPayload(), maxMessage)
	}
	if err == nil {
		c.js, err = jetstream.New(c.nats)
	}
	if err == nil {
		err = prepare(ctx, c.js)
	}
	if err == nil {
		c.purge(jobsStream, c.jobsSubject()) // a process that was killed left them
		_, err = c.nats.Subscribe(workersSubject, c.hear)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	c.threads.Go(c.announce)
	c.threads.Go(c.replayAll)
	return c, nil
}

// URL is where workers reach the server of this process, or "" if it is not one.
func (c *Coordinator) URL() string {
	if c.server == nil {
		return ""
	}
	return c.server.url()
}

// Close takes back what the server has for the run, and leaves. Workers wait for the next run.
func (c *Coordinator) Close() {
	c.end()
	c.threads.Wait()
	if c.js != nil {
		c.purge(jobsStream, c.jobsSubject())
		c.purge(resultsStream, resultsPrefix+c.run)
	}
	if c.nats != nil {
		c.nats.Close()
	}
	if c.server != nil {
		c.server.close()
	}
}

func (c *Coordinator) jobsSubject() string { return jobsPrefix + simulator.Signature + "." + c.run }

// announce says that the run is there, and that it has ended. It looks after the queue.
func (c *Coordinator) announce() {
	n := notice{Run: c.run, Name: c.Name, Signature: simulator.Signature, Version: c.Version}
	defer func() {
		n.Ended = true
		_ = c.nats.Publish(runsSubject, encode(n))
	}()
	for again := true; again; again = pause(c.life, helloEvery) {
		_ = c.nats.Publish(runsSubject, encode(n))
		if queue, err := findConsumer(c.life, c.js); queue == nil && err == nil {
			c.readAgain()
		}
	}
}

func (c *Coordinator) warn(text string) {
	if c.Warn != nil {
		c.Warn(text)
	}
}
