package results

import (
	"database/sql"
	"fmt"
	"math"

	"tune2048/experiments/stats"
)

// SQLite keeps the bits of a REAL, with two exceptions: -0 becomes 0, which is equal to it, and NaN becomes NULL.

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

// ratioColumn is NULL for the ratio to something that is 0.
func ratioColumn(x float64) (column sql.NullFloat64, err error) {
	if math.IsInf(x, 1) {
		return column, nil
	}
	return sql.NullFloat64{Float64: x, Valid: true}, finite("ratio", x)
}

// ratioValue is its opposite.
func ratioValue(x sql.NullFloat64) float64 {
	if !x.Valid {
		return math.Inf(1)
	}
	return x.Float64
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
