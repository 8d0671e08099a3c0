package experiments

import "tune2048/engine/heuristic"

// Edge is a tuned weight within 2% of an end of its range. The best value may well lie beyond.
type Edge struct {
	Weight string
	Value  float64
	End    string // min or max
}

// nearEdge is the share of its range within which a weight is at the edge.
const nearEdge = 0.02

// Edges returns the tuned weights of a family that these values put at an edge. On a log scale the
// share counts in logarithms.
func Edges(f *heuristic.Family, values []float64) (edges []Edge, err error) {
	space, err := Space(f)
	if err != nil {
		return nil, err
	}
	place := space.Unit(values)
	for i, p := range space.Parameters() {
		switch {
		case place[i] <= nearEdge:
			edges = append(edges, Edge{p.Name, values[i], "min"})
		case place[i] >= 1-nearEdge:
			edges = append(edges, Edge{p.Name, values[i], "max"})
		}
	}
	return edges, nil
}
