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

// How tightly operators bind.
const (
	logical = iota + 1
	comparison
	additive
	multiplicative
	unary
	tight
)

// formula writes the expressions of one feature in Go.
type formula struct {
	*source
	name    string
	d       *eval.Definition
	over    string            // the part of the board
	weight  float64           // its magnitude
	unit    float64           // of the values that are rounded
	sums    map[string]string // unique names of the board's sums, also of their variables
	symbols map[string]bool   // notes quantities
	packed  bool              // notes that some are of the line without blanks
}

// locals returns the code for the quantities that the expressions so far look at. tile returns the
// code for the tile of a rank.
func (p *formula) locals(tile func(rank string) string) (all []local) {
	for _, symbol := range slices.Sorted(maps.Keys(p.symbols)) {
		value := p.index(symbol)
		if sum := p.boardSum(symbol); sum != nil {
			value = fmt.Sprintf("float64(%s(ranks)) / %s", camel("board_"+p.local(symbol)), exact(math.Ldexp(1, sum.Bits)))
		} else if len(symbol) > 1 && symbol != "largest" {
			value = "float64(" + value + ")" // a count
		} else {
			value = tile(value)
		}
		all = append(all, local{p.local(symbol), value})
	}
	return all
}

// boardSum returns the sum of that name of a formula over the board, or nil.
func (p *formula) boardSum(name string) *eval.DefinedSum {
	i := slices.IndexFunc(p.d.Sums, func(s eval.DefinedSum) bool { return s.Name == name })
	if i < 0 || p.over != "board" {
		return nil
	}
	return &p.d.Sums[i]
}

// local names the variable of a quantity. A sum's name may be a word of a language.
func (p *formula) local(symbol string) string { return cmp.Or(p.sums[symbol], symbol) }

// index returns the code for a quantity's rank or count.
func (p *formula) index(symbol string) string {
	if p.over == "board" {
		p.uses["board "+symbol] = true
		if symbol == "largest" {
			return "max(largestRank(ranks), 1)"
		}
		if cells := map[string]string{"corner": "0x9009", "edge": "0xf99f"}[symbol]; cells != "" {
			return "boardWithin(ranks, " + cells + ")"
		}
		return "board" + strings.ToUpper(symbol[:1]) + symbol[1:] + "(ranks)"
	}
	p.uses[symbol] = true
	switch {
	case symbol == "largest":
		return "largestOf(line)"
	case symbol == "empty":
		return "countEmpty(line)"
	case symbol == "merges":
		return "countEqual(line, 0)"
	case symbol == "runs":
		return "countEqual(line, 1)"
	case strings.Contains("wxyz", symbol):
		p.packed, p.uses["packed"] = true, true
		return fmt.Sprintf("packed[%d]", symbol[0]-'w')
	}
	return fmt.Sprintf("line[%d]", symbol[0]-'a')
}

// sum writes an expression in fixed point, in parentheses if it binds less tightly than within.
func (p *formula) sum(e *eval.Expression, within int) string {
	if !e.Sums() {
		if e.Name == "" && e.Value == 0 {
			return "fixed(0)"
		}
		if p.d.Reaches(p.over, e, p.weight/p.unit) {
			p.uses["limited"] = true
			return fmt.Sprintf("limited(%s, %s, %s)", number(p.weight), p.number(e, 0), exact(eval.MostEntry*p.unit))
		}
		return fmt.Sprintf("rounded(%s, %s)", number(p.weight), p.number(e, 0))
	}
	switch e.Name {
	case "+":
		return enclosed(p.sum(e.Operands[0], additive)+" + "+p.sum(e.Operands[1], additive), additive, within)
	case "-x":
		return enclosed("-"+p.sum(e.Operands[0], tight), unary, within)
	case "choose":
		p.uses["choose"] = true
		return fmt.Sprintf("choose(%s, %s, %s)", p.condition(e.Operands[0], 0), p.sum(e.Operands[1], 0),
			p.sum(e.Operands[2], 0))
	}
	return fmt.Sprintf("%s(%s, %s)", e.Name, p.sum(e.Operands[0], 0), p.sum(e.Operands[1], 0))
}

