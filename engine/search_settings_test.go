package engine

import (
	"math"
	"testing"
)

// TestDepthByEmpty: the rule of cluster.yaml's source, on boards with so many empty cells.
func TestDepthByEmpty(t *testing.T) {
	rule := DepthRule{ByEmpty: []EmptyDepth{{12, 2}, {7, 3}, {4, 4}, {1, 5}, {-1, 7}}}
	want := []int{7, 7, 5, 5, 5, 4, 4, 4, 3, 3, 3, 3, 3, 2, 2, 2, 2}
	b := Board(0xFEDCBA987654321F)
	for empty, depth := range want {
		if b.Empty() != empty || rule.Depth(b) != depth {
			t.Errorf("%d empty cells: depth %d, want %d", b.Empty(), rule.Depth(b), depth)
		}
		b <<= 4
	}
	if got := rule.Deepest(); got != 7 {
		t.Errorf("deepest %d, want 7", got)
	}
	if got := (DepthRule{ByEmpty: []EmptyDepth{{9, 6}, {-1, 3}}}).Deepest(); got != 6 {
		t.Errorf("deepest %d, want 6", got)
	}
}

// TestDepthByDistinct: nneonneo's, 2 x max(3, distinct tiles - 2) + 1 plies.
func TestDepthByDistinct(t *testing.T) {
	rule := DepthRule{ByDistinct: &DistinctLayers{Minus: 2, Least: 3}}
	for distinct, want := range map[int]int{1: 7, 4: 7, 5: 7, 6: 9, 7: 11, 10: 17, 15: 27} {
		b := Board(0x11)
		for rank := 2; rank <= distinct; rank++ {
			b = b<<4 | Board(rank)
		}
		if b.Distinct() != distinct || rule.Depth(b) != want {
			t.Errorf("%d different tiles: depth %d, want %d", b.Distinct(), rule.Depth(b), want)
		}
	}
	for want, layers := range map[int]DistinctLayers{27: {2, 3}, 29: {2, 14}, 31: {0, 3}, 3: {14, 1}, 1: {15, 0}} {
		if got := (DepthRule{ByDistinct: &layers}).Deepest(); got != want {
			t.Errorf("%+v: deepest %d, want %d", layers, got, want)
		}
	}
}

// TestSettingsValidate: what the ranges of single numbers leave to be said. The tests of
// ParseSettings have valid settings of all kinds, and numbers out of range.
func TestSettingsValidate(t *testing.T) {
	byEmpty := func(entries ...EmptyDepth) Settings { return Settings{Rule: DepthRule{ByEmpty: entries}} }
	for want, s := range map[string]Settings{
		"min_probability: want a number in [0, 1), got NaN": {Rule: DepthRule{Fixed: 3}, MinProbability: math.NaN()},
		"depth_by_empty entry 2: above: want fewer empty cells than the entry before (7), got 7": byEmpty(
			EmptyDepth{7, 3}, EmptyDepth{7, 4}, EmptyDepth{-1, 3}),
		"depth_by_empty entry 2: above: want none in the last entry, which is for all other boards, and a number in each " +
			"other one": byEmpty(
			EmptyDepth{7, 3}, EmptyDepth{3, 4}),
	} {
		if err := s.Validate(); err == nil || err.Error() != want {
			t.Errorf("%+v: got %v, want %s", s, err, want)
		}
	}
}
