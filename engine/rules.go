package engine

import "tune2048/engine/key"

// Rules are the rules of the game that may vary. The rest is fixed: a 4x4 board, two tiles at the
// start, one spawn after each move, each empty cell equally likely.
type Rules struct {
	FourProbability float64 // of a spawned tile to be a 4, in [0, 1]; otherwise it is a 2
}

// DefaultRules are the rules of the published game: a 4 in one spawn out of ten.
func DefaultRules() Rules { return Rules{FourProbability: 0.1} }

// Keys returns the keys of the section game.
func (r *Rules) Keys() []key.Key {
	return []key.Key{{Name: "four_probability", Doc: "of a spawned tile to be a 4", To: &r.FourProbability,
		Default: 0.1, Range: key.Between(0, 1)}}
}
