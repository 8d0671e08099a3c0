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
		want       []Edge
	}{
		{50, 1, nil},
		{-8.1, 1, []Edge{{"plain", -8.1, "min"}}},
		{-7.9, 1, nil},
		{88.1, 1, []Edge{{"plain", 88.1, "max"}}},
		{87.9, 1, nil},
		{50, 0.012, []Edge{{"log", 0.012, "min"}}}, // 10^-1.92 is 2% of the four powers of ten
		{50, 0.0121, nil},
		{90, 84, []Edge{{"plain", 90, "max"}, {"log", 84, "max"}}},
		{50, 82, nil},
	} {
		got, err := Edges(&c.Family, []float64{of.plain, of.log})
		if err != nil || !slices.Equal(got, of.want) {
			t.Errorf("%v and %v: got %v, %v, want %v", of.plain, of.log, got, err, of.want)
		}
	}
}
