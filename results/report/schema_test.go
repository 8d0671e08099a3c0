package report

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestSchema: README.md lists each field of a report's JSON with its comment in the source, where
// it stands, and its kind. A field without a comment has a name that says all.
func TestSchema(t *testing.T) {
	const begin, end = "<!-- schema -->\n", "<!-- end -->"
	readme := string(sure(os.ReadFile("README.md"))(t))
	before, rest, _ := strings.Cut(readme, begin)
	_, after, found := strings.Cut(rest, end)
	got := before + begin + schemaOf(t, reflect.TypeFor[Report]()) + end + after
	if *update {
		must(t, os.WriteFile("README.md", []byte(got), 0o644))
	} else if !found || got != readme {
		t.Errorf("README.md has another schema (-update writes it anew): want\n%s", got)
	}
}

// schemaOf describes the objects in a value of a type, each with the places where it stands.
func schemaOf(t *testing.T, root reflect.Type) string {
	t.Helper()
	places, order := map[reflect.Type][]string{}, []reflect.Type{}
	var fields func(of reflect.Type, at string) string
	kind := func(field reflect.Type, at string) string {
		or := ""
		for field.Kind() == reflect.Pointer {
			field, or = field.Elem(), " or null"
		}
		list := ""
		for field.Kind() == reflect.Slice || field.Kind() == reflect.Array {
			field, list, at = field.Elem(), "list of ", at+"[]"
		}
		name := map[reflect.Kind]string{reflect.String: "text", reflect.Bool: "true or false",
			reflect.Float64: "number"}[field.Kind()]
		if field.Kind() == reflect.Struct {
			name = map[string]string{"Estimate": "estimate", "Time": "time"}[field.Name()]
			if name == "" {
				name = "object"
				if places[field] == nil {
					order = append(order, field)
				}
				places[field] = append(places[field], "`"+at+"`")
			}
		}
		return list + cmp.Or(name, "whole number") + or
	}
	fields = func(of reflect.Type, at string) (rows string) {
		for i := range of.NumField() {
			f := of.Field(i)
			name, options, tagged := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case f.Anonymous && name == "":
				rows += fields(f.Type, at)
			case f.IsExported() && name != "-":
				text := strings.ReplaceAll(commentOf(t, of, f.Name), "|", "\\|")
				if tagged && options != "" {
					text = strings.TrimPrefix(text+"; may be absent", "; ")
				}
				rows += fmt.Sprintf("| `%s` | %s | %s |\n", name, kind(f.Type, strings.TrimPrefix(at+"."+name, ".")), text)
			}
		}
		return rows
	}
	text := fields(root, "")
	for i := 0; i < len(order); i++ { // it grows
		rows := fields(order[i], strings.Trim(places[order[i]][0], "`"))
		text += fmt.Sprintf("\n%%%d\n\n| key | kind | meaning |\n|---|---|---|\n%s", i, rows)
	}
	for i, of := range order {
		text = strings.Replace(text, fmt.Sprintf("\n%%%d\n", i), "\n### "+strings.Join(places[of], ", ")+"\n", 1)
	}
	return "| key | kind | meaning |\n|---|---|---|\n" + text
}

// sources are the files of packages, by their folders.
var sources = map[string][]*ast.File{}

// commentOf is the comment behind a field of a struct, in the source of its package.
func commentOf(t *testing.T, of reflect.Type, field string) (text string) {
	t.Helper()
	folder := filepath.Join("../..", strings.TrimPrefix(of.PkgPath(), "tune2048"))
	if sources[folder] == nil {
		for _, path := range sure(filepath.Glob(folder + "/*.go"))(t) {
			sources[folder] = append(sources[folder],
				sure(parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments))(t))
		}
	}
	for _, file := range sources[folder] {
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, is := n.(*ast.TypeSpec); is && spec.Name.Name == of.Name() {
				for _, f := range spec.Type.(*ast.StructType).Fields.List {
					if slices.ContainsFunc(f.Names, func(name *ast.Ident) bool { return name.Name == field }) {
						text = strings.TrimSpace(f.Comment.Text())
					}
				}
			}
			return true
		})
	}
	return text
}
