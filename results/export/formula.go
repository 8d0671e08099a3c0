package export

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tune2048/engine/eval"
)

// How tightly operators bind. Bits and logic of different operators are always in parentheses.
const (
	logical = iota + 1
	comparison
	additive
	multiplicative
	unary
	tight
)

var binds = map[string]int{"+": additive, "-": additive, "*": multiplicative, "/ constant": multiplicative,
	"/": multiplicative, "-x": unary,
	"<": comparison, "<=": comparison, "==": comparison, "!=": comparison, "&&": logical, "||": logical, "!": unary}

// deepest is how deep a written expression may nest. Python's parser gives up at 200.
const deepest = 16

// formula writes the expressions of one feature.
type formula struct {
	*source
	d       *eval.Definition
	feature *eval.Term
	over    string
	weight  string                // the name of its weight, or nothing
	scale   string                // of rounded values; nothing: of all values
	sums    map[string]definedSum // of a board

	uses   map[*eval.Expression]int
	bounds map[*eval.Expression]float64 // upper limits of magnitudes
	known  map[typed]operand
	locals map[string]local // quantities by name
	parts  []local          // parts of the formula
	large  bool             // numbers may be too large, and are limited
}

// typed is an expression in fixed point, as a number or as a condition.
type typed struct {
	kind string
	*eval.Expression
}

// local is a variable of a function.
type local struct{ Type, Name, Value string }

// definedSum is a sum over the board, with the code that adds it up in fixed point.
type definedSum struct {
	code, name string
	eval.DefinedSum
}

// operand is code, with the operation at its root and how deep its parentheses nest.
type operand struct {
	text, name string
	depth      int
}

// newFormula prepares the writing of an expression of a feature, times a weight of some size.
func (s *source) newFormula(d *eval.Definition, feature *eval.Term, over string, e *eval.Expression, size float64,
	sums map[string]definedSum) *formula {
	p := &formula{source: s, d: d, feature: feature, over: over, sums: sums, uses: map[*eval.Expression]int{},
		bounds: map[*eval.Expression]float64{}, known: map[typed]operand{}, locals: map[string]local{}}
	limit := float64(eval.MostEntry) / 2
	if over == "board" {
		limit = eval.MostTerm / 2
	}
	if e != nil {
		p.measure(e)
	}
	for _, bound := range p.bounds {
		p.large = p.large || !(bound*max(size, 1) < limit)
	}
	return p
}

// measure notes how many operations share each expression. It returns a generous upper limit of its
// magnitude.
func (p *formula) measure(e *eval.Expression) (bound float64) {
	p.uses[e]++
	if known, is := p.bounds[e]; is {
		return known
	}
	defer func() { p.bounds[e] = bound }()
	var of [3]float64
	for i, operand := range e.Operands {
		of[i] = p.measure(operand)
	}
	if x, is := e.Constant(); is {
		return math.Abs(x)
	} else if sum, is := p.sums[e.Name]; is {
		return math.Ldexp(1, 61-sum.Bits)
	} else if isTile(e.Name) {
		return slices.Max(p.d.Tile[:])
	}
	switch e.Name {
	case "+", "-":
		return of[0] + of[1]
	case "*":
		return of[0] * of[1]
	case "/":
		if y, is := e.Operands[1].Constant(); is && y != 0 {
			return of[0] / of[1]
		}
		return math.Inf(1)
	case "pow", "exp":
		if p.d.Powers && e.Name == "pow" {
			return slices.Max(p.d.Tile[:])
		}
		if _, values := p.d.Look(p.over, e); values != nil {
			return max(slices.Max(values), -slices.Min(values))
		}
		return math.Inf(1)
	case "log", "log2":
		return 1100 // of the smallest number
	case "points":
		return 1 << 23
	}
	return max(of[0], of[1], of[2], 16) // no larger than an operand, or a count
}

// define gives a function its value, and the variables that it uses.
func (p *formula) define(f *function, value operand) {
	f.Value = value.text
	if p.over != "board" && p.format("unpack") != "" {
		f.Locals = p.unpacked(value.text)
	}
	for _, name := range slices.Sorted(maps.Keys(p.locals)) {
		f.Locals = append(f.Locals, p.locals[name])
	}
	f.Locals = append(f.Locals, p.parts...)
}

