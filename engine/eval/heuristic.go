package eval

import (
	"slices"

	"tune2048/engine/bot"
	"tune2048/engine/portable"
)

// Weight is a number of a family, fixed or tunable within a range: a weight, power or decay.
// Heuristic.Weights and Heuristic.Tunable give it a Name, such as empty or snake_decay. Within a
// Term the name is empty.
type Weight = portable.Parameter

// Fixed returns a weight that is not tuned.
func Fixed(v float64) Weight { return Weight{Value: v} }

// Term is one term of a family: weight x feature. Fields that its kind does not use are zero.
type Term struct {
	Kind   string `json:"kind,omitzero"` // the name of one of Kinds
	Name   string `json:"name,omitzero"` // of its weight; other weights: Name_power, Name_matrix_0_3
	Weight Weight `json:"weight,omitzero"`

	Tile   string       `json:"tile,omitzero"`   // Face or Rank
	Power  Weight       `json:"power,omitzero"`  // more than 0
	Decay  Weight       `json:"decay,omitzero"`  // at least 0
	Matrix [4][4]Weight `json:"matrix,omitzero"` // by row and column of the board
	Count  string       `json:"count,omitzero"`  // Pairs or Runs
	Blanks string       `json:"blanks,omitzero"` // Skip or Keep
	Corner string       `json:"corner,omitzero"` // UpperLeft, UpperRight, LowerLeft or LowerRight
	First  string       `json:"first,omitzero"`  // Column or Row

	Formula string      `json:"formula,omitzero"` // over the quantities of a part of the board and Numbers
	Over    string      `json:"over,omitzero"`    // the key of this part; empty: line
	Let     []NamedPart `json:"let,omitzero"`     // of the formula; each name once
	Sums    []NamedPart `json:"sums,omitzero"`    // of a formula over the whole board, each name once
	Numbers []Number    `json:"numbers,omitzero"` // each symbol once
}

// NamedPart is a part of a formula, whose name later parts and the formula know. One with Over is a
// sum over the lines, rows, columns or squares, which a formula over the whole board knows.
type NamedPart struct {
	Name    string `json:"name"`
	Over    string `json:"over,omitzero"`
	Formula string `json:"formula"`
}

// Dead is the value of a position without a legal move.
type Dead struct {
	Worst bool    `json:"worst,omitzero"` // below any live value of the tables; Value is ignored
	Value float64 `json:"value,omitzero"` // otherwise
}

// Values of Heuristic.Symmetry.
const (
	SymmetryNone = "none" // the board as it is
	SymmetryBest = "best" // the best of the board's 8 orientations
)

// Heuristic is an evaluation function as data: value(board) = sum of weight x feature over its
// Features. Or it is a bot with the weights that the bot gets, each in a feature of the kind
// BotWeight.
type Heuristic struct {
	Bot      *bot.Program `json:"bot,omitempty"` // nil: a heuristic
	Features []Term       `json:"features"`
	Dead     Dead         `json:"dead"`
	Symmetry string       `json:"symmetry"` // SymmetryNone or SymmetryBest
	Order    []string     `json:"-"`        // the names of tunable weights that candidates have in ascending order
}

// each calls do for every weight of the feature with its setting and its name within the family.
func (f *Term) each(do func(name string, s *Setting, w *Weight)) {
	for _, s := range KindOf(f.Kind).Settings {
		s.each(f, func(suffix string, w *Weight) { do(f.Name+suffix, s, w) })
	}
}

// Weights returns every weight of the family, fixed and tunable, in the order of the features and
// of their kinds' settings, a matrix by rows.
func (f *Heuristic) Weights() []Weight {
	var all []Weight
	for i := range f.Features {
		f.Features[i].each(func(name string, _ *Setting, w *Weight) {
			named := *w
			named.Name = name
			all = append(all, named)
		})
	}
	return all
}

// Tunable returns the tunable ones of Weights, which make up the genome.
func (f *Heuristic) Tunable() []Weight {
	return slices.DeleteFunc(f.Weights(), func(w Weight) bool { return !w.Tunable })
}

// Vector has the values of all weights of a family, in the order of Heuristic.Weights.
type Vector []float64

// Values returns the values of all weights: of a tunable one its start.
func (f *Heuristic) Values() Vector {
	var v Vector
	for _, w := range f.Weights() {
		v = append(v, w.Value)
	}
	return v
}

// WithGenome returns a copy of the vector with these values of the family's tunable weights, in the
// order of Heuristic.Tunable. As in Heuristic.Fix, -0 becomes 0.
func (v Vector) WithGenome(f *Heuristic, genome []float64) Vector {
	changed := append(Vector(nil), v...)
	for i, w := range f.Weights() {
		if w.Tunable {
			changed[i], genome = genome[0]+0, genome[1:]
		}
	}
	return changed
}

// Fix returns the family with all its weights fixed at the values of the vector, which must have
// one for each. A value of -0 becomes 0: they are the same weight and must not make two players.
func (f *Heuristic) Fix(v Vector) Heuristic {
	fixed := f.changed(func(w *Weight) { *w, v = Fixed(v[0]+0), v[1:] })
	fixed.Order = nil
	return fixed
}

// WithWeights returns the family with other weights, one for each of Weights and in their order:
// values, ranges and scales.
func (f *Heuristic) WithWeights(weights []Weight) Heuristic {
	return f.changed(func(w *Weight) {
		*w, weights = weights[0], weights[1:]
		w.Name = ""
	})
}

// changed returns a copy of the family. change may change each of its weights.
func (f *Heuristic) changed(change func(w *Weight)) Heuristic {
	family := *f
	family.Features = slices.Clone(f.Features)
	for i := range family.Features {
		feature := &family.Features[i]
		feature.Numbers = slices.Clone(feature.Numbers)
		feature.each(func(_ string, _ *Setting, w *Weight) { change(w) })
	}
	return family
}
