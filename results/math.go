package results

import (
	"cmp"
	"math"

	"github.com/mattn/go-sqlite3"

	"tune2048/experiments/stats"
)

// The functions of people's own queries that SQLite has only if it was built with them. Views must
// not call them: an SQL shell may lack them.

// mathFunctions are the ones of a number, by name.
var mathFunctions = map[string]func(float64) float64{"sqrt": math.Sqrt, "exp": math.Exp, "ln": math.Log,
	"log10": math.Log10}

// registerMath adds the functions to a connection.
func registerMath(c *sqlite3.SQLiteConn) (err error) {
	for name, f := range mathFunctions {
		err = cmp.Or(err, c.RegisterFunc(name, func(x any) any {
			v, known := numberOf(x)
			return realOrNull(f(v), known)
		}, true))
	}
	for _, name := range []string{"pow", "power"} {
		err = cmp.Or(err, c.RegisterFunc(name, func(x, y any) any {
			base, known := numberOf(x)
			exponent, both := numberOf(y)
			return realOrNull(math.Pow(base, exponent), known && both)
		}, true))
	}
	return cmp.Or(err, c.RegisterAggregator("stdev", func() *deviation { return new(deviation) }, true))
}

// numberOf returns the number that an SQL value is. Texts and NULL are none.
func numberOf(x any) (v float64, is bool) {
	switch x := x.(type) {
	case int64:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

// realOrNull is NULL where a result is not known, or is no number, such as the root of -1. As in
// SQLite, the logarithm of 0 is NULL, too.
func realOrNull(v float64, known bool) any {
	if !known || math.IsNaN(v) || math.IsInf(v, -1) {
		return nil
	}
	return v
}

// deviation is the aggregate stdev: the sample standard deviation of the numbers. It is NULL for
// fewer than two.
type deviation struct{ of stats.Moments }

// Step takes one more value.
func (d *deviation) Step(x any) {
	if v, is := numberOf(x); is {
		d.of.Add(v)
	}
}

// Done returns the result.
func (d *deviation) Done() any { return realOrNull(d.of.SD(), d.of.N > 1) }
