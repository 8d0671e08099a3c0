package config

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
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

// The transcriptions print the stored values, but for the last bits of logarithms.
func TestPublicValues(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not on this machine")
	}
	data, err := exec.Command(python, "testdata/public/values.py").Output()
	must(t, err)
	var printed publicValues
	must(t, json.Unmarshal(data, &printed))
	stored := storedValues(t)
	if !reflect.DeepEqual(printed.Boards, stored.Boards) || len(printed.Values) != len(stored.Values) {
		t.Fatal("values.py has other boards or evaluations than values.json: print it again")
	}
	for name, values := range printed.Values {
		for i, value := range values {
			if want := stored.Values[name][i]; math.Abs(value-want) > 1e-12*math.Abs(want) {
				t.Errorf("%s: values.py has %v for board %d, values.json %v", name, value, i, want)
			}
		}
	}
}
