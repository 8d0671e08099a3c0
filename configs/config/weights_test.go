package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"tune2048/engine/eval"
)

func TestParseWeights(t *testing.T) {
	want := map[string]float64{"empty": 1.5, "sum_power": -2}
	for _, test := range []struct {
		text string
		dead *eval.Dead
	}{
		{`{"empty": 1.5, "sum_power": -2}`, nil},
		{"{\n\t\"empty\": 1.5,\n\t\"sum_power\": -2.0E0\n}\n", nil}, // JSON is indented with tabs
		{"# mine\nempty: 1.5\nsum_power: -2\n", nil},
		{"\ufeffempty: 1.5\r\nsum_power: -2\r\n", nil},
		{`{"run": "snake.2", "games": [1, {"x": null}], "weights": {"empty": 1.5, "sum_power": -2}}`, nil},
		{`{"weights": {"empty": 1.5, "sum_power": -2}, "dead": "worst"}`, &eval.Dead{Worst: true}},
		{`{"weights": {"empty": 1.5, "sum_power": -2}, "dead": -3}`, &eval.Dead{Value: -3}},
		{"weights:\n  empty: 1.5\n  sum_power: -2\ndead: 0\n", &eval.Dead{}},
		{"stages: later\nplayer: {command: [b], answers: moves, weights: {empty: 1.5, sum_power: {min: -4, max: 0}}}\n",
			&eval.Dead{}}, // a config
	} {
		file, err := ParseWeights([]byte(test.text), "w.json")
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if !reflect.DeepEqual(file.Weights, want) || !reflect.DeepEqual(file.Dead, test.dead) {
			t.Errorf("%s: got %v and dead %v", test.text, file.Weights, file.Dead)
		}
	}
}

func TestParseWeightsProblems(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "w:1:1: the file is empty",
		"{}":                         "w:1:1: want weights as name: number, got none",
		"[1, 2]":                     "w:1:1: want a mapping (key: value), got a list",
		"empty: many":                `w:1:1: empty: want a number in decimal digits, got the text "many"`,
		"{\n \"empty\": NaN\n}":      `w:2:2: empty: want a number in decimal digits, got the text "NaN"`,
		"empty: .nan":                "w:1:1: empty: want a number in decimal digits, got .nan",
		"weights: {}":                "w:1:1: weights: want weights as name: number, got none",
		"weights: [1]":               "w:1:1: weights: want a mapping (key: value), got a list",
		"weights: {a: x}":            `w:1:11: weights.a: want a number in decimal digits, got the text "x"`,
		"weights: {a: 1}\ndead: bad": `w:2:1: dead: want worst or a number, got the text "bad"`,
		"{\"a\": 1":                  `w:1:1: not valid YAML: did not find expected ',' or '}': in { } a comma parts the entries, and } ends them: see "{\"a\": 1" with its indentation of 0, and the line above`,
	} {
		_, err := ParseWeights([]byte(text), "w")
		if err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestWeights(t *testing.T) {
	c := load(t, "heuristic:\n  features:\n    - {feature: empty, weight: {min: 0, max: 10, start: 3}}\n    - {feature: "+
		"sum, weight: -1, power: {min: 1, max: 2}}\n")
	got, err := c.Vector(map[string]float64{"empty": -50, "sum_power": 2.5}, c.Heuristic.Dead) // outside their ranges
	if want := (eval.Vector{-50, -1, 2.5}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if got, err := c.Vector(nil, c.Heuristic.Dead); err != nil || !reflect.DeepEqual(got, c.Start()) {
		t.Errorf("got %v, %v, want the start", got, err)
	}
	for want, weights := range map[string]map[string]float64{
		"no weight is called emtpy; did you mean empty?; the weights are empty, sum, sum_power": {"emtpy": 1},
		"sum_power: want more than 0, got -1":                                                   {"sum_power": -1},
	} {
		if _, err := c.Vector(weights, c.Heuristic.Dead); err == nil || err.Error() != want {
			t.Errorf("%v: got %v, want %s", weights, err, want)
		}
	}
}

func TestReferences(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	elsewhere := write("elsewhere.yaml", "empty: 4\n")
	write("flat.json", `{"empty": 2}`)
	write("export.json", `{"weights": {"empty": 3}, "dead": -7}`)
	path := write("a.yaml", `
heuristic: {dead: -1, features: [{feature: empty}, {feature: sum}]}
references:
  plain: {weights: {empty: 1}}
  dead: {weights: {empty: 1}, dead: worst}
  flat: flat.json
  export: ./export.json
  absolute: "`+elsewhere+`"
  start: {}
  without: {from: champion, weights: {sum: 0}}
`)
	c, err := Load(path)
	must(t, err)
	fixed := func(name string, dead eval.Dead, empty float64) Reference {
		return Reference{Name: name, Dead: dead, Weights: map[string]float64{"empty": empty}}
	}
	want := References{
		fixed("absolute", eval.Dead{Value: -1}, 4),
		fixed("dead", eval.Dead{Worst: true}, 1),
		fixed("export", eval.Dead{Value: -7}, 3),
		fixed("flat", eval.Dead{Value: -1}, 2),
		fixed("plain", eval.Dead{Value: -1}, 1),
		{Name: "start", Dead: eval.Dead{Value: -1}},
		{Name: "without", Dead: eval.Dead{Value: -1}, Weights: map[string]float64{"sum": 0}, From: "champion"},
	}
	if !reflect.DeepEqual(c.References, want) {
		t.Errorf("got %+v, want %+v", c.References, want)
	}
	checkRoundTrip(t, c) // without the files
}

// TestGenome: it has the weights with a range. The vector stays as it is.
func TestGenome(t *testing.T) {
	c := load(t, "heuristic: {features: [{feature: empty, weight: {min: -1, max: 1, start: 0.5}}, {feature: merges, "+
		"weight: 3}, {feature: sum, weight: {min: 0, max: 9}, power: 2}]}")
	start := c.Start()
	got := c.WithGenome(start, []float64{-1, 7})
	if want := (eval.Vector{-1, 3, 7, 2}); !slices.Equal(got, want) || start[0] != 0.5 || len(c.Tunable()) != 2 {
		t.Errorf("got %v of %v, want %v", got, start, want)
	}
}
