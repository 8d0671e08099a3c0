package configs

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"tune2048/engine/eval"
)

// compiledSchema is Schema as an editor compiles it.
func compiledSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
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

// makeSchema makes Schema from the descriptions.
func makeSchema() ([]byte, error) {
	o := schemaOf(new(Config).describe)
	o["$schema"], o["title"] = "http://json-schema.org/draft-07/schema#", SchemaTitle
	o["definitions"] = object{
		"range":    mapping(func(s *section, w *eval.Weight) { describeWeight(s, w, "", 0) }).schema(),
		"search":   mapping(describeSearch).schema(),
		"held_out": mapping(describeHeldOut).schema(),
	}
	text, err := json.MarshalIndent(o, "", "  ")
	return append(text, '\n'), err
}

// The file is generated from the descriptions. go test ./configs -run SchemaFile -update writes it.
func TestSchemaFile(t *testing.T) {
	want, err := makeSchema()
	must(t, err)
	if *update {
		must(t, os.WriteFile(SchemaFile, want, 0o644))
		Schema = want
	}
	if !bytes.Equal(Schema, want) {
		t.Errorf("%s is not what the descriptions say: go test ./configs -run SchemaFile -update", SchemaFile)
	}
}

// An editor has nothing to say of configs that are right, as they are written and in full.
func TestSchemaAccepts(t *testing.T) {
	schema := compiledSchema(t)
	text, err := os.ReadFile("testdata/full.yaml")
	must(t, err)
	all := map[string]string{"full.yaml": string(text), "chosen": chosenRanges, "weights": "heuristic: {family: snake}\nreferences: {a: b.json, c: {file: d.yaml, dead: 3}}"}
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
		"heuristic: {features: [{feature: sum, power: reward}]}",
	} {
		refuse(t, schema, wrong)
	}
	for _, wrong := range []string{
		"seed: -1", "seed: 1.5", "name: a b", "stagse: []", "game: {four_probability: 2}", "search: {}", "search: {depth: 0}", "search: {depth: 3, depth_by_empty: [{depth: 3}]}",
		"search: {depth: 3, min_probability: 1}", "search: {depth_by_distinct: {minus: 2}}", "optimizer: {population: 1}", "optimizer: {iterations: 7}",
		"optimizer: {algorithm: cma_es, elites: 1}", "optimizer: {algorithm: annealing}", "stages: []", "stages: [{games: 0}]", "stages: [{stop: 3}]", "objective: best",
		"playoff: {finalists: 1}", "validation: {search: []}", "store: {games: some}",
		"references: {a: {from: start}}", "references: {a: {weights: {empty: many}}}", "references: {a b: {}}", "restarts: 2", "optimizer: {populations: 2}",
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
