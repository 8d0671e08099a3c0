package bot

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A bot that does not flush never answers, whatever its weights are. A Watch finds that out before
// the timeouts of many candidates have passed.

const (
	warnAfter = time.Second      // that the program has not answered yet
	muteAfter = 10 * time.Second // a bot of moves is mute that has not answered its first board, unless its timeout is longer
	// maxSilent is the number of players whose games ended in silence before anything was
	// answered. Then the program is mute. A few players may be silent by their weights.
	maxSilent = 5
)

// Watch knows whether a program has answered, in whichever of its processes: they share it. The
// zero value is one of a program that has not.
type Watch struct {
	// Warn gets a line, once, if the program does not answer for a second, and once, if it is late
	// where more games run at once than there are processors. It may be nil.
	Warn   func(text string)
	AtOnce int // games of the program; 0: unknown

	heard  atomic.Bool
	warned sync.Once
	crowd  sync.Once    // warned of it
	silent atomic.Int64 // players whose games ended in silence before heard
	mu     sync.Mutex   // guards waits
	waits  Waits
}

// Heard reports whether the program has answered.
func (w *Watch) Heard() bool { return w.heard.Load() }

// Hear notes that the program has answered.
func (w *Watch) Hear() {
	if !w.heard.Load() { // most often it has: so processors share the memory
		w.heard.Store(true)
	}
}

// Waits are the longest times for which answers of a program were due.
type Waits struct {
	Answered time.Duration // until they came
	Late     time.Duration // until the timeout ended them
	Cut      time.Duration // until the end of their game's context cut them off
}

// Waits returns the longest waits so far.
func (w *Watch) Waits() Waits {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.waits
}

// note notes waits.
func (w *Watch) note(n Waits) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waits = Waits{max(w.waits.Answered, n.Answered), max(w.waits.Late, n.Late), max(w.waits.Cut, n.Cut)}
}

// remedies say what a bot must do to be heard, by Program.Answers.
var remedies = map[string]string{
	Moves: "it must answer each board before it reads on, end the answer with a newline, and flush stdout, " +
		"in Python print(..., flush=True)",
	Games: "it must answer each game before it reads on, end the answer with a newline, and flush stdout, " +
		"in Python print(..., flush=True)",
	Score: "it must print its score, flush stdout, and exit",
}

// Remedy says what the bot must do to be heard.
func (p *Program) Remedy() string { return remedies[p.Answers] }

// warn says that the program has not answered yet.
func (w *Watch) warn(p *Program) {
	w.warned.Do(func() {
		if w.Warn == nil {
			return
		}
		first := "its first game yet, which may take its time"
		if p.Answers == Moves {
			first = "its first board yet"
		}
		w.Warn(fmt.Sprintf("bot %s has not answered %s: %s", strings.Join(p.Command, " "), first, p.Remedy()))
	})
}

// warnOfCrowd says why a program may be late that does not share its processor otherwise.
func (w *Watch) warnOfCrowd(p *Program) {
	if cores := runtime.GOMAXPROCS(0); w.AtOnce > cores && w.Warn != nil {
		w.crowd.Do(func() {
			w.Warn(fmt.Sprintf("bot %s has not answered within %v: %d of it run at once, with %d processors; start fewer with "+
				"-workers %[4]d, or give it a longer timeout", strings.Join(p.Command, " "), p.Timeout, w.AtOnce, cores))
		})
	}
}

// silentAgain counts a player of whose game two attempts ended in silence, for this fault. It
// returns a fault of the program if that is more than a few players and nothing was ever answered.
func (p *Program) silentAgain(did error) error {
	w := p.Watch
	if w.Heard() {
		return did
	}
	n := w.silent.Add(1)
	if n < maxSilent {
		return did
	}
	_, log, _ := strings.Cut(did.Error(), "\n")
	return muteness(strings.TrimSpace(fmt.Sprintf("it has answered nothing, and the games of %d players ended in silence "+
		"for %v: %s; or it needs a longer timeout\n%s", n, p.Timeout, p.Remedy(), log)))
}

// muteness is the fault of a program that answers nothing.
type muteness string

func (m muteness) Error() string { return string(m) }

// Mute is the error of a program that answers nothing, which is no candidate's fault.
type Mute struct {
	Command []string
	Did     error // how it was found out, with the program's last lines of stderr
}

func (m *Mute) Error() string { return fmt.Sprintf("bot %s: %v", strings.Join(m.Command, " "), m.Did) }
