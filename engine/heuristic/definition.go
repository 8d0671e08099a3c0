package heuristic

import "fmt"

// Definition is what a feature whose weights are fixed is, for those who write it in another language. The value of a board is the
// sum of weight x feature, each rounded to fixed point as [Expression.Sums] says. One of Line, Cells and Corner is set, or none:
// then the feature is the Tile of the board's largest tile.
type Definition struct {
	Tile   [maxTileRank + 1]float64 // tile^power by rank, a blank is 0; of Corner the tile itself
	Line   *Expression              // summed over the 4 rows and 4 columns
	Cells  *[4][4]float64           // what the Tile of each cell is multiplied by, and summed
	Corner *CornerDefinition
}

// CornerDefinition is (largest tile - tile in this corner)^Power.
type CornerDefinition struct {
	Row, Column int // 0 or 3
	Power       float64
}

// Expression is a node of a formula's tree.
type Expression struct {
	// Operation is "number", a Symbol of a quantity of the line (see [Symbols]), "negate", an operator + - * / < <= == != && || !
	// or a function: min max abs pow sqrt log2 choose. A truth is 1 or 0.
	Operation string
	Operands  []*Expression
	Value     float64 // of a number
}

// Sums reports whether a feature's tables work the expression out in fixed point, from operands that do, beginning at the root.
// Where it does not, |weight| x expression is worked out in floating point and rounded once; a condition of choose is not
// rounded. A negative weight turns the sign in the end.
func (e *Expression) Sums() bool {
	for o, name := range operationNames {
		if name == e.Operation {
			return onSpine(o)
		}
	}
	return false
}

var operationNames = map[operation]string{
	literal: "number", add: "+", subtract: "-", multiply: "*", divide: "/", power: "pow", less: "<", lessEqual: "<=", equal: "==",
	unequal: "!=", and: "&&", or: "||", not: "!", negate: "negate", minimum: "min", maximum: "max", absolute: "abs", root: "sqrt",
	logarithm: "log2", choose: "choose",
}

// Define returns what the feature is. Its kind and words must be sound, see [Family.Check]. It
// fails for a formula that cannot be parsed, and for a kind that it does not know.
func (f *Feature) Define() (d Definition, err error) {
	kind := KindOf(f.Kind)
	if d.Tile = f.tiles(); f.Kind == Corner || !kind.uses("tile") { // blanks are told from tiles at least
		for rank := range d.Tile {
			d.Tile[rank] = f.tileOf(rank)
		}
	}
	switch {
	case kind.formula:
		tree, err := parseFormula(f.Formula, f.Numbers)
		if err != nil {
			return d, fmt.Errorf("%s: line: %w", f.Name, err)
		}
		d.Line = tree.exported(f.numbers())
	case kind.line != nil:
		text := f.asFormula()
		if text == "" {
			return d, f.undefined()
		}
		tree, err := parseFormula(text, nil)
		if err != nil {
			panic(err) // it is one of those below
		}
		d.Line = tree.exported(nil)
	case kind.cells != nil:
		d.Cells = new([4][4]float64)
		for r, row := range kind.cells(f) {
			for c, cell := range row {
				d.Cells[r][c] = cell.low
			}
		}
	case f.Kind == Corner:
		i := f.cornerIndex()
		d.Corner = &CornerDefinition{i >> 1 * 3, i & 1 * 3, f.Power.Value}
	case f.Kind != Largest:
		return d, f.undefined()
	}
	return d, nil
}

// undefined refuses a kind that Define does not know.
func (f *Feature) undefined() error {
	return fmt.Errorf("%s: no definition is known of features of the kind %s, so they cannot be exported as source code (json, yaml and flat can hold them)", f.Name, f.Kind)
}

// asFormula writes a built-in line feature as a formula of tile^power: it has the same bits. It
// returns "" for any other kind.
func (f *Feature) asFormula() string {
	switch f.Kind {
	case Line:
		return "1"
	case Empty:
		return "choose(a == 0, 1, 0) + choose(b == 0, 1, 0) + choose(c == 0, 1, 0) + choose(d == 0, 1, 0)"
	case Merges:
		return map[string]string{Pairs: "merges", Runs: "runs"}[f.Count]
	case Sum:
		return "a + b + c + d"
	case Difference:
		return "abs(a - b) + abs(b - c) + abs(c - d)"
	case Monotonicity:
		return map[string]string{
			Skip: "min(max(x - w, 0) + max(y - x, 0) + max(z - y, 0), " +
				"choose(x > 0, max(w - x, 0), 0) + choose(y > 0, max(x - y, 0), 0) + choose(z > 0, max(y - z, 0), 0))",
			Keep: "min(max(b - a, 0) + max(c - b, 0) + max(d - c, 0), max(a - b, 0) + max(b - c, 0) + max(c - d, 0))",
		}[f.Blanks]
	}
	return ""
}

// exported returns the tree with these values of its numbers.
func (e *expression) exported(numbers []float64) *Expression {
	x := &Expression{Operation: operationNames[e.operation], Value: e.value}
	switch e.operation {
	case number:
		x.Operation, x.Value = operationNames[literal], numbers[e.index]
	case quantity:
		x.Operation = quantities[e.index].symbol
	}
	for _, operand := range e.operands {
		x.Operands = append(x.Operands, operand.exported(numbers))
	}
	return x
}
