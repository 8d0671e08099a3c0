package engine

import (
	"context"
	"math"
	"math/bits"
	"sync/atomic"
)

// Searcher is the player that finds the best move of a board by expectimax. It owns scratch memory
// and a transposition table, so it serves one goroutine. Make one for each worker and keep it. The
// zero value is ready for Prepare.
type Searcher struct {
	tables   *Tables
	settings Settings
	rules    Rules
	table    table
	nodes    int64

	unit  float64     // value of the lowest fixed-point bit, a power of two
	two   [17]float64 // by number of empty cells n: probability of a 2 in a given cell
	four  [17]float64 // the same of a 4
	dead  int64       // Tables.Dead in fixed point, or with Tables.ByEmpty as ordered has it
	whole bool        // whether each leaf is built and valued by Value

	leafUnit float64 // value of 1 in leafSums: unit, or with Tables.ByEmpty 1

	rows, columns side // the last chance layer, prepared by setLargest
	largest       int  // the last argument of setLargest, or -1

	// The value of a subtree holds for other probabilities of reaching it, too, while each of its
	// nodes stays on its side of MinProbability. It holds for every probability in
	// [low x p, high x p), where p is the one at hand.
	low, high float64

	bounds  knownBounds // of the tables that the best move was last searched with
	bounded bool        // while the best move is searched for

	stop *atomic.Bool // see StopOn
}

// StopOn makes a running search end at once when the flag is set. The values of this search mean
// nothing. Without it a deep search could take longer than anybody lives. nil: no flag.
func (s *Searcher) StopOn(flag *atomic.Bool) { s.stop = flag }

// StopWith is StopOn for when ctx is done, until release is called.
func (s *Searcher) StopWith(ctx context.Context) (release func()) {
	var done atomic.Bool
	s.StopOn(&done)
	forget := context.AfterFunc(ctx, func() { done.Store(true) })
	return func() { forget(); s.StopOn(nil) }
}

// Decision is the result of a search.
type Decision struct {
	Depth  int        // plies searched
	Best   Move       // the legal move of the highest value, the first of equals; NoMove if none is legal
	Values [4]float64 // by move, of the legal ones
	Legal  [4]bool    // by move
	Nodes  int64      // afterstates valued or expanded; answers of the transposition table are not counted
}

// Prepare sets the tables, settings and rules of the searches that follow.
func (s *Searcher) Prepare(tables *Tables, settings Settings, rules Rules) {
	s.tables, s.settings, s.rules = tables, settings, rules
	s.unit = tables.unit()
	for n := 1; n <= 16; n++ {
		s.two[n] = (1 - rules.FourProbability) / float64(n)
		s.four[n] = rules.FourProbability / float64(n)
	}
	s.dead, s.leafUnit, s.whole, s.largest = int64(tables.Dead/s.unit), s.unit, tables.whole(), -1
	if tables.ByEmpty != nil {
		s.dead, s.leafUnit = ordered(tables.Dead), 1
	}
}

// setLargest prepares the last chance layer for boards with this largest tile, see
// Tables.ByLargest.
func (s *Searcher) setLargest(largest int) {
	if s.largest == largest {
		return
	}
	s.largest = largest
	var oriented *Oriented
	if s.tables.Oriented != nil {
		oriented = s.tables.Oriented[largest]
	}
	rows, columns := s.tables.Along(largest)
	s.rows.prepare(s.tables, &rows, oriented, 0)
	s.columns.prepare(s.tables, &columns, oriented, 1)
}

// Choose plays the move of [Searcher.Best].
func (s *Searcher) Choose(b Board) (Move, int64) {
	best, _, nodes := s.Best(b)
	return best, nodes
}

// Search values every legal move of b at the depth of the settings' rule.
func (s *Searcher) Search(b Board) Decision {
	plies := s.settings.Rule.Depth(b)
	s.newSearch(plies)
	d := Decision{Depth: plies, Best: NoMove}
	s.moves(b, plies-1, &d.Values, &d.Legal)
	for _, m := range Moves() {
		if d.Legal[m] && (d.Best == NoMove || d.Values[m] > d.Values[d.Best]) {
			d.Best = m
		}
	}
	d.Nodes = s.nodes
	return d
}

// newSearch begins a search of so many plies. It allocates only when the transposition table must
// grow.
func (s *Searcher) newSearch(plies int) {
	s.table.resize(logSize(plies, s.settings.MinProbability))
	s.table.begin()
	s.nodes = 0
	s.low, s.high = 0, math.Inf(1)
}

