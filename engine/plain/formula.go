package plain

import (
	"fmt"
	"go/ast"
	"go/parser"
	"math"
	"strconv"
)

// Formula reads a formula, whose syntax is Go's.
func Formula(text string) ast.Expr {
	e, err := parser.ParseExpr(text)
	if err != nil {
		panic("plain: " + err.Error())
	}
	return e
}

// evaluate evaluates a formula over the four faces of a line, as configs/README.md describes it.
func (f Feature) evaluate(e ast.Expr, line []int) float64 {
	truth := func(holds bool) float64 {
		if holds {
			return 1
		}
		return 0
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.evaluate(e.X, line)
	case *ast.BasicLit:
		x, err := strconv.ParseFloat(e.Value, 64)
		if err != nil {
			panic("plain: " + err.Error())
		}
		return x
	case *ast.Ident:
		return f.symbol(e.Name, line)
	case *ast.UnaryExpr:
		x := f.evaluate(e.X, line)
		if e.Op.String() == "!" {
			return truth(x == 0)
		}
		return -x
	case *ast.BinaryExpr:
		x, y := f.evaluate(e.X, line), f.evaluate(e.Y, line)
		switch e.Op.String() {
		case "+":
			return x + y
		case "-":
			return x - y
		case "*":
			return x * y
		case "/":
			return x / y
		case "<":
			return truth(x < y)
		case "<=":
			return truth(x <= y)
		case ">":
			return truth(x > y)
		case ">=":
			return truth(x >= y)
		case "==":
			return truth(x == y)
		case "!=":
			return truth(x != y)
		case "&&":
			return truth(x != 0 && y != 0)
		case "||":
			return truth(x != 0 || y != 0)
		}
	case *ast.CallExpr:
		var x []float64
		name := e.Fun.(*ast.Ident).Name
		if name == "choose" { // the other branch may have no result
			if f.evaluate(e.Args[0], line) != 0 {
				return f.evaluate(e.Args[1], line)
			}
			return f.evaluate(e.Args[2], line)
		}
		for _, a := range e.Args {
			x = append(x, f.evaluate(a, line))
		}
		switch name {
		case "min":
			for _, y := range x[1:] {
				x[0] = math.Min(x[0], y)
			}
			return x[0]
		case "max":
			for _, y := range x[1:] {
				x[0] = math.Max(x[0], y)
			}
			return x[0]
		case "abs":
			return math.Abs(x[0])
		case "pow":
			return math.Pow(x[0], x[1])
		case "sqrt":
			return math.Sqrt(x[0])
		case "log2":
			return math.Log2(x[0])
		}
	}
	panic(fmt.Sprintf("plain: no expression %T", e))
}

// symbol is the value of a symbol of formulas.
func (f Feature) symbol(name string, line []int) float64 {
	f.Power = 1
	var tiles [4]int // of the line without blanks
	n := 0
	for _, face := range line {
		if face != 0 {
			tiles[n] = face
			n++
		}
	}
	switch name {
	case "a", "b", "c", "d":
		return f.tile(line[name[0]-'a'])
	case "w", "x", "y", "z":
		return f.tile(tiles[name[0]-'w'])
	case "largest":
		return f.tile(max(line[0], line[1], line[2], line[3]))
	case "empty":
		return float64(4 - n)
	case "merges":
		return Feature{Kind: "merges", Count: "pairs"}.line(line)
	case "runs":
		return Feature{Kind: "merges", Count: "runs"}.line(line)
	}
	panic("plain: no symbol " + name)
}
