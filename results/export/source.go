package export

import (
	"embed"
	"fmt"
	"go/format"
	"io"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"

	"tune2048/engine"
	"tune2048/engine/eval"
)

//go:embed players
var playerFiles embed.FS

//go:embed templates
var templateFiles embed.FS

var templates = sync.OnceValue(func() *template.Template { // most commands write no source
	return template.Must(template.New("").Funcs(template.FuncMap{"wrap": wrap, "doc": doc.Replace, "lower": lower, "join": strings.Join}).ParseFS(
		templateFiles, "templates/*.tmpl"))
})

// Languages returns the languages that Source writes, in the order of their documentation.
func Languages() []string { return []string{"c", "go", "python", "javascript", "java"} }

// Source writes the player as one self-contained file with value(board) and best_move(board,
// depth). Its values are the engine's, and so are its moves at any depth, without min_probability.
// Depth 0 is the record's own search with its min_probability. name is the file's, without its
// ending, and the class in Java. A heuristic that cannot be compiled is an error.
//
// The players in the folder players were written by hand. Source puts a record's story, constants
// and heuristic in their marked places, and leaves out the functions that this heuristic does not
// use.
func Source(w io.Writer, language, name string, r *Record) error {
	l := languages[language]
	s, err := newSource(r, l)
	if err != nil {
		return fmt.Errorf("export %s: %w", language, err)
	}
	data, err := playerFiles.ReadFile("players/" + l.file)
	if err != nil {
		return err
	}
	text := strings.ReplaceAll(string(data), l.file, name+path.Ext(l.file))
	if language == "c" {
		text = strings.ReplaceAll(text, "-o player", "-o "+name)
	}
	for _, place := range []string{"about", "constants", "heuristic"} {
		var part strings.Builder
		if err := templates().ExecuteTemplate(&part, language+" "+place, s); err != nil {
			return err
		}
		marks := regexp.MustCompile(`(?ms)^[^\n]*\bBEGIN ` + place + `\b.*?\bEND ` + place + `\b[^\n]*$`)
		text = marks.ReplaceAllLiteralString(text, strings.TrimSpace(part.String()))
	}
	if language == "java" {
		text = regexp.MustCompile(`\bPlayer\b`).ReplaceAllString(text, name)
	}
	lines := ""
	if s.Lines {
		lines = "$1$2"
	}
	if text = conditions.ReplaceAllString(text, lines); language == "go" {
		code, err := format.Source([]byte(text))
		if err != nil {
			return fmt.Errorf("export go: %w", err)
		}
		text = string(code)
	}
	if text = s.used(text); !strings.Contains(text, "math.") { // Go imports nothing that is not used
		text = strings.Replace(text, "\t\"math\"\n", "", 1)
	}
	_, err = io.WriteString(w, text)
	return err
}

var (
	// conditions are code for heuristics of lines alone, in whole lines or within one.
	conditions = regexp.MustCompile(`(?ms)^ *\S+ IF LINES(?: \*/)?\n(.*?)^ *\S+ END LINES(?: \*/)?\n|/\* IF LINES \*/ ([^\n]*?)/\* END LINES \*/ `)
	remarks    = regexp.MustCompile(`(?s)/\*.*?\*/|""".*?"""|(?:\n|^|[^:\n])(?://|#)[^\n]*`)
	defined    = regexp.MustCompile(`^\s*(?:static |private |final |inline |function |func |def |const )+[^\n(=;{]*?\b([a-z]\w*) ?[(=;[{]`)
)

// used leaves out the paragraphs that define a function or a variable which no other one uses.
func (s *source) used(text string) string {
	between := "\n\n"
	if s.group { // Python has two empty lines between functions, and one within
		between = "\n\n\n"
	}
	all := strings.Split(text, between)
	for {
		code, n := []string{}, len(all)
		for _, paragraph := range all {
			code = append(code, remarks.ReplaceAllString(paragraph, ""))
		}
		for i := n - 1; i >= 0; i-- {
			if name := defined.FindStringSubmatch(code[i]); name != nil {
				use := regexp.MustCompile(`\b` + name[1] + `\b`)
				if !slices.ContainsFunc(slices.Delete(slices.Clone(code), i, i+1), use.MatchString) {
					all = slices.Delete(all, i, i+1)
				}
			}
		}
		if len(all) == n {
			return strings.Join(all, between)
		}
	}
}

