package heuristic

import "math"

// interval is a range of numbers, its ends included.
type interval struct{ low, high float64 }

func point(x float64) interval { return interval{x, x} }

// The operations return all results for operands within the intervals. Rounding keeps order, so
// operands at the ends reach the ends.

func (i interval) plus(j interval) interval { return interval{i.low + j.low, i.high + j.high} }

func (i interval) times(j interval) interval { return atEnds(multiply, i, j) }

// magnitude is the largest absolute value.
func (i interval) magnitude() float64 { return math.Max(-i.low, i.high) }

// certain is the smallest absolute value.
func (i interval) certain() float64 { return math.Max(0, math.Max(i.low, -i.high)) }
