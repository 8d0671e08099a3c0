package export

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// The player is written once, in templates/player.tmpl, in a part of Go that every language has:
// functions, arrays of fixed size, if, for over a range, and assignments. A printer walks its
// syntax tree. In this part of Go
//
//   - an int fits in 31 bits, so that no language needs more for it,
//   - fixed is a value as a whole number of up to 62 bits (in JavaScript a BigInt),
//   - wide is the same within the search (in JavaScript two doubles, of the upper and the lower 32
//     bits, which are added apart and joined once: that rounds as an int64 does),
//   - the functions of given are every language's own.
const given = `package player
type fixed int64
type wide int64
func floor(x float64) float64
func sqrt(x float64) float64
func pow(x, y float64) float64
func log(x float64) float64
func log2(x float64) float64
func exp(x float64) float64
func abs(x float64) float64
func choose[T fixed | float64](condition bool, x, y T) T { return x }
`

// printer prints the player in a language.
type printer struct {
	*dialect
	files    *token.FileSet
	info     types.Info
	scope    *types.Scope
	comments []*ast.Comment        // that are not printed yet
	changed  map[types.Object]bool // by an assignment
	constant map[types.Object]bool // of the file, with a value
	dividing bool                  // in a formula, which may divide by 0
	apart    bool                  // the next declaration stands apart
	depth    int
	lines    []string
}

// printed returns the player's code in a language, without the file's frame.
func printed(code, language string) (string, error) {
	if language == "go" {
		_, body, _ := strings.Cut(code, "package player\n")
		return body, nil
	}
	p := &printer{dialect: dialects[language], files: token.NewFileSet(), changed: map[types.Object]bool{},
		constant: map[types.Object]bool{},
		info: types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
			Uses: map[*ast.Ident]types.Object{}}}
	var files []*ast.File
	for _, text := range []string{given, code} {
		file, err := parser.ParseFile(p.files, "player.go", text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return "", err
		}
		files = append(files, file)
	}
	pkg, err := new(types.Config).Check("player", p.files, files, &p.info)
	if err != nil {
		return "", err
	}
	p.scope = pkg.Scope()
	file := files[1]
	for _, group := range file.Comments {
		p.comments = append(p.comments, group.List...)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				p.changed[p.variable(to)] = true
			}
		case *ast.IncDecStmt:
			p.changed[p.variable(n.X)] = true
		case *ast.ValueSpec:
			o := p.info.Defs[n.Names[0]]
			p.constant[o] = n.Values != nil && o.Parent() == p.scope
		}
		return true
	})
	for _, d := range file.Decls {
		p.declaration(d)
	}
	text := strings.Join(p.lines, "\n")
	for _, helper := range slices.Backward(p.helpers) {
		name := regexp.MustCompile(`(\w+)(\(| = \()`).FindStringSubmatch(helper)[1]
		if regexp.MustCompile(`(^|[^.\w])` + name + `\(`).MatchString(text) {
			text = helper + "\n" + text
		}
	}
	return strings.TrimSpace(text) + "\n", nil
}

// variable returns the variable that an expression names, or nil.
func (p *printer) variable(e ast.Expr) types.Object {
	id, _ := e.(*ast.Ident)
	return p.info.Uses[id]
}

// line writes a line.
func (p *printer) line(text string) {
	p.lines = append(p.lines, strings.Repeat(p.indent, p.depth)+text)
}

// nextComment takes the next comment.
func (p *printer) nextComment() string {
	text := p.comments[0].Text[2:]
	p.comments = p.comments[1:]
	if p.html {
		text = doc.Replace(text)
	}
	return p.comment + text
}

// commentsBefore writes the comments that stand before a place.
func (p *printer) commentsBefore(at token.Pos) {
	for len(p.comments) > 0 && p.comments[0].Pos() < at {
		p.lines = append(p.lines, strings.Repeat(p.indent, p.depth)+p.nextComment())
	}
}

// commentBehind adds the comment behind a place to its line, which is the last one.
func (p *printer) commentBehind(at token.Pos) {
	if len(p.comments) > 0 && p.files.Position(p.comments[0].Pos()).Line == p.files.Position(at).Line {
		p.lines[len(p.lines)-1] += p.gap + p.nextComment()
	}
}

