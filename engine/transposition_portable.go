//go:build !amd64 || purego

package engine

// prefetch stands in for the assembly of amd64.
func prefetch(*bucket, *[4]uint64) {}
