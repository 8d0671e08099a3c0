package configs

import (
	"math"

	"tune2048/engine/heuristic"
)

// tunable reads a number of a heuristic: a plain one, which is fixed, or {min, max, start, scale}, which is tuned.
// Start defaults to the middle of the range, of its logarithms' range for scale log.
func (v value) tunable() (n heuristic.Number, ok bool) {
	if v.isScalar() {
		if !v.isPlain() || v.isNull() {
			v.want("a number or {min, max, start, scale}")
			return n, false
		}
		x, ok := v.number()
		return heuristic.Fixed(x), ok
	}
	f, ok := v.fields("min", "max", "start", "scale")
	if !ok {
		return n, false
	}
	before := v.doc.found
	low, hasLow := f.required("min", "min: 0")
	high, hasHigh := f.required("max", "max: 1000")
	n.Tunable = true
	if hasLow {
		n.Min, _ = low.number()
	}
	if hasHigh {
		n.Max, _ = high.number()
	}
	scale := "linear"
	f.choice("scale", &scale, "linear", "log")
	n.Log = scale == "log"
	start, hasStart := f.get("start")
	if hasStart {
		n.Value, _ = start.number()
	}
	if v.doc.found > before {
		return n, false
	}

	switch {
	case n.Min > n.Max:
		low.problem("want at most max, which is %v, got %v", n.Max, n.Min)
	case n.Log && n.Min <= 0:
		low.problem("want more than 0 with scale: log, got %v", n.Min)
	case math.IsInf(n.Max-n.Min, 0) || n.Log && math.IsInf(n.Max/n.Min, 0):
		v.problem("the range is too wide: want a smaller max or a larger min")
	case hasStart && (n.Value < n.Min || n.Value > n.Max):
		start.problem("want a number within the range from %v to %v, got %v", n.Min, n.Max, n.Value)
	}
	if !hasStart {
		n.Value = middle(n)
	}
	return n, v.doc.found == before
}

// middle returns the middle of the number's range on its scale. Square roots and halves are the same on every
// machine.
func middle(n heuristic.Number) float64 {
	m := n.Min/2 + n.Max/2
	if n.Log {
		m = math.Sqrt(n.Min) * math.Sqrt(n.Max)
	}
	return min(max(m, n.Min), n.Max)
}
