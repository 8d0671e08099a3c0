package config

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tune2048/engine/eval"
)

// Only the ratios of weights decide a move. So a heuristic may have numbers with ranges that change
// no move, or none that does.

// Idle returns a sentence for each number with a range that changes no move, or none that another
// one would not change alike. nothing reports whether no number with a range changes a move: then a
// run has nothing to find. Features are compared on the boards of some fixed games. Of a bot only
// the command is known, see [bot.Program.Doubts].
func (c *Config) Idle() (sentences []string, nothing bool) {
	if b := c.Heuristic.Bot; b != nil {
		var tunable []string
		for _, w := range c.Tunable() {
			tunable = append(tunable, w.Name)
		}
		return b.Doubts(c.Heuristic.Names()), len(tunable) > 0 && len(b.Unread(tunable)) == len(tunable)
	}
	h := c.idleHeuristic()
	for i := range h.features {
		h.look(i)
	}
	for _, same := range h.groups {
		if len(same.names) > 1 && same.tuned {
			h.say("%s are the same feature, up to a factor: only the sum of their weights counts; leave all but one out",
				strings.Join(same.names, " and "))
		}
	}
	switch {
	case len(c.Tunable()) == 0 || h.shapes > 0:
	case !slices.ContainsFunc(h.groups, func(g group) bool { return g.tuned }):
		nothing = true
		h.say("nothing to gain: no number with a range changes a move")
	case len(h.groups) == 1 && (c.Heuristic.Dead.Worst || c.Heuristic.Dead.Value == 0):
		nothing = true
		h.say("nothing to gain: %s has nothing beside it, so only the sign of its weight counts; add a feature (tune help "+
			"features), "+
			"or a range for another of its numbers", h.groups[0].names[0])
	}
	return h.sentences, nothing
}

// idleHeuristic is what Idle knows of a heuristic.
type idleHeuristic struct {
	*Config
	features  []idleFeature
	groups    []group // of features whose weight alone may be tuned
	shapes    int     // features of which another number is tuned
	sentences []string
}

// idleFeature is a feature with its numbers.
type idleFeature struct {
	*eval.Term
	inner  map[string][]int // its other numbers that are tuned, by their keys
	shares bool             // another feature has one of its tuned numbers, too
}

// group is features that are the same up to a factor.
type group struct {
	names  []string
	tuned  bool // the weight of one is
	values []float64
}

func (c *Config) idleHeuristic() *idleHeuristic {
	h := &idleHeuristic{Config: c, features: make([]idleFeature, len(c.Heuristic.Features))}
	for i := range h.features {
		h.features[i] = idleFeature{Term: &c.Heuristic.Features[i], inner: map[string][]int{}}
	}
	slots, first, several := c.Heuristic.Slots(), map[int]int{}, map[int]bool{} // by number: features
	for _, slot := range slots {
		if feature, met := first[slot.At]; met && feature != slot.Feature {
			several[slot.At] = true
		}
		first[slot.At] = slot.Feature
	}
	for _, slot := range slots {
		f := &h.features[slot.Feature]
		switch {
		case slot.Key == "weight" || !c.Weights[slot.At].Tunable || slices.Contains(f.inner[slot.Key], slot.At):
		case several[slot.At]:
			f.shares = true
		default:
			f.inner[slot.Key] = append(f.inner[slot.Key], slot.At)
		}
	}
	return h
}

func (h *idleHeuristic) say(format string, args ...any) {
	h.sentences = append(h.sentences, fmt.Sprintf(format, args...))
}

// look finds out what the numbers of a feature change.
func (h *idleHeuristic) look(i int) {
	f := h.features[i]
	w := h.Weights[f.Weight.At]
	switch {
	case !w.Tunable && w.Value == 0 && len(f.inner) > 0:
		h.say("%s: its weight is 0, so its other numbers change no move: give the weight a range", f.Name)
		return
	case !w.Tunable && w.Value == 0:
		return
	case f.Kind == eval.Line && h.Heuristic.Dead.Worst:
		if w.Tunable {
			h.say("%s is the same on every board, and with dead: worst it changes no move: leave it out", f.Name)
		}
		return
	case len(f.inner) > 0 || f.shares:
		h.shapes++
		names := h.Heuristic.Names()
		sets := [][]int{f.inner["matrix"]}
		for _, number := range f.inner["numbers"] {
			sets = append(sets, []int{number})
		}
		for _, set := range append(sets, f.inner["numbers"]) {
			if w.Tunable && h.scales(i, set) {
				who := names[set[0]] + " scales"
				if len(set) > 1 {
					who = names[set[0]] + " to " + names[set[len(set)-1]] + " together scale"
				}
				h.say("%s %s as its weight does: fix one of the two, such as weight: %d",
					who, f.Name, map[bool]int{true: -1, false: 1}[w.Value < 0])
				break
			}
		}
		return
	}
	values := f.OnSomeBoards(h.Start())
	at := slices.IndexFunc(h.groups, func(g group) bool { return proportional(g.values, values) })
	if at < 0 {
		at = len(h.groups)
		h.groups = append(h.groups, group{values: values})
	}
	h.groups[at].names = append(h.groups[at].names, f.Name)
	h.groups[at].tuned = h.groups[at].tuned || w.Tunable
}

// scales reports whether the numbers at these indices, doubled together, only scale a feature.
func (h *idleHeuristic) scales(i int, numbers []int) bool {
	if len(numbers) == 0 {
		return false
	}
	values := h.Start()
	for _, k := range numbers {
		if values[k] == 0 { // doubled, it would show nothing
			values[k] = h.Weights[k].Max
		}
	}
	doubled := slices.Clone(values)
	for _, k := range numbers {
		doubled[k] *= 2
	}
	if h.Heuristic.Problems(values) != nil || h.Heuristic.Problems(doubled) != nil {
		return false
	}
	f := h.features[i]
	before, after := f.OnSomeBoards(values), f.OnSomeBoards(doubled)
	return !slices.Equal(before, after) && proportional(before, after)
}

// proportional reports whether one list is a multiple of the other. Lists of zeros are none.
func proportional(x, y []float64) bool {
	at := 0
	for i := range x {
		if math.Abs(x[i]) > math.Abs(x[at]) {
			at = i
		}
	}
	factor := y[at] / x[at]
	if factor == 0 || factor-factor != 0 {
		return false
	}
	most := 1e-9 * math.Abs(y[at])
	for i := range x {
		if math.Abs(x[i]*factor-y[i]) > most {
			return false
		}
	}
	return true
}
