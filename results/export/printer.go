package export

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// The player is written once, in templates/player.tmpl, in a part of Go that every language has:
// functions, int and float64, arrays of fixed size, if, for over a range, and assignments. A printer
// walks its syntax tree. In this part of Go
//
//   - an int fits in 31 bits, so that no language needs more for it,
//   - fixed is a value as a whole number of up to 62 bits (in JavaScript a BigInt),
//   - wide is the same within the search (in JavaScript two doubles, of the upper and the lower 32 bits,
//     which are added apart and joined once: that rounds as an int64 does),
//   - the functions of given are every language's own.

// given declares the functions and constants that languages have, or that their frames add.
const given = `package player
type fixed int64
type wide int64
func floor(x float64) float64
func root(x float64) float64
func power(x, y float64) float64
func logarithm(x float64) float64
func logarithm2(x float64) float64
func exponential(x float64) float64
func absolute(x float64) float64
func choose[T fixed | float64](condition bool, x, y T) T { return x }
`

// dialect has the forms in which a language differs from the others.
type dialect struct {
	camel, capitals bool   // names: countRuns, not count_runs; TILE_FACES of tables with numbers
	braces          bool   // blocks in braces, statements that end in a semicolon
	comment         string // begins one
	indent          string
	before          string              // before each function
	word            string              // before what never changes
	types           map[string]string   // of Go's name
	array           map[string]string   // of a global array by its elements: the format of a size
	calls           map[string]string   // of the functions of given, and of conversions, by format
	operators       map[string]string   // where they differ from C
	escape          func(string) string // of comments
	helpers         []string            // functions that are added if they are called
	declare         func(p *printer, name string, t types.Type, changes bool) string
}

func same(text string) string { return text }

var mathOf = map[string]string{"floor": "Floor", "root": "Sqrt", "power": "Pow", "logarithm": "Log", "logarithm2": "Log2", "exponential": "Exp", "absolute": "Abs"}

