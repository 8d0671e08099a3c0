package bot

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tune2048/engine"
)

// maxScore is the largest score: all whole numbers up to here are exact in any language.
const maxScore = 1 << 53

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

// parseMove reads {"move": "left"}. It passes the error of who read the line.
func parseMove(line []byte, err error) (engine.Move, error) {
	if i := slices.Index(usual, string(line)); i >= 0 || err != nil {
		return engine.Move(i), err
	}
	var answer struct{ Move string }
	err = json.Unmarshal(line, &answer)
	for _, m := range engine.Moves() {
		if err == nil && answer.Move == m.String() {
			return m, nil
		}
	}
	return engine.NoMove, fmt.Errorf(`it printed %s: want {"move": "left"}, or up, down or right: log to stderr, and flush stdout`, clip(line))
}

// parseGame reads {"score": 30124, "max_tile": 2048, "moves": 980}, where max_tile and moves may be
// absent. It passes the error of who read the line.
func parseGame(line []byte, err error) (g Game, _ error) {
	if err != nil {
		return g, err
	}
	var answer map[string]json.RawMessage
	err = json.Unmarshal(line, &answer)
	number := func(key string, into *int) {
		text := string(answer[key])
		known := text != "" && text != "null"
		n, bad := strconv.ParseUint(text, 10, 64) // a float's 1.23457e+06 would hide lost digits
		if *into = int(n); (known || key == "score") && (bad != nil || n > maxScore) {
			err = strconv.ErrRange
		}
	}
	number("score", &g.Score)
	number("max_tile", &g.MaxTile)
	number("moves", &g.Moves)
	if err != nil {
		err = fmt.Errorf(`it printed %s: want {"score": 30124}, a whole number from 0 to 2^53 in digits: log to stderr, and flush stdout`, clip(line))
	}
	return g, err
}

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

func (f *Failure) Error() string {
	return fmt.Sprintf("bot %s, game with seed %d and weights %s: %v", strings.Join(f.Command, " "), f.Seed, f.JSON(), f.Did)
}

// JSON has the weights by their names, as a line that begins a game has.
func (f *Failure) JSON() string { return string(appendWeights(nil, f.Weights)) }
