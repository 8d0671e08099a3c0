//go:build !cgo

package cgo

const _ int = "tune keeps its results in SQLite, which is C: install gcc (apt-get install gcc) and build again with " +
	"CGO_ENABLED=1"
