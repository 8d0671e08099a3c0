package engine

import (
	"math/bits"

	"tune2048/engine/portable"
)

// Spawner deals the spawns of one game. Each spawn takes one 64-bit number of the seed's stream.
// Its upper half chooses an empty cell in board order (upper left to lower right) by
// multiplication. Its lower half makes a 4 if below FourProbability x 2^32. Stored games are
// replayed from seeds, so a seed's spawns never change.
type Spawner struct {
	stream portable.Source
	fours  uint64 // FourProbability x 2^32
}

// NewSpawner returns the generator of the game with this seed.
func NewSpawner(rules Rules, seed uint64) Spawner {
	return Spawner{stream: *portable.NewSource(seed), fours: uint64(rules.FourProbability * (1 << 32))}
}

// Spawn puts a tile on an empty cell of b, which must have one.
func (s *Spawner) Spawn(b Board) Board {
	r := s.stream.Uint64()
	blanks := b.blanks()
	for skip := (r >> 32) * uint64(bits.OnesCount64(blanks)) >> 32; skip > 0; skip-- {
		blanks &= blanks - 1
	}
	rank := Board(1)
	if r&0xFFFFFFFF < s.fours {
		rank = 2
	}
	return b | rank<<bits.TrailingZeros64(blanks)
}

// Start returns the board that a game begins with: two spawned tiles.
func (s *Spawner) Start() Board { return s.Spawn(s.Spawn(0)) }
