package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"tune2048/engine/eval"
	"tune2048/results/report"
)

// Topics are help pages that belong to no subcommand. They print the tables that the documents
// have.

// topic is one of them.
type topic struct {
	name, summary string
	print         func(io.Writer)
}

var topics = []topic{
	{"features", "the features that a config can have, with their settings", printFeatures},
	{"formula", "a feature of your own (and tune help bot: a bot of your own)", printFormula},
	{"bot", "", printBot},
}

func printFeatures(w io.Writer) {
	fmt.Fprint(w, `The value of a board is the sum of weight x feature over a list of features.

  heuristic:
    features:
      - {feature: empty, weight: {min: 0, max: 1000, start: 270}}
      - {feature: sum, tile: rank, power: 2, weight: -11}
      - {feature: merges, weight: reward}

A number alone is fixed, a range is tuned. reward and penalty are ranges above 0
and below 0 that the program chooses: all features start with an equal effect.
This command prints the numbers:
  tune check -config FILE -show
Of two features of one kind, at least one needs a name.

Features, with their settings at their defaults, beside weight and name:

`)
	for _, k := range eval.Kinds() {
		var settings []string
		for _, s := range k.Settings[1:] { // after weight
			standard := s.Default
			if standard == "" {
				standard = "(must be given)"
			}
			settings = append(settings, s.Key+": "+standard)
		}
		printEntry(w, k.Name, k.Doc, strings.Join(settings, ", "))
	}
	fmt.Fprint(w, "\nSettings:\n\n")
	for _, s := range eval.Settings() {
		standard := "default " + s.Default
		if s.Over {
			standard = "such as " + s.Example
		} else if s.Default == "" {
			standard = "must be given, such as " + s.Example
		}
		if s.Choices != nil {
			standard = strings.Join(s.Choices, ", ") + "; " + standard
		}
		printEntry(w, s.Key, s.Doc, standard)
	}
	fmt.Fprint(w, "\nThe syntax of formulas: tune help formula\n")
}

func printFormula(w io.Writer) {
	fmt.Fprint(w, `A formula is a feature that you define yourself. One key says over which part of
the board it is taken: line (the 4 rows and 4 columns), row, column, square (the
9 squares of 2 x 2, a b above c d) or board (once). Lines, rows and columns cost
nothing at play, squares half of the speed, and a board most of it. But log or
any function of the empty cells alone costs nothing, too.

  heuristic:
    features:
      - feature: formula
        name: end
        tile: rank                      # or face
        line: "(max(a, d) == largest) * pow(largest, p)"
        numbers: {p: {min: 0, max: 3, start: 1}}
        weight: {min: 0, max: 5000, start: 0}

The formula's own numbers are tuned like any weight: p here. A formula over the
board has names for sums over the other parts: sums: {rough: {line: "abs(a-b)"}}
Its own parts may have names, too. Later parts and the formula know them:

        let: {rise: "max(b - a, 0) + max(c - b, 0)", fall: "max(a - b, 0)"}
        line: "max(rise, fall)"

Each operation has a result: x/0, log of 0 or less, sqrt of a number below 0, a
power without a result and what is too large are 0. tune check warns of them.
A formula may have 4,000 symbols, numbers and operations, its parts written out.
All formulas together may have 6 million table entries: an operation on four
tiles makes 65,536, one on two tiles 256.

`)
	all := eval.Symbols("line")
	for _, s := range all {
		printEntry(w, s.Name, s.Doc)
	}
	fmt.Fprint(w, "\nA square knows a, b, c, d, largest and empty. The board knows its sums and:\n\n")
	for _, s := range eval.Symbols("board") {
		if !slices.Contains(all, s) {
			printEntry(w, s.Name, s.Doc)
		}
	}
	fmt.Fprint(w, "\nExamples:\n\n")
	for _, e := range eval.FormulaExamples() {
		printEntry(w, e.Over, fmt.Sprintf("%q", e.Formula), e.Doc)
	}
	fmt.Fprint(w, "\nconfigs/README.md has their sums, and more on formulas.\n")
	fmt.Fprint(w, "\nAll features and their settings: tune help features\n")
}

func printBot(w io.Writer) {
	fmt.Fprint(w, `A bot is a program of your own, in any language. tune deals the tiles and keeps
the score. Begin with: tune init -bot python, javascript or cpp

  player:                               # in place of heuristic and search
    command: [python3, bot.py]          # no shell; it starts in the config's folder
    answers: moves                      # moves, games or score
    timeout: 10s                        # for one answer
    weights:
      smooth: {min: 0, max: 10, start: 0.1}
      lookahead: {min: 1, max: 4, whole: true}
      empty: 2.7                        # fixed

moves: a line begins a game, and has no answer:
  {"seed": 7, "weights": {"smooth": 0.1, "lookahead": 2, "empty": 2.7}}
Each board has one:
  {"board": [[0,2,0,0], [8,8,4,0], [1024,2,4,2], [2048,4,16,4]], "score": 12}
  {"move": "left"}
games: the bot plays by itself, and answers the first line with
  {"score": 30124, "max_tile": 2048, "moves": 980}    the last two may be absent
score: each game is a process, with {seed}, {smooth} or {weights} in its
arguments: command: [./bot, "--seed={seed}"]. Its last line is the score.

Log to stderr, and flush stdout. A bot that fails is started again and plays the
same game once more. A second failure stops the run, which can be resumed.
Nothing runs that you did not name: verify, compare, play and move of a stored
run want its bot's config with -config FILE.
`)
}

// printEntry writes a name, and beside it paragraphs of Markdown as plain text.
func printEntry(w io.Writer, name string, paragraphs ...string) {
	plain := strings.NewReplacer("`", "", `\|`, "|")
	for i, p := range paragraphs {
		paragraphs[i] = plain.Replace(p)
	}
	printBeside(w, "  "+name, 16, helpWidth, paragraphs...)
}

// printBeside writes a name, and beside it paragraphs that begin in this column. A longer name has
// a line of its own.
func printBeside(w io.Writer, name string, column, width int, paragraphs ...string) {
	margin := strings.Repeat(" ", column)
	for _, p := range paragraphs {
		if p == "" {
			continue
		}
		if len(name) >= column {
			fmt.Fprintln(w, name)
			name = ""
		}
		lines := strings.TrimSuffix(report.Wrap(p, width-column), "\n")
		fmt.Fprintf(w, "%-*s%s\n", column, name, strings.ReplaceAll(lines, "\n", "\n"+margin))
		name = ""
	}
}
