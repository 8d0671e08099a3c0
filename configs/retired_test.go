package configs

import (
	"slices"
	"strings"
	"testing"
)

func TestRetiredKeys(t *testing.T) {
	const ok = "heuristic: {features: [{feature: empty, weight: {min: 0, max: 9}}]}\n"
	plain := load(t, ok)
	for _, neutral := range []string{"sensitivity: {games: 0}", "sensitivity: {games: 0, step: 0.2, search: {depth: 5}}", "sensitivity: {}"} {
		if c := load(t, ok+neutral); c.Hash != plain.Hash || strings.Contains(string(c.YAML()), "sensitivity") {
			t.Errorf("%s makes another config:\n%s", neutral, c.YAML())
		}
	}
	for _, neutral := range []string{"restarts: 1", "optimizer: {populations: 1}"} {
		if c := load(t, ok+neutral); c.Hash != plain.Hash {
			t.Errorf("%s makes another config:\n%s", neutral, c.YAML())
		}
	}
	const instead = ": this program has no sensitivity any more; references: {moved: {from: champion, weights: {NAME: 0.5}}} plays the champion with one weight moved"
	for text, want := range map[string]string{
		"sensitivity: {step: 0.2, games: 20}":     "a.yaml:2:26: sensitivity.games: want 0, got 20" + instead,
		"sensitivity: {games: none}":              `a.yaml:2:15: sensitivity.games: want 0, got the text "none"` + instead,
		"sensitivity: {games: {}}":                "a.yaml:2:15: sensitivity.games: want 0, got a mapping" + instead,
		"restarts: 2":                             "a.yaml:2:1: restarts: want 1, got 2: this program has no restarts any more; a larger optimizer.population serves",
		"optimizer: {populations: 3}":             "a.yaml:2:13: optimizer.populations: want 1, got 3: this program has no optimizer.populations any more; a larger population serves",
		"sensitivity: 20":                         "a.yaml:2:1: sensitivity: want 0, got 20" + instead,
		"optimizer: {sensitivity: {games: 0}}":    "a.yaml:2:13: optimizer.sensitivity: unknown key; want ",
		"sensitivity: {games: 0}\nsensitivity: 1": "a.yaml:3:1: sensitivity: duplicate key, first on line 2",
	} {
		if _, err := Parse([]byte(ok+text), "a.yaml"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	for _, r := range retired {
		if slices.ContainsFunc(sections(), func(h home) bool { return h.section == "" && slices.Contains(h.keys, r.name) }) {
			t.Errorf("%s is retired, and is not", r.name)
		}
	}
}
