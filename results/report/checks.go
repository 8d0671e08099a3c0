package report

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tune2048/experiments"
	"tune2048/results"
)

// Check is a reason to believe the headline, or not to.
type Check struct {
	Sign string `json:"sign"` // good, warning
	Text string `json:"text"`
}

// Signs of a check.
const (
	signGood    = "good"
	signWarning = "warning"
)

// idle says of a run that has ended which of its numbers change no move.
func (b *builder) idle() {
	if b.config == nil || b.run.Status != experiments.Finished {
		return
	}
	sentences, nothing := b.config.Idle()
	for i, text := range sentences {
		sentences[i] = sentence(text)
	}
	b.report.Idle, b.report.nothing = strings.Join(sentences, " "), nothing
}

// checks says of a validated run whether held-out games chose anything, how far off the playoff
// was, and whether the ranges were wide enough.
func (b *builder) checks() {
	r := &b.report
	r.Checks = []Check{}
	r.Shortened = shortened(b.run.Sizes)
	add := func(sign, text string) {
		if text != "" {
			r.Checks = append(r.Checks, Check{sign, sentence(text)})
		}
	}
	add(signWarning, r.Doubt)
	add(signWarning, r.Failures.Text)
	if b.run.Kind.HasPlayers() || len(r.HeldOut.Players) == 0 {
		return
	}
	add(signWarning, r.Shortened)
	add(signWarning, r.Idle)
	add(signWarning, b.variant)
	if b.variant == "" {
		add(signGood, "held-out games chose nothing: tuning and playoff never saw their seeds")
	}
	add(signWarning, r.Convergence.caution)
	add(signGood, r.Convergence.ended)
	if r.higher != "" {
		add(signWarning, "the champion of "+r.higher+", another ending of this run, scored more on games of its own")
	}
	sign := signGood
	if off := r.HeldOut.Flatter; off != nil && *off > 0.1 {
		sign = signWarning
	}
	add(sign, r.playoffText())
	var edges []string
	for _, w := range r.Weights.Rows {
		if w.Edge != "" {
			place, _, _ := strings.Cut(w.Edge, ":") // without the remedy
			edges = append(edges, w.Name+" is "+place)
		}
	}
	switch {
	case len(edges) > 3:
		add(signWarning, fmt.Sprintf("%d weights are at an edge of their ranges: widen the ranges", len(edges)))
	case len(edges) > 0:
		add(signWarning, "widen the range: "+strings.Join(edges, "; "))
	default:
		add(signGood, "no weight is at an edge of its range")
	}
}

// cut returns the names of the parts of a run that had too little time.
func cut(sizes map[string]experiments.Size) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(sizes)), func(name string) bool { return sizes[name].Played >= sizes[name].Planned })
}

// shortened says which parts of a run had too little time, or nothing. Looks at the centre choose
// nothing and are not named.
func shortened(sizes map[string]experiments.Size) string {
	var parts []string
	for _, name := range cut(sizes) {
		if place := partText(name); place != "" {
			parts = append(parts, fmt.Sprintf("%s of %s in %s", Grouped(int64(sizes[name].Played)), Grouped(int64(sizes[name].Planned)), place))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "For lack of time each player played fewer games than planned: " + strings.Join(parts, ", ") + "."
}

// tunedPart matches the name of a generation, see [experiments.Place.Part].
var tunedPart = regexp.MustCompile(`^` + experiments.PhaseTuning + ` (.*) (\d+) \D`)

// partText names a part of a run in words, by its name. It is empty for looks.
func partText(name string) string {
	phase, search, _ := strings.Cut(name, " ")
	if phase == experiments.PhaseCentre {
		return ""
	}
	if m := tunedPart.FindStringSubmatch(name); m != nil {
		generation, _ := strconv.Atoi(m[2])
		return fmt.Sprintf("generation %d of stage %s", generation+1, m[1])
	}
	return "the " + phase + At(search)
}

// Step is something to do next.
type Step struct {
	What    string `json:"what"`
	Command string `json:"command"`
}

// tuning is the command that runs a config, with flags that may be empty.
func tuning(program, config, database, generations string) string {
	return program + " -config " + results.ShellWord(config) + database + generations
}

// enough writes a time that holds so many seconds, as -for takes it: whole minutes, or hours.
func enough(seconds float64) string {
	if minutes := math.Ceil(seconds / 60); minutes <= 90 {
		return fmt.Sprintf("%.0fm", max(1, minutes))
	}
	return fmt.Sprintf("%.0fh", math.Ceil(seconds/3600))
}

// Suggest sets what to do next with a run that tunes. The arguments are parts of the commands: the
// program, the config's file, and the flags -db and -generations, which may be empty.
func (r *Report) Suggest(program, config, database, generations string) {
	tune, run := tuning(program, config, database, generations), results.ShellWord(r.Name)
	if r.Next = []Step{}; r.Kind.HasPlayers() || r.Status.State != experiments.Finished {
		return // only the user knows the flags of the command that resumes it
	}
	more, bot := " -more 20", ""
	if r.early { // nobody knows how many generations that stage should have
		more = " -for 8h"
	}
	if r.Run.Programs != "" { // nothing runs that the user did not name
		bot = " -config " + results.ShellWord(config)
	}
	if r.Next = []Step{{"tune on", program + " resume" + database + " " + results.ShellWord(r.Run.Root) + bot + more}}; r.nothing {
		r.Next = []Step{{"add a feature", program + " help features"}}
	}
	r.Next = append(r.Next, Step{"use the weights", program + " export" + database + " " + run + " -o " +
		results.ShellWord(FileName(r.Name)) + ".json"})
	if slices.ContainsFunc(r.Weights.Rows, func(w weightSummary) bool { return w.Edge != "" }) {
		r.Next = append(r.Next, Step{"widen the ranges", program + " init" + database + " -from " + run})
	}
	for _, rival := range []string{r.higher, r.rival} {
		if rival != "" {
			r.Next = append(r.Next, Step{"which is better", program + " compare" + database + " " + results.ShellWord(rival) + " " + run + bot})
		}
	}
	if r.Convergence.stopped && !r.nothing { // another seed may find better weights
		limit := ""
		if r.timed { // two more searches of this length, and the meeting
			limit = " -for " + enough(3*r.Status.Took)
		}
		r.Next = append(r.Next, Step{"try other seeds", tune + limit + " -seeds 3"})
	}
}