// tilesOf are the tiles of a line, and of a line without its blanks, by name and as a list.
var tilesOf = []struct {
	names      []string
	line, list string
}{{[]string{"a", "b", "c", "d"}, "line", "tiles"}, {[]string{"w", "x", "y", "z"}, "pack(line)", "packed"}}

// within reports whether code has a name.
func within(code, name string) bool { return regexp.MustCompile(`\b` + name + `\b`).MatchString(code) }

// unpacked returns variables for the four tiles of a line at once, in place of one each, and for
// their list.
func (p *formula) unpacked(code string) (all []local) {
	for _, part := range p.parts {
		code += " " + part.Value
	}
	for i, tiles := range tilesOf {
		if within(code, tiles.list) {
			all = append(all, local{Name: tiles.list, Value: p.list(i)})
		}
		for _, name := range tiles.names {
			if !within(code, name) { // it is in the list alone, or nowhere
				delete(p.locals, name)
			}
		}
		if slices.ContainsFunc(tiles.names, func(name string) bool { return p.locals[name].Name == "" }) {
			continue
		}
		all = append(all, local{Name: fmt.Sprintf(p.format("unpack"), strings.Join(tiles.names, ", ")), Value: p.list(i)})
		for _, name := range tiles.names {
			delete(p.locals, name)
		}
	}
	return all
}

// list writes the list of four tiles as the feature sees them. That may be the line.
func (p *formula) list(i int) string {
	line := tilesOf[i].line
	if each := strings.ReplaceAll(p.locals[tilesOf[i].names[0]].Value, line+"[0]", "rank"); each != "rank" {
		return fmt.Sprintf(p.format("each"), each, line)
	}
	return line
}

// loops are sums of Python over all tiles of a list, and over all pairs of neighbours, with the
// variables of each.
var loops = []struct {
	variables []string
	format    string
}{{[]string{"tile"}, "sum(%s for tile in %s)"},
	{[]string{"left", "right"}, "sum(%s for left, right in zip(%s, %[2]s[1:]))"}}

// rolled writes a sum as a loop of Python if its summands differ by the tiles of a line alone.
func (p *formula) rolled(sum operand) operand {
	summands := split(sum.text, " + ", " - ")
	for i, tiles := range tilesOf {
		for _, loop := range loops {
			n := len(loop.variables)
			if !p.python || len(summands) != 5-n || !within(summands[0], tiles.names[n-1]) {
				continue
			}
			// The first summand, with other names in place of its tiles.
			first := regexp.MustCompile(`\b(` + strings.Join(tiles.names[:n], "|") + `)\b`)
			renamed := func(names []string) string {
				return first.ReplaceAllStringFunc(summands[0],
					func(name string) string { return names[slices.Index(tiles.names, name)] })
			}
			same := true
			for k := 1; k < len(summands); k++ {
				same = same && summands[k] == "+ "+renamed(tiles.names[k:k+n])
			}
			if same {
				list := p.list(i)
				if list != tiles.line {
					list = tiles.list
				}
				return operand{text: fmt.Sprintf(loop.format, renamed(loop.variables), list), depth: sum.depth}
			}
		}
	}
	return sum
}

// write writes an operation. An operand that binds less tightly is put into parentheses.
func (p *formula) write(name string, operands ...operand) operand {
	format, depth := p.format(name), 0
	if format == "%s" {
		return operands[0]
	}
	var texts []any
	for i, o := range operands {
		within := binds[name]
		if strings.Contains(format, ", ") { // a call, even of an operation
			within = 0
		}
		if within > 0 && name == "-x" || within == comparison || i > 0 && within >= additive {
			within++
		}
		if binding := cmp.Or(binds[o.name], tight); binding < within || binding == logical && within == logical &&
			o.name != name {
			o.text = "(" + o.text + ")"
		}
		texts, depth = append(texts, o.text), max(depth, o.depth)
	}
	result := operand{fmt.Sprintf(format, texts...), name, depth + 1}
	if strings.HasSuffix(format, ")") {
		result.name = "" // a call
	}
	return result
}

