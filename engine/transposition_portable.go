//go:build !amd64 || purego

package engine

// prefetch loads a word of four buckets. Go cannot only begin to: but it waits for the four together and not for one after the other.
func prefetch(buckets []bucket, at *[4]uint64) {
	keep(buckets[at[0]][0].mark, buckets[at[1]][0].mark, buckets[at[2]][0].mark, buckets[at[3]][0].mark)
}

// keep makes the compiler load what is not used.
//
//go:noinline
func keep(_, _, _, _ uint32) {}
