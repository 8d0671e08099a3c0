package engine

import "math/bits"

// Spawner deals the spawns of one game. It is a SplitMix64 generator (Steele, Lea, Flood: Fast splittable
// pseudorandom number generators, OOPSLA 2014): each spawn takes one 64-bit number, whose upper half chooses
// among the empty cells in the order of the board (upper left to lower right) by multiplication, and whose
// lower half makes the tile a 4 if it is below FourProbability x 2^32. A seed's spawns never change: stored
// games are replayed from them.
type Spawner struct {
	state uint64
	fours uint64 // FourProbability x 2^32
}

// NewSpawner returns the generator of the game with this seed.
func NewSpawner(rules Rules, seed uint64) Spawner {
	return Spawner{state: seed, fours: uint64(rules.FourProbability * (1 << 32))}
}

// next returns the next number of the stream.
func (s *Spawner) next() uint64 {
	s.state += 0x9E3779B97F4A7C15
	z := s.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Spawn puts a tile on an empty cell of b, which must have one.
func (s *Spawner) Spawn(b Board) Board {
	r := s.next()
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
