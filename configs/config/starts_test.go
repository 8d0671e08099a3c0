package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const started = `heuristic:
  features:
    - {feature: empty, weight: {min: 0, max: 9, start: 1, whole: true}}
    - {feature: merges, weight: {min: 0, max: 9, start: 2, whole: true}}
    - {feature: line, weight: 3}
  order: [empty, merges]
`

// TestStarts: a file's values identify an experiment as the values themselves do, whatever its
// path.
func TestStarts(t *testing.T) {
	one := load(t, strings.Replace(started, "  order: [empty, merges]\n", "", 1)+
		"starts: [{weights: {empty: 4, merges: 3}}, {}]\n")
	if got := fmt.Sprint(one.Starts); got != "[[4 3] [1 2]]" {
		t.Errorf("got %s", got)
	}
	checkRoundTrip(t, one)
	folder := t.TempDir()
	file := func(name, text string) string {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
		return filepath.Join(folder, name)
	}
	file("old.json", `{"weights": {"empty": 4, "merges": 5, "line": 3}, "dead": 7}`)
	file("same.yaml", "merges: 5\nempty: 4\n")
	without := load(t, started)
	hashes := []string{without.Hash}
	for _, start := range []string{"old.json", "same.yaml", "{weights: {empty: 4, merges: 5}}"} {
		c, err := Load(file("a.yaml", started+"starts: ["+start+"]\n"))
		must(t, err)
		if !slices.Equal(c.Starts[0], []float64{4, 5}) {
			t.Errorf("%s: got %v", start, c.Starts)
		}
		hashes = append(hashes, c.Hash)
	}
	hashes = slices.Compact(hashes)
	if len(hashes) != 2 {
		t.Errorf("got the hashes %v, want one without starts and one with them", hashes)
	}
	c, err := Load(file("a.yaml", "heuristic: {family: snake}\nstarts: [champions/snake]\n"))
	must(t, err)
	if w := c.Tunable(); len(c.Starts[0]) != len(w) || c.Starts[0][0] == w[0].Value {
		t.Errorf("the shipped champion is %v", c.Starts)
	}
	next, changes, err := c.Next("next", c.Start(), c.Heuristic.Dead)
	must(t, err)
	if next.Starts != nil || !slices.Contains(changes, "starts: left out, these weights have met them") {
		t.Errorf("the next config has %v, %v", next.Starts, changes)
	}
}

func TestStartsProblems(t *testing.T) {
	for text, want := range map[string]string{
		"starts: {}": "8:1: starts: want a list of weights files, such as [old.json, {weights: " +
			"{empty: 270}}], got a mapping",
		"starts: []": "8:1: starts: want at least 1, got 0",
		"starts: [a.json]": "8:10: starts[0]: cannot read the weights: want the weights themselves: a " +
			"stored config refers to no files",
		"starts: [{from: champion}]": "8:10: starts[0]: want weights or a file: there is no champion yet",
		"starts: [{weights: {emty: 3}}]": "8:10: starts[0]: no weight is called emty; did you mean empty?; the weights " +
			"are empty, merges, line",
		"starts: [{weights: {merges: 10}}]":  "8:10: starts[0]: merges: want a number within the range from 0 to 9, got 10",
		"starts: [{weights: {merges: 2.5}}]": "8:10: starts[0]: merges: want a whole number, got 2.5",
		"starts: [{}, {weights: {line: 1}}]": "8:14: starts[1]: line: want 3, to which the config fixes it, got 1",
		"starts: [{weights: {empty: 5}}]": "8:10: starts[0]: want the order of the config, got merges at 2 after empty " +
			"at 5",
		"starts: [{}, {}, {}, {}]": "8:1: starts: want fewer than population, which is 4, got 4",
	} {
		if _, err := Parse([]byte(started+"optimizer: {population: 4}\n"+text+"\n"), "a.yaml"); fmt.Sprint(err) != "a.yaml:"+
			want {
			t.Errorf("%s: got\n%v\nwant\na.yaml:%s", text, err, want)
		}
	}
}
