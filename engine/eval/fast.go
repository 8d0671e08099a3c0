package eval

import (
	"sync"

	"tune2048/engine"
)

// lineSum is the sum of a family's line features in fixed point. It is taken apart into tables of
// single tiles, of pairs of neighbours, and the smaller of two sums, so a row costs a few look-ups.
// Every entry is rounded once, so a row's value is a sum of integers.
type lineSum struct {
	half   [256]int64 // by two tiles: empty and sum
	pairs  [8]int64   // by merges counted as pairs, 0 to 3: merges, and line
	runs   [8]int64   // by merges counted as runs, 0 to 4
	near   [256]int64 // by two neighbours: difference
	slopes []slopes   // one for each monotonicity
}

// slopes is a monotonicity: weight x rise and weight x fall by two neighbours. The smaller total
// counts, with the weight's sign.
type slopes struct {
	rise, fall [256]int64
	sign       int64
	packed     bool // blanks are dropped first: a step from or to one is 0
}

// fill writes the sum of every row to the table. It goes through 16 rows at a time, which differ in
// their first tile only, and adds up the other three tiles once for them. This loop is most of the
// cost of a candidate's tables.
func (l *lineSum) fill(table *engine.LineTable) {
	var ends [256]int64 // what the first two or the last two tiles add
	for pair := range ends {
		ends[pair] = l.half[pair] + l.near[pair]
	}
	if len(l.slopes) == 0 {
		l.slopes = append(l.slopes, slopes{sign: 1}) // of zeros, since the first one writes the entries
	}
	counts := mergeCounts()
	for others := range 1 << 12 {
		second, third, fourth := others&15, others>>4&15, others>>8
		afterFirst, afterSecond := second, third // the nearest tiles, blanks dropped
		if third == 0 {
			afterSecond = fourth
		}
		if second == 0 {
			afterFirst = afterSecond
		}
		among, with := l.mergesOf(counts[others].among), l.mergesOf(counts[others].with)
		values := (*[16]int64)(table[others<<4:])
		before := (*[16]int64)(ends[second<<4:])
		rest := ends[others>>4] + l.near[others&255] + among
		for i := range l.slopes {
			s := &l.slopes[i]
			next, nextToSecond := second, third
			if s.packed {
				next, nextToSecond = afterFirst, afterSecond
			}
			// The rest is added to rise and fall alike, and so to the smaller of them.
			rise := s.rise[nextToSecond<<4|second] + s.rise[fourth<<4|third] + s.sign*rest
			fall := s.fall[nextToSecond<<4|second] + s.fall[fourth<<4|third] + s.sign*rest
			sign, rises, falls := s.sign, (*[16]int64)(s.rise[next<<4:]), (*[16]int64)(s.fall[next<<4:])
			for first := range values {
				values[first] = before[first] + sign*min(rises[first]+rise, falls[first]+fall)
			}
			before, rest = values, 0 // another one adds to them
		}
		values[afterFirst] += with - among // no other first tile merges
	}
}

// mergesOf returns the value that n merges add to a row.
func (l *lineSum) mergesOf(n mergeCount) int64 { return l.pairs[n.pairs&7] + l.runs[n.runs&7] }

// mergeCount is the number of a row's merges, counted as pairs and as runs.
type mergeCount struct{ pairs, runs uint8 }

// mergeCounts returns the merges of rows by their second to fourth tile: among these three, and
// with a first tile that equals the nearest of them. It is computed once.
var mergeCounts = sync.OnceValue(func() *[1 << 12]struct{ among, with mergeCount } {
	counts := new([1 << 12]struct{ among, with mergeCount })
	count := func(tiles []int) mergeCount {
		return mergeCount{uint8(countMerges(tiles, Pairs)), uint8(countMerges(tiles, Runs))}
	}
	for others := range counts {
		tiles := dropBlanks([]int{others & 15, others >> 4 & 15, others >> 8})
		counts[others].among = count(tiles)
		if len(tiles) > 0 {
			tiles = append([]int{tiles[0]}, tiles...)
		}
		counts[others].with = count(tiles)
	}
	return counts
})
