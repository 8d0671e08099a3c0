package engine

import (
	"math"
	"math/rand/v2"
	"testing"
)

// cutSearch is the search of the settings in words, without a table of transpositions or of chance
// layers: the values of the legal moves of b, which is reached with probability p.
func cutSearch(s *Searcher, b Board, plies int, p float64) (values [4]float64, legal [4]bool) {
	for _, m := range Moves() {
		after, _, ok, _ := b.Slide(m)
		legal[m] = ok
		if ok {
			values[m] = cutChance(s, after, plies-1, p)
		}
	}
	return values, legal
}

// cutChance is cutSearch for an afterstate.
func cutChance(s *Searcher, b Board, plies int, p float64) float64 {
	if plies == 0 || p < s.settings.MinProbability {
		return s.tables.Value(b)
	}
	n, sum := float64(b.Empty()), 0.0
	for blanks := b.blanks(); blanks != 0; blanks &= blanks - 1 {
		for k, share := range [2]float64{1 - s.rules.FourProbability, s.rules.FourProbability} {
			after := b | Board(blanks&-blanks)<<k
			best := math.Inf(-1)
			switch {
			case plies > 1:
				values, legal := cutSearch(s, after, plies-1, p/n*share)
				for m, v := range values {
					if legal[m] {
						best = max(best, v)
					}
				}
			case after.HasMove():
				best = s.tables.Value(after)
			}
			if math.IsInf(best, -1) {
				best = s.tables.Dead
			}
			sum += best * share / n
		}
	}
	return sum
}

// TestTableForgets: another search finds nothing in the table, not even when stamps begin again.
func TestTableForgets(t *testing.T) {
	var x table
	found := func() bool {
		k, mark := x.slot(1, 4)
		return k[0].board == 1 && k[0].mark == mark || k[1].board == 1 && k[1].mark == mark
	}
	x.resize(4)
	x.begin()
	first := x.stamp
	k, mark := x.slot(1, 4)
	k.put(1, mark, 5, false)
	if !found() {
		t.Error("an entry is lost")
	}
	if x.begin(); found() || x.stamp <= first {
		t.Error("an entry of an earlier search is found")
	}
	x.stamp = math.MaxUint32 &^ (1<<depthBits - 1) // the last one
	if x.begin(); found() || x.stamp != first {
		t.Errorf("an entry of the first search is found by one with the same stamp: %v, %v", x.stamp, first)
	}
}

// TestAnyTableSize: a table of transpositions saves time and changes no value, to the bit, whether
// it is nearly always full, often full or roomy.
func TestAnyTableSize(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	saved := int64(0)
	for round := range 24 {
		tables, _ := oddTables(r, round%2 == 1)
		depth := 5 + round%4
		settings := Settings{Rule: DepthRule{Fixed: depth}, MinProbability: []float64{0, 0.0213, 0.004}[round%3]}
		if depth > 6 {
			settings.MinProbability = max(settings.MinProbability, 0.0117)
		}
		var s Searcher
		s.Prepare(tables, settings, DefaultRules())
		for i := range 4 {
			b := randomBoard(r, []int{2, 4, 11, 14}[i], []float64{0, 0.05, 0.1, 0.15}[i])
			want := s.Search(b)
			for _, log := range []uint{1, 3, 6, 18} {
				s.newSearch(depth)
				s.table.resize(log)
				s.table.begin()
				var got Decision
				s.moves(b, depth-1, &got.Values, &got.Legal)
				if got.Values != want.Values || got.Legal != want.Legal {
					t.Fatalf("%v, board %v, 2^%d entries: got %v, want %v", settings, b, log, got.Values, want.Values)
				}
				if log == 1 {
					saved += s.nodes - want.Nodes
				}
			}
		}
	}
	if saved <= 0 {
		t.Errorf("a table of two entries takes %d nodes more: no table was full", saved)
	}
}

