package eval

import (
	"fmt"
	"math"
	"slices"

	"tune2048/engine"
	"tune2048/engine/key"
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

// Kind is a kind of feature: a formula over a part of the board, which Term gives one of the kind
// formula itself.
type Kind struct {
	Name     string
	Doc      string   // what a feature of this kind is, in Markdown
	settings []string // the keys of those that it has, after weight
	Over     string   // the key of the part; empty: line, or as the feature says

	// Text is the formula. Its symbols are the part's quantities, and the feature's numbers by the
	// keys of their settings, with matrix_0_3 for an entry. If powers is set, tiles of a line stand
	// for tile^power.
	Text   func(*Term) string
	powers bool
}

var botWeight = &Kind{Name: BotWeight}

// kinds are all kinds, in the order of their documentation.
var kinds = []*Kind{
	{Name: Line, Doc: "1 for each of the 4 rows and 4 columns: with a number as `dead`, the worth of a board that " +
		"lives; with `dead: worst` it changes no move",
		Text: func(*Term) string { return "1" }},
	{Name: Empty, Doc: "empty cells, each counted in its row and its column",
		Text: func(*Term) string { // not empty: each cell's share of the value is rounded by itself
			return "choose(a == 0, 1, 0) + choose(b == 0, 1, 0) + choose(c == 0, 1, 0) + choose(d == 0, 1, 0)"
		}},
	{Name: Merges, Doc: "adjacent equal tiles of a line once blanks are dropped", settings: []string{"count"},
		Text: func(f *Term) string { return map[string]string{Pairs: "merges", Runs: "runs"}[f.Count] }},
	{Name: Sum, Doc: "sum of tile^power, each tile counted in its row and its column", settings: []string{"tile", "power"},
		powers: true,
		Text:   func(*Term) string { return "a + b + c + d" }},
	{Name: Monotonicity, Doc: "the smaller of a line's total rise and total fall of tile^power",
		settings: []string{"tile", "power", "blanks"}, powers: true,
		Text: func(f *Term) string {
			if f.Blanks == Skip {
				return "min(max(x - w, 0) + max(y - x, 0) + max(z - y, 0), " +
					"choose(x > 0, max(w - x, 0), 0) + choose(y > 0, max(x - y, 0), 0) + choose(z > 0, max(y - z, 0), 0))"
			}
			return "min(max(b - a, 0) + max(c - b, 0) + max(d - c, 0), max(a - b, 0) + max(b - c, 0) + max(c - d, 0))"
		}},
	{Name: Difference, Doc: "sum of \\|a-b\\| over adjacent cells", settings: []string{"tile"},
		Text: func(*Term) string { return "abs(a - b) + abs(b - c) + abs(c - d)" }},
	{Name: Position, Doc: "sum of matrix x tile^power over the cells", settings: []string{"tile", "power", "matrix"},
		Over: overCell,
		Text: func(*Term) string { return entryOfMatrix() + " * pow(tile, power)" }},
	{Name: Snake, Doc: "sum of tile^power x decay^k along a snake through all cells, k = 0 at its corner and 15 at its " +
		"end",
		settings: []string{"tile", "power", "decay", "corner", "first"}, Over: overCell,
		Text: func(f *Term) string { return "pow(decay, " + f.alongSnake() + ") * pow(tile, power)" }},
	{Name: Corner, Doc: "(largest tile - tile in the corner)^power", settings: []string{"tile", "power", "corner"},
		Over: overCell,
		Text: func(f *Term) string { return f.inCorner() + " * pow(largest - tile, power)" }},
	{Name: Largest, Doc: "largest tile^power", settings: []string{"tile", "power"}, Over: overCell, // once, in any cell
		Text: func(f *Term) string { return f.inCorner() + " * pow(largest, power)" }},
	{Name: Formula, Doc: "an expression of one's own over the tiles of a line, or over another part of the board",
		settings: []string{"tile", overLine, overRow, overColumn, overSquare, overCell, overBoard, "let", "sums", "numbers"},
		Text:     func(f *Term) string { return f.Formula }},
}

// entryOfMatrix is the matrix entry of a cell.
func entryOfMatrix() string {
	oneOf := func(quantity string, entry func(i int) string) string {
		text := entry(3)
		for i := 2; i >= 0; i-- {
			text = fmt.Sprintf("choose(%s == %d, %s, %s)", quantity, i, entry(i), text)
		}
		return text
	}
	return oneOf("row", func(r int) string {
		return oneOf("column", func(c int) string { return fmt.Sprintf("matrix_%d_%d", r, c) })
	})
}

// cornerIndex returns the feature's corner as 2*row + column, or 0 for a kind that has none.
func (f *Term) cornerIndex() int {
	return max(0, slices.Index([]string{UpperLeft, UpperRight, LowerLeft, LowerRight}, f.Corner))
}

// inCorner is 1 in the feature's corner, or in the upper left one of a kind that has none.
func (f *Term) inCorner() string {
	corner := f.cornerIndex()
	return fmt.Sprintf("(row == %d && column == %d)", corner>>1*3, corner&1*3)
}

// alongSnake is the number of a cell along the snake, from 0: down the first line from the corner,
// up the next one.
func (f *Term) alongSnake() string {
	corner := f.cornerIndex()
	step, line := []string{"row", "(3 - row)"}[corner>>1], []string{"column", "(3 - column)"}[corner&1]
	if f.First == Row {
		step, line = line, step
	}
	return fmt.Sprintf("4 * %[1]s + choose(%[1]s == 1 || %[1]s == 3, 3 - %[2]s, %[2]s)", line, step)
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
	for _, s := range (&Term{Kind: k.Name}).settings()[1:] {
		switch part := partOf(s.Name); {
		case part != nil && s.Name != overLine: // which names the others
		case part != nil:
			all = append(all, "exactly one of `line`, `row`, `column`, `square`, `cell` and `board` (must be given)")
		case s.Example != "":
			all = append(all, "`"+s.Name+"` (must be given)")
		case s.Default == nil:
			all = append(all, "`"+s.Name+"`")
		default:
			all = append(all, fmt.Sprintf("`%s: %v`", s.Name, s.Default))
		}
	}
	return all
}

// uses reports whether the kind has a setting.
func (k *Kind) uses(key string) bool {
	return slices.Contains(k.settings, key)
}

// maxTileRank is the highest rank of a board.
const maxTileRank = engine.MaxRank

// tiles has the tile of each rank as a feature sees it.
type tiles [maxTileRank + 1]float64

// tiles returns what the feature sees. A kind without a setting for tiles sees their faces, so that
// its formula can distinguish a blank from a tile.
func (f *Term) tiles() (values tiles) {
	for rank := range values {
		values[rank] = f.tileOf(rank)
	}
	return values
}

// tileOf returns the tile of a rank as the feature sees it: its rank if the kind has the setting
// tile and that says so, else its face. A blank is 0.
func (f *Term) tileOf(rank int) float64 {
	switch {
	case rank == 0:
		return 0
	case f.Tile == Rank && KindOf(f.Kind).uses("tile"):
		return float64(rank)
	default:
		return math.Ldexp(1, rank)
	}
}

// dropBlanks returns the tiles of a line.
func dropBlanks(line [4]int) []int {
	return slices.DeleteFunc(line[:], func(rank int) bool { return rank == 0 })
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

// Keys returns the keys of the feature: its kind, its name, and the settings of its kind.
func (f *Term) Keys() []key.Key {
	return append([]key.Key{
		{Name: "feature", Doc: "the kind", To: &f.Kind, Example: Empty, Choices: kindNames()},
		{Name: "name", Doc: "of its weight in results; by default the kind", To: &f.Name, Default: f.Kind, Quiet: true,
			Named: true},
	}, f.settings()...)
}

func kindNames() (names []string) {
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	return names
}

// settings returns the keys of the kind's settings, in the order in which the weights stand in a
// vector. A formula is over one part of the board. Without a formula all parts have a key.
func (f *Term) settings() (own []key.Key) {
	kind := KindOf(f.Kind)
	if kind == nil {
		return nil
	}
	for _, k := range f.allSettings() {
		if part := partOf(k.Name); part != nil && f.Formula != "" && part != partOf(f.Over) {
			continue
		}
		if k.Name == "weight" || kind.uses(k.Name) {
			own = append(own, k)
		}
	}
	return own
}

// allSettings are the settings of all kinds.
func (f *Term) allSettings() []key.Key {
	choices := func(words ...string) []string { return words }
	return []key.Key{
		{Name: "weight", Doc: "the factor of the feature, negative for a penalty; `reward` and `penalty` are ranges that " +
			"the program chooses",
			To: &f.Weight, Default: 1.0, Tuned: true},
		{Name: "tile", Doc: "a tile counts as its face (2, 4, 8, ...) or its rank (1, 2, 3, ...); a blank is 0",
			To: &f.Tile, Default: Face, Choices: choices(Face, Rank)},
		{Name: "power", Doc: "more than 0", To: f.number("power"), Default: 1.0, Range: key.Above(0), Tuned: true},
		{Name: "decay", Doc: "at least 0", To: f.number("decay"), Example: "0.1", Range: key.AtLeast(0), Tuned: true},
		{Name: "matrix", Doc: "4 rows of 4 numbers, the upper row first", To: f.matrix(), Tuned: true,
			Example: "[[3, 2, 1, 0], [2, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]"},
		{Name: "count", Doc: "2 2 2 counts 2 as `pairs`; 3 as `runs`, where k equal tiles count k",
			To: &f.Count, Default: Pairs, Choices: choices(Pairs, Runs)},
		{Name: "blanks", Doc: "`skip` drops blanks before rises and falls are taken, `keep` takes them as tiles of value 0",
			To: &f.Blanks, Default: Skip, Choices: choices(Skip, Keep)},
		{Name: "corner", Doc: "of the board", To: &f.Corner, Default: LowerLeft,
			Choices: choices(UpperLeft, UpperRight, LowerLeft, LowerRight)}, // at 2*row + column
		{Name: "first", Doc: "the snake leaves its corner along the column or the row",
			To: &f.First, Default: Column, Choices: choices(Column, Row)},
		{Name: overLine, Doc: parts[0].doc, To: &f.Formula, Example: `"abs(a - b) + abs(b - c) + abs(c - d)"`},
		{Name: overRow, Doc: parts[1].doc, To: &f.Formula, Example: `"max(b - a, 0)"`},
		{Name: overColumn, Doc: parts[2].doc, To: &f.Formula, Example: `"max(b - a, 0)"`},
		{Name: overSquare, Doc: parts[3].doc, To: &f.Formula, Example: `"abs(a - d) + abs(b - c)"`},
		{Name: overCell, Doc: parts[4].doc, To: &f.Formula, Example: `"(tile > 4) * (row == 3 || column == 3)"`},
		{Name: overBoard, Doc: parts[5].doc, To: &f.Formula, Example: `"log(1 + empty)"`},
		{Name: "let", Doc: "names for parts of the formula, each known to later parts and to the formula", To: &f.Let},
		{Name: "sums", Doc: "names for sums over line, row, column, square or cell, over one line such as row_3, the " +
			"lowest row, or over the different tiles; the formula of the board knows them", To: &f.Sums},
		{Name: "numbers", Doc: "the formula's own numbers by their symbols, tuned like any weight", To: &f.Numbers,
			Tuned: true},
	}
}

// Settings returns the keys of the settings of all kinds.
func Settings() []key.Key { return new(Term).allSettings() }

// Parts returns the keys of the parts of the board that a formula can be over, SumParts of those
// that sums can be over.
func Parts() []string    { return keysOf(parts) }
func SumParts() []string { return keysOf(sumParts) }

func keysOf(parts []*part) (keys []string) {
	for _, p := range parts {
		keys = append(keys, p.key)
	}
	return keys
}

// number returns the number of a symbol. A kind that has none gets one that nobody reads.
func (f *Term) number(symbol string) *Number {
	i := slices.IndexFunc(f.Numbers, func(n Number) bool { return n.Symbol == symbol })
	if i < 0 {
		return new(Number)
	}
	return &f.Numbers[i]
}

// matrix returns the numbers of the matrix, in place.
func (f *Term) matrix() *Matrix {
	i := slices.IndexFunc(f.Numbers, func(n Number) bool { return n.Symbol == "matrix_0_0" })
	if i < 0 {
		return new(Matrix)
	}
	return new(Matrix(f.Numbers[i : i+16]))
}

// Defaults returns a feature of a kind with the numbers of its formula, and every other setting at
// its default.
func Defaults(kind string) Term {
	f := Term{Kind: kind}
	for _, setting := range KindOf(kind).settings {
		switch setting {
		case "power", "decay":
			f.Numbers = append(f.Numbers, Number{Symbol: setting})
		case "matrix":
			for i := range 16 {
				f.Numbers = append(f.Numbers, Number{Symbol: fmt.Sprintf("matrix_%d_%d", i/4, i%4)})
			}
		}
	}
	key.SetDefaults(&f)
	return f
}
