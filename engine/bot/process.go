package bot

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"tune2048/engine"
)

const (
	grace   = 250 * time.Millisecond // for a bot to exit after the end of its input
	maxLine = 1 << 20                // the longest line that it may print, in bytes
)

// Game is a finished game. Where the bot does not choose moves, Final is not known, and MaxTile and
// Moves are 0 unless it said them.
type Game struct {
	engine.Result
	CPU    time.Duration // of the bot since its last game or its start; 0: unknown
	Before error         // the bot's fault in a first attempt that failed, unless it was silent; or nil
}

// Process is a bot that plays one game after the other. One goroutine uses it.
type Process struct {
	Stderr io.Writer // gets the bot's stderr from another goroutine; nil: failures have its end

	program Program
	child   *child                 // nil: not running
	reader  *bufio.Reader          // of the child's stdout
	line    []byte                 // reused
	files   map[string]os.FileInfo // of program.Hashes
	scratch string                 // folder for the bot's temporary files; empty: not made yet
}

// New returns a process that starts with its first game. p.Check has passed.
func New(p Program) *Process {
	if p.Watch == nil {
		p.Watch = new(Watch)
	}
	return &Process{program: p, reader: bufio.NewReaderSize(nil, maxLine), files: map[string]os.FileInfo{}}
}

// Close ends the bot, by the end of its input or by killing it, and removes its temporary files. It
// returns the fault of a bot that had printed more than was asked, or nil.
func (p *Process) Close() (did error) {
	if c := p.child; c != nil {
		c.in.Close()
		select {
		case <-c.ended:
		case <-time.After(grace):
		}
		did = c.tooMuch()
		p.end()
	}
	if p.scratch != "" {
		os.RemoveAll(p.scratch)
		tellGuard(false, 0, p.scratch)
	}
	p.scratch = ""
	return did
}

// Play plays the game of a seed. Rules and observe count for Moves only, see engine.Play.
//
// A bot that fails is killed and started again, and plays the same game once more. observe then
// gets a zero Step, and the game from its start. A second failure is the error, a *Failure. A bot
// that refuses its weights is not asked again. A program that answers nothing, whatever its
// weights, is a *Mute. An error of another type is of a program that cannot be started. When ctx is
// done the bot is killed, and the error is ctx's.
func (p *Process) Play(ctx context.Context, rules engine.Rules, seed uint64, weights []Weight,
	observe func(engine.Step) bool) (Game, error) {
	var before error
	for {
		g, did := p.attempt(ctx, rules, seed, weights, observe)
		if isError[silence](before) && isError[silence](did) {
			did = p.program.silentAgain(did)
		}
		switch failure := p.failure(seed, weights, did); {
		case did == nil:
			if !isError[silence](before) { // the machine may have been busy
				g.Before = before
			}
			return g, nil
		case ctx.Err() != nil:
			return Game{}, context.Cause(ctx)
		case before != nil || isError[muteness](did) || Refused(did.Error()):
			return Game{}, failure
		case observe != nil:
			observe(engine.Step{})
		}
		before = did
	}
}

// failure is the error of a game.
func (p *Process) failure(seed uint64, weights []Weight, did error) error {
	if start, failed := errors.AsType[*notStarted](did); failed {
		return fmt.Errorf("bot %s: %w", strings.Join(p.program.Command, " "), advise(start.error))
	}
	if isError[muteness](did) {
		return &Mute{p.program.Command, did}
	}
	return &Failure{p.program.Command, seed, weights, did}
}

// isError reports whether an error has this type, or wraps one that has it.
func isError[E error](err error) bool {
	_, found := errors.AsType[E](err)
	return found
}

// notStarted is the error of a program that cannot be started, which is no candidate's fault.
type notStarted struct{ error }

// Move returns the move of a bot that answers moves, on a board with a legal move. Its errors are
// those of Play, but nothing is asked again.
func (p *Process) Move(ctx context.Context, seed uint64, weights []Weight, board engine.Board,
	score int) (engine.Move, error) {
	stop, did := p.ready(ctx, seed, weights)
	if did != nil {
		return engine.NoMove, p.failure(seed, weights, did)
	}
	defer stop()
	m := mover{child: p.child, score: score, line: p.line}
	move, _ := m.Choose(board)
	switch {
	case m.err == nil:
		return move, nil
	case ctx.Err() != nil:
		return engine.NoMove, context.Cause(ctx)
	}
	return engine.NoMove, p.failure(seed, weights, p.blame(m.err))
}

// blame adds the end of the bot's stderr to the bot's fault, and ends the bot.
func (p *Process) blame(did error) error {
	c := p.child
	if p.end(); len(c.log) > 0 {
		return fmt.Errorf("%w\nThe end of its stderr:\n%s", did, c.log.lines())
	}
	return did
}

