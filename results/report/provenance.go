package report

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"tune2048/configs/config"
	"tune2048/results"
)

// provenanceSection answers: how was it made?
type provenanceSection struct {
	Facts    []fact   `json:"facts"`
	Commands []string `json:"commands"` // that have it again and check it
	File     string   `json:"file"`     // the commands take the config from it: see anyFile; empty: a comparison
	Config   string   `json:"config"`   // YAML
}

// anyFile stands for a run's config in commands: the database does not know the name of the file.
const anyFile = "FILE"

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
	m.Config = b.run.ConfigYAML
	run := b.report.database + " " + results.ShellWord(b.run.Name)
	verify := "tune verify" + run
	if b.config != nil {
		m.File = anyFile
		m.Commands = []string{tuning("tune", anyFile, b.report.database, cmp.Or(b.stopped(), b.generations()))}
		if b.config.Heuristic.Bot != nil { // nothing runs that the user did not name
			verify += " -config " + anyFile
		}
	}
	m.Commands = append(m.Commands, verify, "tune report"+run)
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
		heuristic := ""
		if c.Heuristic.Name != "" {
			heuristic = c.Heuristic.Name + ", "
		}
		if c.Heuristic.Bot != nil {
			add("bot", "%s, %d of %s tuned", strings.Join(c.Heuristic.Bot.Command, " "), len(c.Tunable()),
				Count(len(c.Heuristic.Features), "weight"))
		} else {
			add("heuristic", "%s%s, %s tuned", heuristic, Count(len(c.Heuristic.Features), "feature"),
				Count(int64(len(c.Tunable())), "weight"))
		}
		add("objective", "%s", b.unit.Title)
		add("optimizer", "%s, population %d", c.Optimizer.Name(), c.Optimizer.Candidates())
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

// stopped is the flag that ends tuning where -for ended it. It is empty if -for did not.
func (b *builder) stopped() string {
	if b.run.StoppedAfter == 0 || len(b.Generations) != b.run.StoppedAfter {
		return ""
	}
	return b.each(func(stage config.Stage) int {
		if played := b.Stage(stage.Name); played != nil {
			return played.Generations
		}
		return 0
	})
}

// Tuned returns a config with as many generations in each stage as the run has played.
func (r *Report) Tuned(c *config.Config) (*config.Config, error) {
	var each []int
	for i := range c.Stages {
		n := 0
		if i < len(r.Convergence.Stages) {
			n = r.Convergence.Stages[i].Generations
		}
		each = append(each, n)
	}
	return c.WithGenerations(each...)
}

// generations is the flag that gives this config its length if the user's file has another one, as
// after -generations or -more. It is empty if max_games or time ends the tuning: no flag does so.
func (b *builder) generations() string {
	var all []int
	text := b.each(func(stage config.Stage) int {
		all = append(all, stage.Generations)
		return stage.Generations
	})
	if same, err := b.config.WithGenerations(all...); err != nil || same.Hash != b.config.Hash || b.report.timed {
		return ""
	}
	return text
}

// each is the flag -generations with a number for each stage.
func (b *builder) each(generations func(config.Stage) int) string {
	var each []string
	for _, stage := range b.config.Stages {
		each = append(each, strconv.Itoa(generations(stage)))
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
