package export

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
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
	"tune2048/engine/key"
)

//go:embed players
var playerFiles embed.FS

//go:embed templates
var templateFiles embed.FS

var templates = sync.OnceValue(func() *template.Template { // most commands write no source
	return template.Must(template.New("").Funcs(template.FuncMap{"wrap": wrap, "doc": doc.Replace,
		"names": func(of string) []string { return strings.Split(of, ", ") }}).ParseFS(
		templateFiles, "templates/*.tmpl"))
})

// Languages returns the languages that Source writes, in the order of their documentation.
func Languages() []string { return []string{"c", "python", "javascript"} }

// Source writes the player as one self-contained file with value(board) and best_move(board,
// depth). Its values are the engine's, and so are its moves at any depth, without min_probability.
// Depth 0 is the record's own search with its min_probability. name is the file's, without its
// ending. A bot in C or Python also answers boards on stdin. A heuristic that cannot be compiled is
// an error.
//
// The players in the folder players were written by hand. Source puts a record's story, constants
// and heuristic in their marked places, and leaves out what this player does not need.
func Source(w io.Writer, language, name string, bot bool, r *Record) error {
	l := languages[language]
	s, err := newSource(r, l)
	if err != nil {
		return fmt.Errorf("export %s: %w", language, err)
	}
	text, err := s.code(language, name, bot, "", "")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}

// code returns the player, with a template and code behind it that may be empty.
func (s *source) code(language, name string, bot bool, behind, code string) (string, error) {
	l := s.language
	data, err := playerFiles.ReadFile("players/" + l.file)
	if err != nil {
		return "", err
	}
	text := strings.ReplaceAll(string(data), l.file, name+path.Ext(l.file))
	text = strings.ReplaceAll(text, "-o player ", "-o "+name+" ")
	for _, place := range []string{"about", "constants", "heuristic"} {
		var part strings.Builder
		if err := templates().ExecuteTemplate(&part, language+" "+place, s); err != nil {
			return "", err
		}
		marks := regexp.MustCompile(`(?ms)^[^\n]*\bBEGIN ` + place + `\b.*?\bEND ` + place + `\b[^\n]*$`)
		text = marks.ReplaceAllLiteralString(text, strings.Trim(part.String(), "\n"))
	}
	if behind != "" {
		var features strings.Builder
		if err := templates().ExecuteTemplate(&features, behind, s); err != nil {
			return "", err
		}
		text += "\n" + features.String() + "\n" + code
	}
	return s.needed(text, bot), nil
}

var (
	// only matches lines of some players: of heuristics of lines alone, or of bots.
	only = regexp.MustCompile(`(?ms)^ *\S+ IF (LINES|BOT)(?: \*/)?\n(.*?)^ *\S+ END (?:LINES|BOT)(?: \*/)?(?:\n|\z)`)
	// probabilities are the code of min_probability: statements and fields of prob and share, then
	// arguments and comparisons.
	probabilities = regexp.MustCompile(`(?m)^[^\n]*(?:\b(?:prob|share)\b[^\n(,]* :?= |\bdouble prob;|^\sprob +float64|@param \S+ prob\b|share [^\n]*< CUT\b)[^\n]*\n| The board's probability is prob\.|` +
		`, [^,(){}.\n]*\b(?:prob|share)\b[^,(){}\n]*| (?:or|\|\||&&) [\w.>-]*\bprob [<=!]+ \w+`)
	ownDepth = regexp.MustCompile(`\bown_?[dD]epth\(\w+\)`)
	remarks  = regexp.MustCompile(`(?s)/\*.*?\*/|""".*?"""|(?:\n|^|[^:\n])(?://|#)[^\n]*`)
	defined  = regexp.MustCompile(`^\s*(?:@\S+\s+)?(?:static |function |def |const )+[^\n(=;{]*?\b([a-z]\w*) ?[(=;[{]`)
	imported = regexp.MustCompile(`(?m)^import (\w+)\n`)
)

