package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// terminal returns the terminal that w writes to; nil if it is none.
func terminal(w io.Writer) *os.File {
	if c, checked := w.(*checkedWriter); checked {
		w = c.w
	}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}

// width returns how many columns of text suit w: those of a terminal, otherwise 80.
func width(w io.Writer) int {
	if file := terminal(w); file != nil {
		columns, _ := terminalSize(file)
		return columns
	}
	return 80
}

// terminalSize returns the columns and lines of a terminal, 80 and 24 if it does not say.
func terminalSize(file *os.File) (width, height int) {
	if w, h, err := term.GetSize(int(file.Fd())); err == nil && w > 0 && h > 0 {
		return w, h
	}
	return 80, 24
}
