package heuristic

// Number is one number of a family: fixed, or tunable within a range.
type Number struct {
	Value    float64 // the fixed value, or where a tunable number starts
	Min, Max float64 // the range of a tunable number, Min <= Value <= Max
	Tunable  bool    // whether an optimizer may change it
	Log      bool    // whether its range is searched on a log scale (Min > 0)
}

// Fixed returns a number that is not tuned.
func Fixed(v float64) Number { return Number{Value: v} }

// Kinds of features. Line features are summed over the 4 rows and the 4 columns.
const (
	Line         = "line"         // 1 for each line
	Empty        = "empty"        // empty cells of the line
	Merges       = "merges"       // adjacent equal tiles once blanks are dropped, see Feature.Count
	Sum          = "sum"          // sum of tile^power
	Monotonicity = "monotonicity" // the smaller of the total rise and the total fall of tile^power, see Feature.Blanks
	Difference   = "difference"   // sum of |a-b| over adjacent cells, a blank is 0
	Position     = "position"     // sum of matrix x tile^power (board feature)
	Snake        = "snake"        // sum of tile x decay^k along a snake, k = 0 at the corner (board feature)
	Corner       = "corner"       // (largest tile - tile in the corner)^power (board feature)
	Largest      = "largest"      // largest tile^power (board feature)
)

// Values of a feature's own settings.
const (
	Face = "face" // Tile: 2, 4, 8, ... (a blank is 0)
	Rank = "rank" // Tile: 1, 2, 3, ... (a blank is 0)

	Pairs = "pairs" // Count: adjacent equal pairs: 2 2 2 counts 2
	Runs  = "runs"  // Count: a run of k equal tiles counts k: 2 2 2 counts 3

	Skip = "skip" // Blanks: dropped before rises and falls are taken
	Keep = "keep" // Blanks: taken as tiles of value 0

	UpperLeft  = "upper_left"
	UpperRight = "upper_right"
	LowerLeft  = "lower_left"
	LowerRight = "lower_right"

	Column = "column" // First: the snake leaves the corner along its column
	Row    = "row"    // First: the snake leaves the corner along its row

	SymmetryNone = "none" // Symmetry: the board as it is
	SymmetryBest = "best" // Symmetry: the best of the board's 8 orientations
)

// Feature is one term of a family: weight x feature. Fields that its kind does not use (see Uses) stay zero.
type Feature struct {
	Kind   string // one of the kinds above
	Name   string // of its weight; its other numbers are Name_power, Name_decay, Name_matrix_0_3
	Weight Number

	Tile   string       // Face or Rank
	Power  Number       // more than 0
	Decay  Number       // at least 0
	Matrix [4][4]Number // by row and column of the board
	Count  string       // Pairs or Runs
	Blanks string       // Skip or Keep
	Corner string       // UpperLeft, UpperRight, LowerLeft or LowerRight
	First  string       // Column or Row
}

// Dead is the value of a position without a legal move.
type Dead struct {
	Worst bool    // below any live value of the compiled tables; Value is ignored
	Value float64 // otherwise
}

// Family is a heuristic as data: value(board) = sum of weight x feature over its Features.
type Family struct {
	Features []Feature
	Dead     Dead
	Symmetry string // SymmetryNone or SymmetryBest
}

// Settings of a kind, as named in a configuration: which fields of a Feature the kind uses besides Name and
// Weight, in the order in which its numbers come in the genome.
var uses = map[string][]string{
	Line:         {},
	Empty:        {},
	Merges:       {"count"},
	Sum:          {"tile", "power"},
	Monotonicity: {"tile", "power", "blanks"},
	Difference:   {"tile"},
	Position:     {"tile", "power", "matrix"},
	Snake:        {"tile", "power", "decay", "corner", "first"},
	Corner:       {"tile", "power", "corner"},
	Largest:      {"tile", "power"},
}

// Kinds lists the kinds of features in the order of their documentation.
func Kinds() []string {
	return []string{Line, Empty, Merges, Sum, Monotonicity, Difference, Position, Snake, Corner, Largest}
}

// Uses returns the settings ("tile", "power", "decay", "matrix", "count", "blanks", "corner", "first") that
// a feature of this kind has besides "name" and "weight", and whether the kind exists.
func Uses(kind string) (settings []string, exists bool) {
	settings, exists = uses[kind]
	return settings, exists
}

// Defaults returns a feature of the given kind with every setting it uses at its default: tile face, power 1,
// count pairs, blanks skip, corner lower_left, first column, a fixed weight of 1. Decay and matrix have no
// default: a snake's decay is 0 and a position's matrix all zeros until they are given.
func Defaults(kind string) Feature {
	f := Feature{Kind: kind, Name: kind, Weight: Fixed(1)}
	for _, s := range uses[kind] {
		switch s {
		case "tile":
			f.Tile = Face
		case "power":
			f.Power = Fixed(1)
		case "count":
			f.Count = Pairs
		case "blanks":
			f.Blanks = Skip
		case "corner":
			f.Corner = LowerLeft
		case "first":
			f.First = Column
		}
	}
	return f
}

// Named is a number of a family with its name.
type Named struct {
	Name string
	Number
}

// Numbers returns every number of the family, fixed and tunable, in the order of the features and within a
// feature weight, power, decay, matrix by rows. A vector of values for Compile has this order and length.
func (f *Family) Numbers() []Named {
	var all []Named
	for i := range f.Features {
		f.Features[i].each(func(name string, n *Number) { all = append(all, Named{name, *n}) })
	}
	return all
}

// Tunable returns the tunable ones of Numbers: the genome.
func (f *Family) Tunable() []Named {
	var tunable []Named
	for _, n := range f.Numbers() {
		if n.Tunable {
			tunable = append(tunable, n)
		}
	}
	return tunable
}

// Start returns the values of Numbers that a run begins from.
func (f *Family) Start() []float64 {
	var values []float64
	for _, n := range f.Numbers() {
		values = append(values, n.Value)
	}
	return values
}

// each calls do for every number that the feature's kind uses, in genome order.
func (f *Feature) each(do func(name string, n *Number)) {
	do(f.Name, &f.Weight)
	for _, s := range uses[f.Kind] {
		switch s {
		case "power":
			do(f.Name+"_power", &f.Power)
		case "decay":
			do(f.Name+"_decay", &f.Decay)
		case "matrix":
			for r := range f.Matrix {
				for c := range f.Matrix[r] {
					do(f.Name+"_matrix_"+string(rune('0'+r))+"_"+string(rune('0'+c)), &f.Matrix[r][c])
				}
			}
		}
	}
}

// ScaleFree returns which of the tunable numbers, in their order, are weights, if play does not change when all of these
// are multiplied by one factor: when no other weight is fixed, and a position without a move is the worst, or worth 0.
// Otherwise it returns nil.
func (f *Family) ScaleFree() []bool {
	if !f.Dead.Worst && f.Dead.Value != 0 {
		return nil
	}
	var weights []bool
	for i := range f.Features {
		feature := &f.Features[i]
		if !feature.Weight.Tunable && feature.Weight.Value != 0 {
			return nil
		}
		feature.each(func(_ string, n *Number) {
			if n.Tunable {
				weights = append(weights, n == &feature.Weight)
			}
		})
	}
	return weights
}
