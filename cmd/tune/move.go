package main

import (
	"context"
	"encoding/json"
	"fmt"

	"tune2048/engine"
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
	var found engine.Decision
	var shown decision
	var table report.Table
	if b != nil {
		defer b.Close()
		found.Best = engine.NoMove
		if board.HasMove() {
			found.Best, err = b.Move(ctx, 0, who.botWeights(), board, 0)
		}
	} else {
		defer e.StopWith(ctx)() // a deep search can take long
		found = e.Search(board)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		shown, table, err = who.explain(board, found)
	}
	if err != nil {
		return err
	}
	if *asJSON {
		shown.Best = optional(found.Best.String(), found.Best != engine.NoMove)
		return json.NewEncoder(in.stdout).Encode(shown)
	}
	fmt.Fprint(in.stdout, drawn(board.Faces()))
	if b == nil {
		fmt.Fprintf(in.stdout, "depth %d, %s\n", found.Depth, report.Count(found.Nodes, "node"))
	}
	for _, m := range engine.Moves() {
		if found.Legal[m] {
			mark := " "
			if m == found.Best {
				mark = "*"
			}
			fmt.Fprintf(in.stdout, "%s %-5s %18.6f\n", mark, m, found.Values[m])
		}
	}
	switch {
	case found.Best == engine.NoMove:
		_, err = fmt.Fprintln(in.stdout, "no legal move")
	case b != nil: // it says nothing of the other moves
		_, err = fmt.Fprintf(in.stdout, "* %s\n", found.Best)
	default:
		fmt.Fprintln(in.stdout, "\nWhat each feature adds to the value of the board right after the move:")
		_, err = table.WriteRows(in.stdout, 0)
	}
	return err
}

// decision is the choice of a move, as JSON. A bot has its move alone.
type decision struct {
	Depth    int                           `json:"depth,omitzero"`
	Best     *string                       `json:"best"`
	Values   map[string]float64            `json:"values,omitzero"` // of the legal moves
	Features map[string]map[string]float64 `json:"features,omitzero"`
}

// explain returns each feature's part of the value of the board right after a legal move, for JSON
// and as a table. A heuristic with symmetry takes the orientation in which the sum is largest.
func (p *player) explain(b engine.Board, found engine.Decision) (shown decision, t report.Table, err error) {
	shown = decision{Depth: found.Depth, Values: map[string]float64{}, Features: map[string]map[string]float64{}}
	features := p.Heuristic.Features
	tables := make([]*engine.Tables, len(features))
	t.Columns = []report.Column{{Name: "feature"}}
	for i, f := range features {
		alone, own := f.Alone(p.Values)
		tables[i], err = eval.NewCompiler(&alone).Compile(own, eval.Dead{})
		if err != nil {
			return shown, t, usagef("%s: %w", p.Name, err)
		}
		t.Rows = append(t.Rows, []string{f.Name})
	}
	t.Rows = append(t.Rows, []string{"together"})
	for _, m := range engine.Moves() {
		if !found.Legal[m] {
			continue
		}
		after, _, _, _ := b.Slide(m)
		var parts []float64 // and their sum
		for _, lies := range p.orientations(after) {
			summands, sum := make([]float64, len(tables)), 0.0
			for i, t := range tables {
				summands[i] = t.Value(lies)
				sum += summands[i]
			}
			if parts == nil || sum > parts[len(tables)] {
				parts = append(summands, sum)
			}
		}
		t.Columns = append(t.Columns, report.Column{Name: m.String(), Number: true})
		for i, x := range parts {
			t.Rows[i] = append(t.Rows[i], fmt.Sprintf("%.6f", x))
		}
		shown.Values[m.String()], shown.Features[m.String()] = found.Values[m], map[string]float64{}
		for i, f := range features {
			shown.Features[m.String()][f.Name] = parts[i]
		}
	}
	return shown, t, nil
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
