package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tune2048/configs"
	"tune2048/configs/config"
	"tune2048/experiments"
)

// drawer draws random configs that are valid and soon played. It follows the schema of configs, so
// it draws a new key or word without a change here. Numbers that decide the length of a run, and
// keys that the schema does not bound, have a rule of their own in rule.
type drawer struct {
	*rand.Rand
	t      testing.TB
	budget bool   // the stages have max_games, and sizes may be left out
	names  int    // that are given away
	text   string // the formula that was drawn last
	family *config.Config
}

// schema is a JSON Schema, or a part of one.
type schema = map[string]any

var wholeSchema = func() (s schema) {
	if err := json.Unmarshal(configs.Schema, &s); err != nil {
		panic(err)
	}
	return s
}()

// ofHeuristics is wholeSchema without bots, whose configs have no searches.
var ofHeuristics = func() schema {
	s := maps.Clone(wholeSchema)
	s["properties"] = maps.Clone(s["properties"].(schema))
	delete(s["properties"].(schema), "player")
	delete(s["properties"].(schema), "starts") // its weights would have to lie in the ranges
	delete(s, "oneOf")
	s["required"] = []any{"heuristic"}
	return s
}()

// randomConfig writes the valid config of a seed as valid.yaml, and weights.json for its
// references. JSON is YAML, too.
func randomConfig(t testing.TB, folder string, seed uint64) (text string, c *config.Config) {
	path := filepath.Join(folder, "valid.yaml")
	for try := range uint64(10_000) {
		d := &drawer{Rand: rand.New(rand.NewPCG(seed, try)), t: t}
		d.budget = d.IntN(6) == 0
		all := d.object("", ofHeuristics).(schema)
		if d.family == nil {
			continue
		}
		if _, given := all["references"]; given {
			all["references"] = d.references()
		}
		text = asText(all)
		for name, text := range map[string]string{path: text, filepath.Join(folder, "weights.json"): asText(d.weights())} {
			must(t, os.WriteFile(name, []byte(text), 0o644))
		}
		c, err := config.Load(path)
		if err == nil {
			err = experiments.CheckPlan(c)
		}
		if err == nil {
			return text, c
		}
	}
	t.Fatalf("seed %d: no valid config is drawn", seed)
	return
}

