package simulator

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tune2048/engine/eval"
)

// TestQueue has workers take the jobs of random batches. Each job is handed out once. A worker
// leaves a group of one player's jobs only when all have begun. It helps with a group only when all
// groups have begun, and then with the one that has most jobs left.
func TestQueue(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(2048, seed))
		var jobs []Job
		var left []int // by group
		for range random.IntN(8) {
			player, n := random.IntN(4), 1+random.IntN(5)
			if len(jobs) > 0 && jobs[len(jobs)-1].Player == player {
				left[len(left)-1] += n
			} else {
				left = append(left, n)
			}
			jobs = append(jobs, slices.Repeat([]Job{{Player: player}}, n)...)
		}
		groups := groupsOf(&Batch{Players: make([]eval.Player, 4), Jobs: jobs})
		q, at := queue{groups: groups}, make([]*group, 1+random.IntN(4))
		taken, begun := map[int]bool{}, map[int]bool{}
		for {
			w := random.IntN(len(at))
			g, job := q.next(at[w])
			if g == nil {
				break
			}
			group := slices.Index(groups, g)
			if taken[job] {
				t.Fatalf("seed %d: job %d of group %d again", seed, job, group)
			}
			if before := slices.Index(groups, at[w]); before != group {
				if before >= 0 && left[before] > 0 {
					t.Fatalf("seed %d: a worker left group %d with %d jobs", seed, before, left[before])
				}
				for other, n := range left {
					if begun[group] && n > 0 && !begun[other] || begun[group] && n > left[group] {
						t.Fatalf("seed %d: a worker helps with group %d of %d jobs, group %d has %d", seed, group, left[group], other, n)
					}
				}
			}
			at[w], taken[job], begun[group] = g, true, true
			left[group]--
		}
		if len(taken) != len(jobs) {
			t.Fatalf("seed %d: %d of %d jobs were handed out", seed, len(taken), len(jobs))
		}
	}
}
