// Package heuristic is the library of features and compiles a family of them into look-up tables.
//
// Read family.go (a family as data: value(board) = sum of weight x feature), kinds.go (the table
// of kinds of features) and settings.go (the table of their settings). compile.go turns a family
// into the tables of package engine. A line feature is defined by a formula: formula.go parses it,
// formula_check.go checks it, columns.go compiles it, and lines.go has the sums of the kinds with
// faster code. interval.go is the arithmetic of bounds. check.go refuses ranges, edges.go finds those
// that are too narrow, and spread.go measures features. A new kind is one more entry of the table in
// kinds.go. definition.go defines a feature for programs that write it in another language.
//
// Features of lines are summed over the 4 rows and 4 columns. They compile into one table of 65,536
// entries, whatever their number. Features of cells compile into small tables for half a row. A
// search of more than one ply adds these up to tables of whole rows and columns. Features that look
// at the largest tile compile into a small table for each corner. Values are computed in float64 by
// operations that round the same on every machine, then rounded once to fixed point. The family's
// bounds limit the number of fraction bits.
package heuristic