var dialects = map[string]*dialect{
	"c": {
		capitals: true, braces: true, comment: "//", indent: "    ", before: "static ", word: "const ", escape: same,
		types: map[string]string{"int": "int", "float64": "double", "fixed": "int64_t", "wide": "int64_t", "uint16": "uint16_t", "bool": "int"},
		calls: map[string]string{"floor": "floor(%s)", "root": "sqrt(%s)", "power": "pow(%s, %s)", "logarithm": "log(%s)", "logarithm2": "log2(%s)",
			"exponential": "exp(%s)", "absolute": "fabs(%s)", "choose": "(%s ? %s : %s)", "min": "smaller(%s, %s)", "max": "larger(%s, %s)",
			"min fixed": "fixed_smaller(%s, %s)", "max fixed": "fixed_larger(%s, %s)", "min int": "int_smaller(%s, %s)", "max int": "int_larger(%s, %s)",
			"float64": "(double)%s", "fixed": "(int64_t)%s", "uint16": "(uint16_t)%s", "true": "1", "false": "0"},
		helpers: []string{
			"static double smaller(double x, double y) { return x < y ? x : y; }",
			"static double larger(double x, double y) { return x > y ? x : y; }",
			"static int64_t fixed_smaller(int64_t x, int64_t y) { return x < y ? x : y; }",
			"static int64_t fixed_larger(int64_t x, int64_t y) { return x > y ? x : y; }",
			"static int int_smaller(int x, int y) { return x < y ? x : y; }",
			"static int int_larger(int x, int y) { return x > y ? x : y; }"},
		declare: func(p *printer, name string, t types.Type, _ bool) string { return p.cType(t, name) },
	},
	"go": {camel: true, indent: "\t", comment: "//", escape: same},
	"python": {
		capitals: true, comment: "#", indent: "    ", escape: same,
		types: map[string]string{},
		array: map[string]string{"": "[0] * (%s)"},
		calls: map[string]string{"floor": "math.floor(%s)", "root": "root(%s)", "power": "power(%s, %s)", "logarithm": "logarithm(%s)",
			"logarithm2": "logarithm2(%s)", "exponential": "math.exp(%s)", "absolute": "abs(%s)", "choose": "(%[2]s if %[1]s else %[3]s)",
			"min": "min(%s, %s)", "max": "max(%s, %s)", "fixed": "int(%s)", "/": "divide(%s, %s)", "true": "True", "false": "False"},
		operators: map[string]string{"&&": "and", "||": "or", "!": "not "},
		helpers: []string{ // not a number where there is none, which no formula uses
			"def divide(x, y):\n    return x / y if y != 0 else math.nan",
			"def power(x, y):\n    return math.nan if x < 0 or (x == 0 and y < 0) else math.pow(x, y)",
			"def root(x):\n    return math.sqrt(x) if x >= 0 else math.nan",
			"def logarithm(x):\n    return math.log(x) if x > 0 else math.nan",
			"def logarithm2(x):\n    return math.log2(x) if x > 0 else math.nan"},
		declare: func(_ *printer, name string, _ types.Type, _ bool) string { return name },
	},
	"javascript": {
		camel: true, capitals: true, braces: true, comment: "//", indent: "  ", before: "function ", escape: doc.Replace,
		types: map[string]string{},
		array: map[string]string{"int": "new Int32Array(%s)", "uint16": "new Uint16Array(%s)", "float64": "new Float64Array(%s)", "wide": "new Float64Array(2 * (%s))", "": "new Array(%s).fill(0)"},
		calls: map[string]string{"floor": "Math.floor(%s)", "root": "Math.sqrt(%s)", "power": "Math.pow(%s, %s)", "logarithm": "Math.log(%s)",
			"logarithm2": "Math.log2(%s)", "exponential": "Math.exp(%s)", "absolute": "Math.abs(%s)", "choose": "(%s ? %s : %s)",
			"min": "Math.min(%s, %s)", "max": "Math.max(%s, %s)", "min fixed": "fixedSmaller(%s, %s)", "max fixed": "fixedLarger(%s, %s)",
			"fixed": "BigInt(%s)", "float64 fixed": "Number(%s)"},
		operators: map[string]string{"==": "===", "!=": "!=="},
		helpers:   []string{"function fixedSmaller(x, y) {\n  return x < y ? x : y;\n}", "function fixedLarger(x, y) {\n  return x > y ? x : y;\n}"},
		declare: func(_ *printer, name string, _ types.Type, changes bool) string {
			if changes {
				return "let " + name
			}
			return "const " + name
		},
	},
	"java": {
		camel: true, capitals: true, braces: true, comment: "//", indent: "    ", before: "private static ", word: "final ", escape: doc.Replace,
		types: map[string]string{"int": "int", "float64": "double", "fixed": "long", "wide": "long", "uint16": "char", "bool": "boolean"},
		calls: map[string]string{"floor": "Math.floor(%s)", "root": "Math.sqrt(%s)", "power": "Math.pow(%s, %s)", "logarithm": "Math.log(%s)",
			"logarithm2": "logarithm2(%s)", "exponential": "Math.exp(%s)", "absolute": "Math.abs(%s)", "choose": "(%s ? %s : %s)",
			"min": "Math.min(%s, %s)", "max": "Math.max(%s, %s)", "float64": "(double) %s", "fixed": "(long) %s", "uint16": "(char) %s"},
		helpers: []string{"private static double logarithm2(double x) {\n    int exponent = Math.getExponent(x); // exact for powers of 2\n" +
			"    return exponent + Math.log(Math.scalb(x, -exponent)) / Math.log(2);\n}"},
		declare: func(p *printer, name string, t types.Type, _ bool) string {
			at := t
			brackets := ""
			for a, is := at.(*types.Array); is; a, is = at.(*types.Array) {
				at, brackets = a.Elem(), brackets+"[]"
			}
			return p.types[typeName(at)] + brackets + " " + name
		},
	},
}

// name writes a name as the language does.
func (l *dialect) name(camel string) string {
	if l.camel {
		return camel
	}
	return strings.ToLower(wordBreak.ReplaceAllString(camel, "${1}_$2"))
}

var wordBreak = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// printer prints the player in a language.
type printer struct {
	*dialect
	files          *token.FileSet
	info           types.Info
	scope          *types.Scope
	comments       []*ast.Comment // that are not printed yet
	changed        map[types.Object]bool
	constant       map[types.Object]bool
	behindFunction bool
	guarded        bool // where a formula may divide by 0
	out            strings.Builder
	depth          int
}

