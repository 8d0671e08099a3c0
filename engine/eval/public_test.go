package eval_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"tune2048/engine"
	"tune2048/engine/eval"
)

// TestPublicPositions: terms of public programs that look at a tile, at its place and at the
// board's largest tile have exactly the value of their definition. Only formulas over cells have
// these.
func TestPublicPositions(t *testing.T) {
	type faces = [4][4]int
	count := func(b faces, counts func(r, c, tile, largest int) float64) (sum float64) {
		largest := 0
		for _, row := range b {
			for _, tile := range row {
				largest = max(largest, tile)
			}
		}
		for r, row := range b {
			for c, tile := range row {
				sum += counts(r, c, tile, largest)
			}
		}
		return sum
	}
	truth := func(is bool) float64 {
		if is {
			return 1
		}
		return 0
	}
	over := func(part, text string, sums ...eval.NamedPart) valued {
		f := formula(text, eval.Face, 1)
		f.Over, f.Sums = part, sums
		return f
	}
	for _, p := range []struct {
		source     string
		feature    valued
		definition func(b faces) float64
	}{
		{"students' exercise: high tiles in the bottom row and the right column are punished",
			over("cell", "tile > 4 && (row == 3 || column == 3)"), func(b faces) float64 {
				return count(b, func(r, c, tile, _ int) float64 { return truth(tile > 4 && (r == 3 || c == 3)) })
			}},
		{"2048-puzzle-AI: Manhattan distance of the largest tiles from the upper left corner",
			over("cell", "(tile == largest) * (row + column)"), func(b faces) float64 {
				return count(b, func(r, c, tile, largest int) float64 { return truth(tile == largest) * float64(r+c) })
			}},
		{"students' exercise: late in the game, the largest tile does not lie in the lower left corner",
			over("cell", "row == 3 && column == 0 && largest >= 1024 && tile < largest"), func(b faces) float64 {
				return count(b, func(r, c, tile, largest int) float64 {
					return truth(r == 3 && c == 0 && largest >= 1024 && tile < largest)
				})
			}},
		{"students' exercise: the number of tiles of high value on the edges",
			over("cell", "tile >= largest / 4 && (row == 0 || row == 3 || column == 0 || column == 3)"), func(b faces) float64 {
				return count(b, func(r, c, tile, largest int) float64 {
					return truth(4*tile >= largest && (r == 0 || r == 3 || c == 0 || c == 3))
				})
			}},
		{"a class BoardFavorability in Python: 50 if the largest tile lies in the upper left corner",
			over("cell", "50 * (row == 0 && column == 0 && tile == largest)"), func(b faces) float64 {
				return count(b, func(r, c, tile, largest int) float64 { return 50 * truth(r == 0 && c == 0 && tile == largest) })
			}},
		{"alonakonst/2048_AI: the concentration of blanks among the tiles that are not the largest",
			over("board", "10 * empty / (16 - most)", eval.NamedPart{Name: "most", Over: "cell", Formula: "tile == largest"}),
			func(b faces) float64 {
				blanks := count(b, func(_, _, tile, _ int) float64 { return truth(tile == 0) })
				return 10 * blanks / (16 - count(b, func(_, _, tile, largest int) float64 { return truth(tile == largest) }))
			}},
		{"students' exercise: steps of the bottom row that do not rise",
			over("board", "steps", eval.NamedPart{Name: "steps", Over: "row_3", Formula: "(a >= b) + (b >= c) + (c >= d)"}),
			func(b faces) float64 {
				return truth(b[3][0] >= b[3][1]) + truth(b[3][1] >= b[3][2]) + truth(b[3][2] >= b[3][3])
			}},
		{"a bot in Python: the tiles of the upper row, by 4, 3, 2 and 1, if each is above the next",
			over("board", "chain", eval.NamedPart{Name: "chain", Over: "row_0", Formula: "(a > b && b > c && c > d) * (4*a + " +
				"3*b + 2*c + d)"}), func(b faces) float64 {
				top := b[0]
				if top[0] > top[1] && top[1] > top[2] && top[2] > top[3] {
					return float64(4*top[0] + 3*top[1] + 2*top[2] + top[3])
				}
				return 0
			}},
		{"students' exercise: the differences along the left column, and the zeros of the right one",
			over("board", "steps + 10 * zeros",
				eval.NamedPart{Name: "steps", Over: "column_0", Formula: "abs(a - b) + abs(b - c) + abs(c - d)"},
				eval.NamedPart{Name: "zeros", Over: "column_3", Formula: "empty"}), func(b faces) (sum float64) {
				for r := range 4 {
					sum += 10*truth(b[r][3] == 0) + math.Abs(float64(b[r][0]-b[min(r+1, 3)][0]))
				}
				return sum
			}},
		{"hickford/2048: the sum of the different tiles",
			over("board", "chain", eval.NamedPart{Name: "chain", Over: "tiles", Formula: "tile"}), func(b faces) (sum float64) {
				for rank := 1; rank < 16; rank++ {
					sum += float64(int(1)<<rank) * min(1, count(b, func(_, _, tile, _ int) float64 { return truth(tile == 1<<rank) }))
				}
				return sum
			}},
		{"DanWhite90/solver2048: a factor over the different tiles below the largest",
			over("board", "empty * chain",
				eval.NamedPart{Name: "chain", Over: "tiles", Formula: "(tile < largest) * tile / largest"}),
			func(b faces) (sum float64) {
				for rank := 1; rank < 16; rank++ {
					sum += min(1, count(b, func(_, _, tile,
						largest int) float64 {
						return truth(tile == 1<<rank && tile < largest)
					})) *
						count(b, func(r, c, _, largest int) float64 { return truth(r+c == 0) * float64(int(1)<<rank) / float64(largest) })
				}
				return sum * count(b, func(_, _, tile, _ int) float64 { return truth(tile == 0) })
			}},
	} {
		h, r := familyOf(p.feature), rand.New(rand.NewPCG(5, 6))
		for _, h.Symmetry = range []string{eval.SymmetryNone, eval.SymmetryBest} {
			tables := compile(t, h)
			for range 500 {
				b := randomBoard(r, 1+r.IntN(15), 0.3) | 1
				want := math.Inf(-1)
				for i := range 8 {
					if i == 4 {
						b = b.Transpose()
					}
					b = b.Transpose().Mirrored()
					if h.Symmetry == eval.SymmetryBest || i == 0 {
						want = max(want, p.definition(b.Faces()))
					}
					if h.Symmetry == eval.SymmetryNone {
						break
					}
				}
				if got := tables.Value(b); math.Abs(got-want) > 1e-9 {
					t.Fatalf("%s, symmetry %s, board %v: got %v, want %v", p.source, h.Symmetry, b, got, want)
				}
				checkAlong(t, tables, b)
			}
		}
	}
}

// checkAlong fails if the tables of the last chance layer have another value of a board as it lies.
func checkAlong(t *testing.T, tables *engine.Tables, b engine.Board) {
	t.Helper()
	if tables.Cells == nil || tables.Board != nil || tables.Turns {
		return
	}
	largest := 0
	if tables.ByLargest {
		largest = b.Largest()
	}
	rows, columns := tables.Along(largest)
	var sums [2]int64
	for i := range 4 {
		sums[0] += rows[i][uint16(b>>(16*i))]
		sums[1] += columns[i][uint16(b.Transpose()>>(16*i))]
	}
	for _, sum := range sums { // no lines: all is in the cells
		if got, want := math.Ldexp(float64(sum), -tables.Bits), tables.Value(b); got != want {
			t.Fatalf("board %v: %v along the lines, want %v", b, got, want)
		}
	}
}
