// Package cgo is there for builds without a C compiler: it fails before anything else of results does, with one line that says
// what is missing.
package cgo
