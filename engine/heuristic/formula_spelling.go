package heuristic

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"slices"
)

// Formulas are in Go's syntax, but few who write one know Go. This file answers other languages'
// spelling with the spelling of formulas, and refuses what Go's syntax accepts with another
// meaning than a reader expects.

// otherSpelling has what to write in place of an operator of Python or C, by its text.
var otherSpelling = map[string]string{
	"and":  "x && y",
	"or":   "x || y",
	"not":  "!x",
	"**":   "pow(x, y)",
	"if":   "choose(condition, x, y)",
	"else": "choose(condition, x, y)",
	"?":    "choose(condition, x, y)",
	"=":    "x == y",
}

// refuseSpelling reports the first comment, and the first operator that only other languages have.
func (f *formula) refuseSpelling() {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(f.text))
	s.Init(file, []byte(f.text), func(token.Position, string) {}, scanner.ScanComments)
	previous := token.EOF
	for {
		pos, kind, text := s.Scan()
		if text == "" {
			text = kind.String()
		}
		at := file.Offset(pos)
		switch write := otherSpelling[text]; {
		case kind == token.EOF:
			return
		case kind == token.COMMENT && text[1] == '/':
			panic(f.wrong(at, "a formula has no // (a comment in Go, a division in Python): write x / y; a comment goes into the config, after #"))
		case kind == token.COMMENT || text == "#":
			panic(f.wrong(at, "a formula has no comments: a comment goes into the config, after #, outside of the formula"))
		case kind == token.MUL && previous == token.MUL && f.text[at-1] == '*':
			panic(f.wrong(at-1, "a formula has no operator **: write %s", otherSpelling["**"]))
		case write != "" && !slices.ContainsFunc(f.numbers, func(n Number) bool { return n.Symbol == text }):
			panic(f.wrong(at, "a formula has no %s: write %s", text, write))
		}
		previous = kind
	}
}

// refuseChain ends the parsing at a comparison of a comparison. Go reads a < b < c as (a < b) < c,
// which compares 1 or 0 with c.
func (f *formula) refuseChain(parsed *ast.BinaryExpr) {
	if left, ok := parsed.X.(*ast.BinaryExpr); ok && left.Op.Precedence() == token.LSS.Precedence() {
		panic(f.wrong(int(parsed.OpPos)-1, "comparisons do not chain: write a <= b && b <= c"))
	}
}
