package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"tune2048/engine/bot"
	"tune2048/engine/simulator"
)

// Worker plays games for the runs of a NATS server.
type Worker struct {
	Access
	Name    string         // of this machine; a second process of one name gets a number from the run
	Cores   int            // games at once
	Version string         // of this program
	Bots    []*bot.Program // that its user named: it starts no others
	Once    bool           // end when all runs that were heard of have ended
	Ended   func(string)   // called with the name of a run that has ended; may be nil
	Status  func(Status)   // called every second and at the end; may be nil

	change func(o *simulator.Outcome) // tests hold or change an outcome with it before it is reported
}

// Status is a worker's state.
type Status struct {
	Connected bool
	Runs      []string // that were heard of, of this worker's signature
	Playing   int      // blocks at once, now
	Games     int64    // played since it began
	Message   string   // the worker's trouble, or the version that runs want; or empty
}

// Check finds mistakes in the name and the URL.
func (w Worker) Check() error {
	if err := checkName(w.Name); err != nil {
		return fmt.Errorf("%w (-name)", err)
	}
	return w.Access.Check()
}

// Work plays until ctx is done. Then it finishes its blocks, or returns those that take longer than
// a few seconds. With Once it also ends when its runs have. It waits for a server that is not
// there. The error says why waiting is in vain: the server refuses the user.
func (w Worker) Work(ctx context.Context) error {
	working, end := context.WithCancelCause(ctx)
	defer end(nil)
	games, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	defer context.AfterFunc(working, func() {
		if ctx.Err() != nil { // otherwise nobody takes the results
			pause(games, patience)
		}
		abandon()
	})()
	s := &shift{Worker: w, end: end, id: newID(w.Name), runs: map[string]notice{}, news: make(chan struct{})}
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
	end   context.CancelCauseFunc // no new jobs
	id    string                  // of the connection
	nc    *nats.Conn
	games atomic.Int64
	turn  atomic.Int64 // counts asks: runs take turns
	hand  atomic.Int64 // blocks at hand

	mutex   sync.Mutex
	runs    map[string]notice // the last one of each run
	news    chan struct{}     // closed by the next notice
	trouble string            // of the connection or the jobs; empty: none

	hungry hungry // of the goroutine that is present
}

// fares keeps what is wrong with the connection or the jobs. nil: nothing.
func (s *shift) fares(err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.trouble = ""
	if err != nil {
		s.trouble = err.Error()
	}
}

// connect begins to connect. The connection mends itself, unless another attempt is in vain.
func (s *shift) connect() (err error) {
	well := func(*nats.Conn) { s.fares(nil) }
	ill := func(_ *nats.Conn, err error) { s.fares(s.explain(err)) }
	s.nc, err = s.Access.connect(clientPrefix+s.id, nats.RetryOnFailedConnect(true),
		nats.CustomInboxPrefix(inboxPrefix+s.id),
		nats.ConnectHandler(well), nats.ReconnectHandler(well), nats.ReconnectErrHandler(ill),
		nats.ErrorHandler(func(nc *nats.Conn, _ *nats.Subscription, err error) { ill(nc, err) }),
		nats.ClosedHandler(func(nc *nats.Conn) { s.end(s.explain(nc.LastError())) }),
	)
	if err == nil {
		_, err = s.nc.Subscribe(runsSubject, s.hear)
	}
	return err
}

// request sends a message to a run and returns the answer.
func (s *shift) request(ctx context.Context, subject, run string, message any) (*nats.Msg, error) {
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return s.nc.RequestWithContext(within, subject+run+"."+s.id, encode(message))
}

// next asks the runs for a job in turn. If none has one the text is empty, after the next notice of
// a run.
func (s *shift) next(ctx context.Context) (run string, text []byte) {
	s.mutex.Lock()
	news := s.news
	s.mutex.Unlock()
	runs, first := s.open(), int(s.turn.Add(1))
	for i := range runs {
		run = runs[(first+i)%len(runs)]
		if m, err := s.request(ctx, askPrefix, run, s.hello()); err == nil && len(m.Data) > 0 {
			return run, m.Data
		}
	}
	select {
	case <-news:
	case <-ctx.Done():
	}
	return "", nil
}

