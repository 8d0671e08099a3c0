package main

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
	"regexp"
	"slices"
	"strings"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/portable"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/results/report"
	"tune2048/tuner"
)

// evalCandidates scores the candidates of another program's optimizer.
func evalCandidates(ctx context.Context, in *invocation) error {
	f := in.flags()
	var workers, games int
	file := f.String("config", "",
		"the config `FILE` (required); its stages say how candidates play, its optimizer is not used")
	f.Var(&wholeNumber{&games, 1, maxLineGames}, "games",
		"play this `NUMBER` of games with each candidate; if not given, as many as the config's first stage")
	workersFlag(f, &workers, 1, "play this `NUMBER` of games at once; no result depends on it")
	ranges := f.Bool("ranges", false, "print the weights to tune as JSON, a line each: name, range, start and scale; "+
		"near is where a ratio scale turns from differences to ratios")
	if _, err := in.parse(f, 0); err != nil {
		return err
	}
	c, err := in.load(*file)
	if err != nil {
		return err
	}
	if *ranges {
		return printRanges(in.stdout, c)
	}
	if games == 0 {
		games = cmp.Or(c.Stages[0].Games, config.UsualGames)
	}
	s := &evalStream{config: c, form: c.Form(), games: games, search: c.Stages[0].Search.String(),
		lines: make(chan []evalLine)}
	fmt.Fprintf(in.stderr, "%s each at %s, unless a line says otherwise\n", report.Count(games, "game"), s.search)
	pool := in.pool(workers)
	go s.read(os.Stdin)
	asked, wrong := 0, 0 // lines
	for {
		var lines []evalLine
		select {
		case <-ctx.Done():
			return ctx.Err()
		case lines = <-s.lines:
		}
		if lines == nil {
			if s.failed == nil && wrong > 0 && asked == 0 {
				return usagef("eval: no line is a candidate; want lines such as %s", s.example())
			}
			return s.failed
		}
		if err := evaluate(ctx, c, pool, lines); err != nil {
			return err
		}
		for _, line := range lines {
			if line.question.Games > 0 {
				asked++
			} else {
				wrong++
			}
			if err := line.answer(in.stdout); err != nil {
				return fmt.Errorf("write the answers: %w", err)
			}
		}
	}
}

// printRanges prints what another optimizer needs to know of a config, a line for each weight.
func printRanges(out io.Writer, c *config.Config) error {
	var lines []string
	for _, w := range c.Tunable() {
		near := 0.0 // of other scales
		if w.Scale == tuner.RatioScale {
			near = w.Turn()
		}
		text, _ := json.Marshal(struct { // never fails: they are finite
			Name  string  `json:"name"`
			Min   float64 `json:"min"`
			Max   float64 `json:"max"`
			Start float64 `json:"start"`
			Scale string  `json:"scale"`
			Near  float64 `json:"near,omitempty"`
			Whole bool    `json:"whole"`
		}{w.Name, w.Min, w.Max, w.Value, cmp.Or(w.Scale, tuner.LinearScale), near, w.Whole})
		lines = append(lines, string(text))
	}
	_, err := fmt.Fprintf(out, "[\n%s\n]\n", strings.Join(lines, ",\n"))
	return err
}

// evaluate plays the lines that ask a question. All candidates of an instance play the same
// seeds, so the same line has the same answer, whatever it is asked with. Nothing is stored. The
// error is ctx's.
func evaluate(ctx context.Context, c *config.Config, pool *simulator.Pool, lines []evalLine) error {
	var asked []*evalLine
	for i := range lines {
		if lines[i].failed == nil {
			asked = append(asked, &lines[i])
		}
	}
	slices.SortStableFunc(asked, func(a, b *evalLine) int { return strings.Compare(a.question.Search, b.question.Search) })
	var questions []experiments.Question
	for _, line := range asked {
		questions = append(questions, line.question)
	}
	lab := experiments.Lab{Simulator: pool, Objective: c.Objective}
	answers, err := lab.Ask(ctx, questions, nil)
	if err != nil { // weights that cannot be played fail their question
		return cmp.Or(ctx.Err(), err)
	}
	for i, e := range answers {
		if line := asked[i]; e.Failure != "" {
			line.failed = simulator.Failure(line.question.Player(), e.Failure)
		} else {
			line.Sample = c.Objective.Sample(e.Scores, e.Ranks)
		}
	}
	return nil
}

