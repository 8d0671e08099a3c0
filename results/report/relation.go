package report

import (
	"fmt"
	"strings"

	"tune2048/configs"
	"tune2048/results"
)

// mostChanges is how many changed keys of a config are named.
const mostChanges = 3

// Relation says in words how an experiment's run came after the others in a list with the newest
// first: "goes on from snake.2", "started afresh" or "config changed: sum.weight.max". It is empty
// for the first run.
func Relation(run results.Run, runs []results.Run) string {
	if !run.Kind.HasChampion() {
		return ""
	}
	var before *results.Run // the newest that is older, of those that did not go on if there is one
	from := "a deleted run"
	for i, other := range runs {
		if other.ID == run.GoesOnFrom {
			from = other.Name
		}
		if other.Kind == run.Kind && other.BaseName == run.BaseName && other.ID < run.ID &&
			(before == nil || before.GoesOnFrom > 0 && other.GoesOnFrom == 0) {
			before = &runs[i]
		}
	}
	var parts []string
	switch {
	case run.GoesOnFrom > 0:
		return "goes on from " + from
	case run.OwnGamesOnly:
		parts = append(parts, "started afresh")
	}
	switch {
	case before == nil:
	case before.ConfigHash != run.ConfigHash:
		parts = append(parts, "config changed"+changes(run, *before))
	case before.Signature != run.Signature:
		parts = append(parts, "another version of the program")
	}
	return strings.Join(parts, "; ")
}

// changes names the keys of the config in which a run differs from one before.
func changes(run, before results.Run) string {
	keys := configs.Changed([]byte(run.ConfigYAML), []byte(before.ConfigYAML))
	more := ""
	if n := len(keys) - mostChanges; n > 0 {
		keys, more = keys[:mostChanges], fmt.Sprintf(" and %d more", n)
	}
	if len(keys) == 0 { // the order of features, say
		return ""
	}
	return ": " + strings.Join(keys, ", ") + more
}