// work plays one job after the other on one core. It hands in a result while it plays the next job.
// A worker that leaves returns what it has not handed in.
func (s *shift) work(ctx, games context.Context) {
	pool := simulator.NewPool(1)
	pool.Bots = s.Bots
	defer pool.Close()
	var report sync.WaitGroup
	defer report.Wait()
	for ctx.Err() == nil {
		run, text := s.next(ctx)
		if len(text) == 0 || ctx.Err() != nil {
			continue
		}
		j, err := decode[job](text)
		if err != nil {
			s.fares(fmt.Errorf("dropped a job that cannot be decoded: %w", err))
			continue
		}
		s.hand.Add(1)
		r := s.play(games, j, pool)
		report.Wait()
		report.Go(func() {
			s.report(games, run, r)
			s.hand.Add(-1)
		})
	}
}

// play plays a job.
func (s *shift) play(games context.Context, j job, pool *simulator.Pool) result {
	var outcomes []simulator.Outcome
	batch, err := j.batch()
	if err == nil {
		outcomes, err = pool.Play(games, batch, func(int, simulator.Outcome) error { s.games.Add(1); return nil })
	}
	if err != nil {
		return result{Error: fmt.Sprintf("%.1000s", err)}
	}
	for i := range outcomes {
		if s.change != nil {
			s.change(&outcomes[i])
		}
	}
	return answer(batch, outcomes)
}

// report hands in a result until the run has taken it. It gives up if the run is gone while there
// are others, or if no server takes it.
func (s *shift) report(games context.Context, run string, r result) {
	for ; games.Err() == nil; pause(games, beat) {
		r.hello = s.hello()
		_, err := s.request(games, playedPrefix, run, r)
		if err == nil {
			if r.Error != "" {
				err = fmt.Errorf("cannot play a game of this run: %s", r.Error)
			}
			s.fares(err)
			return
		}
		if s.nc.IsConnected() { // otherwise the connection is at fault
			s.fares(fmt.Errorf("run %s does not take a result: %w", run, err))
		}
		small := r.orReason(err, s.nc.MaxPayload())
		if runs := s.open(); len(runs) > 0 && !slices.Contains(runs, run) || small.Error == r.Error &&
			errors.Is(err, nats.ErrMaxPayload) {
			return
		}
		r = small
	}
}

// hear takes a run's notice.
func (s *shift) hear(m *nats.Msg) {
	n, err := decode[notice](m.Data)
	if err != nil || n.Run == "" || token(n.Run) != n.Run {
		return
	}
	n.at = time.Now()
	s.mutex.Lock()
	_, known := s.runs[n.Run]
	s.runs[n.Run] = n
	if n.Ended {
		delete(s.runs, n.Run)
	}
	close(s.news)
	s.news = make(chan struct{})
	s.mutex.Unlock()
	if !known || !n.Ended || n.Signature != signature {
		return
	}
	if s.Ended != nil {
		s.Ended(n.Name)
	}
	if s.Once && len(s.open()) == 0 {
		s.end(nil)
	}
}

// there returns the last notices of the runs that are there, in a fixed order.
func (s *shift) there() []notice {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	maps.DeleteFunc(s.runs, func(_ string, n notice) bool { return time.Since(n.at) > goneAfter })
	return slices.SortedFunc(maps.Values(s.runs), func(a, b notice) int { return cmp.Compare(a.Run, b.Run) })
}

// open returns the runs that have games for this worker.
func (s *shift) open() (runs []string) {
	for _, n := range s.there() {
		if n.Signature == signature {
			runs = append(runs, n.Run)
		}
	}
	return runs
}

// present publishes a hello every beat, and calls Status. It ends when the cores have left.
func (s *shift) present(left <-chan struct{}) {
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for leaving := false; ; {
		h := s.hello()
		h.Leaving = leaving
		s.nc.Publish(helloPrefix+s.id, encode(h))
		if s.Status != nil {
			status := s.status()
			s.hungry.note(&status, time.Now())
			s.Status(status)
		}
		if leaving {
			s.nc.FlushTimeout(beat)
			return
		}
		select {
		case <-ticker.C:
		case <-left:
			leaving = true
		}
	}
}

func (s *shift) hello() hello {
	return hello{Cores: max(1, s.Cores), Version: s.Version, Signature: signature}
}

func (s *shift) status() Status {
	status := Status{Connected: s.nc.IsConnected(), Playing: int(s.hand.Load()), Games: s.games.Load()}
	other := ""
	for _, n := range s.there() {
		if n.Signature == signature {
			status.Runs = append(status.Runs, n.Name)
		} else {
			other = fmt.Sprintf("run %s wants tune %s (play %s), this is tune %s (play %s)",
				n.Name, n.Version, n.Signature, s.Version, signature)
		}
	}
	if len(status.Runs) > 0 {
		other = ""
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	status.Message = cmp.Or(s.trouble, other)
	return status
}