// maxNode is a board on the move and its afterstates, by move. The afterstate of an illegal move is
// the board itself.
type maxNode struct {
	board Board
	after [4]Board
}

// slide makes the node of b.
func (n *maxNode) slide(b Board) {
	n.board = b
	up, down := b.Transpose().slideRows()
	n.after[Up], n.after[Down] = up.Transpose(), down.Transpose()
	n.after[Left], n.after[Right] = b.slideRows()
}

// best is the value of the best legal move of a max node with the given remaining plies (at least
// 1), or Dead. The search reaches the node with probability p. A result below alpha is an upper
// bound of the value.
func (s *Searcher) best(n *maxNode, plies int, p, alpha float64) float64 {
	best := math.Inf(-1)
	if n.board.twoMaxRanks() {
		for m, after := range &n.after {
			if after != n.board {
				best = max(best, s.behind(n.board, Move(m), after, plies-1, p))
			}
		}
	} else if plies > 3 && s.bounded {
		for _, m := range s.order(n) {
			if after := n.after[m]; after != n.board {
				if v := s.chance(after, plies-1, p, max(alpha, best)); v > best {
					best = v
				}
			}
		}
	} else {
		for _, after := range &n.after {
			if after != n.board {
				if v := s.chance(after, plies-1, p, alpha); v > best {
					best = v
				}
			}
		}
	}
	if best == math.Inf(-1) {
		return s.tables.Dead
	}
	return best
}

// moves values the legal moves of the root b, with the given plies remaining after them.
func (s *Searcher) moves(b Board, plies int, values *[4]float64, legal *[4]bool) {
	var n maxNode
	n.slide(b)
	two := b.twoMaxRanks()
	for m, after := range &n.after {
		legal[m] = after != b
		switch {
		case !legal[m]:
		case two:
			values[m] = s.behind(b, Move(m), after, plies, 1)
		case plies > 0: // nothing leads here twice
			s.nodes++
			values[m], _ = s.expand(after, plies, 1, math.Inf(-1))
		default:
			values[m] = s.chance(after, plies, 1, math.Inf(-1))
		}
	}
}

// behind is chance for the afterstate of a move of a board with two 32768s. If they merge, the game
// is over: the afterstate is a leaf.
func (s *Searcher) behind(b Board, m Move, after Board, plies int, p float64) float64 {
	if b.ends(m) {
		plies = 0
	}
	return s.chance(after, plies, p, math.Inf(-1))
}

// chance is a chance node: the value of afterstate b with the given remaining plies, reached with
// probability p. A result below alpha is an upper bound of the value.
func (s *Searcher) chance(b Board, plies int, p, alpha float64) float64 {
	switch {
	case plies == 0:
		s.nodes++
		return s.tables.Value(b)
	case !s.looksUp(plies):
		s.nodes++
		value, _ := s.expand(b, plies, p, alpha) // cheaper than the table
		return value
	case s.settings.MinProbability > 0:
		return s.chanceCut(b, plies, p, alpha)
	}
	k, mark := s.table.slot(b, plies)
	for i := range k {
		if e := &k[i]; e.board == b && e.mark == mark && (!e.bound || e.value < alpha) {
			return e.value
		}
	}
	s.nodes++
	value, exact := s.expand(b, plies, p, alpha)
	k.put(b, mark, value, !exact)
	return value
}

// chanceCut is chance where small probabilities cut the tree. It also keeps for each entry the
// range of probabilities at which all cuts of its subtree are the same.
func (s *Searcher) chanceCut(b Board, plies int, p, alpha float64) float64 {
	if p < s.settings.MinProbability {
		s.noteCut(p)
		s.nodes++
		return s.tables.Value(b)
	}
	low, high := s.low, s.high
	k, mark := s.table.slot(b, plies)
	for i := range k {
		if e := &k[i]; e.board == b && e.mark == mark && (!e.bound || e.value < alpha) && e.serves(p) {
			s.low, s.high = max(low, float64(e.low)/p), min(high, float64(e.high)/p)
			return e.value
		}
	}
	s.nodes++
	s.low, s.high = s.settings.MinProbability/p, math.Inf(1)
	value, exact := s.expand(b, plies, p, alpha)
	k.put(b, mark, value, !exact).setRange(s.low*p, s.high*p)
	s.low, s.high = max(low, s.low), min(high, s.high)
	return value
}

// noteCut notes a chance node that is reached with probability p and is cut.
func (s *Searcher) noteCut(p float64) { s.high = min(s.high, s.settings.MinProbability/p) }

