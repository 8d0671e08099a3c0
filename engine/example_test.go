package engine_test

import (
	"fmt"

	"tune2048/engine"
)

// A game is a function of the rules, the seed and the player.
func ExamplePlay() {
	first := true
	result := engine.Play(engine.DefaultRules(), 2048, engine.Greedy{}, func(s engine.Step) bool {
		if first {
			fmt.Println(s.Board, s.Move)
		}
		first = false
		return true
	})
	fmt.Println(result.Score, "points in", result.Moves, "moves, largest tile", result.MaxTile)
	// Output:
	// 0 0 2 0/2 0 0 0/0 0 0 0/0 0 0 0 up
	// 3180 points in 273 moves, largest tile 256
}

// A program that shows a game of its own slides boards itself.
func ExampleBoard_Slide() {
	board, err := engine.ParseBoard("2 2 4 8/0 0 0 0/0 0 0 0/0 0 0 2")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range engine.Moves() {
		after, reward, legal, _ := board.Slide(m)
		fmt.Println(m, legal, reward, "points:", after)
	}
	// Output:
	// up true 0 points: 2 2 4 8/0 0 0 2/0 0 0 0/0 0 0 0
	// down true 0 points: 0 0 0 0/0 0 0 0/0 0 0 8/2 2 4 2
	// left true 4 points: 4 4 8 0/0 0 0 0/0 0 0 0/2 0 0 0
	// right true 4 points: 0 4 4 8/0 0 0 0/0 0 0 0/0 0 0 2
}
