package main

import (
	"fmt"
	"math"

	"tune2048/configs"
	"tune2048/experiments/stats"
)

// unit writes figures in the unit of an objective.
type unit struct{ configs.Objective }

// unitOf is the unit of an objective as a database has it; that of scores if it is none.
func unitOf(objective string) unit {
	o, err := configs.ParseObjective(objective)
	if err != nil {
		o.Kind = configs.MeanScore
	}
	return unit{o}
}

// title is what a figure is called.
func (u unit) title() string {
	switch u.Kind {
	case configs.MeanLogScore:
		return "mean log score"
	case configs.Reach:
		return fmt.Sprintf("share reaching %d", u.Tile)
	case configs.Quantile:
		return fmt.Sprintf("%g quantile", u.Q)
	default:
		return "mean score"
	}
}

// changes is what a ratio is the change of.
func (u unit) changes() string {
	if u.Kind == configs.MeanLogScore {
		return "geometric mean score"
	}
	return u.title()
}

// figure writes a fitness.
func (u unit) figure(x float64) string {
	switch u.Kind {
	case configs.MeanLogScore:
		return fmt.Sprintf("%.3f", x)
	case configs.Reach:
		return fmt.Sprintf("%.1f%%", 100*x)
	default:
		return fmt.Sprintf("%.0f", x)
	}
}

// interval writes the interval of a fitness; an open end is one that so few games do not tell.
func (u unit) interval(i stats.Interval) string {
	switch u.Kind {
	case configs.MeanLogScore:
		return span(bounded(i), 3)
	case configs.Reach:
		return span(bounded(stats.Interval{Low: 100 * i.Low, High: 100 * i.High}), 1)
	default:
		return interval(i)
	}
}

// difference writes a difference of two with its interval; that of shares in percentage points.
func (u unit) difference(e stats.Estimate) string {
	switch u.Kind {
	case configs.MeanLogScore:
		return fmt.Sprintf("%+.3f %s", e.Value, u.interval(e.Interval))
	case configs.Reach:
		return fmt.Sprintf("%+.1f %s points", 100*e.Value, u.interval(e.Interval))
	default:
		return fmt.Sprintf("%+.0f %s", e.Value, u.interval(e.Interval))
	}
}

// ratio writes a ratio with its interval.
func ratio(e stats.Estimate) string {
	if math.IsInf(e.Value, 1) {
		return "to 0"
	}
	return fmt.Sprintf("%.3f %s", e.Value, ratioInterval(e.Interval))
}

// change writes a ratio as a change, with its interval.
func change(ratio stats.Estimate) string {
	if math.IsInf(ratio.Value, 1) {
		return "from 0"
	}
	if !ratio.Interval.Bounded() {
		return fmt.Sprintf("%+.1f%%", 100*(ratio.Value-1))
	}
	return fmt.Sprintf("%+.1f%% [%+.1f, %+.1f]", 100*(ratio.Value-1), 100*(ratio.Interval.Low-1), 100*(ratio.Interval.High-1))
}
