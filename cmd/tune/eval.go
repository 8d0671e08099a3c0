package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

const evalHelp = `One candidate a line comes in, one answer a line goes out, in the same order:
  {"id": "t1", "weights": {"empty": 270, "merges": 700}}
  {"id": "t1", "candidate": 1, "fitness": 11873.5, "se": 1520.1, "n": 12, "mean_score": 11873.5}
Weights that are absent are at their start. Weights outside their range are played, and a field "warning" of the answer names
them. "games" and "search" ("depth 3") may be given too. All candidates play the same
seeds, which are those of no other phase. An id that was asked before with the same weights is answered from the database; a
line that is wrong is answered by {"error": "line 3: ...", "id": "t1"}. Lines that wait are played together on all workers.

-target-runner speaks irace's form, after all other flags: configuration id, instance id, seed, instance, --name value ...; it
prints the cost, which is minus the fitness. Which games they are depends on irace's seed, not on its instance: one will do.`

// evalFlags are what eval takes.
type evalFlags struct {
	config, database string
	workers, games   int
	anew             bool
}

// eval tells the optimizer of another program what its candidates are worth.
func eval(ctx context.Context, in *invocation) error {
	f := in.flags()
	var e evalFlags
	f.StringVar(&e.config, "config", "", "the config `FILE` (required); its stages say how candidates play, its optimizer is not used")
	databaseFlag(f, &e.database)
	f.IntVar(&e.games, "games", 0, "play this `NUMBER` of games with each candidate; if not given, as many as the config's first stage")
	f.IntVar(&e.workers, "workers", runtime.NumCPU(), "play this `NUMBER` of games at once; no result depends on it")
	f.BoolVar(&e.anew, "new", false, "begin a new run even if candidates of this config have been evaluated before")
	target := f.Bool("target-runner", false, "evaluate one candidate, which the arguments after this flag give in irace's form")
	call := in.splitTargetRunner()
	if err := in.parseFlags(f); err != nil {
		return err
	}
	if err := in.checkWorkers(e.workers); err != nil {
		return err
	}
	c, err := in.load(e.config)
	if err != nil {
		return err
	}
	if !given(f, "games") {
		e.games = c.Stages[0].Games
	}
	usual := experiments.Question{Games: e.games, Search: c.Stages[0].Search}
	x := experiments.Eval{Config: c, New: e.anew}
	if *target {
		question, err := targetRunner(c, usual, call)
		if err != nil {
			return usageError{fmt.Errorf("eval: -target-runner: %w", err)}
		}
		return in.evalOne(ctx, e, x, question)
	}
	s := &evalStream{config: c, usual: usual, out: json.NewEncoder(in.stdout), lines: readLines(os.Stdin)}
	s.out.SetEscapeHTML(false)
	x.Next, x.Answer = s.next, s.answer
	x.Begun = func(run experiments.Run) {
		what := "new run"
		if run.Resumed {
			what = "run"
		}
		fmt.Fprintf(in.stderr, "%s %s: %s each at %s, unless a line says otherwise\n", what, run.Name, plural(e.games, "game"), usual.Search)
	}
	err = in.evaluate(ctx, e, x, false)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		fmt.Fprintln(in.stderr, "interrupted: everything finished so far is saved; the same ids go on from here")
	}
	return err
}

// splitTargetRunner takes what follows -target-runner from the arguments: it is in another form.
func (in *invocation) splitTargetRunner() (call []string) {
	for i, arg := range in.args {
		if arg == "-target-runner" || arg == "--target-runner" {
			in.args, call = in.args[:i+1], in.args[i+1:]
			break
		}
	}
	return call
}

// busyPause is how long evaluate waits before it asks again for a run that another process has.
const busyPause = 20 * time.Millisecond

// evaluate wires store and simulator. If patient, it waits for its turn while other processes have
// the run.
func (in *invocation) evaluate(ctx context.Context, e evalFlags, x experiments.Eval, patient bool) error {
	store, err := results.Open(e.database)
	if err != nil {
		return err
	}
	store.Wait(ctx, lockPatience, func(text string) { fmt.Fprintln(in.stderr, text) })
	x.Store, x.Archive, x.Simulator = store, store.Reader(), simulator.NewPool(e.workers)
	for {
		err = x.Run(ctx)
		if patient && errors.Is(err, experiments.ErrBusy) {
			select {
			case <-ctx.Done():
				err = ctx.Err()
			case <-time.After(busyPause):
				continue
			}
		}
		return errors.Join(err, store.Close())
	}
}

