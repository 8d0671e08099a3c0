package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

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
	pools   []*simulator.Pool // one for each core
	pace    pace              // guarded by the play
	life    context.Context
	end     func()
	threads sync.WaitGroup
	first   sync.Once // batch: no result is taken before
	warned  atomic.Int64

	mutex   sync.Mutex
	members map[string]*member // by the ids of their connections
	asks    []ask              // the first one has waited longest
	queue   []*block           // for them
	play    *play              // under way, or nil
	replays []replay           // the first is under way
	failed  error              // of a replay: it ends the run
}

// Open begins to listen for workers, until ctx is done or Close is called.
func Open(ctx context.Context, o Options) (_ *Coordinator, err error) {
	c := &Coordinator{Options: o, run: hashOf("run", o.Identity, simulator.Signature), members: map[string]*member{}, pace: pace{}}
	c.life, c.end = context.WithCancel(ctx)
	for range o.Cores {
		c.pools = append(c.pools, simulator.NewPool(1))
	}
	options := []nats.Option{
		nats.ReconnectHandler(func(*nats.Conn) { c.Warn("the workers' games arrive again") }),
		nats.DisconnectErrHandler(func(*nats.Conn, error) {
			if c.life.Err() == nil {
				c.Warn("the workers' games do not arrive: the connection to the NATS server is lost; trying again")
			}
		}),
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
		err = c.subscribe(helloPrefix+"*.*", c.hear)
	}
	if err == nil {
		err = c.subscribe(askPrefix+c.run+".*.*", c.asked)
	}
	if err == nil {
		err = cmp.Or(c.announce(false), c.nats.FlushTimeout(answerWithin))
	}
	if err == nil && errors.Is(c.nats.LastError(), nats.ErrPermissionViolation) {
		err = c.Access.explain(c.nats.LastError())
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	c.threads.Go(c.stay)
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

// Close says that the run has ended, and leaves. Workers wait for the next run.
func (c *Coordinator) Close() {
	c.end()
	c.threads.Wait()
	for _, pool := range c.pools {
		pool.Close()
	}
	if c.nats != nil {
		c.nats.Close()
	}
	if c.server != nil {
		c.server.close()
	}
}

// mostPending bounds the messages that wait here, in bytes: a flood of them would fill the memory.
// NATS drops what is beyond, and workers send it again.
const mostPending = 8 * maxMessage

func (c *Coordinator) subscribe(subject string, handle nats.MsgHandler) error {
	s, err := c.nats.Subscribe(subject, handle)
	if err == nil {
		err = s.SetPendingLimits(-1, mostPending)
	}
	return err
}

// announce says that the run is there, or that it has ended.
func (c *Coordinator) announce(ended bool) error {
	return c.nats.Publish(runsSubject, encode(notice{Run: c.run, Name: c.Name, Signature: simulator.Signature, Version: c.Version, Ended: ended}))
}

// stay says that the run is there until it has ended.
func (c *Coordinator) stay() {
	for again := true; again; again = pause(c.life, helloEvery) {
		_ = c.announce(false)
		c.tidy()
	}
	_ = c.announce(true)
	_ = c.nats.FlushTimeout(time.Second)
}

const (
	mostMembers  = 1000 // that a run knows
	mostWarnings = 20   // of workers
)

// member is a worker: it is there now, or a result of it was taken. It belongs to one connection.
type member struct {
	name      string // of one connection at a time: while it has it, another one gets a number
	cores     int    // games that it plays at once
	signature string // of its play: with another one than the run's it gets no games
	seen      time.Time
	id        string // of the connection
	greeted   bool
	played    bool // a game was taken from the connection
	left      bool
	refused   bool  // a job
	owes      bool  // a block that was late: it gets no other before it has handed that in
	owed      int   // its first job
	blocks    []int // as in hello
}

// gone reports whether the worker is there no longer. Its caller holds the coordinator's mutex.
func (m *member) gone() bool { return m.left || time.Since(m.seen) > goneAfter }

// gone reports whether the worker that got the block has it no longer. Its caller does as above.
func (b *block) gone() bool {
	m := b.holder
	return m != nil && (m.refused || m.left || time.Since(m.seen) > replyIn ||
		time.Since(b.given) > replyIn && !slices.Contains(m.blocks, b.first))
}

// heard decodes a message of a worker, and finds its sender: nil if the message is no worker's.
func (c *Coordinator) heard(message *nats.Msg) (r result, from *member) {
	tokens := strings.Split(message.Subject, ".")
	id := strings.Join(tokens[len(tokens)-2:], ".")
	name, err := nameOf(id)
	switch inbox := inboxPrefix + id + "."; {
	case err != nil:
	case !strings.HasPrefix(cmp.Or(message.Reply, inbox), inbox): // which NATS does not check
		err = fmt.Errorf("worker %s wants the answer at %.100q", name, message.Reply)
	case len(message.Data) > mostHello && !strings.HasPrefix(message.Subject, playedPrefix):
		err = fmt.Errorf("worker %s says hello in %d bytes", name, len(message.Data))
	case len(message.Data) > maxMessage:
		err = fmt.Errorf("worker %s sends %d bytes", name, len(message.Data))
	default:
		r, err = decode[result](message.Data)
		if err = cmp.Or(err, r.hello.check()); err == nil {
			from, err = c.member(id, name, r.hello)
		}
	}
	if err != nil {
		c.complain("dropped a message that cannot be used: " + err.Error())
	}
	return r, from
}

// member returns the worker of a connection, which has said hello now. A name belongs to one
// connection until that is gone. Another one gets a number: the second "w" is "w.2".
func (c *Coordinator) member(id, name string, h hello) (*member, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	m := c.members[id]
	if m == nil {
		taken := map[string]*member{}
		for _, m := range c.members {
			taken[m.name] = m
		}
		who := name
		for n := 2; taken[who] != nil && !taken[who].gone(); n++ {
			who = fmt.Sprintf("%s.%d", name, n)
		}
		m = &member{name: who, id: id}
		if before := taken[who]; before != nil {
			delete(c.members, before.id)
		} else if len(c.members) == mostMembers {
			return nil, fmt.Errorf("worker %s is one of more than %d", name, mostMembers)
		}
		c.members[id] = m
	}
	m.seen, m.left = time.Now(), h.Leaving
	m.cores, m.signature, m.blocks = h.Cores, h.Signature, h.Blocks
	return m, nil
}

// hear takes a worker's hello.
func (c *Coordinator) hear(message *nats.Msg) {
	h, from := c.heard(message)
	if from == nil || from.greeted {
		return
	}
	from.greeted = true
	_ = c.announce(false)
	if h.Signature != simulator.Signature {
		c.complain(fmt.Sprintf("worker %s gets no games: it is tune %s, whose play has the signature %s; this run is played by tune %s, %s",
			from.name, h.Version, h.Signature, c.Version, simulator.Signature))
	}
}

// tidy forgets workers that are gone and have played nothing. It answers asks that wait no longer.
func (c *Coordinator) tidy() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	maps.DeleteFunc(c.members, func(_ string, m *member) bool { return !m.played && m.gone() })
	c.asks = slices.DeleteFunc(c.asks, func(a ask) bool {
		over := !time.Now().Before(a.until)
		if over {
			_ = a.Respond(nil)
		}
		return over
	})
}

// Crew returns how many workers offer to play now, and how many games they play at once.
func (c *Coordinator) Crew() (workers, cores int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, m := range c.members {
		if !m.gone() && m.signature == simulator.Signature {
			workers, cores = workers+1, cores+m.cores
		}
	}
	return workers, cores
}

// complain warns of workers, up to mostWarnings times.
func (c *Coordinator) complain(text string) {
	if n := c.warned.Add(1); n == mostWarnings {
		c.Warn(text + "; there is no warning of other workers")
	} else if n < mostWarnings {
		c.Warn(text)
	}
}
