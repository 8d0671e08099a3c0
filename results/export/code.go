package export

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"go/format"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"

	"tune2048/engine"
	"tune2048/engine/eval"
)

//go:embed templates/*.tmpl
var templateFiles embed.FS

var templates = sync.OnceValue(func() *template.Template { // most commands write no source
	return template.Must(template.New("").Funcs(template.FuncMap{"wrap": wrap, "doc": doc.Replace}).ParseFS(
		templateFiles, "templates/*.tmpl"))
})

// Languages returns the languages that Source writes, in the order of their documentation.
func Languages() []string { return []string{"c", "go", "python", "javascript", "java"} }

// Source writes the player as one self-contained file with value(board) and best_move(board,
// depth). Its values are the engine's, and so are its moves at any depth, without min_probability.
// Depth 0 is the record's own search with its min_probability. name is the file's, without its
// ending, and the class in Java. bot: in Go a program that answers as a bot. An unknown language
// is an error, and so is a heuristic that cannot be compiled.
//
// The code rounds every term to a whole number of 2^-Bits once, as the tables do, so sums do not
// depend on their order and boards that are equally good are equal.
func Source(w io.Writer, language, name string, bot bool, r *Record) error {
	if dialects[language] == nil {
		return fmt.Errorf("export: there is no language %q: want one of %s", language, strings.Join(Languages(), ", "))
	}
	s, err := newSource(r)
	if err != nil {
		return fmt.Errorf("export %s: %w", language, err)
	}
	s.Name, s.Bot = name, bot
	var text bytes.Buffer
	if err := templates().ExecuteTemplate(&text, "player.tmpl", s); err != nil {
		return err
	}
	if s.Code, err = printed(text.String(), language); err != nil {
		return fmt.Errorf("export %s: %w", language, err)
	}
	text.Reset()
	if err := templates().ExecuteTemplate(&text, "frame."+language+".tmpl", s); err != nil {
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

// What every language says of its file, of its boards and of its search.
const (
	title = "a player of 2048: what a board is worth, and the best move. Written by tune export. " +
		"You may use it without conditions."
	faces  = "four rows of four faces from the upper left: 0 for a blank, otherwise 2, 4, 8 ... 65536, which counts as a 32768."
	inside = "Within the code boards have ranks instead of faces: 0 for a blank, 1 for a 2, 2 for a 4 ... 15 for a 32768. " +
		"Values are added up as whole numbers of 2^-%d: so boards that are equally good are worth exactly the same."
	plies = "the best move by a search of so many plies: 1 values the board after the move, 2 after the tile that " +
		"comes then, 3 after the next move, and so on. 0 is %s. The first of equals in the order up, down, left, right."
)

// source fills the templates. Numbers are literals, comments are lines of plain ASCII.
type source struct {
	Name, Code string

	Title, Faces, Inside, Plies string
	Bot                         bool     // in Go: a program, and no package
	About                       []string // where the player comes from
	Search                      string
	Bits                        int
	Scale                       string // 2^Bits
	Dead                        string
	Two, Four                   string // probabilities
	Best                        bool   // the best of 8 orientations

	Tables    []*numbers
	Functions []function // of features that are summed over parts of the board
	Parts     []*part
	Sums      []part     // of formulas over the board
	Boards    []function // such formulas
	Whole     bool       // the search values each board by itself

	Row, Column, Square *part // nil if none counts
	Quick               bool  // the last chance layer is known
	Cells               []cellFeature
	Corners             []cornerFeature

	// The record's own search.
	Depth      int    // a fixed one
	Depths     string // by the number of blanks, or of different tiles
	ByDistinct bool
	Cut        string // min_probability, or empty
	LastSlot   int    // of the transposition table

	uses  map[string]bool // operations and quantities
	taken map[string]bool // names, in small letters: a_b and ab may be one name
}

// numbers is a table by rank, or by rank and rank.
type numbers struct {
	Name, Doc string
	Values    []string
}

// Rows are the values in lines of some length, without the last comma.
func (n *numbers) Rows() []string {
	return strings.Split(wrap("", strings.Join(n.Values, ", ")), ",\n")
}

// function computes a feature.
type function struct {
	Name, Doc string
	Of        string // its parameter
	Locals    []local
	Packed    bool   // it looks at the line without blanks
	Value     string // in fixed point
}

// local is a variable of a function.
type local struct{ Name, Value string }

// part adds up the features of a part of the board. Table has the sums.
type part struct {
	Name, Doc, Table, Over string
	Functions              []string
}

// cellFeature is one that multiplies the tile of each cell. Factors and Tiles are tables.
type cellFeature struct{ Doc, Weight, Factors, Tiles string }

// cornerFeature is one of the largest tile and the tile in a corner cell.
type cornerFeature struct {
	Doc, Value string
	Cell       int
}

// Of is a part whose function is the only one of this part.
func (p part) Of() part { return part{Name: p.Functions[0], Over: p.Over} }

// Uses reports whether the code has one of these operations or quantities.
func (s *source) Uses(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return s.uses[name] })
}

