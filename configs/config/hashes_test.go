package config

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// TestConfigHashes: every shipped champion embeds its config as the program reads it, and has its
// hash.
func TestConfigHashes(t *testing.T) {
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
		must(t, err)
		shipped, err := LoadEmbedded(name)
		must(t, err)
		if c.Hash != shipped.Hash || c.Hash != record.Hash {
			t.Errorf("%s has the hash %s, the record says %s, want %s", file, c.Hash, record.Hash, shipped.Hash)
		}
	}
}
