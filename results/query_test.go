package results

import "testing"

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
