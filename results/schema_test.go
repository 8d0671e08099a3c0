package results

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestSchemaIsFrozen: people have files of version 5. Another table, view or index is another
// version, with a step in takeover.go and a file of this version as its test.
func TestSchemaIsFrozen(t *testing.T) {
	const version5 = "dc443b8d9fe4253eb1791bfdcaecb40168a153b7b6b1e741af36c3160f9c7569"
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
		refused(t, path, nil, fmt.Sprintf(": it is of version %d, which the program at commit %s was the last to read", old,
			last))
	}
}

// TestOtherSchema: a file with other tables or views than the schema's is refused before anything
// is asked of it. What its owner added is not looked at.
func TestOtherSchema(t *testing.T) {
	for change, refused := range map[string]bool{
		"CREATE TABLE mine (a); CREATE VIEW yours AS SELECT 1; CREATE INDEX fast ON memo (games); ANALYZE": false,
		"DROP VIEW verdicts":                                                                       true,
		"DROP TABLE standings":                                                                     true,
		"ALTER TABLE workers RENAME COLUMN name TO title":                                          true,
		"ALTER TABLE playing ADD COLUMN comment TEXT":                                              true,
		"DROP VIEW progress; CREATE VIEW progress AS SELECT 1":                                     true,
		"CREATE TABLE mine (a); CREATE TRIGGER one AFTER INSERT ON mine BEGIN SELECT 1; END":       true,
		"CREATE TRIGGER one AFTER INSERT ON memo BEGIN UPDATE memo SET scores = '[9]'; END":        true,
		"CREATE TRIGGER one INSTEAD OF INSERT ON leaderboard BEGIN UPDATE memo SET games = 0; END": true,
	} {
		path := whole(t)
		edit(t, path, change)
		s, err := Open(path)
		if (err != nil) != refused || refused && !errors.Is(err, errForeign) &&
			!strings.Contains(err.Error(), "it has a trigger, one: ") {
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

// TestFalseViews: a text that reads as the schema's where comments are cut out of literals, or
// where SQLite stops at a zero byte, is another one.
func TestFalseViews(t *testing.T) {
	path := whole(t)
	text := rowTexts(t, path, "SELECT sql FROM sqlite_schema WHERE name = 'verdicts'")[0]
	const part = "'candidate ' || c.number"
	before, after, found := strings.Cut(text, part)
	if !found {
		t.Fatal(text)
	}
	within := "'candidate --' END AS player, 'better' AS verdict FROM runs AS r JOIN comparisons AS d " +
		"JOIN candidates AS c JOIN candidates AS b /*\n ' || c.number"
	edit(t, path, "DROP VIEW verdicts; "+before+within+after+" --*/")
	for reads := range 2 {
		if err := second(OpenReader(path)); !errors.Is(err, errForeign) {
			t.Errorf("read %d: %v", reads, err)
		}
	}
	for text, want := range map[string]string{
		"SELECT 'a -- b',  1 -- c\n/* d */, \"x  /*\" ": "SELECT 'a -- b', 1 , \"x  /*\"",
		"a--b\n--c\nd": "a d",
		"[x --] --":    "[x --]",
	} {
		if got := statement(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	path = whole(t)
	edit(t, path, "PRAGMA writable_schema = ON; UPDATE sqlite_schema "+
		"SET sql = replace(sql, char(10) || 'ORDER BY', ' --' || char(0) || char(10) || 'ORDER BY') "+
		"WHERE name = 'progress'")
	fails(t, "a zero byte", second(OpenReader(path)), "a zero byte is in its schema", ErrDamaged)
}
