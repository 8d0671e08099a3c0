package plain

import (
	"go/ast"
	"math"
)

// Feature is one feature of a heuristic, by its description in configs/README.md.
type Feature struct {
	Kind, Tile, Count, Blanks, Corner, First string
	Formula                                  ast.Expr // of the kind formula
	Over                                     string   // line, row, column, square, cell or board
	Sums                                     map[string]Sum
	Let                                      map[string]ast.Expr
	Numbers                                  map[string]float64
	Weight, Power, Decay                     float64
	Matrix                                   [4][4]float64
}

// Sum is a sum that a formula over the board has a name for.
type Sum struct {
	Over    string
	Formula ast.Expr
}

// Family returns the value function of a sum of features. With best it is the value of the best of
// the board's 8 orientations.
func Family(features []Feature, best bool) func(Board) float64 {
	sum := func(b Board) float64 {
		total := 0.0
		for _, f := range features {
			total += f.Weight * f.value(b)
		}
		return total
	}
	if !best {
		return sum
	}
	return func(b Board) float64 {
		value := math.Inf(-1)
		for range 4 {
			var quarter, mirror Board
			for r := range b {
				for c := range b[r] {
					quarter[c][3-r] = b[r][c]
				}
			}
			b = quarter
			for r := range b {
				for c := range b[r] {
					mirror[r][3-c] = b[r][c]
				}
			}
			value = math.Max(value, math.Max(sum(b), sum(mirror)))
		}
		return value
	}
}

// tile is tile^power of a face.
func (f Feature) tile(face int) float64 {
	if face == 0 {
		return 0
	}
	if f.Tile == "rank" {
		return math.Pow(math.Log2(float64(face)), f.Power)
	}
	return math.Pow(float64(face), f.Power)
}

func (f Feature) value(b Board) float64 {
	corners := map[string][2]int{"upper_left": {0, 0}, "upper_right": {0, 3}, "lower_left": {3, 0}, "lower_right": {3, 3}}
	corner := corners[f.Corner]
	total := 0.0
	switch f.Kind {
	case "position":
		for r := range b {
			for c := range b[r] {
				total += f.Matrix[r][c] * f.tile(b[r][c])
			}
		}
	case "snake":
		r, c := corner[0], corner[1]
		down, right := 1, 1 // away from the corner
		if r == 3 {
			down = -1
		}
		if c == 3 {
			right = -1
		}
		for k := range 16 {
			total += f.tile(b[r][c]) * math.Pow(f.Decay, float64(k))
			if k%4 == 3 { // turn into the next line
				if f.First == "column" {
					c += right
					down = -down
				} else {
					r += down
					right = -right
				}
			} else if f.First == "column" {
				r += down
			} else {
				c += right
			}
		}
	case "corner":
		f.Power, total = 1, f.Power
		total = math.Pow(f.tile(Largest(b))-f.tile(b[corner[0]][corner[1]]), total)
	case "largest":
		total = f.tile(Largest(b))
	case "formula":
		if f.Over == "board" {
			return f.board(b)
		}
		return f.over(f.Over, f.Formula, b)
	default:
		for _, line := range Lines(b) {
			total += f.line(line[:])
		}
	}
	return total
}

func (f Feature) line(line []int) float64 {
	var tiles []int
	for _, face := range line {
		if face != 0 {
			tiles = append(tiles, face)
		}
	}
	total := 0.0
	switch f.Kind {
	case "line":
		return 1
	case "empty":
		return float64(len(line) - len(tiles))
	case "merges":
		if f.Count == "pairs" {
			for i := 1; i < len(tiles); i++ {
				if tiles[i] == tiles[i-1] {
					total++
				}
			}
			return total
		}
		for len(tiles) > 0 {
			k := 1
			for k < len(tiles) && tiles[k] == tiles[0] {
				k++
			}
			if k > 1 {
				total += float64(k)
			}
			tiles = tiles[k:]
		}
		return total
	case "sum":
		for _, face := range tiles {
			total += f.tile(face)
		}
		return total
	case "difference":
		f.Power = 1
		for i := 1; i < len(line); i++ {
			total += math.Abs(f.tile(line[i]) - f.tile(line[i-1]))
		}
		return total
	case "monotonicity":
		if f.Blanks == "skip" {
			line = tiles
		}
		rise, fall := 0.0, 0.0
		for i := 1; i < len(line); i++ {
			rise += math.Max(0, f.tile(line[i])-f.tile(line[i-1]))
			fall += math.Max(0, f.tile(line[i-1])-f.tile(line[i]))
		}
		return math.Min(rise, fall)
	}
	panic("plain: no feature " + f.Kind)
}

// Lines returns the 4 rows and the 4 columns.
func Lines(b Board) (all [8][4]int) {
	for i := 0; i < 4; i++ {
		all[i] = b[i]
		all[4+i] = [4]int{b[0][i], b[1][i], b[2][i], b[3][i]}
	}
	return all
}
