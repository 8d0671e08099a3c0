// Package eval is the evaluation function: it turns a heuristic, as data, into look-up tables.
//
// Four types matter. A [Heuristic] is a list of features with weights: value(board) = sum of weight
// x feature. Its numbers are places in a [Vector]. A [Player] is a heuristic with the rules (its
// [Form]), and a vector. A [Compiler] makes tables of package engine for a vector. An [Expression]
// is the formula of a feature, as a tree.
//
// Read heuristic.go (the data), player.go (form and vector, their text and hash), builtin.go (the
// kinds of features, each with its formula and its settings) and parts.go (what formulas know of
// lines, squares, cells and boards). parse.go makes the tree of a formula. tabulate.go works a
// formula over four cells, or over one, out for all places at once. boardterm.go works out a
// formula over the whole board for each leaf. compile.go adds up all features.
//
// check.go refuses faults. someboards.go measures a feature's size on boards of some games, and
// warns there of operations without a result. definition.go describes a feature to programs that
// write it in another language.
//
// # Words
//
// Configs, the database and the command line have words of their own, which names of fields keep:
//
//	there          the field
//	heuristic      evaluation function
//	feature        term
//	dead           terminal value
//	points         reward of a move
//	symmetry best  the maximum over the symmetry group D4
//	spread         standard deviation
//
// # Tables
//
// engine.Tables says how a leaf gets its value from tables, and which configs need which part. Here
// is where the tables come from:
//
//	formulas of lines                       a table of 65,536 entries, whatever their number
//	formulas of rows, columns, squares      one table for each of these
//	formulas of cells: position, snake      small tables for half a row
//	with the largest tile: corner, largest  the same by its rank
//	formulas of the board                   none: a float64 for each leaf
//
// Each kind is one of these formulas. At weight 0 those of the board cost nothing, and linear in
// the blanks and the points they are formulas of lines. Of the blanks alone they are a table of 17
// numbers.
//
// A search of more than one ply adds up the tables of half rows to tables of whole rows and
// columns.
//
// Values are computed in float64 by operations that round the same on every machine, then rounded
// to fixed point. The largest values decide the number of fraction bits. So every vector of weights
// can be played. An entry is limited to 2^50, see compile.go.
package eval
