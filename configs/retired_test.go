package configs

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestChampionsOfOlderPrograms: a record embeds the config that its champion was tuned with, every
// key spelled out. Each is still that config.
func TestChampionsOfOlderPrograms(t *testing.T) {
	retiredKeys := 0
	for _, name := range Champions() {
		data, ok := champion("champions/" + name)
		if !ok {
			t.Fatal(name)
		}
		var record struct {
			Config string
			Hash   string `json:"config_hash"`
		}
		if err := json.Unmarshal(data, &record); err != nil {
			t.Fatal(err)
		}
		c, err := ParseStored([]byte(record.Config), "config")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if shipped, err := LoadEmbedded(name); err != nil || c.Hash != record.Hash || c.Hash != shipped.Hash {
			t.Errorf("%s: the config's hash is %s, the record says %s, shipped is %s (%v)", name, c.Hash, record.Hash, shipped.Hash, err)
		}
		if _, err := Parse([]byte(record.Config), "a.yaml"); err != nil { // as a file of the user's
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(record.Config, "sensitivity: {games: 0, step: 0.1, search: ") {
			retiredKeys++
		}
	}
	if retiredKeys != 8 {
		t.Errorf("%d records have retired keys, want 8", retiredKeys)
	}
}

func TestRetiredKeys(t *testing.T) {
	const ok = "heuristic: {features: [{feature: empty, weight: {min: 0, max: 9}}]}\n"
	plain := load(t, ok)
	for _, neutral := range []string{"sensitivity: {games: 0}", "sensitivity: {games: 0, step: 0.2, search: {depth: 5}}", "sensitivity: {}"} {
		if c := load(t, ok+neutral); c.Hash != plain.Hash || strings.Contains(string(c.YAML()), "sensitivity") {
			t.Errorf("%s makes another config:\n%s", neutral, c.YAML())
		}
	}
	const instead = ": this program has no sensitivity any more; references: {moved: {from: champion, weights: {NAME: 0.5}}} plays the champion with one weight moved"
	for text, want := range map[string]string{
		"sensitivity: {step: 0.2, games: 20}":     "a.yaml:2:26: sensitivity.games: want 0, got 20" + instead,
		"sensitivity: {games: none}":              `a.yaml:2:15: sensitivity.games: want 0, got the text "none"` + instead,
		"sensitivity: {games: {}}":                "a.yaml:2:15: sensitivity.games: want 0, got a mapping" + instead,
		"sensitivity: {gmaes: 20}":                "a.yaml:2:15: sensitivity.gmaes: unknown key; did you mean games?; want games, step or search",
		"sensitivity: 20":                         "a.yaml:2:1: sensitivity: want a mapping (key: value), got 20",
		"optimizer: {sensitivity: {games: 0}}":    "a.yaml:2:13: optimizer.sensitivity: unknown key; want ",
		"sensitivity: {games: 0}\nsensitivity: 1": "a.yaml:3:1: sensitivity: duplicate key, first on line 2",
	} {
		if _, err := Parse([]byte(ok+text), "a.yaml"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	for _, r := range retired {
		if slices.ContainsFunc(homes(), func(h home) bool { return h.section == "" && slices.Contains(h.keys, r.name) }) {
			t.Errorf("%s is retired, and is not", r.name)
		}
	}
}
