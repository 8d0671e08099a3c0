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

	"tune2048/engine/portable"
)

// A formula is checked for every line or board and all its numbers' ranges, with intervals for
// numbers. Of a board the quantities have intervals, too, but for the parts of a formula that hang
// on one small whole number alone.

// checkFormula returns the limits of a feature's formula, or its faults: its numbers, its text, and
// if that is ranged, an operation without a result for some line or board and some numbers within
// their ranges.
func (f *Feature) checkFormula(ranged bool) (limits formulaBounds, all []*Problem) {
	wrong := func(key, format string, args ...any) {
		all = append(all, &Problem{Key: key, Reason: fmt.Sprintf(format, args...)})
	}
	if len(f.Numbers) > maxNumbers {
		wrong("numbers", "want at most %d, got %d", maxNumbers, len(f.Numbers))
	}
	if all = append(all, f.checkSums()...); len(all) > 0 {
		return limits, all
	}
	var between []interval
	for i, n := range f.Numbers {
		switch {
		case !symbolForm.MatchString(n.Symbol):
			wrong("numbers", "want symbols of small letters, digits and _, with a letter first, such as p; got %q", n.Symbol)
		case f.isTaken(n.Symbol) || slices.ContainsFunc(f.Sums, func(s NamedSum) bool { return s.Name == n.Symbol }):
			wrong("numbers", "%s means something else in formulas: give the number another symbol", n.Symbol)
		case slices.ContainsFunc(f.Numbers[:i], func(other Number) bool { return other.Symbol == n.Symbol }):
			wrong("numbers", "the symbol %s comes twice", n.Symbol)
		}
		between = append(between, n.Weight.bounds())
	}
	if slices.ContainsFunc(f.Numbers, func(n Number) bool { return token.IsKeyword(n.Symbol) }) {
		return limits, all // no text can have such a symbol
	}
	p, err := f.parse()
	if problem := (*Problem)(nil); errors.As(err, &problem) {
		return limits, append(all, problem)
	}
	if len(all) > 0 || !ranged {
		return limits, all
	}
	narrow := ""
	if len(f.Numbers) > 0 {
		narrow = ", or narrow the numbers' ranges"
	}
	over := func(c *columns, part *part, key, at string) (limits formulaBounds) {
		r := c.within(f.tileBounds(), between)
		if line, blame := r.breaks(); blame != nil {
			trouble, mend := blame.trouble()
			wrong(key, "%scolumn %d: %s for the %s %s: %s%s", at, blame.column, trouble, part.key, f.faces(line), mend, narrow)
			return limits
		}
		return c.bounds(r.hull)
	}
	if p.part.places != nil {
		return over(newColumns(p.tree), p.part, p.part.key, ""), all
	}
	b := newBoardFormula(p)
	b.ranges = b.boardLimits(between)
	for i, s := range b.sums {
		one := over(s.columns, s.part, "sums", s.name+": "+s.part.key+": ")
		if len(all) > 0 {
			return limits, all
		}
		if _, err := fractionBits(math.Max(s.limits(one).magnitude(), one.largest)); err != nil {
			wrong("sums", "%s: %v", s.name, err)
			return limits, all
		}
		whole := false
		if !p.sums[i].has(number) { // then its values are known
			s.columns.evaluate(b.tile, nil)
			whole = s.fill(s.columns.bounds(hull)) == nil && s.whole()
		}
		b.ranges.add(s.limits(one), whole)
	}
	value, blame := b.ranges.of(p.tree)
	if blame != nil {
		trouble, mend := blame.ofBoard()
		wrong(overBoard, "column %d: %s: %s%s", blame.column, trouble, mend, narrow)
	}
	return formulaBounds{value, value.magnitude()}, all
}