// Indented is the code within a class.
func (s *source) Indented() string {
	return regexp.MustCompile("(?m)^(.)").ReplaceAllString(s.Code, "    $1")
}

func newSource(r *Record) (*source, error) {
	f := &r.heuristic
	compiled, err := eval.NewCompiler(f).Compile(f.Values(), f.Dead)
	if err != nil {
		return nil, err
	}
	settings := r.config.Play()
	s := &source{
		About: r.about(), Search: settings.String(),
		Bits: compiled.Bits, Scale: exact(math.Ldexp(1, compiled.Bits)),
		Dead: number(compiled.Dead), Two: number(1 - r.Game.FourProbability),
		Four:  number(r.Game.FourProbability),
		Best:  compiled.Oriented != nil || compiled.Turns,
		Depth: settings.Rule.Fixed, Depths: depths(settings.Rule), ByDistinct: settings.Rule.ByDistinct != nil,
		LastSlot: 1<<14 - 1,
		taken:    map[string]bool{},
		uses: map[string]bool{"board distinct": settings.Rule.ByDistinct != nil,
			"board empty": settings.Rule.ByEmpty != nil},
	}
	if settings.MinProbability > 0 {
		s.Cut = number(settings.MinProbability)
	}
	if settings.Rule.Deepest() > 5 {
		s.LastSlot = 1<<16 - 1
	}
	s.Title, s.Faces, s.Inside, s.Plies = title, faces, fmt.Sprintf(inside, s.Bits), fmt.Sprintf(plies, s.Search)
	var leftOut []string
	parts := map[string][]string{}
	for i := range f.Features {
		feature := &f.Features[i]
		if feature.Weight == 0 {
			leftOut = append(leftOut, feature.Name)
			continue
		}
		if err := s.add(feature, s.unique(camel(identifier(feature.Name))), parts); err != nil {
			return nil, err
		}
	}
	if len(leftOut) > 0 {
		s.About = append(s.About, plain("Features of weight 0 are left out: "+strings.Join(leftOut, ", ")+"."))
	}
	add := func(name, doc, over string, functions ...string) *part {
		if len(functions) == 0 {
			return nil
		}
		s.Parts = append(s.Parts, &part{name, doc, name + "s", over, functions})
		return s.Parts[len(s.Parts)-1]
	}
	lines := parts["line"]
	if len(parts["row"])+len(parts["column"]) == 0 {
		s.Row = add("lineValue", "What a row (from the left) or a column (from above) is worth.", "line", lines...)
		s.Column = s.Row
	} else {
		s.Row = add("rowValue", "What a row is worth, from the left.", "row",
			append(slices.Clip(lines), parts["row"]...)...)
		s.Column = add("columnValue", "What a column is worth, from above.", "column",
			append(slices.Clip(lines), parts["column"]...)...)
	}
	s.Square = add("squareValue", "What a square of 2 x 2 neighbours is worth.", "square", parts["square"]...)
	s.Whole = compiled.Turns || len(s.Boards) > 0
	s.Quick = s.Row != nil && s.Column != nil && s.Square == nil && len(s.Cells)+len(s.Corners) == 0 && !s.Whole
	return s, nil
}

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

// unique returns the name, or the name with a number if it is taken.
func (s *source) unique(base string) string {
	name := base
	for n := 2; s.taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%sNumber%d", base, n)
	}
	s.taken[strings.ToLower(name)] = true
	return name
}

