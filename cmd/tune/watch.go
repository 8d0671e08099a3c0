package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"tune2048/engine"
	"tune2048/results/report"
)

// frameTime is the time that a terminal shows a board for.
const frameTime = 50 * time.Millisecond

// show shows the game that play plays: as JSON lines, in place on a terminal, or as text in a pipe.
func (in *invocation) show(ctx context.Context, asJSON bool,
	play func(observe func(engine.Step) bool) (engine.Result, error)) error {
	out := bufio.NewWriter(in.data)
	defer out.Flush()
	on, name := terminal(in.data), os.Getenv("TERM")
	inPlace := on != nil && name != "" && name != "dumb" && !asJSON
	up := "" // over the last frame
	frame := func(b engine.Board, below string) error {
		text := drawn(b.Faces()) + below + "\n"
		if inPlace {
			text = up + strings.ReplaceAll(text, "\n", "\x1b[K\n")
			up = fmt.Sprintf("\x1b[%dA", strings.Count(text, "\n"))
		}
		_, err := out.WriteString(text)
		return err
	}
	move := func(s engine.Step) error {
		err := frame(s.Board, fmt.Sprintf("score %d, %s\n", s.Score, s.Move))
		if inPlace {
			err = errors.Join(err, out.Flush())
			select {
			case <-time.After(frameTime):
			case <-ctx.Done():
			}
		}
		return err
	}
	end := func(r engine.Result) error { return frame(r.Final, ending(r)) }
	if asJSON {
		type line struct { // before a move; the last line has none
			Board [4][4]int `json:"board"`
			Score int       `json:"score"`
			Move  *string   `json:"move"`
		}
		lines := json.NewEncoder(out)
		move = func(s engine.Step) error {
			return lines.Encode(line{s.Board.Faces(), s.Score, optional(s.Move.String(), true)})
		}
		end = func(r engine.Result) error { return lines.Encode(line{r.Final.Faces(), int(r.Score), nil}) }
	}
	var failed error // the reader went away
	result, err := play(func(s engine.Step) bool {
		if ctx.Err() == nil { // otherwise the move may be none that the search would have chosen
			failed = move(s)
		}
		return ctx.Err() == nil && failed == nil
	})
	switch {
	case failed != nil:
		return failed
	case err != nil && ctx.Err() == nil:
		return err
	case ctx.Err() != nil && inPlace:
		fmt.Fprintln(in.data) // the terminal has written ^C
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return end(result)
}

// ending is the last line of a game.
func ending(r engine.Result) string {
	why := "no move left"
	if r.Capped {
		why = "capped by a 65536"
	}
	return fmt.Sprintf("score %v, largest tile %d, %s, %s", r.Score, r.MaxTile, report.Count(r.Moves, "move"), why)
}

// drawn is a board in plain text.
func drawn(faces [4][4]int) string {
	const rule = "+-------+-------+-------+-------+\n"
	text := rule
	for _, row := range faces {
		for _, face := range row {
			if face == 0 {
				text += "|       "
			} else {
				text += fmt.Sprintf("|%6d ", face)
			}
		}
		text += "|\n" + rule
	}
	return text
}
