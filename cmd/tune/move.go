package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/results/report"
)

// move values the legal moves of a board.
func move(ctx context.Context, in *invocation) error {
	f := in.flags()
	var p playerFlags
	p.define(f)
	text := f.String("board", "",
		"the `BOARD` as four rows of four faces, with 0 for a blank: \"0 2 0 0/8 8 4 0/1024 2 4 2/2048 4 16 4\"")
	asJSON := f.Bool("json", false,
		`print {"depth": N, "best": "left", "values": {"up": 1.5, "left": 2.5}, "features": {"up": {"empty": 1.5}, ...}}`)
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
	who, e, b, err := in.chosen(ctx, p, name)
	if err != nil {
		return err
	}
	if b != nil {
		return in.moveOf(ctx, who, b, board, *asJSON)
	}
	defer e.StopWith(ctx)() // a deep search can take long
	decision := e.Search(board)
	if err := ctx.Err(); err != nil {
		return err
	}
	parts, err := who.parts(board, decision.Legal)
	if err != nil {
		return err
	}
	if *asJSON {
		return printDecision(in.stdout, decision, who.Heuristic.Features, parts)
	}
	fmt.Fprint(in.stdout, drawn(board.Faces()))
	fmt.Fprintf(in.stdout, "depth %d, %s\n", decision.Depth, report.Count(decision.Nodes, "node"))
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
		_, err := fmt.Fprintln(in.stdout, "no legal move")
		return err
	}
	fmt.Fprintln(in.stdout, "\nWhat each feature adds to the value of the board right after the move:")
	return in.printTable(partsTable(who.Heuristic.Features, parts), true)
}

// parts returns by move the summands of the value of the board right after it, one for each
// feature. A heuristic with symmetry takes the orientation in which the sum is largest.
func (p *player) parts(b engine.Board, legal [4]bool) (parts [4][]float64, err error) {
	tables := make([]*engine.Tables, len(p.Heuristic.Features))
	for i := range tables {
		alone := eval.Heuristic{Features: p.Heuristic.Features[i : i+1]}
		if tables[i], err = eval.NewCompiler(&alone).Compile(alone.Values(), eval.Dead{}); err != nil {
			return parts, usagef("%s: %w", p.Name, err)
		}
	}
	for _, m := range engine.Moves() {
		if !legal[m] {
			continue
		}
		after, _, _, _ := b.Slide(m)
		most := math.Inf(-1)
		for _, lies := range p.orientations(after) {
			summands, sum := make([]float64, len(tables)), 0.0
			for i, t := range tables {
				summands[i] = t.Value(lies)
				sum += summands[i]
			}
			if sum > most {
				parts[m], most = summands, sum
			}
		}
	}
	return parts, nil
}

// orientations returns the ways in which the heuristic looks at a board.
func (p *player) orientations(b engine.Board) (all []engine.Board) {
	if p.Heuristic.Symmetry != eval.SymmetryBest {
		return []engine.Board{b}
	}
	for range 4 {
		all = append(all, b, b.Transpose())
		b = b.Transpose().Mirrored() // turned
	}
	return all
}

// partsTable has a row for each feature and for their sum, and a column for each legal move.
func partsTable(features []eval.Term, parts [4][]float64) report.Table {
	t := report.Table{Columns: []report.Column{{Name: "feature"}}}
	for _, f := range features {
		t.Rows = append(t.Rows, []string{f.Name})
	}
	t.Rows = append(t.Rows, []string{"together"})
	for _, m := range engine.Moves() {
		if parts[m] == nil {
			continue
		}
		t.Columns = append(t.Columns, report.Column{Name: m.String(), Number: true})
		sum := 0.0
		for _, x := range parts[m] {
			sum += x
		}
		for i, x := range append(parts[m], sum) {
			t.Rows[i] = append(t.Rows[i], fmt.Sprintf("%.6f", x))
		}
	}
	return t
}

// printDecision prints a decision as JSON, with what each feature adds. Illegal moves are absent.
func printDecision(w io.Writer, d engine.Decision, features []eval.Term, parts [4][]float64) error {
	values, byMove := map[string]float64{}, map[string]map[string]float64{}
	for _, m := range engine.Moves() {
		if d.Legal[m] {
			name := m.String()
			values[name], byMove[name] = d.Values[m], map[string]float64{}
			for i, x := range parts[m] {
				byMove[name][features[i].Name] = x
			}
		}
	}
	return json.NewEncoder(w).Encode(struct {
		Depth    int                           `json:"depth"`
		Best     *string                       `json:"best"`
		Values   map[string]float64            `json:"values"`
		Features map[string]map[string]float64 `json:"features"`
	}{d.Depth, known(d.Best.String(), d.Best != engine.NoMove), values, byMove})
}

// moveOf prints the move of a bot, which says nothing of the others.
func (in *invocation) moveOf(ctx context.Context, who *player, b *bot.Process, board engine.Board, asJSON bool) error {
	defer b.Close()
	best := engine.NoMove
	if board.HasMove() {
		var err error
		if best, err = b.Move(ctx, 0, who.botWeights(), board, 0); err != nil {
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