// number writes an expression in floating point. A result that is no finite number counts as 0.
func (p *formula) number(e *eval.Expression, within int) string {
	if !p.d.Certain(p.over, e) {
		p.uses["finite"] = true
		return "orZero(" + p.raw(e, 0) + ")"
	}
	return p.raw(e, within)
}

// raw writes an expression in floating point, whose result may be no finite number.
func (p *formula) raw(e *eval.Expression, within int) string {
	var operands []string
	switch name := e.Name; name {
	case "":
		if e.Value < 0 {
			return enclosed(number(e.Value), unary, within)
		}
		return number(e.Value)
	case "+", "-", "/":
		binds := additive
		if name == "/" {
			binds = multiplicative
		}
		return enclosed(p.number(e.Operands[0], binds)+" "+name+" "+p.number(e.Operands[1], binds+1), binds, within)
	case "*":
		return "float64(" + p.number(e.Operands[0], multiplicative) + " * " + p.number(e.Operands[1], unary) + ")"
	case "-x":
		return enclosed("-"+p.number(e.Operands[0], tight), unary, within)
	case "choose":
		p.uses["choose"] = true
		return fmt.Sprintf("choose(%s, %s, %s)", p.condition(e.Operands[0], 0), p.number(e.Operands[1], 0),
			p.number(e.Operands[2], 0))
	case "<", "<=", "==", "!=", "&&", "||", "!":
		p.uses["truth"] = true
		return "truth(" + p.condition(e, 0) + ")"
	case "pow", "log", "log2", "exp": // they differ in the last bits from one language to another
		if by, values := p.d.Look(p.over, e); values != nil {
			table := numbers{Name: fmt.Sprintf("%sLook%d", p.name, len(p.Tables)),
				Doc: fmt.Sprintf("%s in the formula of %s, by the tile's rank or the count", name, p.name)}
			return p.table(table, values) + "[" + p.rank(by) + "]"
		}
		if name == "pow" && !p.d.Certain(p.over, e) {
			p.uses["power"] = true
			return fmt.Sprintf("powerOf(%s, %s)", p.number(e.Operands[0], 0), p.number(e.Operands[1], 0))
		}
	}
	if len(e.Operands) == 0 {
		p.symbols[e.Name] = true
		return p.local(e.Name)
	}
	for _, operand := range e.Operands {
		operands = append(operands, p.number(operand, 0))
	}
	return e.Name + "(" + strings.Join(operands, ", ") + ")"
}

// rank writes a count, the rank of a tile, or of the smallest or largest of some.
func (p *formula) rank(e *eval.Expression) string {
	if len(e.Operands) == 0 {
		return p.index(e.Name)
	}
	return fmt.Sprintf("%s(%s, %s)", e.Name, p.rank(e.Operands[0]), p.rank(e.Operands[1]))
}

// condition writes an expression as true (not 0) or false. within is logical inside && or ||, unary
// inside !.
func (p *formula) condition(e *eval.Expression, within int) string {
	switch e.Name {
	case "<", "<=", "==", "!=":
		return enclosed(p.number(e.Operands[0], additive)+" "+e.Name+" "+p.number(e.Operands[1], additive),
			comparison, within)
	case "&&", "||":
		return enclosed(p.condition(e.Operands[0], logical)+" "+e.Name+" "+p.condition(e.Operands[1], logical), 0,
			within)
	case "!":
		return enclosed("!"+p.condition(e.Operands[0], unary), unary, within)
	}
	return enclosed(p.number(e, additive)+" != 0.0", comparison, within)
}

func enclosed(text string, binds, within int) string {
	if binds < within {
		return "(" + text + ")"
	}
	return text
}

// number writes a float64 so that every language reads the same one.
func number(v float64) string {
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if size := math.Abs(v); v == 0 || size >= 1e-4 && size < 1e15 {
		text = exact(v)
	}
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// exact writes it without an exponent.
func exact(v float64) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