// once writes an expression by its type. One that many share, and one that nests too deeply,
// becomes a variable.
func (p *formula) once(kind string, e *eval.Expression, write func() operand) operand {
	key := typed{kind, e}
	if known, is := p.known[key]; is {
		return known
	}
	result := write()
	if p.uses[e] > 1 && result.depth > 0 || result.depth >= deepest {
		name := fmt.Sprintf("part%d", len(p.parts)+1)
		p.parts = append(p.parts, local{kind, name, result.text})
		result = operand{text: name}
	}
	p.known[key] = result
	return result
}

// fixed writes weight x expression in fixed point, see [eval.Expression.Sums].
func (p *formula) fixed(e *eval.Expression) operand {
	return p.once("fixed", e, func() operand {
		x, isConstant := e.Constant()
		switch {
		case isConstant && x == 0:
			return operand{text: p.format("0")}
		case isConstant && x == 1 && p.weight != "":
			return p.rounded(operand{text: p.weight})
		case !e.Sums() || isConstant:
			return p.rounded(p.weighted(p.number(e)))
		case e.Name == "choose":
			return p.write("choose", p.condition(e.Operands[0]), p.fixed(e.Operands[1]), p.fixed(e.Operands[2]))
		case e.Name == "min" || e.Name == "max":
			return p.write(e.Name+" fixed", p.fixed(e.Operands[0]), p.fixed(e.Operands[1]))
		}
		var operands []operand
		for _, o := range e.Operands {
			operands = append(operands, p.fixed(o))
		}
		return p.rolled(p.write(e.Name, operands...))
	})
}

// limited writes weight x a formula over the board, which is limited and not rounded.
func (p *formula) limited(e *eval.Expression) operand {
	value := p.weighted(p.number(e))
	if !p.large {
		return value
	}
	value = p.write("max", value, operand{p.literal(-eval.MostTerm), "-x", 0})
	return p.write("min", value, operand{text: p.literal(eval.MostTerm)})
}

// weighted writes weight x a number.
func (p *formula) weighted(x operand) operand {
	if p.weight == "" {
		return x
	}
	return p.write("*", operand{text: p.weight}, x)
}

// rounded rounds weight x a number to fixed point.
func (p *formula) rounded(x operand) operand {
	if p.scale == "" && !p.large {
		return p.write("fixed", x)
	}
	return p.write("rounded", x, operand{text: cmp.Or(p.scale, "SCALE")})
}

// number writes an expression in floating point. A result that is no finite number counts as 0.
func (p *formula) number(e *eval.Expression) operand {
	return p.once("number", e, func() operand {
		if x, is := e.Constant(); is {
			if x < 0 {
				return operand{p.literal(x), "-x", 0}
			}
			return operand{text: p.literal(x)}
		}
		if len(e.Operands) == 0 {
			return p.quantity(e.Name)
		}
		name := e.Name
		if p.d.Powers && name == "pow" {
			return p.quantity(e.Operands[0].Name)
		}
		switch name {
		case "choose":
			return p.write("choose", p.condition(e.Operands[0]), p.number(e.Operands[1]), p.number(e.Operands[2]))
		case "<", "<=", "==", "!=", "&&", "||", "!":
			return p.write("truth", p.condition(e))
		case "pow", "log", "log2", "exp": // they differ in the last bits from one language to another
			if by, values := p.d.Look(p.over, e); values != nil {
				index := "number"
				if len(by.Operands) > 0 || isTile(by.Name) {
					index, values = "rank", values[:16]
				}
				doc := plain(fmt.Sprintf("%s in %s, by the %s.", name, p.feature.Name, index))
				return operand{text: p.table(identifier(p.feature.Name)+"_"+name, doc, values) + "[" + p.rank(by) + "]"}
			}
		case "/":
			if y, is := e.Operands[1].Constant(); is && y != 0 {
				name = "/ constant"
			}
		}
		var operands []operand
		for _, o := range e.Operands {
			operands = append(operands, p.number(o))
		}
		result := p.write(name, operands...)
		switch mayGrow := binds[name] == additive || binds[name] == multiplicative && name != "/"; {
		case mayGrow && p.bounds[e] >= 1e300:
			return p.write("finite", result)
		case name == "floor" && p.large:
			return p.write("wide", result)
		}
		return result
	})
}

