package export

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"go/format"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"text/template"

	"tune2048/engine/heuristic"
)

//go:embed templates/*.tmpl
var templateFiles embed.FS

var templates = sync.OnceValue(func() *template.Template { // most commands write no source
	return template.Must(template.New("").Funcs(template.FuncMap{"wrap": wrap, "doc": doc.Replace}).ParseFS(templateFiles, "templates/*.tmpl"))
})

// Languages returns the languages that Source writes, in the order of their documentation.
func Languages() []string { return []string{"c", "go", "python", "javascript", "java"} }

// Source writes the player as one self-contained file with value(board) and best_move(board,
// depth). Its values are the engine's to 1e-9 of their size. Its moves are the engine's at any
// depth, without min_probability. An unknown language is an error, and so is a heuristic that
// cannot be compiled.
//
// The code rounds every term to a whole number of 2^-Bits once, as the tables do, so sums do not
// depend on their order and boards that are equally good are equal.
func Source(w io.Writer, language string, r *Record) error {
	l, known := dialects[language]
	if !known {
		return fmt.Errorf("export: there is no language %q: want one of %s", language, strings.Join(Languages(), ", "))
	}
	s, err := newSource(r, l)
	if err != nil {
		return fmt.Errorf("export %s: %w", language, err)
	}
	var text bytes.Buffer
	if err := templates().ExecuteTemplate(&text, "player."+language+".tmpl", s); err != nil {
		return err
	}
	code := append(bytes.TrimSpace(text.Bytes()), '\n')
	if language == "go" {
		if code, err = format.Source(code); err != nil {
			return fmt.Errorf("export go: %w", err)
		}
	}
	_, err = w.Write(code)
	return err
}

// source fills the templates. Numbers are literals, comments are lines of plain ASCII.
type source struct {
	About     []string // where the player comes from
	Bits      int
	Scale     string // 2^Bits
	Dead      string
	Two, Four string // probabilities
	Best      bool   // the best of 8 orientations

	Tiles  []tiles
	Lines  []function // of features that are summed over rows and columns
	Cells  []cellFeature
	Others []function // of features of the largest tile

	uses map[string]bool // operations and quantities
}

// tiles is a table of tile^power by rank.
type tiles struct {
	Name, Doc string
	Rows      []string // values in lines of some length, without the last comma
}

// function computes a feature.
type function struct {
	Name, Doc string
	Locals    []local // quantities of the line
	Packed    bool    // it looks at the line without blanks
	Parts     []local // of the value
	Value     string  // in fixed point
}

// local is a variable of a function.
type local struct{ Name, Value string }

// cellFeature is one that multiplies the tile of each cell.
type cellFeature struct {
	Name, Table, Doc, Weight, Tiles string
	Factors                         [4][4]string
}

// Uses reports whether the code has one of these operations or quantities.
func (s *source) Uses(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return s.uses[name] })
}

// Constant reports whether no feature of lines looks at the line.
func (s *source) Constant() bool {
	return !slices.ContainsFunc(s.Lines, func(l function) bool { return len(l.Locals) > 0 })
}

// Board reports whether anything but lines counts.
func (s *source) Board() bool { return len(s.Cells)+len(s.Others) > 0 }

func newSource(r *Record, l *dialect) (*source, error) {
	f := &r.family
	compiled, err := heuristic.NewCompiler(f).Compile(f.Values(), f.Dead)
	if err != nil {
		return nil, err
	}
	s := &source{
		About: r.about(),
		Bits:  compiled.Bits, Scale: exact(math.Ldexp(1, compiled.Bits)),
		Dead: number(compiled.DeadValue()), Two: number(1 - r.Game.FourProbability), Four: number(r.Game.FourProbability),
		Best: f.Symmetry == heuristic.SymmetryBest,
		uses: map[string]bool{},
	}
	taken, leftOut := map[string]bool{}, []string{}
	for i := range f.Features {
		feature := &f.Features[i]
		if feature.Weight.Value == 0 {
			leftOut = append(leftOut, feature.Name)
			continue
		}
		name := identifier(feature.Name)
		for base, n := name, 2; taken[strings.ReplaceAll(name, "_", "")]; n++ {
			name = fmt.Sprintf("%s_%d", base, n)
		}
		taken[strings.ReplaceAll(name, "_", "")] = true // a_b and ab may be one name
		if err := s.add(feature, name, l); err != nil {
			return nil, err
		}
	}
	if len(leftOut) > 0 {
		s.About = append(s.About, plain("Features of weight 0 are left out: "+strings.Join(leftOut, ", ")+"."))
	}
	s.Best = s.Best && s.Board() // line features are the same in all orientations
	return s, nil
}

