package experiments

import "math"

// plateau tells since when the generations of a stage have not become fitter. It looks at the mean of all candidates over the
// last few generations, so no lucky one counts: progress is a rise above the mean at the last progress by 1.645 standard
// errors. That is a hint and no test, since it looks again and again. Slow progress adds up until it is seen.
type plateau struct {
	window int // generations whose mean is looked at
	recent []point
	high   point // at the last progress
	rose   int   // its generation, from 0
	seen   int   // generations so far
}

// point is a mean and its variance.
type point struct{ mean, variance float64 }

// plateauWindow is the window in generations of each population.
const plateauWindow = 6

// add takes a generation's mean fitness in, and returns the generation of the last progress.
func (p *plateau) add(mean, variance float64) (rose int) {
	p.recent = append(p.recent, point{mean, variance})
	if len(p.recent) > p.window {
		p.recent = p.recent[1:]
	}
	var now point
	n := float64(len(p.recent))
	for _, x := range p.recent {
		now.mean += x.mean / n
		now.variance += x.variance / float64(n*n)
	}
	if p.seen == 0 || now.mean-p.high.mean > float64(LowerReach*math.Sqrt(now.variance+p.high.variance)) {
		p.high, p.rose = now, p.seen
	}
	p.seen++
	return p.rose
}

// over reports whether there was no progress in so many generations; 0: that does not matter.
func (p *plateau) over(generations int) bool {
	return generations > 0 && p.seen-1-p.rose >= generations
}
