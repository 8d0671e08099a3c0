package main

import (
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
	in.databaseFlag(f)
	name, err := in.parseName(f)
	if err != nil {
		return err
	}
	if *text == "" {
		return usagef("move: want -board, four rows of four faces: tune move %s", in.command.usage)
	}
	board, err := engine.ParseBoard(*text)
	if err != nil {
		return usageError{err}
	}
	e, b, _, err := in.chosen(ctx, f, p, name)
	if err != nil {
		return err
	}
	if b != nil {
		return in.moveOf(ctx, b, board, *asJSON)
	}
	defer e.StopWith(ctx)() // a deep search can take long
	decision := e.Search(board)
	if err := ctx.Err(); err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(in.stdout).Encode(decision)
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

// moveOf prints the move of a bot, which says nothing of the others.
func (in *invocation) moveOf(ctx context.Context, b *botPlayer, board engine.Board, asJSON bool) error {
	defer b.Close()
	best := engine.NoMove
	if board.HasMove() {
		var err error
		if best, err = b.Move(ctx, 0, b.weights, board, 0); err != nil {
			return err
		}
	}
	if asJSON {
		return json.NewEncoder(in.stdout).Encode(struct {
			Best *string `json:"best"`
		}{known(best.String(), best != engine.NoMove)})
	}
	fmt.Fprint(in.stdout, drawn(board.Faces()))
	if best == engine.NoMove {
		fmt.Fprintln(in.stdout, "no legal move")
	} else {
		fmt.Fprintf(in.stdout, "* %s\n", best)
	}
	return nil
}
