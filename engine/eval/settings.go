package eval

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"tune2048/engine/portable"
)

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

// Setting is a key of a feature in a configuration. One of Word, Weight, Matrix, Over, Let,
// Sums and Numbers is set: it returns where a feature keeps the value.
type Setting struct {
	Key     string
	Doc     string   // in Markdown
	Default string   // as a configuration writes it; empty: it must be given
	Example string   // of one that must be given
	Choices []string // of a word

	Word   func(*Term) *string
	Weight func(*Term) *Weight
	Matrix func(*Term) *[4][4]Weight // by row and column of the board
	Over   bool                      // a formula over the part of the board with this key
	Let    func(*Term) *[]NamedPart
	Sums   func(*Term) *[]NamedSum
	// Numbers are weights by symbols of the user's own.
	Numbers func(*Term) *[]Number

	domain domain // of its weights
}

// Scale returns the scale of a range that names none. Of the weights of features, and of the cells
// of a matrix, only the ratios matter.
func (s *Setting) Scale() string {
	if s.Key == "weight" || s.Matrix != nil {
		return portable.RatioScale
	}
	return portable.LinearScale
}

// domain names the finite numbers that a setting allows, as messages do.
type domain string

const (
	finite      domain = "a finite number"
	positive    domain = "more than 0"
	notNegative domain = "at least 0"
)

// refuse returns the fault of a number outside the domain, or nothing.
func (d domain) refuse(x float64) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return fmt.Sprintf("want %s, got %v", finite, x)
	case d == positive && x <= 0, d == notNegative && x < 0:
		return fmt.Sprintf("want %s, got %v", d, x)
	}
	return ""
}

// settings are all settings, in the order in which a feature's weights stand in a vector.
var settings = []*Setting{
	{Key: "weight", Doc: "the factor of the feature, negative for a penalty; `reward` and `penalty` are ranges that the program chooses", Default: "1", domain: finite,
		Weight: func(f *Term) *Weight { return &f.Weight }},
	{Key: "tile", Doc: "a tile counts as its face (2, 4, 8, ...) or its rank (1, 2, 3, ...); a blank is 0", Default: Face,
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
		Choices: []string{UpperLeft, UpperRight, LowerLeft, LowerRight}, Word: func(f *Term) *string { return &f.Corner }},
	{Key: "first", Doc: "the snake leaves its corner along the column or the row", Default: Column,
		Choices: []string{Column, Row}, Word: func(f *Term) *string { return &f.First }},
	{Key: overLine, Doc: parts[0].doc, Over: true, Example: `"abs(a - b) + abs(b - c) + abs(c - d)"`},
	{Key: overRow, Doc: parts[1].doc, Over: true, Example: `"max(b - a, 0)"`},
	{Key: overColumn, Doc: parts[2].doc, Over: true, Example: `"max(b - a, 0)"`},
	{Key: overSquare, Doc: parts[3].doc, Over: true, Example: `"abs(a - d) + abs(b - c)"`},
	{Key: overBoard, Doc: parts[4].doc, Over: true, Example: `"log(1 + empty)"`},
	{Key: "let", Doc: "names for parts of the formula, each known to later parts and to the formula", Default: "{}",
		Let: func(f *Term) *[]NamedPart { return &f.Let }},
	{Key: "sums", Doc: "names for sums over line, row, column or square, which the formula of the board knows", Default: "{}",
		Sums: func(f *Term) *[]NamedSum { return &f.Sums }},
	{Key: "numbers", Doc: "the formula's own numbers by their symbols, tuned like any weight", Default: "{}", domain: finite,
		Numbers: func(f *Term) *[]Number { return &f.Numbers }},
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

// matrixSuffixes are made once: each compile asks for them.
var matrixSuffixes = func() (suffixes [16]string) {
	for i := range suffixes {
		suffixes[i] = fmt.Sprintf("_matrix_%d_%d", i/4, i%4)
	}
	return suffixes
}()

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
			do(matrixSuffixes[i], &matrix[i/4][i%4])
		}
	case s.Numbers != nil:
		numbers := *s.Numbers(f)
		for i := range numbers {
			do("_"+numbers[i].Symbol, &numbers[i].Weight)
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
