// Package configs embeds the files that people open: the shipped configs, the records of their
// champions, and the schema. Package config, in the folder below, reads them.
package configs

import "embed"

// Files holds NAME.yaml and champions/NAME.json.
//
//go:embed *.yaml champions/*.json
var Files embed.FS

// Schema is the JSON Schema of a config, for editors. TestGenerated of package config writes it
// from the lists of keys (-update). It does not have the rules that hold between several keys.
//
//go:embed schema.json
var Schema []byte
