package configs

import (
	"fmt"
	"math"
	"strconv"

	"tune2048/engine/heuristic"
	"tune2048/engine/portable"
)

// edge is how near to an end of its range a weight is at its edge: a share of the range.
const edge = 0.02

// Next returns the config of another experiment, which starts from these values of all weights and from this value of dead. Its
// seed is the next one: games that chose these weights must not praise them again.
// A range is moved to have a value in its middle that lies within 2% of an end of it or beyond: the best one may lie there.
// changes says in words what is another than in c, one line each.
func (c *Config) Next(name string, values heuristic.Vector, dead heuristic.Dead) (next *Config, changes []string, err error) {
	if !nameForm.MatchString(name) {
		return nil, nil, fmt.Errorf("want a name of %s, got %s", nameRule, clip(name))
	}
	moved := *c
	moved.Name, moved.Path = name, name+".yaml"
	moved.Family.Dead = dead
	moved.Seed = (c.Seed + 1) % (1 << 53)
	changes = append(changes, fmt.Sprintf("seed: %d, was %d, for games that these weights were not chosen by", moved.Seed, c.Seed))
	if dead != c.Family.Dead {
		changes = append(changes, fmt.Sprintf("dead: %s, was %s", deadText(dead), deadText(c.Family.Dead)))
	}
	weights := c.Family.Weights()
	starts := make([]heuristic.Weight, len(weights))
	for i, w := range weights {
		starts[i] = w
		starts[i].Value = values[i] + 0
	}
	for i, w := range weights {
		if w.Tunable && atEdge(w, values[i]) {
			starts[i].Min, starts[i].Max = min(w.Min, values[i]), max(w.Max, values[i])
		}
	}
	moved.Family = moved.Family.WithWeights(starts)
	for i, w := range weights {
		old, now := number(w.Value), number(values[i]+0)
		switch {
		case !w.Tunable && old != now:
			changes = append(changes, fmt.Sprintf("%s: %s, was %s", w.Name, now, old))
		case w.Tunable && w.Min < w.Max && atEdge(w, values[i]):
			kept := starts[i]
			text := "the range stays, no more is allowed there"
			for _, r := range [2]heuristic.Weight{centred(w, values[i], false), centred(w, values[i], true)} {
				starts[i] = r
				family := moved.Family.WithWeights(starts)
				if family.Check() == nil && (r.Min < w.Min || r.Max > w.Max) {
					moved.Family, kept, text = family, r, fmt.Sprintf("now %s to %s", number(r.Min), number(r.Max))
					break
				}
			}
			starts[i] = kept
			changes = append(changes, fmt.Sprintf("%s: start %s, was %s; it is at the edge of its range, %s to %s: %s",
				w.Name, now, old, number(w.Min), number(w.Max), text))
		case old != now:
			changes = append(changes, fmt.Sprintf("%s: start %s, was %s", w.Name, now, old))
		}
	}
	// What is written is what counts: it must be a config, and the one that is meant.
	if next, err = Parse(moved.YAML(), moved.Path); err != nil {
		return nil, nil, err
	}
	return next, changes, nil
}

func deadText(d heuristic.Dead) string { return dead(d, true) }

// atEdge tells whether a value lies near an end of the range of a weight, on its scale, or beyond.
func atEdge(w heuristic.Weight, x float64) bool {
	if w.Log {
		if x <= 0 {
			return true
		}
		margin := portable.Pow(w.Max/w.Min, edge)
		return x <= float64(w.Min*margin) || x >= w.Max/margin
	}
	margin := float64(edge * (w.Max - w.Min))
	return x <= w.Min+margin || x >= w.Max-margin
}

// centred returns the weight with a range that is as wide as before and has the value in its middle, to four digits. In a
// narrow one the lower end keeps its side of 0: half of what it was, or of the value.
func centred(w heuristic.Weight, x float64, narrow bool) heuristic.Weight {
	low, high := x-(w.Max-w.Min)/2, x+(w.Max-w.Min)/2
	if w.Log && x > 0 {
		ratio := math.Sqrt(w.Max / w.Min)
		low, high = x/ratio, x*ratio
	}
	if narrow {
		low = min(w.Min, x) / 2
	}
	w.Value, w.Min, w.Max = x, min(rounded(low), x), max(rounded(high), x)
	return w
}

// rounded returns a number to four digits.
func rounded(x float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil { // beyond the largest number
		return x
	}
	return short + 0
}
