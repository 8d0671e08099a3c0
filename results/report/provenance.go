package report

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"tune2048/results"
)

// provenanceSection answers: how was it made?
type provenanceSection struct {
	Facts    []fact   `json:"facts"`
	Commands []string `json:"commands"` // that reproduce it
	File     string   `json:"file"`     // the commands take the config from it; empty: a comparison
	Config   string   `json:"config"`   // YAML
}

// fact is a line of a table: a name, and its value in words.
type fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (r Report) factsTable() Table {
	t := Table{Section: "made", Detail: true, Title: "How it was made"}
	for _, f := range r.Provenance.Facts {
		t.add([]cell{worded("what", f.Name), worded("value", f.Value)})
	}
	return t
}

// provenance says how the figures came about, and how anybody gets them again.
func (b *builder) provenance() {
	m := &b.report.Provenance
	if b.config != nil {
		m.File = FileName(b.run.BaseName) + ".yaml"
	}
	m.Config, m.Commands = b.run.ConfigYAML, b.commands(m.File)
	b.facts(m)
}

func (b *builder) facts(m *provenanceSection) {
	add := func(name, format string, args ...any) {
		m.Facts = append(m.Facts, fact{name, fmt.Sprintf(format, args...)})
	}
	if b.run.Note != "" {
		add("note", "%s", b.run.Note)
	}
	if c := b.config; c != nil {
		family := ""
		if c.FamilyName != "" {
			family = c.FamilyName + ", "
		}
		if c.Family.Bot != nil {
			add("bot", "%s, %d of %s tuned", strings.Join(c.Family.Bot.Command, " "), len(c.Family.Tunable()),
				Count(len(c.Family.Features), "weight"))
		} else {
			add("heuristic", "%s%s, %s tuned", family, Count(len(c.Family.Features), "feature"),
				Count(int64(len(c.Family.Tunable())), "weight"))
		}
		add("objective", "%s", b.unit.Title)
		add("optimizer", "%s, population %d", c.Optimizer.Algorithm, c.Optimizer.Candidates())
	} else {
		add("players", "%d", len(b.contest.Players))
	}
	add("seed", "%d", b.run.Seed)
	add("candidates", "%s", Grouped(int64(b.run.Candidates)))
	if b.run.Champion >= 0 {
		add("champion", "candidate %d (%s), the best of %s", b.run.Champion, b.candidates[b.run.Champion].Origin,
			Count(len(b.Playoff), "finalist"))
	}
	add("games", "%s", Grouped(b.run.Games))
	add("started", "%s", formatTime(b.report.Status.Started))
	add("took", "%s", Duration(b.run.Worked))
	if n := b.run.StoppedAfter; n > 0 {
		add("ended early", "by -for, after %s in all", Count(n, "generation"))
	}
	add("program", "%s, %s", b.run.GoVersion, b.run.GoArch)
	add("signature of the play", "%s", b.run.Signature)
	add("config hash", "%s", b.run.ConfigHash)
	if print := cmp.Or(b.run.Fingerprint, b.run.Unrepeatable); print != "" {
		add("fingerprint", "%s", print)
	}
}

// commands reproduce the run wherever this program is. The config is the one in the report, saved
// under the name of the experiment.
func (b *builder) commands(file string) []string {
	name := "" // the newest run
	if b.run.Name == b.run.BaseName || b.config == nil {
		name = " " + results.ShellWord(b.run.Name)
	}
	checks := []string{"tune verify" + name, "tune report" + name}
	if b.config == nil {
		return checks
	}
	play := "tune -config " + results.ShellWord(file)
	if b.config.Family.Bot != nil { // nothing runs that the user did not name
		checks[0] += " -config " + results.ShellWord(file)
	}
	return append([]string{play + b.generations()}, checks...)
}

// generations is the flag that ends tuning where -for ended it. It is empty if the config ended it.
func (b *builder) generations() string {
	if b.run.StoppedAfter == 0 || len(b.Generations) != b.run.StoppedAfter {
		return ""
	}
	var each []string
	for _, stage := range b.config.Stages {
		each = append(each, strconv.Itoa(b.generationsOf(stage.Name)))
	}
	return " -generations " + strings.Join(each, ",")
}

// unportable is a character that some system refuses in the name of a file.
var unportable = regexp.MustCompile(`[^0-9A-Za-z._-]`)

// FileName turns the name of a run into the name of a file in the current folder, on any system.
func FileName(run string) string {
	safe := strings.TrimLeft(unportable.ReplaceAllString(run, "_"), ".-")
	return cmp.Or(safe[:min(len(safe), 100)], "run")
}
