package cluster

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/simulator"
)

// Whatever a worker sends comes in here. Whoever has the token may send anything. NATS bounds a
// message, and what waits for the run.
const (
	maxPending = 16 << 20 // bytes of one kind of message that wait for the run; NATS drops others
	maxCores   = 1024     // of a worker
	maxThreads = 256      // of a bot, whose time is its CPU time
)

// letIn reads a worker's message, and returns the id and the name of its connection. An error names
// the worker.
func letIn(m *nats.Msg) (r result, id, name string, err error) {
	tokens := strings.Split(m.Subject, ".")
	id = strings.Join(tokens[len(tokens)-2:], ".")
	name, err = nameOf(id)
	if err != nil {
		return r, id, name, err
	}
	if strings.HasPrefix(m.Subject, playedPrefix) {
		r, err = decode[result](m.Data)
	} else { // whatever else it has is skipped
		r.hello, err = decode[hello](m.Data)
	}
	inbox := inboxPrefix + id + "." // which NATS does not check
	if err == nil && !strings.HasPrefix(cmp.Or(m.Reply, inbox), inbox) {
		err = fmt.Errorf("it wants the answer at %.100q", m.Reply)
	}
	if err != nil {
		err = fmt.Errorf("worker %s: %w", name, err)
	}
	return r, id, name, err
}

// program is the bot that plays a job, or nil.
func (p *play) program(job int) *bot.Program {
	return p.batch.Players[p.batch.Jobs[job].Player].Heuristic.Bot
}

// outcome returns a worker's outcome of a job, and whether a game can end so. A false time counts
// no longer than the block of the game was out. A bot's time is the time of all its threads.
func (p *play) outcome(job int, game resultGame, from *member) (o simulator.Outcome, fits bool) {
	o = simulator.Outcome{Result: game.Result, Failed: game.Failed, Worker: from.name}
	most := p.dealer.most(job, p.began, time.Now())
	if p.program(job) != nil {
		most = maxThreads * time.Since(p.began)
	}
	o.Duration = min(max(0, game.Duration), most).Truncate(time.Microsecond)
	if o.Failed != "" {
		o.Result = engine.Result{}
	}
	if p.program(job) != nil && game.Unlike != "" {
		o.Unlike = fmt.Sprintf("%s (worker %s)", game.Unlike, from.name)
	}
	return o, p.fits(job, o)
}

// fits reports whether a game can end so. Only bots fail. One that plays by itself may have any
// score that it could have printed.
func (p *play) fits(job int, o simulator.Outcome) bool {
	program := p.program(job)
	switch {
	case len(o.Failed)+len(o.Unlike) > 2*faultBytes:
		return false
	case program != nil && o.Failed != "":
		return true
	case program != nil && program.Answers != bot.Moves:
		return bot.Fits(o.Result)
	}
	return o.Failed == "" && o.Result.Check() == nil
}

// tried reports whether somebody played a game, or tried to: a bot's fault is of this game. Games
// that follow a game that failed have its fault, and are not tried.
func (p *play) tried(job int, o simulator.Outcome) bool {
	return o.Failed == "" || bot.Refused(o.Failed) || bot.Recorded(nil, nil, o.Failed).Seed == p.batch.Jobs[job].Seed
}
