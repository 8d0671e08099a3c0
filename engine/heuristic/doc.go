// Package heuristic is the library of features and the compiler that turns a family of them into look-up tables.
//
// Read family.go (a family as data: value(board) = sum of weight x feature), kinds.go (the table
// of kinds of features) and settings.go (the table of their settings). compile.go turns a family
// into the tables of package engine. A line feature is defined by a formula: formula.go parses it,
// formula_check.go checks it, columns.go compiles it, and lines.go has the sums of the kinds with
// faster code. interval.go is the arithmetic of bounds. check.go refuses ranges. A new kind is one
// more entry of the table in kinds.go. definition.go defines a feature for programs that write it
// in another language.
//
// Features of lines are summed over the 4 rows and 4 columns and compile into one table of 65,536 entries, however many
// there are; features of cells compile into small tables for half a row, which are added up to tables of whole rows and columns
// when a search of more than one ply needs them; features that look at the largest tile into a small table for each corner.
// Values are computed in float64 by operations that round the same on every machine, then rounded once to fixed point with
// as many fraction bits as the family's bounds leave.
package heuristic
