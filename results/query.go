package results

import (
	"context"
	"embed"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mattn/go-sqlite3"
)

// Query runs a user's SQL and hands over the names of its columns once, then each row: nil, int64,
// float64, string or []byte for each column. An error of columns or row ends it. Statements that
// would change the database fail.
func (r *Reader) Query(ctx context.Context, statement string, columns func([]string) error,
	row func([]any) error) error {
	rows, err := r.at.QueryContext(ctx, statement)
	if err != nil {
		return explainQuery(r.path, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err == nil {
		err = columns(names)
	}
	for err == nil && rows.Next() {
		var values []any
		values, err = scanRow(rows)
		if err == nil {
			err = row(values)
		}
	}
	return explainQuery(r.path, errors.Join(err, rows.Err()))
}

// explainQuery is explain for errors of SQLite. It has words of its own for a statement that would
// change the database.
func explainQuery(path string, err error) error {
	var s sqlite3.Error
	switch {
	case !errors.As(err, &s): // columns or row failed, or the context is done
		return err
	case s.Code == sqlite3.ErrReadonly || strings.Contains(s.Error(), "because it is a view") ||
		strings.HasPrefix(s.Error(), "use DROP "):
		return wrongInput{&plainly{"tune query only reads (tune runs -delete NAME" + DatabaseFlag(path) + " deletes a run)",
			err}}
	case strings.HasPrefix(s.Error(), "too many attached databases"):
		text := "tune query reads one file (tune import OTHER.db" + DatabaseFlag(path) + " takes over the runs of another)"
		return wrongInput{&plainly{text, err}}
	case strings.HasPrefix(s.Error(), "no such function"):
		err = fmt.Errorf("%w (there are avg, min, max, count, sum and the other functions of SQLite; for more take the rows "+
			"with -csv)", err)
	case strings.HasPrefix(s.Error(), "no such "):
		err = fmt.Errorf("%w (tune query -schema lists tables, views and columns)", err)
	}
	err = explain("query", path, err)
	if s.Code == sqlite3.ErrError { // no such table, bad syntax and the like
		return wrongInput{err}
	}
	return err
}

//go:embed queries/*.sql
var queryFiles embed.FS

// NamedQuery is a query that is shipped: plain SQL for any shell. A comment in its first lines
// states its question, and after "No rows:" why nothing may answer it.
type NamedQuery struct {
	Name string
	SQL  string
}

// Summary returns the question of the query as one line.
func (q NamedQuery) Summary() string {
	question, _, _ := strings.Cut(q.comment(), " No rows: ")
	return question
}

// Empty returns a sentence on why the query may have no rows.
func (q NamedQuery) Empty() string {
	_, why, _ := strings.Cut(q.comment(), " No rows: ")
	return why
}

// comment returns the query's comment as one line.
func (q NamedQuery) comment() string {
	var lines []string
	for _, line := range strings.Split(q.SQL, "\n") {
		text, isComment := strings.CutPrefix(line, "-- ")
		if !isComment {
			break
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, " ")
}

// NamedQueries returns the shipped queries by name.
func NamedQueries() (list []NamedQuery) {
	entries, _ := queryFiles.ReadDir("queries") // embedded
	for _, e := range entries {
		text, _ := queryFiles.ReadFile("queries/" + e.Name())
		list = append(list, NamedQuery{strings.TrimSuffix(e.Name(), ".sql"), string(text)})
	}
	return list
}

// How rows of a query are written: as a table, CSV and JSON.

// sqlParts are the parts of a statement in which a semicolon does not end it, then the semicolon
// and the space between statements.
var sqlParts = regexp.MustCompile(`(?s)'[^']*'|"[^"]*"|` + "`[^`]*`" + `|\[[^\]]*\]|--[^\n]*|/\*.*?(?:\*/|$)|;|\s+|.`)

// Statements returns the statements of a text. SQLite would answer the last one only, be it nothing
// but a comment.
func Statements(text string) (all []string) {
	one, blank := "", true
	for _, part := range append(sqlParts.FindAllString(text, -1), ";") {
		if part != ";" {
			one += part
			blank = blank && (strings.TrimSpace(part) == "" || strings.HasPrefix(part, "--") || strings.HasPrefix(part, "/*"))
			continue
		}
		if !blank {
			all = append(all, one)
		}
		one, blank = "", true
	}
	return all
}

// longestCell is how many characters of a text are for the eye.
const longestCell = 1000

// Cells are the values of a row for the eye. Long texts are cut.
func Cells(row []any) []string {
	cells := texts(row, shortNumber)
	for i, text := range cells {
		if utf8.RuneCountInString(text) > longestCell {
			cells[i] = fmt.Sprintf("%.*s…", longestCell, text)
		}
	}
	return cells
}

// Rows hands over the names of a query's columns once, then each row, as [Reader.Query] does. An
// error of columns or row ends it.
type Rows func(columns func([]string) error, row func([]any) error) error

// CSV writes rows for another program: numbers read back as the same ones, texts are harmless. A
// terminal would obey control characters: for one they are escaped.
func CSV(to io.Writer, rows Rows, terminal bool) error {
	w := csv.NewWriter(to)
	write := func(cells []string) error {
		for i, text := range harmless(cells) {
			if terminal {
				cells[i] = Escape(text, "")
			}
		}
		return w.Write(cells)
	}
	err := rows(func(columns []string) error {
		return write(slices.Clone(columns))
	}, func(row []any) error {
		return write(texts(row, func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }))
	})
	if w.Flush(); err == nil {
		err = w.Error()
	}
	return err
}

// jsonColumns are the columns of tables and views that have JSON, if they have text.
var jsonColumns = strings.Fields("weights names scores ranks moves nodes times workers sizes ranges programs")

// JSON writes rows as an array of objects, a row on a line, the columns in their order. A column
// that has JSON by its name is written as JSON, not as a text of it.
func JSON(to io.Writer, rows Rows) error {
	var names []string
	begin, end := "[\n  ", "[]\n"
	err := rows(func(columns []string) error {
		names = columns
		return nil
	}, func(row []any) error {
		object := []byte(begin + "{")
		for i, v := range row {
			if bytes, isBytes := v.([]byte); isBytes {
				v = string(bytes)
				if !utf8.Valid(bytes) {
					v = hex.EncodeToString(bytes) // such as a key of the memo
				}
			}
			name, _ := json.Marshal(names[i])
			if text, isText := v.(string); isText && slices.Contains(jsonColumns, names[i]) && json.Valid([]byte(text)) {
				v = json.RawMessage(text)
			}
			value, err := json.Marshal(v)
			if infinite := new(json.UnsupportedValueError); errors.As(err, &infinite) { // as the sqlite3 shell has it
				value = []byte(strings.ReplaceAll(strings.TrimPrefix(infinite.Str, "+"), "Inf", "1e999"))
			}
			if i > 0 {
				object = append(object, ", "...)
			}
			object = append(append(append(object, name...), ": "...), value...)
		}
		begin, end = ",\n  ", "\n]\n"
		_, err := to.Write(append(object, '}'))
		return err
	})
	if err == nil {
		_, err = io.WriteString(to, end)
	}
	return err
}

// harmless puts an apostrophe before each cell that a spreadsheet would take for a formula, and may
// come from a database of somebody else: =1+1 becomes '=1+1. Numbers stay as they are.
func harmless(cells []string) []string {
	for i, text := range cells {
		if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
			continue
		}
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			cells[i] = "'" + text
		}
	}
	return cells
}

