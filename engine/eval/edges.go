package eval

import "math"

// nearEdge is the share of its range, on its scale, within which a weight is at its edge.
const nearEdge = 0.02

// Edge returns the end of the weight's range, min or max, that x lies within 2% of or beyond. It
// returns "" if there is none. A range of two whole numbers is a switch, which has no edges.
func (w Weight) Edge(x float64) string {
	scale := w.Range()
	scale.Whole = false // its last number lies half a share from the end
	switch unit := scale.Unit(x); {
	case w.Min >= w.Max, w.Whole && w.Max-w.Min == 1:
	case unit <= nearEdge:
		return "min"
	case unit >= 1-nearEdge:
		return "max"
	}
	return ""
}

// Edges returns for each of Tunable the end of its range that its value is at, see [Weight.Edge].
//
// Where only the ratios of weights matter (see ScaleFree), one range that is too narrow can keep
// all other weights small. Then the others' ends say nothing: only the weight of the narrow range
// gets an end, "near min" or "near max".
func (f *Heuristic) Edges(genome []float64) []string {
	tunable, free := f.Tunable(), f.ScaleFree()
	edges := make([]string, len(tunable))
	for i, w := range tunable {
		edges[i] = w.Edge(genome[i])
	}
	for _, grow := range [2]bool{true, false} {
		for i := range free {
			if !free[i] || !presses(tunable, genome, free, i, grow) {
				continue
			}
			for k := range free {
				if free[k] {
					edges[k] = ""
				}
			}
			edges[i] = "near min"
			if grow == (genome[i] > 0) {
				edges[i] = "near max"
			}
			return edges
		}
	}
	return edges
}

// presses reports whether the range of weight i keeps the others small (grow), or large. Three
// things must hold. Weight i has no room to double (to halve). Each other weight has room for a
// factor of 10. One of these lies in the outermost twentieth of its scale, where steps are coarse.
func presses(tunable []Weight, genome []float64, free []bool, i int, grow bool) bool {
	cornered := false
	for k, w := range tunable {
		if !free[k] {
			continue
		}
		room, place := w.room(genome[k], grow)
		if k == i && !(room < 2) || k != i && room < 10 {
			return false
		}
		cornered = cornered || k != i && place <= 0.05
	}
	return cornered
}

// room returns by which factor x can grow (or shrink) within the range, NaN for 0 that cannot. place
// is its place on the scale, from 0 at the end where there is most room to 1.
func (w Weight) room(x float64, grow bool) (factor, place float64) {
	least, most := min(max(0, w.Min), w.Max), max(math.Abs(w.Min), math.Abs(w.Max))
	origin := w.Range().Unit(least)
	place = math.Abs(w.Range().Unit(x)-origin) / max(origin, 1-origin)
	if grow {
		return most / math.Abs(x), place
	}
	return math.Abs(x / least), 1 - place
}
