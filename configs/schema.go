package configs

import (
	_ "embed"
	"encoding/json"
	"math"

	"gopkg.in/yaml.v3"

	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/experiments/fitness"
	"tune2048/tuner"
)

// Schema is the JSON Schema of a config, for editors: what the descriptions of the sections say, without the rules that hold
// between several keys.
//
//go:embed schema.json
var Schema []byte

// SchemaFile is what the first line of a shipped config calls it: it lies beside the config. SchemaTitle tells it from other files
// of that name.
const (
	SchemaFile  = "schema.json"
	SchemaTitle = "A config of tune"
)

// object is a JSON object.
type object = map[string]any

// makeSchema makes Schema from the descriptions.
func makeSchema() ([]byte, error) {
	c := new(Config)
	o := schemaOf(func(s *section) { c.describe(s, nil) })
	o["$schema"], o["title"] = "http://json-schema.org/draft-07/schema#", SchemaTitle
	o["definitions"] = object{
		"range":    schemaOf(func(s *section) { describeWeight(s, new(heuristic.Weight)) }),
		"search":   schemaOf(func(s *section) { describeSearch(s, new(engine.Settings)) }),
		"held_out": schemaOf(new(ValidatedSearch).describe),
	}
	text, err := json.MarshalIndent(o, "", "  ")
	return append(text, '\n'), err
}

// schemaOf returns the schema of a mapping: it is read as one without entries, and the keys are noted.
func schemaOf(describe func(*section)) object {
	o := object{"type": "object", "additionalProperties": false, "properties": object{}}
	describe(&section{reading: true, schema: o, fields: fields{mapping: node{doc: new(document), yaml: new(yaml.Node), at: new(yaml.Node)}}})
	return o
}

// note notes the schema of a key.
func (s *section) note(key string, schema object) { s.schema["properties"].(object)[key] = schema }

// required notes a problem if a key is missing.
func (s *section) required(key, example string) {
	if s.schema == nil {
		s.fields.required(key, example)
		return
	}
	keys, _ := s.schema["required"].([]string)
	s.schema["required"] = append(keys, key)
}

// onlyOne notes a problem unless exactly one of the keys is given.
func (s *section) onlyOne(keys ...string) {
	if s.schema == nil {
		s.fields.onlyOne(keys...)
		return
	}
	var each []object
	for _, key := range keys {
		each = append(each, object{"required": []string{key}})
	}
	s.schema["oneOf"] = each
}

// variants gives a mapping a schema for each value of a key; without the key it is the standard one, if there is one.
func variants(key string, values []string, standard string, variant func(value string) object) object {
	choose := object{"enum": values}
	o := object{"type": "object", "properties": object{key: choose}}
	if standard != "" {
		choose["default"] = standard
	} else {
		o["required"] = []string{key}
	}
	var all []object
	for _, value := range values {
		condition := object{"properties": object{key: object{"const": value}}}
		if value != standard {
			condition["required"] = []string{key}
		}
		all = append(all, object{"if": condition, "then": variant(value)})
	}
	o["allOf"] = all
	return o
}

// typeSchema returns the schema of what an entry is read into.
func typeSchema(to any) object {
	number := object{"type": "number"}
	list := func(most int, items object) object {
		return object{"type": "array", "minItems": 1, "maxItems": most, "items": items}
	}
	search := object{"$ref": "#/definitions/search"}
	switch to.(type) {
	case *uint64:
		return object{"type": "integer", "minimum": 0, "maximum": 1<<53 - 1}
	case *float64:
		return number
	case *string:
		return object{"type": "string", "minLength": 1}
	case *heuristic.Dead:
		return object{"anyOf": []object{{"const": "worst"}, number}}
	case *heuristic.Weight:
		return object{"anyOf": []object{number, {"$ref": "#/definitions/range"}}}
	case *[4][4]heuristic.Weight:
		four := func(items object) object {
			return object{"type": "array", "minItems": 4, "maxItems": 4, "items": items}
		}
		return four(four(typeSchema(new(heuristic.Weight))))
	case *[]heuristic.Number:
		return object{"type": "object", "additionalProperties": typeSchema(new(heuristic.Weight))}
	case *[]heuristic.Feature:
		var kinds []string
		for _, k := range heuristic.Kinds() {
			kinds = append(kinds, k.Name)
		}
		return list(maxFeatures, variants("feature", kinds, "", func(kind string) object {
			o := schemaOf(func(s *section) { describeFeature(s, &heuristic.Feature{Kind: kind}) })
			o["description"] = heuristic.KindOf(kind).Doc
			return o
		}))
	case *engine.Settings:
		return search
	case *[]ValidatedSearch:
		heldOut := object{"$ref": "#/definitions/held_out"}
		return object{"anyOf": []object{heldOut, list(maxValidations, heldOut)}}
	case *[]engine.EmptyDepth:
		return list(17, schemaOf(func(s *section) { describeEmptyDepth(s, new(engine.EmptyDepth)) }))
	case **engine.DistinctLayers:
		return schemaOf(func(s *section) { describeDistinct(s, new(engine.DistinctLayers)) })
	case *fitness.Objective:
		var names []string
		for _, k := range fitness.Kinds {
			if k.Example == 0 {
				names = append(names, k.Name)
			}
		}
		return object{"anyOf": []object{{"enum": names}, schemaOf(func(s *section) { describeObjective(s, new(fitness.Objective)) })}}
	case *[]Stage:
		c := &Config{Optimizer: tuner.Defaults(tuner.Genetic), Restarts: 1}
		return list(maxStages, schemaOf(func(s *section) { new(Stage).describe(s, "", c) }))
	case *[]Reference:
		path := typeSchema(new(string))
		return object{
			"type": "object", "maxProperties": maxReferences, "propertyNames": object{"pattern": nameForm.String()},
			"additionalProperties": object{"anyOf": []object{path, {
				"type": "object", "additionalProperties": false,
				"properties": object{
					"from": object{"const": "champion"}, "dead": typeSchema(new(heuristic.Dead)), "file": path,
					"weights": object{"type": "object", "additionalProperties": number},
				},
			}}},
		}
	}
	panic("configs: an entry whose schema nobody knows")
}

func wholeSchema(least, most, standard int) object {
	o := object{"type": "integer", "minimum": least, "maximum": most}
	if standard >= least && standard <= most {
		o["default"] = standard
	}
	return o
}

func rangeSchema(r tuner.Range, standard float64) object {
	o := object{"type": "number"}
	if r.Contains(standard) {
		o["default"] = standard
	}
	bound := func(inclusive, exclusive string, at float64, out bool) {
		switch {
		case math.IsInf(at, 0):
		case out:
			o[exclusive] = at
		default:
			o[inclusive] = at
		}
	}
	bound("minimum", "exclusiveMinimum", r.Low, r.LowOut)
	bound("maximum", "exclusiveMaximum", r.High, r.HighOut)
	return o
}

// optimizerSchema is that of the optimizer's section: each algorithm has settings of its own.
func optimizerSchema() object {
	return variants("algorithm", tuner.Algorithms(), tuner.Genetic, func(algorithm string) object {
		properties := object{"algorithm": object{}}
		for _, setting := range tuner.Settings() {
			if !setting.Uses(algorithm) {
				continue
			}
			o := rangeSchema(setting.Range, setting.Defaults[algorithm])
			if setting.Whole() {
				o["type"] = "integer"
			}
			o["description"] = setting.Doc
			properties[setting.Key] = o
		}
		return object{"additionalProperties": false, "properties": properties}
	})
}