// needed leaves out what this player does not need of the search and of the functions.
func (s *source) needed(text string, bot bool) string {
	text = only.ReplaceAllStringFunc(text, func(marked string) string {
		if match := only.FindStringSubmatch(marked); match[1] == "BOT" && bot || match[1] == "LINES" && s.Lines {
			return match[2]
		}
		return ""
	})
	text = strings.TrimRight(text, "\n") + "\n"
	if s.Alias {
		text = regexp.MustCompile(`\b(?:row|column)_values\b`).ReplaceAllString(text, "line_values")
	}
	if s.Cut == "" {
		text = probabilities.ReplaceAllString(text, "")
	}
	if s.OwnDepth == "" {
		text = ownDepth.ReplaceAllLiteralString(text, "OWN_DEPTH")
	}
	between := "\n\n"
	if s.python { // Python has two empty lines between functions, and one within
		between = "\n\n\n"
	}
	all := strings.Split(text, between)
	for n := 0; n != len(all); {
		n = len(all)
		var code []string
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
	}
	text = strings.Join(all, between)
	return imported.ReplaceAllStringFunc(text, func(line string) string {
		if strings.Contains(text, strings.TrimSpace(strings.TrimPrefix(line, "import "))+".") {
			return line
		}
		return ""
	})
}

// source fills the templates. Numbers are literals, comments are lines of plain ASCII.
type source struct {
	*language
	About string // where the player comes from

	Bits                   int
	Scale, Dead, Two, Four string
	Cut                    string // min_probability, if it is more than 0
	Search                 string // the default search
	Depth                  int    // a fixed one
	OwnDepth               string // one that looks at the board, or nothing

	Features  []part   // what each adds to a board
	LeftOut   []string // features of weight 0
	Weights   []weight // magnitudes: the features of negative ones are subtracted
	Tables    []table
	Functions []function
	Best      bool // the best of 8 orientations
	Lines     bool // rows and columns are all that counts
	Alias     bool // rows and columns have one table

	taken map[string]bool // names, in small letters: a_b and ab may be one name
}

// weight is a feature's weight, with the feature's other settings as a config has them.
type weight struct{ Name, Value, Settings string }

// Weight declares a weight, with its settings in a comment behind it, or above it if they are long.
// indent begins further lines of the comment.
func (s *source) Weight(declared, settings, begin, indent, end string) string {
	switch line := declared + " " + begin + settings + end; {
	case settings == "":
		return declared
	case len(line) <= 100:
		return line
	}
	return strings.TrimLeft(begin, " ") + wrap(indent, settings) + end + "\n" + declared
}

// table is a table of data.
type table struct {
	*language
	Name, Doc string
	Values    []float64
}

// Rows are the values in lines of some length, without the last comma.
func (t table) Rows() []string {
	var texts []string
	for _, v := range t.Values {
		texts = append(texts, t.literal(v))
	}
	return strings.Split(wrap("", strings.Join(texts, ", ")), ",\n")
}

// part is what a feature adds to the value of a board: the sum of code over a part of the board.
type part struct{ Name, Over, Of, Code string }

// function computes a value in fixed point, or a number.
type function struct {
	Type, Name, Doc string
	Of              string // its parameters: line, board, "cell, rank", or "largest, rank"
	Locals          []local
	Value           string
	Table           int // the size of a table of its values, or 0
}

// Uses reports whether the function looks at something. Who looks at columns looks at the board.
func (f function) Uses(what string) bool {
	code := f.Value
	for _, l := range f.Locals {
		code += " " + l.Value
	}
	return regexp.MustCompile(`\b(` + what + `|columns)\b`).MatchString(code)
}

