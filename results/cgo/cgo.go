// Package cgo is for builds without a C compiler. It fails before anything else of results does,
// with one line that names the missing part.
package cgo
