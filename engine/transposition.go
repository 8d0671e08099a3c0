package engine

// table is a transposition table of chance nodes. An entry serves only where the search would return the very
// same value: the same board at the same remaining depth, reached with a probability at which every test
// against Settings.MinProbability inside its subtree comes out the same. So the table saves time and never
// changes a value. It is direct-mapped and never cleared: entries of earlier searches carry another stamp.
type table struct {
	entries []entry
	bounds  []bound // parallel to entries where the search cuts by probability; otherwise nil
	shift   uint
	stamp   uint32
}

type entry struct {
	board Board
	value float64
	stamp uint32
	plies uint32 // remaining depth
}

// bound is the range of probabilities for which an entry serves: exactly at, and from low to below high.
type bound struct{ at, low, high float64 }

// logSize returns the binary logarithm of the number of entries that pays for a rule's deepest search.
// FINDINGS of the engine's study: 2^12 to 2^14 suffice up to depth 7, deep adaptive rules want 2^18.
func logSize(deepest int) uint {
	switch {
	case deepest <= 5:
		return 12
	case deepest <= 7:
		return 15
	default:
		return 18
	}
}

// resize makes room for 2^log entries, and for bounds if wanted. Content is forgotten only when it must be.
func (t *table) resize(log uint, bounded bool) {
	if len(t.entries) != 1<<log {
		t.entries = make([]entry, 1<<log)
		t.bounds = nil
		t.shift = 64 - log
		t.stamp = 0
	}
	if bounded && t.bounds == nil {
		t.bounds = make([]bound, len(t.entries))
	}
}

// begin starts a search: nothing found before is valid.
func (t *table) begin() {
	t.stamp++
	if t.stamp == 0 { // after 2^32 searches stamps repeat
		clear(t.entries)
		t.stamp = 1
	}
}

// slot returns the index at which a board of the given remaining depth lives.
func (t *table) slot(b Board, plies int) uint64 {
	return (uint64(b) ^ uint64(plies)<<59) * 0x9E3779B97F4A7C15 >> t.shift
}

// holds reports whether slot i has this board at this depth from this search.
func (t *table) holds(i uint64, b Board, plies int) bool {
	e := &t.entries[i]
	return e.board == b && e.stamp == t.stamp && e.plies == uint32(plies)
}

// margin keeps probabilities that were multiplied in another order from being taken for equal at the edge of a
// bound: rounding of at most 31 factors stays far below it.
const margin = 1e-9

// serves reports whether an entry with this bound is valid for a node reached with probability p.
func (b bound) serves(p float64) bool {
	return p == b.at || p >= b.low*(1+margin) && p < b.high*(1-margin)
}