func (p *printer) declaration(d ast.Decl) {
	f, isFunction := d.(*ast.FuncDecl)
	if isFunction || p.apart || len(p.comments) > 0 && p.comments[0].Pos() < d.Pos() {
		p.lines = append(p.lines, "")
	}
	p.apart = isFunction
	p.commentsBefore(d.Pos())
	if isFunction {
		p.function(f)
	} else {
		p.declare(d.(*ast.GenDecl))
		p.commentBehind(d.End())
	}
}

// declare declares a variable with its value.
func (p *printer) declare(d *ast.GenDecl) {
	spec := d.Specs[0].(*ast.ValueSpec)
	o := p.info.Defs[spec.Names[0]]
	before, value := "", p.zero(o.Type())
	if p.types != nil && o.Parent() == p.scope {
		if before = p.before; p.constant[o] {
			before += p.fixed
		}
	}
	if spec.Values != nil {
		value = p.expr(spec.Values[0])
	}
	for _, half := range p.halves(o.Type()) {
		p.line(before + p.declared(o, half, o.Type()) + " = " + value + p.end)
	}
}

// declared returns a variable with its type.
func (p *printer) declared(o types.Object, half string, t types.Type) string {
	name, brackets := p.ident(o)+half, ""
	for a, is := t.(*types.Array); is; a, is = t.(*types.Array) {
		t = a.Elem()
		if p.arrays == nil {
			name += fmt.Sprintf("[%d]", a.Len())
		} else {
			brackets += "[]"
		}
	}
	switch {
	case p.types != nil:
		return p.types[typeName(t)] + brackets + " " + name
	case p.end == "":
		return name
	case p.changed[o]:
		return "let " + name
	}
	return "const " + name
}

// zero returns a zero value.
func (p *printer) zero(t types.Type) string {
	a, isArray := t.(*types.Array)
	switch name := typeName(t); {
	case isArray && p.arrays == nil:
		return "{0}"
	case isArray:
		return strings.Replace(cmp.Or(p.arrays[typeName(a.Elem())], p.arrays["any"]), "%d", fmt.Sprint(a.Len()), 1)
	case name == "bool":
		return cmp.Or(p.calls["false"], "false")
	case name == "float64":
		return "0.0"
	case name == "fixed" && p.split:
		return "0n"
	}
	return "0"
}

// typeName returns the name of a type, "array" for an array.
func typeName(t types.Type) string {
	switch t := t.(type) {
	case *types.Basic:
		return t.Name()
	case *types.Named:
		return t.Obj().Name()
	}
	return "array"
}

func (p *printer) function(f *ast.FuncDecl) {
	p.dividing = strings.HasPrefix(f.Name.Name, "feature")
	used := map[types.Object]bool{}
	var parameters, first []string
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			used[p.info.Uses[n]] = true
		case *ast.AssignStmt:
			if o := p.variable(n.Lhs[0]); p.end == "" && o != nil && o.Parent() == p.scope {
				if global := "global " + p.ident(o); !slices.Contains(first, global) {
					first = append(first, global)
				}
			}
		}
		return true
	})
	signature := p.info.Defs[f.Name].Type().(*types.Signature)
	for v := range signature.Params().Variables() {
		t, text := v.Type(), p.ident(v)
		if pointer, is := t.(*types.Pointer); is {
			t = pointer.Elem()
		}
		if p.types != nil {
			text = p.declared(v, "", t)
		}
		if p.arrays == nil && v.Name() == "board" {
			text = "const " + text
		}
		if parameters = append(parameters, text); p.arrays == nil && !used[v] {
			first = append(first, "(void)"+p.ident(v)+";")
		}
	}
	list, head := strings.Join(parameters, ", "), p.before
	if p.arrays == nil {
		list = cmp.Or(list, "void")
	}
	if results := signature.Results(); p.types != nil && results.Len() > 0 {
		head += p.types[typeName(results.At(0).Type())] + " "
	} else if p.types != nil {
		head += "void "
	}
	p.block(fmt.Sprintf("%s%s(%s)", head, p.ident(p.info.Defs[f.Name]), list), f.Body, first...)
}

