package report

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/url"
	"slices"
	"sync"
	"time"
)

// Page is the HTML page of a run.
type Page struct {
	Report
	// Root is the address of the live pages, relative to this one: it links to assets there, and
	// asks for its data again. Empty: one file that needs no other.
	Root    string
	Warning string // beside a run that is going on; may be empty
	// PlayFile is the page on which the champion plays, if it lies beside this one.
	PlayFile string
}

//go:embed assets page.html
var files embed.FS

// Assets are the style sheets and the scripts, by name. A live page links to them under assets/.
var Assets, _ = fs.Sub(files, "assets")

// scripts of a page in the order in which they run: libraries, the parts that charts share, the
// charts by name, and the scripts that draw them.
var scripts = func() []string {
	before, after := []string{"d3.min.js", "plot.umd.min.js", "charts.js"},
		[]string{"board.js", "replay.js", "page.js"}
	charts, _ := fs.Glob(Assets, "*.js") // they are embedded
	return slices.Concat(before, slices.DeleteFunc(charts,
		func(name string) bool { return slices.Contains(before, name) || slices.Contains(after, name) }), after)
}()

// page and policy are made when the first page is: most commands write none.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.html").Funcs(template.FuncMap{
		"at":         At,
		"asset":      func(name string) (string, error) { b, err := fs.ReadFile(Assets, name); return string(b), err },
		"css":        func(text string) template.CSS { return template.CSS(text) },
		"js":         func(text string) template.JS { return template.JS(text) },
		"json":       toJSON,
		"path":       url.PathEscape,
		"count":      Count[int64],
		"grouped":    func(n int) string { return Grouped(int64(n)) },
		"duration":   func(seconds float64) string { return Duration(time.Duration(seconds * float64(time.Second))) },
		"formatTime": formatTime,
		"fresh":      fresh,
		"stamp":      func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"percent":    Percent,
		"sentence":   sentence,
		"weight":     weight,
		"scripts":    func() []string { return scripts },
		"policy":     policy,
	}).ParseFS(files, "page.html"))
})

// policy is the policy of an offline page.
var policy = sync.OnceValue(func() string {
	var all []string
	for _, name := range scripts {
		script, err := fs.ReadFile(Assets, name)
		if err != nil {
			panic(err) // it is embedded
		}
		all = append(all, string(script))
	}
	return Policy(all...)
})

// Policy lets a page run these scripts, and do nothing else.
func Policy(scripts ...string) string {
	text := "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; script-src"
	for _, script := range scripts {
		sum := sha256.Sum256([]byte(script))
		text += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return text
}

// toJSON is the content of a <script> of JSON: </script> and U+2028 in it are escaped.
func toJSON(v any) (template.JS, error) {
	b, err := json.Marshal(v)
	return template.JS(b), err
}

// Write writes the page.
func (p Page) Write(w io.Writer) error {
	// A page is written whole or not at all.
	var b bytes.Buffer
	if err := page().Execute(&b, p); err != nil {
		return fmt.Errorf("cannot write the page of %s: %w", p.Name, err)
	}
	_, err := b.WriteTo(w)
	return err
}
