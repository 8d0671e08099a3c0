package simulator

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestQueue has workers take the jobs of random batches. Each job is handed out once. A worker
// leaves a run of one player's jobs only when all have begun. It helps with a run only when all
// runs have begun, and then with the one that has most jobs left.
func TestQueue(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(2048, seed))
		var jobs []Job
		var left []int // by run
		for range random.IntN(8) {
			player, n := random.IntN(4), 1+random.IntN(5)
			if len(jobs) > 0 && jobs[len(jobs)-1].Player == player {
				left[len(left)-1] += n
			} else {
				left = append(left, n)
			}
			jobs = append(jobs, slices.Repeat([]Job{{Player: player}}, n)...)
		}
		runs := runsOf(jobs)
		q, at := newQueue(runs), make([]int, 1+random.IntN(4))
		for w := range at {
			at[w] = -1
		}
		taken, begun := map[int]bool{}, map[int]bool{}
		for {
			w := random.IntN(len(at))
			job, more := q.next(at[w])
			if !more {
				break
			}
			run := runs[job]
			if taken[job] {
				t.Fatalf("seed %d: job %d of run %d again", seed, job, run)
			}
			if before := at[w]; before != run {
				if before >= 0 && left[before] > 0 {
					t.Fatalf("seed %d: a worker left run %d with %d jobs", seed, before, left[before])
				}
				for other, n := range left {
					if begun[run] && n > 0 && !begun[other] || begun[run] && n > left[run] {
						t.Fatalf("seed %d: a worker helps with run %d of %d jobs, run %d has %d", seed, run, left[run], other, n)
					}
				}
			}
			at[w], taken[job], begun[run] = run, true, true
			left[run]--
		}
		if len(taken) != len(jobs) {
			t.Fatalf("seed %d: %d of %d jobs were handed out", seed, len(taken), len(jobs))
		}
	}
}
