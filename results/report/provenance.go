package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tune2048/configs/config"
	"tune2048/experiments"
	"tune2048/experiments/summary"
	"tune2048/results"
)

// Provenance answers: how was it made?
type Provenance struct {
	Facts    []Fact   `json:"facts"`
	Commands []string `json:"commands"` // that have it again and check it
	File     string   `json:"file"`     // stands in the commands for the file of the config; empty: a comparison
	Config   string   `json:"config"`   // YAML
}

// anyFile stands for a run's config in commands: the database does not know the name of the file.
const anyFile = "FILE"

// Fact is a line of a table: a name, and its value in words.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// provenance says how the figures came about, and how anybody gets them again.
func (rec *records) provenance() Provenance {
	m := Provenance{Config: rec.run.ConfigYAML, Facts: rec.facts()}
	run := rec.database + " " + results.ShellWord(rec.run.Name)
	verify := "tune verify" + run
	if rec.config != nil {
		m.File = anyFile
		length := rec.generations()
		if n := rec.run.StoppedAfter; n > 0 && len(rec.Generations) == n {
			length = lengths(generationsOf(rec.config, rec.Stages))
		}
		if len(cut(rec.run.Sizes)) == 0 { // otherwise no flag gives the parts their sizes
			m.Commands = []string{tuning("tune", anyFile, rec.database, length)}
		}
		if rec.config.IsEndless() { // whoever copies the config should not wait for a million generations
			m.Config = strings.Replace(m.Config, "\nobjective: ",
				"  # time ends the tuning: tune -config FILE -for 8h\nobjective: ", 1)
		}
	}
	for _, h := range experiments.Players(rec.config, rec.contest) {
		if h.Bot != nil { // nothing runs that the user did not name
			verify += " -config " + anyFile
		}
	}
	m.Commands = append(m.Commands, verify, "tune report"+run)
	return m
}

// facts are what neither the config nor the line above it says.
func (rec *records) facts() (facts []Fact) {
	add := func(name, format string, args ...any) {
		facts = append(facts, Fact{name, fmt.Sprintf(format, args...)})
	}
	add("candidates", "%s", Grouped(int64(rec.run.Candidates)))
	if rec.run.Champion >= 0 {
		add("champion", "candidate %d (%s), the best of %s", rec.run.Champion, rec.candidates[rec.run.Champion].Origin,
			Count(len(rec.Playoff), "finalist"))
	}
	if n := rec.run.StoppedAfter; n > 0 {
		add("ended early", "by -for, after %s in all", Count(n, "generation"))
	}
	add("program", "%s, %s", rec.run.GoVersion, rec.run.GoArch)
	add("signature of the play", "%s", rec.run.Signature)
	add("config hash", "%s", rec.run.ConfigHash)
	if print := cmp.Or(rec.run.Fingerprint, rec.run.Unrepeatable); print != "" {
		add("fingerprint", "%s", print)
	}
	return facts
}

// generationsOf is how many generations each stage of a config has played.
func generationsOf(c *config.Config, stages []summary.Stage) []int {
	each := make([]int, len(c.Stages))
	for i := range min(len(each), len(stages)) {
		each[i] = stages[i].Generations
	}
	return each
}

// Tuned returns a config with as many generations in each stage as the run has played.
func (r *Report) Tuned(c *config.Config) (*config.Config, error) {
	return c.WithGenerations(generationsOf(c, r.Convergence.Stages)...)
}

// generations is the flag that gives this config its length if the user's file has another one, as
// after -generations or -more. It is empty if max_games or time ends the tuning: no flag does so.
func (rec *records) generations() string {
	var each []int
	for _, stage := range rec.config.Stages {
		each = append(each, stage.Generations)
	}
	if same, err := rec.config.WithGenerations(each...); err != nil || same.Hash != rec.config.Hash ||
		rec.config.IsEndless() {
		return ""
	}
	return lengths(each)
}

// lengths is the flag -generations with a number for each stage.
func lengths(each []int) string {
	return " -generations " + strings.ReplaceAll(strings.Trim(fmt.Sprint(each), "[]"), " ", ",")
}

// unportable is a character that some system refuses in the name of a file.
var unportable = regexp.MustCompile(`[^0-9A-Za-z._-]`)

// NextNamesFile reports whether a command of what to do next takes the config from its file.
func (r Report) NextNamesFile() bool {
	return slices.ContainsFunc(r.Next, func(s Step) bool { return strings.Contains(s.Command, " "+anyFile) })
}

// play is the command that writes the page on which the champion plays. It is empty without a
// champion that could play in a page.
func (rec *records) play() string {
	if rec.run.Champion < 0 || rec.contest != nil || rec.run.Programs != "" {
		return ""
	}
	return "tune export" + rec.database + " " + results.ShellWord(rec.run.Name) + " -format html"
}

// PlayFile is the page on which the run's champion plays, beside its report: tune export -format
// html writes it.
func PlayFile(run string) string { return FileName(run) + "-plays.html" }

// FileName turns the name of a run into the name of a file in the current folder, on any system.
func FileName(run string) string {
	safe := strings.TrimLeft(unportable.ReplaceAllString(run, "_"), ".-")
	return cmp.Or(safe[:min(len(safe), 100)], "run")
}