func newSource(r *Record, l *language) (*source, error) {
	f := &r.heuristic
	if f.Bot != nil {
		return nil, errors.New("the player is a bot, whose source is its own: want -format json or flat")
	}
	compiled, err := eval.NewCompiler(f).Compile(r.values, f.Dead)
	if err != nil {
		return nil, err
	}
	settings := r.config.Play()
	s := &source{language: l, Search: settings.String(), Bits: compiled.Bits,
		Scale: l.literal(math.Ldexp(1, compiled.Bits)), Dead: l.literal(compiled.Dead),
		Two:  l.literal(1 - r.Game.FourProbability),
		Four: l.literal(r.Game.FourProbability), Depth: settings.Rule.Fixed, OwnDepth: l.ownDepth(settings.Rule),
		Best: compiled.Oriented != nil || compiled.Turns, taken: map[string]bool{}}
	if settings.MinProbability > 0 {
		s.Cut = l.literal(settings.MinProbability)
	}
	parts := map[string][]string{}
	for i := range f.Features {
		if feature := &f.Features[i]; r.values[feature.Weight.At] == 0 {
			s.LeftOut = append(s.LeftOut, feature.Name)
		} else {
			s.add(feature, r.values, parts)
		}
	}
	about := r.about()
	if len(s.LeftOut) > 0 {
		about = append(about, plain("Features of weight 0 are left out: "+strings.Join(s.LeftOut, ", ")+"."))
	}
	s.About = strings.Join(about, " ")
	s.addParts(parts)
	return s, nil
}

// add adds a feature. parts gets its call, by the part of the board that it is summed over.
func (s *source) add(f *eval.Term, v eval.Vector, parts map[string][]string) {
	d := f.Define(v)
	base, over := identifier(f.Name), d.Over
	size, name, sums := math.Abs(d.Weight), s.unique(base+"_weight", strings.ToUpper), map[string]definedSum{}
	s.Weights = append(s.Weights, weight{name, s.literal(size), settingsOf(f, v)})
	if over == "cell" {
		s.addCells(f, &d, name, parts)
		return
	}
	feature := function{Type: "fixed", Name: s.unique(base+"_feature", s.ident), Doc: describe(f), Of: "line"}
	call := feature.Name + "(line)"
	for _, sum := range d.Sums {
		p := s.newFormula(&d, f, sum.Over, sum.Tree, 1, nil)
		p.scale = number(math.Ldexp(1, sum.Bits))
		if sum.Factors != nil {
			var calls []string
			for i, c := range p.cells(base+"_"+identifier(sum.Name)+"_summand",
				plain("A summand of "+sum.Name+" of "+f.Name+"."), sum.Factors) {
				switch {
				case sum.Over == "cell":
					calls = append(calls, "+", s.overCell(c))
				case i == 0: // of a tile all cells have one function
					calls = append(calls, "+", fmt.Sprintf(s.format([]string{"tiles", "tiles largest"}[min(c.cell+1, 1)]), c.name))
				}
			}
			sums[sum.Name] = definedSum{code: strings.TrimPrefix(sumOf(calls), "+ "), name: sum.Name, DefinedSum: sum}
			continue
		}
		summand := function{Type: "fixed", Name: s.unique(base+"_"+identifier(sum.Name)+"_summand", s.ident),
			Doc: plain("A summand of " + sum.Name + " of " + f.Name + "."), Of: "line", Table: 65536}
		p.define(&summand, p.fixed(sum.Tree))
		code := ""
		if kind, line, single := strings.Cut(sum.Over, "_"); single {
			code = fmt.Sprintf(strings.Replace(s.format(kind+"_"), "%d", line, 1), summand.Name)
		} else {
			code = fmt.Sprintf(s.format(kind), summand.Name)
		}
		sums[sum.Name] = definedSum{code, sum.Name, sum}
		s.Functions = append(s.Functions, summand)
	}
	p := s.newFormula(&d, f, over, d.Line, size, sums)
	p.weight = name
	switch {
	case over == "board":
		feature.Type, feature.Of, call = "number", "board", feature.Name+"(board)"
		p.define(&feature, p.limited(d.Line))
	case f.Kind == eval.Empty: // each blank's share is rounded by itself
		feature.Value = fmt.Sprintf(s.format("shares"), p.rounded(operand{text: p.weight}).text)
	default:
		value := p.fixed(d.Line)
		if _, is := d.Line.Constant(); is {
			call = value.text
		}
		p.define(&feature, value)
	}
	sign := "+"
	if d.Weight < 0 {
		sign = "-"
	}
	if call != feature.Value {
		s.Functions = append(s.Functions, feature)
	}
	parts[over] = append(parts[over], sign, call)
	s.Features = append(s.Features, part{f.Name, over, feature.Of, strings.TrimPrefix(sign, "+") + call})
}

