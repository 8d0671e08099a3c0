package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tune2048/engine"
	"tune2048/engine/eval"
)

// sharing is a heuristic whose features share a power, and whose matrix has three numbers.
const sharing = `heuristic:
  numbers: {p: {min: 1, max: 5, start: 2}, edge: {min: 0, max: 9, scale: ratio}, inner: 0.5}
  features:
    - {feature: monotonicity, tile: rank, power: p, weight: penalty}
    - {feature: sum, tile: rank, power: p, weight: -11}
    - feature: position
      matrix: [[9, edge, edge, 9], [edge, inner, inner, edge], [edge, inner, inner, edge], [9, edge, edge, 9]]
      power: {min: 0.5, max: 2}
    - {feature: formula, name: top, tile: rank, line: "pow(largest, q) + r", numbers: {q: p, r: {min: 1, max: 2}}, weight: 3}
`

// TestSharedNumbers: a number that features share is one number of the vector. The tables are those
// of a heuristic in which each has its own, of the same value.
func TestSharedNumbers(t *testing.T) {
	c := load(t, sharing)
	names := []string{"edge", "inner", "p", "monotonicity", "sum", "position", "position_power", "position_matrix_0_0",
		"position_matrix_0_3",
		"position_matrix_3_0", "position_matrix_3_3", "top", "top_r"}
	if got := c.Heuristic.Names(); !slices.Equal(got, names) {
		t.Fatalf("got %q, want %q", got, names)
	}
	if p := weightOf(c, "p"); p.Name != "p" || p.Value != 2 || p.Min != 1 || p.Max != 5 || !p.Tunable {
		t.Errorf("p is %+v", p)
	}
	checkRoundTrip(t, c)
	form := c.Form()
	again, err := ParseForm([]byte(form.Text))
	must(t, err)
	if again.Text != form.Text || !reflect.DeepEqual(again.Heuristic.Numbers, form.Heuristic.Numbers) {
		t.Errorf("got\n%s\nwant\n%s", again.Text, form.Text)
	}
	contest := NewContest(5, engine.DefaultRules(), []engine.Settings{engine.FixedDepth(3)},
		[]Player{NewPlayer("a", c.Heuristic, c.Start(), c.Heuristic.Dead)})
	read, err := ParseContest(contest.YAML(), "x")
	must(t, err)
	if read.Hash() != contest.Hash() {
		t.Errorf("another contest:\n%s", contest.YAML())
	}
	vector := c.Start()
	vector[slices.Index(names, "edge")], vector[slices.Index(names, "p")] = 4.5, 3
	alone, values := eval.Heuristic{Symmetry: eval.SymmetryNone, Dead: c.Heuristic.Dead}, eval.Vector(nil)
	for i := range c.Heuristic.Features {
		one, own := c.Heuristic.Features[i].Alone(vector)
		values = alone.Add(values, one.Features[0], own[0], own[1:]...)
	}
	if len(values) != 25 {
		t.Fatalf("with their own numbers: %v", values)
	}
	got, err := eval.NewCompiler(&c.Heuristic).Compile(vector, c.Heuristic.Dead)
	must(t, err)
	want, err := eval.NewCompiler(&alone).Compile(values, c.Heuristic.Dead)
	must(t, err)
	if got.Bits != want.Bits || got.Dead != want.Dead || *got.Rows != *want.Rows || *got.Cells[0] != *want.Cells[0] {
		t.Error("other tables than of features with numbers of their own")
	}
	if sentences, nothing := c.Idle(); len(sentences) > 0 || nothing {
		t.Errorf("idle: %q", sentences)
	}
	next, _, err := c.Next("other", vector, c.Heuristic.Dead)
	must(t, err)
	if got := next.Start(); !slices.Equal(got, vector) {
		t.Errorf("the next config starts from %v, want %v", got, vector)
	}
}

// TestSharedNumbersScale: tied cells that scale their feature together change no move beside its
// weight.
func TestSharedNumbersScale(t *testing.T) {
	c := load(t, `heuristic:
  numbers: {x: {min: 1, max: 2}, y: {min: 1, max: 3}}
  features:
    - {feature: position, weight: {min: 1, max: 5}, matrix: [[x, y, y, x], [y, 0, 0, y], [y, 0, 0, y], [x, y, y, x]]}
    - {feature: empty}
`)
	want := "x to y together scale position as its weight does: fix one of the two, such as weight: 1"
	if got, _ := c.Idle(); len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

func TestSharedNumberErrors(t *testing.T) {
	for numbers, c := range map[string]struct{ features, want string }{
		"{curve: 1}": {"{feature: sum, power: curv}",
			`heuristic.features[0].power: want a number or {min, max, start, scale}, got the text "curv"; did you mean curve?`},
		"{p: 2}": {"{feature: empty}",
			"heuristic.numbers: no feature uses the number p: write its name in place of a number, such as power: p"},
		"{p: 3}": {"{feature: sum, weight: p}",
			`heuristic.features[0].weight: want a number, {min, max, start, scale}, reward or penalty, got the text "p"`},
		"{p: -1}":                {"{feature: sum, power: p}", "heuristic.features[0].power: want more than 0, got -1"},
		"{p: {min: -1, max: 1}}": {"{feature: sum, power: p}", "heuristic.features[0].power: want more than 0, got"},
		"{sum: 1}": {"{feature: sum, power: sum}",
			"heuristic.features[0]: the name sum is taken by numbers: give one of them another name"},
		"{p: reward}": {"{feature: sum, power: p}",
			`heuristic.numbers.p: want a number or {min, max, start, scale}, got the text "reward": it is for the weight of a feature only`},
		"{P: 1}": {"{feature: sum, power: P}",
			`heuristic.numbers: want names of small letters, digits and _, with a letter first, such as p; got "P"`},
		"{p: 1, q: p}": {"{feature: sum, power: p}",
			`heuristic.numbers.q: want a number or {min, max, start, scale}, got the text "p"`},
		"{q: 1, p: {min: 1, max: 2}}": {`{feature: formula, line: "pow(a, p)"}`,
			"for the number that features share, write numbers: {p: p}"},
	} {
		_, err := Parse([]byte("heuristic:\n  numbers: "+numbers+"\n  features: ["+c.features+"]\n"), "a.yaml")
		if got := fmt.Sprint(err); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %s", numbers, got, c.want)
		}
	}
	_, err := Parse([]byte("heuristic:\n  numbers: {"+manyKeys(65)+"}\n  features: [{feature: empty}]\n"), "a.yaml")
	if got := fmt.Sprint(err); !strings.Contains(got, "heuristic.numbers: want at most 64, got 65") {
		t.Errorf("got %s", got)
	}
	_, err = Parse([]byte("heuristic: {family: snake, numbers: {p: 1}}"), "a.yaml")
	if got := fmt.Sprint(err); !strings.Contains(got, "heuristic.numbers: want features beside it") {
		t.Errorf("got %s", got)
	}
}