// printed returns the player's code in a language, without the file's frame.
func printed(code, language string) (string, error) {
	l := dialects[language]
	if language == "go" {
		text, err := format.Source([]byte(code))
		text = regexp.MustCompile(`\b(floor|root|power|logarithm2?|exponential|absolute)\(`).ReplaceAllFunc(text, func(call []byte) []byte {
			return []byte("math." + mathOf[string(bytes.TrimSuffix(call, []byte("(")))] + "(")
		})
		_, body, _ := strings.Cut(string(text), "package player\n")
		return body, err
	}
	p := &printer{dialect: l, files: token.NewFileSet(), changed: map[types.Object]bool{}, constant: map[types.Object]bool{},
		info: types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}}
	file, err := parser.ParseFile(p.files, "player.go", code, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	known, err := parser.ParseFile(p.files, "given.go", given, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	config := types.Config{}
	pkg, err := config.Check("player", p.files, []*ast.File{known, file}, &p.info)
	if err != nil {
		return "", err
	}
	p.scope = pkg.Scope()
	for _, group := range file.Comments {
		p.comments = append(p.comments, group.List...)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				if id, is := to.(*ast.Ident); is && n.Tok != token.DEFINE {
					p.changed[p.info.Uses[id]] = true
				}
			}
		case *ast.IncDecStmt:
			if id, is := n.X.(*ast.Ident); is {
				p.changed[p.info.Uses[id]] = true
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				p.constant[p.info.Defs[id]] = n.Values != nil && p.info.Defs[id].Parent() == p.scope
			}
		}
		return true
	})
	for _, d := range file.Decls {
		p.declaration(d)
	}
	text := p.out.String()
	for _, helper := range slices.Backward(l.helpers) {
		head, _, _ := strings.Cut(helper, "(")
		if words := strings.Fields(head); regexp.MustCompile(`\b` + words[len(words)-1] + `\(`).MatchString(text) {
			text = helper + "\n\n" + text
		}
	}
	return strings.TrimSpace(text) + "\n", nil
}

// line writes a line, broken behind an operator or a comma if it is long.
func (p *printer) line(text string) {
	indent := strings.Repeat(p.indent, p.depth)
	for len(indent)+len(text) > 110 {
		depth, at := 0, 0
		for i := 0; i < 105-len(indent) || at == 0 && i < len(text); i++ {
			switch text[i] {
			case '(', '[':
				depth++
			case ')', ']':
				depth--
			case ' ':
				if i > 20 && (p.braces || depth > 0) && strings.ContainsAny(text[i-1:i], "+|&,?:d") && !strings.HasSuffix(text[:i], "else") && (text[i-1] != 'd' || strings.HasSuffix(text[:i], " and")) {
					at = i
				}
			}
		}
		if at == 0 {
			break
		}
		p.out.WriteString(indent + text[:at] + "\n")
		text = "        " + text[at+1:]
	}
	p.out.WriteString(indent + text + "\n")
}

// commentsBefore writes the comments that stand before a place.
func (p *printer) commentsBefore(at token.Pos) {
	for len(p.comments) > 0 && p.comments[0].Pos() < at {
		p.out.WriteString(strings.Repeat(p.indent, p.depth) + p.comment + p.escape(strings.TrimPrefix(p.comments[0].Text, "//")) + "\n")
		p.comments = p.comments[1:]
	}
}

// commentBehind adds the comment behind a place to its line, which is written last.
func (p *printer) commentBehind(at token.Pos) {
	if len(p.comments) > 0 && p.files.Position(p.comments[0].Pos()).Line == p.files.Position(at).Line {
		text := strings.TrimSuffix(p.out.String(), "\n")
		p.out.Reset()
		p.out.WriteString(text + " " + p.space() + p.comment + p.escape(strings.TrimPrefix(p.comments[0].Text, "//")) + "\n")
		p.comments = p.comments[1:]
	}
}

func (p *printer) space() string {
	if p.braces {
		return ""
	}
	return " "
}

