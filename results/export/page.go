package export

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tune2048/experiments"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/results/report"
)

//go:embed page
var pageFiles embed.FS

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(pageFiles, "page/page.html"))
})

// page fills page.html.
type page struct {
	Run, File, Policy string
	Styles            []template.CSS
	Scripts           []template.JS
	About, Record     template.JS
	Player            template.HTML // the code of the worker
	Verdict           verdict
	Text              string // the verdict to forward
	Rows              []weightRow
	LeftOut           string
	HeldOut           []heldOutRow
	Checks            []report.Step
}

// verdict says how good the player is. Sign is better, worse or empty.
type verdict struct{ Sign, Lead, Sure string }

// weightRow is a weight; Feature: it is a feature's, whose part of a board is shown.
type weightRow struct {
	Name    []string // in words, which stand between underscores
	Value   string
	Feature bool
}

// heldOutRow are the figures at a search.
type heldOutRow struct{ Search, Games, Mean, Start, Gain, Reached string }

// maxPageScores is how many scores of a search the record in a page has, so that the page stays
// small.
const maxPageScores = 2000

// Page writes a page that opens offline. The player plays 2048 in it, or a person with the player's
// advice. The JavaScript player runs in a worker. Beside the board stand the weights, their worth,
// and the record as a file to check it with. A heuristic that cannot be compiled is an error.
func Page(w io.Writer, r *Record) error {
	l := languages["javascript"]
	s, err := newSource(r, l)
	if err != nil {
		return fmt.Errorf("export html: %w", err)
	}
	worker, err := pageFiles.ReadFile("page/worker.js")
	if err != nil {
		return err
	}
	player, err := s.code("javascript", "player", false, "javascript features", string(worker))
	if err != nil {
		return err
	}
	held := *r
	held.HeldOut = slices.Clone(r.HeldOut)
	for i := range held.HeldOut {
		h := &held.HeldOut[i]
		h.Scores = h.Scores[:min(len(h.Scores), maxPageScores)]
	}
	record, err := held.JSON()
	if err != nil {
		return err
	}
	about, err := json.Marshal(map[string]any{"search": r.Search.Text, "fours": r.Game.FourProbability})
	if err != nil {
		return err
	}
	file := report.FileName(r.Run) + ".json"
	p := page{Run: r.Run, File: file, Verdict: r.verdict(), Rows: r.weightRows(s), HeldOut: r.heldOutRows(),
		About: template.JS(about), Record: template.JS(bytes.ReplaceAll(record, []byte("<"), []byte(`\u003c`))),
		Player: template.HTML(strings.ReplaceAll(player, "\nexport function", "\nfunction")), // a worker is no module
		Checks: []report.Step{
			{What: "play its held-out games again", Command: "tune verify " + file + " -games 100"},
			{What: "the game of seed 1", Command: "tune play -weights " + file + " -seed 1"},
		}}
	if len(s.LeftOut) > 0 {
		p.LeftOut = "Features of weight 0 add nothing: " + strings.Join(s.LeftOut, ", ") + "."
	}
	p.Text = fmt.Sprintf("%s plays 2048. %s. %s\nFingerprint of the run: %.12s. Check it: %s (the page has the file)",
		r.Run, p.Verdict.Lead, p.Verdict.Sure, cmp.Or(r.Fingerprint, "none"), p.Checks[0].Command)
	for _, name := range []string{"page.css", "replay.css"} {
		p.Styles = append(p.Styles, template.CSS(asset(report.Assets, name)))
	}
	p.Styles = append(p.Styles, template.CSS(asset(pageFiles, "page/play.css")))
	p.Scripts = []template.JS{template.JS(asset(report.Assets, "board.js")), template.JS(asset(pageFiles, "page/play.js"))}
	p.Policy = report.Policy(string(p.Scripts[0]), string(p.Scripts[1])) + "; worker-src blob:"
	var text bytes.Buffer // whole or not at all
	if err := pageTemplate().Execute(&text, p); err != nil {
		return fmt.Errorf("export html: %w", err)
	}
	_, err = text.WriteTo(w)
	return err
}

