package configs

import _ "embed"

// Schema is the JSON Schema of a config, for editors. It is kept by hand, and a test compares
// its keys and limits. It does not have the rules that hold between several keys.
//
//go:embed schema.json
var Schema []byte

// SchemaFile is the name of the schema in the first line of a shipped config: it lies beside the
// config. SchemaTitle distinguishes it from other files of that name.
const (
	SchemaFile  = "schema.json"
	SchemaTitle = "A config of tune"
)