// addCells adds a feature over the cells.
func (s *source) addCells(f *eval.Term, d *eval.Definition, weight string, parts map[string][]string) {
	p := s.newFormula(d, f, "cell", d.Line, math.Abs(d.Weight), nil)
	p.weight = weight
	sign := "+"
	if d.Weight < 0 {
		sign = "-"
	}
	all := p.cells(identifier(f.Name)+"_feature", describe(f), d.Factors)
	feature, calls := part{f.Name, "cells", "largest, ranks", ""}, []string(nil)
	for _, c := range all {
		over, call := "cell", c.name+"(cell, rank)"
		if c.cell >= 0 {
			over, call = places[c.cell], c.name+"(largest, rank)"
		}
		parts[over] = append(parts[over], sign, call)
		calls = append(calls, sign, fmt.Sprintf("%s(largest, ranks[%d])", c.name, c.cell))
		if len(all) == 1 {
			feature.Over, feature.Of, calls[1] = over,
				map[bool]string{true: "cell, rank", false: "largest, rank"}[over == "cell"], call
		}
	}
	feature.Code = strings.TrimPrefix(strings.Replace(" "+strings.Join(calls, " "), " - ", "-", 1), " + ")
	s.Features = append(s.Features, feature)
	if len(all) == 0 {
		s.Features[len(s.Features)-1].Code = s.format("0")
	}
}

// cellFunction is a function of a cell and the rank there, or of the largest tile and the rank in
// one cell; -1: all.
type cellFunction struct {
	name string
	cell int
}

// overCell writes the sum of a function that has a table.
func (s *source) overCell(c cellFunction) string {
	if c.cell < 0 {
		return fmt.Sprintf(s.format("cell"), c.name)
	}
	return fmt.Sprintf(s.format("corner"), c.name, c.cell)
}

// cells writes the functions of a feature or a summand over the cells, with tables. Cells of equal
// functions have one, and cells where it is 0 have none.
func (p *formula) cells(base, doc string, factors []eval.Factor) (all []cellFunction) {
	bound, byLargest := math.Abs(p.d.Weight), false
	for i := range factors {
		largest, _, _ := factors[i].Of()
		most := 0.0
		for l := range factors[i] {
			for c := range factors[i][l] {
				for _, v := range factors[i][l][c][:l+1] {
					most = max(most, math.Abs(v))
				}
			}
		}
		byLargest, bound = byLargest || largest, bound*most
	}
	p.large = !(bound < eval.MostEntry)
	known := map[string]string{}
	add := func(of string, cell int) {
		value := operand{}
		if p.weight != "" {
			value.text = p.weight
		}
		for i := range factors {
			x, is := p.factor(&factors[i], cell, strings.TrimSuffix(base, "_feature"))
			switch {
			case is && x == "0":
				return
			case is && x == "1" && value.text != "": // it changes nothing
			case value.text == "":
				value.text = x
			default:
				value = p.write("*", value, operand{text: x})
			}
		}
		value = p.rounded(value)
		name := known[value.text]
		if name == "" {
			name = p.unique(base, p.ident)
			known[value.text] = name
			f := function{Type: "fixed", Name: name, Doc: doc, Of: of, Table: 256}
			p.define(&f, value)
			p.Functions = append(p.Functions, f)
		}
		all = append(all, cellFunction{name, cell})
	}
	if !byLargest {
		add("cell, rank", -1)
		return all
	}
	for cell := range 16 {
		add("largest, rank", cell)
	}
	return all
}

