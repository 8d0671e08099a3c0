package main

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"tune2048/configs/config"
	"tune2048/engine/eval"
	"tune2048/results"
	"tune2048/results/report"
)

// pages are texts of the help: NAME.txt is the details of a subcommand, or a topic.
//
//go:embed help
var pages embed.FS

// page returns a text of the help, or "".
func page(name string) string {
	text, _ := pages.ReadFile("help/" + name + ".txt")
	var queries strings.Builder
	for _, q := range results.NamedQueries() {
		printEntry(&queries, q.Name, q.Summary())
	}
	return strings.NewReplacer("{configs}", strings.Join(config.Names(), ", "), "{queries}", queries.String()).Replace(
		string(text))
}

// printLine writes a name, and beside it as much of its description as a line has room for: the
// first sentence, or its first parts.
func printLine(w io.Writer, name, about string) {
	about, _, _ = strings.Cut(strings.TrimSuffix(about, "."), ". ")
	for at := len(about); at >= 0; at = strings.LastIndexAny(about, ",:;") {
		if about = about[:at]; len(about) <= helpWidth-18 {
			break
		}
	}
	fmt.Fprintf(w, "  %-14s  %s\n", name, about)
}

// Topics are help pages that belong to no subcommand. They print the tables that the documents
// have.

// topic is one of them.
type topic struct {
	name, summary string
	print         func(io.Writer)
}

var topics = []topic{
	{"features", "features of a config; also: tune help formula, tune help bot", printFeatures},
	{"formula", "", printFormula},
	{"bot", "", func(w io.Writer) { io.WriteString(w, page("bot")) }},
}

func printFeatures(w io.Writer) {
	io.WriteString(w, page("features"))
	for _, k := range eval.Kinds() {
		printEntry(w, k.Name, k.Doc, strings.Join(k.Defaults(), ", "))
	}
	fmt.Fprint(w, "\nSettings:\n\n")
	for _, s := range eval.Settings() {
		standard := ""
		switch {
		case slices.Contains(eval.Parts(), s.Name):
			standard = "such as " + s.Example
		case s.Example != "":
			standard = "must be given, such as " + s.Example
		case s.Default != nil:
			standard = fmt.Sprint("default ", s.Default)
		}
		if s.Choices != nil {
			standard = strings.Join(s.Choices, ", ") + "; " + standard
		}
		printEntry(w, s.Name, s.Doc, standard)
	}
	fmt.Fprint(w, "\nThe syntax of formulas: tune help formula\n")
}

func printFormula(w io.Writer) {
	io.WriteString(w, page("formula"))
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
	io.WriteString(w, "\n"+page("formula_examples"))
	fmt.Fprint(w, "\nAll features and their settings: tune help features\n")
}

// printEntry writes a name, and beside it paragraphs of Markdown as plain text. A long name has a
// line of its own.
func printEntry(w io.Writer, name string, paragraphs ...string) {
	plain := strings.NewReplacer("`", "", `\|`, "|")
	const column = 16
	name, margin := "  "+name, strings.Repeat(" ", column)
	for _, p := range paragraphs {
		if p = plain.Replace(p); p == "" {
			continue
		}
		if len(name) >= column {
			fmt.Fprintln(w, name)
			name = ""
		}
		lines := strings.TrimSuffix(report.Wrap(p, helpWidth-column), "\n")
		fmt.Fprintf(w, "%-*s%s\n", column, name, strings.ReplaceAll(lines, "\n", "\n"+margin))
		name = ""
	}
}
