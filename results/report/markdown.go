package report

import (
	"fmt"
	"io"
	"strings"

	"tune2048/results"
)

// Markdown writes reports for a pull request or an issue: headline, tables, commands and config of
// each. Names from a database are shown as they are and obey nothing.
func Markdown(w io.Writer, reports ...Report) error {
	m := &markdown{}
	for _, r := range reports {
		m.report(r)
	}
	_, err := io.WriteString(w, m.String())
	return err
}

type markdown struct{ strings.Builder }

// line writes a line. Markdown shows its arguments as they are.
func (m *markdown) line(format string, texts ...string) {
	var args []any
	for _, t := range texts {
		args = append(args, verbatim(t))
	}
	fmt.Fprintf(m, format+"\n", args...)
}

func (m *markdown) table(t Table) {
	if len(t.Rows) > 0 {
		m.WriteString("\n")
		if t.Title != "" {
			m.line("%s:\n", t.Title)
		}
		rule := ""
		for _, c := range t.Columns {
			m.WriteString("| " + verbatim(c.Name) + " ")
			if c.Number {
				rule += "|--:"
			} else {
				rule += "|---"
			}
		}
		m.WriteString("|\n" + rule + "|\n")
		for _, row := range t.Rows {
			for _, c := range row {
				m.WriteString("| " + verbatim(c) + " ")
			}
			m.WriteString("|\n")
		}
	}
	for i, n := range t.Notes {
		if i == 0 {
			m.WriteString("\n")
		}
		m.line("- %s", n)
	}
}

// verbatim is text that Markdown and HTML show as it is.
func verbatim(text string) string { return markup.Replace(results.Escape(text, "")) }

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&#124;", "`", "&#96;", "*", "&#42;", "~", "&#126;", `\`, "&#92;",
	"@", "&#64;", "#", "&#35;", "](", "]&#40;", "://", "&#58;//", "__", "&#95;&#95;", " _", " &#95;")

// fenced writes lines as they are, whatever fence is among them.
func (m *markdown) fenced(language, text string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	fmt.Fprintf(m, "%s%s\n%s\n%s\n", fence, language, strings.TrimRight(results.Escape(text, "\n\t"), "\n"), fence)
}

func (m *markdown) report(r Report) {
	if m.Len() > 0 {
		m.WriteString("\n")
	}
	m.line("## %s\n\n**%s.** %s.", r.Name, r.Headline.Lead, r.Headline.Sure)
	if r.Headline.Beside != "" {
		m.line("\n%s", r.Headline.Beside)
	}
	signs := map[string]string{signGood: "✓", signWarning: "!"}
	for i, check := range r.Checks {
		if i == 0 {
			m.WriteString("\n")
		}
		m.line("- "+signs[check.Sign]+" %s", check.Text)
	}
	for _, table := range r.Tables() {
		m.table(table)
	}
	again := "Again"
	if !r.Kind.HasPlayers() {
		again = "Again, with the config below saved as " + r.Made.File
	}
	m.line("\n%s:\n", again)
	m.fenced("sh", strings.Join(r.Made.Commands, "\n"))
	m.line("\n<details><summary>config</summary>\n")
	m.fenced("yaml", r.Made.Config)
	m.line("\n</details>")
}
