package tuner

import (
	"strings"
	"testing"

	"tune2048/engine/portable"
)

func newSobolOf(t *testing.T, dimensions int, seed uint64) *sobol {
	t.Helper()
	return newSobol(Defaults(Sobol), mustSpace(t, cube(dimensions, 0, 1, 0)), seed)
}

// Without the shift the points are those of SciPy 1.10.1's Sobol(64,
// scramble=False), which uses the same direction numbers: the hash is that of
// its first 256 points times 2^30.
func TestSobolAgainstReference(t *testing.T) {
	q := newSobolOf(t, sobolDimensions, 0)
	for k := range q.digits {
		q.digits[k] = 0
	}
	var parts []any
	for range 256 {
		for _, u := range q.next(0).unit {
			parts = append(parts, uint64(u*(1<<30)))
		}
	}
	if got, want := portable.Hash(0, parts...), uint64(0x73a686d190161122); got != want {
		t.Errorf("got 0x%016x, want 0x%016x", got, want)
	}
}

// Of the first 2^k points, shifted, each dimension has one in each of 2^k cells,
// and the first two have one in each rectangle of area 2^-k.
func TestSobolIsEven(t *testing.T) {
	const k, n = 7, 1 << 7
	for _, seed := range []uint64{1, 2} {
		q := newSobolOf(t, sobolDimensions, seed)
		var points [][]float64
		for range n {
			points = append(points, q.next(0).unit)
		}
		one := func(what string, cell func(u []float64) int) {
			t.Helper()
			seen := map[int]bool{}
			for _, u := range points {
				seen[cell(u)] = true
			}
			if len(seen) != n {
				t.Errorf("seed %d: %s: points in %d cells, want %d", seed, what, len(seen), n)
			}
		}
		for dimension := range sobolDimensions {
			one("a dimension", func(u []float64) int { return int(u[dimension] * n) })
		}
		for split := range k + 1 {
			one("two dimensions", func(u []float64) int {
				return int(u[0]*float64(int(1)<<split))<<(k-split) | int(u[1]*float64(int(1)<<(k-split)))
			})
		}
	}
	if newSobolOf(t, 3, 1).digits[0] == newSobolOf(t, 3, 2).digits[0] {
		t.Error("two seeds have one shift")
	}
}

// Constants take no dimension; too many parameters are an error that says what to do.
func TestSobolDimensions(t *testing.T) {
	parameters := cube(sobolDimensions+1, 0, 1, 0)
	_, err := New(Defaults(Sobol), mustSpace(t, parameters), 1)
	if want := "sobol: want at most 64 parameters that vary, got 65; random search has no such limit"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q in it", err, want)
	}
	parameters[3].Max = 0
	if _, err := New(Defaults(Sobol), mustSpace(t, parameters), 1); err != nil {
		t.Error(err)
	}
}
