package engine

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestAssemblyEqualsPortable compares the last chance layer in assembly with its portable twin, bit for bit: for all
// kinds of tables, on boards of all kinds.
func TestAssemblyEqualsPortable(t *testing.T) {
	if !hasLastLayer {
		t.Skip("no assembly here")
	}
	r := rand.New(rand.NewPCG(9, 10))
	stuck, dead := 0, 0
	for round := range 16 {
		tables, _ := oddTables(r, round&1 != 0)
		if round&2 != 0 {
			tables.Lines = nil
		}
		var s Searcher
		s.Prepare(tables, FixedDepth(3), DefaultRules())
		for i := range 20000 {
			b := randomBoard(r, []int{2, 4, 11, 15}[i%4], []float64{0.02, 0.05, 0.1, 0.4}[i/4%4])
			blanks, x := b.blanks(), b.Transpose()
			if blanks == 0 || b.twoMaxRanks() {
				continue
			}
			if s.corners {
				s.rows.setLargest(b.Largest())
				s.columns.setLargest(b.Largest())
			}
			var got, want leafSums
			illegals := lastLayer(&s.rows, &s.columns, b, x, tables.Dead, &got)
			sideways, upright := s.rows.values, s.columns.values

			s.rows.slide(b)
			s.columns.slide(x)
			twin := s.rows.slideSpawns(b) + s.columns.slideSpawns(x)
			want.add(&s.rows.values, &s.columns.values, blanks, tables.Dead)
			if got != want || illegals != twin {
				t.Fatalf("round %d, board %v: got %v and %x illegals, the twin %v and %x", round, b, got, illegals, want, twin)
			}
			for ; blanks != 0; blanks &= blanks - 1 {
				cell := bits.TrailingZeros64(blanks) >> 2
				for k := range 2 {
					a, b := [2]int64{sideways[k][cell], upright[k][cell]}, [2]int64{s.rows.values[k][cell], s.columns.values[k][cell]}
					if a != b {
						t.Fatalf("round %d, spawn of a %d in cell %d: got %v, the twin %v", round, 2<<k, cell, a, b)
					}
				}
			}
			if illegals != 0 {
				stuck++
			}
			if want.two == float64(tables.Dead) {
				dead++
			}
		}
	}
	if stuck == 0 || dead == 0 {
		t.Errorf("%d boards with illegal slides, %d without a move: want both", stuck, dead)
	}
}
