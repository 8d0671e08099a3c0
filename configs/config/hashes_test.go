package config

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// TestConfigHashes pins the hashes of the shipped configs. Every shipped champion embeds its
// config with all keys, and the hash of the embedded config is the same. A hash is a part of a
// run's identity: a database of last year must find its run.
func TestConfigHashes(t *testing.T) {
	want := map[string]string{
		"best":           "db7719240cc88a51",
		"best-depth3":    "3a58df9f7019d1e7",
		"best-depth5":    "c34aa945dd99afa1",
		"best-squares":   "36bf3af254b71c2c",
		"best-distinct7": "f8dab1f87ba0b25a",
		"cluster":        "bf6781d8471577b7",
		"combined":       "18fb0340a6ef5fd8",
		"gradient":       "4119e4258032924b",
		"nneonneo":       "3589f3cc161a128a",
		"quickstart":     "64b07b5dbba4a77f",
		"rows":           "2b1642cde30c5472",
		"smooth":         "e44b0f34970ecf8c",
		"snake":          "a87dbc5b41119c93",
	}
	for _, name := range Names() {
		c, err := LoadEmbedded(name)
		must(t, err)
		if c.Hash[:16] != want[name] {
			t.Errorf("configs/%s.yaml has the hash %.16s, want %s", name, c.Hash, want[name])
		}
	}
	for _, name := range Champions() {
		file := filepath.Join("champions", name)
		text, err := ReadFile(file)
		must(t, err)
		var record struct {
			Config string
			Hash   string `json:"config_hash"`
		}
		must(t, json.Unmarshal(text, &record))
		c, err := Parse([]byte(record.Config), "config")
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if c.Hash[:16] != want[name] || c.Hash != record.Hash {
			t.Errorf("%s has the hash %s, the record says %s, want %s", file, c.Hash, record.Hash, want[name])
		}
	}
}
