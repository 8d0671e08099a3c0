package config

import (
	"math"

	"tune2048/engine/plain"
)

// The leaf formulas of the published players, written the way their sources write them.

// snakeSource is the fitness of the Python blog post (configs/snake.yaml), columns from the lower
// left, alternating. It has no -inf for finished boards.
func snakeSource(b plain.Board) float64 {
	var snake []int
	for i := 0; i < 4; i++ {
		if i%2 == 0 {
			snake = append(snake, b[3][i], b[2][i], b[1][i], b[0][i])
		} else {
			snake = append(snake, b[0][i], b[1][i], b[2][i], b[3][i])
		}
	}
	sum := 0.0
	for n, x := range snake {
		sum += float64(x) / math.Pow(10, float64(n))
	}
	return sum - math.Pow(math.Abs(float64(b[3][0]-plain.Largest(b))), 2)
}

// rowsSource is calculateFinalScore of the Java tutorial (configs/rows.yaml).
func rowsSource(b plain.Board) float64 {
	total := 0
	for _, line := range plain.Lines(b) {
		var preMerged []int
		blanks, sum := 0, 0
		for _, v := range line {
			sum += v
			if v == 0 {
				blanks++
			} else {
				preMerged = append(preMerged, v)
			}
		}
		merges, left, right := 0, 0, 0
		for i := 0; i+1 < len(preMerged); i++ {
			first, second := preMerged[i], preMerged[i+1]
			if first == second {
				merges++
			} else if first > second {
				left += first - second
			} else {
				right += second - first
			}
		}
		total += 1000 + 250*blanks + 750*merges - 10*sum - 50*min(left, right)
	}
	return float64(total)
}

// clusterSource is score of the Clojure blog post (configs/cluster.yaml): cluster-score -
// hetero-score.
func clusterSource(b plain.Board) float64 {
	matrix := [4][4]int{{15, 14, 13, 12}, {11, 10, 9, 8}, {7, 6, 5, 4}, {3, 2, 1, 0}}
	abs := func(x int) int { return max(x, -x) }
	total := 0
	for x := 0; x < 4; x++ {
		for y := 0; y < 4; y++ {
			v := b[x][y]
			total += v * matrix[x][y]
			total -= abs(v-b[max(x-1, 0)][y]) + abs(v-b[min(x+1, 3)][y]) + abs(v-b[x][max(y-1, 0)]) + abs(v-b[x][min(y+1, 3)])
		}
	}
	return float64(total)
}

// nneonneoSource is the heuristic of nneonneo/2048-ai with its published constants, in float64.
func nneonneoSource(b plain.Board) float64 {
	total := 0.0
	for _, line := range plain.Lines(b) {
		var rank [4]int
		for i, face := range line {
			for ; face > 1; face /= 2 {
				rank[i]++
			}
		}
		sum, empty, merges, prev, counter := 0.0, 0, 0, 0, 0
		for _, r := range rank {
			sum += math.Pow(float64(r), 3.5)
			if r == 0 {
				empty++
				continue
			}
			if prev == r {
				counter++
			} else if counter > 0 {
				merges += 1 + counter
				counter = 0
			}
			prev = r
		}
		if counter > 0 {
			merges += 1 + counter
		}
		left, right := 0.0, 0.0
		for i := 1; i < 4; i++ {
			a, b := math.Pow(float64(rank[i-1]), 4), math.Pow(float64(rank[i]), 4)
			if a > b {
				left += a - b
			} else {
				right += b - a
			}
		}
		total += 200000 + 270*float64(empty) + 700*float64(merges) - 47*math.Min(left, right) - 11*sum
	}
	return total
}
