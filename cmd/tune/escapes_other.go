//go:build !windows

package main

import "os"

// obeysEscapes reports that a terminal obeys escapes.
func obeysEscapes(*os.File) bool { return true }
