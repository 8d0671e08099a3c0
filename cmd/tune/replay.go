package main

import (
	"context"
	"fmt"
	"strconv"

	"tune2048/engine/simulator"
	"tune2048/results"
)

// replay shows a stored game move by move, and says whether it ends as it is stored.
func replay(ctx context.Context, in *invocation) error {
	f := in.flags()
	var database string
	databaseFlag(f, &database)
	var how watched
	how.define(f)
	const wanted = "the id of one game: sqlite3 results/tune.db \"select id from games order by score desc limit 1\""
	text, err := in.parseOne(f, wanted)
	if err != nil {
		return err
	}
	if err := how.check("replay"); err != nil {
		return err
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		return usagef("replay: want %s; got %q", wanted, text)
	}
	reader, err := results.OpenReader(database)
	if err != nil {
		return err
	}
	defer reader.Close()
	stored, err := reader.Replay(ctx, id)
	if err != nil {
		return err
	}
	run, game := stored.Run, stored.Game
	if run.Signature != simulator.Signature {
		fmt.Fprintf(in.stderr, "run %s was played by an engine with signature %s, this program's is %s: the game may go another way here\n",
			run.Name, run.Signature, simulator.Signature)
	}
	fmt.Fprintf(in.stderr, "game %d: run %s, candidate %d, %s at %s, seed %d\n", id, run.Name, game.Candidate, game.Phase, game.Search, game.Seed)
	result, err := in.watch(ctx, stored.Rules, game.Seed, stored.Player, how)
	if err == nil {
		err = stored.Check(result)
	}
	if err != nil {
		return err
	}
	says := in.stdout
	if how.json {
		says = in.stderr
	}
	_, err = fmt.Fprintln(says, "it ends as stored: score, largest tile, moves and nodes are the same")
	return err
}
