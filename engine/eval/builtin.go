package eval

import (
	"fmt"
	"math"
	"slices"
	"strconv"

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
	{Name: Monotonicity, Doc: "the smaller of a line's total rise and total fall of tile^power",
		Settings: use("tile", "power", "blanks"),
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
	{Name: Formula, Doc: "an expression of one's own over the tiles of a line, or over another part of the board",
		Settings: use("tile", overLine, overRow, overColumn, overSquare, overBoard, "let", "sums", "numbers"),
		Line:     func(f *Term) string { return f.Formula }},
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

// Defaults lists the settings after weight at their defaults, in Markdown, and says which must be
// given: of the parts of the board exactly one.
func (k *Kind) Defaults() (all []string) {
	for _, s := range k.Settings[1:] {
		switch {
		case s.Over && s.Key != overLine: // which names the others
		case s.Over:
			all = append(all, "exactly one of `line`, `row`, `column`, `square` and `board` (must be given)")
		case s.Default == "":
			all = append(all, "`"+s.Key+"` (must be given)")
		default:
			all = append(all, "`"+s.Key+": "+s.Default+"`")
		}
	}
	return all
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

// Words of settings.
const (
	Face = "face"
	Rank = "rank"

	Pairs = "pairs"
	Runs  = "runs"

	Skip = "skip"
	Keep = "keep"

	UpperLeft  = "upper_left"
	UpperRight = "upper_right"
	LowerLeft  = "lower_left"
	LowerRight = "lower_right"

	Column = "column"
	Row    = "row"
)

// Setting is a key of a feature in a configuration. One of the fields from Word on is set: where a
// feature keeps the value, or true for a formula and what belongs to it.
type Setting struct {
	Key     string
	Doc     string   // in Markdown
	Default string   // as a configuration writes it; empty: it must be given
	Example string   // of one that must be given
	Choices []string // of a word

	Word    func(*Term) *string
	Weight  func(*Term) *Weight
	Matrix  func(*Term) *[4][4]Weight // by row and column of the board
	Over    bool                      // Term.Formula, over the part of the board with this key
	Let     bool
	Sums    bool
	Numbers bool

	domain string // of its weights
}

// Scale returns the scale of a range that names none. Of the weights of features, and of the cells
// of a matrix, only the ratios matter.
func (s *Setting) Scale() string {
	if s.Key == "weight" || s.Matrix != nil {
		return portable.RatioScale
	}
	return portable.LinearScale
}

// The finite numbers that a setting allows, as messages name them.
const (
	finite      = "a finite number"
	positive    = "more than 0"
	notNegative = "at least 0"
)

// refuse returns the fault of a number outside the setting's domain, or nothing.
func (s *Setting) refuse(x float64) string {
	switch {
	case x-x != 0:
		return fmt.Sprintf("want %s, got %v", finite, x)
	case s.domain == positive && x <= 0, s.domain == notNegative && x < 0:
		return fmt.Sprintf("want %s, got %v", s.domain, x)
	}
	return ""
}

// settings are all settings, in the order in which a feature's weights stand in a vector.
var settings = []*Setting{
	{Key: "weight", Doc: "the factor of the feature, negative for a penalty; `reward` and `penalty` are ranges that the program chooses", Default: "1", domain: finite,
		Weight: func(f *Term) *Weight { return &f.Weight }},
	{Key: "tile", Doc: "a tile counts as its face (2, 4, 8, ...) or its rank (1, 2, 3, ...); a blank is 0",
		Default: Face,
		Choices: []string{Face, Rank}, Word: func(f *Term) *string { return &f.Tile }},
	{Key: "power", Doc: "more than 0", Default: "1", domain: positive,
		Weight: func(f *Term) *Weight { return &f.Power }},
	{Key: "decay", Doc: "at least 0", Example: "0.1", domain: notNegative,
		Weight: func(f *Term) *Weight { return &f.Decay }},
	{Key: "matrix", Doc: "4 rows of 4 numbers, the upper row first", domain: finite,
		Example: "[[3, 2, 1, 0], [2, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]",
		Matrix:  func(f *Term) *[4][4]Weight { return &f.Matrix }},
	{Key: "count", Doc: "2 2 2 counts 2 as `pairs`; 3 as `runs`, where k equal tiles count k", Default: Pairs,
		Choices: []string{Pairs, Runs}, Word: func(f *Term) *string { return &f.Count }},
	{Key: "blanks", Doc: "`skip` drops blanks before rises and falls are taken, `keep` takes them as tiles of value 0", Default: Skip,
		Choices: []string{Skip, Keep}, Word: func(f *Term) *string { return &f.Blanks }},
	{Key: "corner", Doc: "of the board", Default: LowerLeft, // its choices are at 2*row + column
		Choices: []string{UpperLeft, UpperRight, LowerLeft, LowerRight},
		Word:    func(f *Term) *string { return &f.Corner }},
	{Key: "first", Doc: "the snake leaves its corner along the column or the row", Default: Column,
		Choices: []string{Column, Row}, Word: func(f *Term) *string { return &f.First }},
	{Key: overLine, Doc: parts[0].doc, Over: true, Example: `"abs(a - b) + abs(b - c) + abs(c - d)"`},
	{Key: overRow, Doc: parts[1].doc, Over: true, Example: `"max(b - a, 0)"`},
	{Key: overColumn, Doc: parts[2].doc, Over: true, Example: `"max(b - a, 0)"`},
	{Key: overSquare, Doc: parts[3].doc, Over: true, Example: `"abs(a - d) + abs(b - c)"`},
	{Key: overBoard, Doc: parts[4].doc, Over: true, Example: `"log(1 + empty)"`},
	{Key: "let", Doc: "names for parts of the formula, each known to later parts and to the formula", Default: "{}",
		Let: true},
	{Key: "sums", Doc: "names for sums over line, row, column or square, which the formula of the board knows",
		Default: "{}", Sums: true},
	{Key: "numbers", Doc: "the formula's own numbers by their symbols, tuned like any weight", Default: "{}",
		domain: finite, Numbers: true},
}

// Formula returns the feature's formula if it is over the part of the board that the setting names,
// otherwise nothing.
func (s *Setting) Formula(f *Term) string {
	if s.Over && partOf(f.Over).key == s.Key {
		return f.Formula
	}
	return ""
}

// Settings returns all settings, whatever kinds have them.
func Settings() []*Setting { return slices.Clone(settings) }

// use returns the settings with these keys, after weight, which every kind has.
func use(keys ...string) []*Setting {
	used := []*Setting{settings[0]}
	for _, key := range keys {
		used = append(used, settings[slices.IndexFunc(settings, func(s *Setting) bool { return s.Key == key })])
	}
	return used
}

// each calls do for every weight of the setting with the part of its name that follows the
// feature's.
func (s *Setting) each(f *Term, do func(suffix string, w *Weight)) {
	switch {
	case s.Weight != nil && s == settings[0]:
		do("", s.Weight(f))
	case s.Weight != nil:
		do("_"+s.Key, s.Weight(f))
	case s.Matrix != nil:
		matrix := s.Matrix(f)
		for i := range 16 {
			do(fmt.Sprintf("_matrix_%d_%d", i/4, i%4), &matrix[i/4][i%4])
		}
	case s.Numbers:
		for i := range f.Numbers {
			do("_"+f.Numbers[i].Symbol, &f.Numbers[i].Weight)
		}
	}
}

// Defaults returns a feature of a kind with every setting at its default, or 0 without one.
func Defaults(kind string) Term {
	f := Term{Kind: kind, Name: kind}
	for _, s := range KindOf(kind).Settings {
		switch {
		case s.Word != nil:
			*s.Word(&f) = s.Default
		case s.Weight != nil && s.Default != "":
			v, err := strconv.ParseFloat(s.Default, 64)
			if err != nil {
				panic(err) // in the table above
			}
			*s.Weight(&f) = Fixed(v)
		}
	}
	return f
}