func (p *printer) declaration(d ast.Decl) {
	_, isFunction := d.(*ast.FuncDecl)
	if isFunction || len(p.comments) > 0 && p.comments[0].Pos() < d.Pos() || p.behindFunction {
		p.out.WriteString("\n")
	}
	p.behindFunction = isFunction
	p.commentsBefore(d.Pos())
	switch d := d.(type) {
	case *ast.FuncDecl:
		p.function(d)
	case *ast.GenDecl:
		spec := d.Specs[0].(*ast.ValueSpec)
		object := p.info.Defs[spec.Names[0]]
		name, t := p.ident(object), object.Type()
		declared := p.declare(p, name, t, p.changed[object])
		if strings.HasSuffix(p.before, "static ") {
			if p.constant[object] {
				declared = p.word + declared
			}
			declared = p.before + declared
		}
		end := p.end()
		switch array, isArray := t.(*types.Array); {
		case spec.Values != nil && isArray:
			list := spec.Values[0].(*ast.CompositeLit)
			open, shut := "{", "}"
			if p.types["int"] == "" {
				open, shut = "[", "]"
			}
			p.line(declared + " = " + open)
			var values []string
			for _, v := range list.Elts {
				values = append(values, p.expr(v))
			}
			inner := p.indent + strings.Repeat(p.indent, p.depth)
			p.out.WriteString(inner + wrap(inner, strings.Join(values, ", ")) + "\n")
			p.line(shut + end)
		case spec.Values != nil:
			p.line(declared + " = " + p.expr(spec.Values[0]) + end)
		case p.array != nil:
			p.line(declared + " = " + p.zero(t) + end)
		case isArray && p.before != "static ": // Java
			p.line(fmt.Sprintf("%s = new %s[%s]%s", declared, p.types[typeName(array.Elem())], p.size(spec.Type, array), end))
		case isArray:
			p.line(p.before + p.types[typeName(array.Elem())] + " " + name + "[" + p.size(spec.Type, array) + "]" + end)
		default:
			p.line(declared + end)
		}
		p.commentBehind(d.End())
	}
}

// size returns the size of an array.
func (p *printer) size(_ ast.Expr, a *types.Array) string { return fmt.Sprint(a.Len()) }

func (p *printer) end() string {
	if p.braces {
		return ";"
	}
	return ""
}

// zero returns a zero value in JavaScript and Python.
func (p *printer) zero(t types.Type) string {
	switch a, isArray := t.(*types.Array); {
	case isArray && typeName(a.Elem()) == "":
		if p.braces {
			return "[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]"
		}
		return "[[0] * 4 for _ in range(4)]"
	case isArray && a.Len() <= 4 && p.braces:
		return "[0, 0, 0, 0]"
	case isArray:
		return fmt.Sprintf(cmp.Or(p.array[typeName(a.Elem())], p.array[""]), fmt.Sprint(a.Len()))
	case typeName(t) == "bool":
		return cmp.Or(p.calls["false"], "false")
	case typeName(t) == "float64":
		return "0.0"
	case typeName(t) == "fixed" && p.camel:
		return "0n"
	}
	return "0"
}

// typeName returns the name of a type without arrays and pointers, or "".
func typeName(t types.Type) string {
	switch t := t.(type) {
	case *types.Basic:
		return strings.TrimPrefix(t.Name(), "untyped ")
	case *types.Named:
		return t.Obj().Name()
	}
	return ""
}

// cType returns a declaration in C.
func (p *printer) cType(t types.Type, name string) string {
	for a, is := t.(*types.Array); is; a, is = t.(*types.Array) {
		t, name = a.Elem(), fmt.Sprintf("%s[%d]", name, a.Len())
	}
	return p.types[typeName(t)] + " " + name
}

func (p *printer) function(f *ast.FuncDecl) {
	signature := p.info.Defs[f.Name].Type().(*types.Signature)
	p.guarded = strings.HasPrefix(f.Name.Name, "feature") || strings.HasPrefix(f.Name.Name, "sum")
	var parameters, unused []string
	for v := range signature.Params().Variables() {
		t := v.Type()
		if pointer, is := t.(*types.Pointer); is {
			t = pointer.Elem()
		}
		switch name := p.ident(v); {
		case p.types["int"] == "":
			parameters = append(parameters, name)
		case p.before == "static " && v.Name() == "board":
			parameters = append(parameters, "const "+p.declare(p, name, t, false))
		default:
			parameters = append(parameters, p.declare(p, name, t, false))
		}
		if used := slices.Contains(slices.Collect(maps.Values(p.info.Uses)), types.Object(v)); !used {
			unused = append(unused, p.ident(v))
		}
	}
	result := ""
	if p.types["int"] != "" {
		result = "void "
		if signature.Results().Len() > 0 {
			result = p.types[typeName(signature.Results().At(0).Type())] + " "
		}
	}
	list := strings.Join(parameters, ", ")
	if p.before == "static " {
		list = cmp.Or(list, "void")
	}
	head := fmt.Sprintf("%s%s%s(%s)", p.before, result, p.ident(p.info.Defs[f.Name]), list)
	if !p.braces {
		p.line("def " + head + ":")
		written := map[string]bool{}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if a, is := n.(*ast.AssignStmt); is && a.Tok != token.DEFINE {
				if id, is := a.Lhs[0].(*ast.Ident); is && p.info.Uses[id].Parent() == p.scope {
					written[p.ident(p.info.Uses[id])] = true
				}
			}
			return true
		})
		if len(written) > 0 {
			p.depth++
			p.line("global " + strings.Join(slices.Sorted(maps.Keys(written)), ", "))
			p.depth--
		}
	} else {
		p.line(head + " {")
	}
	p.depth++
	for _, name := range unused {
		if p.before == "static " {
			p.line("(void)" + name + ";")
		}
	}
	p.depth--
	p.block(f.Body)
	if p.braces {
		p.line("}")
	}
}

