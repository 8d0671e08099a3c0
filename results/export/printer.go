package export

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tune2048/engine/heuristic"
)

// A printer writes a formula's tree in a language.

// dialect has the formats in which a language differs from the others.
type dialect struct {
	camel     bool              // names: countRuns, not count_runs
	capitals  bool              // of tables: TILE_FACES
	functions map[string]string // in floating point, by operation
	fixed     map[string]string // in fixed point: min, max, and 0
	truth     string            // 1 or 0 of a condition
	operators map[string]string // of conditions, where they differ from the names of C
}

var dialects = map[string]*dialect{
	"c": {
		capitals: true,
		functions: map[string]string{"min": "smaller(%s, %s)", "max": "larger(%s, %s)", "abs": "fabs(%s)", "pow": "pow(%s, %s)",
			"sqrt": "sqrt(%s)", "log2": "log2(%s)", "choose": "(%s ? %s : %s)", "*": "%s * %s", "/": "%s / %s"},
		fixed: map[string]string{"min": "fixed_min(%s, %s)", "max": "fixed_max(%s, %s)", "0": "0"},
		truth: "(%s ? 1.0 : 0.0)",
	},
	"go": {
		camel: true,
		functions: map[string]string{"min": "min(%s, %s)", "max": "max(%s, %s)", "abs": "math.Abs(%s)", "pow": "math.Pow(%s, %s)",
			"sqrt": "math.Sqrt(%s)", "log2": "math.Log2(%s)", "choose": "choose(%s, %s, %s)", "*": "float64(%s * %s)", "/": "%s / %s"},
		fixed: map[string]string{"min": "min(%s, %s)", "max": "max(%s, %s)", "0": "0"},
		truth: "choose(%s, 1.0, 0.0)",
	},
	"python": {
		capitals: true,
		functions: map[string]string{"min": "min(%s, %s)", "max": "max(%s, %s)", "abs": "abs(%s)", "pow": "power(%s, %s)",
			"sqrt": "root(%s)", "log2": "log2(%s)", "choose": "(%[2]s if %[1]s else %[3]s)", "*": "%s * %s", "/": "divide(%s, %s)"},
		fixed: map[string]string{"min": "min(%s, %s)", "max": "max(%s, %s)", "0": "0"},
		truth: "float(%s)", operators: map[string]string{"&&": "and", "||": "or", "!": "not "},
	},
	"javascript": {
		camel: true, capitals: true,
		functions: map[string]string{"min": "Math.min(%s, %s)", "max": "Math.max(%s, %s)", "abs": "Math.abs(%s)", "pow": "Math.pow(%s, %s)",
			"sqrt": "Math.sqrt(%s)", "log2": "Math.log2(%s)", "choose": "(%s ? %s : %s)", "*": "%s * %s", "/": "%s / %s"},
		fixed: map[string]string{"min": "fixedMin(%s, %s)", "max": "fixedMax(%s, %s)", "0": "0n"},
		truth: "Number(%s)", operators: map[string]string{"==": "===", "!=": "!=="},
	},
	"java": {
		camel: true, capitals: true,
		functions: map[string]string{"min": "Math.min(%s, %s)", "max": "Math.max(%s, %s)", "abs": "Math.abs(%s)", "pow": "Math.pow(%s, %s)",
			"sqrt": "Math.sqrt(%s)", "log2": "log2(%s)", "choose": "(%s ? %s : %s)", "*": "%s * %s", "/": "%s / %s"},
		fixed: map[string]string{"min": "Math.min(%s, %s)", "max": "Math.max(%s, %s)", "0": "0L"},
		truth: "(%s ? 1.0 : 0.0)",
	},
}

