package eval

import (
	"fmt"
	"slices"

	"tune2048/engine/bot"
	"tune2048/engine/key"
)

// Term is one term of a heuristic: weight x feature. Fields that its kind does not use are zero.
type Term struct {
	Kind    string  // the name of one of Kinds
	Name    string  // of its weight; other numbers: Name_power, Name_matrix_0_3
	Weight  Number  // the factor of the feature
	Numbers Numbers // of its formula, each symbol once; of a built-in kind power, decay, matrix_0_3

	Tile   string // Face or Rank
	Count  string // Pairs or Runs
	Blanks string // Skip or Keep
	Corner string // UpperLeft, UpperRight, LowerLeft or LowerRight
	First  string // Column or Row

	Formula string // over the quantities of a part of the board and Numbers
	Over    string // the key of this part; empty: line
	Let     Lets   // of the formula; each name once
	Sums    Sums   // of a formula over the whole board, each name once
}

// Number is a number of a heuristic: a place in its vector.
type Number struct {
	Symbol string // that a formula has for it; empty: it is a weight
	At     int    // index in the vector
	Shared string // its symbol in Heuristic.Numbers; empty: it is the feature's own
}

// Numbers are the numbers of a formula, or those that features share.
type Numbers []Number

// Matrix has the numbers of a matrix, by row and column of the board.
type Matrix []Number

// NamedPart is a part of a formula, whose name later parts and the formula know. One with Over is a
// sum over the lines, rows, columns or squares, which a formula over the whole board knows.
type NamedPart struct{ Name, Over, Formula string }

// Lets are named parts of a formula in their order, Sums sums over the board.
type (
	Lets []NamedPart
	Sums []NamedPart
)

// Dead is the value of a position without a legal move.
type Dead struct {
	Worst bool    // below any live value of the tables; Value is ignored
	Value float64 // otherwise
}

// Values of Heuristic.Symmetry.
const (
	SymmetryNone = "none" // the board as it is
	SymmetryBest = "best" // the best of the board's 8 orientations
)

// Heuristic is an evaluation function as data: value(board) = sum of weight x feature over its
// Features. Or it is a bot with the weights that the bot gets, each in a feature of the kind
// BotWeight. It has no numbers: a [Vector] has them, beside it.
type Heuristic struct {
	Name     string       // what it is called; nothing depends on it
	Bot      *bot.Program // nil: a heuristic
	Dead     Dead
	Symmetry string  // SymmetryNone or SymmetryBest
	Numbers  Numbers // that features share; the vector begins with them
	Features []Term
	Order    []string // the names of weights that candidates have in ascending order
}

// Vector has the values of all numbers of a heuristic: of those that features share, and then in
// the order of the features and of their kinds' settings, a matrix by rows.
type Vector []float64

// Slot is a setting of a feature that has a number. Shared numbers have several.
type Slot struct {
	Number
	Feature int    // index in Heuristic.Features
	Key     string // of the setting
	Range   key.Range
}

// Slots returns where the numbers stand, in the order of the features and of their kinds' settings.
func (h *Heuristic) Slots() (all []Slot) {
	for i := range h.Features {
		for _, k := range h.Features[i].settings() {
			var numbers []Number
			switch to := k.To.(type) {
			case *Number:
				numbers = []Number{*to}
			case *Matrix:
				numbers = *to
			case *Numbers:
				numbers = *to
			}
			for _, n := range numbers {
				all = append(all, Slot{n, i, k.Name, k.Range})
			}
		}
	}
	return all
}

// Names returns the names of all numbers, each unique in the heuristic, such as empty or
// snake_decay.
func (h *Heuristic) Names() (names []string) {
	for _, n := range h.Numbers {
		names = append(names, n.Symbol)
	}
	for i := range h.Features {
		f := &h.Features[i]
		names = append(names, f.Name)
		for _, n := range f.Numbers {
			if n.Shared == "" {
				names = append(names, f.Name+"_"+n.Symbol)
			}
		}
	}
	return names
}

// Add adds a feature, gives each of its numbers a place of its own behind a vector, and returns the
// vector with their values: of its weight, and of its Numbers.
func (h *Heuristic) Add(v Vector, f Term, weight float64, numbers ...float64) Vector {
	f.Weight.At, f.Numbers = len(v), slices.Clone(f.Numbers)
	for i, n := range f.Numbers {
		f.Numbers[i] = Number{Symbol: n.Symbol, At: len(v) + 1 + i}
	}
	h.Features = append(h.Features, f)
	return append(append(v, weight), numbers...)
}

// Alone returns the feature as the only one of a heuristic, and the vector of its numbers: its
// weight comes first.
func (f *Term) Alone(v Vector) (h Heuristic, own Vector) {
	var numbers []float64
	for _, n := range f.Numbers {
		numbers = append(numbers, v[n.At])
	}
	own = h.Add(nil, *f, v[f.Weight.At], numbers...)
	h.Symmetry = SymmetryNone
	return h, own
}

// Refuse returns the fault of a value outside its setting's range, or nothing.
func (s Slot) Refuse(x float64) string {
	switch {
	case x-x != 0:
		return fmt.Sprintf("want a finite number, got %v", x)
	case !s.Range.Contains(x):
		return fmt.Sprintf("want %s, got %v", s.Range, x)
	}
	return ""
}
