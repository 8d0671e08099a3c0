package main

import (
	"io"

	"tune2048/results"
)

// What a database or a file from somebody else says goes to the user's terminal, which obeys control characters: they are
// written as JSON writes them, so that JSON stays the same data.

// escapingWriter writes text that a terminal only shows: what is not printable is escaped, but for line ends and tabs.
type escapingWriter struct{ io.Writer }

func (w escapingWriter) Write(p []byte) (int, error) {
	text := string(p)
	if escaped := results.Escape(text, "\n\t"); escaped != text {
		if _, err := io.WriteString(w.Writer, escaped); err != nil {
			return 0, err
		}
		return len(p), nil
	}
	return w.Writer.Write(p)
}

// cell is text as a cell of a table: on one line.
func cell(text string) string { return results.Escape(text, "") }
