package portable

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// Source is a seeded stream of random numbers: SplitMix64 (G. L. Steele,
// D. Lea, C. H. Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA
// 2014), whose numbers for a seed never change. Its period is 2^64. The zero
// value is the stream of seed 0.
//
// It implements the sources of both math/rand and math/rand/v2. Of a rand.Rand
// over it, NormFloat64 and ExpFloat64 differ in the last bit between
// processors: use [Source.Normal].
//
// A Source is not safe for concurrent use.
type Source struct {
	state uint64
}

// NewSource returns the stream of the seed. Streams that should be independent
// take their seeds from [Hash].
func NewSource(seed uint64) *Source {
	return &Source{state: seed}
}

// Uint64 returns a uniform 64-bit number.
func (s *Source) Uint64() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Int63 returns a uniform number in [0, 2^63), as math/rand's Source asks.
func (s *Source) Int63() int64 {
	return int64(s.Uint64() >> 1)
}

// Seed restarts the stream, as math/rand's Source asks.
func (s *Source) Seed(seed int64) {
	s.state = uint64(seed)
}

// Float64 returns a uniform number in [0, 1), a multiple of 2^-53.
func (s *Source) Float64() float64 {
	return float64(s.Uint64()>>11) / (1 << 53)
}

// Normal returns a number from the normal distribution with mean 0 and standard
// deviation 1, by inversion of one uniform number, so that every call consumes
// exactly one Uint64. It lies within +-8.2.
func (s *Source) Normal() float64 {
	// The middles of 2^52 equal cells: never 0 and never 1, and exact.
	return NormalQuantile((float64(s.Uint64()>>12) + 0.5) / (1 << 52))
}

// Hash derives a seed from a seed and a path of names and numbers such as phase, stage, generation
// and index. Different paths give independent seeds, and the same path gives the same seed forever.
// A part is a string, a uint64 or an int (an int counts as the uint64 with the same bits). Any
// other type panics.
//
// The result is the first 8 bytes, big-endian, of the SHA-256 of: the seed in 8
// bytes, then for a string the letter s, its length in 8 bytes and its bytes,
// for a number the letter u and its 8 bytes, all big-endian. Another language
// can therefore reproduce it.
func Hash(seed uint64, parts ...any) uint64 {
	message := binary.BigEndian.AppendUint64(make([]byte, 0, 128), seed)
	for i, part := range parts {
		switch p := part.(type) {
		case string:
			message = binary.BigEndian.AppendUint64(append(message, 's'), uint64(len(p)))
			message = append(message, p...)
		case uint64:
			message = binary.BigEndian.AppendUint64(append(message, 'u'), p)
		case int:
			message = binary.BigEndian.AppendUint64(append(message, 'u'), uint64(p))
		default:
			panic(fmt.Sprintf("portable.Hash: part %d: want a string, uint64 or int, got %T", i, part))
		}
	}
	sum := sha256.Sum256(message)
	return binary.BigEndian.Uint64(sum[:8])
}
