package results

import (
	"fmt"
	"testing"
)

// TestQueriesWriteNoLargeFiles: a query that would sort more than the limit is stopped, and names a
// remedy. The next one is answered.
func TestQueriesWriteNoLargeFiles(t *testing.T) {
	r := reading(t, whole(t))
	_, err := rows(r, fmt.Sprintf("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT %d) "+
		"SELECT length(b) FROM (SELECT zeroblob(20000) AS b, random() AS r FROM c ORDER BY r LIMIT 1000000)", queryMemory/20_000+500))
	fails(t, "", err, "stopped: it needs more than 512 MB to sort")
	fails(t, "", err, "LIMIT")
	if found, err := rows(r, "SELECT name FROM runs ORDER BY random()"); len(found) != 1 || err != nil {
		t.Errorf("afterwards %d rows, %v", len(found), err)
	}
}

// TestUnknownNames: the error of a query with an unknown name says where the names are listed.
func TestUnknownNames(t *testing.T) {
	r := reading(t, whole(t))
	for statement, want := range map[string]string{
		"SELECT * FROM run": "no such table: run", "SELECT nonsense": "no such column: nonsense",
	} {
		_, err := rows(r, statement)
		fails(t, statement, err, want)
		fails(t, statement, err, "-schema")
	}
}

// TestLongValuesOfQueries: a user's SQL meets no value that is too long. What the program itself
// reads afterwards may be longer.
func TestLongValuesOfQueries(t *testing.T) {
	r := reading(t, whole(t))
	_, err := rows(r, "SELECT zeroblob(5000000)")
	fails(t, "", err, "stopped: a value has more than 4 MB")
	if found, err := rows(r, "SELECT zeroblob(4000000)"); len(found) != 1 || err != nil {
		t.Errorf("%d rows, %v", len(found), err)
	}
	var n int
	if err := r.db.QueryRow("SELECT length(zeroblob(5000000))").Scan(&n); n != 5_000_000 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}
