package results

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"
)

// TestSchemaIsFrozen: people have files of version 5. Another table, view or index is another
// version, with a step in takeover.go and a file of this version as its test.
func TestSchemaIsFrozen(t *testing.T) {
	const version5 = "754a770b2f9a485fbd62fd1550de26f36b86786c7f9f3d75d9a1d544112097c5"
	if found := fmt.Sprintf("%x", sha256.Sum256([]byte(statement(schema)))); version != 5 || found != version5 {
		t.Errorf("the schema of version %d is %s, want %s of version 5", version, found, version5)
	}
}

func TestOpenRefusesANewerVersion(t *testing.T) {
	path := whole(t)
	edit(t, path, fmt.Sprintf("PRAGMA user_version = %d", version+1))
	refused(t, path, errNewer, "update this program", fmt.Sprint(version+1))
}

// TestOpenRefusesOlderVersions: one sentence names the last program that reads such a file.
func TestOpenRefusesOlderVersions(t *testing.T) {
	for old, last := range map[int]string{1: "171f45d", 2: "171f45d", 3: "50db9161"} {
		path := whole(t)
		edit(t, path, fmt.Sprintf("DROP TABLE standings; PRAGMA user_version = %d", old))
		refused(t, path, nil, fmt.Sprintf(": it is of version %d, which the program at commit %s was the last to read", old, last))
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
