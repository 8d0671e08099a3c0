package experiments

import (
	"context"
	"slices"

	"tune2048/experiments/stats"
)

// pairs are comparisons of candidates that play the same seeds, from look to look of a group
// sequential test until each pair is decided. The ablation, the trend and tune compare are such
// pairs. They differ in the games that a look waits for, and in the verdict of a look.
//
// The level of the test is for one pair at all its looks: the level of all pairs, divided by their
// number. So the intervals of all pairs and all looks hold together (see [stats.Design], and
// Bonferroni's inequality), and it does not matter which look decides.
type pairs struct {
	test *stats.Design
	rows []Comparison
	open []int     // the rows that are not decided
	z    []float64 // by row: the normal statistic at the row's last look
}

func newPairs(test *stats.Design, rows []Comparison) *pairs {
	p := &pairs{test: test, rows: rows, z: make([]float64, len(rows))}
	for i := range rows {
		p.open = append(p.open, i)
	}
	return p
}

// live returns the candidates of the pairs that are not decided.
func (p *pairs) live() (numbers []int) {
	for _, i := range p.open {
		numbers = append(numbers, p.rows[i].Baseline, p.rows[i].Candidate)
	}
	return distinct(numbers)
}

// decide lets the pairs play from look to look of their test, until each is decided or has lost a
// player. due returns the games that a look waits for, by the players of the open pairs, and false
// if there are no more. judge compares an open pair by the games so far, with intervals of this
// confidence. It returns the normal statistic of the difference, and whether that decides the pair.
//
// Where a limit cuts the games of a look short, that look is the last one, with its own boundary.
// The level still holds. For the statistic of the look before is closer to one of fewer games, and
// of two normal variables the probability that both stay within their boundaries grows with their
// correlation (Z. Sidak, Rectangular confidence regions, JASA 62, 1967). So fewer pairs leave them.
func (s *session) decide(ctx context.Context, p *pairs, due func(look int, live []int) (Block, bool),
	judge func(c *Comparison, confidence float64) (z float64, decided bool)) error {
	lost := func(row int) bool { return s.lost(&p.rows[row]) }
	p.open = slices.DeleteFunc(p.open, lost)
	for look := 1; look <= len(p.test.Boundaries) && len(p.open) > 0; look++ {
		b, more := due(look, p.live())
		if !more {
			break
		}
		s.progress.Look, s.progress.Looks = look, len(p.test.Boundaries)
		if _, err := s.play(ctx, b); err != nil {
			return err
		}
		if s.ranOut(b.Place, b.First) {
			break
		}
		p.open = slices.DeleteFunc(p.open, func(row int) bool {
			if lost(row) {
				return true
			}
			p.rows[row].Look = look
			z, decided := judge(&p.rows[row], p.test.Boundaries[look-1].Confidence())
			p.z[row] = z
			return decided
		})
		if s.ranOut(b.Place, b.First+b.Games-1) {
			break
		}
	}
	return nil
}

// lost reports whether a player of a comparison could not be played.
func (s *session) lost(c *Comparison) bool {
	return s.failed.has(c.Candidate) || s.failed.has(c.Baseline)
}

// pValue returns the p-value of a row at its last look. It is valid whichever look that was.
func (p *pairs) pValue(row int) float64 { return p.test.PValue(p.rows[row].Look, p.z[row]) }
