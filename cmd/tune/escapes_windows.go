package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// obeysEscapes turns on that a console obeys escapes, and reports whether it does.
func obeysEscapes(console *os.File) bool {
	handle, mode := windows.Handle(console.Fd()), uint32(0)
	return windows.GetConsoleMode(handle, &mode) == nil &&
		windows.SetConsoleMode(handle, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
