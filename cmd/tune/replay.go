package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/simulator"
	"tune2048/experiments"
	"tune2048/results"
)

// replay shows a stored game move by move, and says whether it ends as it is stored.
func replay(ctx context.Context, in *invocation) error {
	f := in.flags()
	var database string
	databaseFlag(f, &database)
	asJSON := f.Bool("json", false, "print one JSON line for each move and one for the end, as play does")
	const wanted = "the id of one game: sqlite3 results/tune.db \"select id from games order by score desc limit 1\""
	text, err := in.parseOne(f, wanted)
	if err != nil {
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
	run, game, err := reader.GameOfRun(ctx, id)
	if err != nil {
		return err
	}
	replayer, err := storedReplayer(run)
	if err != nil {
		return err
	}
	candidate, err := reader.Candidate(ctx, run.ID, game.Candidate)
	if err != nil {
		return err
	}
	who, err := replayer.Player(candidate, game.Search)
	if err != nil {
		return fmt.Errorf("game %d of run %s: %w", id, run.Name, err)
	}
	tables, err := heuristic.NewCompiler(who.Family).Compile(who.Values, who.Dead)
	if err != nil {
		return fmt.Errorf("game %d of run %s: candidate %d: %w", id, run.Name, game.Candidate, err)
	}
	if run.Signature != simulator.Signature {
		fmt.Fprintf(in.stderr, "run %s was played by an engine with signature %s, this program's is %s: the game may go another way here\n",
			run.Name, run.Signature, simulator.Signature)
	}
	fmt.Fprintf(in.stderr, "game %d: run %s, candidate %d, %s at %s, seed %d\n", id, run.Name, game.Candidate, game.Phase, game.Search, game.Seed)
	e := new(engine.Expectimax)
	e.Prepare(tables, who.Settings, replayer.Rules)
	result, err := in.show(ctx, replayer.Rules, game.Seed, e, *asJSON)
	if err != nil {
		return err
	}
	says := in.stdout
	if *asJSON {
		says = in.stderr
	}
	return endsAsStored(says, id, game, result)
}

// endsAsStored says whether the game ends as it is stored; if not, that is an error.
func endsAsStored(w io.Writer, id int64, game experiments.Game, r engine.Result) error {
	differing := experiments.DifferingOutcomes(game.Outcome, simulator.Outcome{Result: r})
	if len(differing) == 0 {
		_, err := fmt.Fprintln(w, "it ends as stored: score, largest tile, moves and nodes are the same")
		return err
	}
	text := ""
	for _, d := range differing {
		text += fmt.Sprintf("; %s stored %v, played %v", d.Name, d.Stored, d.Found)
	}
	return errors.New("game " + strconv.FormatInt(id, 10) + " does not end as stored" + text)
}
