package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

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
	Status  func(Status) // told now and then, one at a time; may be nil

	change func(o *simulator.Outcome) // tests hold or change an outcome with it before it is reported
}

// Status is how a worker fares.
type Status struct {
	Connected bool
	Runs      []string // that are heard of, of this worker's signature
	Playing   int      // games at once, now
	Games     int64    // played since it began
	Speed     float64  // games per second, of about the last minute
	Message   string   // what somebody should know: that it waits for a server, that a run wants another version; otherwise empty
}

// How long a worker that leaves goes on with its blocks, and then tries to tell what came of them.
const (
	finishWithin = 5 * time.Second
	reportWithin = 3 * time.Second
)

// pollFor is how long a core waits for a job before it asks again. A question that is lost with a server costs as much.
const pollFor = 10 * time.Second

// Check finds mistakes before anybody is asked: in the name, the URL and the files.
func (w Worker) Check() error {
	if err := checkWorker(w.Name); err != nil || !utf8.ValidString(w.Name) {
		return fmt.Errorf("want a name of 1 to %d bytes of UTF-8, got %q (-name)", maxName, w.Name)
	}
	return w.Access.Check()
}

// Work plays until ctx is done: then it finishes its blocks, or returns those that take longer than a few seconds. The error says
// why it cannot go on: the server does not let it in any more.
func (w Worker) Work(ctx context.Context) error {
	if err := w.Check(); err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	s := &shift{
		Worker: w, end: end, process: rand.Text(), began: time.Now(), bound: make(chan *binding), mended: make(chan struct{}, 1),
		changed: make(chan struct{}, 1), runs: map[string]heard{},
	}
	leave := make(chan struct{})
	var presence sync.WaitGroup
	presence.Go(func() { s.present(leave) })
	err := s.connect(ctx)
	if err == nil {
		s.work(ctx)
		err = context.Cause(ctx)
	}
	close(leave)
	presence.Wait()
	if s.nc != nil {
		s.nc.Close()
	}
	if errors.As(err, new(dismissed)) || ctx.Err() == nil {
		return err
	}
	return nil
}

// shift is one call of Work.
type shift struct {
	Worker
	end     context.CancelCauseFunc // no new jobs
	process string
	began   time.Time
	nc      *nats.Conn
	js      jetstream.JetStream
	bound   chan *binding // hands out the one that holds
	mended  chan struct{} // the connection is there again
	changed chan struct{} // somebody should know
	playing atomic.Int64
	games   atomic.Int64

	mutex     sync.Mutex
	holds     *binding
	runs      map[string]heard
	connected bool
	network   string // what is wrong with the connection; empty: nothing
	rights    string // with what this user may do
	service   string // with JetStream
	storing   string // with results
	dropped   int    // messages that cannot be understood
	returned  int    // blocks that others play
	untold    int    // blocks of which nobody knows that they were played
}

// dismissed is why a worker cannot go on.
type dismissed struct{ error }

func (d dismissed) Unwrap() error { return d.error }

// binding is the consumer as it was found at one server, over one connection.
type binding struct {
	jetstream.Consumer
	created time.Time       // of the consumer: tells it from one that was made later under the same name
	ended   context.Context // done when the connection or the consumer is gone
	lose    context.CancelFunc
}

