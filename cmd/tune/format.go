package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"tune2048/experiments/stats"
)

// How figures are written.

// plural writes a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// grouped writes a count with its digits in groups of three.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// bounded is an interval in JSON; one that is not known is null.
func bounded(i stats.Interval) *[2]float64 {
	if !i.Bounded() {
		return nil
	}
	return &[2]float64{i.Low, i.High}
}

// finite is a ratio in JSON; one to 0 is null.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// span writes an interval, its ends with so many decimals.
func span(i *[2]float64, decimals int) string {
	if i == nil {
		return "[unknown]"
	}
	return fmt.Sprintf("[%.*f, %.*f]", decimals, i[0], decimals, i[1])
}

// interval writes an interval of scores.
func interval(i stats.Interval) string { return span(bounded(i), 0) }

func ratioInterval(i stats.Interval) string { return span(bounded(i), 3) }

func percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

// probability writes a p-value.
func probability(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}

// duration writes a time in two units at most.
func duration(t time.Duration) string {
	switch {
	case t >= longest/mostWorkers:
		return "over a month"
	case t >= time.Hour:
		return fmt.Sprintf("%dh%02dm", int(t.Hours()), int(t.Minutes())%60)
	case t >= time.Minute:
		return fmt.Sprintf("%dm%02ds", int(t.Minutes()), int(t.Seconds())%60)
	default:
		return fmt.Sprintf("%ds", int(t.Seconds()+0.5))
	}
}

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
