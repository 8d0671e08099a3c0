package config

import (
	"fmt"
	"testing"
)

// TestDifferences: each key that differs, and no other. A feature that was added shifts none.
func TestDifferences(t *testing.T) {
	a := "seed: 1\nheuristic:\n  features:\n    - {feature: empty, weight: {min: 1, max: 9}}\n    - {feature: merges, weight: 3}\n    - {feature: merges, weight: 4}\nsearch: {depth: 3}\n"
	b := "seed: 1\nheuristic:\n  features:\n    - {feature: corner, weight: 7}\n    - {feature: empty, weight: {min: 1, max: 8}}\n    - {feature: merges, weight: 3}\n    - {feature: merges, weight: 5}\nsearch: {depth: 3}\n"
	got, err := Differences([]byte(a), []byte(b))
	want := "[{heuristic.features.empty.weight.max 9 8} {heuristic.features.merges.2.weight 4 5} {heuristic.features.corner.feature  corner} {heuristic.features.corner.weight  7}]"
	if err != nil || fmt.Sprint(got) != want {
		t.Errorf("got %v, %v, want %s", got, err, want)
	}
	if none, err := Differences([]byte(a), []byte(a)); err != nil || none != nil {
		t.Errorf("got %v, %v", none, err)
	}
	if _, err := Differences([]byte(a), []byte("{")); err == nil {
		t.Error("a text that is no YAML has no error")
	}
}
