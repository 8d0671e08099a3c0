package results

import (
	"embed"
	"strings"
)

//go:embed queries/*.sql
var queryFiles embed.FS

// NamedQuery is a query that is shipped: plain SQL for any shell, the first lines a comment that says what it answers.
type NamedQuery struct {
	Name string
	SQL  string
}

// Summary returns the query's comment as one line.
func (q NamedQuery) Summary() string {
	var lines []string
	for _, line := range strings.Split(q.SQL, "\n") {
		text, isComment := strings.CutPrefix(line, "-- ")
		if !isComment {
			break
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, " ")
}

// NamedQueries returns the shipped queries by name.
func NamedQueries() []NamedQuery {
	entries, err := queryFiles.ReadDir("queries")
	if err != nil {
		panic(err) // embedded
	}
	var list []NamedQuery
	for _, e := range entries {
		text, err := queryFiles.ReadFile("queries/" + e.Name())
		if err != nil {
			panic(err)
		}
		list = append(list, NamedQuery{strings.TrimSuffix(e.Name(), ".sql"), string(text)})
	}
	return list
}
