package configs

import _ "embed"

// Schema is the JSON Schema of a config, for editors. The descriptions of the sections make it. It
// does not have the rules that hold between several keys.
//
//go:embed schema.json
var Schema []byte

// SchemaFile is the name of the schema in the first line of a shipped config: it lies beside the
// config. SchemaTitle distinguishes it from other files of that name.
const (
	SchemaFile  = "schema.json"
	SchemaTitle = "A config of tune"
)

// schemaOf returns the schema of a mapping.
func schemaOf(describe func(*section)) object {
	o := object{"type": "object", "additionalProperties": false, "properties": object{}}
	describe(&section{by: maker, schema: o})
	return o
}

// reference refers to one of the definitions.
func reference(definition string) object { return object{"$ref": "#/definitions/" + definition} }

func anyOf(variants ...object) object { return object{"anyOf": variants} }

// variants is a mapping whose other keys depend on the word of one. It gives it a schema for each
// word. Without the key it is the standard one, if there is one.
func variants(key string, words []string, standard string, variant func(word string) object) object {
	choose := object{"enum": words}
	o := object{"type": "object", "properties": object{key: choose}}
	if standard != "" {
		choose["default"] = standard
	} else {
		o["required"] = []string{key}
	}
	var all []object
	for _, word := range words {
		condition := object{"properties": object{key: object{"const": word}}}
		if word != standard {
			condition["required"] = []string{key}
		}
		then := variant(word)
		then["properties"].(object)[key] = object{}
		all = append(all, object{"if": condition, "then": then})
	}
	o["allOf"] = all
	return o
}
