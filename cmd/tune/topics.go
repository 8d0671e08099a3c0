package main

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"tune2048/configs/config"
	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/experiments"
	"tune2048/results"
	"tune2048/results/report"
)

// pages are texts of the help: NAME.txt is the details of a subcommand, or a topic.
//
//go:embed help
var pages embed.FS

// page returns a text of the help, or "". {NAME} in it stands for a list, such as a table that the
// documents have.
func page(name string) string {
	text, _ := pages.ReadFile("help/" + name + ".txt")
	var queries, features, settings, symbols, more strings.Builder
	for _, q := range results.NamedQueries() {
		printEntry(&queries, q.Name, q.Summary())
	}
	printEntry(&queries, differenceName, differenceSummary)
	for _, k := range eval.Kinds() {
		printEntry(&features, k.Name, k.Doc, strings.Join(k.Defaults(), ", "))
	}
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
		printEntry(&settings, s.Name, s.Doc, standard)
	}
	line := eval.Symbols("line")
	for _, s := range line {
		printEntry(&symbols, s.Name, s.Doc)
	}
	for _, s := range eval.Symbols("board") {
		if !slices.Contains(line, s) {
			printEntry(&more, s.Name, s.Doc)
		}
	}
	number := func(n int) string { return report.Grouped(int64(n)) }
	return strings.NewReplacer("{MaxFeatures}", number(eval.MaxFeatures), "{MaxDepth}", number(engine.MaxDepth),
		"{MaxGenerations}", number(config.MaxGenerations),
		"{MaxGames}", number(config.MaxGames), "{MaxCandidates}", number(experiments.MaxCandidates/10*9), "{MaxPlayers}",
		number(config.MaxPlayers),
		"{MostSearches}", number(report.MostSearches), "{configs}", strings.Join(config.Names(), ", "), "{queries}",
		queries.String(),
		"{features}", features.String(), "{settings}", settings.String(), "{symbols}", symbols.String(),
		"{more symbols}", more.String()).Replace(string(text))
}

// printLine writes a name, and beside it as much of its description as a line has room for: the
// first sentence, or its first parts.
func printLine(w io.Writer, name, about string) {
	about, _, _ = strings.Cut(strings.TrimSuffix(about, "."), ". ")
	for at := len(about); at >= 0; at = strings.LastIndexAny(about, ",:;") {
		about = about[:at]
		if len(about) <= helpWidth-18 {
			break
		}
	}
	fmt.Fprintf(w, "  %-14s  %s\n", name, about)
}

// topics are the help pages that belong to no subcommand, with their lines in the help. Another
// line names those that have none.
var topics = []struct{ name, summary string }{
	{"features", "features of a config; also: tune help formula, bot, limits"}, {"formula", ""}, {"bot", ""},
	{"limits", ""},
}

// printEntry writes a name, and beside it paragraphs of Markdown as plain text. A long name has a
// line of its own.
func printEntry(w io.Writer, name string, paragraphs ...string) {
	plain := strings.NewReplacer("`", "", `\|`, "|")
	const column = 16
	name, margin := "  "+name, strings.Repeat(" ", column)
	for _, p := range paragraphs {
		p = plain.Replace(p)
		if p == "" {
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
