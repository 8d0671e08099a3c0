package engine

import "tune2048/engine/portable"

// Expectimax is the player that searches.
type Expectimax struct{ Searcher }

var (
	_ Player = (*Expectimax)(nil)
	_ Player = (*Random)(nil)
	_ Player = Greedy{}
)

// Begin does nothing: a search depends on its board only.
func (*Expectimax) Begin(uint64) {}

// Choose returns the best move of the search, see Searcher.Best.
func (e *Expectimax) Choose(b Board) (Move, int64) {
	best, _, nodes := e.Best(b)
	return best, nodes
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
