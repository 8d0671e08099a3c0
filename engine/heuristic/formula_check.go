package heuristic

import (
	"errors"
	"fmt"
	"go/token"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tune2048/engine"
	"tune2048/engine/portable"
)

// A formula is checked for every line and all its numbers' ranges, with intervals for numbers.

// checkFormula returns the limits of a feature's formula, or its faults: its numbers, its text, and
// if that is ranged, an operation without a result for some line and some numbers within their
// ranges.
func (f *Feature) checkFormula(symmetry string, ranged bool) (limits formulaBounds, all []*Problem) {
	wrong := func(key, format string, args ...any) {
		all = append(all, &Problem{Key: key, Reason: fmt.Sprintf(format, args...)})
	}
	if len(f.Numbers) > maxNumbers {
		wrong("numbers", "want at most %d, got %d", maxNumbers, len(f.Numbers))
	}
	var between []interval
	for i, n := range f.Numbers {
		switch {
		case !symbolForm.MatchString(n.Symbol):
			wrong("numbers", "want symbols of small letters, digits and _, with a letter first, such as p; got %q", n.Symbol)
		case isTaken(n.Symbol):
			wrong("numbers", "%s means something else in formulas: give the number another symbol", n.Symbol)
		case slices.ContainsFunc(f.Numbers[:i], func(other Number) bool { return other.Symbol == n.Symbol }):
			wrong("numbers", "the symbol %s comes twice", n.Symbol)
		}
		between = append(between, n.Weight.bounds())
	}
	if slices.ContainsFunc(f.Numbers, func(n Number) bool { return token.IsKeyword(n.Symbol) }) {
		return limits, all // no text can have such a symbol
	}
	c, err := newColumns(f)
	if problem := (*Problem)(nil); errors.As(err, &problem) {
		return limits, append(all, problem)
	}
	if len(all) > 0 || !ranged {
		return limits, all
	}
	r := c.within(f.tileBounds(), between)
	if line, blame := r.breaks(); blame != nil {
		trouble, mend := blame.trouble()
		if len(f.Numbers) > 0 {
			mend += ", or narrow the numbers' ranges"
		}
		wrong("line", "column %d: %s for the line %s: %s", blame.column, trouble, f.faces(line), mend)
		return limits, all
	}
	if limits = c.bounds(r.hull); symmetry == SymmetryBest {
		if line, differs := c.direction(f, limits); differs {
			wrong("line", "it is worth another value from the other end of a line, such as %s; with symmetry: best it must not be: "+
				"take both ends, as in max(a, d), or symmetry: none", f.faces(line))
		}
	}
	return limits, all
}

var symbolForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,30}$`)

// isTaken reports whether formulas know the symbol already.
func isTaken(symbol string) bool {
	_, isFunction := functions[symbol]
	return isFunction || token.IsKeyword(symbol) || slices.ContainsFunc(quantities, func(q quantityOfLine) bool { return q.symbol == symbol })
}

// faces writes a line.
func (f *Feature) faces(line [4]int) string {
	var words []string
	for _, rank := range line {
		face := 0
		if rank > 0 {
			face = 1 << rank
		}
		words = append(words, strconv.Itoa(face))
	}
	return strings.Join(words, " ")
}

// trouble returns the reason why an operation may have no result, and a mend.
func (e *Expression) trouble() (reason, mend string) {
	switch e.operation {
	case divide:
		return "it may divide by 0", "guard it, as in choose(b != 0, a/b, 0)"
	case power:
		return "pow may have no result, or one too large (a base below 0, 0 to a power below 0)",
			"guard it, as in pow(max(1, a), b), or take a smaller power"
	case root:
		return "sqrt may be of a number below 0", "guard it, as in sqrt(max(0, a - b))"
	case logarithm:
		return "log2 may be of 0 or less", "guard it, as in log2(max(1, a))"
	}
	return "the result may be too large", "want smaller numbers or powers"
}

// direction returns a line whose value differs from the other end, at some values of the numbers.
func (c *columns) direction(f *Feature, limits formulaBounds) (line [4]int, differs bool) {
	bits, err := fractionBits(math.Max(limits.largest, limits.value.magnitude()))
	if err != nil {
		return line, false // Check reports it
	}
	scale := math.Ldexp(1, bits)
	for try := range 5 { // an identity that holds by chance does not hold at all of these
		var numbers []float64
		for i, n := range f.Numbers {
			at := n.Weight.bounds()
			share := portable.NewSource(uint64(16*try + i)).Float64()
			numbers = append(numbers, at.low+float64(share*(at.high-at.low)))
		}
		table := new(engine.LineTable)
		c.evaluate(f.tiles(), numbers)
		c.add(1, table, func(v float64) int64 { return int64(math.RoundToEven(float64(v * scale))) })
		for row, v := range table {
			if back := row&15<<12 | row>>4&15<<8 | row>>8&15<<4 | row>>12; table[back] != v {
				return [4]int{row & 15, row >> 4 & 15, row >> 8 & 15, row >> 12}, true
			}
		}
	}
	return line, false
}

// tileBounds has the range of tile^power by rank.
type tileBounds [maxTileRank + 1]interval

// tileBounds returns the ranges of tile^power: a tile is at least 1, so its power grows with the
// exponent.
func (f *Feature) tileBounds() *tileBounds {
	var bounds tileBounds
	power := f.power(KindOf(f.Kind))
	for rank := 1; rank <= maxTileRank; rank++ {
		bounds[rank] = interval{portable.Pow(f.tileOf(rank), power.low), portable.Pow(f.tileOf(rank), power.high)}
	}
	return &bounds
}

// ranges has the intervals of a formula's columns, with its numbers anywhere within their ranges.
type ranges struct {
	*columns
	tile    *tileBounds
	numbers []interval
	of      map[*column][]interval // by entry
	broken  bool                   // some operation may have no result for some line, chosen or not
}

func (c *columns) within(tile *tileBounds, numbers []interval) *ranges {
	r := &ranges{columns: c, tile: tile, numbers: numbers, of: map[*column][]interval{}}
	for _, col := range c.below {
		entries := make([]interval, len(col.over.examples))
		for i := range entries {
			var operands [3]interval
			for k, operand := range col.operands {
				operands[k] = r.of[operand][col.from[k][i]]
			}
			entries[i] = col.within(col.over.examples[i], tile, numbers, operands)
		}
		r.of[col] = entries
		r.broken = r.broken || slices.ContainsFunc(entries, interval.none)
	}
	return r
}

// hull is the hull of the columns' sums.
func (r *ranges) hull(columns ...*column) (all interval) {
	none := true
	for n := range r.of[columns[0]] {
		i := point(0)
		for _, col := range columns {
			i = i.plus(r.of[col][n])
		}
		switch {
		case i.none():
		case none:
			all, none = i, false
		default:
			all = interval{math.Min(all.low, i.low), math.Max(all.high, i.high)}
		}
	}
	return all
}

// none reports whether an interval stands for an operation that may have no result.
func (i interval) none() bool { return math.IsNaN(i.low) }

// noInterval stands for an operation that may have no result.
var noInterval = interval{math.NaN(), math.NaN()}

// within returns the interval of an expression for a line, given its operands' intervals.
func (e *Expression) within(line uint32, tile *tileBounds, numbers []interval, operands [3]interval) interval {
	x, y := operands[0], operands[1]
	switch e.operation {
	case literal:
		return point(e.Value)
	case number:
		return numbers[e.index]
	case quantity:
		n := (*levels())[e.index][line]
		if quantities[e.index].tile {
			return tile[n]
		}
		return point(float64(n))
	case choose:
		z := operands[2]
		switch {
		case x.none():
			return noInterval
		case x.certain() > 0:
			return y
		case x == point(0):
			return z
		case y.none() || z.none():
			return noInterval
		}
		return interval{math.Min(y.low, z.low), math.Max(y.high, z.high)}
	case and, or:
		return connective(e.operation, x, y)
	}
	if x.none() || len(e.Operands) > 1 && y.none() {
		return noInterval
	}
	i := noInterval
	switch o := e.operation; {
	case o == equal:
		i = x.equals(y)
	case o == unequal:
		i = x.equals(y).equals(point(0))
	case o == not:
		i = x.equals(point(0))
	case o == absolute:
		i = interval{x.certain(), x.magnitude()}
	case o == divide && y.certain() == 0, o == power && (x.low < 0 || x.low == 0 && y.low < 0):
	default:
		i = atEnds(o, x, y)
	}
	if math.IsNaN(i.low) || math.IsNaN(i.high) || math.IsInf(i.low, 0) || math.IsInf(i.high, 0) {
		return noInterval
	}
	return i
}

// atEnds returns the results of an operation that rises or falls all the way in each of its
// operands: its ends are at theirs.
func atEnds(o operation, x, y interval) interval {
	a, b, c, d := apply(o, x.low, y.low), apply(o, x.low, y.high), apply(o, x.high, y.low), apply(o, x.high, y.high)
	return interval{math.Min(math.Min(a, b), math.Min(c, d)), math.Max(math.Max(a, b), math.Max(c, d))}
}

// equals is 1 where both are certainly equal, 0 where they certainly are not, otherwise both.
func (i interval) equals(j interval) interval {
	switch {
	case i == j && i.low == i.high:
		return point(1)
	case i.high < j.low || i.low > j.high:
		return point(0)
	}
	return interval{0, 1}
}

// connective returns the results of && and ||. One operand may be enough: one that is certainly
// false makes && false.
func connective(o operation, x, y interval) interval {
	decides := point(apply(o, 0, 1))
	for _, i := range []*interval{&x, &y} {
		if !i.none() {
			*i = i.equals(point(0)).equals(point(0))
		}
	}
	switch {
	case x == decides || y == decides:
		return decides
	case x.none() || y.none():
		return noInterval
	}
	return atEnds(o, x, y)
}

// breaks returns the first line for which the formula may be no number, and the operation to blame,
// or nil.
func (r *ranges) breaks() (line [4]int, blame *Expression) {
	if !r.broken {
		return line, nil
	}
	for n := range uint32(allLines) {
		if _, blame := r.tree.breaks(n, r.tile, r.numbers); blame != nil {
			return lineOf(int(n)), blame
		}
	}
	return line, nil
}

// breaks returns the interval of an expression for a line; if it has none, the operation to blame.
func (e *Expression) breaks(line uint32, tile *tileBounds, numbers []interval) (i interval, blame *Expression) {
	var operands [3]interval
	var first *Expression
	for k, operand := range e.Operands {
		var wrong *Expression
		if operands[k], wrong = operand.breaks(line, tile, numbers); first == nil {
			first = wrong
		}
	}
	if i = e.within(line, tile, numbers, operands); !i.none() {
		return i, nil
	}
	if first == nil {
		first = e
	}
	return i, first
}
