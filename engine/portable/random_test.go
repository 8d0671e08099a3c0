package portable

import (
	"math"
	"math/rand"
	randv2 "math/rand/v2"
	"testing"
)

var (
	_ rand.Source64 = (*Source)(nil)
	_ randv2.Source = (*Source)(nil)
)

// The published test vector of SplitMix64 (S. Vigna's splitmix64.c, as used by
// Rosetta Code and the Rust and Java implementations).
func TestSourceGolden(t *testing.T) {
	s := NewSource(1234567)
	for i, want := range []uint64{
		6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
	} {
		if got := s.Uint64(); got != want {
			t.Errorf("number %d = %d, want %d", i, got, want)
		}
	}
	s.Seed(1234567)
	if got, want := s.Int63(), int64(6457827717110365317>>1); got != want {
		t.Errorf("Int63 = %d, want %d", got, want)
	}
}

func TestNormalGolden(t *testing.T) {
	s := NewSource(2048)
	for i, want := range []uint64{0xbfe43a9310126441, 0xbff0ebcad7ddb3af, 0xbff6910399dc5992, 0x3ff5f25e124876ef} {
		if got := math.Float64bits(s.Normal()); got != want {
			t.Errorf("number %d = 0x%016x (%v), want 0x%016x", i, got, math.Float64frombits(got), want)
		}
	}
}

// The wanted values come from Python:
//
//	u = lambda n: b"u" + n.to_bytes(8, "big")
//	s = lambda t: b"s" + len(t).to_bytes(8, "big") + t
//	hashlib.sha256((2048).to_bytes(8, "big") + s(b"tuning") + u(3) + u(2**64-1)).digest()[:8].hex()
func TestHashGolden(t *testing.T) {
	for _, c := range []struct {
		got, want uint64
	}{
		{Hash(2048), 0x7df7e25947701db9},
		{Hash(2048, "tuning", 3, uint64(math.MaxUint64)), 0x139d84a501aeba73},
		{Hash(2048, "tuning", uint64(3), -1), 0x139d84a501aeba73},
	} {
		if c.got != c.want {
			t.Errorf("got 0x%016x, want 0x%016x", c.got, c.want)
		}
	}
}
