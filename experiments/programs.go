package experiments

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"tune2048/engine/heuristic"
)

// begin begins a run of these players. It records the files of their bots with a new run, and
// compares them with the files of a stored one.
func begin(ctx context.Context, store Store, spec RunSpec, players ...*heuristic.Family) (Run, error) {
	var now, then []map[string]string // of each bot, the hash of a file by its name
	for _, family := range players {
		if family.Bot != nil {
			now = append(now, family.Bot.Files())
		}
	}
	if now != nil {
		text, _ := json.Marshal(now) // never fails
		spec.Programs = string(text)
	}
	run, err := store.Begin(ctx, spec)
	if run.Programs != "" {
		_ = json.Unmarshal([]byte(run.Programs), &then) // a damaged one compares as none
	}
	changed := map[string]bool{}
	for i := range min(len(now), len(then)) {
		for name, hash := range then[i] {
			if now[i][name] != hash && now[i][name] != "" {
				changed[name] = true
			}
		}
	}
	run.Changed = strings.Join(slices.Sorted(maps.Keys(changed)), ", ")
	return run, err
}
