package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
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
them. "games" and "search" ("depth 3") may be given too. All candidates play the same seeds, which no other phase plays. With
"instance": 77 all play the seeds of that instance instead. An id that was asked before with the same weights is answered from
the database. A wrong line is answered by {"error": "line 3: ...", "id": "t1"}. Waiting lines are played together on all workers.`

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
	err = in.evaluate(ctx, e, x)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		fmt.Fprintln(in.stderr, "interrupted: everything finished so far is saved; the same ids go on from here")
	}
	return err
}

// evaluate wires store and simulator.
func (in *invocation) evaluate(ctx context.Context, e evalFlags, x experiments.Eval) error {
	store, err := results.Open(e.database)
	if err != nil {
		return err
	}
	store.Wait(ctx, lockPatience, func(text string) { fmt.Fprintln(in.stderr, text) })
	x.Store, x.Archive, x.Simulator = store, store.Reader(), simulator.NewPool(e.workers)
	return errors.Join(x.Run(ctx), store.Close())
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

		Instance int `json:"instance"`
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
		want := map[string]string{"": "want an object", "id": "id: want a text", "search": "search: want a text", "games": "games: want a whole number", "instance": "instance: want a whole number"}[wrongType.Field]
		return q, line.ID, "", fmt.Errorf("%s, got %s", want, wrongType.Value)
	case err != nil:
		return q, line.ID, "", errors.New(strings.TrimPrefix(err.Error(), "json: "))
	case d.More():
		return q, line.ID, "", errors.New("want one object on a line, got something after it")
	case line.ID == nil || len(*line.ID) > 200 || !utf8.ValidString(*line.ID):
		return q, line.ID, "", errors.New(`id: want a text of at most 200 bytes, such as "t1"`)
	case line.Instance < 0 || line.Instance >= 1<<53:
		return q, line.ID, "", fmt.Errorf("instance: want 0 to 2^53 - 1, got %d", line.Instance)
	}
	q = s.usual
	q.ID, q.Instance = *line.ID, line.Instance
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