// factor writes a factor of a cell, or of all: a number, or a look-up. It reports whether it is 0
// or 1 everywhere.
func (p *formula) factor(f *eval.Factor, cell int, base string) (code string, is bool) {
	at := *f
	if cell >= 0 {
		for l := range at {
			for c := range at[l] {
				at[l][c] = f[l][cell]
			}
		}
	}
	name := plain(p.feature.Name)
	switch largest, byCell, byTile := at.Of(); {
	case !largest && !byCell && !byTile:
		x := at[15][0][0]
		return p.literal(x), x == 0 || x == 1
	case !largest && !byTile:
		var values []float64
		for c := range 16 {
			values = append(values, at[15][c][0])
		}
		return p.table(base+"_factors", "The factors of the cells of "+name+", row by row.", values) + "[cell]", false
	case !largest && !byCell:
		return p.tileTable(at[15][0][:], base, "rank"), false
	case !byTile && !byCell:
		var values []float64
		for l := range 16 {
			values = append(values, at[l][0][0])
		}
		return p.tileTable(values, base, "largest"), false
	case !largest:
		var values []float64
		for c := range 16 {
			values = append(values, at[15][c][:]...)
		}
		return p.table(base+"_values", "The values of "+name+", by 16 x cell + rank.", values) + "[16 * cell + rank]", false
	}
	var values []float64
	for l := range 16 {
		values = append(values, at[l][0][:l+1]...)
	}
	return p.table(base+"_powers", "The values of "+name+", by the ranks of the largest tile and of the cell.", values) +
		"[" + p.format("triangle") + " + rank]", false
}

// tileTable writes the look-up of a value by the rank of a tile.
func (p *formula) tileTable(values []float64, base, rank string) string {
	if slices.Equal(values, p.d.Tile[:]) {
		return p.tile(rank)
	}
	doc := "What " + plain(p.feature.Name) + " makes of a tile, by its rank."
	if power := p.d.Power; power != 0 {
		doc = fmt.Sprintf("%s^%v of a tile, by its rank.", cmp.Or(p.feature.Tile, eval.Face), power)
	}
	return p.table(base+"_tiles", doc, values) + "[" + rank + "]"
}

// places are the names of the cells' functions.
var places = func() (all []string) {
	for i := range 16 {
		all = append(all, fmt.Sprintf("cell_%d_%d", i/4, i%4))
	}
	all[0], all[3], all[12], all[15] = eval.UpperLeft, eval.UpperRight, eval.LowerLeft, eval.LowerRight
	return all
}()

// addParts adds the functions of rows, columns, squares, cells and corners, and the one of a board.
// Features that are given are signs and calls.
func (s *source) addParts(parts map[string][]string) {
	var terms []string // of the value of a board, in fixed point: signs and calls
	add := func(format, over, of, doc string, features []string, cell ...any) {
		if len(features) == 2 && of != "line" { // one feature is its own table
			name, _, _ := strings.Cut(features[1], "(")
			if i := slices.IndexFunc(s.Functions, func(f function) bool { return f.Name == name }); i >= 0 {
				s.Functions[i].Table = 256
				terms = append(terms, features[0], fmt.Sprintf(s.format(format), append([]any{name}, cell...)...))
				return
			}
		}
		if len(features) > 0 {
			f := function{Type: "fixed", Name: s.ident(over + "_value"), Doc: doc, Of: of, Value: sumOf(features), Table: 65536}
			if of != "line" {
				f.Table = 256
			}
			s.Functions = append(s.Functions, f)
			terms = append(terms, "+", fmt.Sprintf(s.format(format), append([]any{f.Name}, cell...)...))
		}
	}
	rows, columns := slices.Concat(parts["line"], parts["row"]), slices.Concat(parts["line"], parts["column"])
	s.Alias = len(parts["line"]) > 0 && len(parts["row"])+len(parts["column"]) == 0
	if s.Alias {
		add("line", "line", "line", "The value of a row from the left, or of a column from above.", rows)
	} else {
		add("row", "row", "line", "The value of a row, from the left.", rows)
		add("column", "column", "line", "The value of a column, from above.", columns)
	}
	lines := len(terms)
	add("square", "square", "line", "The value of a square of 2 x 2 neighbours.", parts["square"])
	add("cell", "cell", "cell, rank", "The value of a tile in a cell, 0 to 15 row by row.", parts["cell"])
	for i, place := range places {
		what := "cell"
		if i%12 == 0 || i%12 == 3 {
			what = "corner"
		}
		add("corner", place, "largest, rank", "The value of the largest tile, and of the tile in the "+what+".", parts[place],
			i)
	}
	var sums []local
	for i := 1; s.python && i+2 < len(terms); i += 2 { // all but the last
		sums = append(sums, local{Name: fmt.Sprint("sum", len(sums)+1), Value: terms[i]})
		terms[i] = sums[len(sums)-1].Name
	}
	boards, name := parts["board"], "evaluate"
	s.Lines = !s.Best && len(rows) > 0 && len(columns) > 0 && len(terms)+len(boards) == lines
	doc := "The value of a board as it is."
	if s.Best {
		name, doc = "as_it_lies", "The value of a board as it is, in this orientation."
	}
	value := s.summed(sumOf(terms), "SCALE")
	switch {
	case len(boards) > 2:
		value += " + (" + sumOf(boards) + ")"
	case len(boards) > 0:
		value += " " + strings.Join(boards, " ")
	}
	s.Functions = append(s.Functions,
		function{Type: "number", Name: s.ident(name), Doc: doc, Of: "board", Locals: sums, Value: value})
}

