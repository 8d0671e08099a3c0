package eval

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"tune2048/engine/portable"
)

// A formula is an expression in Go's syntax over the tiles of a line, or over another part of the
// board. It is a tree here. tabulate.go works it out for all lines at once, boardterm.go for a
// whole board, and [Expression.of] for one place, slowly.
//
// Arithmetic is total: each operation has a result for all arguments. A result that is no finite
// number counts as 0: of x/0, of the logarithm of 0 or less, of the root of a number below 0, of a
// power without a result, and one that is too large.

// Number is a weight within a formula, by the symbol that the formula has for it.
type Number struct {
	Symbol string `json:"symbol"`
	Weight Weight `json:"weight,omitzero"`
}

// Limits of a formula: far beyond what a person writes, and small enough to be quick.
const (
	maxFormulaText = 2000 // characters
	maxFormulaSize = 4000 // symbols, literals and operations, with its named parts written out
	maxParts       = 16   // named parts of a formula
	maxNumbers     = 16
	maxWork        = 6 << 20 // table entries of all formulas of a family: 8 bytes each, if they are kept
)

// operation is the kind of an expression.
type operation int

const (
	literal  operation = iota // Value
	quantity                  // of the part of the board: index in its symbols
	number                    // index in the feature's numbers
	add                       // the first five: x + y ...
	subtract
	multiply
	divide
	power
	less // 1 or 0, as the next five
	lessEqual
	equal
	unequal
	and
	or
	not
	negate
	minimum
	maximum
	absolute
	root
	floor
	binaryLogarithm
	logarithm
	exponential
	choose // x is not 0: y, otherwise z
)

// operations have the names that formulas write, and results. A minus sign is "negate". A result
// that is no finite number counts as 0.
var operations = [...]struct {
	name string
	of   func(x, y float64) float64 // of one operand y is ignored
}{
	literal: {"number", nil}, number: {"number", nil}, choose: {"choose", nil},
	add:             {"+", func(x, y float64) float64 { return x + y }},
	subtract:        {"-", func(x, y float64) float64 { return x - y }},
	multiply:        {"*", func(x, y float64) float64 { return float64(x * y) }},
	divide:          {"/", func(x, y float64) float64 { return x / y }},
	power:           {"pow", portable.Pow},
	less:            {"<", func(x, y float64) float64 { return truth(x < y) }},
	lessEqual:       {"<=", func(x, y float64) float64 { return truth(x <= y) }},
	equal:           {"==", func(x, y float64) float64 { return truth(x == y) }},
	unequal:         {"!=", func(x, y float64) float64 { return truth(x != y) }},
	and:             {"&&", func(x, y float64) float64 { return truth(x != 0 && y != 0) }},
	or:              {"||", func(x, y float64) float64 { return truth(x != 0 || y != 0) }},
	not:             {"!", func(x, _ float64) float64 { return truth(x == 0) }},
	negate:          {"negate", func(x, _ float64) float64 { return -x }},
	minimum:         {"min", func(x, y float64) float64 { return min(x, y) }},
	maximum:         {"max", func(x, y float64) float64 { return max(x, y) }},
	absolute:        {"abs", func(x, _ float64) float64 { return math.Abs(x) }},
	root:            {"sqrt", func(x, _ float64) float64 { return math.Sqrt(x) }},
	floor:           {"floor", func(x, _ float64) float64 { return math.Floor(x) }},
	binaryLogarithm: {"log2", func(x, _ float64) float64 { return log2(x) }},
	logarithm:       {"log", func(x, _ float64) float64 { return portable.Log(x) }},
	exponential:     {"exp", func(x, _ float64) float64 { return portable.Exp(x) }},
}

// apply returns an operation's result on one or two numbers.
func apply(o operation, x, y float64) float64 { return total(operations[o].of(x, y)) }

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
	Operands  []*Expression
	Value     float64 // of a number; of one of the feature's numbers, the value that it is fixed at
	operation operation
	index     int    // of a quantity or a number
	column    int    // in the text, from 1
	symbol    string // of a quantity
	size      int    // nodes of the tree, written out
	set       uint   // the quantities that it depends on, bit by bit
}

// Name returns "number", the symbol of a quantity (see [Symbols]), "negate", an operator
// + - * / < <= == != && || ! or a function: min max abs pow sqrt floor log log2 exp choose. A truth
// is 1 or 0.
func (e *Expression) Name() string {
	if e.operation == quantity {
		return e.symbol
	}
	return operations[e.operation].name
}

