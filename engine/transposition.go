package engine

import "math"

// table is a transposition table of chance nodes. An entry serves only where the search would
// return the very same value. So it has the same board at the same remaining depth. And the search
// reaches it with a probability at which every test against Settings.MinProbability inside its
// subtree comes out the same. An entry that is a bound serves only if it is below alpha. So the
// table saves time and never changes a move. It is direct-mapped and never cleared: entries of
// earlier searches carry another stamp.
type table struct {
	buckets []bucket
	shift   uint
	stamp   uint32 // of this search, in the upper bits of entry.mark
}

// entry is half a cache line.
type entry struct {
	board Board
	value float64
	mark  uint32 // the search's stamp, and the remaining depth in the lowest 5 bits
	bound bool   // the value is an upper bound
	// Where the search cuts by probability, the range for which the entry serves: from low to below
	// high.
	low, high float32
}

// bucket is a cache line: an entry that only a subtree at least as deep replaces, and one that
// anything replaces.
type bucket [2]entry

// marks of a search are its stamp and a depth below 2^depthBits.
const depthBits = 5

// logSize returns the binary logarithm of the number of entries that pays for a search of so many
// plies that cuts below a probability. Beyond depth 7 without a cut, 2^15 entries take 1.4 times
// the nodes, 2^17 take 1.1 times and 2^22 take 0.9 times. A cut leaves few chance nodes: a search
// that cuts below 0.02 fills some 160 to 390 entries. It takes 0.05% more nodes with 2^14 of them
// than with 2^18, and these stay in the processor's cache. So 256 / cut, up to a power of two, are
// enough.
func logSize(plies int, cut float64) uint {
	log := 18
	switch {
	case plies <= 5:
		log = 12
	case plies <= 7:
		log = 14
	}
	if cut > 0 {
		_, exponent := math.Frexp(cut) // cut is at least 2^(exponent-1)
		log = min(log, max(12, 9-exponent))
	}
	return uint(log)
}

// resize makes room for 2^log entries. What has been allocated stays: a worker's players take
// turns.
func (t *table) resize(log uint) {
	n := 1 << (log - 1)
	if n > cap(t.buckets) {
		t.buckets = make([]bucket, n)
		t.stamp = 0
	}
	t.buckets, t.shift = t.buckets[:n], 64-(log-1)
}

// begin starts a search: nothing found before is valid.
func (t *table) begin() {
	t.stamp += 1 << depthBits
	if t.stamp == 0 { // after 2^27 searches stamps repeat
		clear(t.buckets[:cap(t.buckets)])
		t.stamp = 1 << depthBits
	}
}

// slot returns the bucket where a board of the given remaining depth lives, and the mark it has if
// it is valid.
func (t *table) slot(b Board, plies int) (k *bucket, mark uint32) {
	return &t.buckets[t.index(b, plies)], t.stamp | uint32(plies)
}

// index returns the number of the bucket where a board of the given remaining depth lives.
func (t *table) index(b Board, plies int) uint64 {
	return (uint64(b) ^ uint64(plies)<<59) * 0x9E3779B97F4A7C15 >> t.shift
}

// fetch brings the buckets of a max node's afterstates of the given remaining depth into the
// processor's cache.
func (t *table) fetch(n *maxNode, plies int) {
	if len(t.buckets) <= 1<<11 { // all of it is in the cache
		return
	}
	var at [4]uint64
	for m, b := range &n.after {
		at[m] = t.index(b, plies)
	}
	prefetch(t.buckets, &at)
}

// put stores a value and returns its entry. It overwrites a bound of the same board. A deeper
// subtree has a larger mark, and an earlier search has smaller ones.
func (k *bucket) put(b Board, mark uint32, value float64, bound bool) *entry {
	e := &k[1]
	switch {
	case k[0].board == b && k[0].mark == mark && k[0].bound:
		e = &k[0]
	case e.board == b && e.mark == mark && e.bound:
	case mark >= k[0].mark:
		*e = k[0]
		e = &k[0]
	}
	e.board, e.mark, e.value, e.bound = b, mark, value, bound
	return e
}

// margin keeps probabilities that were multiplied in another order, or rounded to a float32, from
// being taken for within a range at whose edge they lie.
const margin = 1e-6

// setRange notes the range of probabilities for which the entry serves.
func (e *entry) setRange(low, high float64) {
	e.low, e.high = float32(low*(1+margin)), float32(high*(1-margin))
}

// serves reports whether the entry is valid for a node reached with probability p.
func (e *entry) serves(p float64) bool {
	return p >= float64(e.low) && p < float64(e.high)
}
