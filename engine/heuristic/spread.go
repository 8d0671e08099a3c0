package heuristic

import (
	"math"
	"sync"

	"tune2048/engine"
)

// Spread returns the standard deviation of the feature, without its weight, over the boards of some
// fixed games: 0 if it is the same on all of them. Its tunable numbers are at their starts, and
// each board is taken as it lies. It takes milliseconds.
func (f *Feature) Spread() float64 {
	alone := Family{Features: []Feature{*f}}
	of := alone.Fix(alone.Values()).Features[0].definition()
	boards := someBoards()
	n, values := float64(len(boards)), make([]float64, len(boards))
	first, largest, mean, squares := of(&boards[0]), 0.0, 0.0, 0.0
	for i := range boards {
		values[i] = of(&boards[i]) - first // so that equal ones are exactly 0
		largest = max(largest, math.Abs(values[i]))
	}
	if largest == 0 {
		return 0
	}
	for i := range values {
		values[i] /= largest // so that no square is too large or too small
		mean += values[i] / n
	}
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	return largest * math.Sqrt(squares/n)
}

// someBoards returns the ranks of every tenth afterstate in 20 games of nneonneo's weights at
// depth 1, which are played once.
var someBoards = sync.OnceValue(func() (boards [][4][4]int) {
	var f Family
	add := func(kind string, weight, power float64) {
		f.Features = append(f.Features, Feature{Kind: kind, Name: kind, Weight: Fixed(weight),
			Tile: Rank, Power: Fixed(power), Count: Runs, Blanks: Keep})
	}
	add(Line, 200000, 1)
	add(Empty, 270, 1)
	add(Merges, 700, 1)
	add(Monotonicity, -47, 4)
	add(Sum, -11, 3.5)
	tables, err := NewCompiler(&f).Compile(f.Values(), Dead{})
	if err != nil {
		panic(err) // of the numbers above
	}
	var player engine.Expectimax
	player.Prepare(tables, engine.FixedDepth(1), engine.DefaultRules())
	moves := 0
	for seed := range uint64(20) {
		engine.Play(engine.DefaultRules(), seed, &player, func(s engine.Step) bool {
			if moves++; moves%10 == 0 {
				after, _, _, _ := s.Board.Slide(s.Move)
				var ranks [4][4]int
				for i := range 16 {
					ranks[i/4][i%4] = after.Rank(i/4, i%4)
				}
				boards = append(boards, ranks)
			}
			return true
		})
	}
	return boards
})