// add adds a feature by a name that is unique.
func (s *source) add(f *eval.Term, name string, parts map[string][]string) error {
	d, err := f.Define()
	if err != nil {
		return err
	}
	doc, weight := describe(f), f.Weight
	called := "feature" + strings.ToUpper(name[:1]) + name[1:]
	tile := func(rank string) string { return s.tilesTable(f, name, &d) + "[" + rank + "]" }
	switch {
	case d.Over == "board":
		p := &formula{source: s, name: name, d: &d, over: d.Over, symbols: map[string]bool{}, sums: map[string]string{}}
		for _, sum := range d.Sums {
			p.sums[sum.Name] = s.unique(camel("sum_" + name + "_" + identifier(sum.Name)))
			one := s.function(&d, name, camel("feature_"+p.sums[sum.Name]), plain(f.Name+", its sum "+sum.Name), sum.Over,
				sum.Tree, 1, math.Ldexp(1, sum.Bits-s.Bits), tile)
			s.Sums = append(s.Sums, part{Name: camel("board_" + p.sums[sum.Name]), Over: sum.Over, Functions: []string{one}})
		}
		board := function{Name: called, Doc: doc, Of: "ranks *[4][4]int",
			Value: fmt.Sprintf("rounded(%s, %s)", number(weight), p.number(d.Line, 0))}
		if d.Limit > 0 {
			s.uses["limited"] = true
			board.Value = fmt.Sprintf("limited(%s, %s, %s)", number(weight), p.number(d.Line, 0), exact(d.Limit))
		}
		board.Locals = p.locals(tile)
		s.Boards = append(s.Boards, board)
	case d.Line != nil:
		parts[d.Over] = append(parts[d.Over], s.function(&d, name, called, doc, d.Over, d.Line, weight, 1, tile))
	case d.Cells != nil:
		factors := numbers{Name: name + "Factors", Doc: "factors of the cells of " + plain(f.Name) + ", row by row"}
		for i := range 16 {
			factors.Values = append(factors.Values, number(d.Cells[i/4][i%4]))
		}
		s.Tables = append(s.Tables, &factors)
		s.Cells = append(s.Cells, cellFeature{doc, number(weight), factors.Name, s.tilesTable(f, name, &d)})
	default:
		value := s.table(numbers{Name: name + "Powers",
			Doc: plain(f.Name) + " by 16 x rank of the largest tile + rank in the corner"}, d.Corner[:])
		s.Corners = append(s.Corners, cornerFeature{doc,
			fmt.Sprintf("rounded(%s, %s[16*largest+rank])", number(weight), value), d.Cell})
	}
	return nil
}

// function adds the function of weight x formula over a part of the board, and returns its name.
// Its values are rounded to whole numbers of 2^-Bits / unit.
func (s *source) function(d *eval.Definition, name, called, doc, over string, e *eval.Expression, weight,
	unit float64, tile func(rank string) string) string {
	p := &formula{source: s, name: name, d: d, over: over, weight: math.Abs(weight) * unit, unit: unit,
		symbols: map[string]bool{}}
	line := function{Name: called, Doc: doc, Of: "line *[4]int"}
	within := 0
	if weight < 0 { // the sign stands in front, so that min and max keep their order
		line.Value, within = "-", unary
	}
	line.Value += p.sum(e, within)
	line.Locals = p.locals(tile)
	line.Packed = p.packed
	s.Functions = append(s.Functions, line)
	return called
}

// tilesTable adds the table of a feature's tiles, unless there is an equal one, and returns its
// name.
func (s *source) tilesTable(f *eval.Term, name string, d *eval.Definition) string {
	word := cmp.Or(f.Tile, eval.Face)
	t := numbers{Name: name + "Tiles", Doc: word + " of a tile, by its rank"}
	if power := f.Power; power != 0 && power != 1 {
		t.Doc = fmt.Sprintf("%s^%v of a tile, by its rank", word, power)
	} else {
		t.Name = "tile" + strings.ToUpper(word[:1]) + word[1:] + "s"
	}
	return s.table(t, d.Tile[:])
}

// table adds a table, unless there is an equal one, and returns its name.
func (s *source) table(t numbers, values []float64) string {
	for _, v := range values {
		t.Values = append(t.Values, number(v))
	}
	for _, other := range s.Tables {
		if slices.Equal(other.Values, t.Values) {
			return other.Name
		}
	}
	t.Name = s.unique(t.Name)
	s.Tables = append(s.Tables, &t)
	return t.Name
}

// camel writes a name of words with underscores as countRuns.
func camel(words string) string {
	parts := strings.Split(words, "_")
	for i, part := range parts[1:] {
		if part != "" {
			parts[i+1] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, "")
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
	name = regexp.MustCompile(`[^a-z0-9]`).ReplaceAllString(strings.ToLower(name), "_")
	if name == "" || name[0] < 'a' {
		return "feature" + name
	}
	return name
}
