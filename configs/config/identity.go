package config

import (
	"math"
	"strconv"

	"tune2048/engine/eval"
)

// decimal writes the fewest digits that read back as the same number, with an exponent only for the
// very large and the very small, as JSON does.
func decimal(x float64) string {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

func deadText(d eval.Dead) string {
	if d.Worst {
		return "worst"
	}
	return decimal(d.Value)
}
