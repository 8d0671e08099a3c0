package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"tune2048/engine"
)

// watched is how a game is shown.
type watched struct {
	json bool
	fps  float64
}

func (w *watched) define(f *flag.FlagSet) {
	f.BoolVar(&w.json, "json", false, "print one JSON line for each move and one for the end")
	f.Float64Var(&w.fps, "fps", 20, "on a terminal, draw at most this `NUMBER` of moves per second; 0: as fast as they are played. Elsewhere it changes nothing")
}

// gameView shows a game: each move before it is played, and the end. An error ends the game.
type gameView interface {
	move(ctx context.Context, s engine.Step) error
	end(r engine.Result) error
}

// watch plays a game and shows it: as JSON lines, in place on a terminal, or as text in a pipe.
func (in *invocation) watch(ctx context.Context, rules engine.Rules, seed uint64, who engine.Player, how watched) (engine.Result, error) {
	out := bufio.NewWriter(in.stdout)
	defer out.Flush()
	var view gameView = textView{out}
	if on := terminal(in.data); how.json {
		view = jsonView{json.NewEncoder(out)}
	} else if name := os.Getenv("TERM"); on != nil && name != "" && name != "dumb" {
		size := func() (int, int) { return terminalSize(on) }
		view = &screenView{out: in.data, size: size, colours: inColours(os.Getenv), fps: how.fps}
	}
	if e, searches := who.(*engine.Expectimax); searches {
		defer e.StopWith(ctx)()
	}
	var failed error // the reader went away
	result := engine.Play(rules, seed, who, func(s engine.Step) bool {
		if ctx.Err() == nil { // otherwise the move may be none that the search would have chosen
			failed = view.move(ctx, s)
		}
		return ctx.Err() == nil && failed == nil
	})
	if failed != nil {
		return result, failed
	}
	if err := ctx.Err(); err != nil {
		if _, drawn := view.(*screenView); drawn {
			fmt.Fprintln(in.data) // the terminal has written ^C
		}
		return result, err
	}
	return result, view.end(result)
}

// ending is the last line of a game.
func ending(r engine.Result) string {
	why := "no move left"
	if r.Capped {
		why = "capped by a 65536"
	}
	return fmt.Sprintf("score %d, largest tile %d, %s, %s", r.Score, r.MaxTile, plural(r.Moves, "move"), why)
}

// textView draws one board below the other.
type textView struct{ out io.Writer }

func (v textView) move(_ context.Context, s engine.Step) error {
	_, err := fmt.Fprintf(v.out, "%sscore %d, %s\n\n", drawn(s.Board.Faces()), s.Score, s.Move)
	return err
}

func (v textView) end(r engine.Result) error {
	_, err := fmt.Fprintf(v.out, "%s%s\n", drawn(r.Final.Faces()), ending(r))
	return err
}

// jsonView prints JSON lines.
type jsonView struct{ lines *json.Encoder }

// gameLine is a line of play -json: board and score before the move; the last line has none.
type gameLine struct {
	Board [4][4]int `json:"board"`
	Score int       `json:"score"`
	Move  *string   `json:"move"`
}

func (v jsonView) move(_ context.Context, s engine.Step) error {
	return v.lines.Encode(gameLine{s.Board.Faces(), s.Score, known(s.Move.String(), true)})
}

func (v jsonView) end(r engine.Result) error {
	return v.lines.Encode(gameLine{r.Final.Faces(), r.Score, nil})
}

// screenView draws a game in place on a terminal. The process may end at any moment: each frame
// hides the cursor, draws, and shows it again below the board. Every line gives back the colours.
type screenView struct {
	out     io.Writer
	size    func() (width, height int)
	colours bool
	fps     float64
	moves   int       // played
	lines   int       // drawn last; the cursor is below them
	next    time.Time // when the next frame is due
}

// fastest is the number of frames per second with -fps 0: nobody sees more.
const fastest = 60

func (v *screenView) move(ctx context.Context, s engine.Step) error {
	v.moves++
	fps := v.fps
	if fps == 0 {
		fps = fastest
	}
	if wait := time.Until(v.next); wait > 0 {
		if v.fps == 0 {
			return nil
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil
		}
	}
	v.next = time.Now().Add(time.Duration(float64(time.Second) / fps))
	return v.frame(s.Board, fmt.Sprintf("move %d, score %d, %s", v.moves, s.Score, s.Move))
}

func (v *screenView) end(r engine.Result) error { return v.frame(r.Final, ending(r)) }

// frame draws a board over the last one, with a line below it. A window that is too small gets the
// text of a pipe.
func (v *screenView) frame(b engine.Board, below string) error {
	board := strings.Split(strings.TrimSuffix(drawn(b.Faces()), "\n"), "\n")
	if v.colours {
		board = drawTiles(b.Faces())
	}
	board = append(board, "", below)
	width, height := v.size()
	if width < tilesWidth || height <= len(board) {
		v.lines = 0
		_, err := fmt.Fprintf(v.out, "%s%s\n\n", drawn(b.Faces()), below)
		return err
	}
	var frame strings.Builder
	frame.WriteString("\x1b[?25l")
	if v.lines > 0 {
		fmt.Fprintf(&frame, "\x1b[%dA", v.lines)
	}
	for _, line := range board {
		frame.WriteString("\r" + line + "\x1b[K\n")
	}
	frame.WriteString("\x1b[?25h")
	v.lines = len(board)
	_, err := io.WriteString(v.out, frame.String())
	return err
}
