package key

import (
	"math"
	"testing"
)

func TestRange(t *testing.T) {
	for text, r := range map[string]Range{
		"from 0 to 1": {Low: 0, High: 1}, "more than 0 and at most 1": {Low: 0, High: 1, LowOut: true},
		"at least 0 and less than 1":  {Low: 0, High: 1, HighOut: true},
		"more than 0 and less than 1": {Low: 0, High: 1, LowOut: true, HighOut: true},
	} {
		if r.String() != text || !r.Contains(0.5) || r.Contains(0) == r.LowOut || r.Contains(1) == r.HighOut ||
			r.Contains(-0.1) || r.Contains(1.1) || r.Contains(math.NaN()) {
			t.Errorf("%s: %+v is %q", text, r, r)
		}
	}
}
