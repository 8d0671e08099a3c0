package experiments

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"tune2048/engine/eval"
)

// begin begins a run of these players, with the hashes of their bots' files.
func begin(ctx context.Context, store Store, spec RunSpec, players ...*eval.Heuristic) (Run, error) {
	var err error
	spec.Programs, err = Programs(players...)
	if err != nil {
		return Run{}, err
	}
	SetPrograms(spec.Programs, players...)
	return store.Begin(ctx, spec)
}

// Programs returns the RunSpec.Programs of players.
func Programs(players ...*eval.Heuristic) (string, error) {
	var programs []map[string]string
	for _, heuristic := range players {
		if heuristic.Bot != nil {
			files, err := heuristic.Bot.Files()
			if err != nil {
				return "", fmt.Errorf("bot %s: %w", strings.Join(heuristic.Bot.Command, " "), err)
			}
			programs = append(programs, files)
		}
	}
	if programs == nil {
		return "", nil
	}
	text, _ := json.Marshal(programs) // never fails
	return string(text), nil
}

// SetPrograms sets the Hashes of players' bots from a run's RunSpec.Programs.
func SetPrograms(programs string, players ...*eval.Heuristic) {
	var hashes []map[string]string
	json.Unmarshal([]byte(programs), &hashes) // of another text there are none
	for _, heuristic := range players {
		if heuristic.Bot != nil && len(hashes) > 0 {
			heuristic.Bot.Hashes, hashes = hashes[0], hashes[1:]
		}
	}
}
