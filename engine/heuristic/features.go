package heuristic

import (
	"math"
	"sync"

	"tune2048/engine/portable"
)

// isLine reports whether the feature is summed over rows and columns.
func (f *Feature) isLine() bool {
	switch f.Kind {
	case Line, Empty, Merges, Sum, Monotonicity, Difference:
		return true
	}
	return false
}

// lineFacts are what the line features need of a row that depends on no number, computed once.
type lineFacts struct {
	empty, pairs, runs [1 << 16]uint8
	packed             [1 << 16]uint16 // the row without its blanks
}

var facts = sync.OnceValue(func() *lineFacts {
	t := new(lineFacts)
	for row := range 1 << 16 {
		var tiles []int
		for i := range 4 {
			if rank := row >> (4 * i) & 15; rank > 0 {
				t.packed[row] |= uint16(rank << (4 * len(tiles)))
				tiles = append(tiles, rank)
			}
		}
		t.empty[row] = uint8(4 - len(tiles))
		t.pairs[row] = uint8(countMerges(tiles, Pairs))
		t.runs[row] = uint8(countMerges(tiles, Runs))
	}
	return t
})

// countMerges counts adjacent equal tiles of a line without blanks: as pairs (2 2 2 counts 2) or as runs (a run
// of k equal tiles counts k, 2 2 2 counts 3).
func countMerges(tiles []int, count string) int {
	n := 0
	for i := 1; i < len(tiles); i++ {
		if tiles[i] != tiles[i-1] {
			continue
		}
		n++
		if count == Runs && (i == 1 || tiles[i-2] != tiles[i]) {
			n++ // the first tile of a run
		}
	}
	return n
}

// cellWeights returns what position and snake multiply the tile of each cell with.
func (f *Feature) cellWeights() (weights [4][4]float64, ok bool) {
	switch f.Kind {
	case Position:
		for r := range weights {
			for c := range weights[r] {
				weights[r][c] = f.Matrix[r][c].Value
			}
		}
		return weights, true
	case Snake:
		corner := f.cornerIndex()
		for k := range 16 {
			// The k-th cell of the snake from the upper left corner, leaving along the column: down the first
			// column, up the second; then mirrored to the corner.
			line, step := k/4, k%4
			if line%2 == 1 {
				step = 3 - step
			}
			r, c := step, line
			if f.First == Row {
				r, c = c, r
			}
			weights[r^(3*(corner>>1))][c^(3*(corner&1))] = portable.Pow(f.Decay.Value, float64(k))
		}
		return weights, true
	}
	return weights, false
}

// cornerIndex returns the corner as 2*row + column of upper left 0, upper right 1, lower left 2, lower right 3.
func (f *Feature) cornerIndex() int {
	switch f.Corner {
	case UpperLeft:
		return 0
	case UpperRight:
		return 1
	case LowerLeft:
		return 2
	default:
		return 3
	}
}

// cornerTerm returns the feature of a board whose largest tile and corner tile have these ranks.
func (f *Feature) cornerTerm(largest, corner int) float64 {
	if f.Kind == Largest {
		return portable.Pow(f.tileOf(largest), f.Power.Value)
	}
	return portable.Pow(f.tileOf(largest)-f.tileOf(corner), f.Power.Value)
}

// plainValue is the value of a board of ranks 0..16 by the definition of its features: the slow path for boards
// that tables cannot hold.
func (f *Family) plainValue(features []Feature, ranks *[4][4]int) float64 {
	boards := [][4][4]int{*ranks}
	if f.Symmetry == SymmetryBest {
		all := orientationsOf(ranks)
		boards = all[:]
	}
	best := math.Inf(-1)
	for _, board := range boards {
		sum := 0.0
		for i := range features {
			sum += float64(features[i].Weight.Value * features[i].plain(&board))
		}
		best = math.Max(best, sum)
	}
	return best
}

// plain returns the feature of a board of ranks 0..16.
func (f *Feature) plain(ranks *[4][4]int) float64 {
	total := 0.0
	if weights, ok := f.cellWeights(); ok {
		tile := f.tileValues()
		for r := range ranks {
			for c, rank := range ranks[r] {
				total += float64(weights[r][c] * tile[rank])
			}
		}
		return total
	}
	if f.isLine() {
		for i := range 4 {
			total += f.plainLine(ranks[i])
			total += f.plainLine([4]int{ranks[0][i], ranks[1][i], ranks[2][i], ranks[3][i]})
		}
		return total
	}
	largest := 0
	for r := range ranks {
		for _, rank := range ranks[r] {
			largest = max(largest, rank)
		}
	}
	corner := f.cornerIndex()
	return f.cornerTerm(largest, ranks[3*(corner>>1)][3*(corner&1)])
}

// plainLine returns a line feature of one row or column of ranks 0..16.
func (f *Feature) plainLine(line [4]int) float64 {
	var tiles []int
	for _, rank := range line {
		if rank > 0 {
			tiles = append(tiles, rank)
		}
	}
	switch f.Kind {
	case Line:
		return 1
	case Empty:
		return float64(4 - len(tiles))
	case Merges:
		return float64(countMerges(tiles, f.Count))
	}
	v := f.tileValues()
	sum, rise, fall, difference := 0.0, 0.0, 0.0, 0.0
	cells := line[:]
	if f.Kind == Monotonicity && f.Blanks == Skip {
		cells = tiles
	}
	for i, rank := range cells {
		sum += v[rank]
		if i > 0 {
			d := v[rank] - v[cells[i-1]]
			rise += math.Max(d, 0)
			fall += math.Max(-d, 0)
			difference += math.Abs(d)
		}
	}
	switch f.Kind {
	case Sum:
		return sum
	case Difference:
		return difference
	default:
		return math.Min(rise, fall)
	}
}

// orientationsOf returns the 8 orientations of a board.
func orientationsOf(ranks *[4][4]int) (all [8][4][4]int) {
	for o := range all {
		for r := range 4 {
			for c := range 4 {
				a, b := orientedCell(o, r, c)
				all[o][a][b] = ranks[r][c]
			}
		}
	}
	return all
}
