package eval

import (
	"math"
	"slices"

	"tune2048/engine"
	"tune2048/engine/portable"
)

// Names of the kinds of features.
const (
	Line         = "line"
	Empty        = "empty"
	Merges       = "merges"
	Sum          = "sum"
	Monotonicity = "monotonicity"
	Difference   = "difference"
	Position     = "position"
	Snake        = "snake"
	Corner       = "corner"
	Largest      = "largest"
	Formula      = "formula"

	BotWeight = "weight" // a number that a bot gets; none of Kinds, for no heuristic has it
)

// Kind is a kind of feature. At most one of Line, cells and corner is set: it defines the feature
// of a board.
type Kind struct {
	Name     string
	Doc      string     // what a feature of this kind is, in Markdown
	Settings []*Setting // those that it has, weight first, in the order of the weights of a vector

	// Line is a formula of tile^power. The feature of a board is the sum of its values over the 4
	// rows and 4 columns. Of the kind formula it may be over another part of the board.
	Line func(*Term) string

	cells  func(*Term) [4][4]float64             // factors of each cell's tile^power, summed up
	corner func(largest, corner float64) float64 // to the feature's power; of largest tile and corner
}

var botWeight = &Kind{Name: BotWeight, Settings: use()}

// kinds are all kinds, in the order of their documentation.
var kinds = []*Kind{
	{Name: Line, Doc: "1 for each of the 4 rows and 4 columns", Settings: use(),
		Line: func(*Term) string { return "1" }},
	{Name: Empty, Doc: "empty cells, each counted in its row and its column", Settings: use(),
		Line: func(*Term) string { // not empty: each cell's share of the value is rounded by itself
			return "choose(a == 0, 1, 0) + choose(b == 0, 1, 0) + choose(c == 0, 1, 0) + choose(d == 0, 1, 0)"
		}},
	{Name: Merges, Doc: "adjacent equal tiles of a line once blanks are dropped", Settings: use("count"),
		Line: func(f *Term) string { return map[string]string{Pairs: "merges", Runs: "runs"}[f.Count] }},
	{Name: Sum, Doc: "sum of tile^power, each tile counted in its row and its column", Settings: use("tile", "power"),
		Line: func(*Term) string { return "a + b + c + d" }},
	{Name: Monotonicity, Doc: "the smaller of a line's total rise and total fall of tile^power", Settings: use("tile", "power", "blanks"),
		Line: func(f *Term) string {
			if f.Blanks == Skip {
				return "min(max(x - w, 0) + max(y - x, 0) + max(z - y, 0), " +
					"choose(x > 0, max(w - x, 0), 0) + choose(y > 0, max(x - y, 0), 0) + choose(z > 0, max(y - z, 0), 0))"
			}
			return "min(max(b - a, 0) + max(c - b, 0) + max(d - c, 0), max(a - b, 0) + max(b - c, 0) + max(c - d, 0))"
		}},
	{Name: Difference, Doc: "sum of \\|a-b\\| over adjacent cells", Settings: use("tile"),
		Line: func(*Term) string { return "abs(a - b) + abs(b - c) + abs(c - d)" }},
	{Name: Position, Doc: "sum of matrix x tile^power over the cells", Settings: use("tile", "power", "matrix"),
		cells: func(f *Term) (cells [4][4]float64) {
			for i := range 16 {
				cells[i/4][i%4] = f.Matrix[i/4][i%4].Value
			}
			return cells
		}},
	{Name: Snake, Doc: "sum of tile^power x decay^k along a snake through all cells, k = 0 at its corner and 15 at its end",
		Settings: use("tile", "power", "decay", "corner", "first"), cells: snakeCells},
	{Name: Corner, Doc: "(largest tile - tile in the corner)^power", Settings: use("tile", "power", "corner"),
		corner: func(largest, corner float64) float64 { return largest - corner }},
	{Name: Largest, Doc: "largest tile^power", Settings: use("tile", "power"),
		corner: func(largest, _ float64) float64 { return largest }},
	{Name: Formula, Doc: "an expression of one's own over the tiles of a line, or over another part of the board", Settings: use("tile", overLine, overRow, overColumn, overSquare, overBoard, "let", "sums", "numbers"),
		Line: func(f *Term) string { return f.Formula }},
}

// Kinds returns the kinds of features in the order of their documentation.
func Kinds() []*Kind { return slices.Clone(kinds) }

// KindOf returns the kind of that name, or nil if there is none.
func KindOf(name string) *Kind {
	if name == BotWeight {
		return botWeight
	}
	for _, k := range kinds {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// uses reports whether the kind has a setting.
func (k *Kind) uses(key string) bool {
	return slices.ContainsFunc(k.Settings, func(s *Setting) bool { return s.Key == key })
}

// maxTileRank is the highest rank of a board.
const maxTileRank = engine.MaxRank

// tiles has tile^power by rank. A blank is 0.
type tiles [maxTileRank + 1]float64

// tiles returns tile^power of a feature whose weights are fixed. A kind without a setting for tiles
// sees their faces, so that its formula can distinguish a blank from a tile.
func (f *Term) tiles() (values tiles) {
	power := 1.0
	if KindOf(f.Kind).uses("power") {
		power = f.Power.Value
	}
	for rank := 1; rank <= maxTileRank; rank++ {
		values[rank] = total(portable.Pow(f.tileOf(rank), power))
	}
	return values
}

// tileOf returns the tile of a rank as the feature sees it: its face or its rank. A blank is 0.
func (f *Term) tileOf(rank int) float64 {
	switch {
	case rank == 0:
		return 0
	case f.Tile == Rank:
		return float64(rank)
	default:
		return math.Ldexp(1, rank)
	}
}

// cornerIndex returns the feature's corner as 2*row + column, or 0 for a kind that has none.
func (f *Term) cornerIndex() int {
	return max(0, slices.Index([]string{UpperLeft, UpperRight, LowerLeft, LowerRight}, f.Corner))
}

// snakeCells is decay^k by cell.
func snakeCells(f *Term) (cells [4][4]float64) {
	corner := f.cornerIndex()
	for k := range 16 {
		// The k-th cell of the snake from the upper left corner along the column: down the first
		// column, up the second. Then it is mirrored to the corner.
		line, step := k/4, k%4
		if line%2 == 1 {
			step = 3 - step
		}
		r, c := step, line
		if f.First == Row {
			r, c = c, r
		}
		cells[r^(3*(corner>>1))][c^(3*(corner&1))] = total(portable.Pow(f.Decay.Value, float64(k)))
	}
	return cells
}

// dropBlanks returns the tiles of a line.
func dropBlanks(line []int) []int {
	tiles := make([]int, 0, 4)
	for _, rank := range line {
		if rank > 0 {
			tiles = append(tiles, rank)
		}
	}
	return tiles
}

// countMerges counts adjacent equal tiles of a line without blanks: 2 2 2 counts 2 as pairs and 3
// as runs, where k equal tiles count k.
func countMerges(tiles []int, count string) int {
	n := 0
	for i := 1; i < len(tiles); i++ {
		if tiles[i] != tiles[i-1] {
			continue
		}
		n++
		if count == Runs && (i == 1 || tiles[i-2] != tiles[i]) {
			n++ // the first tile of a run
		}
	}
	return n
}
