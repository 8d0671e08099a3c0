package engine

import (
	"fmt"

	"tune2048/engine/portable"
)

// Expectimax is the player that searches.
type Expectimax struct {
	Searcher
	Audit *Audit // if not nil, repeats some searches
}

// Audit repeats one in 200 of the searches that leave nodes out, by the full search.
type Audit struct {
	Repeated int64   // searches
	Wrong    []Wrong // those whose move or value is not the full search's
}

// Wrong is a search for the best move alone that the full search contradicts. Best and Full are the
// move and the value of each.
type Wrong struct {
	Board      Board
	Best, Full string
}

// auditEvery is one in how many boards is searched twice. A hash of the board chooses it.
const auditEvery = 200

var (
	_ Player = (*Expectimax)(nil)
	_ Player = (*Random)(nil)
	_ Player = Greedy{}
)

// Begin does nothing: a search depends on its board only.
func (*Expectimax) Begin(uint64) {}

// Choose returns the best move of the search, see Searcher.Best.
func (e *Expectimax) Choose(b Board) (Move, int64) {
	best, value, nodes := e.Best(b)
	if e.Audit != nil && e.prunes(b) && uint64(b)*0x9e3779b97f4a7c15>>32%auditEvery == 0 {
		e.repeat(b, best, value)
	}
	return best, nodes
}

// repeat compares the best move of b with the full search. A search that was stopped proves
// nothing.
func (e *Expectimax) repeat(b Board, best Move, value float64) {
	d := e.Search(b)
	if e.stop != nil && e.stop.Load() {
		return
	}
	e.Audit.Repeated++
	if best != d.Best || best != NoMove && value != d.Values[best] {
		w := Wrong{Board: b, Best: fmt.Sprint(best, " ", value), Full: d.Best.String()}
		if d.Best != NoMove {
			w.Full += fmt.Sprint(" ", d.Values[d.Best])
		}
		e.Audit.Wrong = append(e.Audit.Wrong, w)
	}
}

// Random plays a legal move at random, each equally likely: the baseline that any heuristic must
// beat.
type Random struct{ stream portable.Source }

// Begin derives the player's stream from the game's seed, apart from the stream of the spawns.
func (r *Random) Begin(seed uint64) { r.stream = *portable.NewSource(^seed) }

// Choose implements Player.
func (r *Random) Choose(b Board) (Move, int64) {
	var legal [4]Move
	n := uint64(0)
	for _, m := range Moves() {
		if _, _, ok, _ := b.Slide(m); ok {
			legal[n] = m
			n++
		}
	}
	return legal[(r.stream.Uint64()>>32)*n>>32], 0
}

// Greedy plays the legal move that wins the most points now, the first of equals.
type Greedy struct{}

// Begin does nothing.
func (Greedy) Begin(uint64) {}

// Choose implements Player.
func (Greedy) Choose(b Board) (Move, int64) {
	best, most := NoMove, -1
	for _, m := range Moves() {
		if _, reward, legal, _ := b.Slide(m); legal && reward > most {
			best, most = m, reward
		}
	}
	return best, 0
}