// add adds a feature by a name that is unique.
func (s *source) add(f *heuristic.Feature, name string, l *dialect) error {
	d, err := f.Define()
	if err != nil {
		return err
	}
	doc, weight := describe(f), f.Weight.Value
	called := l.name("feature_" + name)
	tile := func(rank string) string { return s.tilesTable(f, name, &d, l) + "[" + rank + "]" }
	switch {
	case d.Line != nil:
		p := &printer{dialect: l, weight: math.Abs(weight), uses: s.uses, symbols: map[string]bool{}}
		line := function{Name: called, Doc: doc}
		within := 0
		if weight < 0 { // the sign stands in front, so that min and max keep their order
			line.Value, within = "-", unary
		}
		one := fmt.Sprintf("fixed(%s, 1.0)", number(p.weight))
		switch value := p.sum(d.Line, within); {
		case d.Line.Name() == "min": // a long line: each operand has a name
			line.Parts = []local{{"first", p.sum(d.Line.Operands[0], 0)}, {"second", p.sum(d.Line.Operands[1], 0)}}
			line.Value += fmt.Sprintf(l.fixed["min"], "first", "second")
		case strings.Count(value, one) > 1:
			line.Parts = []local{{"each", one}}
			line.Value += strings.ReplaceAll(value, one, "each")
		default:
			line.Value += value
		}
		line.Value = broken(line.Value)
		for i := range line.Parts {
			line.Parts[i].Value = broken(line.Parts[i].Value)
		}
		for _, symbol := range slices.Sorted(maps.Keys(p.symbols)) {
			s.uses[symbol] = true
			line.Locals = append(line.Locals, local{symbol, quantity(symbol, tile, l)})
			line.Packed = line.Packed || isPacked(symbol)
		}
		s.uses["packed"] = s.uses["packed"] || line.Packed
		s.Lines = append(s.Lines, line)
	case d.Cells != nil:
		cells := cellFeature{Name: called, Table: l.constant(name + "_factors"), Doc: doc,
			Weight: number(weight), Tiles: s.tilesTable(f, name, &d, l)}
		for i := range 16 {
			cells.Factors[i/4][i%4] = number(d.Cells[i/4][i%4])
		}
		s.Cells = append(s.Cells, cells)
	default:
		value := tile("largest")
		if d.Corner != nil {
			value = fmt.Sprintf("%s - %s", value, tile(fmt.Sprintf("ranks[%d][%d]", d.Corner.Row, d.Corner.Column)))
			if d.Corner.Power != 1 {
				s.uses["pow"] = true
				value = fmt.Sprintf(l.functions["pow"], value, number(d.Corner.Power))
			}
		}
		s.Others = append(s.Others, function{Name: called, Doc: doc, Value: fmt.Sprintf("fixed(%s, %s)", number(weight), value)})
	}
	return nil
}

func isPacked(symbol string) bool { return strings.Contains("wxyz", symbol) }

// quantity returns the code for a quantity of a line. tile returns the code for the tile of a rank.
func quantity(symbol string, tile func(rank string) string, l *dialect) string {
	switch {
	case symbol == "largest":
		return tile(l.name("largest_of") + "(line)")
	case len(symbol) > 1:
		return l.name("count_"+symbol) + "(line)"
	case isPacked(symbol):
		return tile(fmt.Sprintf("packed[%d]", symbol[0]-'w'))
	}
	return tile(fmt.Sprintf("line[%d]", symbol[0]-'a'))
}

// tilesTable adds the table of a feature's tiles, unless there is an equal one, and returns its
// name.
func (s *source) tilesTable(f *heuristic.Feature, name string, d *heuristic.Definition, l *dialect) string {
	word := cmp.Or(f.Tile, heuristic.Face)
	var values []string
	for _, v := range d.Tile {
		values = append(values, number(v))
	}
	t := tiles{Name: l.constant(name + "_tiles"), Doc: word, Rows: strings.Split(wrap("", strings.Join(values, ", ")), ",\n")}
	if power := f.Power.Value; power != 0 && power != 1 && d.Corner == nil {
		t.Doc += fmt.Sprintf("^%v", power)
	} else {
		t.Name = l.constant("tile_" + word + "s")
	}
	for _, other := range s.Tiles {
		if slices.Equal(other.Rows, t.Rows) {
			return other.Name
		}
	}
	s.Tiles = append(s.Tiles, t)
	return t.Name
}

// describe describes a feature in the words of its kind and its settings.
func describe(f *heuristic.Feature) string {
	kind := heuristic.KindOf(f.Kind)
	doc := strings.ReplaceAll(kind.Doc, `\|`, "|")
	if f.Formula != "" {
		doc = "the formula " + f.Formula
	}
	text := fmt.Sprintf("%s, weight %v: %s", f.Name, f.Weight.Value, doc)
	for _, setting := range kind.Settings[1:] {
		switch {
		case setting.Word != nil:
			text += fmt.Sprintf("; %s %s", setting.Key, *setting.Word(f))
		case setting.Weight != nil:
			text += fmt.Sprintf("; %s %v", setting.Key, setting.Weight(f).Value)
		case setting.Numbers != nil:
			for _, n := range *setting.Numbers(f) {
				text += fmt.Sprintf("; %s = %v", n.Symbol, n.Weight.Value)
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
	text = strings.Map(func(c rune) rune {
		switch {
		case c == '\\':
			return '/'
		case c == '\n' || c == '\r' || c == '\t':
			return ' '
		case c < ' ' || c > '~':
			return '?'
		}
		return c
	}, text)
	return strings.ReplaceAll(strings.ReplaceAll(text, "*/", "* /"), "/*", "/ *") // in turn: of "/*/" the end first
}

// doc escapes text for Javadoc and JSDoc, which read HTML and tags.
var doc = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;")

// wrap breaks text into lines of about 110 columns, each but the first behind the indent.
func wrap(indent, text string) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+len(word) > 110 {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return strings.Join(append(lines, line), "\n"+indent)
}

// broken breaks a long sum behind each +, in parentheses, which all languages allow.
func broken(sum string) string {
	if len(sum) < 100 {
		return sum
	}
	var out strings.Builder
	depth := 0
	for i, c := range sum {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if c == ' ' && depth == 0 && strings.HasSuffix(sum[:i], " +") {
			out.WriteString("\n           ")
		}
		out.WriteRune(c)
	}
	if text := out.String(); text != sum {
		return "(" + text + ")"
	}
	return sum
}

// identifier makes an identifier of a name: small letters, digits and underscores, a letter first.
func identifier(name string) string {
	name = strings.Map(func(c rune) rune {
		switch {
		case c >= 'A' && c <= 'Z':
			return c - 'A' + 'a'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			return c
		}
		return '_'
	}, name)
	if name == "" || name[0] < 'a' {
		return "feature" + name
	}
	return name
}
