package bot

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tune2048/engine"
)

// These bounds keep squares of sums of squares of scores finite, and the sum of moves of the
// 4,000,000 games of an evaluation below 2^63.
const (
	maxScore = 1e50
	maxMoves = 1 << 40
)

// appendWeights writes the weights as a JSON object, in their order.
func appendWeights(line []byte, weights []Weight) []byte {
	line = append(line, '{')
	for i, w := range weights {
		if i > 0 {
			line = append(line, ", "...)
		}
		name, _ := json.Marshal(w.Name) // never fails for a string
		line = fmt.Appendf(line, "%s: %s", name, w.text())
	}
	return append(line, '}')
}

// appendBoard writes the line that asks for a move.
func appendBoard(line []byte, b engine.Board, score int) []byte {
	line = append(line, `{"board": [`...)
	separator := "["
	for _, row := range b.Faces() {
		for _, face := range row {
			line = strconv.AppendInt(append(line, separator...), int64(face), 10)
			separator = ", "
		}
		separator = "], ["
	}
	line = strconv.AppendInt(append(line, `]], "score": `...), int64(score), 10)
	return append(line, "}\n"...)
}

// usual are the moves as most bots write them, in the order of engine.Moves.
var usual = []string{`{"move": "up"}`, `{"move": "down"}`, `{"move": "left"}`, `{"move": "right"}`}

// parseMove reads {"move": "left"}.
func parseMove(line []byte) (engine.Move, error) {
	if i := slices.Index(usual, string(line)); i >= 0 {
		return engine.Move(i), nil
	}
	var answer struct{ Move string }
	err := json.Unmarshal(line, &answer)
	for _, m := range engine.Moves() {
		if err == nil && answer.Move == m.String() {
			return m, nil
		}
	}
	return engine.NoMove, fmt.Errorf(`it printed %s: want {"move": "left"}, or up, down or right: %s`, clip(line),
		moveRemedy(line))
}

// onlyAnswers is what a bot must do that prints something else than an answer.
const onlyAnswers = "log to stderr, and flush stdout"

// moveRemedy says what to do about a line that is no move.
func moveRemedy(line []byte) string {
	var answer map[string]any
	word := strings.TrimSpace(string(line))
	if json.Unmarshal(line, &answer) == nil {
		word = fmt.Sprint(answer["move"])
	}
	_, notNumber := strconv.ParseFloat(word, 64)
	lower := strings.ToLower(strings.Trim(word, `"`))
	moves := engine.Moves()
	switch _, scored := answer["score"]; {
	case scored:
		return "a bot that plays whole games has answers: games"
	case notNumber == nil:
		return "a move is a word, for programs number moves in different orders"
	case lower != word && slices.ContainsFunc(moves[:], func(m engine.Move) bool { return m.String() == lower }):
		return fmt.Sprintf(`write it in lower case, {"move": "%s"}`, lower)
	}
	return onlyAnswers
}

// gameRemedy says what to do about a line without a score.
func gameRemedy(line []byte) string {
	var answer map[string]any
	json.Unmarshal(line, &answer)
	_, moved := answer["move"]
	_, quoted := answer["score"].(string)
	number := scoreInText.FindSubmatch(line)
	switch {
	case moved:
		return "a bot that chooses each move has answers: moves"
	case quoted:
		return "leave the quotes around the number out"
	case number != nil && json.Valid(number[1]):
		return fmt.Sprintf(`print the score alone, {"score": %s}, and %s`, number[1], onlyAnswers)
	}
	return onlyAnswers
}

// scoreInText finds a score in a line for people.
var scoreInText = regexp.MustCompile(`(?i)^[^0-9]*score\W{0,4}?(-?[0-9]+(?:\.[0-9]+)?)(?:$|[^0-9.,eE])`)

