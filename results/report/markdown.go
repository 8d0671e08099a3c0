package report

import (
	"fmt"
	"io"
	"strings"

	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/results"
)

// Markdown writes what one pastes into a pull request or an issue: the answers, tables and commands of each report.
func Markdown(w io.Writer, reports []Report) error {
	m := &markdown{}
	for _, r := range reports {
		m.report(r)
	}
	_, err := io.WriteString(w, m.String())
	return err
}

type markdown struct{ strings.Builder }

// line writes a line; its arguments are shown as they are.
func (m *markdown) line(format string, texts ...string) {
	var args []any
	for _, t := range texts {
		args = append(args, verbatim(t))
	}
	fmt.Fprintf(m, format+"\n", args...)
}

// table writes a table, unless it has no rows. What is right of the first columns of texts is numbers.
func (m *markdown) table(title string, texts int, head []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	m.line("\n%s:\n", title)
	m.row(head)
	for i := range head {
		m.WriteString([]string{"|---", "|--:"}[min(1, (i+1)/(texts+1))])
	}
	m.WriteString("|\n")
	for _, r := range rows {
		m.row(r)
	}
}

func (m *markdown) row(cells []string) {
	for _, c := range cells {
		m.WriteString("| " + verbatim(c) + " ")
	}
	m.WriteString("|\n")
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
	m.line("## %s\n\n**%s**", r.Name, r.Headline.Text)
	if r.Headline.Beside != "" {
		m.line("\n%s", r.Headline.Beside)
	}
	m.heldOut(r)
	m.matters(r)
	m.weights(r)
	m.made(r)
}

// points writes mean scores.
var points = Unit{Unit: fitness.Unit{Scale: 1}, Separated: true}

func (m *markdown) heldOut(r Report) {
	beside := r.Unit.Objective != fitness.MeanScore // the mean score is not the objective
	head, rows := []string{"search", "player", "games"}, [][]string{}
	if beside {
		head = append(head, r.Unit.Title, "95% interval")
	}
	head = append(head, "mean score", "95% interval", "2048 reached", "time a move")
	for _, p := range r.HeldOut.Players {
		row := []string{p.Search, p.Name, Grouped(int64(p.Games))}
		if beside {
			row = append(row, r.Unit.Figure(p.Fitness.Value), r.Unit.Interval(p.Fitness.Interval))
		}
		reached := ""
		for _, t := range p.Tiles {
			if t.Tile == 2048 {
				reached = fmt.Sprintf("%.1f%%", 100*t.Share)
			}
		}
		time := "" // not known without rows of games
		if p.MSPerMove != nil {
			time = PerMove(*p.MSPerMove)
		}
		rows = append(rows, append(row, points.Figure(p.Score.Value), points.Interval(p.Score.Interval), reached, time))
	}
	title := "Held-out games"
	if r.Kind == experiments.KindCompare {
		title = "Fresh games"
	}
	m.table(title, 2, head, rows)
	if len(r.HeldOut.Gains)+len(r.HeldOut.Notes) > 0 {
		m.WriteString("\n")
	}
	for _, g := range r.HeldOut.Gains {
		m.line("- %s", g.Text)
	}
	for _, n := range r.HeldOut.Notes {
		m.line("- %s", n)
	}
}

func (m *markdown) matters(r Report) {
	var rows [][]string
	for _, f := range r.Matters.Features {
		rows = append(rows, []string{f.Name, f.Text, fmt.Sprintf("%g", f.Weight), Grouped(int64(f.Games))})
	}
	m.table("What matters: the champion without one feature at a time, on fresh games at "+r.Matters.Search+", change of the "+r.Unit.Changes, 2,
		[]string{"feature", "verdict", "its weight", "games"}, rows)
}

func (m *markdown) weights(r Report) {
	var rows [][]string
	for _, w := range r.Weights.Weights {
		span, champion := fmt.Sprintf("%g to %g", w.Min, w.Max), ""
		if w.Log {
			span += ", log scale"
		}
		if w.Champion != nil {
			champion = fmt.Sprintf("%g", *w.Champion)
		}
		if w.Edge != "" {
			champion += ", at its " + w.Edge
		}
		rows = append(rows, []string{w.Name, span, fmt.Sprintf("%g", w.Start), champion})
	}
	m.table("Weights", 2, []string{"weight", "range", "start", "champion"}, rows)
	if r.Convergence.Text != "" {
		m.line("\n%s", sentence(r.Convergence.Text))
	}
}

func (m *markdown) made(r Report) {
	var rows [][]string
	for _, f := range r.Made.Facts {
		rows = append(rows, []string{f.Name, f.Value})
	}
	m.table("How it was made", 2, []string{"what", "value"}, rows)
	rows = nil
	for _, w := range r.Made.Machines {
		rows = append(rows, []string{w.Name, w.Version, w.Seen, fmt.Sprint(w.Cores), Grouped(w.Games), percent(w.Share),
			fmt.Sprintf("%.1f", w.PerSecond)})
	}
	m.table("Other machines that played", 3, []string{"machine", "version", "last seen", "cores", "games", "share", "games/s"}, rows)
	again := "Again"
	if r.Kind != experiments.KindCompare {
		again = "Again, with the config below saved as " + r.Made.File
	}
	m.line("\n%s:\n", again)
	m.fenced("sh", strings.Join(r.Made.Commands, "\n"))
	m.line("\n<details><summary>config</summary>\n")
	m.fenced("yaml", r.Made.Config)
	m.line("\n</details>")
}
