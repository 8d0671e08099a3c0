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

// evaluate evaluates a formula with these values of its symbols, as configs/README.md describes it.
// What is no finite number counts as 0.
func evaluate(e ast.Expr, symbol func(name string) float64) float64 {
	x := raw(e, symbol)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

func raw(e ast.Expr, symbol func(name string) float64) float64 {
	truth := func(holds bool) float64 {
		if holds {
			return 1
		}
		return 0
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return evaluate(e.X, symbol)
	case *ast.BasicLit:
		x, err := strconv.ParseFloat(e.Value, 64)
		if err != nil {
			panic("plain: " + err.Error())
		}
		return x
	case *ast.Ident:
		return symbol(e.Name)
	case *ast.UnaryExpr:
		x := evaluate(e.X, symbol)
		if e.Op.String() == "!" {
			return truth(x == 0)
		}
		return -x
	case *ast.BinaryExpr:
		x, y := evaluate(e.X, symbol), evaluate(e.Y, symbol)
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
		if name == "choose" {
			if evaluate(e.Args[0], symbol) != 0 {
				return evaluate(e.Args[1], symbol)
			}
			return evaluate(e.Args[2], symbol)
		}
		for _, a := range e.Args {
			x = append(x, evaluate(a, symbol))
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
			if x[0] < 0 && x[1] != 0 { // whole powers, too
				return math.NaN()
			}
			return math.Pow(x[0], x[1])
		case "sqrt":
			return math.Sqrt(x[0])
		case "log2":
			return math.Log2(x[0])
		case "log":
			return math.Log(x[0])
		case "exp":
			return math.Exp(x[0])
		case "floor":
			return math.Floor(x[0])
		}
	}
	panic(fmt.Sprintf("plain: no expression %T", e))
}

// over adds up a formula over all lines, rows, columns or squares of a board.
func (f Feature) over(part string, e ast.Expr, b Board) (total float64) {
	places := [][4]int{}
	for i, line := range Lines(b) {
		single := part == fmt.Sprintf("row_%d", i) || part == fmt.Sprintf("column_%d", i-4)
		if single || part == "line" || part == "row" && i < 4 || part == "column" && i >= 4 {
			places = append(places, line)
		}
	}
	if part == "cell" {
		for r := range b {
			for c := range b[r] {
				total += evaluate(e, func(name string) float64 { return f.cell(name, b, r, c) })
			}
		}
	}
	if part == "tiles" {
		seen := map[int]bool{0: true}
		for r := range b {
			for c := range b[r] {
				if !seen[b[r][c]] {
					seen[b[r][c]] = true
					total += evaluate(e, func(name string) float64 { return f.cell(name, b, r, c) })
				}
			}
		}
	}
	for r := 0; r < 3 && part == "square"; r++ {
		for c := 0; c < 3; c++ {
			places = append(places, [4]int{b[r][c], b[r][c+1], b[r+1][c], b[r+1][c+1]})
		}
	}
	for _, place := range places {
		total += evaluate(e, func(name string) float64 { return f.symbol(name, place[:]) })
	}
	return total
}

// cell is the value of a symbol of formulas over a cell.
func (f Feature) cell(name string, b Board, r, c int) float64 {
	if x, known := f.Numbers[name]; known {
		return x
	}
	if part, known := f.Let[name]; known {
		return evaluate(part, func(name string) float64 { return f.cell(name, b, r, c) })
	}
	f.Power = 1
	switch name {
	case "tile":
		return f.tile(b[r][c])
	case "row":
		return float64(r)
	case "column":
		return float64(c)
	case "corner":
		if (r == 0 || r == 3) && (c == 0 || c == 3) {
			return 1
		}
		return 0
	case "largest":
		return f.tile(Largest(b))
	}
	panic("plain: no symbol " + name)
}

// board evaluates a formula over the whole board.
func (f Feature) board(b Board) float64 {
	var symbol func(name string) float64
	symbol = func(name string) float64 {
		if x, known := f.Numbers[name]; known {
			return x
		}
		if part, known := f.Let[name]; known {
			return evaluate(part, symbol)
		}
		if sum, known := f.Sums[name]; known {
			return f.over(sum.Over, sum.Formula, b)
		}
		blanks, points, corner, edge, kinds := 0, 0, 0.0, 0.0, map[int]bool{}
		for r, row := range b {
			for c, face := range row {
				if face == 0 {
					blanks++
					continue
				}
				kinds[face] = true
				rank := 0
				for n := face; n > 1; n /= 2 {
					rank++
				}
				points += (rank - 1) * face
				if border := (r == 0 || r == 3); face == Largest(b) {
					side := c == 0 || c == 3
					if border && side {
						corner = 1
					}
					if border || side {
						edge = 1
					}
				}
			}
		}
		moves := 0
		for _, d := range Directions {
			if after, _ := Slide(b, d); after != b {
				moves++
			}
		}
		f.Power = 1
		return map[string]float64{"empty": float64(blanks), "largest": f.tile(Largest(b)), "distinct": float64(len(kinds)),
			"moves": float64(max(moves, 1)), "points": float64(points), "corner": corner, "edge": edge}[name]
	}
	return evaluate(f.Formula, symbol)
}

// symbol is the value of a symbol of formulas over four cells.
func (f Feature) symbol(name string, line []int) float64 {
	if x, known := f.Numbers[name]; known {
		return x
	}
	if part, known := f.Let[name]; known {
		return evaluate(part, func(name string) float64 { return f.symbol(name, line) })
	}
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