// block writes a head, and the statements of a block after some lines.
func (p *printer) block(head string, b *ast.BlockStmt, first ...string) {
	open := ":"
	if p.end != "" {
		open = " {"
	}
	p.line(head + open)
	p.commentBehind(b.Lbrace)
	p.depth++
	for _, line := range first {
		p.line(line)
	}
	for _, s := range b.List {
		p.commentsBefore(s.Pos())
		p.statement(s)
		p.commentBehind(s.End())
	}
	p.depth--
	if p.end != "" {
		p.line("}")
	}
}

func (p *printer) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		for i, to := range s.Lhs {
			p.assign(to, s.Tok, s.Rhs[i])
		}
	case *ast.DeclStmt:
		p.declare(s.Decl.(*ast.GenDecl))
	case *ast.IncDecStmt:
		p.line(p.expr(s.X) + " += 1" + p.end)
	case *ast.ExprStmt:
		p.line(p.expr(s.X) + p.end)
	case *ast.ReturnStmt:
		p.line(strings.TrimSpace("return "+strings.Join(p.list(s.Results), "")) + p.end)
	case *ast.IfStmt:
		condition := p.expr(s.Cond)
		if p.end != "" {
			condition = "(" + condition + ")"
		}
		p.block("if "+condition, s.Body)
		if other, is := s.Else.(*ast.BlockStmt); is {
			p.block("else", other)
		}
	case *ast.RangeStmt:
		name := p.ident(p.info.Defs[s.Key.(*ast.Ident)])
		p.block(strings.NewReplacer("NAME", name, "LAST", p.expr(s.X)).Replace(p.loop), s.Body)
	default:
		panic(fmt.Sprintf("export: no printer of a %T", s))
	}
}

// assign writes an assignment, or a declaration with a value.
func (p *printer) assign(to ast.Expr, operator token.Token, value ast.Expr) {
	for _, half := range p.halves(p.info.TypeOf(to)) {
		if operator == token.DEFINE {
			o := p.info.Defs[to.(*ast.Ident)]
			p.line(p.declared(o, half, o.Type()) + " = " + p.half(value, half) + p.end)
		} else {
			p.line(p.half(to, half) + " " + operator.String() + " " + p.half(value, half) + p.end)
		}
	}
}

// halves are the suffixes of the variables that hold a value of a type.
func (p *printer) halves(t types.Type) []string {
	if p.split && typeName(t) == "wide" {
		return []string{"High", "Low"}
	}
	return []string{""}
}

// half writes an expression, of a wide one its upper or lower half.
func (p *printer) half(e ast.Expr, half string) string {
	if half == "" {
		return p.expr(e)
	}
	switch e := e.(type) {
	case *ast.Ident:
		return p.expr(e) + half
	case *ast.IndexExpr:
		index := p.expr(e.X) + "[2 * " + p.operand(&ast.ParenExpr{X: e.Index}, token.MUL)
		if half == "Low" {
			index += " + 1"
		}
		return index + "]"
	case *ast.BinaryExpr:
		return p.half(e.X, half) + " " + e.Op.String() + " " + p.half(e.Y, half)
	case *ast.CallExpr: // of a fixed
		if half == "High" {
			return "Number((" + p.expr(e.Args[0]) + ") >> 32n)"
		}
		return "Number((" + p.expr(e.Args[0]) + ") & 0xffffffffn)"
	}
	panic(fmt.Sprintf("export: no half of a %T", e))
}

