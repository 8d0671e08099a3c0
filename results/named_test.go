package results

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNamedQueries runs every shipped query through the plain sqlite3 shell on an empty database: the SQL is plain, the
// columns exist, and each says what it answers.
func TestNamedQueries(t *testing.T) {
	shell, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("needs the sqlite3 shell")
	}
	path := filepath.Join(t.TempDir(), "tune.db")
	store, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, q := range NamedQueries() {
		if q.Summary() == "" {
			t.Errorf("%s: no comment", q.Name)
		}
		command := exec.Command(shell, "-bail", path)
		command.Stdin = strings.NewReader(q.SQL)
		if out, err := command.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", q.Name, err, out)
		}
	}
}
