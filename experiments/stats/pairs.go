package stats

// Pairs are the differences of two samples that were drawn in pairs: here of games of the same
// seeds. Luck that both numbers of a pair share does not count. The zero value has no pairs: the
// samples are independent.
type Pairs struct {
	Moments     // of the differences, each of the first sample's number less the second's
	Differ  int // how many of them are not 0
}

// PairsOf returns the pairs a[i], b[i], or none where the samples differ in size.
func PairsOf(a, b []float64) (p Pairs) {
	if len(a) != len(b) {
		return p
	}
	for i, x := range a {
		p.Add(x, b[i])
	}
	return p
}

// Add takes one more pair.
func (p *Pairs) Add(a, b float64) {
	if p.Moments.Add(a - b); a != b {
		p.Differ++
	}
}

// freedom returns the degrees of freedom of the spread of the differences. Pairs of equals tell
// nothing of it: where 4 of 400 differ, 399 degrees would miss the truth in up to 13% of samples
// instead of 5%, and 3 degrees in at most 3% (TestFewPairsDiffer).
func (p Pairs) freedom() float64 { return float64(max(1, p.Differ-1)) }
