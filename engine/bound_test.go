package engine

import (
	"math/rand/v2"
	"testing"
)

// TestKnownBounds: what is remembered is what the Bound returns, for far more tiles and plies than
// there are entries, and of the Bound at hand.
func TestKnownBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	var known knownBounds
	again := 0
	for range 4 {
		lines := new(LineTable)
		for i := range lines {
			lines[i] = r.Int64N(1<<20) - 1<<19
		}
		bound := NewBound(&Tables{Rows: lines, Columns: lines}, nil, 0)
		known.forget(bound)
		var boards []Board
		for i := range 4000 {
			b := randomBoard(r, 1+i%15, []float64{0.1, 0.5}[i%2]) &^ 0xF
			if i%3 == 0 && len(boards) > 0 { // the same tiles in other places
				b = turned(boards[r.IntN(len(boards))], r.IntN(8))
			}
			if b == 0 || b.blanks() == 0 {
				continue
			}
			boards = append(boards, b)
			for _, plies := range []int{2 + i%29, 2 + r.IntN(29), 4, 6} {
				before := known.entries
				if got, want := known.value(b, plies), bound.value(b.tiles(), plies/2, (plies+1)/2); got != want {
					t.Fatalf("board %v, %d plies: got %v, want %v", b, plies, got, want)
				}
				if known.entries == before {
					again++
				}
			}
		}
	}
	if again < 500 {
		t.Errorf("%d bounds were remembered", again)
	}
}