// asset returns an embedded file.
func asset(files fs.FS, name string) string {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(data)
}

// estimate is a figure of the record with its interval.
func estimate(value float64, interval *[2]float64) stats.Estimate {
	e := stats.Estimate{Value: value, Interval: stats.Unbounded()}
	if interval != nil {
		e.Interval = stats.Interval{Low: interval[0], High: interval[1]}
	}
	return e
}

// gain writes the gain over the start weights in the unit of fitness, or nothing if it is not
// known.
func (r *Record) gain(h HeldOut) string {
	if h.Gain == nil {
		return ""
	}
	text := report.UnitOf(r.config.Objective).Estimate(estimate(*h.Gain, h.GainCI))
	if *h.Gain > 0 {
		return "+" + text
	}
	return text
}

// verdict says how good the player is at its own search, or else at the last one.
func (r *Record) verdict() verdict {
	if len(r.HeldOut) == 0 {
		return verdict{Lead: "Not validated", Sure: "It played no held-out games: nothing is known of its strength."}
	}
	h := r.HeldOut[len(r.HeldOut)-1]
	for _, other := range r.HeldOut {
		if other.Search == r.Search.Text {
			h = other
		}
	}
	u := report.UnitOf(r.config.Objective)
	mean, games := estimate(h.MeanScore, h.CI), report.Count(h.Games, "held-out game")
	v := verdict{Lead: "Mean score " + report.Grouped(int64(h.MeanScore+0.5)),
		Sure: fmt.Sprintf("Mean score %s in %s at %s, with its 95%% interval.", points.Estimate(mean), games, h.Search)}
	if h.Gain == nil {
		return v
	}
	of, by := "", ""
	if u.Title != points.Title {
		of = " of the " + u.Title
	}
	v.Sure = fmt.Sprintf("Mean score %s, start weights %s, gain%s %s. %s each at %s, 95%% intervals.",
		points.Estimate(mean), points.Figure(h.StartMean), of, r.gain(h), games, h.Search)
	if percent := 100 * (h.MeanScore/h.StartMean - 1); h.StartMean > 0 && !u.Logs && u.Title == points.Title {
		by = fmt.Sprintf(" by %.0f%%", max(percent, -percent))
	}
	v.Lead = "No gain found over the start weights"
	switch h.Verdict {
	case experiments.Better:
		v.Sign, v.Lead = "better", "Better than the start weights"+by
	case experiments.Worse:
		v.Sign, v.Lead = "worse", "Worse than the start weights"+by
	}
	return v
}

// points is the unit of scores.
var points = report.UnitOf(fitness.MeanScore)

// weightRows are the weights in the order of the config.
func (r *Record) weightRows(s *source) (rows []weightRow) {
	for _, w := range r.Weights {
		feature := slices.ContainsFunc(s.Features, func(f part) bool { return f.Name == w.Name })
		rows = append(rows, weightRow{strings.Split(w.Name, "_"), strconv.FormatFloat(w.Value, 'g', 6, 64), feature})
	}
	return rows
}

// heldOutRows are the figures at each search.
func (r *Record) heldOutRows() (rows []heldOutRow) {
	for _, h := range r.HeldOut {
		row := heldOutRow{Search: h.Search, Games: report.Grouped(int64(h.Games)), Gain: r.gain(h)}
		row.Mean = points.Estimate(estimate(h.MeanScore, h.CI))
		if h.Gain != nil {
			row.Start = points.Figure(h.StartMean)
		}
		if share, known := h.Reach.Map()["2048"]; known {
			row.Reached = fmt.Sprintf("%.1f%%", 100*share)
		}
		rows = append(rows, row)
	}
	return rows
}