func (p *printer) block(b *ast.BlockStmt) {
	p.depth++
	for _, s := range b.List {
		p.commentsBefore(s.Pos())
		p.statement(s)
	}
	p.commentsBefore(b.Rbrace)
	p.depth--
}

func (p *printer) statement(s ast.Stmt) {
	end := p.end()
	switch s := s.(type) {
	case *ast.AssignStmt:
		for i, to := range s.Lhs {
			p.assign(to, s.Tok, s.Rhs[i])
		}
		p.commentBehind(s.End())
	case *ast.DeclStmt:
		spec := s.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
		v := p.info.Defs[spec.Names[0]]
		name := p.ident(v)
		array, isArray := v.Type().(*types.Array)
		switch {
		case p.split(v.Type()):
			p.line(fmt.Sprintf("let %sHigh = 0, %sLow = 0;", name, name))
		case p.array != nil:
			p.line(p.declare(p, name, v.Type(), p.changed[v]) + " = " + p.zero(v.Type()) + end)
		case isArray && p.before == "static ":
			p.line(p.cType(array, name) + " = {0};")
		case isArray && typeName(array.Elem()) == "":
			p.line(p.declare(p, name, array, true) + " = new int[4][4];")
		case isArray:
			p.line(p.declare(p, name, array, true) + fmt.Sprintf(" = new int[%d];", array.Len()))
		default:
			p.line(p.declare(p, name, v.Type(), true) + " = 0;")
		}
		p.commentBehind(s.End())
	case *ast.IncDecStmt:
		if p.braces {
			p.line(p.expr(s.X) + s.Tok.String() + end)
		} else {
			p.line(p.expr(s.X) + " += 1")
		}
	case *ast.ExprStmt:
		p.line(p.expr(s.X) + end)
	case *ast.ReturnStmt:
		text := "return"
		if len(s.Results) > 0 {
			text += " " + p.expr(s.Results[0])
		}
		p.line(text + end)
		p.commentBehind(s.End())
	case *ast.IfStmt:
		p.conditional("if ", s)
	case *ast.ForStmt:
		p.loop("while", p.expr(s.Cond), s.Body)
	case *ast.RangeStmt:
		name, n := p.ident(p.info.Defs[s.Key.(*ast.Ident)]), p.expr(s.X)
		switch {
		case !p.braces:
			p.loop("for "+name+" in", "range("+n+")", s.Body)
		case p.types["int"] == "":
			p.loop("for", fmt.Sprintf("let %s = 0; %s < %s; %s++", name, name, n, name), s.Body)
		default:
			p.loop("for", fmt.Sprintf("int %s = 0; %s < %s; %s++", name, name, n, name), s.Body)
		}
	default:
		panic(fmt.Sprintf("export: no printer of a %T", s))
	}
}

func (p *printer) loop(word, head string, body *ast.BlockStmt) {
	if p.braces {
		p.line(word + " (" + head + ") {")
	} else {
		p.line(word + " " + head + ":")
	}
	p.commentBehind(body.Lbrace)
	p.block(body)
	if p.braces {
		p.line("}")
	}
}

