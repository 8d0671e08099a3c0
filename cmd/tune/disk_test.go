package main

import (
	"strings"
	"testing"
)

// TestLargeDatabase: a run that is going to fill the disk says so when it begins, and what to try.
func TestLargeDatabase(t *testing.T) {
	p := start(t, folderWith(t, strings.Replace(long, "games: 10}", "games: 100}", 1)), "-config", "long.yaml")
	p.await(t, "more than 1 GB: with store: {games: none} to about")
	p.await(t, "tuning, stage")
}