// ready starts the bot unless it runs, and makes the line that begins the game of a seed. Until a
// call of stop the end of ctx kills the bot. stop returns false if it did.
func (p *Process) ready(ctx context.Context, seed uint64, weights []Weight) (stop func() bool, did error) {
	did = ctx.Err()
	if did == nil && p.child == nil {
		did = p.start(seed, weights)
		if did != nil {
			did = &notStarted{did}
		}
	}
	if did != nil {
		return nil, did
	}
	c := p.child
	p.line = fmt.Appendf(p.line[:0], `{"seed": %d, "weights": %s}`+"\n", seed, appendWeights(nil, weights))
	return context.AfterFunc(ctx, func() { c.kill(context.Cause(ctx)) }), nil
}

// attempt plays the game once. Its error names the bot's fault.
func (p *Process) attempt(ctx context.Context, rules engine.Rules, seed uint64, weights []Weight,
	observe func(engine.Step) bool) (g Game, did error) {
	stop, did := p.ready(ctx, seed, weights)
	if did != nil {
		return g, did
	}
	c := p.child
	switch p.program.Answers {
	case Moves:
		m := mover{child: c, line: p.line}
		g = Game{Result: engine.Play(rules, seed, &m, func(s engine.Step) bool {
			return m.err == nil && (observe == nil || observe(s))
		})}
		did, p.line = m.err, m.line
	case Games:
		did = c.ask(p.line, func(line []byte) (err error) { g, err = parseGame(seed, line); return err })
	case Score:
		var answer []byte
		answer, did = c.lastLine()
		if did == nil {
			g, did = parseGame(seed, answer)
			g.CPU = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		}
	}
	if used := cpuTime(c.Process.Pid); used > 0 && p.program.Answers != Score {
		g.CPU, c.spent = max(used-c.spent, time.Microsecond), max(used, c.spent) // less than a tick is not unknown
	}
	switch stopped := stop(); {
	case did != nil:
		if waited := c.clock.silence(); !stopped {
			p.program.Watch.note(Waits{Cut: waited})
		} else if isError[silence](did) {
			p.program.Watch.note(Waits{Late: waited})
			p.program.Watch.warnOfCrowd(&p.program)
		}
		did = p.blame(did)
	case !stopped || p.program.Answers == Score:
		p.end()
	}
	return g, did
}

// mover is the player of engine.Play that asks the bot. After an error its moves do not count.
type mover struct {
	child *child
	line  []byte // to be sent before the board
	score int
	err   error
}

func (m *mover) Choose(b engine.Board) (move engine.Move, nodes int64) {
	m.line = appendBoard(m.line, b, m.score)
	m.err = m.child.ask(m.line, func(line []byte) (err error) { move, err = parseMove(line); return err })
	m.line = m.line[:0]
	if m.err == nil {
		_, reward, legal, _ := b.Slide(move)
		m.score += reward
		if !legal {
			m.err = fmt.Errorf("it chose the illegal move %v on board %v", move, b)
		}
	}
	return move, 0
}

// child is a running program.
type child struct {
	*exec.Cmd
	in     io.WriteCloser
	out    *os.File
	reader *bufio.Reader           // of the child
	early  []byte                  // of out, ahead of the reader
	log    tail                    // of stderr
	kill   context.CancelCauseFunc // kills the group
	why    func() error            // says why it was killed, or nil
	ended  chan struct{}           // closed when the program has ended and its stderr is read
	clock  answerClock             // kills a silent bot
	spent  time.Duration           // CPU time at the end of the last game
}