// checkSums returns the faults of the names and parts of a formula's sums.
func (f *Feature) checkSums() (all []*Problem) {
	wrong := func(format string, args ...any) {
		all = append(all, &Problem{Key: "sums", Reason: fmt.Sprintf(format, args...)})
	}
	if f.Over != overBoard && len(f.Sums) > 0 {
		wrong("only a formula with the key board has sums")
	}
	if len(f.Sums) > maxSums {
		wrong("want at most %d, got %d", maxSums, len(f.Sums))
	}
	for i, s := range f.Sums {
		switch {
		case !symbolForm.MatchString(s.Name):
			wrong("want names of small letters, digits and _, with a letter first, such as rough; got %q", s.Name)
		case f.isTaken(s.Name):
			wrong("%s means something else in formulas: give the sum another name", s.Name)
		case slices.ContainsFunc(f.Sums[:i], func(other NamedSum) bool { return other.Name == s.Name }):
			wrong("the name %s comes twice", s.Name)
		}
	}
	return all
}

var symbolForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,30}$`)

// isTaken reports whether the feature's formulas know the symbol already.
func (f *Feature) isTaken(symbol string) bool {
	_, isFunction := functions[symbol]
	taken := isFunction || token.IsKeyword(symbol) || slices.Contains(partOf(f.Over).symbols, symbol)
	for _, s := range f.Sums {
		taken = taken || slices.Contains(partOf(s.Over).symbols, symbol)
	}
	return taken
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
	case binaryLogarithm, logarithm:
		return e.Name() + " may be of 0 or less", "guard it, as in " + e.Name() + "(max(1, a))"
	}
	return "the result may be too large", "want smaller numbers or powers"
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

// ofBoard is trouble of a formula over the board, with the operands' limits.
func (e *fault) ofBoard() (reason, mend string) {
	between := func(i interval) string {
		if i.low == i.high {
			return fmt.Sprintf("that may be %.6g", i.low)
		}
		return fmt.Sprintf("that lies between %.6g and %.6g", i.low, i.high)
	}
	switch reason, mend = e.trouble(); e.operation {
	case divide:
		return reason + ", since it divides by a number " + between(e.operands[1]), "guard it, as in x / max(1, y)"
	case power:
		return reason + ": the base is a number " + between(e.operands[0]), "guard it, as in pow(max(1, x), y), or take a smaller power"
	case root, binaryLogarithm, logarithm:
		return reason + ": it is of a number " + between(e.operands[0]), fmt.Sprintf("guard it, as in %s(max(%d, x))", e.Name(), map[bool]int{false: 1}[e.operation == root])
	}
	return reason, mend
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
			entries[i] = col.within(quantitiesOf(col.over.examples[i], tile), numbers, operands)
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

// quantitiesOf returns the quantities of a line, by index.
func quantitiesOf(line uint32, tile *tileBounds) func(index int) interval {
	return func(index int) interval {
		n := (*levels())[index][line]
		if quantities[index].tile {
			return tile[n]
		}
		return point(float64(n))
	}
}

// within returns the interval of an expression, given its operands' intervals and the quantities by
// index.
func (e *Expression) within(q func(index int) interval, numbers []interval, operands [3]interval) interval {
	x, y := operands[0], operands[1]
	switch e.operation {
	case literal:
		return point(e.Value)
	case number:
		return numbers[e.index]
	case quantity:
		return q(e.index)
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
		if _, blame := r.tree.breaks(quantitiesOf(n, r.tile), r.numbers); blame != nil {
			return lineOf(int(n)), blame
		}
	}
	return line, nil
}

// breaks returns the interval of an expression for a line; if it has none, the operation to blame.
func (e *Expression) breaks(q func(index int) interval, numbers []interval) (i interval, blame *Expression) {
	var operands [3]interval
	var first *Expression
	for k, operand := range e.Operands {
		var wrong *Expression
		if operands[k], wrong = operand.breaks(q, numbers); first == nil {
			first = wrong
		}
	}
	if i = e.within(q, numbers, operands); !i.none() {
		return i, nil
	}
	if first == nil {
		first = e
	}
	return i, first
}