// evalStream is the conversation with an optimizer.
type evalStream struct {
	config *configs.Config
	usual  experiments.Question // games and search, where a line does not say
	lines  <-chan []inputLine
	out    *json.Encoder
	asked  []evalLine // that are being answered
}

// evalLine is a line and what became of it.
type evalLine struct {
	number   int
	id       *string // nil: it cannot be read
	question int     // its index among those that are asked; -1: the line is wrong
	warning  string  // names the weights outside their range; empty: there are none
	err      error
}

// next waits for lines, and takes all that are there.
func (s *evalStream) next(ctx context.Context) ([]experiments.Question, error) {
	var lines []inputLine
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case first, more := <-s.lines:
		if !more {
			return nil, io.EOF
		}
		lines = first
	}
	for len(lines) < mostLines {
		select {
		case others, more := <-s.lines:
			if more {
				lines = append(lines, others...)
				continue
			}
		default:
		}
		break
	}
	s.asked = nil
	var questions []experiments.Question
	for _, line := range lines {
		if line.err != nil && line.number == 0 {
			return nil, fmt.Errorf("read the candidates: %w", line.err)
		}
		asked := evalLine{number: line.number, question: -1, err: line.err}
		if line.err == nil {
			var q experiments.Question
			if q, asked.id, asked.warning, asked.err = s.parse(line.text); asked.err == nil {
				asked.question = len(questions)
				questions = append(questions, q)
			}
		}
		s.asked = append(s.asked, asked)
	}
	return questions, nil
}

