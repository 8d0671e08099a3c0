package eval

import (
	"fmt"
	"slices"

	"tune2048/engine/bot"
	"tune2048/engine/key"
)

// Term is one term of a heuristic: weight x feature. Fields that its kind does not use are zero.
type Term struct {
	Kind   string  // the name of one of Kinds
	Name   string  // of its weight; other weights: Name_power, Name_matrix_0_3
	Weight float64 // the factor of the feature

	Tile   string        // Face or Rank
	Power  float64       // more than 0
	Decay  float64       // at least 0
	Matrix [4][4]float64 // by row and column of the board
	Count  string        // Pairs or Runs
	Blanks string        // Skip or Keep
	Corner string        // UpperLeft, UpperRight, LowerLeft or LowerRight
	First  string        // Column or Row

	Formula string  // over the quantities of a part of the board and Numbers
	Over    string  // the key of this part; empty: line
	Let     Lets    // of the formula; each name once
	Sums    Sums    // of a formula over the whole board, each name once
	Numbers Numbers // each symbol once
}

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
// BotWeight. It has no ranges: whoever tunes its numbers keeps these.
type Heuristic struct {
	Name     string       // what it is called; nothing depends on it
	Bot      *bot.Program // nil: a heuristic
	Dead     Dead
	Symmetry string // SymmetryNone or SymmetryBest
	Features []Term
	Order    []string // the names of weights that candidates have in ascending order
}

// Vector has the values of all weights of a heuristic, in the order of Heuristic.Slots.
type Vector []float64

// Slot is the place of a weight in a heuristic: of a feature's weight, power, decay, matrix entry
// or number of its formula.
type Slot struct {
	Name    string // unique in the heuristic, such as empty or snake_decay
	Feature int    // index in Heuristic.Features
	Key     string // of the setting that has it
	Range   key.Range
	Value   *float64
}

// Slots returns the places of all weights: in the order of the features and of their kinds'
// settings, a matrix by rows. They point into the heuristic.
func (h *Heuristic) Slots() (all []Slot) {
	for i := range h.Features {
		f := &h.Features[i]
		for _, k := range f.settings() {
			add := func(suffix string, value *float64) {
				all = append(all, Slot{f.Name + suffix, i, k.Name, k.Range, value})
			}
			switch to := k.To.(type) {
			case *float64:
				if suffix := "_" + k.Name; k.Name == "weight" {
					add("", to)
				} else {
					add(suffix, to)
				}
			case *[4][4]float64:
				for j := range 16 {
					add(fmt.Sprintf("_matrix_%d_%d", j/4, j%4), &to[j/4][j%4])
				}
			case *Numbers:
				for j := range *to {
					add("_"+(*to)[j].Symbol, &(*to)[j].Value)
				}
			}
		}
	}
	return all
}

// Names returns the names of all weights.
func (h *Heuristic) Names() (names []string) {
	for _, s := range h.Slots() {
		names = append(names, s.Name)
	}
	return names
}

// Values returns the values of all weights.
func (h *Heuristic) Values() (v Vector) {
	for _, s := range h.Slots() {
		v = append(v, *s.Value)
	}
	return v
}

// With returns a copy with other values of its weights, one for each. -0 becomes 0: they are the
// same weight and must not make two players.
func (h *Heuristic) With(values Vector) Heuristic {
	c := *h
	c.Features = slices.Clone(h.Features)
	for i := range c.Features {
		c.Features[i].Numbers = slices.Clone(c.Features[i].Numbers)
	}
	for i, s := range c.Slots() {
		*s.Value = values[i] + 0
	}
	return c
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
