package engine

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// randomTables are random look-ups of either sign up to a magnitude, for all kinds of tables.
func randomTables(r *rand.Rand, largest int64, lines, oriented bool) *Tables {
	entry := func() int64 { return r.Int64N(2*largest+1) - largest }
	fill := func(list []int64) {
		for i := range list {
			list[i] = entry()
		}
	}
	line := func() *LineTable {
		table := new(LineTable)
		fill(table[:])
		return table
	}
	t := &Tables{Dead: -1 << 61}
	if lines {
		t.Rows = line()
		t.Columns = t.Rows
	}
	var rows, columns [4]*LineTable
	t.Along = func(int) ([4]*LineTable, [4]*LineTable) { return rows, columns }
	if !oriented {
		if r.IntN(2) == 0 {
			t.Squares = [2]*LineTable{line(), line()}
		}
		for i := range 4 {
			rows[i], columns[i] = line(), line()
		}
		return t
	}
	all := cmp.Or(t.Rows, new(LineTable))
	rows = [4]*LineTable{all, all, all, all}
	columns = rows
	t.Oriented = &[16]*Oriented{new(Oriented)}
	for i := range t.Oriented[0] {
		for half := range 2 {
			for pair := range 256 {
				fill(t.Oriented[0][i][half][pair][:])
			}
		}
	}
	return t
}

// TestAssemblyEqualsPortable compares the last chance layer in assembly with that in Go, bit for
// bit: for all kinds of tables, on boards of all kinds.
func TestAssemblyEqualsPortable(t *testing.T) {
	if !hasLastLayer {
		t.Skip("no assembly here")
	}
	r := rand.New(rand.NewPCG(9, 10))
	stuck, dead := 0, 0
	for round := range 16 {
		oriented := round&1 != 0
		if oriented && !hasLastLayerBest {
			continue
		}
		magnitude := int64(1 << 56) // some 16 of them add up to 2^60
		if round&2 != 0 {
			magnitude = 1 << 20 // sums that differ in their lower half alone
		}
		tables := randomTables(r, magnitude, round&4 == 0, oriented)
		var s Searcher
		s.Prepare(tables, FixedDepth(3), DefaultRules())
		for i := range 20000 {
			b := randomBoard(r, []int{2, 4, 11, 15}[i%4], []float64{0.02, 0.05, 0.1, 0.4}[i/4%4])
			blanks, x := b.blanks(), b.Transpose()
			if blanks == 0 || b.twoMaxRanks() {
				continue
			}
			got := s.spawnMoveLeaf(b, x, 0)
			sideways, upright := s.rows.values, s.columns.values
			s.rows.values, s.columns.values = spawnValues{}, spawnValues{} // Go has to find its own

			s.rows.slide(b)
			s.columns.slide(x)
			illegals, all := s.rows.slideSpawns(b)+s.columns.slideSpawns(x), int64(4*b.Empty())
			want := leafSums{nodes2: all - int64(illegals&0xFF), nodes4: all - int64(illegals>>8)}
			want.add(&s.rows.values, &s.columns.values, blanks, s.dead, true)
			if got != want {
				t.Fatalf("round %d, board %v: got %+v, in Go %+v", round, b, got, want)
			}
			for ; blanks != 0; blanks &= blanks - 1 {
				cell := bits.TrailingZeros64(blanks) >> 2
				for k := range 2 {
					other := turnedCells[cell]
					a := [2]int64{sideways[k][cell], upright[k][other]}
					b := [2]int64{s.rows.values[k][cell], s.columns.values[k][other]}
					if a != b {
						t.Fatalf("round %d, spawn of a %d in cell %d: got %v, in Go %v", round, 2<<k, cell, a, b)
					}
				}
			}
			if illegals != 0 {
				stuck++
			}
			if want.two == float64(s.dead) {
				dead++
			}
		}
	}
	if stuck == 0 || dead == 0 {
		t.Errorf("%d boards with illegal slides, %d without a move: want both", stuck, dead)
	}
}

// TestByEmpty: a table by the number of blanks has the values and nodes of the same function of the
// board, to the bit, whatever the depth, the look-ups and the cut.
func TestByEmpty(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var fast, slow Searcher
	for round := range 12 {
		tables := randomTables(r, 1<<(20+3*round), round&1 == 0, true)
		tables.Oriented = nil // random ones are no orientations of one board
		tables.Bits, tables.Dead = 20, -float64(int64(1)<<40)
		function, table := *tables, *tables
		table.ByEmpty = new([17]float64)
		for n := range table.ByEmpty {
			table.ByEmpty[n] = r.NormFloat64() * float64(int64(1)<<r.IntN(40))
		}
		function.Board = func(b Board) float64 { return table.ByEmpty[b.Empty()] }
		for i := range 30 {
			settings := FixedDepth(1 + i%5)
			settings.MinProbability = []float64{0, 0.01}[i/5%2]
			b := randomBoard(r, []int{2, 4, 11, 15}[i%4], []float64{0.05, 0.1, 0.3}[i%3])
			slow.Prepare(&function, settings, DefaultRules())
			fast.Prepare(&table, settings, DefaultRules())
			if got, want := fast.Search(b), slow.Search(b); got != want {
				t.Fatalf("round %d, %v, board %v: got %+v, want %+v", round, settings, b, got, want)
			}
		}
	}
}
