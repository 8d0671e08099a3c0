package engine

import "math"

// Best returns the best legal move of b at the depth of the settings' rule, and the move's value.
// Both are those of Search, to the bit. Best takes fewer nodes than Search if the search is deeper
// than 3 plies and the tables have a Bound. Without a legal move it returns NoMove. The package's
// documentation has the method and an example.
func (s *Searcher) Best(b Board) (best Move, value float64, nodes int64) {
	plies := s.settings.Rule.Depth(b)
	if plies <= 3 || s.tables.Bound == nil || b.twoMaxRanks() {
		d := s.Search(b)
		if d.Best == NoMove {
			return NoMove, 0, d.Nodes
		}
		return d.Best, d.Values[d.Best], d.Nodes
	}
	s.newSearch(plies)
	if bound := s.tables.Bound(); s.bounds.bound != bound {
		s.bounds.forget(bound)
	}
	s.bounded = true
	defer func() { s.bounded = false }()
	best = NoMove
	var n maxNode
	n.slide(b)
	for _, m := range s.order(&n) {
		if n.after[m] == b {
			continue
		}
		s.nodes++
		alpha := value
		if best == NoMove {
			alpha = math.Inf(-1)
		}
		v, _ := s.expand(n.after[m], plies-1, 1, alpha)
		if best == NoMove || v > value || v == value && m < best {
			best, value = m, v
		}
	}
	return best, value, s.nodes
}

// order returns the moves by falling static value of their afterstates. A search of the likely
// best move first makes alpha high early.
func (s *Searcher) order(n *maxNode) (order [4]Move) {
	var values [4]int64
	for i, m := range Moves() {
		v := s.tables.sum(n.after[m])
		for ; i > 0 && values[i-1] < v; i-- {
			values[i], order[i] = values[i-1], order[i-1]
		}
		values[i], order[i] = v, m
	}
	return order
}

// star1 is a chance node whose value matters only if it is at least alpha.
type star1 struct {
	margin float64 // more than all rounding errors of a mean
	alpha  float64 // less two margins
	most   float64 // upper bound of the value of any spawn
	known  float64 // the part of the mean that is known
	rest   float64 // probability of the spawns that are not valued yet
	cut    bool    // the value is below alpha, and known is an upper bound of it
}

// marginBits makes a margin of 2^marginBits units. Values have at most valueBits = 62 bits, and a
// float64 has 53. So the margin is at least 1,024 times the rounding error of a sum, and the search
// never cuts a move of equal value.
const marginBits = 19

// star1 begins a chance node.
func (s *Searcher) star1(b Board, plies int, alpha float64) star1 {
	if !s.bounded || alpha == math.Inf(-1) {
		return star1{alpha: math.Inf(-1)}
	}
	most := s.bounds.value(b, plies)
	if most == unbounded {
		return star1{alpha: math.Inf(-1)}
	}
	margin := math.Ldexp(s.unit, marginBits)
	return star1{
		margin: margin,
		alpha:  alpha - 2*margin,
		most:   max(most*s.unit, s.tables.Dead),
	}
}

// best values the next spawn: the max node n. The spawn has the given probability, and the search
// reaches it with probability p. sum is the sum of the values before it with the same tile.
func (r *star1) best(s *Searcher, n *maxNode, plies int, p, probability, sum float64) (value float64) {
	r.rest -= probability
	others := r.known + float64(sum*probability) + float64(r.rest*r.most)
	alpha := (r.alpha - others) / probability
	value = r.most
	if value >= alpha {
		value = s.best(n, plies, p, alpha)
	}
	if value < alpha {
		r.cut, r.known = true, others+float64(value*probability)+r.margin
	}
	return value
}
