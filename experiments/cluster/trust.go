package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// trust is what is done so that workers need not be trusted: a share of what they tell is played by another worker, too, and where
// two differ this machine plays the game and decides. Who was wrong is cut off. What is audited is told to nobody before the
// audit has ended well, and so is all that a worker tells before its first one has: what is recorded of a worker that cannot be asked any
// more, since it or this process was killed, is never of one that always lies. The coordinator's mutex guards it.
type trust struct {
	held   map[string][]int            // by worker whose first audit is under way: jobs that it told beside those
	audits map[string]*audit           // under way, by id of their jobs
	claims map[int][]simulator.Outcome // by job that two differ about: what was told beside the outcome that was taken
	judge  []trial                     // what this machine shall play
	trying int                         // of it, being played
	late   bool                        // an audit took so long that this machine played it: its job is in the queue for nothing
}

// audit are games of a worker that another worker plays.
type audit struct {
	jobs   []int
	worker string
	due    time.Time // when this machine plays them instead
}

// trial are games that this machine plays to decide what they are.
type trial struct {
	jobs    []int
	audited string // the worker whose audit this is, or empty
	refused string // the worker that could not play them, or empty
	reason  string
}

func newTrust() trust {
	return trust{held: map[string][]int{}, audits: map[string]*audit{}, claims: map[int][]simulator.Outcome{}}
}

// settled tells whether nothing is open.
func (t *trust) settled() bool { return len(t.audits)+len(t.judge)+t.trying == 0 }

// dispute notes that somebody tells a game otherwise than it was told before.
func (t *trust) dispute(job int, o simulator.Outcome) {
	t.claims[job] = append(t.claims[job], o)
	t.judge = append(t.judge, trial{jobs: []int{job}})
}

// refuse notes that a worker cannot play what it was asked for.
func (t *trust) refuse(p *play, r result) {
	if b := p.sent[r.ID]; b != nil && b.left > 0 {
		t.judge = append(t.judge, trial{jobs: p.dealer.jobs(b), refused: r.Worker, reason: r.Error})
	} else if a := t.audits[r.ID]; a != nil {
		delete(t.audits, r.ID)
		t.judge = append(t.judge, trial{jobs: a.jobs, audited: a.worker, refused: r.Worker, reason: r.Error})
	}
}

// took is told of a worker's result: the jobs that it was the first to tell, and those that others had told before. It begins the
// worker's audit where it is its turn, and ends that of another. It returns the jobs that may be told now.
func (t *trust) took(p *play, r result, who *member, fresh, known []int, now time.Time) (free []int) {
	if a := t.audits[r.ID]; a != nil && a.worker != who.Name {
		delete(t.audits, r.ID)
		if t.confirmed(a, known) {
			free = t.passed(p, a.worker, a.jobs, now)
		} else {
			t.judge = append(t.judge, trial{jobs: a.jobs, audited: a.worker})
		}
	} else {
		who.Repeated += int64(len(known))
	}
	held, first := t.held[who.Name]
	switch {
	case len(fresh) == 0:
	case !who.proven && first:
		t.held[who.Name] = append(held, fresh...)
	case who.proven && rand.Float64() >= p.c.Audit: // which ones are audited nobody can foretell, and nothing depends on it
		return append(free, fresh...)
	default:
		if !who.proven {
			t.held[who.Name] = nil
		}
		if p.c.roster.another(who.Name, now) {
			t.publish(p, &audit{jobs: fresh, worker: who.Name}, now)
		} else {
			t.judge = append(t.judge, trial{jobs: fresh, audited: who.Name})
		}
	}
	return free
}

// confirmed tells whether the other worker has told all games of the audit, and none otherwise.
func (t *trust) confirmed(a *audit, known []int) bool {
	told := map[int]bool{}
	for _, job := range known {
		told[job] = len(t.claims[job]) == 0
	}
	return !slices.ContainsFunc(a.jobs, func(job int) bool { return !told[job] })
}

// passed notes that an audit of a worker's jobs has ended well. It returns the jobs that may be told now.
func (t *trust) passed(p *play, worker string, jobs []int, now time.Time) (free []int) {
	m := p.c.roster.member(worker, now)
	m.Audited += int64(len(jobs))
	m.proven = true
	free = slices.Concat(jobs, t.held[worker])
	delete(t.held, worker)
	return free
}