// set changes what is under the mutex, and has it told.
func (s *shift) set(change func()) {
	s.mutex.Lock()
	change()
	s.mutex.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// connect waits for the server. Once it has been there the connection mends itself.
func (s *shift) connect(ctx context.Context) error {
	place := s.place()
	options := []nats.Option{
		nats.DisconnectErrHandler(func(*nats.Conn, error) {
			s.set(func() {
				s.connected, s.network = false, "the connection to "+place+" is lost; trying again"
				s.unbind()
			})
		}),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) {
			s.set(func() { s.network = s.explain(err).Error() + "; trying again" })
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			s.set(func() { s.connected, s.network, s.rights = true, "", ""; s.unbind() })
			select {
			case s.mended <- struct{}{}:
			default:
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) {
				needs := workerRights()
				s.set(func() {
					s.rights = fmt.Sprintf("this user may not do at %s what a worker must: publish %s, subscribe %s (%v)",
						place, strings.Join(needs.Publish.Allow, " "), strings.Join(needs.Subscribe.Allow, " "), err)
				})
			}
		}),
		nats.ClosedHandler(func(nc *nats.Conn) { // by the server, after it was there; or by Work, when nobody reads the cause
			s.end(dismissed{fmt.Errorf("the connection is closed: %w", s.explain(nc.LastError()))})
		}),
	}
	for wait := patience(0); ; {
		nc, err := s.Access.connect("tune worker "+s.Name, options...)
		if err == nil {
			s.set(func() { s.nc = nc })
			break
		}
		if !errors.As(err, new(unreachable)) {
			return err
		}
		s.set(func() { s.network = err.Error() + "; trying again" })
		if !wait.pause(ctx, nil) {
			return ctx.Err()
		}
	}
	var err error
	if s.js, err = jetstream.New(s.nc); err == nil {
		_, err = s.nc.Subscribe(runsSubject, s.hear)
	}
	if err == nil {
		s.set(func() { s.connected, s.network = true, "" })
		s.hello(false)
	}
	return err
}

// patience is how long to wait before the next attempt.
type patience time.Duration

// pause waits, longer each time, until it is woken or ctx is done.
func (p *patience) pause(ctx context.Context, wake <-chan struct{}) bool {
	*p = min(max(2**p, patience(200*time.Millisecond)), patience(5*time.Second))
	timer := time.NewTimer(time.Duration(*p))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-wake:
		*p = 0
	case <-timer.C:
	}
	return true
}

// work plays until ctx is done, and ends in an orderly way.
func (s *shift) work(ctx context.Context) {
	games, abandon := context.WithCancel(context.Background())
	defer abandon()
	bound, unbind := context.WithCancel(context.Background())
	defer unbind()
	leaving := context.AfterFunc(ctx, func() {
		if errors.As(context.Cause(ctx), new(dismissed)) {
			abandon() // nobody wants what comes of them
			return
		}
		timer := time.AfterFunc(finishWithin, abandon)
		context.AfterFunc(games, func() { timer.Stop() })
	})
	defer leaving()
	var binder, slots sync.WaitGroup
	binder.Go(func() { s.bind(bound) })
	for range max(1, s.Cores) {
		slots.Go(func() { (&slot{shift: s, pool: simulator.NewPool(1)}).work(ctx, games) })
	}
	slots.Wait()
	unbind()
	binder.Wait()
}

// bind finds the consumer, hands it out, and finds it anew when it is gone.
func (s *shift) bind(ctx context.Context) {
	var wait patience
	for {
		consumer, err := findConsumer(ctx, s.js)
		if ctx.Err() != nil {
			return
		}
		s.set(func() {
			if s.service = ""; err != nil {
				s.service = err.Error()
			}
		})
		if consumer == nil {
			if !wait.pause(ctx, s.mended) {
				return
			}
			continue
		}
		wait = 0
		b := &binding{Consumer: consumer, created: consumer.CachedInfo().Created}
		b.ended, b.lose = context.WithCancel(ctx)
		s.set(func() { s.holds = b })
		if !s.nc.IsConnected() { // lost before it was known whom to tell
			b.lose()
		}
		for b.ended.Err() == nil {
			select {
			case s.bound <- b:
			case <-b.ended.Done():
			}
		}
		if ctx.Err() != nil || !wait.pause(ctx, s.mended) {
			return
		}
	}
}

// unbind gives up the consumer. Its caller holds the mutex.
func (s *shift) unbind() {
	if s.holds != nil {
		s.holds.lose()
	}
}

// binding waits for the consumer; nil if ctx is done before.
func (s *shift) binding(ctx context.Context) *binding {
	select {
	case b := <-s.bound:
		return b
	case <-ctx.Done():
		return nil
	}
}

// slot is one core.
type slot struct {
	*shift
	pool  *simulator.Pool
	known families
}

