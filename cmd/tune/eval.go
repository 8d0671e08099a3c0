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
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/experiments"
	"tune2048/results/report"
)

// eval scores the candidates of another program's optimizer.
func evalCandidates(ctx context.Context, in *invocation) error {
	f := in.flags()
	var workers, games int
	config := f.String("config", "",
		"the config `FILE` (required); its stages say how candidates play, its optimizer is not used")
	f.Var(&wholeNumber{&games, 1, experiments.MaxQuestion}, "games",
		"play this `NUMBER` of games with each candidate; if not given, as many as the config's first stage")
	workersFlag(f, &workers, 1, "play this `NUMBER` of games at once; no result depends on it")
	in.databaseFlag(f)
	f.Lookup("db").Usage = "not used: nothing is stored"
	f.Bool("new", false, "not used: nothing is stored")
	if _, err := in.parse(f, 0); err != nil {
		return err
	}
	for _, name := range []string{"db", "new"} {
		if given(f, name) {
			fmt.Fprintf(in.stderr, "warning: -%s does nothing: eval stores nothing\n", name)
		}
	}
	c, err := in.load(*config)
	if err != nil {
		return err
	}
	if games == 0 {
		games = c.Stages[0].Games
	}
	s := &evalStream{
		config: c, usual: experiments.Question{Games: games, Search: c.Stages[0].Search},
		in: bufio.NewReaderSize(os.Stdin, mostLine), out: json.NewEncoder(in.stdout),
	}
	s.out.SetEscapeHTML(false)
	fmt.Fprintf(in.stderr, "%s each at %s, unless a line says otherwise\n", report.Count(games, "game"), s.usual.Search)
	p := newProgress(in.screen, func() string {
		if s.answered == 0 || terminal(in.data) != nil { // which shows the answers
			return ""
		}
		return fmt.Sprintf("eval: %s answered, %s", report.Count(s.answered, "line"), report.Count(s.games, "game"))
	})
	defer p.stop()
	for pool := in.pool(workers); ; {
		questions, err := s.next(ctx)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		answers, err := experiments.Evaluate(ctx, c, pool, questions...)
		if err == nil {
			p.update(func() { err = s.answer(answers) })
		}
		if err != nil {
			return err
		}
	}
}

// evalStream is the conversation with an optimizer.
type evalStream struct {
	config *configs.Config
	usual  experiments.Question // games and search, where a line does not say
	in     *bufio.Reader
	out    *json.Encoder

	number          int        // of the line that was read last
	asked           []evalLine // that are being answered
	answered, games int
}

// evalLine is a line of the input.
type evalLine struct {
	number   int             // from 1
	id       json.RawMessage // as in the line, whatever it is; nil: it cannot be read
	question int             // its index among the questions, if it is one
	warning  string          // names the weights outside their range; empty: there are none
	err      error           // it is no question
}

const (
	mostLines = 256     // are answered at once: their games are in memory together
	mostLine  = 1 << 20 // bytes
	mostID    = 100     // characters
)

// next waits for a line, and takes all that wait with it.
func (s *evalStream) next(ctx context.Context) ([]experiments.Question, error) {
	var questions []experiments.Question
	read := make(chan error, 1)
	go func() {
		var err error
		questions, err = s.read()
		read <- err
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case err := <-read:
		return questions, err
	}
}

// read is next without an interruption.
func (s *evalStream) read() (questions []experiments.Question, err error) {
	s.asked = nil
	for {
		text, err := s.in.ReadSlice('\n')
		s.number++
		line := evalLine{number: s.number}
		for err == bufio.ErrBufferFull {
			line.err = fmt.Errorf("want a line of at most %d MB", mostLine>>20)
			text, err = s.in.ReadSlice('\n')
		}
		if line.err == nil && len(bytes.TrimSpace(text)) > 0 {
			var q experiments.Question
			if q, line.err = s.parse(text, &line); line.err == nil {
				line.question = len(questions)
				questions = append(questions, q)
			}
		}
		if line.id != nil || line.err != nil {
			s.asked = append(s.asked, line)
		}
		switch {
		case err == io.EOF && len(s.asked) > 0:
			return questions, nil
		case err == io.EOF:
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("read the candidates: %w", err)
		}
		waiting, _ := s.in.Peek(s.in.Buffered())
		if len(s.asked) == mostLines || len(s.asked) > 0 && !bytes.ContainsRune(waiting, '\n') {
			return questions, nil
		}
	}
}