// parse reads a line.
func (s *evalStream) parse(text []byte) (q experiments.Question, id *string, warning string, err error) {
	var line struct {
		ID      *string         `json:"id"`
		Weights json.RawMessage `json:"weights"`
		Games   *int            `json:"games"`
		Search  *string         `json:"search"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err = d.Decode(&line)
	if line.ID != nil && *line.ID == "" {
		line.ID = nil
	}
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrongType):
		want := map[string]string{"": "want an object", "id": "id: want a text", "search": "search: want a text", "games": "games: want a whole number"}[wrongType.Field]
		return q, line.ID, "", fmt.Errorf("%s, got %s", want, wrongType.Value)
	case err != nil:
		return q, line.ID, "", errors.New(strings.TrimPrefix(err.Error(), "json: "))
	case d.More():
		return q, line.ID, "", errors.New("want one object on a line, got something after it")
	case line.ID == nil || len(*line.ID) > 200 || !utf8.ValidString(*line.ID):
		return q, line.ID, "", errors.New(`id: want a text of at most 200 bytes, such as "t1"`)
	}
	q = s.usual
	q.ID = *line.ID
	if line.Games != nil {
		q.Games = *line.Games
	}
	if line.Search != nil {
		if q.Search, err = engine.ParseSettings(*line.Search); err != nil {
			return q, line.ID, "", err
		}
	}
	weights := map[string]float64{}
	if given := string(line.Weights); given != "" && given != "{}" {
		file, err := configs.ParseWeights(line.Weights, "weights")
		if err != nil {
			return q, line.ID, "", err
		}
		weights = file.Weights
	}
	q.Weights, err = s.config.Weights(weights)
	return q, line.ID, strings.Join(outside(s.config, weights), "; "), err
}

// answer writes an answer to each line.
func (s *evalStream) answer(_ []experiments.Question, answers []experiments.Answer) error {
	for _, line := range s.asked {
		err := line.err
		if err == nil {
			err = answers[line.question].Err
		}
		if err != nil {
			err = s.out.Encode(struct {
				Error string  `json:"error"`
				ID    *string `json:"id"`
			}{fmt.Sprintf("line %d: %v", line.number, err), line.id})
		} else {
			err = s.out.Encode(newEvalAnswer(*line.id, answers[line.question], line.warning))
		}
		if err != nil {
			return fmt.Errorf("write the answers: %w", err)
		}
	}
	return nil
}

// evalAnswer is what a candidate is worth.
type evalAnswer struct {
	ID        string   `json:"id"`
	Candidate int      `json:"candidate"` // number within the run
	Fitness   float64  `json:"fitness"`   // the config's objective, higher is better
	SE        *float64 `json:"se"`        // standard error of fitness; null of one game
	N         int      `json:"n"`         // games
	MeanScore float64  `json:"mean_score"`
	Warning   string   `json:"warning,omitempty"` // names the weights outside their range
}

func newEvalAnswer(id string, a experiments.Answer, warning string) evalAnswer {
	return evalAnswer{id, a.Candidate, a.Fitness.Mean, finite(a.Fitness.SE()), a.Score.N, a.Score.Mean, warning}
}

// A line is at most mostBytes long. About mostLines are answered at once: their games are in memory together.
const (
	mostBytes = 1 << 20
	mostLines = 256
)

// inputLine is a line of the input. An error with the number 0 is the input's, which ends.
type inputLine struct {
	number int // from 1
	text   []byte
	err    error
}

// readLines reads lines in the background, those that arrive together as one. Empty ones are left out.
func readLines(in io.Reader) <-chan []inputLine {
	to := make(chan []inputLine)
	go func() {
		defer close(to)
		r := bufio.NewReaderSize(in, 1<<16)
		number := 0
		for {
			var lines []inputLine
			for {
				text, tooLong, err := readLine(r)
				number++
				line := inputLine{number: number, text: text}
				if tooLong {
					line.err = fmt.Errorf("longer than %d bytes", mostBytes)
				}
				if tooLong || len(bytes.TrimSpace(text)) > 0 {
					lines = append(lines, line)
				}
				if err != nil && err != io.EOF {
					lines = append(lines, inputLine{err: err})
				}
				if err != nil {
					if len(lines) > 0 {
						to <- lines
					}
					return
				}
				if waiting, _ := r.Peek(r.Buffered()); !bytes.ContainsRune(waiting, '\n') || len(lines) == mostLines {
					break
				}
			}
			if len(lines) > 0 {
				to <- lines
			}
		}
	}()
	return to
}

// readLine reads a line of whatever length and keeps mostBytes of it at most.
func readLine(r *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > mostBytes; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, tooLong, err
		}
	}
}

// targetRunner reads a question in irace's form.
func targetRunner(c *configs.Config, usual experiments.Question, call []string) (q experiments.Question, err error) {
	if len(call) < 4 {
		return q, fmt.Errorf("want configuration id, instance id, seed, instance, then --name value for each weight; got %s", plural(len(call), "argument"))
	}
	seed, err := strconv.ParseInt(call[2], 10, 54)
	if err != nil || seed < 0 {
		return q, fmt.Errorf("seed: want a whole number from 0 to 2^53, got %s", call[2])
	}
	weights := map[string]float64{}
	for rest := call[4:]; len(rest) > 0; {
		name, value, joined := strings.Cut(strings.TrimLeft(rest[0], "-"), "=")
		isName := strings.HasPrefix(rest[0], "-")
		rest = rest[1:]
		if isName && !joined && len(rest) > 0 {
			value, rest, joined = rest[0], rest[1:], true
		}
		v, err := strconv.ParseFloat(value, 64)
		switch _, twice := weights[name]; {
		case !isName || !joined:
			return q, fmt.Errorf("want --name value, got %s", name)
		case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
			return q, fmt.Errorf("%s: want a number, got %s", name, value)
		case twice:
			return q, fmt.Errorf("%s is given twice", name)
		}
		weights[name] = v
	}
	q = usual
	q.Instance = int(seed)
	q.Weights, err = c.Weights(weights)
	return q, err
}

// evalOne answers one question with its cost. Others that are asked at the same time wait for one another: each plays on all
// workers.
func (in *invocation) evalOne(ctx context.Context, e evalFlags, x experiments.Eval, q experiments.Question) error {
	asked := false
	x.Begun = func(experiments.Run) {}
	x.Next = func(context.Context) ([]experiments.Question, error) {
		if asked {
			return nil, io.EOF
		}
		asked = true
		return []experiments.Question{q}, nil
	}
	x.Answer = func(_ []experiments.Question, answers []experiments.Answer) error {
		if answers[0].Err != nil {
			return usageError{fmt.Errorf("eval: %w", answers[0].Err)}
		}
		_, err := fmt.Fprintln(in.stdout, strconv.FormatFloat(-answers[0].Fitness.Mean, 'f', -1, 64))
		return err
	}
	return in.evaluate(ctx, e, x, true)
}
