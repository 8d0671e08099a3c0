package engine

import (
	"math"
	"math/bits"
)

// Searcher finds the best move of a board by expectimax. It owns scratch memory and a transposition table, so
// it serves one goroutine; make one for each worker and keep it. The zero value is ready for Prepare.
type Searcher struct {
	tables   *Tables
	settings Settings
	rules    Rules
	table    table
	nodes    int64

	unit    float64                         // value of the lowest fixed-point bit
	two     [17]float64                     // by number of empty cells n: probability of a 2 in a given cell
	four    [17]float64                     // the same of a 4
	scaled  struct{ two, four [17]float64 } // the same times unit
	fast    bool                            // whether the last chance layer can be valued without building its boards
	corners bool                            // whether tables look at corners and the largest tile

	sideways, upright spawnValues // scratch of the last chance layer

	// While a subtree is searched with a probability cut: the factors by which its reaching probability may
	// change before a test against MinProbability inside it comes out differently.
	low, high float64
}

// Decision is what a search found.
type Decision struct {
	Depth  int        // plies searched
	Best   Move       // the legal move of the highest value, the first of equals; NoMove if none is legal
	Values [4]float64 // by move, of the legal ones
	Legal  [4]bool    // by move
	Nodes  int64      // afterstates valued or expanded; what the transposition table answers is not counted
}

// Prepare sets what to search with. It allocates only when the transposition table must grow.
func (s *Searcher) Prepare(tables *Tables, settings Settings, rules Rules) {
	s.tables, s.settings, s.rules = tables, settings, rules
	s.table.resize(logSize(settings.Rule.Deepest()), settings.MinProbability > 0)
	s.unit = tables.unit()
	for n := 1; n <= 16; n++ {
		s.two[n] = (1 - rules.FourProbability) / float64(n)
		s.four[n] = rules.FourProbability / float64(n)
		s.scaled.two[n] = s.two[n] * s.unit
		s.scaled.four[n] = s.four[n] * s.unit
	}
	s.fast = len(tables.Orientations) == 1
	s.corners = tables.Orientations[0].hasCorners()
}

// Search values every legal move of b at the depth of the settings' rule.
func (s *Searcher) Search(b Board) Decision {
	return s.SearchDepth(b, s.settings.Rule.Depth(b))
}

// SearchDepth values every legal move of b at the given depth in plies (at least 1).
func (s *Searcher) SearchDepth(b Board, plies int) Decision {
	s.table.begin()
	s.nodes = 0
	s.low, s.high = 0, math.Inf(1)
	d := Decision{Depth: plies, Best: NoMove}
	for _, m := range Moves() {
		value, legal := s.moveValue(b, m, plies-1, 1, true)
		if !legal {
			continue
		}
		d.Legal[m], d.Values[m] = true, value
		if d.Best == NoMove || value > d.Values[d.Best] {
			d.Best = m
		}
	}
	d.Nodes = s.nodes
	return d
}

// best is a max node: the value of the best legal move of b with the given remaining plies (at least 1), or
// Dead. The node is reached with probability p.
func (s *Searcher) best(b Board, plies int, p float64) float64 {
	best := math.Inf(-1)
	if b.twoMaxRanks() {
		for _, m := range Moves() {
			if value, legal := s.moveValue(b, m, plies-1, p, false); legal {
				best = max(best, value)
			}
		}
	} else {
		t := b.Transpose()
		for dir := range 2 {
			if after := b.slideRows(dir); after != b {
				best = max(best, s.chance(after, after.Transpose(), plies-1, p))
			}
			if after := t.slideRows(dir); after != t {
				best = max(best, s.chance(after.Transpose(), after, plies-1, p))
			}
		}
	}
	if math.IsInf(best, -1) {
		return float64(s.tables.Dead) * s.unit
	}
	return best
}

