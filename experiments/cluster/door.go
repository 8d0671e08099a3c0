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

// Whatever a worker sends comes in here. Whoever has the token may send anything, so each message
// has its limits, and what waits for the run has some, too.
const (
	mostCores      = 1024     // of a worker
	mostGames      = 2000     // of a result; mostBytes are fewer
	mostHello      = 16 << 10 // bytes of a hello
	mostText       = 100      // bytes of a version or a signature
	mostPending    = 10_000   // messages of one kind that wait for the run; NATS drops others
	pendingHellos  = 1 << 20  // bytes
	pendingResults = 16 << 20 // bytes
	mostNamesakes  = 100      // connections of one name
	mostComplaints = 100      // warnings of workers
	mostThreads    = 256      // of a bot, whose time is its CPU time
)

// letIn reads a worker's message, and returns the id of its connection. An error names the worker.
func letIn(m *nats.Msg) (r result, id string, err error) {
	tokens := strings.Split(m.Subject, ".")
	id = strings.Join(tokens[len(tokens)-2:], ".")
	name, err := nameOf(id)
	if err != nil {
		return r, id, err
	}
	if n := len(m.Data); n > mostHello && !strings.HasPrefix(m.Subject, playedPrefix) {
		err = fmt.Errorf("a hello has %d bytes, want at most %d", n, mostHello)
	} else {
		r, err = decode[result](m.Data)
	}
	inbox := inboxPrefix + id + "." // which NATS does not check
	switch {
	case err != nil:
	case !strings.HasPrefix(cmp.Or(m.Reply, inbox), inbox):
		err = fmt.Errorf("it wants the answer at %.100q", m.Reply)
	case r.Cores < 0 || r.Cores > mostCores:
		err = fmt.Errorf("it has %d cores, want 0 to %d", r.Cores, mostCores)
	case len(r.Version) > mostText || len(r.Signature) > mostText:
		err = fmt.Errorf("a version or a signature is longer than %d bytes", mostText)
	}
	if err != nil {
		err = fmt.Errorf("worker %s: %w", name, err)
	}
	return r, id, err
}

// program is the bot that plays a job, or nil.
func (p *play) program(job int) *bot.Program {
	return p.batch.Players[p.batch.Jobs[job].Player].Heuristic.Bot
}

// longest is the most that a worker's time of a job counts: the time since the job was dealt last.
// Where no worker got it, as after the run was resumed, it is the time since the batch began.
func (p *play) longest(job int) time.Duration {
	since := p.began
	if b := p.dealer.block[job]; b != nil && b.holder != nil {
		since = b.given
	}
	if p.program(job) != nil {
		return mostThreads * time.Since(since)
	}
	return time.Since(since)
}

// outcome returns a worker's outcome of a job, and whether a game can end so.
func (p *play) outcome(job int, game resultGame, from *member) (o simulator.Outcome, fits bool) {
	o = simulator.Outcome{Result: game.Result, Failed: game.Failed, Worker: from.name}
	o.Duration = min(max(0, game.Duration), p.longest(job)).Truncate(time.Microsecond)
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
