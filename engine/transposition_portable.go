//go:build !amd64 || purego

package engine

// prefetch loads a word of four buckets, since Go has no prefetch. The four loads wait together.
func prefetch(buckets []bucket, at *[4]uint64) {
	keep(buckets[at[0]][0].mark, buckets[at[1]][0].mark, buckets[at[2]][0].mark, buckets[at[3]][0].mark)
}

// keep makes the compiler load what is not used.
//
//go:noinline
func keep(_, _, _, _ uint32) {}
