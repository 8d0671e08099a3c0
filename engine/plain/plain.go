// Package plain is the engine again, slow and obvious, for tests only. Boards are 4x4 faces, slides
// follow the words of the rules, the search is the textbook recursion without a table. The
// heuristics are written as in their sources. Nothing here is shared with the fast code.
package plain

import "math"

// Board holds faces by row and column: 0, 2, 4, ..., 65536.
type Board [4][4]int

// Slide slides and merges in direction "up", "down", "left" or "right".
func Slide(b Board, direction string) (after Board, points int) {
	for i := 0; i < 4; i++ {
		var cells [4][2]int // of line i, from the side that tiles slide to
		for k := 0; k < 4; k++ {
			switch direction {
			case "up":
				cells[k] = [2]int{k, i}
			case "down":
				cells[k] = [2]int{3 - k, i}
			case "left":
				cells[k] = [2]int{i, k}
			case "right":
				cells[k] = [2]int{i, 3 - k}
			}
		}
		var tiles []int
		for _, c := range cells {
			if face := b[c[0]][c[1]]; face != 0 {
				tiles = append(tiles, face)
			}
		}
		for k := 0; len(tiles) > 0; k++ {
			face := tiles[0]
			if len(tiles) > 1 && tiles[1] == face {
				face *= 2
				points += face
				tiles = tiles[1:]
			}
			tiles = tiles[1:]
			after[cells[k][0]][cells[k][1]] = face
		}
	}
	return after, points
}

// Directions lists the moves in the order of ties.
var Directions = []string{"up", "down", "left", "right"}

// Over reports whether no move changes the board.
func Over(b Board) bool {
	for _, d := range Directions {
		if after, _ := Slide(b, d); after != b {
			return false
		}
	}
	return true
}

// Largest returns the largest face.
func Largest(b Board) int {
	m := 0
	for _, row := range b {
		for _, face := range row {
			m = max(m, face)
		}
	}
	return m
}

// Search is a plain expectimax.
type Search struct {
	Value          func(Board) float64
	Dead           float64
	Four           float64 // probability of a 4
	MinProbability float64
}

// Moves returns the value of each legal move at the given depth in plies.
func (s Search) Moves(b Board, depth int) map[string]float64 {
	values := map[string]float64{}
	for _, d := range Directions {
		if after, _ := Slide(b, d); after != b {
			values[d] = s.afterstate(after, depth-1, 1)
		}
	}
	return values
}

func (s Search) afterstate(b Board, plies int, p float64) float64 {
	if Largest(b) > 32768 { // the game is over, and the heuristics know no such tile
		for r := range b {
			for c := range b[r] {
				b[r][c] = min(b[r][c], 32768)
			}
		}
		plies = 0
	}
	if plies == 0 || p < s.MinProbability {
		return s.Value(b)
	}
	n := 0
	for _, row := range b {
		for _, face := range row {
			if face == 0 {
				n++
			}
		}
	}
	sum := 0.0
	for r := range b {
		for c := range b[r] {
			if b[r][c] != 0 {
				continue
			}
			for face, q := range map[int]float64{2: 1 - s.Four, 4: s.Four} {
				if q > 0 {
					spawned := b
					spawned[r][c] = face
					sum += q / float64(n) * s.position(spawned, plies-1, p/float64(n)*q)
				}
			}
		}
	}
	return sum
}

func (s Search) position(b Board, plies int, p float64) float64 {
	if Over(b) {
		return s.Dead
	}
	if plies == 0 {
		return s.Value(b)
	}
	best := math.Inf(-1)
	for _, d := range Directions {
		if after, _ := Slide(b, d); after != b {
			best = max(best, s.afterstate(after, plies-1, p))
		}
	}
	return best
}
