package experiments

import (
	"context"
	"encoding/json"
	"strings"

	"tune2048/engine/eval"
)

// begin begins a run of these players, with the hashes of their bots' files.
func begin(ctx context.Context, store Store, spec RunSpec, players ...*eval.Heuristic) (Run, error) {
	spec.Programs = Programs(players...)
	for _, family := range players {
		if family.Bot != nil {
			family.Bot.Hashes = family.Bot.Files()
		}
	}
	return store.Begin(ctx, spec)
}

// Programs returns the RunSpec.Programs of players.
func Programs(players ...*eval.Heuristic) string {
	var programs []string
	for _, family := range players {
		if family.Bot != nil {
			programs = append(programs, filesOf(family))
		}
	}
	if programs == nil {
		return ""
	}
	return "[" + strings.Join(programs, ",") + "]"
}

// SetPrograms sets the Hashes of players' bots from a run's RunSpec.Programs.
func SetPrograms(programs string, players ...*eval.Heuristic) {
	var hashes []map[string]string
	json.Unmarshal([]byte(programs), &hashes) // of another text there are none
	for _, family := range players {
		if family.Bot != nil && len(hashes) > 0 {
			family.Bot.Hashes, hashes = hashes[0], hashes[1:]
		}
	}
}

// filesOf returns a JSON object with the hash of each file that a bot's command names, or nothing
// for a heuristic.
func filesOf(family *eval.Heuristic) string {
	if family.Bot == nil {
		return ""
	}
	text, _ := json.Marshal(family.Bot.Files()) // never fails
	return string(text)
}
