package results

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCompanionOf: a file beside a database is known by its name, whichever program has the
// database.
func TestCompanionOf(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.db", "plain", "a.db.version3"} {
		must(t, os.WriteFile(name, []byte("of any program"), 0o644))
	}
	must(t, os.Mkdir("folder", 0o755))
	for name, want := range map[string]string{
		"a.db-wal": "a.db", "a.db-shm": "a.db", "a.db-journal": "a.db", "a.db-mj01A2B39C4": "a.db", "a.db.wal": "a.db",
		"a.db.lock": "a.db", "a.db.version3": "a.db", "a.db.version3.2": "a.db", "a.db.version4.part": "a.db",
		lockPath("a.db", 12): "a.db", lockPath("a.db.version3", 1): "a.db.version3", "plain-wal": "plain",
		"a.db-WAL": "a.db", "a.db-wal.": "a.db", "a.db-wal ": "a.db",
		"": "", "-": "", "-wal": "", "a.db": "", "other.db-wal": "", "folder-wal": "", "a.db.html": "", "a.db-wal.html": "",
		"walk-through": "", "a.db.version": "",
	} {
		if got := CompanionOf(name); got != want {
			t.Errorf("%q belongs to %q, want %q", name, got, want)
		}
		absolute := sure(filepath.Abs(name))(t)
		if got := CompanionOf(absolute); name != "" && name != "a.db-wal." && (got != "") != (want != "") {
			t.Errorf("%q belongs to %q", absolute, got)
		}
	}
}

// TestOpenNoCompanion: a run never makes a database of a file that belongs to another one.
func TestOpenNoCompanion(t *testing.T) {
	t.Chdir(t.TempDir())
	sure(Open("a.db"))(t).Close()
	for _, name := range []string{"a.db-wal", lockPath("a.db", 7), "a.db.version3"} {
		if s, err := Open(name); err == nil {
			s.Close()
			t.Errorf("%s is opened", name)
		}
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s is there", name)
		}
	}
}