// readableID finds the id in a line that is no JSON as a whole: a weight in it may be NaN.
var readableID = regexp.MustCompile(`"id"\s*:\s*("(?:[^"\\]|\\.)*")`)

// repeated returns a key that an object has twice, or "". encoding/json would take the last one, in
// large or small letters.
func repeated(object []byte) string {
	var keys []string
	d := json.NewDecoder(bytes.NewReader(object))
	for d.Token(); d.More(); d.Decode(new(json.RawMessage)) {
		key, _ := d.Token()
		name := fmt.Sprint(key)
		if slices.ContainsFunc(keys, func(other string) bool { return strings.EqualFold(name, other) }) {
			return name
		}
		keys = append(keys, name)
	}
	return ""
}

// parse returns the question of a line, and sets the line's id and warning.
func (s *evalStream) parse(text []byte, line *evalLine) (q experiments.Question, err error) {
	var given struct {
		ID      json.RawMessage `json:"id"`
		Weights json.RawMessage `json:"weights"`
		Games   *int            `json:"games"`
		Search  *string         `json:"search"`

		Instance int `json:"instance"`
	}
	id := ""
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err = d.Decode(&given)
	line.id = given.ID
	if found := readableID.FindSubmatch(text); err != nil && line.id == nil && found != nil && json.Valid(found[1]) {
		line.id = bytes.Clone(found[1])
	}
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrongType):
		want := map[string]string{"": "want an object", "search": "search: want a text",
			"games": "games: want a whole number", "instance": "instance: want a whole number"}[wrongType.Field]
		return q, fmt.Errorf("%s, got %s", want, wrongType.Value)
	case err != nil:
		return q, errors.New(strings.TrimPrefix(err.Error(), "json: "))
	case d.More():
		return q, errors.New("want one object on a line, got something after it")
	case repeated(text) != "":
		return q, fmt.Errorf("%s: duplicate key", repeated(text))
	case line.id == nil || string(line.id) == "null":
		return q, errors.New(`id: missing: want a text, such as "t1"`)
	case json.Unmarshal(line.id, &id) != nil || id == "" || utf8.RuneCountInString(id) > mostID ||
		strings.ContainsRune(id, utf8.RuneError):
		return q, fmt.Errorf(`id: want a text of 1 to %d characters, such as "t1"`, mostID)
	case given.Instance < 0 || given.Instance >= 1<<53:
		return q, fmt.Errorf("instance: want 0 to 2^53 - 1, got %d", given.Instance)
	}
	q.Games, q.Search, q.Instance = s.usual.Games, s.usual.Search, given.Instance
	if given.Games != nil {
		q.Games = *given.Games
	}
	if given.Search != nil {
		if q.Search, err = engine.ParseSettings(*given.Search); err != nil {
			return q, err
		}
	}
	weights := map[string]float64{}
	if text := string(given.Weights); text != "" && text != "{}" {
		file, err := configs.ParseWeights(given.Weights, "weights")
		if err != nil {
			return q, err
		}
		weights = file.Weights
	}
	line.warning = strings.Join(outside(s.config, weights), "; ")
	q.Weights, err = s.config.Vector(weights)
	return q, err
}

// answer writes an answer to each line.
func (s *evalStream) answer(answers []experiments.Answer) error {
	type figures struct {
		ID        json.RawMessage `json:"id"`
		Fitness   float64         `json:"fitness"` // the config's objective, higher is better
		SE        *float64        `json:"se"`      // standard error of fitness; null of one game
		N         int             `json:"n"`       // games
		MeanScore float64         `json:"mean_score"`
		Warning   string          `json:"warning,omitempty"` // names the weights outside their range
	}
	type mistake struct {
		Error string          `json:"error"`
		ID    json.RawMessage `json:"id"`
	}
	for _, line := range s.asked {
		var a experiments.Answer
		if line.err == nil {
			a = answers[line.question]
			line.err = a.Err
		}
		se := known(a.Fitness.SE(), !math.IsInf(a.Fitness.SE(), 0))
		var answer any = figures{line.id, a.Fitness.Mean, se, a.Score.N, a.Score.Mean, line.warning}
		if line.err != nil {
			answer = mistake{fmt.Sprintf("line %d: %.1000v", line.number, line.err), line.id}
		}
		if err := s.out.Encode(answer); err != nil {
			return fmt.Errorf("write the answers: %w", err)
		}
		s.answered, s.games = s.answered+1, s.games+a.Score.N
	}
	return nil
}
