package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tune2048/configs/config"
	"tune2048/results/report"
)

// screenLines is how many lines of help a small terminal shows.
const screenLines = 24

// flagGroups are the groups in which the help lists the flags of a command that has many, in order.
var flagGroups = []struct{ title, names string }{
	{"What to play", "config generations new more seeds"},
	{"How long, and how much at once", "for workers"},
	{"Where it is kept, and how it is shown", "db json"},
	{"In a browser", "serve addr token-file"},
	{"With other machines", "listen server"},
}

// manyFlags is from where on flags are grouped.
const manyFlags = 10

// printHelp prints the help of a subcommand with its flags: all of it, or where that is longer than
// a screen a line for each flag. Flags that the user named are printed in full.
func (in *invocation) printHelp(f *flag.FlagSet) {
	var asked []*flag.Flag
	for _, name := range in.args {
		if g := f.Lookup(strings.TrimLeft(name, "-")); g != nil {
			asked = append(asked, g)
		}
	}
	if len(asked) > 0 {
		for _, g := range asked {
			printFlag(in.stdout, g)
		}
		return
	}
	var details, full bytes.Buffer
	if text := page(in.command.name); text != "" {
		for paragraph := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
			if strings.HasPrefix(paragraph, "  ") { // an example
				fmt.Fprintln(&details, paragraph)
			} else {
				fmt.Fprint(&details, report.Wrap(paragraph, helpWidth))
			}
		}
	}
	f.VisitAll(func(g *flag.Flag) { printFlag(&full, g) })
	head := in.command.synopsis() + "\n\n" + in.command.summary + "\n\n"
	if details.Len() > 0 {
		details.WriteString("\n")
	}
	if text := head + details.String() + full.String(); strings.Count(text, "\n") <= screenLines {
		io.WriteString(in.stdout, text)
		return
	}
	fmt.Fprintf(in.stdout, "%s\n%s\n%s", in.command.synopsis(), in.command.summary,
		strings.TrimSuffix(details.String(), "\n"))
	in.printFlags(f)
	fmt.Fprintf(in.stdout, "All about a flag: tune help %s FLAG\n", in.command.name)
}

// printFlags prints a line for each flag, in groups if there are many.
func (in *invocation) printFlags(f *flag.FlagSet) {
	var left []*flag.Flag
	f.VisitAll(func(g *flag.Flag) { left = append(left, g) })
	if len(left) >= manyFlags {
		for _, group := range flagGroups {
			title := group.title + "\n"
			for name := range strings.FieldsSeq(group.names) {
				if i := slices.IndexFunc(left, func(g *flag.Flag) bool { return g.Name == name }); i >= 0 {
					io.WriteString(in.stdout, title)
					printFlagLine(in.stdout, left[i])
					title, left = "", slices.Delete(left, i, i+1)
				}
			}
		}
	}
	for _, g := range left {
		printFlagLine(in.stdout, g)
	}
}

// flagTexts returns how a flag is typed, and what it does.
func flagTexts(g *flag.Flag) (typed, usage string) {
	name, usage := flag.UnquoteUsage(g)
	switch g.DefValue {
	case "", "0", "false", "0s":
	default:
		usage += " (default " + g.DefValue + ")"
	}
	return strings.TrimSpace("-" + g.Name + " " + name), usage
}

// printFlag prints all about a flag.
func printFlag(w io.Writer, g *flag.Flag) {
	typed, usage := flagTexts(g)
	fmt.Fprintf(w, "  %s\n      %s\n", typed,
		strings.ReplaceAll(strings.TrimSuffix(report.Wrap(usage, helpWidth-6), "\n"), "\n", "\n      "))
}

// printFlagLine prints as much about a flag as a line has room for: its first parts.
func printFlagLine(w io.Writer, g *flag.Flag) {
	const column = 20
	typed, usage := flagTexts(g)
	usage = strings.Join(strings.Fields(usage), " ")
	room := helpWidth - max(column, len(typed)+3)
	for utf8.RuneCountInString(usage) > room {
		end := partEnd.FindAllStringIndex(usage, -1)
		if end == nil { // one long part
			usage = usage[:strings.LastIndexByte(usage[:room-3], ' ')] + " ..."
			break
		}
		usage = usage[:end[len(end)-1][0]]
	}
	fmt.Fprintf(w, "  %-*s %s\n", column-3, typed, usage)
}

// partEnd is the end of a part of a sentence.
var partEnd = regexp.MustCompile(`[,:;.] | \(`)

// unknownTopic says where the help on a word is that is no topic.
func unknownTopic(word string, topics []string) string {
	name := strings.TrimLeft(word, "-")
	for _, group := range flagGroups {
		if slices.Contains(strings.Fields(group.names), name) {
			return "; -" + name + " is a flag: tune help run " + name
		}
	}
	if places := config.Places(name); len(places) > 0 {
		return "; " + name + " is a key of a config, " + strings.Join(places, " or ") + ": configs/README.md has every key"
	}
	return cmp.Or(config.DidYouMean(word, topics), "; there is help on "+strings.Join(topics, ", "))
}
