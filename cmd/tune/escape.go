package main

import (
	"io"

	"tune2048/results"
)

// Texts from somebody else's database or file reach the user's terminal, which obeys control
// characters. They are written as JSON writes them, so that JSON stays the same data.

// escapingWriter escapes all that is not printable, but for line ends and tabs.
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
