package experiments

import (
	"slices"
	"testing"
)

// TestEdges: within 2% of an end of the range, of the logarithms on a log scale.
func TestEdges(t *testing.T) {
	c := synthetic(t, `
name: edges
heuristic:
  features:
    - {feature: empty, name: plain, weight: {min: -10, max: 90}}
    - {feature: merges, name: log, weight: {min: 0.01, max: 100, scale: log}}
`)
	for _, of := range []struct {
		plain, log float64
		want       [2]string
	}{
		{50, 1, [2]string{}},
		{-8.1, 1, [2]string{"min"}},
		{-7.9, 1, [2]string{}},
		{88.1, 1, [2]string{"max"}},
		{87.9, 1, [2]string{}},
		{50, 0.012, [2]string{"", "min"}}, // 10^-1.92 is 2% of the four powers of ten
		{50, 0.0121, [2]string{}},
		{90, 84, [2]string{"max", "max"}},
		{50, 82, [2]string{}},
	} {
		got, err := Edges(&c.Family, []float64{of.plain, of.log})
		if err != nil || !slices.Equal(got, of.want[:]) {
			t.Errorf("%v and %v: got %v, %v, want %v", of.plain, of.log, got, err, of.want)
		}
	}
}
