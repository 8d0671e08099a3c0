package results

import (
	"math"
	"testing"
)

func TestZeroHasNoMinus(t *testing.T) {
	if got := Cells([]any{math.Copysign(0, -1)})[0]; got != "0" {
		t.Errorf("got %s, want 0", got)
	}
}