// expand returns the probability-weighted mean over all spawns on afterstate b with plies >= 1
// remaining, reached with probability p. A mean that is not exact is an upper bound below alpha.
func (s *Searcher) expand(b Board, plies int, p, alpha float64) (value float64, exact bool) {
	t := b.Transpose()
	blanks := b.blanks()
	n := bits.OnesCount64(blanks)
	fast := !s.whole && !b.twoMaxRanks() && !(plies == 1 && s.tables.ByEmpty != nil)
	if fast && plies == 1 {
		return s.spawnLeaf(b, t), true
	}
	var largest int
	if fast {
		largest, fast = s.steadyLargest(b, t)
	}
	if fast && plies == 2 { // nearly all chance nodes
		leaves := s.spawnMoveLeaf(b, t, largest)
		s.nodes += leaves.nodes2 + leaves.nodes4
		return (float64(leaves.two*s.two[n]) + float64(leaves.four*s.four[n])) * s.leafUnit, true
	}
	if s.stop != nil && s.stop.Load() { // seldom asked: what is above is nearly all there is
		return 0, true
	}
	two, four := s.two[n], s.four[n]
	// The probability of each spawn, rounded as in nneonneo/2048-ai: first shared among the cells.
	share := p / float64(n)
	p2, p4 := float64(share*(1-s.rules.FourProbability)), float64(share*s.rules.FourProbability)

	// A spawn may leave the next chance nodes too improbable. Then their boards are leaves, as at
	// the last ply.
	leaves2, leaves4 := p2 < s.settings.MinProbability, p4 < s.settings.MinProbability
	var leaves leafSums
	fast = fast && (leaves2 || leaves4)
	if fast {
		leaves = s.spawnMoveLeaf(b, t, largest)
	}
	var mean2, mean4 float64
	leaves2, leaves4 = fast && leaves2, fast && leaves4
	if leaves2 {
		mean2 = float64(leaves.two*s.two[n]) * s.leafUnit
		s.nodes += leaves.nodes2
		s.noteCut(p2)
	}
	if leaves4 {
		mean4 = float64(leaves.four*s.four[n]) * s.leafUnit
		s.nodes += leaves.nodes4
		s.noteCut(p4)
	}
	r := s.star1(b, plies, alpha)
	r.known = mean2 + mean4
	if !leaves2 {
		r.rest += float64(float64(n) * two)
	}
	if !leaves4 {
		r.rest += float64(float64(n) * four)
	}
	if !leaves2 && two > 0 {
		mean2 = float64(s.sum(b, blanks, 0, plies-1, p2, two, &r) * two)
		if r.cut {
			return r.known, false
		}
		r.known += mean2
	}
	if !leaves4 && four > 0 {
		mean4 = float64(s.sum(b, blanks, 1, plies-1, p4, four, &r) * four)
		if r.cut {
			return r.known, false
		}
	}
	return mean2 + mean4, true
}

// sum adds up the values after a spawn of a 2 (0) or a 4 (1) in each blank cell, in the order of
// the cells. Each spawn has the given probability. sum ends early if the node is cut.
func (s *Searcher) sum(b Board, blanks uint64, tile uint, plies int, p, probability float64, r *star1) (sum float64) {
	if plies == 0 {
		for ; blanks != 0; blanks &= blanks - 1 {
			sum += s.leaf(b | Board(blanks&-blanks)<<tile)
		}
		return sum
	}
	var nodes [2]maxNode
	node, next := &nodes[0], &nodes[1]
	s.open(next, b|Board(blanks&-blanks)<<tile, plies)
	for blanks != 0 && !r.cut {
		node, next = next, node
		blanks &= blanks - 1
		if blanks != 0 { // the next node's entries arrive while this one is searched
			s.open(next, b|Board(blanks&-blanks)<<tile, plies)
		}
		sum += r.best(s, node, plies, p, probability, sum)
	}
	return sum
}

// open makes the max node of b, and begins to fetch what the table has of its afterstates.
func (s *Searcher) open(n *maxNode, b Board, plies int) {
	n.slide(b)
	if s.looksUp(plies - 1) {
		s.table.fetch(n, plies-1)
	}
}

// looksUp reports whether chance nodes of the given remaining plies are looked up in the table.
func (s *Searcher) looksUp(plies int) bool {
	return plies > 1 || plies == 1 && s.settings.MinProbability > 0
}

// leaf values a board after a spawn when no plies remain.
func (s *Searcher) leaf(b Board) float64 {
	if b.HasMove() {
		return s.tables.Value(b)
	}
	return s.tables.Dead
}
