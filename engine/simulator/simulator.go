// Package simulator plays seeded games with compiled heuristics, in parallel: jobs in, outcomes out
// in job order whatever the number of workers. An outcome's Result depends on the rules, the player
// and the seed only.
//
// Read Batch (what is played), then Pool.Play (how).
package simulator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
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
	// Twice lets a bot play the game once more, in a fresh process: see Outcome.Unlike. It is no
	// part of a message, so a worker plays each game once.
	Twice bool `json:"-"`
}

// Batch is the input of one call of Play: games at one search.
type Batch struct {
	Search  engine.Settings
	Players []eval.Player
	Jobs    []Job // begun in this order, about; each change of the player compiles tables
	// More is asked before the jobs of each part begin that Parts names. If it returns false,
	// neither these jobs nor any behind them are played, and their outcomes are empty. nil plays
	// all jobs. Neither is part of a message.
	More  func() bool `json:"-"`
	Parts []int       `json:"-"` // the first job of each part that More decides on, ascending
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
// A player that cannot be compiled and a panic of a game are errors that name the seed and the
// weights.
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

	groups := groupsOf(&batch)
	outcomes := make([]Outcome, len(batch.Jobs))
	inbox := inbox{handle: func(d done) {
		if d.err == nil && d.ended {
			outcomes[d.job] = d.outcome
			if finished != nil {
				d.err = finished(d.job, d.outcome)
			}
		}
		if d.err != nil {
			cancel(d.err)
			finished = nil
		}
	}}
	jobs, failed := queue{groups: groups, more: batch.More}, failures{byPlayer: make([]failure, len(batch.Players))}
	var workers sync.WaitGroup
	for w := range p.workers {
		workers.Go(func() {
			var g *group
			for ctx.Err() == nil {
				var i int
				g, i = jobs.next(g)
				if g == nil {
					return
				}
				player, d := batch.Jobs[i].Player, done{job: i}
				if batch.Players[player].Heuristic.Bot != nil {
					d.outcome.Failed = failed.before(player, i)
					if d.outcome.Failed == "" {
						d.outcome, d.err = p.bots[w].play(bots, p.Bots, &batch, batch.Jobs[i])
						failed.add(player, i, d.outcome.Failed)
					}
					d.ended = d.err == nil
				} else {
					d.outcome, d.ended, d.err = p.play(p.searchers[w], &batch, batch.Jobs[i], g, &abandon)
				}
				inbox.put(d)
			}
		})
	}
	workers.Wait()
	p.reclaim(groups)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return outcomes, nil
}

// group is consecutive jobs of one player in one part, with the player's tables. The first worker
// that needs these compiles them, and the last game hands their memory back.
type group struct {
	player   eval.Player
	part     bool         // whether it is the first of a part that Batch.More decides on
	jobs     []int        // those that have not begun
	left     atomic.Int64 // games not yet played
	once     sync.Once
	compiler *eval.Compiler
	tables   *engine.Tables
	err      error
}

func groupsOf(batch *Batch) (groups []*group) {
	parts := batch.Parts
	for i, job := range batch.Jobs {
		part := len(parts) > 0 && parts[0] == i
		if part {
			parts = parts[1:]
		}
		if i == 0 || part || job.Player != batch.Jobs[i-1].Player {
			groups = append(groups, &group{player: batch.Players[job.Player], part: part})
		}
		g := groups[len(groups)-1]
		g.jobs = append(g.jobs, i)
		g.left.Add(1)
	}
	return groups
}

// queue hands out the jobs of a batch. A worker goes on with its group, then takes one that nobody
// began. In the end it helps the group with most games left. So workers compile different players'
// tables at once, and each worker's cache keeps one player's tables.
type queue struct {
	mutex  sync.Mutex
	groups []*group
	begun  int         // the number of groups that were taken
	more   func() bool // see Batch.More; may be nil
}

// next returns a job with its group for a worker whose last job was of this group, or nil if it had
// none. It returns nil if every job has begun.
func (q *queue) next(last *group) (g *group, job int) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for g = last; q.begun < len(q.groups) && (g == nil || len(g.jobs) == 0); q.begun++ {
		if q.groups[q.begun].part && q.more != nil && !q.more() {
			q.groups = q.groups[:q.begun]
			break
		}
		g = q.groups[q.begun]
	}
	if len(q.groups) > 0 && (g == nil || len(g.jobs) == 0) {
		g = slices.MaxFunc(q.groups, func(a, b *group) int { return cmp.Compare(len(a.jobs), len(b.jobs)) })
	}
	if g == nil || len(g.jobs) == 0 {
		return nil, 0
	}
	job, g.jobs = g.jobs[0], g.jobs[1:]
	return g, job
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

// play plays one game. ended is false if it was abandoned.
func (p *Pool) play(player *engine.Searcher, batch *Batch, job Job, g *group, abandon *atomic.Bool) (o Outcome,
	ended bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("game with seed %d, search %q, weights %v: panic: %v\n%s", job.Seed, batch.Search,
				batch.Players[job.Player].Values, r, debug.Stack())
		}
	}()
	if batch.Search.Bot {
		return o, false, errors.New("search: only bots search in their own way: want a depth")
	}
	who, began := g.player, time.Now()
	g.once.Do(func() {
		g.compiler = p.compiler(who.Form)
		g.tables, g.err = g.compiler.Compile(who.Values, who.Heuristic.Dead)
	})
	if g.err != nil {
		return o, false, fmt.Errorf("compile weights %v: %w", who.Values, g.err)
	}
	player.Prepare(g.tables, batch.Search, who.Rules)
	player.StopOn(abandon)
	ended = true
	o.Result = engine.Play(who.Rules, job.Seed, player, func(engine.Step) bool {
		ended = !abandon.Load()
		return ended
	})
	o.Duration = time.Since(began).Truncate(time.Microsecond)
	if g.left.Add(-1) == 0 {
		p.giveBack(g)
	}
	return o, ended, nil
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

// giveBack makes the group's compiler one that nobody uses, if it has one.
func (p *Pool) giveBack(g *group) {
	if g.compiler != nil {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		form := g.player.Form.Text
		p.compilers[form] = append(p.compilers[form], g.compiler)
		g.compiler = nil
	}
}

// reclaim keeps the memory of all compilers for the next batch of the same forms and forgets the
// memory of other forms.
func (p *Pool) reclaim(groups []*group) {
	kept := map[string][]*eval.Compiler{}
	for _, g := range groups {
		p.giveBack(g)
		kept[g.player.Form.Text] = p.compilers[g.player.Form.Text]
	}
	p.compilers = kept
}
