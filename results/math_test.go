package results

import (
	"fmt"
	"testing"
)

// TestQueriesHaveMath: the functions that SQLite lacks without a build tag, with NULL where there
// is no number.
func TestQueriesHaveMath(t *testing.T) {
	s, _ := open(t)
	for expression, want := range map[string]string{
		"sqrt(2)": "1.4142135623730951", "sqrt(-1)": "<nil>", "sqrt(NULL)": "<nil>", "sqrt('x')": "<nil>",
		"log10(1000)": "3", "ln(1)": "0", "ln(0)": "<nil>", "exp(0)": "1", "pow(2, 10)": "1024",
		"power(2, 0.5)": "1.4142135623730951",
		"pow(2, NULL)":  "<nil>",
		"(SELECT stdev(column1) FROM (VALUES (2), (4), (NULL), (9.0)))": "3.605551275463989",
		"(SELECT stdev(column1) FROM (VALUES (2)))":                     "<nil>",
		"(SELECT stdev(number) FROM candidates)":                        "<nil>",
	} {
		if got := sure(rows(s.reader, "SELECT "+expression))(t); fmt.Sprint(got[0][0]) != want {
			t.Errorf("%s: got %v, want %s", expression, got[0][0], want)
		}
	}
}
