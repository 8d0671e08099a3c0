// Package simulator plays seeded games with compiled heuristics, in parallel: jobs in, outcomes out
// in job order whatever the number of workers. An outcome's Result depends on the rules, the player
// and the seed only.
//
// Read Batch (what is played), then Pool.Play (how).
package simulator

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
)

// Job is one game: the player's index in the batch, and the game's seed in [0, 2^53).
type Job struct {
	Player int
	Seed   uint64
	Twice  bool // a bot plays the game once more, in a fresh process: see Outcome.Unlike
}

// Batch is the input of one call of Play: games at one search.
type Batch struct {
	Search  engine.Settings
	Players []eval.Player
	Jobs    []Job // begun in this order, about; each change of the player compiles tables
}

// Outcome is the result of a finished game, with the time it took and the machine that played it.
type Outcome struct {
	engine.Result
	Duration time.Duration // wall time in whole microseconds, first game with compiling; varies
	Worker   string        // name of the machine that played it; empty: this process did
	Unlike   string        // how a bot did not repeat itself; empty: nothing is known of that
	// Failed says what a bot did that could not play the game: there is no Result. It is the fault
	// of its first such game in the batch, and stands in all games of the player behind it.
	Failed string
}

// grace is how long games under way may go on after the context is done, before they are abandoned:
// short games are finished and kept, long ones do not delay the exit, not even in the middle of a
// move.
const grace = time.Second

// Pool plays batches with a fixed number of workers. It keeps their memory from batch to batch. It
// is not safe for use by several goroutines at once.
type Pool struct {
	Bots []*bot.Program // that the user named: a stored run or another machine may start them

	workers   int
	searchers []*engine.Searcher          // one for each worker
	bots      []bots                      // one for each worker
	mutex     sync.Mutex                  // guards compilers
	compilers map[string][]*eval.Compiler // by the text of the form; those that nobody uses now
}

// NewPool returns a pool of at least one worker.
func NewPool(workers int) *Pool {
	workers = max(workers, 1)
	p := &Pool{workers: workers, compilers: map[string][]*eval.Compiler{}}
	for range workers {
		p.searchers = append(p.searchers, new(engine.Searcher))
		p.bots = append(p.bots, bots{})
	}
	return p
}

// Play plays all jobs and returns their outcomes in the order of the jobs. finished, if not nil,
// gets each outcome as soon as it is there, one at a time and in no certain order. Its error ends
// the batch. It is called by the workers: to wake another goroutine for each game would cost more
// than anything else outside the engine.
//
// When ctx is done no new game begins, games under way get a second to end, and the error is ctx's.
// A player that cannot be compiled and a panic, of a game or of finished, are errors that name the
// seed and the weights.
func (p *Pool) Play(ctx context.Context, batch Batch, finished func(job int, o Outcome) error) ([]Outcome, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var abandon atomic.Bool
	bots, end := context.WithCancel(context.WithoutCancel(ctx)) // done where games are abandoned
	defer end()
	stopGrace := context.AfterFunc(ctx, func() {
		time.AfterFunc(grace, func() {
			abandon.Store(true)
			end()
		})
	})
	defer stopGrace()

	groups := groupsOf(batch.Jobs)
	shared := p.shareTables(batch, groups)
	outcomes := make([]Outcome, len(batch.Jobs))
	inbox := inbox{handle: func(d done) {
		if d.err == nil && d.ended {
			outcomes[d.job] = d.outcome
			d.err = tell(finished, &batch, d)
		}
		if d.err != nil {
			cancel(d.err)
			finished = nil
		}
	}}
	jobs, failed := newQueue(groups), failures{of: make([]failure, len(batch.Players))}
	var workers sync.WaitGroup
	for w := range p.workers {
		workers.Go(func() {
			group := -1 // none yet
			for ctx.Err() == nil {
				i, left := jobs.next(group)
				if !left {
					return
				}
				group = groups[i]
				player, d := batch.Jobs[i].Player, done{job: i}
				if batch.Players[player].Heuristic.Bot != nil {
					if d.outcome.Failed = failed.before(player, i); d.outcome.Failed == "" {
						d.outcome, d.err = p.bots[w].play(bots, p.Bots, &batch, batch.Jobs[i])
						failed.add(player, i, d.outcome.Failed)
					}
					d.ended = d.err == nil
				} else {
					d.outcome, d.ended, d.err = p.play(p.searchers[w], &batch, batch.Jobs[i], shared[group], &abandon)
				}
				inbox.put(d)
			}
		})
	}
	workers.Wait()
	p.reclaim(shared)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return outcomes, nil
}

// groupsOf numbers the groups of jobs, by job. A group is consecutive jobs of one player.
func groupsOf(jobs []Job) []int {
	groups := make([]int, len(jobs))
	for i := 1; i < len(jobs); i++ {
		if groups[i] = groups[i-1]; jobs[i].Player != jobs[i-1].Player {
			groups[i]++
		}
	}
	return groups
}

// queue hands out the jobs of a batch. A worker goes on with its group, then takes one that nobody
// began. In the end it helps the group with most games left. So workers compile different players'
// tables at once, and each worker's cache keeps one player's tables.
type queue struct {
	mutex sync.Mutex
	jobs  [][]int // by group: those that have not begun
	begun int     // the number of groups that were taken
}