// work plays one job after the other. What came of one is told while the next is played, but not of more: the core waits when
// results cannot be told.
func (s *slot) work(ctx, games context.Context) {
	reports, giveUp := context.WithCancel(context.Background())
	defer giveUp()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(finishWithin+reportWithin, giveUp) })()
	told := make(chan struct{})
	close(told)
	for ctx.Err() == nil {
		b := s.binding(ctx)
		if b == nil {
			break
		}
		message := b.next(ctx)
		if message == nil {
			continue
		}
		if ctx.Err() != nil {
			message.Nak()
			break
		}
		j, wanted := s.read(message)
		if !wanted {
			continue
		}
		still := keep(message)
		r := s.play(games, j)
		if r == nil {
			still()
			s.set(func() { s.returned++ })
			if b.ended.Err() == nil {
				message.Nak()
			}
			continue
		}
		<-told
		told = make(chan struct{})
		go func() {
			defer close(told)
			defer still()
			s.report(reports, b, message, j.Run, r)
		}()
	}
	<-told
}

// next waits for a job; nil if none came.
func (b *binding) next(ctx context.Context) (message jetstream.Msg) {
	within, cancel := context.WithTimeout(b.ended, pollFor)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	batch, err := b.Fetch(1, jetstream.FetchContext(within))
	if err == nil {
		for m := range batch.Messages() { // also of a batch that has an error
			message = m
		}
		err = batch.Error()
	}
	if message == nil && err != nil && within.Err() == nil {
		b.lose()
	}
	return message
}

// read says which job a message is, and whether it is to be played here.
func (s *slot) read(message jetstream.Msg) (job, bool) {
	j, err := decode[job](message.Data())
	if err != nil || j.Signature != simulator.Signature {
		s.set(func() { s.dropped++ })
		message.Term()
		return j, false
	}
	return j, true
}

// keep says that a job is being played, until the function that it returns is called.
func keep(message jetstream.Msg) (end func()) {
	ended := make(chan struct{})
	go func() {
		ticker := time.NewTicker(stillEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				message.InProgress()
			case <-ended:
				return
			}
		}
	}()
	return func() { close(ended) }
}

// play plays a job; nil if there was no time for it.
func (s *slot) play(games context.Context, j job) *result {
	failed := func(err error) *result {
		const most = 4096
		text := err.Error()
		return &result{ID: j.ID, Worker: s.Name, Signature: simulator.Signature, Error: strings.ToValidUTF8(text[:min(len(text), most)], "")}
	}
	batch, err := j.batch(&s.known)
	if err != nil {
		return failed(err)
	}
	s.playing.Add(1)
	defer s.playing.Add(-1)
	outcomes, err := s.pool.Play(games, batch, func(int, simulator.Outcome) error { s.games.Add(1); return nil })
	switch {
	case games.Err() != nil && err != nil:
		return nil
	case err != nil:
		return failed(err)
	}
	for i := range outcomes {
		if s.change != nil {
			s.change(&outcomes[i])
		}
	}
	r := j.answer(s.Name, outcomes)
	return &r
}

// report tells what came of a job until it is stored, and only then that nobody else need play it.
func (s *slot) report(ctx context.Context, b *binding, message jetstream.Msg, run string, r *result) {
	text, id := encode(r), jetstream.WithMsgID(r.ID+" "+s.process)
	for wait := patience(0); ; {
		within, cancel := context.WithTimeout(ctx, answerWithin)
		_, err := s.js.Publish(within, resultsPrefix+run, text, id)
		cancel()
		if err == nil {
			break
		}
		if errors.Is(err, nats.ErrReconnectBufExceeded) {
			err = errors.New("there is no connection")
		}
		s.set(func() { s.storing = fmt.Sprintf("results cannot be stored (%v); trying again", err) })
		if !wait.pause(ctx, nil) {
			s.set(func() { s.untold++ })
			return
		}
	}
	s.set(func() { s.storing = "" })
	within, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	// The number of a message in a stream that was made anew is that of another job. One that is not acknowledged is played
	// once more, which changes nothing.
	if now := s.binding(within); now != nil && now.created.Equal(b.created) {
		message.DoubleAck(within)
	}
}