// sumOf adds up code that is given after its signs.
func sumOf(signed []string) string {
	if len(signed) == 0 {
		return "0"
	}
	return strings.TrimPrefix(strings.Replace("  "+strings.Join(signed, " "), "  - ", "-", 1), "  + ")
}

// summed writes the number that a sum in fixed point is.
func (l *language) summed(code, scale string) string {
	format := l.format("sum")
	if several := len(split(code, " + ", " - ")) > 1; several && !strings.Contains(format, "%s)") {
		code = "(" + code + ")"
	}
	return fmt.Sprintf(format, code, scale)
}

// table adds a table of numbers, unless there is an equal one, and returns its name.
func (s *source) table(base, doc string, values []float64) string {
	for _, other := range s.Tables {
		if slices.Equal(other.Values, values) {
			return other.Name
		}
	}
	style := s.ident
	if s.python {
		style = strings.ToUpper
	}
	s.Tables = append(s.Tables, table{s.language, s.unique(base, style), doc, values})
	return s.Tables[len(s.Tables)-1].Name
}

// unique returns the name in the language, with a number if it is taken.
func (s *source) unique(base string, style func(string) string) string {
	name := style(base)
	for n := 2; s.taken[strings.ToLower(name)]; n++ {
		name = style(fmt.Sprintf("%s_%d", base, n))
	}
	s.taken[strings.ToLower(name)] = true
	return name
}

// Statement writes a statement within a function, in lines of some 95 columns.
func (s *source) Statement(before, value, after string) string {
	return before + s.lay(value, s.indent, len(before+after), s.python) + after
}

// lay breaks code into lines: at the operators outside of parentheses, or a call at its arguments.
// In Python operators of several lines are in parentheses.
func (s *source) lay(code, indent string, beside int, group bool) string {
	if len(indent)+len(code)+beside <= 96 {
		return code
	}
	inner := indent + s.indent[:min(len(s.indent), 4)]
	before, end, pieces := "", "", []string{}
	for _, loosest := range [][]string{{" ? ", " : "}, {" if ", " else "}, {" || ", " or "}, {" && ", " and "},
		{" + ", " - "}, {" * ", " / "}} {
		pieces = split(code, loosest...)
		if len(pieces) > 1 {
			break
		}
	}
	const cast = "(double)" // of C
	if open := strings.IndexByte(strings.Replace(code, cast, "        ", 1), '(') + 1; len(pieces) == 1 {
		if open == 0 || !strings.HasSuffix(code, ")") {
			return code
		}
		before, pieces, end = code[:open], split(code[open:len(code)-1], " for "), ")"
		if len(pieces) == 1 {
			pieces = split(code[open:len(code)-1], ", ")
		}
	} else if group {
		before, end = "(", ")"
	}
	for i, piece := range pieces {
		term := strings.TrimRight(piece, " +-*,")
		pieces[i] = s.lay(term, inner, len(piece)-len(term), false) + piece[len(term):]
	}
	code = strings.Join(pieces, "\n"+inner)
	if before == "" {
		return code
	}
	return before + "\n" + inner + code + "\n" + indent + end
}