// Sums reports whether a feature's tables work the expression out in fixed point. They do so from
// the root downwards, as long as the operations commute with a multiplication by the weight and
// with rounding. Any other expression is worked out in floating point, and |weight| x expression
// is rounded once. A condition of choose is not rounded. A negative weight turns the sign in the
// end.
func (e *Expression) Sums() bool {
	switch e.operation {
	case add, minimum, maximum, negate, choose:
		return true
	}
	return false
}

// quantities are the properties of a line that a formula can use, each from the line's four ranks.
var quantities = []quantityOfLine{
	{"a", "the line's first tile (of a row the left one, of a column the upper one), a blank is 0", true, func(line *[4]int) int { return line[0] }},
	{"b", "the second", true, func(line *[4]int) int { return line[1] }},
	{"c", "the third", true, func(line *[4]int) int { return line[2] }},
	{"d", "the last", true, func(line *[4]int) int { return line[3] }},
	{"w", "the first tile once blanks are dropped, 0 if there is none", true, func(line *[4]int) int { return packed(line, 0) }},
	{"x", "the second of these", true, func(line *[4]int) int { return packed(line, 1) }},
	{"y", "the third of these", true, func(line *[4]int) int { return packed(line, 2) }},
	{"z", "the fourth of these", true, func(line *[4]int) int { return packed(line, 3) }},
	{"largest", "the largest tile", true, func(line *[4]int) int { return slices.Max(line[:]) }},
	{"empty", "the number of blanks", false, func(line *[4]int) int { return 4 - len(dropBlanks(line[:])) }},
	{"merges", "adjacent equal tiles once blanks are dropped, counted as pairs", false, func(line *[4]int) int { return countMerges(dropBlanks(line[:]), Pairs) }},
	{"runs", "the same counted as runs: k equal tiles count k", false, func(line *[4]int) int { return countMerges(dropBlanks(line[:]), Runs) }},
}

