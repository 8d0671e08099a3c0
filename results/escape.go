package results

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// What a database or a file from somebody else says is shown, not obeyed.

// Escape writes all that is not printable as \u and four hexadecimal digits, but for what is to be
// kept.
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

// ShellWord makes a path safe to paste into a shell.
func ShellWord(path string) string {
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

// DatabaseFlag is the end of a command line that is about the database at a path: " -db PATH", or
// nothing for the default.
func DatabaseFlag(path string) string {
	if path == DefaultPath {
		return ""
	}
	return " -db " + ShellWord(path)
}
