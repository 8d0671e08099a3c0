package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// What a database or a file from somebody else says goes to the user's terminal, which obeys control characters: they are
// written as JSON writes them, so that JSON stays the same data.

// escapingWriter writes text that a terminal only shows: what is not printable is escaped, but for line ends and tabs.
type escapingWriter struct{ io.Writer }

func (w escapingWriter) Write(p []byte) (int, error) {
	text := string(p)
	if escaped := escape(text, "\n\t"); escaped != text {
		if _, err := io.WriteString(w.Writer, escaped); err != nil {
			return 0, err
		}
		return len(p), nil
	}
	return w.Writer.Write(p)
}

// cell is text as a cell of a table: on one line.
func cell(text string) string { return escape(text, "") }

// escape writes all that is not printable as \u and four hexadecimal digits, but for what is to be kept.
func escape(text, keep string) string {
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
