package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"tune2048/engine"
	"tune2048/engine/bot"
	"tune2048/experiments/fitness"
	"tune2048/experiments/stats"
	"tune2048/results"
)

// How figures are written, in a terminal as in a report.

// UnitOf returns the unit of an objective.
func UnitOf(o fitness.Objective) Unit {
	return Unit{Unit: o.Unit(), Objective: o.Within(bot.Bounds{})}
}

// Of returns the unit for figures of this size: mean scores below 100 get decimals, for three
// digits.
func (u Unit) Of(size float64) Unit {
	if u.Objective == fitness.MeanScore {
		for size = math.Abs(size); size > 0 && size < 100 && u.Decimals < maxDecimals; size *= 10 {
			u.Decimals++
		}
	}
	return u
}

// Figure writes a fitness, points without their name.
func (u Unit) Figure(x float64) string {
	text := u.number("%.*f", x)
	if u.Suffix == "%" {
		text += u.Suffix
	}
	return text
}

// Interval writes the interval of a fitness, whose ends are known.
func (u Unit) Interval(i stats.Interval) string {
	return "[" + u.bound("%.*f", i.Low) + ", " + u.bound("%.*f", i.High) + "]"
}

// Estimate writes a fitness with its interval: 50,397 [49,545, 51,289]. There is none where the
// games are too few, or all equal.
func (u Unit) Estimate(e stats.Estimate) string {
	text := u.inside("%.*f", e)
	if u.Suffix == "%" {
		text += u.Suffix
	}
	if e.Interval.Bounded() {
		text += " " + u.Interval(e.Interval)
	}
	return text
}

// inside writes a figure that lies in its interval as shown: where that does not hold 0, the figure
// has the decimals of a bound.
func (u Unit) inside(format string, e stats.Estimate) string {
	if i := e.Interval; i.Bounded() && (i.Low > 0 || i.High < 0) {
		return u.bound(format, e.Value)
	}
	return u.number(format, e.Value)
}

func (u Unit) number(format string, x float64) string {
	return separated(fixed(format, u.Decimals, u.Scale*x))
}

func (u Unit) bound(format string, x float64) string {
	return separated(apart(format, u.Decimals, u.Scale*x))
}

// fixed writes a number with the given decimals. A number that is zero in these decimals has no
// minus. A number that no game scores, such as a fitness of -1e38, has four digits and an exponent:
// its 39 digits would be wider than the rest of a table.
func fixed(format string, decimals int, x float64) string {
	if math.Abs(x) >= results.Astronomic {
		format, decimals = strings.Replace(format, "f", "g", 1), 4
	}
	text := fmt.Sprintf(format, decimals, x)
	if strings.Trim(text, "-0.") == "" {
		text = fmt.Sprintf(format, decimals, 0.0)
	}
	return text
}

// maxDecimals is where apart stops: a number nearer than that is the same but for its rounding.
const maxDecimals = 9

// apart writes the bound of an interval like fixed. A bound that is not 0 gets the decimals that
// show on which side of 0 it lies.
func apart(format string, decimals int, x float64) string {
	for d := decimals; x != 0 && d <= maxDecimals; d++ {
		if text := fixed(format, d, x); text != fixed(format, d, 0) {
			return text
		}
	}
	return fixed(format, decimals, x)
}

// separated separates the thousands of a decimal number.
func separated(number string) string {
	whole, _, _ := strings.Cut(number, ".")
	for at := len(whole) - 3; at > 0 && number[at-1] >= '0' && number[at-1] <= '9'; at -= 3 {
		number = number[:at] + "," + number[at:]
	}
	return number
}

// At names a search behind a phase. A bot searches in its own way.
func At(search string) string {
	if search == (engine.Settings{Bot: true}).String() {
		return ""
	}
	return " at " + search
}

// Grouped writes a count with its digits in groups of three.
func Grouped(n int64) string { return separated(strconv.FormatInt(n, 10)) }

// Count writes a count with its noun.
func Count[N int | int64](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Grouped(int64(n)) + " " + noun
}

// Percent writes a share in whole percents, for how far a run is. Only the whole is 100%.
func Percent(share float64) string {
	if share < 1 {
		share = min(share, 0.99)
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}

// perMove writes the time of a move, milliseconds, with three digits: 28.4µs.
func perMove(milliseconds float64) string {
	t, step := time.Duration(milliseconds*1e6), time.Duration(1)
	for t/step >= 1000 {
		step *= 10
	}
	return t.Round(step).String()
}

// Duration writes a time in two units at most.
func Duration(t time.Duration) string {
	t = t.Round(time.Second)
	switch {
	case t >= 31*24*time.Hour:
		return "over a month"
	case t >= time.Hour:
		return fmt.Sprintf("%dh%02dm", int(t.Hours()), int(t.Minutes())%60)
	case t >= time.Minute:
		return fmt.Sprintf("%dm%02ds", int(t.Minutes()), int(t.Seconds())%60)
	default:
		return fmt.Sprintf("%ds", int(t.Seconds()))
	}
}
