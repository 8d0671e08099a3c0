package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"tune2048/engine"
)

// move values the legal moves of a board.
func move(ctx context.Context, in *invocation) error {
	f := in.flags()
	var p playerFlags
	p.define(f)
	text := f.String("board", "", "the `BOARD` as four rows of four faces, with 0 for a blank: \"0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4\"")
	asJSON := f.Bool("json", false, `print {"depth": N, "best": "left", "values": {"up": 1.5, "left": 2.5}}`)
	if err := in.parseFlags(f); err != nil {
		return err
	}
	p.given = given(f, "depth")
	if *text == "" {
		return usagef("move: want -board, four rows of four faces: tune move %s", in.command.usage)
	}
	board, err := engine.ParseBoard(*text)
	if err != nil {
		return usageError{err}
	}
	who, err := in.player(p)
	if err != nil {
		return err
	}
	e, err := who.expectimax()
	if err != nil {
		return err
	}
	decision, err := search(ctx, e, board)
	if err != nil {
		return err
	}
	if *asJSON {
		return in.printMoveJSON(decision)
	}
	fmt.Fprint(in.stdout, drawn(board.Faces()))
	fmt.Fprintf(in.stdout, "depth %d, %s\n", decision.Depth, plural(int(decision.Nodes), "node"))
	for _, m := range engine.Moves() {
		if decision.Legal[m] {
			mark := " "
			if m == decision.Best {
				mark = "*"
			}
			fmt.Fprintf(in.stdout, "%s %-5s %18.6f\n", mark, m, decision.Values[m])
		}
	}
	if decision.Best == engine.NoMove {
		fmt.Fprintln(in.stdout, "no legal move")
	}
	return nil
}

// search runs the search so that an interruption ends the command: a deep one can take long.
func search(ctx context.Context, e *engine.Expectimax, board engine.Board) (engine.Decision, error) {
	defer e.StopWith(ctx)()
	decision := e.Search(board)
	return decision, ctx.Err()
}

// printMoveJSON prints the contract's object; values in the order of the moves, illegal ones absent.
func (in *invocation) printMoveJSON(d engine.Decision) error {
	var values bytes.Buffer
	for _, m := range engine.Moves() {
		if !d.Legal[m] {
			continue
		}
		if values.Len() > 0 {
			values.WriteByte(',')
		}
		v, err := json.Marshal(d.Values[m])
		if err != nil {
			return fmt.Errorf("value of %v: %w", m, err)
		}
		fmt.Fprintf(&values, "%q:%s", m, v)
	}
	best := any(nil)
	if d.Best != engine.NoMove {
		best = d.Best.String()
	}
	return json.NewEncoder(in.stdout).Encode(struct {
		Depth  int             `json:"depth"`
		Best   any             `json:"best"`
		Values json.RawMessage `json:"values"`
	}{d.Depth, best, json.RawMessage("{" + values.String() + "}")})
}
