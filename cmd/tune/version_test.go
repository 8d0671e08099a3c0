package main

import (
	"runtime/debug"
	"testing"
)

// TestCommit: a version names the commit and its date as far as the build knows them.
func TestCommit(t *testing.T) {
	const hash = "8672f4f2af129a7bd6c1c2d3e4f5061728394a5b"
	for want, settings := range map[string][]debug.BuildSetting{
		"":                           {{Key: "-buildmode", Value: "exe"}, {Key: "vcs", Value: "git"}},
		", commit 8672f4f2af12":      {{Key: "vcs.revision", Value: hash}},
		", commit abc, with changes": {{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}},
		", commit 8672f4f2af12 of 2026-11-27": {{Key: "vcs.revision", Value: hash}, {Key: "vcs.time", Value: "2026-11-27T19:53:07Z"},
			{Key: "vcs.modified", Value: "false"}},
	} {
		if got := commit(settings); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
