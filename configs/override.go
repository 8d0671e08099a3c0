package configs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// WithGenerations returns the config with another number of generations in each stage, at least 1. It is another
// experiment than c: its hash differs.
func (c *Config) WithGenerations(generations int) (*Config, error) {
	if generations < 1 || generations > maxGenerations {
		return nil, fmt.Errorf("want 1 to %d, got %d", maxGenerations, generations)
	}
	changed := *c
	changed.Stages = append([]Stage(nil), c.Stages...)
	for i := range changed.Stages {
		changed.Stages[i].Generations = generations
	}
	changed.identify()
	return &changed, nil
}

// identify fills in what identifies the config.
func (c *Config) identify() {
	c.Text = c.canonical()
	sum := sha256.Sum256([]byte(c.Text))
	c.Hash = hex.EncodeToString(sum[:])
}