func texts(row []any, number func(float64) string) []string {
	cells := make([]string, len(row))
	for i, v := range row {
		switch v := v.(type) {
		case nil:
		case float64:
			cells[i] = number(v)
		case []byte:
			cells[i] = string(v)
		default:
			cells[i] = fmt.Sprint(v)
		}
	}
	return cells
}

// Astronomic is from where on the digits of a number say nothing, so that tables show its exponent.
const Astronomic = 1e15

// shortNumber writes a number for the eye. People copy whole numbers and weights, which have six
// digits at most where the program chose them: these are in full.
func shortNumber(v float64) string {
	size := math.Abs(v)
	if six, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64); six == v || v == math.Trunc(v) &&
		size < 1<<53 {
		return Decimal(v)
	}
	if size >= 1000 && size < Astronomic {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// Decimal writes a number with all its digits, and without an exponent unless it is astronomic or
// tiny. It reads back as the same number, but for the sign of 0.
func Decimal(v float64) string {
	if size := math.Abs(v); size == 0 || size >= 1e-4 && size < 1<<53 {
		return strconv.FormatFloat(v+0, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// What a database or a file from somebody else says is shown, not obeyed.

// Escape writes all that is not printable as \u and four hexadecimal digits, except the characters
// of keep.
func Escape(text, keep string) string {
	harmful := func(r rune) bool { return !unicode.IsPrint(r) && !strings.ContainsRune(keep, r) }
	if utf8.ValidString(text) && strings.IndexFunc(text, harmful) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text { // bytes that are no UTF-8 come as U+FFFD
		switch {
		case !harmful(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// shellSafe are the characters that mean themselves to every shell.
const shellSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:@%"

// ShellWord makes a path safe to paste into a shell: on Windows into cmd or PowerShell, which know
// no apostrophes or other ones, and both keep what is in double quotes. A file there has none.
func ShellWord(path string) string {
	if runtime.GOOS == "windows" {
		return windowsWord(path)
	}
	if strings.HasPrefix(path, "-") {
		path = "./" + path // not a flag
	}
	if path != "" && strings.Trim(path, shellSafe) == "" {
		return path
	}
	if Escape(path, "") != path { // what a terminal would obey; bash and zsh know $''
		return "$'" + strings.ReplaceAll(Escape(strings.ReplaceAll(path, `\`, `\\`), ""), "'", `\'`) + "'"
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

func windowsWord(path string) string {
	if path != "" && strings.Trim(path, shellSafe+`\`) == "" && path[0] != '-' && path[0] != '@' {
		return path
	}
	return `"` + strings.ReplaceAll(Escape(path, ""), `"`, "") + `"`
}

// DatabaseFlag is the end of a command line that is about the database at a path: " -db PATH", or
// nothing for the default.
func DatabaseFlag(path string) string {
	if path == DefaultPath {
		return ""
	}
	return " -db " + ShellWord(path)
}