func (p *printer) conditional(word string, s *ast.IfStmt) {
	open, shut := ":", ""
	condition := p.expr(s.Cond)
	if p.braces {
		open, shut, condition = " {", "} ", "("+condition+")"
	}
	p.line(word + condition + open)
	p.commentBehind(s.Body.Lbrace)
	p.block(s.Body)
	switch other := s.Else.(type) {
	case *ast.IfStmt:
		if p.braces {
			p.conditional("} else if ", other)
		} else {
			p.conditional("elif ", other)
		}
		return
	case *ast.BlockStmt:
		p.line(shut + "else" + open)
		p.block(other)
	}
	if p.braces {
		p.line("}")
	}
}

// assign writes an assignment or a declaration with a value.
func (p *printer) assign(to ast.Expr, operator token.Token, value ast.Expr) {
	end := p.end()
	op := operator.String()
	if operator != token.DEFINE {
		if p.split(p.info.TypeOf(to)) {
			for _, half := range halves {
				p.line(p.half(to, half) + " " + op + " " + p.half(value, half) + end)
			}
			return
		}
		text := p.expr(value)
		if isFloat := typeName(p.info.TypeOf(to)) == "float64"; isFloat && p.info.Types[value].Value == nil {
			text = p.expr(value)
		}
		p.line(p.expr(to) + " " + op + " " + text + end)
		return
	}
	v := p.info.Defs[to.(*ast.Ident)]
	name := p.ident(v)
	if p.split(v.Type()) {
		for _, half := range halves {
			p.line(p.declare(p, name+half, v.Type(), p.changed[v]) + " = " + p.half(value, half) + end)
		}
		return
	}
	p.line(p.declare(p, name, v.Type(), p.changed[v]) + " = " + p.expr(value) + end)
}

// halves are the suffixes of a wide value's two doubles.
var halves = []string{"High", "Low"}

// split reports whether values of a type are two doubles.
func (p *printer) split(t types.Type) bool {
	return typeName(t) == "wide" && p.array["wide"] != ""
}

// half writes the upper or the lower half of a wide expression.
func (p *printer) half(e ast.Expr, half string) string {
	switch e := e.(type) {
	case *ast.Ident:
		return p.expr(e) + half
	case *ast.ParenExpr:
		return "(" + p.half(e.X, half) + ")"
	case *ast.IndexExpr:
		index := p.operand(e.Index, token.MUL, false)
		if half == "High" {
			return p.expr(e.X) + "[2 * " + index + "]"
		}
		return p.expr(e.X) + "[2 * " + index + " + 1]"
	case *ast.BinaryExpr:
		return p.half(e.X, half) + " " + e.Op.String() + " " + p.half(e.Y, half)
	case *ast.CallExpr: // of a fixed
		value := p.expr(e.Args[0])
		if half == "High" {
			return "Number((" + value + ") >> 32n)"
		}
		return "Number((" + value + ") & 0xffffffffn)"
	}
	panic(fmt.Sprintf("export: no half of a %T", e))
}

// ident writes the name of an object.
func (p *printer) ident(o types.Object) string {
	if o.Parent() == p.scope && p.constant[o] && p.capitals {
		return strings.ToUpper(wordBreak.ReplaceAllString(o.Name(), "${1}_$2"))
	}
	return p.name(o.Name())
}

// expr writes an expression.
func (p *printer) expr(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Value
	case *ast.Ident:
		if e.Name == "true" || e.Name == "false" {
			return cmp.Or(p.calls[e.Name], e.Name)
		}
		return p.ident(p.info.ObjectOf(e))
	case *ast.ParenExpr:
		return p.expr(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return p.expr(e.X)
		}
		return cmp.Or(p.operators[e.Op.String()], e.Op.String()) + p.operand(e.X, e.Op, true)
	case *ast.IndexExpr:
		return p.expr(e.X) + "[" + p.expr(e.Index) + "]"
	case *ast.CompositeLit:
		var values []string
		for _, v := range e.Elts {
			values = append(values, p.expr(v))
		}
		if p.types["int"] == "" {
			return "[" + strings.Join(values, ", ") + "]"
		}
		return "{" + strings.Join(values, ", ") + "}"
	case *ast.BinaryExpr:
		op := cmp.Or(p.operators[e.Op.String()], e.Op.String())
		if format := p.calls["/"]; format != "" && op == "/" && p.guarded {
			return fmt.Sprintf(format, p.expr(e.X), p.expr(e.Y))
		}
		if p.split(p.info.TypeOf(e.X)) { // a comparison
			return fmt.Sprintf("(%s - %s) * 4294967296 + (%s - %s) %s 0", p.half(e.X, "High"), p.half(e.Y, "High"), p.half(e.X, "Low"), p.half(e.Y, "Low"), op)
		}
		return p.operand(e.X, e.Op, false) + " " + op + " " + p.operand(e.Y, e.Op, true)
	case *ast.CallExpr:
		return p.call(e)
	}
	panic(fmt.Sprintf("export: no printer of a %T", e))
}

