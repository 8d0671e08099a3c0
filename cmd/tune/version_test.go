package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestRelease(t *testing.T) {
	const commit = "8672f4f2af12aa0b1c2d3e4f5061728394a5b6c7"
	for _, test := range []struct {
		stamp    map[string]string
		archived string
		want     string
	}{
		{map[string]string{"vcs.revision": commit}, "$Format:%H$\n", "v0.1.0-dev+8672f4f2af12"},
		{map[string]string{"vcs.revision": commit, "vcs.modified": "true"}, "", "v0.1.0-dev+8672f4f2af12.dirty"},
		{nil, commit + "\n", "v0.1.0-dev+8672f4f2af12"},
		{nil, "$Format:%H$\n", "v0.1.0-dev+unknown"},
	} {
		if got := releaseOf(maps.Clone(test.stamp), test.archived); got != test.want {
			t.Errorf("%v, %q: got %s, want %s", test.stamp, test.archived, got, test.want)
		}
	}
}

// TestArchivedCommit: git archive names the commit in the file that the program embeds, and the
// changelog has the version.
func TestArchivedCommit(t *testing.T) {
	changelog, err := os.ReadFile("../../.github/CHANGELOG.md")
	must(t, err)
	if !strings.Contains(string(changelog), "## "+number+"\n") {
		t.Errorf("the changelog has no version %s", number)
	}
	root, err := filepath.Abs("../..")
	must(t, err)
	head := exec.Command("git", "rev-parse", "HEAD")
	head.Dir = root
	commit, err := head.Output()
	if err != nil {
		t.Skip("needs a clone")
	}
	archive := exec.Command("sh", "-c", "git archive --worktree-attributes HEAD cmd/tune/commit.txt | tar -xO")
	archive.Dir = root
	text, err := archive.Output()
	must(t, err)
	if string(text) != string(commit) {
		t.Errorf("the archive names the commit %q, want %q", text, commit)
	}
}
