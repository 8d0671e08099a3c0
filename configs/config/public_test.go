package config

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Configs of public evaluations have the values of naive transcriptions of their sources.
func TestPublicEvaluations(t *testing.T) {
	lacks := map[string]float64{"gavin_guiii": 1, "victorgavrish": 188} // at most: their comments say which part
	var stored struct {                                                 // printed by testdata/public/values.py
		Boards [][4][4]int
		Values map[string][]float64
	}
	data, err := os.ReadFile("testdata/public/values.json")
	must(t, err)
	must(t, json.Unmarshal(data, &stored))
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
			t.Errorf("%s: the name is %s, %d weights are tuned, %d boards have values", file, c.Name, len(c.Tunable()),
				len(stored.Values[name]))
		}
		value := valueOf(t, c)
		for i, want := range stored.Values[name] {
			got := value(stored.Boards[i])
			if math.Abs(got-want) > max(lacks[name], 1e-9*math.Abs(want)) {
				t.Errorf("%s: %v is worth %v, want %v", name, stored.Boards[i], got, want)
			}
		}
	}
}
