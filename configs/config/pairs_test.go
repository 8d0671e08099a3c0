package config

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pairsTemplate is a right config once each <slot> is dropped or has its right text.
const pairsTemplate = `seed: <seed=7>
game: {four_probability: <four=0.1>}
heuristic:
  dead: <dead=0>
  symmetry: <symmetry=none>
  features:
    - {feature: <kind=sum>, name: <name=s>, weight: {min: <min=1>, max: 9, start: <start=2>, scale: <scale=log><range>}, power: <power=1>, tile: <tile=face><key>}
    - {feature: formula, name: f, weight: <fixed=1>, line: "<line=a*p + k>", numbers: {p: <number=1>, k: 2<symbol>}<formula key>}
    - {feature: <other kind=formula>, name: <other name=g>, line: "<other line=a>", weight: <chosen=penalty>}
search: {depth: <depth=3>, min_probability: <probability=0>}
optimizer: {algorithm: <algorithm=genetic>, population: <population=8><setting>}
stages:
  - {name: first, games: <games=4>, max_games: <max games=200>}
  - {name: <stage=second>, max_games: 100}
objective: <objective=mean_score>
validation: {search: [{depth: 1}, {depth: <again=2><held out>}]}
references:
  old: {weights: {s: <reference=1><unknown>}}
<top>`

var slots = regexp.MustCompile(`<[^<>]*>`)

// pairsMistakes has mistakes by their slot, each with the beginning of its message.
var pairsMistakes = map[string][][2]string{
	"seed":        {{"-1", "seed: want at least 0"}},
	"four":        {{"2", "game.four_probability: want a number from 0 to 1"}},
	"dead":        {{"best", "heuristic.dead: want worst or a number"}},
	"symmetry":    {{"some", "heuristic.symmetry: want none or best"}},
	"kind":        {{"summ", "heuristic.features[0].feature: want line"}, {"qqqqqqqq", "heuristic.features[0].feature: want line"}},
	"name":        {{"f", "heuristic.features[1].name: the name f is taken by features[0]"}, {"a b", "heuristic.features[0].name: want 1 to 64"}},
	"min":         {{"10", "heuristic.features[0].weight.min: want at most max"}, {"0", "heuristic.features[0].weight: want a range above 0"}, {"x", "heuristic.features[0].weight.min: want a number"}},
	"start":       {{"99", "heuristic.features[0].weight.start: want a number within"}},
	"scale":       {{"lg", "heuristic.features[0].weight.scale: want linear, log or ratio"}},
	"range":       {{", mx: 1", "heuristic.features[0].weight.mx: unknown key"}},
	"power":       {{"-1", "heuristic.features[0].power: want more than 0"}, {"{min: 2, max: 1}", "heuristic.features[0].power.min: want at most max"}, {"reward", "heuristic.features[0].power: want a number or {min"}},
	"tile":        {{"colour", "heuristic.features[0].tile: want face or rank"}},
	"key":         {{", weigth: 3", "heuristic.features[0].weigth: unknown key; did you mean weight?"}, {", power: 2", "heuristic.features[0].power: duplicate key"}},
	"fixed":       {{"{min: 2, max: 1}", "heuristic.features[1].weight.min: want at most max"}},
	"line":        {{"a*p + k + larges", "heuristic.features[1].line: column 11: there is no symbol larges"}, {"2p + k", "heuristic.features[1].line: column 2: want an operator"}},
	"number":      {{"{min: 2, max: 1}", "heuristic.features[1].numbers.p.min: want at most max"}, {"x", "heuristic.features[1].numbers.p: want a number"}},
	"symbol":      {{", a: 1", "heuristic.features[1].numbers: a means something else"}},
	"formula key": {{", numbrs: {}", "heuristic.features[1].numbrs: unknown key; did you mean numbers?"}},
	"other kind":  {{"formla", "heuristic.features[2].feature: want line"}},
	"other name":  {{"f_p", "heuristic.features[2].name: the name f_p is taken by features[1]"}},
	"other line":  {{"a +", "heuristic.features[2].line: column 4: want an operand"}, {"3", "heuristic.features[2].weight: the feature is the same on all boards"}},
	"chosen":      {{"rewrd", "heuristic.features[2].weight: want a number, {min, max, start, scale}, reward or penalty"}},
	"depth":       {{"0", "search.depth: want at least 1"}, {"3, depth_by_distinct: {minus: 1, least: 1}", "search.depth_by_distinct: want only one of"}},
	"probability": {{"1", "search.min_probability: want a number at least 0"}},
	"algorithm":   {{"genetics", "optimizer.algorithm: want auto"}, {"zzzzzzzz", "optimizer.algorithm: want auto"}},
	"population":  {{"1", "optimizer.population: want at least 2"}},
	"setting":     {{", populaton: 3", "optimizer.populaton: unknown key; did you mean population?"}},
	"games":       {{"0", "stages[0].games: want at least 1"}},
	"max games":   {{"9", "stages[0].max_games: want at least 32"}},
	"stage":       {{"first", "stages[1].name: the name first is taken"}},
	"objective":   {{"max_score", "objective: want mean_score"}},
	"again":       {{"1", "validation.search[1]: the same settings"}},
	"held out":    {{", games: 1", "validation.search[1].games: want at least 2"}},
	"reference":   {{"x", "references.old.weights.s: want a number"}},
	"unknown":     {{", sx: 1", "references.old: no weight is called sx"}},
	"top":         {{"sed: 1", "sed: unknown key; did you mean seed?"}, {"stages: []", "stages: duplicate key"}},
}

