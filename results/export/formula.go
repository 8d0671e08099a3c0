package export

import (
	"cmp"
	"fmt"
	"maps"
	"math"
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

var binds = map[string]int{"+": additive, "-": additive, "*": multiplicative, "/ constant": multiplicative, "/": multiplicative, "-x": unary,
	"<": comparison, "<=": comparison, "==": comparison, "!=": comparison, "&&": logical, "||": logical, "!": unary}

// deepest is how deep a written expression may nest. Python's parser gives up at 200.
const deepest = 16

// formula writes the expressions of one feature.
type formula struct {
	*source
	d       *eval.Definition
	over    string
	weight  float64               // its magnitude
	scale   float64               // of rounded values; 0: of all values
	sums    map[string]definedSum // of a board
	feature *eval.Term

	uses   map[*eval.Expression]int
	bounds map[*eval.Expression]float64
	known  map[local]operand // by the type and the address of the expression
	locals map[string]local  // quantities by name
	parts  []local           // parts of the formula
}

// local is a variable of a function.
type local struct{ Type, Name, Value string }

// definedSum is a sum over the board with the table of its summands.
type definedSum struct {
	table string
	eval.DefinedSum
}

// operand is code, with the operation at its root and how deep its parentheses nest.
type operand struct {
	text, name string
	depth      int
}

// binds says how tightly the root binds.
func (o operand) binds() int { return cmp.Or(binds[o.name], tight) }

// newFormula prepares a formula for its expressions.
func (s *source) newFormula(d *eval.Definition, over string, feature *eval.Term) *formula {
	return &formula{source: s, d: d, over: over, feature: feature, sums: map[string]definedSum{}, uses: map[*eval.Expression]int{},
		bounds: map[*eval.Expression]float64{}, known: map[local]operand{}, locals: map[string]local{}}
}

// function returns weight x expression as a function over a line, or over the board.
func (p *formula) function(kind, name, doc string, e *eval.Expression, weight float64) function {
	p.count(e)
	p.weight = math.Abs(weight)
	f := function{Type: kind, Name: name, Doc: doc, Of: "line"}
	var value operand
	switch {
	case kind == "number": // over the board: limited, not rounded
		value = p.write("*", operand{p.literal(weight), "-x", 0}, p.number(e))
		value = p.write("min", p.write("max", value, operand{p.literal(-eval.MostTerm), "-x", 0}), operand{text: p.literal(eval.MostTerm)})
		f.Of = "board"
	case weight < 0: // the sign stands in front, so that min and max keep their order
		value = p.write("-x", p.fixed(e))
	default:
		value = p.fixed(e)
	}
	f.Value = value.text
	for _, name := range slices.Sorted(maps.Keys(p.locals)) {
		f.Locals = append(f.Locals, p.locals[name])
	}
	f.Locals = append(f.Locals, p.parts...)
	return f
}

// count notes how many operations share each expression.
func (p *formula) count(e *eval.Expression) {
	if p.uses[e]++; p.uses[e] == 1 {
		for _, operand := range e.Operands {
			p.count(operand)
		}
	}
}

// write writes an operation. An operand that binds less tightly is put into parentheses.
func (p *formula) write(name string, operands ...operand) operand {
	format, depth := p.format(name), 0
	var texts []any
	for i, o := range operands {
		within := binds[name]
		if strings.Contains(format, ", ") { // a call, even of an operation
			within = 0
		}
		if within > 0 && name == "-x" || within == comparison || i > 0 && within >= additive {
			within++
		}
		if o.binds() < within || o.binds() == logical && within == logical && o.name != name {
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
	key := local{Type: kind, Name: fmt.Sprintf("%p", e)}
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

// fixed writes an expression in fixed point, see [eval.Expression.Sums].
func (p *formula) fixed(e *eval.Expression) operand {
	return p.once("fixed", e, func() operand {
		x, isConstant := e.Constant()
		switch {
		case isConstant && x == 0:
			return operand{text: p.format("0")}
		case isConstant:
			return p.rounded(operand{text: p.literal(float64(p.weight * x))})
		case !e.Sums() && p.weight == 1:
			return p.rounded(p.number(e))
		case !e.Sums():
			return p.rounded(p.write("*", operand{text: p.literal(p.weight)}, p.number(e)))
		case e.Name == "choose":
			return p.write("choose", p.condition(e.Operands[0]), p.fixed(e.Operands[1]), p.fixed(e.Operands[2]))
		case e.Name == "min" || e.Name == "max":
			return p.write(e.Name+" fixed", p.fixed(e.Operands[0]), p.fixed(e.Operands[1]))
		}
		var operands []operand
		for _, o := range e.Operands {
			operands = append(operands, p.fixed(o))
		}
		return p.write(e.Name, operands...)
	})
}

// rounded rounds a number to fixed point.
func (p *formula) rounded(x operand) operand {
	if p.scale > 0 {
		return p.write("rounded", x, operand{text: p.literal(p.scale)})
	}
	return p.write("fixed", x)
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
		switch name {
		case "choose":
			return p.write("choose", p.condition(e.Operands[0]), p.number(e.Operands[1]), p.number(e.Operands[2]))
		case "<", "<=", "==", "!=", "&&", "||", "!":
			return p.write("truth", p.condition(e))
		case "pow", "log", "log2", "exp": // they differ in the last bits from one language to another
			if by, values := p.d.Look(p.over, e); values != nil {
				doc := fmt.Sprintf("%s of a formula, by the tile's rank or the count", name)
				return operand{text: p.table("number", name+"_values", doc, p.literals(values)) + "[" + p.rank(by) + "]"}
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
		if mayGrow := binds[name] == additive || binds[name] == multiplicative && name != "/"; mayGrow && p.bound(e) >= farLimit {
			return p.write("finite", result)
		}
		return result
	})
}

// condition writes an expression as true (not 0) or false.
func (p *formula) condition(e *eval.Expression) operand {
	result := func() operand {
		switch e.Name {
		case "<", "<=", "==", "!=":
			return p.write(e.Name, p.number(e.Operands[0]), p.number(e.Operands[1]))
		case "&&", "||":
			return p.write(e.Name, p.condition(e.Operands[0]), p.condition(e.Operands[1]))
		case "!":
			return p.write("!", p.condition(e.Operands[0]))
		}
		return p.write("!=", p.number(e), operand{text: p.literal(0)})
	}()
	if result.depth >= deepest {
		name := fmt.Sprintf("part%d", len(p.parts)+1)
		p.parts = append(p.parts, local{"number", name, p.write("truth", result).text})
		return p.write("!=", operand{text: name}, operand{text: p.literal(0)})
	}
	return result
}

// quantity writes the variable of a quantity, and notes it.
func (p *formula) quantity(name string) operand {
	variable, value := name, p.rank(&eval.Expression{Name: name})
	if sum, is := p.sums[name]; is { // its name may be a word of the language
		variable = p.ident("sum_" + strings.TrimSuffix(sum.table, p.ident("_values")))
		upper := fmt.Sprintf(p.format(sum.Over), sum.table)
		value = fmt.Sprintf(p.format("sum"), upper, number(math.Ldexp(1, sum.Bits)), lower(upper))
	} else if len(name) == 1 || name == "largest" {
		value = p.tile(value)
	} else {
		value = fmt.Sprintf(p.format("count"), value)
	}
	p.locals[name] = local{"number", variable, value}
	return operand{text: variable}
}

// tile writes the feature's tile of a rank.
func (p *formula) tile(rank string) string {
	word, power := cmp.Or(p.feature.Tile, eval.Face), p.feature.Power
	name, doc := "tile_"+word+"s", word+" of a tile, by its rank"
	switch {
	case power != 0 && power != 1:
		name, doc = identifier(p.feature.Name)+"_tiles", fmt.Sprintf("%s^%v of a tile, by its rank", word, power)
	case word == eval.Rank:
		return fmt.Sprintf(p.format("count"), rank)
	}
	return p.table("number", name, doc, p.literals(p.d.Tile[:])) + "[" + rank + "]"
}

// rank writes a count, the rank of a tile, or of the smallest or largest of some.
func (p *formula) rank(e *eval.Expression) string {
	switch {
	case len(e.Operands) > 0:
		return fmt.Sprintf(p.format(e.Name+" rank"), p.rank(e.Operands[0]), p.rank(e.Operands[1]))
	case p.over == "board":
		return p.format("board " + e.Name)
	}
	return p.format(e.Name)
}

// farLimit is far from too large a number.
const farLimit = 1e300

// bound returns an upper limit of an expression's magnitude, a generous one.
func (p *formula) bound(e *eval.Expression) (bound float64) {
	if known, is := p.bounds[e]; is {
		return known
	}
	defer func() { p.bounds[e] = bound }()
	if x, is := e.Constant(); is {
		return math.Abs(x)
	}
	var of [3]float64
	for i, operand := range e.Operands {
		of[i] = p.bound(operand)
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
		if _, values := p.d.Look(p.over, e); values != nil {
			return max(slices.Max(values), -slices.Min(values))
		}
		return math.Inf(1)
	}
	// Of other operations the result is no larger than an operand, or than a logarithm. Quantities
	// are tiles, counts, points and sums, whose entries are at most 2^50.
	return max(of[0], of[1], of[2], 1<<60, slices.Max(p.d.Tile[:]))
}

// literal writes a float64 so that every language reads the same one.
func (l *language) literal(v float64) string {
	if l.floats {
		return number(v)
	}
	return strings.TrimSuffix(number(v), ".0")
}

func (l *language) literals(values []float64) (all []string) {
	for _, v := range values {
		all = append(all, l.literal(v))
	}
	return all
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
