package cluster

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"tune2048/engine/simulator"
)

// Options are the settings of a coordinator.
type Options struct {
	Access          // to the NATS server
	Cores    int    // games that this machine plays at once, beside the workers; 0: none
	Name     string // of the run, for people
	Identity string // of the run: the same when it is resumed
	Version  string // of this program
	Warn     func(string)
}

// Coordinator plays games on this machine and on the workers' machines. It is a Simulator.
type Coordinator struct {
	Options
	URL            string // where workers reach the server of this process; empty: it is elsewhere
	run            string // names it in subjects
	server         *embedded
	nats           *nats.Conn
	pools          []*simulator.Pool // one for each core
	life           context.Context
	end            func()
	threads        sync.WaitGroup
	dropped        sync.Once    // message
	workers, cores atomic.Int64 // of Crew, which a game's report may call while the mutex is locked

	mutex    sync.Mutex
	members  map[string]*member // by the ids of their connections
	looked   time.Time          // for members that are gone
	pace     gameTimes
	begun    bool      // a batch has: no result is taken before, it may want it
	play     *play     // under way, or nil
	rechecks []recheck // the first is under way
	failed   error     // of a replay: it ends the run

	lull            lull  // in which workers bring nothing
	taken, lookedAt int64 // games of workers so far, and at the last look
}

// Open begins to listen for workers, until ctx is done or Close is called.
func Open(ctx context.Context, o Options) (_ *Coordinator, err error) {
	sum := sha256.Sum256(encode([]string{"run", o.Identity, signature}))
	c := &Coordinator{Options: o, run: hex.EncodeToString(sum[:8]), members: map[string]*member{}, pace: gameTimes{}}
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
	if o.Listen != "" {
		c.server, err = o.listen()
		if err == nil {
			c.URL = c.server.ClientURL()
			c.nats, err = c.server.connect("tune: run "+o.Name, options...)
		}
	} else {
		// A server that refuses a run in the middle, by mistake, will let it in again.
		c.nats, err = o.connect("tune: run "+o.Name, append(options, nats.IgnoreAuthErrorAbort())...)
	}
	if err == nil && c.nats.MaxPayload() < maxMessage {
		err = fmt.Errorf("the NATS server at %s takes messages of %d bytes at most, and a run's may have %d: its operator "+
			"changes max_payload",
			c.nats.ConnectedUrlRedacted(), c.nats.MaxPayload(), maxMessage)
	}
	if err == nil {
		err = cmp.Or(c.subscribe(helloPrefix+"*.*", func(result, *member, string) {}),
			c.subscribe(askPrefix+c.run+".*.*", c.asked),
			c.subscribe(playedPrefix+c.run+".*.*", c.take), c.announce(false), c.nats.FlushTimeout(patience))
	}
	if err == nil && errors.Is(c.nats.LastError(), nats.ErrPermissionViolation) {
		err = c.explain(c.nats.LastError())
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	c.threads.Go(c.stay)
	c.threads.Go(c.recheckAll)
	return c, nil
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

// announce says that the run is there, or that it has ended. Workers without a job ask for one.
func (c *Coordinator) announce(ended bool) error {
	return c.nats.Publish(runsSubject, encode(notice{Run: c.run, Name: c.Name, Signature: signature,
		Version: c.Version, Ended: ended}))
}

// stay says that the run is there until it has ended.
func (c *Coordinator) stay() {
	for pause(c.life, beat) {
		_ = c.announce(false)
		c.mutex.Lock()
		c.forget()
		warning := c.idle(time.Now())
		c.mutex.Unlock()
		if warning != "" {
			c.Warn(warning)
		}
	}
	_ = c.announce(true)
	_ = c.nats.FlushTimeout(beat)
}

// member is a worker that is there. It belongs to one connection.
type member struct {
	name   string // of one connection at a time: while it has it, another one gets a number
	cores  int    // games that it plays at once
	here   bool   // a core of this machine: it is no connection, and never gone
	able   bool   // its engine has the run's signature, and it has refused no job
	seen   time.Time
	played bool // a game was taken from the connection
	left   bool
}

// subscribe hands the messages of workers to a function, which holds the mutex, with the subject
// that waits for an answer.
func (c *Coordinator) subscribe(subject string, handle func(r result, from *member, answer string)) error {
	s, err := c.nats.Subscribe(subject, func(m *nats.Msg) {
		r, id, name, err := letIn(m)
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if err != nil {
			c.dropped.Do(func() {
				c.Warn(fmt.Sprintf("dropped a message that cannot be used: %v; there is no warning of others", err))
			})
			return
		}
		handle(r, c.member(id, name, r.hello), m.Reply)
	})
	if err == nil {
		err = s.SetPendingLimits(nats.DefaultSubPendingMsgsLimit, maxPending)
	}
	return err
}

// member returns the worker of a connection, which has said hello now. A name belongs to one
// connection until that is gone. Another one gets a number: the second "w" is "w.2".
func (c *Coordinator) member(id, name string, h hello) *member {
	c.forget()
	m := c.members[id]
	if m == nil {
		m = &member{name: name, able: h.Signature == signature}
		names := map[string]bool{}
		for _, other := range c.members {
			names[other.name] = true
		}
		for n := 2; names[m.name]; n++ {
			m.name = fmt.Sprintf("%s.%d", name, n)
		}
		c.members[id] = m
		_ = c.announce(false)
		if !m.able {
			c.Warn(fmt.Sprintf("worker %s gets no games: it is tune %.100q, whose engine has the signature %.100q; this run "+
				"is played by tune %s, %s",
				m.name, h.Version, h.Signature, c.Version, signature))
		}
	}
	m.seen, m.left, m.cores = time.Now(), h.Leaving, min(max(0, h.Cores), maxCores)
	return m
}

// forget forgets the workers that are gone, and counts the others. While the run stood still, as
// for a long commit, it heard nobody, so nobody is gone. Its caller holds the mutex.
func (c *Coordinator) forget() {
	now := time.Now()
	if now.Sub(c.looked) > 2*beat {
		for _, m := range c.members {
			m.seen = now
		}
	}
	c.looked = now
	maps.DeleteFunc(c.members, func(_ string, m *member) bool { return m.left || time.Since(m.seen) > goneAfter })
	workers, cores := 0, 0
	for _, m := range c.members {
		if m.able {
			workers, cores = workers+1, cores+m.cores
		}
	}
	c.workers.Store(int64(workers))
	c.cores.Store(int64(cores))
}

// Crew returns how many workers offer to play now, and how many games they play at once.
func (c *Coordinator) Crew() (workers, cores int) {
	return int(c.workers.Load()), int(c.cores.Load())
}