// Statement writes a statement within a function. Long ones end their lines with an operator or a
// comma, outside of parentheses if they can.
func (s *source) Statement(before, value, after string) string {
	if len(before+value+after) < 95 {
		return before + value + after
	}
	const indent = "        "
	lines, rest := []string{}, before+value+after
	if s.group {
		lines, rest = append(lines, before+"("), value
	}
	for len(rest) > 90 {
		end, least := 0, 0
		for _, place := range breaks.FindAllStringIndex(rest, -1) {
			before := rest[:place[1]]
			if len(before) > 90 && end > 0 {
				break
			}
			if depth := strings.Count(before, "(") - strings.Count(before, ")"); end < 30 || depth <= least {
				end, least = place[1], depth
			}
		}
		if end == 0 {
			break
		}
		lines, rest = append(lines, strings.TrimRight(rest[:end], " ")), rest[end:]
	}
	lines = append(lines, rest)
	if s.group {
		return strings.Join(lines, "\n"+indent) + "\n    )"
	}
	return strings.Join(lines, "\n"+indent)
}

// breaks matches the places where a line may end.
var breaks = regexp.MustCompile(`(?:,| [-+*/?:<>=!&|]+| and| or| if| else) `)

// source fills the templates. Numbers are literals, comments are lines of plain ASCII.
type source struct {
	*language
	About []string // where the player comes from

	Bits                   int
	Scale, Dead, Two, Four string
	Cut                    string // min_probability
	Search                 string // the default search
	Depth                  int    // a fixed one
	Depths                 string // by the number of blanks, or of different tiles
	ByDistinct             bool

	Tables    []*numbers
	Functions []function
	Lookups   []lookup
	Terms     []string // of the value of a board, in fixed point
	boards    []string // of its formulas over the whole board, as numbers
	Best      bool     // the best of 8 orientations
	Lines     bool     // rows and columns are all that counts
	Alias     bool     // rows and columns have one table
	Cells     bool     // there is a table by cell and rank

	taken map[string]bool // names, in small letters: a_b and ab may be one name
}

// numbers is a table of data.
type numbers struct {
	Type, Name, Doc string
	Values          []string
}

// Rows are the values in lines of some length, without the last comma.
func (n *numbers) Rows() []string {
	return strings.Split(wrap("", strings.Join(n.Values, ", ")), ",\n")
}

// function computes a value in fixed point, or a number.
type function struct {
	Type, Name, Doc string
	Of              string // its parameter: line, board, or cell
	Locals          []local
	Value           string
}

// Columns reports whether the function looks at the columns of a board.
func (f function) Columns() bool {
	return slices.ContainsFunc(f.Locals, func(l local) bool { return strings.Contains(l.Value, "columns)") })
}

// Uses reports whether the function looks at a parameter.
func (f function) Uses(parameter string) bool {
	code := f.Value
	for _, l := range f.Locals {
		code += l.Value
	}
	return f.Columns() || regexp.MustCompile(`\b`+parameter+`\b`).MatchString(code)
}

// lookup is a table of a function's values by line.
type lookup struct{ Table, Function string }

func newSource(r *Record, l *language) (*source, error) {
	f := &r.heuristic
	compiled, err := eval.NewCompiler(f).Compile(f.Values(), f.Dead)
	if err != nil {
		return nil, err
	}
	settings := r.config.Play()
	s := &source{language: l, About: r.about(), Search: settings.String(), Bits: compiled.Bits,
		Scale: number(math.Ldexp(1, compiled.Bits)), Dead: number(compiled.Dead), Two: number(1 - r.Game.FourProbability),
		Four: number(r.Game.FourProbability), Cut: number(settings.MinProbability),
		Depth: settings.Rule.Fixed, Depths: depths(settings.Rule), ByDistinct: settings.Rule.ByDistinct != nil,
		Best: compiled.Oriented != nil || compiled.Turns, taken: map[string]bool{}}
	parts := map[string][]string{}
	var leftOut []string
	for i := range f.Features {
		if feature := &f.Features[i]; feature.Weight == 0 {
			leftOut = append(leftOut, feature.Name)
		} else if err := s.add(feature, parts); err != nil {
			return nil, err
		}
	}
	if len(leftOut) > 0 {
		s.About = append(s.About, plain("Features of weight 0 are left out: "+strings.Join(leftOut, ", ")+"."))
	}
	s.addParts(parts)
	s.addCorners(f.Corners(compiled.Bits))
	return s, nil
}