// publish asks the other workers for the games of an audit.
func (t *trust) publish(p *play, a *audit, now time.Time) {
	expected := time.Duration(len(a.jobs)) * p.c.pace.of(p.dealer.search[p.batch.Jobs[a.jobs[0]].Player])
	a.due = now.Add(overdue*(expected+usualBlock) + overdueAfter)
	t.audits[p.send(a.jobs, a.worker)] = a
}

// resend publishes audits anew whose messages may be lost.
func (t *trust) resend(p *play) {
	audits := t.audits
	t.audits = map[string]*audit{}
	for _, a := range audits {
		t.publish(p, a, time.Now())
	}
}

// next returns what this machine shall play now.
func (t *trust) next(now time.Time) (next trial, any bool) {
	for id, a := range t.audits {
		if now.After(a.due) {
			delete(t.audits, id)
			t.judge, t.late = append(t.judge, trial{jobs: a.jobs, audited: a.worker}), true
		}
	}
	if len(t.judge) == 0 {
		return trial{}, false
	}
	next, t.judge = t.judge[0], t.judge[1:]
	t.trying++
	return next, true
}

// judgeAll plays what must be decided here.
func (p *play) judgeAll(ctx context.Context) {
	var next trial
	for p.await(ctx, func(now time.Time) (any bool) { next, any = p.trust.next(now); return any }) {
		_, err := p.c.referee.Play(ctx, p.only(next.jobs), func(i int, o simulator.Outcome) error { return p.decide(next.jobs[i], o) })
		if err != nil {
			p.fail(err)
			return
		}
		var free []int
		p.c.mutex.Lock()
		p.trust.trying--
		if next.audited != "" {
			free = p.trust.passed(p, next.audited, next.jobs, time.Now())
		}
		if next.refused != "" {
			p.c.cutOff(next.refused, "it could not play what this machine could: "+next.reason)
		}
		p.untold += len(free)
		p.changed.Broadcast()
		p.c.mutex.Unlock()
		p.tell(free...)
	}
}

// decide holds what was told of a game against what this machine has played.
func (p *play) decide(job int, truth simulator.Outcome) error {
	p.c.mutex.Lock()
	if p.note(job, truth) {
		p.untold++
		p.c.mutex.Unlock()
		p.tell(job)
		return nil
	}
	defer p.c.mutex.Unlock()
	told := append(p.trust.claims[job], p.outcomes[job])
	delete(p.trust.claims, job)
	for _, o := range told {
		switch {
		case o.Result == truth.Result:
		case o.Worker == "":
			return fmt.Errorf("this machine has played the game with seed %d twice, with %d and %d points: its memory or its processor is faulty",
				p.batch.Jobs[job].Seed, o.Score, truth.Score)
		default:
			reason := fmt.Sprintf("it told %d points in %d moves of the game with seed %d, which has %d in %d",
				o.Score, o.Moves, p.batch.Jobs[job].Seed, truth.Score, truth.Moves)
			p.c.cutOff(o.Worker, reason)
			if !slices.ContainsFunc(p.c.wrong, func(u *experiments.Untrusted) bool { return u.Worker == o.Worker }) {
				p.c.wrong = append(p.c.wrong, &experiments.Untrusted{Worker: o.Worker, Reason: reason})
			}
		}
	}
	return p.c.anyWrong()
}

// errWrong ends a batch because workers were found out.
var errWrong = errors.New("cluster: a worker is wrong")

// anyWrong is errWrong if there are workers of whom nobody was told yet.
func (c *Coordinator) anyWrong() error {
	if len(c.wrong) > 0 {
		return errWrong
	}
	return nil
}

// takeWrong returns one of them, whom its caller is told of now.
func (c *Coordinator) takeWrong() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	first := c.wrong[0]
	c.wrong = c.wrong[1:]
	return first
}

// cutOff believes a worker no more.
func (c *Coordinator) cutOff(worker, reason string) {
	m := c.roster.member(worker, time.Now())
	if m.CutOff != "" {
		return
	}
	m.CutOff = reason
	go c.say()
}
