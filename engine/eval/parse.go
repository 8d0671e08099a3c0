package eval

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tune2048/engine/portable"
)

// A formula is an expression over the tiles of a line, or over another part of the board, in the
// syntax that C, Go and JavaScript share. It is a tree here. tabulate.go works it out for all lines
// at once, boardterm.go for a whole board, and someboards.go for one place, slowly.
//
// Arithmetic is total: each operation has a result for all arguments. A result that is no finite
// number counts as 0: of x/0, of the logarithm of 0 or less, of the root of a number below 0, of a
// power without a result, and one that is too large.

// Limits of a formula: far beyond what a person writes, and small enough to be quick.
const (
	maxFormulaText = 2000    // characters
	maxFormulaSize = 4000    // symbols, literals and operations, with its named parts written out
	maxWork        = 6 << 20 // table entries of all formulas of a heuristic, of up to 22 bytes each
	nodeEntries    = 200     // as which a symbol, a number or an operation counts beside its entries
	boardEntries   = 1 << 10 // as which an operation over the whole board counts, which has no table
)

// How tightly operators bind.
const (
	bindsOr = iota + 1
	bindsAnd
	bindsComparison
	bindsSum
	bindsProduct
)

// operation is an operator or a function.
type operation struct {
	name           string
	of             func(x, y float64) float64 // of one operand y is ignored; nil: choose
	binds          int                        // of an operator between two operands
	least          int                        // number of arguments of a function; min and max have more, too
	arguments, doc string
}

// operations are all, functions in the order of their documentation. A result that is no finite
// number counts as 0.
var operations = []operation{
	{name: "+", binds: bindsSum, of: func(x, y float64) float64 { return x + y }},
	{name: "-", binds: bindsSum, of: func(x, y float64) float64 { return x - y }},
	{name: "*", binds: bindsProduct, of: func(x, y float64) float64 { return float64(x * y) }},
	{name: "/", binds: bindsProduct, of: func(x, y float64) float64 { return x / y }},
	{name: "<", binds: bindsComparison, of: func(x, y float64) float64 { return truth(x < y) }},
	{name: "<=", binds: bindsComparison, of: func(x, y float64) float64 { return truth(x <= y) }},
	{name: "==", binds: bindsComparison, of: func(x, y float64) float64 { return truth(x == y) }},
	{name: "!=", binds: bindsComparison, of: func(x, y float64) float64 { return truth(x != y) }},
	{name: "&&", binds: bindsAnd, of: func(x, y float64) float64 { return truth(x != 0 && y != 0) }},
	{name: "||", binds: bindsOr, of: func(x, y float64) float64 { return truth(x != 0 || y != 0) }},
	{name: "!", of: func(x, _ float64) float64 { return truth(x == 0) }},
	{name: negate, of: func(x, _ float64) float64 { return -x }},
	{"abs", func(x, _ float64) float64 { return math.Abs(x) }, 0, 1, "(x)", "the absolute value"},
	{"choose", nil, 0, 3, "(condition, x, y)", "x where the condition is true (not 0), otherwise y"},
	{"exp", func(x, _ float64) float64 { return portable.Exp(x) }, 0, 1, "(x)", "e to the power of x"},
	{"floor", func(x, _ float64) float64 { return math.Floor(x) }, 0, 1, "(x)",
		"the largest whole number that is not above x"},
	{"log", func(x, _ float64) float64 { return portable.Log(x) }, 0, 1, "(x)", "the natural logarithm"},
	{"log2", func(x, _ float64) float64 { return log2(x) }, 0, 1, "(x)", "the binary logarithm: of a face its rank"},
	{"max", func(x, y float64) float64 { return max(x, y) }, 0, 2, "(x, y, ...)", "the largest"},
	{"min", func(x, y float64) float64 { return min(x, y) }, 0, 2, "(x, y, ...)", "the smallest"},
	{"pow", portable.Pow, 0, 2, "(x, y)", "x to the power of y, x at least 0"},
	{"sqrt", func(x, _ float64) float64 { return math.Sqrt(x) }, 0, 1, "(x)", "the square root"},
}