// evalStream has the questions of an optimizer as they come.
type evalStream struct {
	config *config.Config
	form   *eval.Form
	games  int    // where a line does not say
	search string // likewise
	lines  chan []evalLine
	failed error // why reading ended, when lines is closed
}

// evalLine is a line of the input with its answer.
type evalLine struct {
	number   int             // from 1
	id       json.RawMessage // as in the line, whatever it is; nil: it cannot be read
	question experiments.Question
	warning  string // names the weights outside their range; empty: there are none
	failed   error  // why there is no answer
	fitness.Sample
}

const (
	maxLines     = 256 // are answered at once: their games are in memory together
	maxLineGames = 10_000
)

// read sends the lines of the input, those that wait together.
func (s *evalStream) read(input io.Reader) {
	defer close(s.lines)
	in := bufio.NewReaderSize(config.Text(input), 1<<20)
	var waiting []evalLine
	for number, ended := 1, false; !ended; number++ {
		line := evalLine{number: number}
		text, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(text)) > 0 {
			line.failed = s.parse(text, &line)
		}
		if line.id != nil || line.failed != nil {
			waiting = append(waiting, line)
		}
		ended = err != nil
		if ended && err != io.EOF {
			s.failed = fmt.Errorf("read the candidates: %w", err)
		}
		rest, _ := in.Peek(in.Buffered())
		if waiting != nil && (ended || len(waiting) == maxLines || !bytes.ContainsRune(rest, '\n')) {
			s.lines <- waiting
			waiting = nil
		}
	}
}

// readableID finds the id in a line that is no JSON as a whole: a weight in it may be NaN.
var readableID = regexp.MustCompile(`"id"\s*:\s*("(?:[^"\\]|\\.)*")`)

// parse sets the line's question, id and warning.
func (s *evalStream) parse(text []byte, line *evalLine) (err error) {
	given := struct {
		ID       json.RawMessage `json:"id"`
		Weights  json.RawMessage `json:"weights"`
		Games    int             `json:"games"`
		Search   string          `json:"search"`
		Instance int             `json:"instance"`
	}{Games: s.games, Search: s.search}
	id := ""
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err = d.Decode(&given)
	_, ended := d.Token()
	line.id = given.ID
	if found := readableID.FindSubmatch(text); err != nil && line.id == nil && found != nil && json.Valid(found[1]) {
		line.id = bytes.Clone(found[1])
	}
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrongType):
		want := map[string]string{"": "want an object such as " + s.example(), "search": "search: want a text",
			"games": "games: want a whole number", "instance": "instance: want a whole number"}[wrongType.Field]
		return fmt.Errorf("%s, got %s", want, wrongType.Value)
	case err != nil:
		return s.explain(text, err)
	case ended != io.EOF:
		return errors.New("want one object on a line, got something after it")
	case json.Unmarshal(given.ID, &id) != nil || id == "":
		return errors.New(`id: want a text, such as "t1"`)
	case given.Instance < 0 || given.Instance >= 1<<53:
		return fmt.Errorf("instance: want 0 to 2^53 - 1, got %d", given.Instance)
	}
	if given.Games < 1 || given.Games > maxLineGames {
		return fmt.Errorf("games: want 1 to %d, got %d", maxLineGames, given.Games)
	}
	search, err := engine.ParseSettings(given.Search)
	if err != nil {
		return err
	}
	weights := map[string]float64{}
	if text := string(given.Weights); text != "" && text != "null" && strings.Trim(text, "{} \t\r\n") != "" {
		file, err := config.ParseWeights(given.Weights, "weights")
		if err != nil {
			return err
		} else if file.Dead != nil {
			return errors.New("weights: want name: number alone: a candidate has the config's dead")
		}
		weights = file.Weights
	}
	line.warning = strings.Join(outside(s.config, weights), "; ")
	vector, err := s.config.Vector(weights, s.config.Heuristic.Dead)
	if err != nil {
		return err
	}
	seeds := experiments.Stream{Seed: s.config.Seed, Phase: experiments.PhaseEval, Generation: given.Instance}
	line.question = experiments.NewQuestion(s.form.Player(vector), search, seeds, 0, given.Games)
	return nil
}