func asText(x any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(x); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

// sizes are the keys that a run of a few seconds needs.
var sizes = []string{"stages", "playoff", "validation", "ablation", "optimizer", "search", "generations", "games", "population", "finalists"}

// value draws a value of a key: its full name without the numbers of list items.
func (d *drawer) value(key string, s schema) any {
	if x, ok := d.rule(key, s); ok {
		return x
	}
	if to, ok := s["$ref"].(string); ok {
		return d.value(key, wholeSchema["definitions"].(schema)[strings.TrimPrefix(to, "#/definitions/")].(schema))
	}
	if x, ok := s["const"]; ok {
		return x
	}
	if words, ok := s["enum"].([]any); ok {
		return words[d.IntN(len(words))]
	}
	if variants, ok := s["anyOf"].([]any); ok && s["properties"] == nil {
		return d.value(key, variants[d.IntN(len(variants))].(schema))
	}
	switch s["type"] {
	case "object":
		return d.object(key, s)
	case "array":
		least, most := int(s["minItems"].(float64)), int(s["maxItems"].(float64))
		list := []any{}
		for range least + d.IntN(min(3, most-least+1)) {
			list = append(list, d.value(key, s["items"].(schema)))
		}
		return list
	case "integer":
		least, most := s["minimum"].(float64), s["maximum"].(float64)
		return uint64(least + d.Float64()*(most-least+0.999))
	case "number":
		return d.within(s)
	}
	d.t.Fatalf("%s: give the generator of configs a rule for this key: %v", key, s)
	return nil
}

// object draws each key that may be left out half of the time.
func (d *drawer) object(key string, s schema) any {
	properties, required := maps.Clone(s["properties"].(schema)), []any{}
	if more, ok := s["required"].([]any); ok {
		required = append(required, more...)
	}
	o := schema{}
	if one, ok := s["oneOf"].([]any); ok { // of some keys
		chosen := d.IntN(len(one))
		for i, variant := range one {
			if names := variant.(schema)["required"].([]any); i == chosen {
				required = append(required, names...)
			} else {
				delete(properties, names[0].(string))
			}
		}
	}
	if all, ok := s["allOf"].([]any); ok { // keys that depend on a word
		for word := range properties {
			o[word] = d.value(key+"."+word, properties[word].(schema))
			for _, variant := range all {
				v := variant.(schema)
				if v["if"].(schema)["properties"].(schema)[word].(schema)["const"] == o[word] {
					then := maps.Clone(v["then"].(schema))
					delete(then["properties"].(schema), word)
					maps.Copy(o, d.object(key, then).(schema))
				}
			}
		}
		return o
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		size := slices.Contains(sizes, name) && !(d.budget && strings.HasPrefix(key, "stages"))
		if len(properties[name].(schema)) == 0 { // the word, which is drawn
			continue
		}
		if slices.Contains(required, any(name)) || size || d.IntN(2) == 0 || name == "max_games" && d.budget {
			o[name] = d.value(strings.TrimPrefix(key+"."+name, "."), properties[name].(schema))
		}
	}
	return o
}

// within draws a number between bounds, and often one of them or one close to it.
func (d *drawer) within(s schema) float64 {
	bound := func(name, without string) (x float64, out bool) {
		if x, ok := s[name].(float64); ok {
			return x, false
		}
		x, out = s[without].(float64)
		if !out {
			d.t.Fatalf("a number without bounds: %v", s)
		}
		return x, true
	}
	low, lowOut := bound("minimum", "exclusiveMinimum")
	high, highOut := bound("maximum", "exclusiveMaximum")
	if d.IntN(3) > 0 {
		return low + d.Float64()*(high-low)
	}
	end, other, out := low, high, lowOut
	if d.IntN(2) == 0 {
		end, other, out = high, low, highOut
	}
	if out {
		end += (other - end) * math.Pow(10, -float64(1+d.IntN(12)))
	}
	return end
}

// rule draws the values that the schema alone does not make both valid and small.
func (d *drawer) rule(key string, s schema) (any, bool) {
	last := key[strings.LastIndex(key, ".")+1:]
	switch {
	case key == "heuristic":
		return d.heuristic(s), true
	case s["type"] == "boolean":
		return d.IntN(4) == 0, true
	case key == "heuristic.order":
		return nil, true // it has the names of weights with one range
	case key == "references":
		return nil, true // they need the weights of the family
	case key == "heuristic.features.let":
		return schema{}, true // names of parts belong to the formula
	case slices.Contains([]string{"heuristic.features.line", "heuristic.features.column", "heuristic.features.board"}, key):
		d.text = d.formula(last, true)
		return d.text, true
	case strings.HasPrefix(key, "heuristic.features") && slices.Contains([]string{"line", "row", "column", "square"}, last):
		return d.formula(last, false), true // the numbers have been drawn
	case key == "heuristic.features.numbers":
		numbers := schema{}
		for _, symbol := range formulaNumbers {
			if strings.Contains(d.text, symbol) {
				numbers[symbol] = d.weight(key)
			}
		}
		return numbers, true
	case key == "heuristic.features.sums":
		text := d.text
		if d.text = ""; strings.Contains(text, formulaSum) {
			return schema{formulaSum: d.object(key, s["additionalProperties"].(schema))}, true
		}
		return schema{}, true
	case s["$ref"] == "#/definitions/range":
		return d.span(key), true
	case key == "note":
		return "note " + fmt.Sprint(d.IntN(9)), true
	case last == "name", last == "family":
		d.names++
		return fmt.Sprintf("n%d", d.names), true
	case last == "depth":
		return 1 + max(0, d.IntN(6)-3), true
	case last == "depth_by_empty":
		list := []any{}
		for above := 15 - d.IntN(8); above >= 0 && d.IntN(3) > 0; above -= 1 + d.IntN(6) {
			list = append(list, schema{"above": above, "depth": d.value("depth", nil)})
		}
		return append(list, schema{"depth": d.value("depth", nil)}), true
	case last == "minus":
		return 8 + d.IntN(8), true
	case last == "least":
		return d.IntN(2), true
	case (last == "rounds" || last == "elites") && s["anyOf"] != nil && d.IntN(4) == 0:
		return "auto", true
	case last == "generations", last == "rounds":
		return 1 + max(0, d.IntN(4)-1), true
	case last == "population", last == "finalists":
		return 2 + d.IntN(4), true
	case last == "elites":
		return d.IntN(3), true
	case key == "ablation.games":
		return []int{0, 2, 3, 6}[d.IntN(4)], true
	case key == "store.games":
		return nil, false
	case last == "games":
		if variants, ok := s["anyOf"].([]any); ok { // auto is the first one, for a long run
			s = variants[1].(schema)
		}
		return int(s["minimum"].(float64)) + d.IntN(4), true
	case last == "max_games":
		return 80 + d.IntN(80), true
	case last == "reach":
		return 4 << d.IntN(15), true
	case last == "dead" && s["type"] == "number", s["type"] == "number" && s["minimum"] == nil && s["exclusiveMinimum"] == nil:
		return d.number(last), true
	}
	return nil, false
}

// number draws a number of any size and sign, as far as the key allows. The largest overflow the
// tables and are drawn again.
func (d *drawer) number(key string) float64 {
	sign := float64(1 - 2*d.IntN(2))
	switch {
	case key == "power":
		return []float64{1, 0.1 + 4*d.Float64()*d.Float64(), math.Pow(10, 2-4*d.Float64())}[d.IntN(3)]
	case key == "decay":
		return []float64{0, 1, 1.2 * d.Float64(), math.Pow(10, 1-9*d.Float64())}[d.IntN(4)]
	case d.IntN(6) == 0:
		return float64(d.IntN(5) - 2)
	case d.IntN(12) == 0:
		return sign * math.Pow(10, -308*d.Float64())
	case d.IntN(8) == 0:
		return sign * math.Pow(10, 18*d.Float64())
	default:
		return sign * math.Pow(10, 6*d.Float64()-2)
	}
}

// weight draws a number or a range.
func (d *drawer) weight(key string) any {
	if d.IntN(2) == 0 {
		return d.number(key)
	}
	return d.span(key)
}

// span draws a range of any width: also of none, and of two numbers that are neighbours.
func (d *drawer) span(key string) any {
	last := key[strings.LastIndex(key, ".")+1:]
	o := d.object(key, wholeSchema["definitions"].(schema)["range"].(schema)).(schema)
	low, high := d.number(last), d.number(last)
	switch d.IntN(6) {
	case 0:
		high = low
	case 1:
		high = math.Nextafter(low, math.Inf(1))
	case 2:
		high = low + math.Abs(low)*math.Pow(10, -float64(1+d.IntN(15)))
	}
	if o["whole"] == true {
		delete(o, "scale")
		low, high = math.Trunc(low), math.Trunc(high)
		delete(o, "start")
	}
	o["min"], o["max"] = min(low, high), max(low, high)
	if _, given := o["start"]; given {
		o["start"] = []float64{min(low, high), max(low, high), min(low, high) + d.Float64()*math.Abs(high-low)}[d.IntN(3)]
	}
	return o
}

// heuristic draws a family feature by feature: each has to be valid beside those before it.
func (d *drawer) heuristic(s schema) any {
	o := d.object("heuristic", schema{"properties": s["properties"]}).(schema)
	delete(o, "order")
	if d.IntN(8) == 0 {
		delete(o, "features")
		o["family"] = []string{"cluster", "rows", "snake"}[d.IntN(3)] // whose games are short
	} else {
		item, features := s["properties"].(schema)["features"].(schema)["items"].(schema), []any{}
		for wanted, tries := 1+d.IntN(4), 30; len(features) < wanted && tries > 0; tries-- {
			o["features"] = append(features[:len(features):len(features)], d.value("heuristic.features", item))
			if _, err := config.Parse([]byte(asText(schema{"heuristic": o})), "valid.yaml"); err == nil {
				features = o["features"].([]any)
			}
		}
		o["features"] = features
	}
	d.family, _ = config.Parse([]byte(asText(schema{"heuristic": o})), "valid.yaml")
	return o
}

// formulaNumbers are the numbers that formulas may have. No other symbol contains one of them.
var formulaNumbers = []string{"k0", "k1"}

// formulaSum is the sum that formulas over the board may have.
const formulaSum = "s0"

// formulas are some over each part of the board. A few have no value for some boards or numbers.
// Package eval tests random ones.
var formulas = map[string][]string{
	"line":   {"a*b + c*d", "max(a, d) - k0*largest", "choose(b != 0, a/b, k1)", "pow(k0, empty) * (a >= b)", "log(1 + w + x*k1)"},
	"row":    {"abs(a - b) + d", "min(a, d)"},
	"column": {"a + 2*b - k0", "merges * k1"},
	"square": {"abs(a - d)", "(a == largest) + empty"},
	"board":  {"s0 - k0*empty", "k1 * moves", "points / largest", "corner + 2*distinct"},
}

// formula draws a formula over a part of the board. With numbers it may use k0 and k1.
func (d *drawer) formula(over string, numbers bool) string {
	text := formulas[over][d.IntN(len(formulas[over]))]
	if !numbers {
		text = strings.NewReplacer("k0", "3", "k1", "0.5").Replace(text)
	}
	return text
}

// weights draws numbers for some of the family's weights.
func (d *drawer) weights() map[string]float64 {
	all := map[string]float64{}
	for i, w := range d.family.Weights {
		if i == 0 || d.IntN(3) == 0 {
			last := w.Name[strings.LastIndex(w.Name, "_")+1:]
			all[w.Name] = []float64{0.5, w.Value, w.Max, d.number(last)}[d.IntN(4)]
		}
	}
	return all
}

// references draws players to compare with: one each of every form.
func (d *drawer) references() any {
	all := schema{}
	for i, r := range []any{"weights.json", schema{"file": "weights.json"}, schema{"from": "champion", "weights": d.weights()}, schema{"weights": d.weights()}} {
		if o, ok := r.(schema); ok && d.IntN(2) == 0 {
			o["dead"] = d.value("dead", schema{"anyOf": []any{schema{"const": "worst"}, schema{"type": "number"}}})
		}
		if d.IntN(3) == 0 {
			all[fmt.Sprintf("r%d", i)] = r
		}
	}
	return all
}