// split splits code outside of parentheses at separators. A comma ends a piece, an operator begins
// one.
func split(code string, separators ...string) (pieces []string) {
	depth, from := 0, 0
	for i := range code {
		switch code[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		for _, separator := range separators {
			if depth == 0 && strings.HasPrefix(code[i:], separator) {
				at := i
				if separator == ", " {
					at++
				}
				pieces, from = append(pieces, code[from:at]), at+1
			}
		}
	}
	return append(pieces, code[from:])
}

// ownDepth returns the depth of a rule that looks at the board, as code.
func (l *language) ownDepth(rule engine.DepthRule) (code string) {
	if d := rule.ByDistinct; d != nil {
		layers := fmt.Sprintf(l.format("max rank"), fmt.Sprintf("%s - %d", l.format("board distinct"), d.Minus),
			fmt.Sprint(d.Least))
		code = "2 * " + layers + " + 1"
		if 2*max(engine.MaxRank-d.Minus, d.Least)+1 > engine.MaxDepth {
			code = fmt.Sprintf(l.format("min rank"), code, fmt.Sprint(engine.MaxDepth))
		}
		return code
	}
	for _, e := range slices.Backward(rule.ByEmpty) {
		if code != "" {
			code = fmt.Sprintf(l.format("choose"), fmt.Sprintf("%s > %d", l.format("board empty"), e.Above), fmt.Sprint(e.Depth),
				code)
		} else {
			code = fmt.Sprint(e.Depth)
		}
	}
	return code
}

// settings are all settings of a feature but its kind, name and weight.
type settings struct{ *eval.Term }

// Keys implements key.Section.
func (s settings) Keys() []key.Key { return s.Term.Keys()[3:] }

// settingsOf writes the settings as a config does, without quotes.
func settingsOf(f *eval.Term, v eval.Vector) string {
	alone, own := f.Alone(v)
	text := own.Writer().Text(settings{&alone.Features[0]})
	return plain(strings.ReplaceAll(text[1:len(text)-1], `"`, ""))
}

// describe describes a feature as its kind does. A formula says itself what it is.
func describe(f *eval.Term) string {
	if f.Formula != "" {
		return ""
	}
	doc := strings.ReplaceAll(eval.KindOf(f.Kind).Doc, `\|`, "|")
	return plain(strings.ToUpper(doc[:1]) + doc[1:] + ".")
}

// about says where the player comes from and how strong it is, in lines of plain ASCII.
func (r *Record) about() (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, plain(fmt.Sprintf(format, args...))) }
	say("Run %s, candidate %d (%s), heuristic %s.", r.Run, r.Candidate, r.Role, r.Heuristic.Name)
	if len(r.HeldOut) == 0 {
		say("It played no held-out games: nothing is known of its strength.")
	}
	own := slices.ContainsFunc(r.HeldOut, func(h HeldOut) bool { return h.Search == r.Search.Text })
	for _, h := range r.HeldOut {
		if own && h.Search != r.Search.Text {
			continue
		}
		interval := "interval not known"
		if h.CI != nil {
			interval = fmt.Sprintf("95%% interval %.0f to %.0f", h.CI[0], h.CI[1])
		}
		say("Held-out games at %s: mean score %.0f, %s, n = %d.", h.Search, h.MeanScore, interval, h.Games)
	}
	say("The search it is meant for: %s.", r.Search.Text)
	say("To verify: export it as json, then %s", verifyCommand)
	return lines
}

// plain makes text harmless in a comment of any language: printable ASCII without a backslash and
// without the marks that begin and end comments or docstrings.
func plain(text string) string {
	text = strings.NewReplacer(`\`, "/", "\n", " ", "\r", " ", "\t", " ").Replace(text)
	text = regexp.MustCompile(`[^ -~]`).ReplaceAllString(text, "?")
	text = regexp.MustCompile("[\"'`]+").ReplaceAllString(text, "'")
	return strings.ReplaceAll(strings.ReplaceAll(text, "*/", "* /"), "/*", "/ *") // in turn: of "/*/" the end first
}

// doc escapes text for JSDoc, which reads HTML and tags.
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
