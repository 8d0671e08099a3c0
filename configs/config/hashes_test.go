package config

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// TestConfigHashes: every shipped champion embeds its config, and has its hash. The shipped
// config of that name may have other defaults by now.
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
		if c.Hash != record.Hash {
			t.Errorf("%s has the hash %s, the record says %s", file, c.Hash, record.Hash)
		}
	}
}
