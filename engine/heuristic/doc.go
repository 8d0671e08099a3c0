// Package heuristic is the library of features and the compiler that turns a family of them into look-up tables.
//
// Read family.go (a family as data: value(board) = sum of weight x feature), kinds.go (the table of kinds of features: what
// each is, slowly and in tables) and settings.go (the table of their settings), then compile.go (how a family becomes the
// tables of package engine), with lines.go (the sum of the line features) and interval.go (the arithmetic of bounds), and
// check.go (which ranges are refused). A new kind is one more entry of the table in kinds.go; definition.go says what a feature is
// to those who write it in another language.
//
// Features of lines are summed over the 4 rows and 4 columns and compile into one table of 65,536 entries, however many
// there are; features of cells compile into small tables for half a row, which are added up to tables of whole rows and columns
// when a search of more than one ply needs them; features that look at the largest tile into a small table for each corner.
// Values are computed in float64 by operations that round the same on every machine, then rounded once to fixed point with
// as many fraction bits as the family's bounds leave.
package heuristic
