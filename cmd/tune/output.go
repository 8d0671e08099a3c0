package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"tune2048/configs/config"
	"tune2048/results"
	"tune2048/results/report"
)

// optional is a value in JSON that is null where it is not known.
func optional[T any](v T, is bool) *T {
	if !is {
		return nil
	}
	return &v
}

func bytesText(n int64) string {
	switch {
	case n < 1_000_000:
		return fmt.Sprintf("%d kB", n/1000)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// outputFlags defines -o and -f, and returns the file of -o: "" if none was given, - for stdout. A
// file that nothing may be written to is refused before any work.
func (in *invocation) outputFlags(f *flag.FlagSet, usage string) *string {
	path := new(string)
	f.Func("o", usage, func(text string) error {
		*path = text
		if text == "-" || text == "/dev/stdout" {
			*path = "-"
			return nil
		}
		_, _, err := place(text)
		return err
	})
	f.BoolVar(&in.force, "f", false, "replace a file that tune did not write")
	return path
}

// save writes data to a file and says so, or to stdout if the path is "" or "-".
func (in *invocation) save(path string, stdout io.Writer, data []byte) error {
	if path == "" || path == "-" {
		_, err := stdout.Write(data)
		return err
	}
	if err := in.mayWrite(path, data); err != nil {
		return usagef("%s: %w", in.command.name, err)
	}
	if err := writeFile(path, data); errors.Is(err, fs.ErrNotExist) {
		return usagef("%s: -o: there is no folder %s", in.command.name, filepath.Dir(path))
	} else if err != nil {
		return fmt.Errorf("%s: write %s: %w", in.command.name, path, err)
	}
	_, err := fmt.Fprintf(in.stderr, "wrote %s, %s\n", path, bytesText(int64(len(data))))
	return err
}

// mayWrite refuses to write over a file that tune did not write, unless -f was given. Even with -f
// it refuses a database, another config, and all that [place] refuses.
func (in *invocation) mayWrite(path string, data []byte) error {
	target, info, err := place(path)
	if err != nil || info == nil {
		return err
	}
	old, err := head(target, 2*len(data)+1000)
	if err != nil {
		return err
	}
	switch ending := filepath.Ext(target); {
	case bytes.HasPrefix(old, []byte(sqliteMagic)):
		return fmt.Errorf("%s is a database: choose another file", path)
	case (ending == ".yaml" || ending == ".yml") && !bytes.Equal(old, data):
		return fmt.Errorf("%s exists: choose another file, or remove it", path)
	case !in.force && !wrote(old, data):
		return fmt.Errorf("%s exists, and nothing in it says that tune wrote it: choose another file, or replace it "+
			"with -f", path)
	}
	return nil
}

// unlessTaken returns why a file may not be written, or else this error about its name.
func (in *invocation) unlessTaken(path string, err error) error {
	if taken := in.mayWrite(path, nil); taken != nil {
		return usagef("%s: %w", in.command.name, taken)
	}
	return err
}

// head returns the first n bytes of a file, or all of a shorter one.
func head(path string, n int) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, int64(n)))
}

// marks recognize a file that tune wrote: a page, source code, a record, the JSON of a report, and
// the schema of configs.
var marks = []func(data []byte) bool{
	regexp.MustCompile(`^<!doctype html>(?s:.{0,500}?)<meta name="generator" content="tune">`).Match,
	regexp.MustCompile(`^(/\*|""")[^;]{0,200}?\bWritten\W+by\W+tune\W+export\b`).Match, // in its first comment
	regexp.MustCompile(`^\{\s*"format": "tune2048 player"`).Match,
	regexp.MustCompile(`^\{\s*"run": ".*",\s*"kind": "`).Match,
	regexp.MustCompile(`^\{(?s:.*)"title": "` + config.SchemaTitle + `"`).Match,
}

// wrote reports whether tune wrote the file of which old is the beginning, and data follows. Two
// kinds have no mark. A raw table is as long as another one. The weights alone are known by their
// layout, and by names that data has, too: people write such files. An empty file is nobody's.
func wrote(old, data []byte) bool {
	switch {
	case len(old) == 0 || bytes.Equal(old, data):
		return true
	case flatForm.Match(old):
		return bytes.Contains(namesOnly(data), bytes.TrimSpace(namesOnly(old)))
	case len(old) == len(data) && !utf8.Valid(data):
		return true
	}
	return slices.ContainsFunc(marks, func(marked func([]byte) bool) bool { return marked(old) })
}