var wordBreak = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// ident writes the name of an object.
func (p *printer) ident(o types.Object) string {
	words := wordBreak.ReplaceAllString(o.Name(), "${1}_$2")
	switch {
	case p.constant[o]:
		return strings.ToUpper(words)
	case p.camel:
		return o.Name()
	}
	return strings.ToLower(words)
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
		return cmp.Or(p.operators[e.Op.String()], e.Op.String()) + p.operand(e.X, e.Op)
	case *ast.IndexExpr:
		return p.expr(e.X) + "[" + p.expr(e.Index) + "]"
	case *ast.CompositeLit:
		values, open, shut := p.list(e.Elts), "{", "}"
		if p.types == nil {
			open, shut = "[", "]"
		}
		if len(values) > 4 {
			return open + "\n" + p.indent + wrap(p.indent, strings.Join(values, ", ")) + "\n" + shut
		}
		return open + strings.Join(values, ", ") + shut
	case *ast.BinaryExpr:
		op := e.Op.String()
		if p.divides(e) {
			return fmt.Sprintf(p.calls["/"], p.expr(e.X), p.expr(e.Y))
		}
		if len(p.halves(p.info.TypeOf(e.X))) > 1 { // a comparison
			return fmt.Sprintf("(%s - %s) * 4294967296 + (%s - %s) %s 0", p.half(e.X, "High"), p.half(e.Y, "High"),
				p.half(e.X, "Low"), p.half(e.Y, "Low"), op)
		}
		return p.operand(e.X, e.Op) + " " + cmp.Or(p.operators[op], op) + " " + p.operand(e.Y, e.Op)
	case *ast.CallExpr:
		return p.call(e)
	}
	panic(fmt.Sprintf("export: no printer of a %T", e))
}

func (p *printer) list(all []ast.Expr) (texts []string) {
	for _, e := range all {
		texts = append(texts, p.expr(e))
	}
	return texts
}

// divides reports whether an expression is a division that a function guards.
func (p *printer) divides(e *ast.BinaryExpr) bool {
	return p.dividing && e.Op == token.QUO && p.calls["/"] != ""
}

// operand writes an operand. Arithmetic and comparisons bind alike in all languages, and keep the
// parentheses of the source. Bits and logic are always in parentheses.
func (p *printer) operand(e ast.Expr, within token.Token) string {
	text := p.expr(e)
	call, isCall := e.(*ast.CallExpr)
	inner, grouped := e.(*ast.ParenExpr)
	if grouped {
		e = inner.X
	} else if isCall && p.conversion(call) == "%s" {
		e, grouped = call.Args[0], true
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		grouped = grouped && text[0] == '-'
	case *ast.BinaryExpr:
		mixes := func(t token.Token) bool {
			return t >= token.AND && t <= token.SHR || t == token.LAND ||
				t == token.LOR
		}
		comparison := e.Op.Precedence() == token.EQL.Precedence()
		grouped = !p.divides(e) && (grouped || e.Op != within && (mixes(e.Op) || mixes(within) && !comparison))
	default:
		grouped = false
	}
	if grouped {
		return "(" + text + ")"
	}
	return text
}

// conversion returns the format of a conversion, "" of another call.
func (p *printer) conversion(call *ast.CallExpr) string {
	if !p.info.Types[call.Fun].IsType() {
		return ""
	}
	from, to := typeName(p.info.TypeOf(call.Args[0])), typeName(p.info.TypeOf(call.Fun))
	switch {
	case p.split && from == "wide":
		return "joined"
	case p.split && to == "fixed" && p.info.Types[call.Args[0]].Value != nil:
		return "%sn"
	case from == to:
		return "%s"
	}
	return cmp.Or(p.calls[to+" of "+from], p.calls[to], "%s")
}

func (p *printer) call(call *ast.CallExpr) string {
	if format := p.conversion(call); format != "" {
		x := call.Args[0]
		_, isSum := x.(*ast.BinaryExpr)
		if format == "joined" {
			high, low := p.half(x, "High"), p.half(x, "Low")
			if isSum {
				high, low = "("+high+")", "("+low+")"
			}
			return "(" + high + " * 4294967296 + " + low + ")"
		}
		text := p.expr(x)
		if isSum && format[0] == '(' {
			text = "(" + text + ")"
		}
		return fmt.Sprintf(format, text)
	}
	name, texts := call.Fun.(*ast.Ident).Name, p.list(call.Args)
	if format := cmp.Or(p.calls[name+" "+typeName(p.info.TypeOf(call))], p.calls[name]); format != "" {
		var arguments []any
		for _, text := range texts {
			arguments = append(arguments, text)
		}
		return fmt.Sprintf(format, arguments...)
	}
	before := ""
	if strings.Contains(given, "func "+name+"(") {
		before = p.math
	}
	return before + p.ident(p.info.ObjectOf(call.Fun.(*ast.Ident))) + "(" + strings.Join(texts, ", ") + ")"
}