// add adds a feature. parts gets its call, by the part of the board that it is summed over.
func (s *source) add(f *eval.Term, parts map[string][]string) error {
	d, err := f.Define()
	if err != nil {
		return err
	}
	base, doc := identifier(f.Name), describe(f)
	name := s.unique(base + "_feature")
	switch {
	case d.Over == "board":
		p := s.newFormula(&d, d.Over, f)
		for _, sum := range d.Sums {
			one := s.newFormula(&d, sum.Over, f)
			one.scale = math.Ldexp(1, sum.Bits)
			summand := s.unique(base + "_" + identifier(sum.Name))
			p.sums[sum.Name] = definedSum{s.unique(summand + "_values"), sum}
			s.lookUp(p.sums[sum.Name].table, one.function("fixed", summand, plain(f.Name+", its sum "+sum.Name), sum.Tree, 1))
		}
		s.Functions = append(s.Functions, p.function("number", name, doc, d.Line, f.Weight))
		s.boards = append(s.boards, name+"(board)")
	case d.Line != nil:
		feature := s.newFormula(&d, d.Over, f).function("fixed", name, doc, d.Line, f.Weight)
		if _, is := d.Line.Constant(); is {
			parts[d.Over] = append(parts[d.Over], feature.Value)
			break
		}
		s.Functions = append(s.Functions, feature)
		parts[d.Over] = append(parts[d.Over], name+"(line)")
	case d.Cells != nil:
		var factors []float64
		for i := range 16 {
			factors = append(factors, float64(f.Weight*d.Cells[i/4][i%4]))
		}
		p := s.newFormula(&d, "cells", f)
		factor := s.table("number", base+"_factors", "weight x factor of the cells of "+plain(f.Name)+", row by row", s.literals(factors))
		value := p.write("fixed", p.write("*", operand{text: factor + "[cell]"}, operand{text: p.tile("rank")}))
		s.Functions = append(s.Functions, function{Type: "fixed", Name: name, Doc: doc, Of: "cell", Value: value.text})
		parts["cells"] = append(parts["cells"], name+"(cell, rank)")
	}
	return nil
}

// addParts adds the functions and tables of rows, columns, squares and cells.
func (s *source) addParts(parts map[string][]string) {
	rows, columns := slices.Concat(parts["line"], parts["row"]), slices.Concat(parts["line"], parts["column"])
	s.Alias = len(parts["line"]) > 0 && len(parts["row"])+len(parts["column"]) == 0
	s.Lines = !s.Best && len(rows) > 0 && len(columns) > 0 && len(parts["square"])+len(parts["cells"])+len(s.boards) == 0
	add := func(over, doc string, features []string) {
		if len(features) == 0 {
			return
		}
		f := function{Type: "fixed", Name: s.unique(over + "_value"), Doc: doc, Of: "line", Value: strings.Join(features, " + ")}
		if over == "cell" {
			f.Of, s.Cells = "cell", true
			s.Functions = append(s.Functions, f)
		} else if table := s.ident(over + "_values"); over != "column" || !s.Alias {
			s.lookUp(table, f)
		}
		s.Terms = append(s.Terms, fmt.Sprintf(s.format(over), s.ident(over+"_values")))
	}
	doc := "The value of a row, from the left."
	if s.Alias {
		doc = "The value of a row from the left, or of a column from above."
	}
	add("row", doc, rows)
	add("column", "The value of a column, from above.", columns)
	add("square", "The value of a square of 2 x 2 neighbours.", parts["square"])
	add("cell", "The value of a tile in a cell, 0 to 15 row by row.", parts["cells"])
}

// addCorners adds the tables of the features that look at the largest tile and at a corner.
func (s *source) addCorners(corners *[16][4][16]int64) {
	if corners == nil {
		return
	}
	for i, name := range []string{"upper_left", "upper_right", "lower_left", "lower_right"} {
		var values []string
		for k := range 256 {
			values = append(values, fmt.Sprintf(s.format("whole"), corners[k>>4][i][k&15]))
		}
		if slices.ContainsFunc(values, func(v string) bool { return strings.Trim(v, "0nL") != "" }) {
			doc := "The value by 16 x rank of the largest tile + rank in the corner, in units of 1 / SCALE."
			table := s.table("fixed", name+"_values", doc, values)
			s.Terms, s.Lines = append(s.Terms, fmt.Sprintf(s.format("corner"), table, []int{0, 3, 12, 15}[i])), false
		}
	}
}

// lookUp adds a function and the table of its values.
func (s *source) lookUp(table string, f function) {
	s.Functions = append(s.Functions, f)
	s.Lookups = append(s.Lookups, lookup{table, f.Name})
}

// table adds a table, unless there is an equal one, and returns its name.
func (s *source) table(kind, base, doc string, values []string) string {
	for _, other := range s.Tables {
		if other.Type == kind && slices.Equal(other.Values, values) {
			return other.Name
		}
	}
	s.Tables = append(s.Tables, &numbers{kind, s.unique(base), doc, values})
	return s.Tables[len(s.Tables)-1].Name
}

