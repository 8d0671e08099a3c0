package simulator

import (
	"math/rand/v2"
	"testing"

	"tune2048/engine/eval"
)

// TestQueue has workers take the jobs of random batches. Each job is handed out once. A worker
// leaves a player only when all its jobs have begun. It helps a player only when all players have
// begun, and then the one with most jobs left.
func TestQueue(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(2048, seed))
		batch := Batch{Players: make([]eval.Player, random.IntN(7))}
		left := make([]int, len(batch.Players))
		for range random.IntN(30) * min(1, len(left)) {
			player := random.IntN(len(left))
			batch.Jobs = append(batch.Jobs, Job{Player: player})
			left[player]++
		}
		q, at := newQueue(&batch), make([]int, 1+random.IntN(4))
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
			player := batch.Jobs[job].Player
			if taken[job] {
				t.Fatalf("seed %d: job %d of player %d again", seed, job, player)
			}
			if before := at[w]; before != player {
				if before >= 0 && left[before] > 0 {
					t.Fatalf("seed %d: a worker left player %d with %d jobs", seed, before, left[before])
				}
				for p, n := range left {
					if begun[player] && n > 0 && !begun[p] || begun[player] && n > left[player] {
						t.Fatalf("seed %d: a worker helps player %d with %d jobs, player %d has %d", seed, player, left[player], p, n)
					}
				}
			}
			at[w], taken[job], begun[player] = player, true, true
			left[player]--
		}
		if len(taken) != len(batch.Jobs) {
			t.Fatalf("seed %d: %d of %d jobs were handed out", seed, len(taken), len(batch.Jobs))
		}
	}
}