// flatForm matches weights as name: number, as export writes them.
var flatForm = regexp.MustCompile(`^\{\n(  "[^"\n]+": -?[0-9][-+.0-9eE]*,?\n)+\}\n$`)

// namesOnly leaves the margin and the numbers of weights out.
func namesOnly(data []byte) []byte {
	return regexp.MustCompile(`(?m)^ +|: -?[0-9][-+.0-9eE]*`).ReplaceAll(data, nil)
}

// place returns the file that a path names, behind its links, and describes the file if it exists.
// It refuses all but regular files: opening a pipe waits for a reader, and a device is no file. It
// also refuses a companion of a database.
func place(path string) (target string, info fs.FileInfo, err error) {
	info, err = os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, missing := os.Lstat(path); missing == nil {
			return "", nil, fmt.Errorf("%s is a link to a file that does not exist: remove it", path)
		}
		target, info, err = path, nil, nil
	case err != nil:
	case info.IsDir():
		err = fmt.Errorf("%s is a folder: name a file in it", path)
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s is a pipe, a socket or a device: name a regular file, or - for stdout", path)
	default:
		target, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", nil, err
	}
	for _, name := range []string{path, target} {
		if database := results.CompanionOf(name); database != "" {
			return "", nil, fmt.Errorf("%s belongs to the database %s: choose another file", path, database)
		}
	}
	return target, info, nil
}

// writeFile writes a file as a whole, or leaves the old file as it was: it writes a file beside it,
// and renames that. A link stays, and the file that it names is written.
func writeFile(path string, data []byte) (err error) {
	defer func() {
		if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
			err = failed.Err // its path may be the file beside it
		}
	}()
	path, old, err := place(path)
	if err != nil {
		return err
	}
	beside := path + "." + rand.Text() + ".tmp" // nobody has made a link of that name
	file, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer os.Remove(beside) // unless it is renamed
	_, err = file.Write(data)
	err = errors.Join(err, file.Close())
	if err == nil && old != nil {
		err = os.Chmod(beside, old.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(beside, path)
	}
	return err
}

// Texts from somebody else's database or file reach the user's terminal, which obeys control
// characters. They are written as JSON writes them, so that JSON stays the same data.

// escapingWriter escapes all that is not printable, but for line ends and tabs.
type escapingWriter struct{ io.Writer }

func (w escapingWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.Writer, results.Escape(string(p), "\n\t")); err != nil {
		return 0, err
	}
	return len(p), nil
}

// cell is text as a cell of a table: on one line.
func cell(text string) string { return results.Escape(text, "") }

// terminal returns the terminal that w writes to, or nil if it is none. An old console of Windows
// that knows no escapes is none.
func terminal(w io.Writer) *os.File {
	if c, checked := w.(*checkedWriter); checked {
		w = c.w
	}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) && obeysEscapes(file) {
		return file
	}
	return nil
}

// width returns how many columns a line may have that is printed to w: COLUMNS if that is set, or
// the columns of the terminal w. A file or a pipe has no width: 0.
func width(w io.Writer) int {
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		return columns
	} else if file := terminal(w); file != nil {
		return windowWidth(file)
	}
	return 0
}

// windowWidth returns the columns of a terminal; 80 if it does not say.
func windowWidth(file *os.File) int {
	if columns, _, err := term.GetSize(int(file.Fd())); err == nil && columns > 0 {
		return columns
	}
	return 80
}

// printTable prints a table in the columns that have room. It says on stderr which had none.
func (in *invocation) printTable(t report.Table, wide bool) error {
	room := width(in.data)
	if wide {
		room = 0
	}
	lost, err := t.WriteRows(in.stdout, room)
	if len(lost) > 0 {
		fmt.Fprintf(in.stderr, "no room for %s: -wide prints all columns\n", strings.Join(lost, ", "))
	}
	return err
}