// name writes a name of several words, given with underscores, as the language does.
func (l *dialect) name(words string) string {
	if !l.camel {
		return words
	}
	parts := strings.Split(words, "_")
	for i, part := range parts[1:] {
		if part != "" {
			parts[i+1] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, "")
}

// constant writes the name of a table.
func (l *dialect) constant(words string) string {
	if l.capitals {
		return strings.ToUpper(words)
	}
	return l.name(words)
}

// How tightly operators bind.
const (
	logical = iota + 1
	comparison
	additive
	multiplicative
	unary
	tight
)

// printer writes expressions of one feature.
type printer struct {
	*dialect
	weight        float64         // its magnitude
	uses, symbols map[string]bool // notes operations, and quantities of the line
}

// sum writes an expression in fixed point, in parentheses if it binds less tightly than within.
func (p *printer) sum(e *heuristic.Expression, within int) string {
	if !e.Sums() {
		if e.Name() == "number" && e.Value == 0 {
			return p.fixed["0"]
		}
		return fmt.Sprintf("fixed(%s, %s)", number(p.weight), p.number(e, 0))
	}
	switch e.Name() {
	case "+":
		return enclosed(p.sum(e.Operands[0], additive)+" + "+p.sum(e.Operands[1], additive), additive, within)
	case "negate":
		return enclosed("-"+p.sum(e.Operands[0], tight), unary, within)
	case "choose":
		p.uses["choose"] = true
		return fmt.Sprintf(p.functions["choose"], p.condition(e.Operands[0], 0), p.sum(e.Operands[1], 0), p.sum(e.Operands[2], 0))
	}
	p.uses["fixed "+e.Name()] = true
	return fmt.Sprintf(p.fixed[e.Name()], p.sum(e.Operands[0], 0), p.sum(e.Operands[1], 0))
}

// number writes an expression in floating point.
func (p *printer) number(e *heuristic.Expression, within int) string {
	switch e.Name() {
	case "number":
		if e.Value < 0 {
			return enclosed(number(e.Value), unary, within)
		}
		return number(e.Value)
	case "+", "-":
		return enclosed(p.number(e.Operands[0], additive)+" "+e.Name()+" "+p.number(e.Operands[1], multiplicative), additive, within)
	case "negate":
		return enclosed("-"+p.number(e.Operands[0], tight), unary, within)
	case "choose":
		p.uses["choose"] = true
		return fmt.Sprintf(p.functions["choose"], p.condition(e.Operands[0], 0), p.number(e.Operands[1], 0), p.number(e.Operands[2], 0))
	case "<", "<=", "==", "!=", "&&", "||", "!":
		p.uses["truth"] = true
		return fmt.Sprintf(p.truth, p.condition(e, 0))
	}
	format, isFunction := p.functions[e.Name()]
	if !isFunction {
		p.symbols[e.Name()] = true
		return e.Name()
	}
	p.uses[e.Name()] = true
	infix := strings.HasPrefix(format, "%s ")
	product := infix || e.Name() == "*"
	var operands []any
	for i, operand := range e.Operands {
		inside := 0
		if product && i == 0 {
			inside = multiplicative
		} else if product {
			inside = unary
		}
		operands = append(operands, p.number(operand, inside))
	}
	text := fmt.Sprintf(format, operands...)
	if infix {
		return enclosed(text, multiplicative, within)
	}
	return text
}

// condition writes an expression as true (not 0) or false. within is logical inside && or ||, unary
// inside !.
func (p *printer) condition(e *heuristic.Expression, within int) string {
	operator := cmp.Or(p.operators[e.Name()], e.Name())
	switch e.Name() {
	case "<", "<=", "==", "!=":
		return enclosed(p.number(e.Operands[0], additive)+" "+operator+" "+p.number(e.Operands[1], additive), comparison, within)
	case "&&", "||":
		return enclosed(p.condition(e.Operands[0], logical)+" "+operator+" "+p.condition(e.Operands[1], logical), 0, within)
	case "!":
		return enclosed(operator+p.condition(e.Operands[0], unary), unary, within)
	}
	return enclosed(p.number(e, additive)+" "+cmp.Or(p.operators["!="], "!=")+" 0.0", comparison, within)
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
