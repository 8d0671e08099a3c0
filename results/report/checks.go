package report

import (
	"cmp"
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

// idle says of a run that has ended which of its numbers change no move, and whether none does.
func (rec *records) idle() (text string, nothing bool) {
	if rec.config == nil || rec.run.Status != experiments.Finished {
		return "", false
	}
	sentences, nothing := rec.config.Idle()
	for i, text := range sentences {
		sentences[i] = sentence(text)
	}
	return strings.Join(sentences, " "), nothing
}

// checks says of a validated run whether held-out games chose anything, how far off the playoff
// was, and whether the ranges were wide enough.
func (rec *records) checks(r Report) (checks []Check) {
	checks = []Check{}
	add := func(sign, text string) {
		if text != "" {
			checks = append(checks, Check{sign, sentence(text)})
		}
	}
	add(signWarning, r.Doubt)
	add(signWarning, r.Failures.Text)
	if rec.run.Kind.HasPlayers() || len(r.HeldOut.Players) == 0 {
		return checks
	}
	add(signWarning, r.Shortened)
	add(signWarning, r.Idle)
	add(signWarning, rec.others.variant)
	if rec.others.variant == "" {
		add(signGood, "held-out games chose nothing: tuning and playoff never saw their seeds")
	}
	add(signWarning, rec.caution())
	add(signGood, rec.patient())
	if rec.others.higher != "" {
		add(signWarning, "the champion of "+rec.others.higher+", another ending of this run, scored more on games of its own")
	}
	sign := signGood
	if off := r.HeldOut.Flatter; off != nil && *off > 0.1 {
		sign = signWarning
	}
	add(sign, r.Playoff)
	var edges []string
	for _, w := range r.Weights.Rows {
		if w.Remark != "" {
			place, _, _ := strings.Cut(w.Remark, ":") // without the remedy
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
	return checks
}

// cut returns the names of the parts of a run that had too little time.
func cut(sizes map[string]experiments.Size) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(sizes)),
		func(name string) bool { return sizes[name].Played >= sizes[name].Planned })
}

// shortened says which parts of a run had too little time, or nothing. Looks at the centre choose
// nothing and are not named.
func shortened(sizes map[string]experiments.Size) string {
	var parts []string
	for _, name := range cut(sizes) {
		if place := partText(name); place != "" {
			parts = append(parts, fmt.Sprintf("%s of %s in %s", Grouped(int64(sizes[name].Played)),
				Grouped(int64(sizes[name].Planned)), place))
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

// next returns what to do next with a run that tunes. nothing: none of its numbers changes a move.
func (rec *records) next(r Report, nothing bool, call Call) []Step {
	steps := []Step{}
	if rec.config == nil || rec.status.State != experiments.Finished {
		return steps // only the user knows the flags of the command that resumes it
	}
	program, config := cmp.Or(call.Program, "tune"), cmp.Or(call.Config, anyFile)
	database, run := rec.database, results.ShellWord(rec.run.Name)
	more, bot := " -more 20", ""
	if len(rec.Stages) < len(rec.config.Stages) { // nobody knows how many generations that stage should have
		more = " -for 8h"
	}
	if rec.run.Programs != "" { // nothing runs that the user did not name
		bot = " -config " + results.ShellWord(config)
	}
	on := Step{"tune on", program + " resume" + database + " " + results.ShellWord(rec.run.Root) + bot + more}
	if nothing {
		on = Step{"add a feature", program + " help features"}
	}
	steps = append(steps, on, Step{"use the weights",
		program + " export" + database + " " + run + " -o " + results.ShellWord(FileName(rec.run.Name)) + ".json"})
	if slices.ContainsFunc(r.Weights.Rows, func(w Weight) bool { return w.Remark != "" }) {
		steps = append(steps, Step{"widen the ranges", program + " init" + database + " -from " + run})
	}
	for _, rival := range []string{rec.others.higher, rec.others.rival} {
		if rival != "" {
			steps = append(steps, Step{"which is better",
				program + " compare" + database + " " + results.ShellWord(rival) + " " + run + bot})
		}
	}
	if rec.stopped() && !nothing { // another seed may find better weights
		limit, length := "", call.Generations
		if call.Config == "" {
			length = rec.generations()
		}
		if rec.config.IsEndless() { // two more searches of this length, and the meeting
			limit = " -for " + enough(3*rec.status.Took)
		}
		steps = append(steps, Step{"try other seeds",
			tuning(program, config, database, length) + limit + " -seeds 3"})
	}
	return steps
}