// operand writes an operand, in parentheses if a reader or a language may need them.
func (p *printer) operand(e ast.Expr, within token.Token, second bool) string {
	text := p.expr(e)
	for {
		inner, is := e.(*ast.ParenExpr)
		if call, isCall := e.(*ast.CallExpr); isCall && p.dropped(call) {
			e = call.Args[0]
			continue
		} else if !is {
			break
		}
		e = inner.X
	}
	b, is := e.(*ast.BinaryExpr)
	if _, isUnary := e.(*ast.UnaryExpr); isUnary && second && within != token.LAND && within != token.LOR && strings.HasPrefix(text, "-") {
		return "(" + text + ")"
	}
	if call, isCall := e.(*ast.CallExpr); isCall && strings.HasPrefix(text, "(") && !p.dropped(call) && second && within == token.SUB {
		return text
	}
	if !is || p.calls["/"] != "" && b.Op == token.QUO && p.guarded {
		return text
	}
	arithmetic := func(t token.Token) bool { return t == token.ADD || t == token.SUB || t == token.MUL || t == token.QUO }
	logical := func(t token.Token) bool { return t == token.LAND || t == token.LOR }
	comparison := func(t token.Token) bool {
		return t >= token.EQL && t <= token.GTR || t == token.NEQ || t == token.LEQ || t == token.GEQ
	}
	switch {
	case b.Op == within && !second && !comparison(within):
		return text
	case b.Op == within && (within == token.AND || within == token.OR || logical(within)):
		return text
	case arithmetic(within) && arithmetic(b.Op) && (b.Op.Precedence() > within.Precedence() || b.Op.Precedence() == within.Precedence() && !second):
		return text
	case comparison(within) && arithmetic(b.Op), logical(within) && comparison(b.Op):
		return text
	}
	return "(" + text + ")"
}

// dropped reports whether a call is a conversion that the language does without.
func (p *printer) dropped(call *ast.CallExpr) bool {
	if !p.info.Types[call.Fun].IsType() {
		return false
	}
	from, to := typeName(p.info.TypeOf(call.Args[0])), typeName(p.info.TypeOf(call.Fun))
	return !p.split(p.info.TypeOf(call.Args[0])) && (from == to || to == "int" || p.conversion(from, to) == "")
}

func (p *printer) conversion(from, to string) string {
	if format := p.calls[to+" "+from]; format != "" {
		return format
	}
	if p.array["wide"] != "" && to == "float64" {
		return ""
	}
	return p.calls[to]
}

func (p *printer) call(call *ast.CallExpr) string {
	if p.info.Types[call.Fun].IsType() {
		x := call.Args[0]
		if p.split(p.info.TypeOf(x)) {
			high, low := p.half(x, "High"), p.half(x, "Low")
			if _, simple := x.(*ast.Ident); !simple {
				high, low = "("+high+")", "("+low+")"
			}
			return "(" + high + " * 4294967296 + " + low + ")"
		}
		if p.calls["float64 fixed"] != "" && p.info.Types[x].Value != nil {
			return p.expr(x) + "n"
		}
		if p.dropped(call) {
			return p.expr(x)
		}
		format := p.conversion(typeName(p.info.TypeOf(x)), typeName(p.info.TypeOf(call.Fun)))
		text := p.expr(x)
		if _, simple := x.(*ast.BinaryExpr); simple && strings.HasPrefix(format, "(") {
			text = "(" + text + ")"
		}
		return fmt.Sprintf(format, text)
	}
	name := call.Fun.(*ast.Ident).Name
	var arguments []any
	var texts []string
	for _, a := range call.Args {
		text := p.expr(a)
		arguments, texts = append(arguments, text), append(texts, text)
	}
	t := typeName(p.info.TypeOf(call))
	if format := cmp.Or(p.calls[name+" "+t], p.calls[name]); format != "" {
		return fmt.Sprintf(format, arguments...)
	}
	return p.ident(p.info.ObjectOf(call.Fun.(*ast.Ident))) + "(" + strings.Join(texts, ", ") + ")"
}
