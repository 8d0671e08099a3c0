package experiments

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"
)

// TestHashIndexFindsAll: whoever was added is among those that may be meant, and hardly anybody
// else. An entry takes 8 bytes, and a quarter to two thirds more.
func TestHashIndexFindsAll(t *testing.T) {
	var x hashIndex
	const candidates = 200_000
	hash := func(i int) string {
		return fmt.Sprintf("%x", sha256.Sum256([]byte{byte(i), byte(i >> 8), byte(i >> 16)}))
	}
	for i := range candidates {
		if others := slices.Collect(x.like(hash(i))); len(others) > 1 {
			t.Fatalf("%d may be %v", i, others)
		}
		x.add(hash(i), i)
	}
	slots, wrong := 0, 0
	for i := range candidates {
		found := slices.Collect(x.like(hash(i)))
		if !slices.Contains(found, i) {
			t.Fatalf("%d is not among %v", i, found)
		}
		wrong += len(found) - 1
	}
	for i := range x.shards {
		slots += len(x.shards[i].slots)
	}
	if wrong > 10 || slots < candidates*5/4 || slots > candidates*5/3+8*len(x.shards) {
		t.Errorf("%d wrong answers, %d slots for %d candidates", wrong, slots, candidates)
	}
}

// TestLikeHashesAreNoCandidate: where the index takes two candidates for one, they stay two. One
// that is not in use is asked of the store.
func TestLikeHashesAreNoCandidate(t *testing.T) {
	c := synthetic(t, "heuristic: {features: [{feature: empty, weight: {min: 0, max: 9, start: 3}}]}\n")
	r := newRegistry(c)
	number := func(x float64) int { return r.add(Candidate{Dead: c.Heuristic.Dead}, []float64{x}) }
	first := number(3)
	stored, read := r.known[first].Candidate, 0
	r.read = func(asked int) (Candidate, error) {
		read++
		return stored, nil
	}
	r.index.add(r.form.WithDead(c.Heuristic.Dead).Player([]float64{4}).Hash(), first) // a collision
	if second := number(4); second == first || read != 0 {
		t.Errorf("the second is candidate %d, %d were read", second, read)
	}
	third := number(5)
	r.forget([]int{third})
	delete(r.known, first)
	if number(5) != third || read != 0 {
		t.Error("a candidate in use was read")
	}
	if number(3) != first || read != 1 || r.next != 3 {
		t.Errorf("%d were read, %d candidates", read, r.next)
	}
}
