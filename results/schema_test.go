package results

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tune2048/experiments"
)

func TestOpenRefusesANewerVersion(t *testing.T) {
	path := whole(t)
	edit(t, path, fmt.Sprintf("PRAGMA user_version = %d", version+1))
	refused(t, path, errNewer, "update this program", fmt.Sprint(version+1))
}

// TestOpenRefusesOlderVersions: one sentence names the last program that reads such a file.
func TestOpenRefusesOlderVersions(t *testing.T) {
	for old := 1; old < oldest; old++ {
		path := whole(t)
		edit(t, path, fmt.Sprintf("DROP TABLE standings; PRAGMA user_version = %d", old))
		refused(t, path, nil, fmt.Sprintf(": it is of version %d, which the program at commit 171f45d was the last to read", old))
	}
}

// TestIdentifyWhileTheFileIsCreated: what is read of a file to know it is of one moment.
func TestIdentifyWhileTheFileIsCreated(t *testing.T) {
	for range 20 {
		path := filepath.Join(t.TempDir(), "tune.db")
		reader := sure(connect(writing, path, "rwc", busyTimeout))(t)
		var created atomic.Bool
		done := make(chan error, 1)
		go func() {
			s, err := Open(path)
			if err == nil {
				err = s.Close()
			}
			created.Store(true)
			done <- err
		}()
		for !created.Load() {
			if _, err := identify(ctx, reader, "open", path); errors.Is(err, errForeign) {
				t.Fatalf("a database that is just being created: %v", err)
			}
		}
		must(t, <-done)
		must(t, reader.Close())
	}
}

// TestOtherSchema: a file with other tables or views than the schema's is refused before anything
// is asked of it. What its owner added is not looked at.
func TestOtherSchema(t *testing.T) {
	for change, refused := range map[string]bool{
		"CREATE TABLE mine (a); CREATE VIEW yours AS SELECT 1; CREATE INDEX fast ON games (score); ANALYZE": false,
		"DROP VIEW verdicts":                                   true,
		"DROP TABLE standings":                                 true,
		"ALTER TABLE workers RENAME COLUMN name TO title":      true,
		"ALTER TABLE games ADD COLUMN comment TEXT":            true,
		"DROP VIEW progress; CREATE VIEW progress AS SELECT 1": true,
	} {
		path := whole(t)
		edit(t, path, change)
		s, err := Open(path)
		if (err != nil) != refused || refused && !errors.Is(err, errForeign) {
			t.Errorf("%s: %v", change, err)
		}
		if err == nil {
			s.Close()
		}
		if r, err := OpenReader(path); (err != nil) != refused {
			t.Errorf("%s: reading: %v", change, err)
		} else if err == nil {
			r.Close()
		}
	}
}

// TestSQLNamesKindsAndPhases: views and shipped queries are plain SQL. So each kind and phase is
// spelled there as the program spells it.
func TestSQLNamesKindsAndPhases(t *testing.T) {
	text := schema
	for _, q := range NamedQueries() {
		text += q.SQL
	}
	fresh := []string{experiments.PhaseValidation, experiments.PhaseComparison, experiments.PhaseAblation, experiments.PhaseTrend}
	kinds := []string{string(experiments.KindTune), string(experiments.KindCompare)}
	known := map[string][]string{
		"kind":  kinds,
		"phase": append([]string{experiments.PhaseTuning, experiments.PhasePlayoff}, fresh...),
	}
	found := 0
	for _, m := range regexp.MustCompile(`\b(kind|phase)( =| IN \(|((?:\s+WHEN '\w+' THEN \d+)+))((?:,? ?'\w+')*)`).FindAllStringSubmatch(text, -1) {
		for _, literal := range regexp.MustCompile(`'\w+'`).FindAllString(m[3]+m[4], -1) {
			if found++; !slices.Contains(known[m[1]], strings.Trim(literal, "'")) {
				t.Errorf("there is no %s %s: %s", m[1], literal, m[0])
			}
		}
	}
	if found < 20 {
		t.Errorf("the SQL names %d kinds and phases", found)
	}
	for name, of := range map[string][]string{"kind": kinds, "phase": fresh} {
		if all := regexp.MustCompile(`\b` + name + `\b.*-- ` + strings.Join(of, ", ") + `\n`); !all.MatchString(schema) {
			t.Errorf("no column %s has the comment %s", name, strings.Join(of, ", "))
		}
	}
}
