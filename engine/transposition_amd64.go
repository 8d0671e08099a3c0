//go:build !purego

package engine

// prefetch begins to load four buckets into the processor's cache.
//
//go:noescape
func prefetch(buckets []bucket, at *[4]uint64)
