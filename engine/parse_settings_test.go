package engine_test

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tune2048/engine"
)

// anySettings are valid settings of all three forms.
func anySettings(t *rapid.T) engine.Settings {
	depth := rapid.IntRange(1, engine.MaxDepth)
	var s engine.Settings
	switch rapid.IntRange(0, 2).Draw(t, "form") {
	case 0:
		s = engine.FixedDepth(depth.Draw(t, "depth"))
	case 1:
		for above := 15; above >= 0; above-- {
			if rapid.Bool().Draw(t, "entry") {
				s.Rule.ByEmpty = append(s.Rule.ByEmpty, engine.EmptyDepth{Above: above, Depth: depth.Draw(t, "depth")})
			}
		}
		s.Rule.ByEmpty = append(s.Rule.ByEmpty, engine.EmptyDepth{Above: -1, Depth: depth.Draw(t, "depth")})
	case 2:
		s.Rule.ByDistinct = &engine.DistinctLayers{Minus: rapid.IntRange(0, 15).Draw(t, "minus"),
			Least: rapid.IntRange(0, 15).Draw(t, "least")}
	}
	if rapid.Bool().Draw(t, "cut") {
		s.MinProbability = rapid.Float64Range(0, 0.999).Draw(t, "p")
	}
	return s
}

func TestParseSettingsReadsWhatStringWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anySettings(t)
		got, err := engine.ParseSettings(want.String())
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %+v, %v", want, got, err)
		}
	})
}

func TestParseSettingsReadsAnElseAlone(t *testing.T) {
	if s, err := engine.ParseSettings("depth by empty else 7"); err != nil || len(s.Rule.ByEmpty) != 1 ||
		s.Rule.Deepest() != 7 {
		t.Errorf("got %+v, %v", s, err)
	}
}

func TestParseSettingsRefusesOtherTexts(t *testing.T) {
	for _, text := range []string{
		"", "3", "depth", "depth ", "depth 0", "depth 32", "depth 03", "depth 3 ", " depth 3", "depth 3 4", "depth 3 p",
		"depth 3 p 1",
		"depth 3 p 0", "depth 3 p 0.10", "depth 3 p x", "depth by", "depth by empty", "depth by empty 3",
		"depth by empty else 3 >7:2",
		"depth by empty >3:2 >7:3 else 7", "depth by empty >7 else 7", "depth by distinct", "depth by distinct -2",
		"depth by distinct -2 least 16",
		"depth by distinct 2 least 3", "depth by distinct -2 least 3 x", strings.Repeat("depth ", 1000),
	} {
		if s, err := engine.ParseSettings(text); err == nil || !strings.Contains(err.Error(), "search: want") {
			t.Errorf("%q: got %+v, %v", text, s, err)
		}
	}
}