// TestTableFollowsTheCut: entries for every probability, and memory for no more than it needs.
func TestTableFollowsTheCut(t *testing.T) {
	for _, x := range []struct {
		plies int
		cut   float64
		log   uint
	}{
		{5, 0, 12}, {5, 1e-9, 12}, {7, 0, 14}, {7, 0.0001, 14}, {7, 0.02, 14}, {7, 0.5, 12},
		{9, 0, 18}, {31, 0.02, 14}, {9, 0.002, 17}, {9, 0.001, 18}, {9, 0.0625, 12}, {9, 0.999, 12},
		{31, math.SmallestNonzeroFloat64, 18},
	} {
		if got := logSize(x.plies, x.cut); got != x.log {
			t.Errorf("%d plies, cut below %v: 2^%d entries, want 2^%d", x.plies, x.cut, got, x.log)
		}
	}
}

// TestCutsAreBelow: a chance node as probable as MinProbability itself is expanded.
func TestCutsAreBelow(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	expanded := 0
	for round := range 60 {
		tables, _ := oddTables(r, round%2 == 1)
		b := randomBoard(r, []int{2, 4, 11}[round%3], 0.12)
		// A spawn on one of two blanks, of a 2 or a 4.
		for _, cut := range []float64{0.5 * 0.9, 0.5 * 0.1} {
			var s, above Searcher
			s.Prepare(tables, Settings{Rule: DepthRule{Fixed: 5}, MinProbability: cut}, DefaultRules())
			above.Prepare(tables, Settings{Rule: DepthRule{Fixed: 5}, MinProbability: cut * (1 + 1e-9)}, DefaultRules())
			got := s.Search(b)
			want, _ := cutSearch(&s, b, 5, 1)
			for m, v := range want {
				if math.Abs(got.Values[m]-v) > 1e-9*max(1, math.Abs(v)) {
					t.Fatalf("board %v, cut below %v: got %v, want %v", b, cut, got.Values, want)
				}
			}
			if above.Search(b).Values != got.Values {
				expanded++
			}
		}
	}
	if expanded < 10 {
		t.Errorf("%d searches are as deep as that, want more", expanded)
	}
}

// TestEntriesServeTheirWholeRange: what a search leaves in its table of transpositions may be found
// again by any path. So at both ends of the probabilities for which an entry says it serves, a
// search of its board finds its value; and nearly at once beyond them often another one, or the
// table would save nothing.
func TestEntriesServeTheirWholeRange(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	entries, ranges, beyond, other := 0, 0, 0, 0
	for round := range 24 {
		tables, _ := oddTables(r, round%2 == 1)
		settings := Settings{Rule: DepthRule{Fixed: 7 + round%3}, MinProbability: []float64{0.0117, 0.0031, 0.001}[round/3%3]}
		var s Searcher
		s.Prepare(tables, settings, Rules{FourProbability: []float64{0.1, 0.5}[round/9%2]})
		s.Search(randomBoard(r, []int{11, 2, 4, 11}[round%4], []float64{0.1, 0.3}[round/2%2]))
		checked := 0
		for i := range s.table.buckets {
			for _, e := range s.table.buckets[i] {
				if e.mark < s.table.stamp || checked == 150 {
					continue
				}
				checked++
				entries++
				plies := int(e.mark & (1<<depthBits - 1))
				same := func(p float64) bool {
					want := cutChance(&s, e.board, plies, p)
					return math.Abs(e.value-want) <= 1e-9*max(1, math.Abs(want))
				}
				low, high := float64(e.low), float64(e.high)*(1-1e-9)
				if high <= 1 {
					ranges++
				}
				for _, p := range []float64{low, min(high, 1)} {
					if !e.serves(p) || !same(p) {
						t.Fatalf("round %d, board %v at depth %d: %v serves from %v to %v, not at %v", round, e.board, plies, e.value,
							e.low, e.high, p)
					}
				}
				for _, p := range []float64{low * (1 - 1e-5), high * (1 + 1e-5)} {
					if p <= 1 {
						if e.serves(p) {
							t.Fatalf("round %d, board %v at depth %d: from %v to %v serves at %v", round, e.board, plies, e.low, e.high, p)
						}
						beyond++
						if !same(p) {
							other++
						}
					}
				}
			}
		}
	}
	t.Logf("%d entries, %d with an upper end; %d of %d another value beyond an end", entries, ranges, other, beyond)
	if ranges < entries/5 || other < beyond*9/10 {
		t.Errorf("of %d entries %d have an upper end, beyond which %d of %d values are another", entries, ranges, other,
			beyond)
	}
}
