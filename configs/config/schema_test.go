package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"tune2048/configs"
	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/engine/eval"
	"tune2048/engine/key"
	"tune2048/experiments/fitness"
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

// TestGenerated: the schema and the tables of README.md are made of the lists of keys. With -update
// it writes them.
func TestGenerated(t *testing.T) {
	const page = "../README.md"
	readme, err := os.ReadFile(page)
	must(t, err)
	want := string(readme)
	for name, table := range map[string]string{"features": featureTables(), "definitions": definitionTable(),
		"keys": keyTables()} {
		start := "<!-- " + name + " -->\n"
		want = strings.Replace(want, start+chapter(t, page, name), start+table, 1)
	}
	var schema bytes.Buffer
	e := json.NewEncoder(&schema)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	must(t, e.Encode(schemaOfConfig()))
	for path, want := range map[string]string{page: want, "../schema.json": schema.String()} {
		got, err := os.ReadFile(path)
		must(t, err)
		if string(got) != want && !*update {
			t.Errorf("%s is not what the lists of keys say: run go test ./configs/config -run Generated -update", path)
		}
		if *update {
			must(t, os.WriteFile(path, []byte(want), 0o644))
		}
	}
}

// object is a JSON object.
type object = map[string]any

// schemaOfConfig is the JSON Schema of a config.
func schemaOfConfig() object {
	root := schemaOf(new(Config))
	properties := root["properties"].(object)
	properties["player"] = schemaOf(&eval.Heuristic{Bot: new(bot.Program)})
	properties["optimizer"] = oneOfKinds("algorithm", tuner.Algorithms(), tuner.Algorithms()[0], func(name string) object {
		a := tuner.NewAlgorithm(name)
		population, _ := key.Find(a, "population")
		population.SetNumber(population.Range.High) // so elites have their widest range
		return schemaOf(a)
	})
	delete(root, "required") // one of two
	root["oneOf"] = []any{required("heuristic"), required("player")}
	root["$schema"], root["title"] = "http://json-schema.org/draft-07/schema#", SchemaTitle
	root["definitions"] = object{"range": schemaOf(new(tuner.Parameter)), "search": schemaOfSearch(new(engine.Settings)),
		"held_out": schemaOfSearch(new(ValidatedSearch))}
	heuristic := properties["heuristic"].(object)
	delete(heuristic, "required")
	heuristic["anyOf"] = []any{required("features"),
		object{"properties": object{"family": object{"enum": Names()}}, "required": []string{"family"}}}
	return root
}

func required(keys ...string) object { return object{"required": keys} }

// schemaOf is the schema of a section.
func schemaOf(s key.Section) object {
	properties, needed := object{}, []string(nil)
	for _, k := range s.Keys() {
		properties[k.Name] = schemaOfKey(k)
		if k.Example != "" {
			needed = append(needed, k.Name)
		}
	}
	o := object{"type": "object", "additionalProperties": false, "properties": properties,
		"patternProperties": object{"^" + foreign: object{}}}
	if needed != nil {
		o["required"] = needed
	}
	return o
}

func schemaOfSearch(s key.Section) object {
	o := schemaOf(s)
	o["oneOf"] = []any{required("depth"), required("depth_by_empty"), required("depth_by_distinct")}
	return o
}

// constant is the default of a key that follows from nothing else and that a file may write. It is
// nil if there is none.
func constant(k key.Key) any {
	switch x := k.Default.(type) {
	case int:
		if k.Range.Contains(float64(x)) {
			return x
		}
	case uint64, float64, string, bool:
		if !strings.HasPrefix(k.Doc, "by default") {
			return x
		}
	}
	return nil
}

// schemaOfKey is the schema of the value of a key.
func schemaOfKey(k key.Key) object {
	o := schemaOfValue(k)
	if k.Auto != nil {
		o = object{"anyOf": []any{object{"const": "auto"}, o}}
	}
	if k.Doc != "" && o["$ref"] == nil { // beside a reference nothing counts
		o["description"] = k.Doc
	}
	if x := constant(k); x != nil && x != "" {
		o["default"] = x
	}
	return o
}