// quantityOfLine is one of them.
type quantityOfLine struct {
	symbol, doc string
	tile        bool // a tile's face or rank, by the feature's setting; otherwise a count
	of          func(line *[4]int) int
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
	for i, symbol := range partOf(over).symbols {
		if symbol != "" && over == overBoard {
			all = append(all, Symbol{symbol, boardQuantities[i].doc})
		} else if symbol != "" {
			all = append(all, Symbol{symbol, quantities[i].doc})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		f := functions[name]
		all = append(all, Symbol{name + f.arguments, f.doc})
	}
	return all
}

// FormulaExample is a formula with its meaning: the name that public programs have for it.
type FormulaExample struct {
	Over, Formula, Doc string
	Sums               []NamedSum
	Let                []NamedPart
}

// FormulaExamples returns formulas for the documentation, by the part of the board.
func FormulaExamples() []FormulaExample {
	return []FormulaExample{
		{overLine, "(max(a, d) == largest) * largest", "the largest tile of a line, if it lies at an end", nil, nil},
		{overLine, "a >= b && b >= c && c >= d", "1 for a line that falls or stays level from its first tile to its last", nil, nil},
		{overLine, "choose(b != 0, a/b, 0)", "a ratio, guarded against a division by 0", nil, nil},
		{overLine, "choose(x > 0, abs(w - x), 0) + choose(y > 0, abs(x - y), 0) + choose(z > 0, abs(y - z), 0)", "smoothness over blanks: each tile and the next one that it sees", nil, nil},
		{overLine, "max(rise, fall)", "a line in its better direction: the larger sum of its rising or its falling steps", nil, []NamedPart{
			{"rise", "(a <= b) * b + (b <= c) * c + (c <= d) * d"}, {"fall", "(a >= b) * a + (b >= c) * b + (c >= d) * c"}}},
		{overRow, "max(b - a, 0) + max(c - b, 0) + max(d - c, 0)", "the rises of the rows alone, from left to right", nil, nil},
		{overSquare, "abs(a - d) + abs(b - c)", "neighbours across", nil, nil},
		{overSquare, "empty == 1", "a blank that three tiles surround", nil, nil},
		{overSquare, "pow(largest, 2) - pow(min(a, b, c, d), 2)", "the spread of a square's tiles", nil, nil},
		{overBoard, "log(1 + empty)", "the logarithm of the empty cells; empty * empty is their square", nil, nil},
		{overBoard, "corner * largest", "a bonus for a largest tile in any corner", nil, nil},
		{overBoard, "max(left, right) + max(up, down)", "monotonicity of the whole board", []NamedSum{
			{"down", overColumn, "max(a - b, 0) + max(b - c, 0) + max(c - d, 0)"}, {"left", overRow, "max(b - a, 0) + max(c - b, 0) + max(d - c, 0)"},
			{"right", overRow, "max(a - b, 0) + max(b - c, 0) + max(c - d, 0)"}, {"up", overColumn, "max(b - a, 0) + max(c - b, 0) + max(d - c, 0)"}}, nil},
		{overBoard, "abs(moment / max(1, mass) - 1.5)", "the distance of the centre of mass from the middle, left or right", []NamedSum{
			{"mass", overRow, "a + b + c + d"}, {"moment", overRow, "b + 2*c + 3*d"}}, nil},
		{overBoard, "points", "the score of the tiles", nil, nil},
	}
}

// packed is the i-th tile once blanks are dropped, or 0 if there are fewer.
func packed(line *[4]int, i int) int {
	if tiles := dropBlanks(line[:]); i < len(tiles) {
		return tiles[i]
	}
	return 0
}

// functions are the functions of a formula, with the least and largest number of arguments.
var functions = map[string]struct {
	operation      operation
	least, most    int
	arguments, doc string
}{
	"min":    {minimum, 2, 8, "(x, y, ...)", "the smallest"},
	"max":    {maximum, 2, 8, "(x, y, ...)", "the largest"},
	"abs":    {absolute, 1, 1, "(x)", "the absolute value"},
	"pow":    {power, 2, 2, "(x, y)", "x to the power of y, x at least 0"},
	"floor":  {floor, 1, 1, "(x)", "the largest whole number that is not above x"},
	"sqrt":   {root, 1, 1, "(x)", "the square root"},
	"log":    {logarithm, 1, 1, "(x)", "the natural logarithm"},
	"log2":   {binaryLogarithm, 1, 1, "(x)", "the binary logarithm: of a face its rank"},
	"exp":    {exponential, 1, 1, "(x)", "e to the power of x"},
	"choose": {choose, 3, 3, "(condition, x, y)", "x where the condition is true (not 0), otherwise y"},
}

var operators = map[token.Token]operation{
	token.ADD: add, token.SUB: subtract, token.MUL: multiply, token.QUO: divide, token.LSS: less, token.LEQ: lessEqual,
	token.EQL: equal, token.NEQ: unequal, token.LAND: and, token.LOR: or,
}

// formula is a parsed one.
type formula struct {
	text    string
	key     string                 // of the part of the board, or "let"
	symbols []string               // of its quantities; an empty one is not known here
	parts   map[string]*Expression // named before
	numbers []Number
	used    map[string]bool // notes symbols
	foreign *Problem        // the first token that formulas do not have, if there is one
}

// parse reads the formula, whose text is not set yet. The error is a *Problem.
func (f formula) parse(text string) (tree *Expression, err error) {
	f.text = strings.ReplaceAll(text, "\n", " ") // to Go a line may end it
	defer func() {
		if r := recover(); r != nil {
			problem, ok := r.(*Problem)
			if !ok {
				panic(r)
			}
			tree, err = nil, problem
		}
	}()
	if len(text) > maxFormulaText {
		panic(f.wrong(maxFormulaText-1, "want at most %d characters, got %d", maxFormulaText, len(text)))
	}
	f.refuseSpelling()
	parsed, err := parser.ParseExprFrom(token.NewFileSet(), "", f.text, 0)
	if err != nil && f.foreign != nil {
		panic(f.foreign)
	}
	if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
		panic(f.wrong(list[0].Pos.Offset, "%s", list[0].Msg))
	}
	if err != nil {
		panic(f.wrong(0, "%v", err))
	}
	return f.tree(parsed), nil
}

// wrong returns the problem at a byte of the text. The methods of formula end the parsing with it
// by a panic.
func (f *formula) wrong(offset int, format string, args ...any) *Problem {
	return &Problem{Feature: -1, Key: f.key, Reason: fmt.Sprintf("column %d: ", f.columnAt(offset)) + fmt.Sprintf(format, args...)}
}

// columnAt is the column of a byte of the text.
func (f *formula) columnAt(offset int) int {
	return len([]rune(f.text[:min(max(offset, 0), len(f.text))])) + 1
}

