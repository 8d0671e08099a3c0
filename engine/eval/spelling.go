package eval

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// Formulas are in Go's syntax, but few who write one know Go. This file answers other languages'
// spelling with the spelling of formulas, and refuses what Go's syntax accepts with another
// meaning than a reader expects.

// otherSpelling has what to write in place of an operator of another language, by its text.
var otherSpelling = map[string]string{
	"and": "x && y", "or": "x || y", "not": "!x", "**": "pow(x, y)", "=": "x == y",
	"if": ifSpelling, "else": ifSpelling, "?": ifSpelling, "return": "the value alone",
	"--": "x - -y", "++": "x + y", "<-": "x < -y",
	"×": "x * y", "·": "x * y", "÷": "x / y", "−": "x - y", "≤": "x <= y", "≥": "x >= y", "≠": "x != y",
}

const ifSpelling = "choose(condition, x, y)"

// localNames are the words and signs by which other languages give a value a name.
var localNames = []string{"let", "var", "const", "def", "local", ":="}

// glued is a number with a symbol right behind it, which Go may read as another number: 2p + 1.
var (
	glued   = regexp.MustCompile(`^([1-9]\d*|\d*\.\d+|\d+\.)([A-Za-z]\w*)`)
	decimal = regexp.MustCompile(`^[\d.]+([eE][-+]?\d+)?$`)
)

// refuseSpelling reports the first comment, the first operator that only other languages have, and
// the first token that cannot follow those before it. The rest of Go's syntax is left to the
// parser: f.foreign is the problem to report if it fails.
func (f *formula) refuseSpelling() {
	type parenthesis struct {
		at   int
		call bool
	}
	var open []parenthesis // that are not closed yet
	ended := false         // whether the token before ends an operand
	inCall := func() bool { return len(open) > 0 && open[len(open)-1].call }
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
		own := f.parts[text] != nil || slices.ContainsFunc(f.numbers, func(n Number) bool { return n.Symbol == text })
		refuse := func(format string, args ...any) { panic(f.wrong(at, format, args...)) }
		switch write := otherSpelling[text]; {
		case kind == token.COMMENT && text[1] == '/':
			panic(f.wrong(at, "a formula has no // (a comment in Go, a division in Python): write x / y; a comment goes into the config, after #"))
		case kind == token.COMMENT || text == "#":
			panic(f.wrong(at, "a formula has no comments: a comment goes into the config, after #, outside of the formula"))
		case kind == token.MUL && previous == token.MUL && f.text[at-1] == '*':
			panic(f.wrong(at-1, "a formula has no operator **: write %s", otherSpelling["**"]))
		case !own && slices.Contains(localNames, text), text == "=" && strings.Contains(f.text, ";"):
			refuse("a formula has no local names: name its parts beside it, with let: {NAME: \"FORMULA\"}")
		case !own && write != "":
			refuse("a formula has no %s: write %s", text, write)
		case kind == token.SEMICOLON && text == "\n": // the scanner adds it
			continue
		case !ended && (kind == token.EOF || kind == token.COMMA ||
			kind == token.RPAREN && previous != token.COMMA && !(previous == token.LPAREN && inCall()) ||
			kind.Precedence() > 0 && !slices.Contains([]token.Token{token.ADD, token.SUB, token.XOR, token.AND}, kind)):
			refuse("an operand is missing")
		case kind == token.EOF && len(open) > 0:
			panic(f.wrong(open[len(open)-1].at, "this ( is not closed"))
		case kind == token.EOF:
			return
		case ended && (kind.IsLiteral() || kind == token.NOT || kind == token.LPAREN && previous != token.IDENT):
			refuse("an operator is missing before %s", text)
		case kind.IsLiteral():
			if m := glued.FindStringSubmatch(f.text[at:]); m != nil && (len(m[0]) > len(text) || !decimal.MatchString(text)) {
				refuse("an operator is missing: write %s*%s", m[1], m[2])
			}
			ended = true
		case kind == token.LPAREN:
			open = append(open, parenthesis{at, previous == token.IDENT})
			ended = false
		case kind == token.RPAREN && len(open) == 0:
			refuse("this ) has no (")
		case kind == token.RPAREN:
			open = open[:len(open)-1]
			ended = true
		case kind == token.COMMA && !inCall():
			hint := ""
			if previous == token.INT && at+1 < len(f.text) && '0' <= f.text[at+1] && f.text[at+1] <= '9' {
				hint = "; a number has a point: 0.5"
			}
			refuse("a comma stands between the arguments of a function only%s", hint)
		case kind == token.COMMA, kind.Precedence() > 0, kind == token.NOT:
			ended = false
		case kind == token.ILLEGAL: // the parser names it
			return
		default:
			f.foreign = f.wrong(at, "a formula has no %s", text)
			return
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

// unknown ends the parsing at a symbol that there is not.
func (f *formula) unknown(at *ast.Ident, what string, known []string) {
	slices.Sort(known)
	problem := f.wrong(int(at.Pos())-1, "there is no %s %s; there are %s", what, at.Name, strings.Join(known, ", "))
	if what == "symbol" && symbolForm.MatchString(at.Name) {
		problem.Reason += "; add a number of your own with numbers: {" + at.Name + ": 1}, or a part with let: {" + at.Name + `: "abs(a - b)"}`
		if f.key == overBoard {
			problem.Reason += ", or a sum with sums: {" + at.Name + `: {line: "abs(a - b)"}}`
		}
	}
	problem.Symbol, problem.Known = at.Name, known
	panic(problem)
}
