package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tune2048/engine/simulator"
)

// Worker plays games for the runs of a NATS server.
type Worker struct {
	Access
	Name    string       // of this machine; processes of one name are one worker to the runs
	Cores   int          // games at once
	Version string       // of this program
	Once    bool         // end when all runs that were heard of have ended
	Status  func(Status) // called every second and at the end; may be nil

	change func(o *simulator.Outcome) // tests hold or change an outcome with it before it is reported
}

// Status is a worker's state.
type Status struct {
	Connected bool
	Runs      []string // that were heard of, of this worker's signature
	Playing   int      // blocks at once, now
	Games     int64    // played since it began
	Speed     float64  // games per second, of the last minute
	Ended     []string // runs, in the order in which they ended
	Message   string   // the worker's trouble, or the version that runs want; or empty
}

// finishWithin is how long a worker that leaves goes on with its blocks.
const finishWithin = 5 * time.Second

// pollFor is how long a core waits for a job before it asks again. A server that restarts forgets
// the question, so its idle cores lose as much.
const pollFor = 5 * time.Second

// Check finds mistakes in the name, the URL and the files.
func (w Worker) Check() error {
	if err := checkWorker(w.Name); err != nil {
		return fmt.Errorf("%w (-name)", err)
	}
	return w.Access.Check()
}

// Work plays until ctx is done. Then it finishes its blocks, or returns those that take longer than
// a few seconds. With Once it also ends when its runs have. It waits for a server that is not
// there. The error says why waiting is in vain: the server refuses the user, or the connection
// cannot be secured.
func (w Worker) Work(ctx context.Context) error {
	working, end := context.WithCancelCause(ctx)
	defer end(nil)
	games, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	defer context.AfterFunc(working, func() {
		if ctx.Err() == nil { // nobody takes the results
			abandon()
		}
		if pause(games, finishWithin) {
			abandon()
		}
	})()
	s := &shift{Worker: w, end: end, process: rand.Text(), runs: map[string]notice{}}
	if err := s.connect(); err != nil {
		return err
	}
	defer s.nc.Close()
	var cores sync.WaitGroup
	for range max(1, s.Cores) {
		cores.Go(func() { s.work(working, games) })
	}
	left := make(chan struct{})
	go func() { cores.Wait(); close(left) }()
	s.present(left)
	if cause := context.Cause(working); ctx.Err() == nil && cause != context.Canceled {
		return cause
	}
	return nil
}

// shift is one call of Work.
type shift struct {
	Worker
	end     context.CancelCauseFunc // no new jobs
	process string
	nc      *nats.Conn
	js      jetstream.JetStream
	games   atomic.Int64
	hand    sync.Map // jetstream.Msg: jobs at hand

	finding  sync.Mutex // guards consumer
	consumer jetstream.Consumer

	mutex   sync.Mutex
	runs    map[string]notice // the last one of each run
	ended   []string
	trouble string // empty: none
}

// fares keeps what is wrong. nil: nothing.
func (s *shift) fares(err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.trouble = ""; err != nil {
		s.trouble = err.Error() + "; trying again"
	}
}

// connect begins to connect. The connection mends itself, unless another attempt is in vain.
func (s *shift) connect() (err error) {
	connected := func(nc *nats.Conn) {
		s.fares(nil)
		nc.Publish(workersSubject, s.hello(false))
	}
	s.nc, err = s.Access.connect("tune worker "+s.Name, nats.RetryOnFailedConnect(true),
		nats.ConnectHandler(connected), nats.ReconnectHandler(connected),
		nats.DisconnectErrHandler(func(*nats.Conn, error) { s.fares(fmt.Errorf("the connection to %s is lost", s.place())) }),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) {
			s.fares(s.explain(err))
			if inVain(err) {
				s.end(s.explain(err))
			}
		}),
		nats.ClosedHandler(func(nc *nats.Conn) { s.end(fmt.Errorf("the connection is closed: %w", s.explain(nc.LastError()))) }),
	)
	if err == nil {
		s.js, err = jetstream.New(s.nc)
	}
	if err == nil {
		_, err = s.nc.Subscribe(runsSubject, s.hear)
	}
	return err
}

// answered keeps the error of a question to JetStream, unless the connection is lost: then that is
// the trouble.
func (s *shift) answered(err error) {
	if err == nil || s.nc.IsConnected() {
		s.fares(err)
	}
}

// jobs returns the consumer of jobs once a run has made it, or nil when ctx is done. One core looks
// for all.
func (s *shift) jobs(ctx context.Context) jetstream.Consumer {
	s.finding.Lock()
	defer s.finding.Unlock()
	for s.consumer == nil {
		consumer, err := findConsumer(ctx, s.js)
		if ctx.Err() != nil {
			return nil
		}
		s.answered(err)
		if s.consumer = consumer; consumer == nil {
			pause(ctx, 200*time.Millisecond)
		}
	}
	return s.consumer
}

// next waits for a job, or nil if none came.
func (s *shift) next(ctx context.Context, consumer jetstream.Consumer) jetstream.Msg {
	within, cancel := context.WithTimeout(ctx, pollFor)
	defer cancel()
	message, err := consumer.Next(jetstream.FetchContext(within))
	if err != nil && within.Err() == nil && !errors.Is(err, nats.ErrTimeout) { // the consumer is gone
		s.finding.Lock()
		s.consumer = nil
		s.finding.Unlock()
		pause(ctx, tick)
	}
	return message
}

// work plays one job after the other on one core: it pulls a job, plays it, publishes its result,
// and then acknowledges it. A job that is not acknowledged goes to another worker.
func (s *shift) work(ctx, games context.Context) {
	pool, known := simulator.NewPool(1), families{}
	for ctx.Err() == nil {
		consumer := s.jobs(ctx)
		if consumer == nil {
			return
		}
		message := s.next(ctx, consumer)
		if message == nil {
			continue
		}
		if ctx.Err() != nil {
			message.Nak()
			return
		}
		j, err := decode[job](message.Data())
		if err != nil {
			s.fares(fmt.Errorf("dropped a job that cannot be decoded: %w", err))
			message.Term()
			continue
		}
		s.hand.Store(message, true)
		if s.report(games, j.Run, s.play(games, j, pool, known)) {
			message.Ack()
		} else {
			message.Nak()
		}
		s.hand.Delete(message)
	}
}

// play plays a job.
func (s *shift) play(games context.Context, j job, pool *simulator.Pool, known families) result {
	var outcomes []simulator.Outcome
	batch, err := j.batch(known)
	if err == nil {
		outcomes, err = pool.Play(games, batch, func(int, simulator.Outcome) error { s.games.Add(1); return nil })
	}
	if err != nil {
		text := err.Error()
		return result{Worker: s.Name, Error: text[:min(len(text), 4096)]}
	}
	for i := range outcomes {
		if s.change != nil {
			s.change(&outcomes[i])
		}
	}
	return j.answer(s.Name, outcomes)
}

// report publishes a result until it is stored. It returns false if it is not when games is done.
func (s *shift) report(games context.Context, run string, r result) bool {
	text := encode(r)
	for games.Err() == nil {
		within, cancel := context.WithTimeout(games, answerWithin)
		_, err := s.js.Publish(within, resultsPrefix+run, text)
		cancel()
		if err == nil {
			s.answered(nil)
			return true
		}
		s.answered(explainJetStream(s.js, "store results", err))
		pause(games, time.Second)
	}
	return false
}
