package results

import (
	"database/sql"
	"fmt"
	"math"

	"tune2048/experiments/stats"
)

// SQLite keeps the bits of a REAL, with two exceptions: -0 becomes 0, and NaN becomes NULL.

// minusZeros returns a bit for each value that is -0, bit i for the i-th.
func minusZeros(values ...float64) int64 {
	var mask int64
	for i, v := range values {
		if v == 0 && math.Signbit(v) {
			mask |= 1 << i
		}
	}
	return mask
}

// restoreMinusZeros undoes what the column did to the values.
func restoreMinusZeros(mask int64, values ...*float64) {
	for i, v := range values {
		if mask>>i&1 == 1 {
			*v = math.Copysign(0, -1)
		}
	}
}

// finite refuses what is not a number to compute with.
func finite(what string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s: want a finite number, got %v", what, v)
	}
	return nil
}

// ends returns an interval's ends as columns: NULL where it is open, since shells and JSON have no infinity.
func ends(what string, i stats.Interval) (low, high sql.NullFloat64, err error) {
	if math.IsNaN(i.Low) || math.IsNaN(i.High) || math.IsInf(i.Low, 1) || math.IsInf(i.High, -1) {
		return low, high, fmt.Errorf("%s: want an interval, got [%v, %v]", what, i.Low, i.High)
	}
	low = sql.NullFloat64{Float64: i.Low, Valid: !math.IsInf(i.Low, -1)}
	high = sql.NullFloat64{Float64: i.High, Valid: !math.IsInf(i.High, 1)}
	return low, high, nil
}

// interval is the opposite of ends.
func interval(low, high sql.NullFloat64) stats.Interval {
	i := stats.Unbounded()
	if low.Valid {
		i.Low = low.Float64
	}
	if high.Valid {
		i.High = high.Float64
	}
	return i
}