// otherKeys translates keys of other programs into the keys of a line.
var otherKeys = map[string]string{
	"params": "weights", "parameters": "weights", "candidate": "weights", "values": "weights", "x": "weights",
	"config": "weights",
	"number": "id", "trial": "id", "trial_id": "id", "name": "id", "seed": "instance", "n": "games", "depth": "search",
}

// example is a line that could be asked.
func (s *evalStream) example() string {
	weights := map[string]float64{}
	for _, w := range s.config.Tunable()[:min(2, len(s.config.Tunable()))] {
		weights[w.Name] = w.Value
	}
	text, _ := json.Marshal(weights) // never fails: they are finite
	return fmt.Sprintf(`{"id": "t1", "weights": %s}`, text)
}

// looseComma matches a comma with nothing behind it.
var looseComma = regexp.MustCompile(`,\s*[}\]]`)

// explain says in plain words why a line is no JSON, or which key no line has.
func (s *evalStream) explain(text []byte, err error) error {
	keys := []string{"id", "weights", "games", "search", "instance"}
	if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		bare := strings.Trim(name, `"`)
		hint := config.DidYouMean(bare, keys)
		if other := otherKeys[bare]; other != "" {
			hint = "; did you mean " + other + "?"
		}
		return fmt.Errorf("there is no key %.100s%s want %s", name, cmp.Or(hint, ";"), strings.Join(keys, ", "))
	}
	why := ""
	switch trimmed := bytes.TrimSpace(text); {
	case trimmed[0] != '{':
	case bytes.ContainsRune(trimmed, '\'') && !bytes.ContainsRune(trimmed, '"'):
		why = ": names and texts stand in double quotes"
	case !bytes.HasSuffix(trimmed, []byte("}")):
		why = ": it does not end with }"
	case looseComma.Match(trimmed):
		why = ": nothing follows a comma"
	case noNumber.Match(trimmed):
		why = ": NaN and Infinity are no numbers of JSON"
	}
	return fmt.Errorf("want an object of JSON on each line, such as %s%s", s.example(), why)
}

// noNumber matches what Python writes for a number that JSON does not have.
var noNumber = regexp.MustCompile(`(?i)[:,\[]\s*-?(nan|inf(inity)?)\b`)

// answer writes the answer to a line.
func (l *evalLine) answer(out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	if l.failed != nil {
		return e.Encode(struct {
			Error string          `json:"error"`
			ID    json.RawMessage `json:"id"`
		}{fmt.Sprintf("line %d: %.1000v", l.number, l.failed), l.id})
	}
	se := l.Fitness.SE()
	spread := !math.IsInf(se, 0) && !l.Fitness.Equal()
	short := func(x float64) float64 { return portable.Rounded(x, 12) } // the rest is the rounding of a sum
	return e.Encode(struct {
		ID        json.RawMessage `json:"id"`
		Fitness   float64         `json:"fitness"` // the config's objective, higher is better
		SE        *float64        `json:"se"`      // standard error of fitness; null of one game, and of equal ones
		N         int             `json:"n"`       // games
		MeanScore float64         `json:"mean_score"`
		Warning   string          `json:"warning,omitempty"` // names the weights outside their range
	}{l.id, short(l.Fitness.Mean), optional(short(se), spread), l.Score.N, short(l.Score.Mean), l.warning})
}