// fail ends the parsing at a node.
func (f *formula) fail(at ast.Node, format string, args ...any) {
	panic(f.wrong(int(at.Pos())-1, format, args...))
}

// tree makes the tree of a parsed expression.
func (f *formula) tree(parsed ast.Expr) *Expression {
	e := &Expression{column: f.columnAt(int(parsed.Pos()) - 1), size: 1}
	is := func(o operation, operands ...ast.Expr) *Expression {
		e.operation = o
		for _, operand := range operands {
			tree := f.tree(operand)
			e.Operands, e.set = append(e.Operands, tree), e.set|tree.set
			if e.size += tree.size; e.size > maxFormulaSize {
				f.fail(parsed, "the formula is too long: want at most %d symbols, numbers and operations", maxFormulaSize)
			}
		}
		return e
	}
	switch parsed := parsed.(type) {
	case *ast.ParenExpr:
		return f.tree(parsed.X)
	case *ast.BasicLit:
		x, err := strconv.ParseFloat(parsed.Value, 64)
		if parsed.Kind != token.INT && parsed.Kind != token.FLOAT || err != nil {
			f.fail(parsed, "want a number, got %s", parsed.Value)
		}
		e.Value = x
		return is(literal)
	case *ast.Ident:
		return f.symbol(parsed, e)
	case *ast.UnaryExpr:
		switch parsed.Op {
		case token.SUB:
			return is(negate, parsed.X)
		case token.NOT:
			return is(not, parsed.X)
		case token.ADD:
			return f.tree(parsed.X)
		}
		f.fail(parsed, "a formula has no operator %s before an operand; there are + - !", parsed.Op)
	case *ast.BinaryExpr:
		if parsed.Op.Precedence() == token.LSS.Precedence() {
			f.refuseChain(parsed)
		}
		switch o, known := operators[parsed.Op]; {
		case known:
			return is(o, parsed.X, parsed.Y)
		case parsed.Op == token.GTR:
			return is(less, parsed.Y, parsed.X)
		case parsed.Op == token.GEQ:
			return is(lessEqual, parsed.Y, parsed.X)
		}
		f.fail(parsed, "a formula has no operator %s; there are + - * / < <= == != >= > && || !, and pow(x, y)", parsed.Op)
	case *ast.CallExpr:
		return f.call(parsed, e, is)
	}
	f.fail(parsed, "want a number, a symbol, an operator or a function, got something else of Go's syntax")
	return nil
}

// symbol makes the node of a number or a quantity.
func (f *formula) symbol(parsed *ast.Ident, e *Expression) *Expression {
	f.used[parsed.Name] = true
	if part := f.parts[parsed.Name]; part != nil {
		return part
	}
	known := slices.Collect(maps.Keys(f.parts))
	for i, n := range f.numbers {
		if n.Symbol == parsed.Name {
			e.operation, e.index, e.Value = number, i, n.Weight.Value
			return e
		}
		known = append(known, n.Symbol)
	}
	for i, symbol := range f.symbols {
		if symbol == parsed.Name {
			e.operation, e.index, e.symbol, e.set = quantity, i, symbol, 1<<i
			return e
		}
		if symbol != "" {
			known = append(known, symbol)
		}
	}
	if _, isFunction := functions[parsed.Name]; isFunction {
		f.fail(parsed, "%s is a function: want %s(...)", parsed.Name, parsed.Name)
	}
	f.unknown(parsed, "symbol", known)
	return nil
}

// call makes the node of a function.
func (f *formula) call(parsed *ast.CallExpr, e *Expression, is func(operation, ...ast.Expr) *Expression) *Expression {
	name, ok := parsed.Fun.(*ast.Ident)
	if !ok {
		f.fail(parsed, "want the name of a function before the parenthesis")
	}
	function, known := functions[name.Name]
	if !known {
		f.unknown(name, "function", slices.Collect(maps.Keys(functions)))
	}
	if n := len(parsed.Args); n < function.least || n > function.most || parsed.Ellipsis.IsValid() {
		want := strconv.Itoa(function.least)
		if function.most > function.least {
			want += " to " + strconv.Itoa(function.most)
		}
		f.fail(parsed, "%s: want %s arguments, got %d", name.Name, want, n)
	}
	is(function.operation, parsed.Args...)
	for len(e.Operands) > 2 && function.operation != choose { // min and max of many
		pair := &Expression{operation: e.operation, Operands: e.Operands[:2:2], column: e.column}
		pair.size, pair.set = 1+pair.Operands[0].size+pair.Operands[1].size, pair.Operands[0].set|pair.Operands[1].set
		e.Operands = append([]*Expression{pair}, e.Operands[2:]...)
	}
	return e
}

