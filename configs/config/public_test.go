package config

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// publicValues has the values of boards by the names of the public evaluations.
type publicValues struct {
	Boards [][4][4]int
	Values map[string][]float64
}

// storedValues returns the values that testdata/public/values.py has printed.
func storedValues(t *testing.T) (stored publicValues) {
	data, err := os.ReadFile("testdata/public/values.json")
	must(t, err)
	must(t, json.Unmarshal(data, &stored))
	return stored
}

// Configs of public evaluations have the values of naive transcriptions of their sources.
func TestPublicEvaluations(t *testing.T) {
	lacks := map[string]float64{"gavin_guiii": 1, "victorgavrish": 188} // at most: their comments say which part
	stored := storedValues(t)
	files, err := filepath.Glob("testdata/public/*.yaml")
	must(t, err)
	if len(files) != 10 || len(stored.Values) != 10 {
		t.Errorf("there are %d configs and values of %d, want 10", len(files), len(stored.Values))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		c, err := Load(file)
		must(t, err)
		if c.Name != name || len(c.Tunable()) == 0 || len(stored.Values[name]) != len(stored.Boards) {
			t.Errorf("%s: the name is %s, %d weights are tuned, %d boards have values", file, c.Name, len(c.Tunable()), len(stored.Values[name]))
		}
		value, largest := valueOf(t, c), 0.0
		for i, want := range stored.Values[name] {
			got := value(stored.Boards[i])
			off := math.Abs(got - want)
			if largest = max(largest, off/math.Abs(want)); off > max(lacks[name], 1e-9*math.Abs(want)) {
				t.Errorf("%s: %v is worth %v, want %v", name, stored.Boards[i], got, want)
			}
		}
		t.Logf("%s: off by at most %.2g of the value", name, largest)
	}
}
