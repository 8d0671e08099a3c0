package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"tune2048/engine/heuristic"
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
	{"formula", "the syntax of a feature that you define yourself", printFormula},
}

// pageWidth is the width of a terminal that nobody has widened.
const pageWidth = 80

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
	for _, k := range heuristic.Kinds() {
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
	for _, s := range heuristic.Settings() {
		standard := "default " + s.Default
		if s.Default == "" {
			standard = "must be given, such as " + s.Example
		}
		if s.Choices != nil {
			standard = strings.Join(s.Choices, ", ") + "; " + standard
		}
		printEntry(w, s.Key, s.Doc, standard)
	}
	fmt.Fprint(w, "\nThe syntax of line: tune help formula\n")
}

func printFormula(w io.Writer) {
	fmt.Fprint(w, `A formula is a feature that you define yourself: an expression over the four
tiles of a line, summed over the 4 rows and 4 columns. It costs nothing at play.

  heuristic:
    features:
      - feature: formula
        name: end
        tile: rank                      # or face
        line: "(max(a, d) == largest) * pow(largest, p)"
        numbers: {p: {min: 0, max: 3, start: 1}}
        weight: {min: 0, max: 5000, start: 0}

The formula's own numbers are tuned like any weight: p here.

`)
	for _, s := range heuristic.Symbols() {
		printEntry(w, s.Name, s.Doc)
	}
	fmt.Fprint(w, "\nExamples:\n\n")
	for _, s := range heuristic.FormulaExamples() {
		printEntry(w, s.Name, s.Doc)
	}
	fmt.Fprint(w, "\nAll features and their settings: tune help features\n")
}

// printEntry writes a name, and beside it paragraphs of Markdown as plain text, wrapped to the
// width of a page.
func printEntry(w io.Writer, name string, paragraphs ...string) {
	const indent = 16
	plain := strings.NewReplacer("`", "", `\|`, "|")
	line := "  " + name
	for _, p := range paragraphs {
		for i, word := range strings.Fields(plain.Replace(p)) {
			beside := utf8.RuneCountInString(line) < indent
			if i == 0 && !beside || utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > pageWidth {
				fmt.Fprintln(w, line)
				line, beside = "", true
			}
			if beside {
				line += strings.Repeat(" ", indent-utf8.RuneCountInString(line)) + word
			} else {
				line += " " + word
			}
		}
	}
	fmt.Fprintln(w, line)
}