// parseGame reads {"score": 30124, "max_tile": 2048, "moves": 980} of the game of a seed. max_tile,
// moves and an echo of the seed may be absent.
func parseGame(seed uint64, line []byte) (g Game, err error) {
	var answer map[string]json.RawMessage
	if why := refusal(line); why != nil {
		return g, why
	}
	json.Unmarshal(line, &answer) // otherwise there is no score
	number := func(key, want string, fits func(float64) bool) (n float64) {
		text := string(answer[key])
		if absent := text == "" || text == "null"; err != nil || absent && key != "score" {
			return 0
		}
		var bad error
		n, bad = strconv.ParseFloat(text, 64)
		if bad != nil || !fits(n) { // JSON has no NaN
			n, _ = strconv.ParseFloat(cmp.Or(text, string(line)), 64) // of answers score, a number alone
			if key == "score" && math.Abs(n) > maxScore {             // elsewhere runs have stored these words
				want += " within ±1e50"
			} else if key == "moves" && n > maxMoves {
				want += ", at most 2^40"
			}
			remedy := onlyAnswers
			if key == "score" && n == 0 {
				remedy = gameRemedy(line)
			}
			err = fmt.Errorf("it printed %s: %s: %s", clip(line), want, remedy)
		}
		return n
	}
	g.Score = number("score", `want {"score": 30124}, a number`,
		func(n float64) bool { return math.Abs(n) <= maxScore })
	g.Moves = int(number("moves", `moves: want a whole number such as {"score": 30124, "moves": 980}`, countsMoves))
	g.MaxTile = int(number("max_tile",
		`max_tile: want a power of two that a game of this score can reach, such as {"score": 30124, "max_tile": 2048}`,
		func(n float64) bool { return reaches(g.Score, n) }))
	number("seed", fmt.Sprintf("seed: want %d, the seed of this game", seed),
		func(n float64) bool { return n == float64(seed) })
	return g, err
}

func countsMoves(n float64) bool { return n >= 0 && n <= maxMoves && n == math.Trunc(n) }

// reaches reports whether a game of this score can have a largest tile.
func reaches(score, tile float64) bool {
	half, exponent := math.Frexp(tile) // tile is 2^k. From fours alone it takes (k-2) x 2^k points
	return half == 0.5 && tile >= 2 && tile <= 1<<38 && score >= float64(exponent-3)*tile
}

// Fits reports whether a bot that plays by itself can have answered this.
func Fits(r engine.Result) bool {
	return math.Abs(r.Score) <= maxScore && countsMoves(float64(r.Moves)) &&
		(r.MaxTile == 0 || reaches(r.Score, float64(r.MaxTile))) &&
		r == engine.Result{Score: r.Score, MaxTile: r.MaxTile, Moves: r.Moves}
}

// refusal is the fault of a bot that answers {"refuse": "why"}, or nil.
func refusal(line []byte) error {
	if !bytes.Contains(line, []byte(`"refuse"`)) {
		return nil
	}
	var answer struct{ Refuse *string }
	if err := json.Unmarshal(line, &answer); err != nil || answer.Refuse == nil {
		return nil
	}
	return fmt.Errorf("%s%.300s", refuses, *answer.Refuse)
}

const refuses = "it refuses these weights: "

// Refused reports whether a fault is a refusal.
func Refused(fault string) bool { return strings.HasPrefix(fault, refuses) }

// clip quotes a line, and keeps an error about a long one readable.
func clip(line []byte) string {
	if len(line) > 80 {
		return fmt.Sprintf("%q...", line[:77])
	}
	return fmt.Sprintf("%q", line)
}

// tail keeps the end of a text that is written to it.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p[max(0, len(p)-4096):]...)
	*t = append((*t)[:0], (*t)[max(0, len(*t)-4096):]...)
	return len(p), nil
}

// lines returns the last 20 lines.
func (t tail) lines() string {
	lines := strings.Split(strings.TrimRight(strings.ToValidUTF8(string(t), "?"), "\r\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

// Failure is the error of a game that a bot failed to play.
type Failure struct {
	Command []string
	Seed    uint64
	Weights []Weight
	Did     error // the bot's fault, with its last lines of stderr
}

// Fault is the bot's mistake, in the words that a run stores.
func (f *Failure) Fault() string {
	if text := f.Did.Error(); Refused(text) {
		return text
	}
	return fmt.Sprintf("its game with seed %d: %v", f.Seed, f.Did)
}

// Recorded returns the failure that has this Fault.
func Recorded(command []string, weights []Weight, fault string) *Failure {
	f := &Failure{Command: command, Weights: weights}
	if what, did, found := strings.Cut(fault, ": "); found && !Refused(fault) {
		fmt.Sscanf(what, "its game with seed %d", &f.Seed)
		fault = did
	}
	f.Did = errors.New(fault)
	return f
}

func (f *Failure) Error() string {
	if text := f.Did.Error(); Refused(text) {
		return fmt.Sprintf("bot %s, weights %s: %v", strings.Join(f.Command, " "), f.JSON(), f.Did)
	}
	return fmt.Sprintf("bot %s, game with seed %d and weights %s: %v", strings.Join(f.Command, " "), f.Seed,
		f.JSON(), f.Did)
}

// JSON has the weights by their names, as a line that begins a game has.
func (f *Failure) JSON() string { return string(appendWeights(nil, f.Weights)) }
