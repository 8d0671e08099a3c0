package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"tune2048/experiments/stats"
	"tune2048/results/report"
)

// How figures are written.

// plural writes a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// bounded is an interval in JSON; one that is not known is null.
func bounded(i stats.Interval) *[2]float64 {
	return known([2]float64{i.Low, i.High}, i.Bounded())
}

// finite is a ratio in JSON; one to 0 is null.
func finite(x float64) *float64 { return known(x, !math.IsInf(x, 0)) }

// known is a value in JSON that is null where it is not known.
func known[T any](v T, is bool) *T {
	if !is {
		return nil
	}
	return &v
}

// span writes an interval, its ends with so many decimals.
func span(i *[2]float64, decimals int) string {
	if i == nil {
		return report.Span(stats.Unbounded(), decimals)
	}
	return report.Span(stats.Interval{Low: i[0], High: i[1]}, decimals)
}

func percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

func bytesText(n int64) string {
	switch {
	case n < 1_000_000:
		return fmt.Sprintf("%d kB", n/1000)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
