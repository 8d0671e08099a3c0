package experiments

import (
	"iter"
	"math/bits"
	"strconv"
)

// hashIndex finds candidates by their PlayHash. A night has millions of them, so an entry has 8
// bytes: 32 bits of a hash, and the number plus one. A shard is an open-addressing table. The
// entries of a shard have 8 more bits in common, and each shard grows by itself: so there is never
// room for all of them twice.
type hashIndex struct{ shards [256]hashShard }

type hashShard struct {
	slots []uint64 // 0: free
	used  int
}

// numberBits are the bits of an entry that a number has.
const numberBits = 32

// add adds a candidate.
func (x *hashIndex) add(hash string, number int) {
	shard, tag := x.shard(hash)
	if 4*shard.used >= 3*len(shard.slots) { // at most three quarters are in use
		old := shard.slots
		shard.slots = make([]uint64, 8+len(old)+len(old)/4)
		for _, entry := range old {
			if entry != 0 {
				shard.put(entry)
			}
		}
	}
	shard.put(tag<<numberBits | uint64(number+1))
	shard.used++
}

// like yields the numbers of the candidates that may have a hash: it, or very rarely another one.
func (x *hashIndex) like(hash string) iter.Seq[int] {
	shard, tag := x.shard(hash)
	return func(yield func(int) bool) {
		if shard.used == 0 {
			return
		}
		for i := shard.home(tag); shard.slots[i] != 0; i = (i + 1) % len(shard.slots) {
			if entry := shard.slots[i]; entry>>numberBits == tag && !yield(int(entry&(1<<numberBits-1))-1) {
				return
			}
		}
	}
}

// shard returns the shard of a hash, and the bits that its entry there has. A hash is hexadecimal.
func (x *hashIndex) shard(hash string) (shard *hashShard, tag uint64) {
	all, _ := strconv.ParseUint(hash[:min(16, len(hash))], 16, 64) // other texts have 0 in common
	return &x.shards[all>>numberBits%uint64(len(x.shards))], all & (1<<numberBits - 1)
}

// home is the slot where the search for a tag begins.
func (s *hashShard) home(tag uint64) int {
	high, _ := bits.Mul64(tag<<numberBits, uint64(len(s.slots)))
	return int(high)
}

func (s *hashShard) put(entry uint64) {
	i := s.home(entry >> numberBits)
	for s.slots[i] != 0 {
		i = (i + 1) % len(s.slots)
	}
	s.slots[i] = entry
}
