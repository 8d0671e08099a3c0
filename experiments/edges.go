package experiments

import "tune2048/engine/heuristic"

// nearEdge is the share of its range within which a weight is at the edge.
const nearEdge = 0.02

// Edges returns for each tuned weight of a family the end of its range that the value lies within 2%
// of: min, max, or empty. The best value may well lie beyond. On a log scale the share counts in
// logarithms.
func Edges(f *heuristic.Family, values []float64) ([]string, error) {
	space, err := Space(f)
	if err != nil {
		return nil, err
	}
	ends := make([]string, len(values))
	for i, place := range space.Unit(values) {
		switch {
		case place <= nearEdge:
			ends[i] = "min"
		case place >= 1-nearEdge:
			ends[i] = "max"
		}
	}
	return ends, nil
}