func newQueue(groups []int) *queue {
	q := &queue{}
	for i, group := range groups {
		if group == len(q.jobs) {
			q.jobs = append(q.jobs, nil)
		}
		q.jobs[group] = append(q.jobs[group], i)
	}
	return q
}

// next returns a job for a worker whose last job was of this group, or -1 if it had none. left is
// false if every job has begun.
func (q *queue) next(group int) (job int, left bool) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for q.begun < len(q.jobs) && (group < 0 || len(q.jobs[group]) == 0) {
		group = q.begun
		q.begun++
	}
	if group < 0 || len(q.jobs[group]) == 0 {
		most := 0
		for i, jobs := range q.jobs {
			if len(jobs) > most {
				group, most = i, len(jobs)
			}
		}
		if most == 0 {
			return 0, false
		}
	}
	job, q.jobs[group] = q.jobs[group][0], q.jobs[group][1:]
	return job, true
}

// done is a job that was worked on.
type done struct {
	job     int
	outcome Outcome
	ended   bool // false if it was abandoned
	err     error
}

// inbox handles what workers have done, one at a time: a worker that finds nobody at it handles all
// there is, the others go on at once.
type inbox struct {
	handle  func(done)
	mutex   sync.Mutex
	waiting []done
	busy    bool
}

func (b *inbox) put(d done) {
	b.mutex.Lock()
	b.waiting = append(b.waiting, d)
	for !b.busy && len(b.waiting) > 0 {
		first := b.waiting[0]
		b.waiting, b.busy = b.waiting[1:], true
		b.mutex.Unlock() // the others go on meanwhile; not deferred: handle might never return
		b.handle(first)
		b.mutex.Lock()
		b.busy = false
	}
	b.mutex.Unlock()
}

// tell reports a finished game.
func tell(finished func(int, Outcome) error, batch *Batch, d done) (err error) {
	if finished == nil {
		return nil
	}
	job := batch.Jobs[d.job]
	defer explainPanic(batch, job, &err)
	return finished(d.job, d.outcome)
}

// explainPanic turns a panic into an error that names the game.
func explainPanic(batch *Batch, job Job, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("game with seed %d, search %q, weights %v: panic: %v\n%s", job.Seed, batch.Search,
			batch.Players[job.Player].Values, r, debug.Stack())
	}
}

// play plays one game. ended is false if it was abandoned.
func (p *Pool) play(player *engine.Searcher, batch *Batch, job Job, shared *sharedTables,
	abandon *atomic.Bool) (o Outcome, ended bool, err error) {
	who := batch.Players[job.Player]
	defer explainPanic(batch, job, &err)
	if batch.Search.Bot {
		return o, false, errors.New("search: only bots search in their own way: want a depth")
	}
	began := time.Now()
	tables, err := shared.get()
	if err != nil {
		return o, false, fmt.Errorf("compile weights %v: %w", who.Values, err)
	}
	player.Prepare(tables, batch.Search, who.Rules)
	player.StopOn(abandon)
	ended = true
	o.Result = engine.Play(who.Rules, job.Seed, player, func(engine.Step) bool {
		ended = !abandon.Load()
		return ended
	})
	o.Duration = time.Since(began).Truncate(time.Microsecond)
	shared.release()
	return o, ended, nil
}

// sharedTables are the tables of a group of jobs: compiled by the first worker that needs them,
// handed back with the group's last game.
type sharedTables struct {
	pool     *Pool
	player   eval.Player
	left     atomic.Int64 // games not yet played
	once     sync.Once
	compiler *eval.Compiler
	tables   *engine.Tables
	err      error
}

func (p *Pool) shareTables(batch Batch, groups []int) (shared []*sharedTables) {
	for i, group := range groups {
		if group == len(shared) {
			shared = append(shared, &sharedTables{pool: p, player: batch.Players[batch.Jobs[i].Player]})
		}
		shared[group].left.Add(1)
	}
	return shared
}

// reclaim keeps the memory of all compilers for the next batch of the same forms and forgets the
// memory of other forms.
func (p *Pool) reclaim(shared []*sharedTables) {
	kept := map[string][]*eval.Compiler{}
	for _, s := range shared {
		s.giveBack()
		kept[s.player.Form.Text] = p.compilers[s.player.Form.Text]
	}
	p.compilers = kept
}

// get returns the tables, compiling them the first time.
func (s *sharedTables) get() (*engine.Tables, error) {
	s.once.Do(func() {
		s.compiler = s.pool.compiler(s.player.Form)
		s.tables, s.err = s.compiler.Compile(s.player.Values, s.player.Heuristic.Dead)
	})
	return s.tables, s.err
}

// release counts a game as played; after the last one the memory goes to the next player.
func (s *sharedTables) release() {
	if s.left.Add(-1) == 0 {
		s.giveBack()
	}
}

// giveBack gives the compiler back to the pool, if there is one.
func (s *sharedTables) giveBack() {
	if s.compiler != nil {
		s.pool.mutex.Lock()
		defer s.pool.mutex.Unlock()
		form := s.player.Form.Text
		s.pool.compilers[form] = append(s.pool.compilers[form], s.compiler)
		s.compiler = nil
	}
}

// compiler returns a compiler that nobody uses, with its memory.
func (p *Pool) compiler(form *eval.Form) *eval.Compiler {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	free := p.compilers[form.Text]
	if len(free) == 0 {
		return eval.NewCompiler(form.Heuristic)
	}
	p.compilers[form.Text] = free[:len(free)-1]
	return free[len(free)-1]
}
