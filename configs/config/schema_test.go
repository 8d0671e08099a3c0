package config

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"tune2048/configs"
	"tune2048/engine/eval"
	"tune2048/tuner"
)

// compiledSchema is Schema as an editor compiles it.
func compiledSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(configs.Schema))
	must(t, err)
	compiler := jsonschema.NewCompiler()
	must(t, compiler.AddResource(SchemaFile, document))
	compiled, err := compiler.Compile(SchemaFile)
	must(t, err)
	return compiled
}

// asJSON is a YAML text as a JSON Schema sees it.
func asJSON(t testing.TB, text string) any {
	t.Helper()
	var x any
	err := yaml.Unmarshal([]byte(text), &x)
	data, wrong := json.Marshal(x)
	if err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	must(t, err)
	return document
}

// object is a JSON object.
type object = map[string]any

// TestSchemaKeys: the schema has the keys that the program reads, with the same limits.
func TestSchemaKeys(t *testing.T) {
	var schema object
	must(t, json.Unmarshal(configs.Schema, &schema))
	root, definitions := schema["properties"].(object), schema["definitions"].(object)
	keys := func(where string, section any, want []string) object {
		properties := section.(object)["properties"].(object)
		got := slices.Sorted(maps.Keys(properties))
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%s has the keys %v in the schema, want %v", where, got, want)
		}
		return properties
	}
	limits := func(where string, property any, least, most float64) {
		for key, want := range map[string]float64{"minimum": least, "maximum": most} {
			got, given := property.(object)[key]
			exclusive, out := property.(object)["exclusive"+strings.ToUpper(key[:1])+key[1:]]
			if !(given && got == want || out && exclusive == want) {
				t.Errorf("%s: the %s is %v in the schema, want %v", where, key, got, want)
			}
		}
	}
	tags := func(where string, section any, x any, more ...string) {
		properties := keys(where, section, append(keysOf(x), more...))
		for _, field := range reflect.VisibleFields(reflect.TypeOf(x)) {
			if want := field.Tag.Get("want"); strings.ContainsAny(want, "[(") && field.Type.Kind() != reflect.Slice {
				limits(where+"."+field.Name, properties[field.Tag.Get("yaml")], rangeOf(want).Low, rangeOf(want).High)
			}
		}
	}
	keys("the top level", schema, slices.Clone(rootKeys))
	keys("heuristic", root["heuristic"], slices.Clone(heuristicKeys))
	keys("player", root["player"], keysOf(playerKeys{}))
	tags("game", root["game"], rulesKeys{})
	tags("stages", root["stages"].(object)["items"], Stage{})
	tags("playoff", root["playoff"], Playoff{})
	tags("validation", root["validation"], Validation{})
	tags("ablation", root["ablation"], Ablation{})
	tags("search", definitions["search"], searchKeys{})
	tags("held_out", definitions["held_out"], searchKeys{}, "games")
	tags("range", definitions["range"], rangeKeys{})
	limits("seed", root["seed"], 0, float64(maxSeed))
	variants := func(section any, key string) (words []string, then []any) {
		for _, x := range section.(object)["allOf"].([]any) {
			words = append(words, x.(object)["if"].(object)["properties"].(object)[key].(object)["const"].(string))
			then = append(then, x.(object)["then"])
		}
		return words, then
	}
	algorithms, settings := variants(root["optimizer"], "algorithm")
	if !slices.Equal(algorithms, tuner.Algorithms()) {
		t.Errorf("the schema has the algorithms %v", algorithms)
	}
	for i, name := range algorithms {
		own := []string{"algorithm"}
		for _, s := range tuner.AlgorithmOf(name).Settings {
			own = append(own, s.Key)
		}
		properties := keys(name, settings[i], own)
		for _, s := range tuner.AlgorithmOf(name).Settings {
			limits(name+"."+s.Key, properties[s.Key], s.Low, s.High)
		}
	}
	kinds, features := variants(root["heuristic"].(object)["properties"].(object)["features"].(object)["items"], "feature")
	if !slices.Equal(kinds, kindNames()) {
		t.Errorf("the schema has the features %v", kinds)
	}
	for i, name := range kinds {
		own := []string{"feature", "name"}
		for _, s := range eval.KindOf(name).Settings {
			own = append(own, s.Key)
		}
		keys(name, features[i], own)
	}
}

// An editor has nothing to say of configs that are right, as they are written and in full.
func TestSchemaAccepts(t *testing.T) {
	schema := compiledSchema(t)
	text, err := os.ReadFile("testdata/full.yaml")
	must(t, err)
	all := map[string]string{"full.yaml": string(text), "ordered": ordered + "  order: [empty, merges]", "chosen": chosenRanges, "weights": "heuristic: {family: snake}\nreferences: {a: b.json, c: {file: d.yaml, dead: 3}}"}
	for _, name := range Names() {
		text, err := Embedded(name)
		must(t, err)
		all[name] = string(text)
	}
	for name, text := range all {
		texts := []string{text}
		if name != "weights" {
			texts = append(texts, string(load(t, text).YAML()))
		}
		for _, text := range texts {
			if err := schema.Validate(asJSON(t, text)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// It marks what Parse refuses, as far as that is of one key alone.
func TestSchemaRefuses(t *testing.T) {
	schema := compiledSchema(t)
	for _, wrong := range []string{
		"{}", "heuristic: {}", "heuristic: {family: nobody}", "heuristic: {family: snake, symetry: best}", "heuristic: {family: snake, symmetry: worst}",
		"heuristic: {features: []}", "heuristic: {features: [{feature: emty}]}", "heuristic: {features: [{weight: 3}]}",
		"heuristic: {features: [{feature: empty, power: 2}]}", "heuristic: {features: [{feature: snake}]}", "heuristic: {features: [{feature: empty, weight: much}]}",
		"heuristic: {features: [{feature: empty, weight: {min: 0}}]}", "heuristic: {features: [{feature: position, matrix: [[1, 2, 3, 4]]}]}",
		"heuristic: {features: [{feature: formula, name: f}]}", "heuristic: {features: [{feature: empty, weight: reword}]}",
		"heuristic: {features: [{feature: sum, power: reward}]}", "heuristic: {family: snake, order: snake}", "heuristic: {family: snake, order: [snake]}",
	} {
		refuse(t, schema, wrong)
	}
	for _, wrong := range []string{
		"seed: -1", "seed: 1.5", "name: a b", "stagse: []", "game: {four_probability: 2}", "search: {}", "search: {depth: 0}", "search: {depth: 3, depth_by_empty: [{depth: 3}]}",
		"search: {depth: 3, min_probability: 1}", "search: {depth_by_distinct: {minus: 2}}", "optimizer: {population: 1}", "optimizer: {iterations: 7}",
		"optimizer: {algorithm: cma_es, elites: 1}", "optimizer: {algorithm: annealing}", "stages: []", "stages: [{games: 0}]", "stages: [{stop: 3}]", "objective: best",
		"playoff: {finalists: 1}", "validation: {search: []}", "store: {games: some}",
		"references: {a: {from: start}}", "references: {a: {weights: {empty: many}}}", "references: {a b: {}}",
	} {
		refuse(t, schema, "heuristic: {family: snake}\n"+wrong)
	}
}

func refuse(t *testing.T, schema *jsonschema.Schema, text string) {
	t.Helper()
	if _, err := Parse([]byte(text), "wrong.yaml"); err == nil {
		t.Errorf("this is right: %s", text)
	}
	if schema.Validate(asJSON(t, text)) == nil {
		t.Errorf("the schema accepts %s", text)
	}
}