// condition writes an expression as true (not 0) or false.
func (p *formula) condition(e *eval.Expression) operand {
	return p.once("condition", e, func() operand {
		var operands []operand
		switch e.Name {
		case "<", "<=", "==", "!=":
			operands = append(operands, p.number(e.Operands[0]), p.number(e.Operands[1]))
		case "&&", "||", "!":
			for _, o := range e.Operands {
				operands = append(operands, p.condition(o))
			}
		default:
			return p.write("!=", p.number(e), operand{text: p.literal(0)})
		}
		return p.write(e.Name, operands...)
	})
}

// quantity writes the variable of a quantity, and notes it.
func (p *formula) quantity(name string) operand {
	variable, value := name, p.place(name)
	if sum, is := p.sums[name]; is { // its name may be a word of the language
		variable = p.ident("sum_" + identifier(p.feature.Name) + "_" + identifier(sum.name))
		value = p.summed(sum.code, number(math.Ldexp(1, sum.Bits)))
	} else if isTile(name) {
		value = p.tile(value)
	} else {
		value = fmt.Sprintf(p.format("count"), value)
	}
	if p.large && variable == name {
		value = fmt.Sprintf(p.format("wide"), value)
	}
	p.locals[name] = local{"number", variable, value}
	return operand{text: variable}
}

// isTile reports whether a quantity is a tile, seen as the feature sees tiles.
func isTile(quantity string) bool {
	return regexp.MustCompile(`^([a-dw-z]|largest)$`).MatchString(quantity)
}

// seesRanks reports whether the feature sees the ranks of tiles.
func (p *formula) seesRanks() bool {
	return p.feature.Tile == eval.Rank && (p.d.Power == 0 || p.d.Power == 1)
}

// tile writes the feature's tile of a rank.
func (p *formula) tile(rank string) string {
	if p.seesRanks() {
		return fmt.Sprintf(p.format("count"), rank)
	}
	word := cmp.Or(p.feature.Tile, eval.Face)
	name, doc := "tile_"+word+"s", "The "+word+" of a tile, by its rank."
	if power := p.d.Power; power != 0 && power != 1 {
		name, doc = identifier(p.feature.Name)+"_tiles", fmt.Sprintf("%s^%v of a tile, by its rank.", word, power)
	}
	return p.table(name, doc, p.d.Tile[:]) + "[" + rank + "]"
}

// rank writes a count, the rank of a tile, or of the smallest or largest of some.
func (p *formula) rank(e *eval.Expression) string {
	switch {
	case len(e.Operands) > 0:
		return fmt.Sprintf(p.format(e.Name+" rank"), p.rank(e.Operands[0]), p.rank(e.Operands[1]))
	case !p.floats && !p.large && (p.seesRanks() || !isTile(e.Name)): // a variable is no other number
		return p.quantity(e.Name).text
	}
	return p.place(e.Name)
}

// place writes where a quantity is found.
func (p *formula) place(quantity string) string {
	if p.over == "board" {
		return p.format("board " + quantity)
	}
	return p.format(quantity)
}

// literal writes a float64 so that every language reads the same one.
func (l *language) literal(v float64) string {
	if l.floats {
		return number(v)
	}
	return strings.TrimSuffix(number(v), ".0")
}

// number writes a float64 with a point or an exponent.
func number(v float64) string {
	text := strconv.FormatFloat(v, 'g', -1, 64)
	switch size := math.Abs(v); {
	case size >= 1e15 && size < 1e19:
		text = strconv.FormatFloat(v, 'f', 1, 64)
	case v == 0 || size >= 1e-4 && size < 1e15:
		text = strconv.FormatFloat(v, 'f', -1, 64)
	}
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}