func schemaOfValue(k key.Key) object {
	text := object{"type": "string", "minLength": 1}
	number := object{"anyOf": []any{object{"type": "number"}, object{"$ref": "#/definitions/range"}}}
	numberOrName := object{"anyOf": append(slices.Clone(number["anyOf"].([]any)), text)}
	named := func(value any) object { return object{"type": "object", "additionalProperties": value} }
	list := func(items any) object {
		return object{"type": "array", "items": items, "minItems": k.Range.Low, "maxItems": k.Range.High}
	}
	switch to := k.To.(type) {
	case *int, *uint64:
		return object{"type": "integer", "minimum": k.Range.Low, "maximum": k.Range.High}
	case *eval.Number:
		if to.Symbol != "" {
			return numberOrName
		}
		number["anyOf"] = append(number["anyOf"].([]any), object{"enum": []string{reward, penalty}})
		return number
	case *float64:
		o := object{"type": "number"}
		if r := k.Range; r != (key.Range{}) {
			low, high := "minimum", "maximum"
			if r.LowOut {
				low = "exclusiveMinimum"
			}
			if r.HighOut {
				high = "exclusiveMaximum"
			}
			o[low], o[high] = r.Low, r.High
		}
		return o
	case *bool:
		return object{"type": "boolean"}
	case *string:
		switch {
		case k.Choices != nil:
			return object{"enum": k.Choices}
		case k.Named:
			return object{"type": "string", "pattern": nameForm.String()}
		case k.Name == "note":
			return object{"type": "string", "minLength": 1, "maxLength": maxNote}
		}
		return text
	case *time.Duration:
		return object{"type": "string"}
	case *[]string:
		if k.Name == "command" {
			return list(object{"type": []string{"string", "number", "boolean"}})
		}
		return list(object{"type": "string"})
	case *map[string]float64:
		return named(object{"type": "number"})
	case *eval.Dead:
		return object{"anyOf": []any{object{"const": "worst"}, object{"type": "number"}}}
	case *eval.Matrix:
		four := func(items any) object { return object{"type": "array", "items": items, "minItems": 4, "maxItems": 4} }
		return four(four(numberOrName))
	case *eval.Lets:
		return named(text)
	case *eval.Sums:
		over, sums := []any{}, object{}
		for _, part := range eval.SumParts() {
			over, sums[part] = append(over, required(part)), text
		}
		return named(object{"type": "object", "additionalProperties": false, "properties": sums, "oneOf": over})
	case *eval.Numbers:
		return named(numberOrName)
	case *eval.Shared:
		o := named(number)
		o["maxProperties"] = eval.MaxFeatures
		return o
	case *eval.BotWeights:
		return named(number)
	case *[]eval.Term:
		kind, _ := key.Find(new(eval.Term), "feature")
		return list(oneOfKinds("feature", kind.Choices, "", func(name string) object {
			o := schemaOf(new(eval.Defaults(name)))
			o["description"] = eval.KindOf(name).Doc
			o["required"] = slices.DeleteFunc(o["required"].([]string),
				func(key string) bool { return slices.Contains(eval.Parts(), key) })
			if name == eval.Formula { // over one part of the board
				var one []any
				for _, part := range eval.Parts() {
					one = append(one, required(part))
				}
				o["oneOf"] = one
			}
			return o
		}))
	case *fitness.Objective:
		var words []string
		for _, kind := range fitness.Kinds {
			if kind.Example == 0 {
				words = append(words, kind.Name)
			}
		}
		reach := object{"type": "number", "minimum": 4, "maximum": 65536}
		return object{"anyOf": []any{object{"enum": words}, object{"type": "object", "additionalProperties": false,
			"properties": object{"reach": reach}, "required": []string{"reach"}}}}
	case *engine.Settings:
		return object{"$ref": "#/definitions/search"}
	case *[]ValidatedSearch:
		held := object{"$ref": "#/definitions/held_out"}
		return object{"anyOf": []any{held, list(held)}}
	case *References:
		return object{"type": "object", "maxProperties": maxReferences, "propertyNames": object{"pattern": nameForm.String()},
			"additionalProperties": object{"anyOf": []any{text, schemaOf(new(Reference))}}}
	case *[]start:
		o := schemaOf(new(Reference))
		delete(o["properties"].(object), "from")
		return list(object{"anyOf": []any{text, o}})
	case key.Section:
		if _, chosen := to.(*optimizer); chosen {
			return object{}
		}
		return schemaOf(to)
	default:
		v := reflect.TypeOf(to).Elem()
		section := schemaOf(reflect.New(v.Elem()).Interface().(key.Section))
		if v.Kind() == reflect.Pointer {
			return section
		}
		return list(section)
	}
}

// oneOfKinds is the schema of a section whose keys follow from a word. Without it they are of the
// standard one.
func oneOfKinds(word string, kinds []string, standard string, of func(kind string) object) object {
	var all []any
	for _, kind := range kinds {
		then, test := of(kind), object{"properties": object{word: object{"const": kind}}}
		then["properties"].(object)[word] = object{}
		if kind != standard {
			test["required"] = []string{word}
		}
		all = append(all, object{"if": test, "then": then})
	}
	choice := object{"enum": kinds}
	o := object{"type": "object", "allOf": all, "properties": object{word: choice}}
	if standard == "" {
		o["required"] = []string{word}
	} else {
		choice["default"] = standard
	}
	return o
}

// keyTables are README.md's tables of the keys of each section.
func keyTables() string {
	var text strings.Builder
	sections := []struct {
		name    string
		section key.Section
	}{{"The top level", new(Config)}, {"A search", new(engine.Settings)}, {"A stage", new(Stage)},
		{"playoff", new(Playoff)},
		{"validation", new(Validation)}, {"ablation", new(Ablation)}, {"A range", new(tuner.Parameter)}}
	for _, x := range sections {
		fmt.Fprintf(&text, "| %s | default | what it is |\n|---|---|---|\n", x.name)
		for _, k := range x.section.Keys() {
			standard, doc := "", k.Doc
			if x := constant(k); x != nil {
				standard = fmt.Sprintf("`%v`", x)
			}
			if k.Auto != nil {
				standard = "`auto`"
			}
			if k.Example != "" {
				standard = "must be given"
			}
			fmt.Fprintf(&text, "| `%s` | %s | %s |\n", k.Name, strings.ReplaceAll(standard, "``", ""), doc)
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// An editor has nothing to say of configs that are right, as they are written and in full.
func TestSchemaAccepts(t *testing.T) {
	schema := compiledSchema(t)
	text, err := os.ReadFile("testdata/full.yaml")
	must(t, err)
	all := map[string]string{"full.yaml": string(text), "ordered": ordered + "  order: [empty, merges]",
		"chosen": chosenRanges, "sharing": sharing, "other tools": "x-a: 1\n" + chosenRanges,
		"weights": "heuristic: {family: snake}\nreferences: {a: b.json, c: {dead: 3}}"}
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
