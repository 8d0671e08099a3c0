package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/term"

	"tune2048/results"
	"tune2048/results/report"
)

// known is a value in JSON that is null where it is not known.
func known[T any](v T, is bool) *T {
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

// save writes data to the file of -o and says so, or to stdout if the path is "" or "-".
func (in *invocation) save(path string, stdout io.Writer, data []byte) error {
	if path == "" || path == "-" {
		_, err := stdout.Write(data)
		return err
	}
	if err := mayReplace(path, data); err != nil {
		return usagef("%s: -o: %w", in.command.name, err)
	}
	if err := writeFile(path, data); errors.Is(err, fs.ErrNotExist) {
		return usagef("%s: -o: there is no folder %s", in.command.name, filepath.Dir(path))
	} else if err != nil {
		return fmt.Errorf("%s: write %s: %w", in.command.name, path, err)
	}
	_, err := fmt.Fprintf(in.stderr, "wrote %s, %s\n", path, bytesText(int64(len(data))))
	return err
}

// mayReplace refuses to write over a database and another config.
func mayReplace(path string, data []byte) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	old := make([]byte, len(data)+16)
	n, _ := io.ReadFull(f, old)
	switch ending := filepath.Ext(path); {
	case bytes.HasPrefix(old[:n], []byte("SQLite format 3")):
		return fmt.Errorf("%s is a database: choose another file", path)
	case (ending == ".yaml" || ending == ".yml") && !bytes.Equal(old[:n], data):
		return fmt.Errorf("%s exists: choose another file, or remove it", path)
	}
	return nil
}

// writeFile writes a file as a whole, or leaves the old file as it was: it writes a file beside it,
// and renames that. It writes into a pipe, a device or a link: no other file takes its place.
func writeFile(path string, data []byte) (err error) {
	defer func() {
		if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
			err = failed.Err // its path may be the file beside it
		}
	}()
	old, missing := os.Lstat(path)
	if missing == nil && !old.Mode().IsRegular() {
		return os.WriteFile(path, data, 0o666)
	}
	beside := path + "." + rand.Text() + ".tmp" // nobody has made a link of that name
	file, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer os.Remove(beside) // unless it is renamed
	_, err = file.Write(data)
	err = errors.Join(err, file.Close())
	if err == nil && missing == nil {
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

// terminal returns the terminal that w writes to, or nil if it is none.
func terminal(w io.Writer) *os.File {
	if c, checked := w.(*checkedWriter); checked {
		w = c.w
	}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
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