// pairsFamily are checks of a heuristic whose keys are all right, and pairsLate checks of a config
// whose other mistakes are all mended, by the beginnings of their messages.
var (
	pairsFamily = []string{"heuristic.features[1].name", "heuristic.features[2].name", "heuristic.features[0].power: want more",
		"heuristic.features[1].line", "heuristic.features[1].numbers: a", "heuristic.features[2].line", "heuristic.features[2].weight: the feature"}
	pairsLate = []string{"stages[0].max_games", "stages[1].name", "validation.search[1]: the same", "references"}
)

// pairsHidden are the other mistakes that cannot be known beside another one, by the beginnings of
// both. Nobody knows which weights and settings there are where a word is like no right one.
var pairsHidden = [][2]string{
	{"heuristic.features[0].name", "qqqqqqqq"},
	{"heuristic.features[0].weight", "qqqqqqqq"},
	{"heuristic.features[0].power: want", "qqqqqqqq"},
	{"heuristic.features[0].power.min", "qqqqqqqq"},
	{"heuristic.features[0].tile", "qqqqqqqq"},
	{"optimizer.population", "zzzzzzzz"},
	{"heuristic.features[0].weight: want a range", "heuristic.features[0].weight.scale"},
	{"heuristic.features[0].weight.min: want at most max", "heuristic.features[0].weight.scale"},
	{"heuristic.features[0].weight.start", "heuristic.features[0].weight.min"},
	{"heuristic.features[0].weight.start", "heuristic.features[0].weight.scale"},
	{"heuristic.features[2].weight: the feature is the same", "heuristic"},
	{"references.old: no weight", "references.old.weights"},
}

// TestPairsOfMistakes: of two mistakes of a kind anywhere in a config both are reported, unless one
// hides the other from any reader.
func TestPairsOfMistakes(t *testing.T) {
	fill := func(texts map[string]string) string {
		return slots.ReplaceAllStringFunc(pairsTemplate, func(slot string) string {
			name, right, _ := strings.Cut(strings.Trim(slot, "<>"), "=")
			if wrong, given := texts[name]; given {
				return wrong
			}
			return right
		})
	}
	late := func(of []string, mistake [2]string) bool {
		return slices.ContainsFunc(of, func(begins string) bool { return strings.HasPrefix(mistake[1], begins) })
	}
	hidden := func(a, b [2]string) bool {
		return late(pairsLate, a) && !late(pairsLate, b) || late(pairsFamily, a) && !late(pairsFamily, b) && strings.HasPrefix(b[1], "heuristic.") || slices.ContainsFunc(pairsHidden, func(h [2]string) bool {
			return strings.HasPrefix(a[1], h[0]) && (strings.HasPrefix(b[1], h[1]) || b[0] == h[1])
		})
	}
	if _, err := Parse([]byte(fill(nil)), "a.yaml"); err != nil {
		t.Fatal(err)
	}
	n := 0
	for slot, mistakes := range pairsMistakes {
		for other, others := range pairsMistakes {
			for _, a := range mistakes {
				for _, b := range others {
					if slot >= other {
						continue
					}
					n++
					text := fill(map[string]string{slot: a[0], other: b[0]})
					_, err := Parse([]byte(text), "a.yaml")
					if err == nil {
						t.Fatalf("%q and %q: no error", a, b)
					}
					for _, pair := range [][2][2]string{{a, b}, {b, a}} {
						if said := strings.Contains(err.Error(), ": "+pair[0][1]); said == hidden(pair[0], pair[1]) {
							t.Errorf("%q beside %q: reported %v, in\n%s", pair[0], pair[1], said, err)
						}
					}
					if lines := strings.Split(err.Error(), "\n"); len(lines) > 2 {
						t.Errorf("want only %q and %q, got\n%s", a[1], b[1], err)
					}
				}
			}
		}
	}
	t.Logf("%d pairs", n)
}