// negate is the name of a minus sign with one operand.
const negate = "-x"

// total returns x, or 0 if it is no finite number.
func total(x float64) float64 {
	if x-x == 0 {
		return x
	}
	return 0
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// log2 is exact for powers of 2: the binary logarithm of a face is its rank.
func log2(x float64) float64 {
	m, e := math.Frexp(x)
	return float64(e-1) + portable.Log(2*m)/math.Ln2
}

// Expression is a node of a formula's tree. Named parts are shared, so the tree may have a node
// more than once.
type Expression struct {
	// Name is the symbol of a quantity (see [Symbols]), an operator + - * / < <= == != && || ! or
	// -x, or a function: min max abs pow sqrt floor log log2 exp choose. A truth is 1 or 0. The
	// name of a number is empty.
	Name     string
	Operands []*Expression
	Value    float64 // of a number; of one of the feature's numbers, its value in the last vector
	of       func(x, y float64) float64
	index    int  // of a quantity, or in the vector of one of the feature's numbers, or -1
	size     int  // nodes of the tree, written out
	set      uint // the quantities that it depends on, bit by bit

	// In a formula over the board: the values by a whole number of the board, from low on, or the
	// only one.
	table   []float64
	by, low int // by: the number's index
}

// quantity reports whether the expression is a quantity of a part of the board.
func (e *Expression) quantity() bool { return len(e.Operands) == 0 && e.set != 0 }

// Sums reports whether a feature's tables work the expression out in fixed point. They do so from
// the root downwards, as long as the operations commute with a multiplication by the weight and
// with rounding. Any other expression is worked out in floating point, and |weight| x expression
// is rounded once. A condition of choose is not rounded. A negative weight turns the sign in the
// end.
func (e *Expression) Sums() bool {
	return len(e.Operands) > 0 && slices.Contains([]string{"+", "min", "max", negate, "choose"}, e.Name)
}

// Symbol is a symbol of formulas with its meaning.
type Symbol struct{ Name, Doc string }

// Symbols returns the operators, the quantities and the functions that formulas over a part of the
// board know, by the part's key, in the order of their documentation.
func Symbols(over string) []Symbol {
	all := []Symbol{
		{"+ - * /", "arithmetic"},
		{"< <= == != >= >", "comparisons: 1 where they hold, otherwise 0; write a <= b && b <= c, they do not chain"},
		{"&& || !", "and, or, not: a number other than 0 counts as true"},
	}
	for _, q := range partOf(over).quantities {
		if q.symbol != "" {
			all = append(all, Symbol{q.symbol, q.doc})
		}
	}
	for _, o := range operations {
		if o.least > 0 {
			all = append(all, Symbol{o.name + o.arguments, o.doc})
		}
	}
	return all
}

// formula is a text that is read, and the names that it may have. Its methods end the parsing by a
// panic with a *Problem.
type formula struct {
	key, of string                 // the key of the part of the board, "let" or "sums", and whose text it is
	names   map[string]*Expression // of quantities, numbers and parts
	used    map[string]bool        // notes names
	feature *Term                  // whose parts a remedy names

	text, token string // the token comes next; at the end it is empty
	at          int    // where it begins
	last        string // the token before it
}

// tokens are numbers, names, operators of two signs, some of other languages, and single signs.
var tokens = regexp.MustCompile(`^(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[\pL_][\pL\d_]*|===|!==|<>|[<>=!:]=|&&|\|\||\*\*|//|/\*|(?s:.))`)

// instead has what to write in place of tokens of other languages.
var instead = map[string]string{"and": "x && y", "or": "x || y", "not": "!x", "**": "pow(x, y)", "^": "pow(x, y)",
	"=": "x == y", "===": "x == y", "!==": "x != y", "<>": "x != y", "≤": "x <= y", "≥": "x >= y", "≠": "x != y",
	"&": "x && y",
	"×": "x * y", "·": "x * y", "÷": "x / y", "%": "x - y * floor(x / y)", "²": "x * x", "√": "sqrt(x)",
	"–": minusSign, "—": minusSign, "−": minusSign, "[": noIndex,
	"if": "choose(condition, x, y)", "?": "choose(condition, x, y)", "//": "x / y",
	":=": "parts beside the formula, with let", ";": "parts beside the formula, with let",
	"ln": "log(x)", "log10": "log(x) / log(10)", "fabs": "abs(x)", "sqr": "x * x", "round": "floor(x + 0.5)",
	"ceil": "-floor(-x)", "sum": "a + b"}

const (
	minusSign = "the minus sign -, for this is another dash"
	noIndex   = "a symbol, for no tile has an index: a line has a, b, c, d, a cell its tile at row and column"
)

// between finds what stands between two bars.
var between = regexp.MustCompile(`^\|\s*([^|]*[^|\s])\s*\|`)

// parse reads the text.
func (f formula) parse(text string) *Expression {
	f.text = text
	if len(text) > maxFormulaText {
		f.fail(maxFormulaText-1, "want at most %d characters, got %d", maxFormulaText, len(text))
	}
	f.next()
	tree := f.expression(0)
	if f.token != "" {
		f.want("an operator")
	}
	return tree
}

// next takes the token that comes next, and returns it with its place.
func (f *formula) next() (token string, at int) {
	token, at = f.token, f.at
	f.last = token
	rest := strings.TrimLeftFunc(f.text[at+len(token):], unicode.IsSpace)
	f.at, f.token = len(f.text)-len(rest), tokens.FindString(rest)
	return token, at
}

// fail ends the parsing at a byte of the text.
func (f *formula) fail(at int, format string, args ...any) { panic(f.wrong(at, format, args...)) }

func (f *formula) wrong(at int, format string, args ...any) *Problem {
	return wrong(f.key, "%scolumn %d: %s", f.of, len([]rune(f.text[:at]))+1, fmt.Sprintf(format, args...))
}

// want ends the parsing at the next token.
func (f *formula) want(what string) {
	got := strconv.Quote(f.token)
	first, _ := utf8.DecodeRuneInString(f.token)
	last, _ := utf8.DecodeRuneInString(f.last)
	begins := func(c rune) bool { return strings.ContainsRune("(_", c) || unicode.IsLetter(c) || unicode.IsDigit(c) }
	bars := between.FindStringSubmatch(f.text[f.at:])
	switch write := instead[f.token]; {
	case bars != nil:
		got += ": write abs(" + bars[1] + ")"
	case write != "":
		got += ": write " + write
	case f.token == "":
		got = "the end"
	case what != operand && begins(first) && (f.last == ")" || begins(last) && f.last != "("):
		got += fmt.Sprintf(": write %s * %s", f.last, f.token)
	}
	f.fail(f.at, "want %s, got %s", what, got)
}

// expression reads operands and the operators between them that bind more tightly.
func (f *formula) expression(binds int) *Expression {
	x, compared := f.operand(), false
	for {
		name, swapped := map[string]string{">": "<", ">=": "<="}[f.token], true
		if name == "" {
			name, swapped = f.token, false
		}
		i := slices.IndexFunc(operations, func(o operation) bool { return o.name == name && o.binds > binds })
		if i < 0 {
			return x
		}
		_, at := f.next()
		if operations[i].binds == bindsComparison {
			if compared { // C reads a < b < c as (a < b) < c
				f.fail(at, "comparisons do not chain: write a <= b && b <= c")
			}
			compared = true
		}
		y := f.expression(operations[i].binds)
		if swapped {
			x, y = y, x
		}
		x = f.node(name, x, y)
	}
}

const operand = "an operand"

// operand reads a number, a symbol, a function, a parenthesis, or a sign with its operand.
func (f *formula) operand() *Expression {
	first, _ := utf8.DecodeRuneInString(f.token)
	switch {
	case f.token == "-":
		f.next()
		return f.node(negate, f.operand())
	case f.token == "!":
		f.next()
		return f.node("!", f.operand())
	case f.token == "+":
		f.next()
		return f.operand()
	case f.token == "(":
		f.next()
		e := f.expression(0)
		f.close()
		return e
	case first == '_' || unicode.IsLetter(first):
		name, at := f.next()
		if f.token == "(" {
			return f.call(name, at)
		}
		return f.symbol(name, at)
	}
	x, err := strconv.ParseFloat(f.token, 64)
	if err != nil {
		f.want(operand)
	}
	f.next()
	return &Expression{Value: x, index: -1, size: 1}
}

// close takes the end of a parenthesis.
func (f *formula) close() {
	if f.token != ")" {
		f.want("an operator or )")
	}
	f.next()
}

// node makes the node of an operation.
func (f *formula) node(name string, operands ...*Expression) *Expression {
	i := slices.IndexFunc(operations, func(o operation) bool { return o.name == name })
	e := &Expression{Name: name, Operands: operands, of: operations[i].of, index: -1, size: 1}
	for _, operand := range operands {
		e.set |= operand.set
		e.size += operand.size
		if e.size > maxFormulaSize {
			f.fail(0, "the formula is too long: want at most %d symbols, numbers and operations", maxFormulaSize)
		}
	}
	return e
}

// symbol returns the node of a name.
func (f *formula) symbol(name string, at int) *Expression {
	e := f.names[name]
	f.used[name] = true
	switch {
	case e == nil && functions[name].least > 0:
		f.fail(at, "%s is a function: want %s(...)", name, name)
	case e == nil:
		f.unknown("symbol", name, at, slices.Sorted(maps.Keys(f.names)))
	}
	return e
}

// unknown ends the parsing at a name that there is not.
func (f *formula) unknown(what, name string, at int, known []string) {
	problem := f.wrong(at, "there is no %s %s; there are %s", what, name, strings.Join(known, ", "))
	switch elsewhere := partsWith(name); {
	case f.feature.isPart(name):
		panic(f.wrong(at, "%s", f.feature.order(strings.TrimSuffix(f.of, ": "), name, f.key)))
	case f.token == "[":
		f.want("an operator")
	case what == "symbol" && partOf(name) != nil:
		problem.Reason += fmt.Sprintf("; %s is a key beside feature, a part of the board with symbols of its own", name)
	case what == "symbol" && elsewhere != nil:
		problem.Reason += fmt.Sprintf("; %s is a symbol of %s", name, strings.Join(elsewhere, ", "))
	case instead[name] != "":
		problem.Reason += "; write " + instead[name]
	case what == "symbol" && symbolForm.MatchString(name):
		problem.Reason += fmt.Sprintf("; add a number of your own with numbers: {%s: 1}, or a part with let: {%[1]s: "+
			"\"abs(a - b)\"}", name)
		if f.key == overBoard {
			problem.Reason += fmt.Sprintf(", or a sum with sums: {%s: {line: \"abs(a - b)\"}}", name)
		}
	}
	problem.Symbol, problem.Known = name, known
	panic(problem)
}

// partsWith returns the keys of the parts of the board that have a symbol.
func partsWith(symbol string) (keys []string) {
	for _, p := range parts {
		if symbol != "" && slices.ContainsFunc(p.quantities, func(q quantityOf) bool { return q.symbol == symbol }) {
			keys = append(keys, p.key)
		}
	}
	return keys
}

// isPart reports whether let has a part of this name.
func (f *Term) isPart(name string) bool {
	return slices.ContainsFunc(f.Let, func(x NamedPart) bool { return x.Name == name })
}

var words = regexp.MustCompile(`[\pL_][\pL\d_]*`)

// order says why a text of let or of sums does not know a part.
func (f *Term) order(of, part, key string) string {
	if key != "let" {
		return fmt.Sprintf("a sum knows no parts: write the formula of %s in its place", part)
	}
	uses := map[string][]string{}
	for _, x := range f.Let {
		uses[x.Name] = words.FindAllString(x.Formula, -1)
	}
	met, todo := map[string]bool{}, []string{part}
	for len(todo) > 0 && !met[of] {
		next := todo[0]
		todo = todo[1:]
		if !met[next] {
			met[next], todo = true, append(todo, uses[next]...)
		}
	}
	switch {
	case part == of:
		return fmt.Sprintf("%s needs itself: a part knows earlier parts only", of)
	case met[of]:
		return fmt.Sprintf("%s and %s need each other: a part knows earlier parts only; write one of them without the other",
			of, part)
	}
	return fmt.Sprintf("%s stands after %s: a part knows earlier parts only; move %[1]s before it", part, of)
}

// functions are the operations that formulas call, by name.
var functions = func() map[string]operation {
	all := map[string]operation{}
	for _, o := range operations {
		if o.least > 0 {
			all[o.name] = o
		}
	}
	return all
}()

// call reads the arguments of a function.
func (f *formula) call(name string, at int) *Expression {
	function, known := functions[name]
	if !known {
		f.unknown("function", name, at, slices.Sorted(maps.Keys(functions)))
	}
	var arguments []*Expression
	var texts []string
	for len(arguments) == 0 || f.token == "," {
		f.next() // the parenthesis or a comma
		begin := f.at
		arguments = append(arguments, f.expression(0))
		texts = append(texts, strings.TrimSpace(f.text[begin:f.at]))
	}
	f.close()
	many := name == "min" || name == "max"
	if n := len(arguments); n < function.least || n > function.least && !many {
		write := ""
		switch {
		case name == "log" && n == 2 && texts[1] == "2":
			write = ": write log2(" + texts[0] + ")"
		case name == "log" && n == 2:
			write = fmt.Sprintf(": write log(%s) / log(%s)", texts[0], texts[1])
		case name == "abs" && n == 2:
			if arguments[1].Name == "+" || arguments[1].Name == "-" {
				texts[1] = "(" + texts[1] + ")"
			}
			write = fmt.Sprintf(": write abs(%s - %s)", texts[0], texts[1])
		case many:
			write = ": the smallest and largest are of two numbers or more"
		}
		f.fail(at, "want %s%s, got %d arguments%s", name, function.arguments, n, write)
	}
	e := f.node(name, arguments[:function.least]...)
	for _, next := range arguments[function.least:] {
		e = f.node(name, e, next)
	}
	return e
}

// value returns the expression's value for these quantities of its part of the board. Of the
// operations without a result that it meets, failed gets the first one. nil: nobody asks, and
// tables answer.
func (e *Expression) value(q []float64, failed **Expression) (result float64) {
	switch {
	case len(e.table) > 1 && (failed == nil || e.quantity()):
		return e.table[max(int(q[e.by])-e.low, 0)]
	case e.table != nil && (failed == nil || e.quantity()):
		return e.table[0]
	case e.quantity():
		return q[e.index]
	case len(e.Operands) == 0:
		return e.Value
	}
	x, y := e.Operands[0].value(q, failed), 0.0
	switch {
	case e.of == nil && x != 0: // choose
		result = e.Operands[1].value(q, failed)
	case e.of == nil:
		result = e.Operands[2].value(q, failed)
	default:
		decided := e.Name == "&&" && x == 0 || e.Name == "||" && x != 0 // by the first operand alone
		if len(e.Operands) > 1 && !decided {
			y = e.Operands[1].value(q, failed)
		}
		raw := e.of(x, y)
		result = total(raw)
		if failed != nil && *failed == nil && result != raw {
			*failed = e
		}
	}
	return result
}

// parsed is a feature's formula as a tree, with its sums.
type parsed struct {
	feature *Term
	part    *part
	tree    *Expression
	sums    []*Expression // by feature.Sums
	numbers []*Expression // the nodes of feature.Numbers
	split   bool          // a formula over the board that became one over lines
}

// take takes the values of the formula's numbers from a vector. It reports whether one is new.
func (p *parsed) take(v Vector) (changed bool) {
	for _, e := range p.numbers {
		if x := v[e.index]; x != e.Value {
			e.Value, changed = x, true
		}
	}
	return changed
}

// sound is parse for a formula without a fault, see [Heuristic.Problems].
func (f *Term) sound() *parsed {
	p, problem := f.parse()
	if problem != nil {
		panic(problem.Reason)
	}
	return p
}

// parse reads the formula of a feature.
func (f *Term) parse() (p *parsed, problem *Problem) {
	defer func() {
		if r := recover(); r != nil {
			var faulty bool
			problem, faulty = r.(*Problem)
			if !faulty {
				panic(r)
			}
			p = nil
		}
	}()
	kind := KindOf(f.Kind)
	p = &parsed{feature: f, part: partOf(cmp.Or(kind.Over, f.Over))}
	if p.part.key != overBoard && len(f.Sums) > 0 {
		return nil, wrong("sums", "only a formula with the key board has sums")
	}
	names, used := p.names(p.part), map[string]bool{}
	for i, s := range f.Sums {
		p.sums = append(p.sums, formula{key: "sums", of: s.Name + ": " + s.Over + ": ", names: p.names(partOf(s.Over)),
			used: used, feature: f}.parse(s.Formula))
		names[s.Name] = quantityNode(s.Name, len(boardQuantities)+i)
	}
	for _, x := range f.Let {
		names[x.Name] = formula{key: "let", of: x.Name + ": ", names: names, used: used, feature: f}.parse(x.Formula)
	}
	text := formula{key: p.part.key, names: names, used: used, feature: f}
	for i, q := range quantities {
		if kind.powers && q.tile && names[q.symbol] != nil {
			names[q.symbol] = text.node("pow", quantityNode(q.symbol, i), names["power"])
		}
	}
	p.tree = text.parse(kind.Text(f))
	for _, own := range f.own() {
		switch {
		case used[own.name]:
		case own.key == "numbers":
			return nil, wrong(p.part.key, "column 1: the formula does not use its number %s", own.name)
		default:
			return nil, wrong(own.key, "the formula does not use its %s %s", own.what, own.name)
		}
	}
	if p.part.key == overBoard && linear(p.tree) {
		p.overLines()
	}
	return p, nil
}

// ownName is a name that a feature gives to a sum, to a part, or to a number of its formula.
type ownName struct{ key, what, name string }

func (f *Term) own() (all []ownName) {
	for _, x := range f.Sums {
		all = append(all, ownName{"sums", "sum", x.Name})
	}
	for _, x := range f.Let {
		all = append(all, ownName{"let", "part", x.Name})
	}
	for _, x := range f.Numbers {
		if f.Kind == Formula {
			all = append(all, ownName{"numbers", "number", x.Symbol})
		}
	}
	return all
}

// names returns the quantities of a part of the board and the formula's numbers by their names.
func (p *parsed) names(part *part) map[string]*Expression {
	names := map[string]*Expression{}
	for i, q := range part.quantities {
		if q.symbol != "" {
			names[q.symbol] = quantityNode(q.symbol, i)
		}
	}
	for _, n := range p.feature.Numbers {
		e := &Expression{index: n.At, size: 1}
		names[n.Symbol], p.numbers = e, append(p.numbers, e)
	}
	return names
}

func quantityNode(name string, index int) *Expression {
	return &Expression{Name: name, index: index, set: 1 << index, size: 1}
}

// work returns an upper limit of the entries that a compiler works out for the formula.
func (p *parsed) work() (entries int) {
	done := map[*Expression]bool{}
	var visit func(e *Expression)
	visit = func(e *Expression) {
		if !done[e] {
			done[e] = true
			entries += nodeEntries + countCombinations(e.set)
			for _, operand := range e.Operands {
				visit(operand)
			}
		}
	}
	for _, tree := range p.sums {
		visit(tree)
	}
	if p.part.key != overBoard {
		visit(p.tree)
		return entries
	}
	return entries + p.tree.size*boardEntries
}

// wrong returns a problem of a feature, at one of its keys.
func wrong(key, format string, args ...any) *Problem {
	return &Problem{Feature: -1, Key: key, Reason: fmt.Sprintf(format, args...)}
}