// start starts the program for the game of a seed.
func (p *Process) start(seed uint64, weights []Weight) (err error) {
	if err := p.program.unchanged(p.files); err != nil {
		return err
	}
	if p.scratch == "" {
		p.scratch, err = os.MkdirTemp("", "tune-bot-")
		if err != nil {
			return fmt.Errorf("a folder for its temporary files: %w (name one that may be written with TMPDIR=FOLDER)", err)
		}
		tellGuard(true, 0, p.scratch)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	c := &child{kill: cancel, why: func() error { return context.Cause(ctx) }, reader: p.reader,
		clock: answerClock{timeout: p.program.Timeout, kill: cancel, program: &p.program}, ended: make(chan struct{})}
	c.Cmd, err = p.program.command(ctx, seed, weights)
	if err != nil {
		return err
	}
	c.Env = append(os.Environ(), "TMPDIR="+p.scratch, "TMP="+p.scratch, "TEMP="+p.scratch)
	c.SysProcAttr = attributes()
	c.Cancel = func() error { killGroup(c.Process); return nil }
	c.WaitDelay = grace // for a process that left the group and holds stderr
	c.Stderr = p.Stderr
	if p.Stderr == nil {
		c.Stderr = &c.log
	}
	var stdout *os.File
	c.out, stdout, err = os.Pipe()
	if err != nil {
		return err
	}
	c.Stdout = stdout
	c.in, err = c.StdinPipe()
	if err != nil {
		return err
	}
	err = c.Start()
	if stdout.Close(); err != nil {
		c.out.Close()
		return err
	}
	tellGuard(true, c.Process.Pid, "")
	go func() {
		c.Wait() // its error is in ProcessState
		killGroup(c.Process)
		tellGuard(false, c.Process.Pid, "")
		time.AfterFunc(grace, func() { c.out.Close() }) // as WaitDelay
		close(c.ended)
	}()
	c.reader.Reset(c)
	p.child = c
	return nil
}

// end kills the group and waits until the program has ended.
func (p *Process) end() {
	p.child.kill(nil)
	<-p.child.ended
	p.child.out.Close()
	p.child = nil
}

// Read reads what the bot prints.
func (c *child) Read(into []byte) (n int, err error) {
	n = copy(into, c.early)
	if n == 0 {
		return c.out.Read(into)
	}
	c.early = c.early[n:]
	return n, nil
}

// ask sends lines and parses the answer. The error names the bot's fault: the first line that is no
// answer, whenever it was printed, or else an answer too many.
func (c *child) ask(lines []byte, parse func([]byte) error) error {
	c.clock.start()
	defer c.clock.stop()
	early := c.tooMuch() != nil
	_, failed := c.in.Write(lines)
	line, err := c.reader.ReadSlice('\n')
	if err != nil {
		return c.cut(line, err)
	}
	c.clock.answered()
	if why := refusal(line); why != nil { // it may also answer the board that came with the start line
		return why
	}
	if did := parse(trim(line)); did != nil {
		return did
	} else if early {
		return tooMuch(line)
	} else if failed != nil {
		return c.gone()
	}
	if extra, _ := c.reader.Peek(c.reader.Buffered()); bytes.ContainsRune(extra, '\n') {
		return cmp.Or(parse(trim(firstOf(extra))), tooMuch(extra))
	}
	return nil
}

// trim returns a line without its end.
func trim(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

// firstOf returns the first line of a text, with its end if it has one.
func firstOf(text []byte) []byte {
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		return text[:end+1]
	}
	return text
}

// tooMuch is the fault of a bot that has printed something before it was asked, or nil. The bytes
// are read again.
func (c *child) tooMuch() error {
	extra, _ := c.reader.Peek(c.reader.Buffered())
	if len(extra) == 0 {
		var ahead [80]byte
		c.early = append(c.early, ahead[:unread(c.out, ahead[:])]...)
		extra = c.early
	}
	if len(extra) == 0 {
		return nil
	}
	return tooMuch(extra)
}

// tooMuch is the fault of a bot that has printed these lines.
func tooMuch(extra []byte) error {
	return fmt.Errorf("it printed %s when nothing was asked: want one line for each board or game: log to stderr",
		clip(firstOf(extra)))
}

// lastLine waits for the program to exit, and returns the last line that it printed, as an object.
// Blank lines do not count. Its error names the bot's fault.
func (c *child) lastLine() (last []byte, err error) {
	c.clock.start()
	defer c.clock.stop()
	c.in.Close()
	for err == nil {
		var line []byte
		line, err = c.reader.ReadSlice('\n')
		if text := bytes.TrimSpace(line); len(text) > 0 {
			last = append(last[:0], text...)
		}
	}
	if err != io.EOF {
		return nil, c.cut(nil, err)
	}
	if <-c.ended; c.why() != nil || c.ProcessState == nil || !c.ProcessState.Success() {
		return nil, c.gone()
	}
	c.clock.answered()
	if x, err := strconv.ParseFloat(string(last), 64); err == nil && math.Abs(x) <= maxScore && json.Valid(last) {
		last = fmt.Appendf(nil, `{"score": %s}`, last)
	}
	return last, nil
}

// cut says why a line of stdout could not be read to its end.
func (c *child) cut(line []byte, err error) error {
	if err == bufio.ErrBufferFull {
		return errors.New("it printed a line longer than 1 MB: log to stderr")
	}
	gone := c.gone()
	if len(line) > 0 {
		gone = fmt.Errorf("%w; its line %s has no end", gone, clip(line))
	}
	return gone
}

// gone waits for the end of a program that has closed a pipe, and says how it ended. The clock ends
// one that lives on. So the text, which is a part of the results, is the same on a busy machine.
func (c *child) gone() error {
	<-c.ended
	return cmp.Or(c.why(), fmt.Errorf("it exited (%v)", c.ProcessState))
}

// cpuTime returns the CPU time of a process of Linux and of its children: a command may be a script
// that starts the bot. Elsewhere it is 0.
func cpuTime(pid int) (total time.Duration) {
	folder := fmt.Sprintf("/proc/%d/", pid)
	stat, _ := os.ReadFile(folder + "stat")
	if fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]); len(fields) > 15 {
		for _, field := range fields[11:15] { // of itself and of children that have ended
			ticks, _ := strconv.Atoi(string(field))
			total += time.Duration(ticks) * (time.Second / 100) // 100 on all processors, see proc(5)
		}
	}
	lists, _ := filepath.Glob(folder + "task/*/children")
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		for _, child := range bytes.Fields(children) {
			pid, _ := strconv.Atoi(string(child))
			total += cpuTime(pid)
		}
	}
	return total
}