// unique returns the name in the language, with a number if it is taken.
func (s *source) unique(base string) string {
	name := s.ident(base)
	for n := 2; s.taken[strings.ToLower(name)]; n++ {
		name = s.ident(fmt.Sprintf("%s_%d", base, n))
	}
	s.taken[strings.ToLower(name)] = true
	return name
}

// Boards returns what a board's formulas add to its sum, as code.
func (s *source) Boards() string {
	if len(s.boards) > 1 {
		return " + (" + strings.Join(s.boards, " + ") + ")"
	}
	return strings.Join(append([]string{""}, s.boards...), " + ")
}

// lower writes a sum over the lower halves. Values of JavaScript have two, other languages have no
// halves.
func lower(upper string) string { return strings.ReplaceAll(upper, ".upper,", ".lower,") }

// Columns reports whether the value of a board looks at its columns.
func (s *source) Columns() bool { return strings.Contains(strings.Join(s.Terms, ""), "columns)") }

// depths returns the depths of a rule by the number of blanks, or of different tiles.
func depths(rule engine.DepthRule) string {
	if rule.ByDistinct == nil && rule.ByEmpty == nil {
		return ""
	}
	var all []string
	var b engine.Board
	for n := range 17 { // b has n tiles, all different but for the last one
		all = append(all, fmt.Sprint(rule.Depth(b)))
		b |= engine.Board(min(n+1, 15)) << (4 * n)
	}
	if rule.ByDistinct == nil {
		slices.Reverse(all)
	}
	return strings.Join(all, ", ")
}

// describe describes a feature in the words of its kind and its settings.
func describe(f *eval.Term) string {
	kind := eval.KindOf(f.Kind)
	doc := strings.ReplaceAll(kind.Doc, `\|`, "|")
	if f.Formula != "" {
		doc = "the formula " + f.Formula
	}
	for i, x := range f.Let {
		doc += fmt.Sprintf("%s %s = %s", map[bool]string{true: ", where", false: ","}[i == 0], x.Name, x.Formula)
	}
	text := fmt.Sprintf("%s, weight %v: %s", f.Name, f.Weight, doc)
	for _, k := range f.Keys()[3:] { // after the weight
		switch to := k.To.(type) {
		case *string:
			if k.Choices != nil {
				text += fmt.Sprintf("; %s %s", k.Name, *to)
			}
		case *float64:
			text += fmt.Sprintf("; %s %v", k.Name, *to)
		case *eval.Numbers:
			for _, n := range *to {
				text += fmt.Sprintf("; %s = %v", n.Symbol, n.Value)
			}
		}
	}
	return plain(text)
}

// about says where the player comes from and how strong it is, in lines of plain ASCII.
func (r *Record) about() (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, plain(fmt.Sprintf(format, args...))) }
	if r.Run != "" {
		say("Run %s, candidate %d (%s), heuristic %s.", r.Run, r.Candidate, r.Role, r.Heuristic.Name)
	}
	if len(r.HeldOut) == 0 {
		say("It played no held-out games: nothing is known of its strength.")
	}
	for _, h := range r.HeldOut {
		interval := "interval not known"
		if h.CI != nil {
			interval = fmt.Sprintf("95%% interval %.0f to %.0f", h.CI[0], h.CI[1])
		}
		say("Held-out games at %s: mean score %.0f, %s, n = %d.", h.Search, h.MeanScore, interval, h.Games)
	}
	if r.Search.Text != "" {
		say("The search it is meant for: %s.", r.Search.Text)
	}
	if r.Signature != "" {
		say("Signature of the play: %s.", r.Signature)
	}
	say("To verify: export it as json, then %s", verifyCommand)
	return lines
}

// plain makes text harmless in a comment of any language: printable ASCII without a backslash,
// which Java reads even there, and without the marks that begin and end comments.
func plain(text string) string {
	text = strings.NewReplacer(`\`, "/", "\n", " ", "\r", " ", "\t", " ").Replace(text)
	text = regexp.MustCompile(`[^ -~]`).ReplaceAllString(text, "?")
	return strings.ReplaceAll(strings.ReplaceAll(text, "*/", "* /"), "/*", "/ *") // in turn: of "/*/" the end first
}

// doc escapes text for Javadoc and JSDoc, which read HTML and tags.
var doc = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;")

// wrap breaks text into lines of 100 columns at most, each but the first behind the indent.
func wrap(indent string, texts ...string) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(strings.Join(texts, " ")) {
		if line != "" && len(indent)+len(line)+len(word) >= 97 {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return strings.Join(append(lines, line), "\n"+indent)
}

// identifier makes an identifier of a name: small letters, digits and underscores, a letter first.
func identifier(name string) string {
	name = regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(name[:min(len(name), 40)]), "_")
	if name == "" || name[0] < 'a' {
		return "feature" + name
	}
	return name
}