// of returns the expression's value for these quantities of its part of the board. Of the
// operations without a result that it meets, failed gets the first one. nil: nobody asks.
func (e *Expression) of(q []float64, failed **Expression) float64 {
	switch e.operation {
	case literal, number:
		return e.Value
	case quantity:
		return q[e.index]
	case choose:
		if e.Operands[0].of(q, failed) != 0 {
			return e.Operands[1].of(q, failed)
		}
		return e.Operands[2].of(q, failed)
	}
	x, y := e.Operands[0].of(q, failed), 0.0
	switch decided := e.operation == and && x == 0 || e.operation == or && x != 0; {
	case decided:
		failed = nil // its other operand does not matter
		fallthrough
	case len(e.Operands) > 1:
		y = e.Operands[1].of(q, failed)
	}
	result := operations[e.operation].of(x, y)
	if failed != nil && *failed == nil && total(result) != result {
		*failed = e
	}
	return total(result)
}

// numbers returns the values of the formula's numbers, which are fixed.
func (f *Term) numbers() (values []float64) {
	for _, n := range f.Numbers {
		values = append(values, n.Weight.Value)
	}
	return values
}

// parsed is a feature's formula as a tree, with its sums.
type parsed struct {
	feature *Term
	part    *part
	tree    *Expression
	sums    []*Expression // by feature.Sums
}

// parse reads the formula of a line feature, or of one over another part of the board. The error is
// a *Problem.
func (f *Term) parse() (*parsed, error) {
	p, used := &parsed{feature: f, part: partOf(f.Over)}, map[string]bool{}
	if p.part == nil {
		return nil, wrong(overLine, "there is no part %q of the board: want one of line, row, column, square, board", f.Over)
	}
	symbols := p.part.symbols
	for _, s := range f.Sums {
		part := partOf(s.Over)
		if part == nil || part.key == overBoard {
			return nil, wrong("sums", "%s: want a sum over line, row, column or square, got %q", s.Name, s.Over)
		}
		tree, err := formula{key: "sums", symbols: part.symbols, numbers: f.Numbers, used: used}.parse(s.Formula)
		if err != nil {
			problem := err.(*Problem)
			problem.Reason = s.Name + ": " + s.Over + ": " + problem.Reason
			return nil, problem
		}
		p.sums, symbols = append(p.sums, tree), append(slices.Clip(symbols), s.Name)
	}
	parts := map[string]*Expression{}
	for _, x := range f.Let {
		tree, err := formula{key: "let", symbols: symbols, parts: parts, numbers: f.Numbers, used: used}.parse(x.Formula)
		if err != nil {
			problem := err.(*Problem)
			problem.Reason = x.Name + ": " + problem.Reason
			return nil, problem
		}
		parts[x.Name] = tree
	}
	tree, err := formula{key: p.part.key, symbols: symbols, parts: parts, numbers: f.Numbers, used: used}.parse(KindOf(f.Kind).Line(f))
	if err != nil {
		return nil, err
	}
	p.tree = tree
	for _, s := range f.Sums {
		if !used[s.Name] {
			return nil, wrong("sums", "the formula does not use its sum %s", s.Name)
		}
	}
	for _, x := range f.Let {
		if !used[x.Name] {
			return nil, wrong("let", "the formula does not use its part %s", x.Name)
		}
	}
	for _, n := range f.Numbers {
		if !used[n.Symbol] {
			return nil, wrong(p.part.key, "column 1: the formula does not use its number %s", n.Symbol)
		}
	}
	return p, nil
}

// work returns an upper limit of the entries that a compiler works out for the formula.
func (p *parsed) work() (entries int) {
	done := map[*Expression]bool{}
	var visit func(e *Expression)
	visit = func(e *Expression) {
		if !done[e] {
			done[e] = true
			entries += countCombinations(e.set)
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
	}
	return entries
}

// wrong returns a problem of a feature, at one of its keys.
func wrong(key, format string, args ...any) *Problem {
	return &Problem{Key: key, Reason: fmt.Sprintf(format, args...)}
}