// moveValue returns the value of one move of b with the given plies remaining after it, and whether it is legal.
// A 65536 ends the game: its board is a leaf.
func (s *Searcher) moveValue(b Board, m Move, plies int, p float64, root bool) (value float64, legal bool) {
	after, _, legal, capped := b.Slide(m)
	switch {
	case !legal:
		return 0, false
	case capped:
		s.nodes++
		ranks, _, _ := b.slideCells(m)
		return float64(s.tables.Capped((*[4][4]int)(&ranks))) * s.unit, true
	case root && plies > 0:
		s.nodes++
		return s.expand(after, after.Transpose(), plies, p), true
	default:
		return s.chance(after, after.Transpose(), plies, p), true
	}
}

// chance is a chance node: the value of afterstate b (t is its transpose) with the given remaining plies,
// reached with probability p.
func (s *Searcher) chance(b, t Board, plies int, p float64) float64 {
	if plies == 0 {
		s.nodes++
		return float64(s.tables.value(b)) * s.unit
	}
	if plies == 1 && s.settings.MinProbability == 0 {
		s.nodes++
		return s.expand(b, t, plies, p) // cheaper than the table
	}
	if s.settings.MinProbability > 0 {
		return s.chanceCut(b, t, plies, p)
	}
	i := s.table.slot(b, plies)
	if s.table.holds(i, b, plies) {
		return s.table.entries[i].value
	}
	s.nodes++
	value := s.expand(b, t, plies, p)
	s.table.entries[i] = entry{b, value, s.table.stamp, uint32(plies)}
	return value
}

// chanceCut is chance where small probabilities cut the tree: it also keeps for each entry the range of
// probabilities at which all cuts of its subtree are the same.
func (s *Searcher) chanceCut(b, t Board, plies int, p float64) float64 {
	cut := s.settings.MinProbability / p
	if p < s.settings.MinProbability {
		s.high = min(s.high, cut)
		s.nodes++
		return float64(s.tables.value(b)) * s.unit
	}
	low, high := s.low, s.high
	i := s.table.slot(b, plies)
	if s.table.holds(i, b, plies) {
		if bound := s.table.bounds[i]; bound.serves(p) {
			s.low, s.high = max(low, bound.low/p), min(high, bound.high/p)
			return s.table.entries[i].value
		}
	}
	s.nodes++
	s.low, s.high = cut, math.Inf(1)
	value := s.expand(b, t, plies, p)
	s.table.entries[i] = entry{b, value, s.table.stamp, uint32(plies)}
	s.table.bounds[i] = bound{p, s.low * p, s.high * p}
	s.low, s.high = max(low, s.low), min(high, s.high)
	return value
}

// expand returns the probability-weighted mean over all spawns on afterstate b with plies >= 1 remaining.
func (s *Searcher) expand(b, t Board, plies int, p float64) float64 {
	if s.fast && plies <= 2 && !b.twoMaxRanks() {
		if plies == 1 {
			return s.spawnLeaf(b, t)
		}
		if largest, ok := s.steadyLargest(b); ok {
			return s.spawnMoveLeaf(b, t, largest)
		}
	}
	blanks := b.blanks()
	n := bits.OnesCount64(blanks)
	two, four := s.two[n], s.four[n]
	var sum2, sum4 float64
	for ; blanks != 0; blanks &= blanks - 1 {
		tile := Board(blanks & -blanks)
		if two > 0 {
			sum2 += s.spawned(b|tile, plies-1, float64(p*two))
		}
		if four > 0 {
			sum4 += s.spawned(b|tile<<1, plies-1, float64(p*four))
		}
	}
	return float64(sum2*two) + float64(sum4*four)
}

// spawned values a board after a spawn: as a leaf when no plies remain.
func (s *Searcher) spawned(b Board, plies int, p float64) float64 {
	switch {
	case plies > 0:
		return s.best(b, plies, p)
	case b.HasMove():
		return float64(s.tables.value(b)) * s.unit
	default:
		return float64(s.tables.Dead) * s.unit
	}
}
