package cluster

import (
	"math/rand/v2"
	"testing"
	"time"

	"tune2048/engine"
	"tune2048/engine/heuristic"
	"tune2048/engine/simulator"
)

const deep = "depth 3"

// batchOf has so many games of each of some players at depth 3.
func batchOf(players, games int) *simulator.Batch {
	b := &simulator.Batch{Rules: engine.DefaultRules()}
	for p := range players {
		b.Players = append(b.Players, simulator.Player{Settings: engine.FixedDepth(3)})
		for seed := range games {
			b.Jobs = append(b.Jobs, simulator.Job{Player: p, Seed: uint64(seed)})
		}
	}
	return b
}

// paceOf has seen one game of that time.
func paceOf(game time.Duration) pace {
	p := pace{}
	p.saw(deep, game)
	return p
}

// Every job is dealt once, whatever is done meanwhile, in blocks of at most a second and of whole players where that is near.
func TestDealsEveryJobOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		players, games := 1+random.IntN(60), 1+random.IntN(200)
		game := time.Duration(1 + random.Int64N(int64(3*time.Second)))
		cores := 1 + random.IntN(200)
		d := newDealer(batchOf(players, games), paceOf(game))
		seen := make([]int, players*games)
		for {
			b := d.deal(cores, random.IntN(2) == 0, time.Time{})
			if b == nil {
				break
			}
			if n := b.end - b.first; n > 1 && time.Duration(n)*game > usualBlock*3/2 {
				t.Fatalf("a block of %d games of %v", n, game)
			}
			if b.end-b.first > maxGames {
				t.Fatalf("a block of %d games", b.end-b.first)
			}
			for _, job := range d.jobs(b) {
				seen[job]++
			}
			if random.IntN(3) == 0 { // a result of an earlier process
				if job := random.IntN(len(seen)); !d.done[job] {
					d.played(job, game)
					seen[job] = 1
				}
			}
		}
		for job, times := range seen {
			if times != 1 {
				t.Fatalf("%d players of %d games of %v, %d cores: job %d is dealt %d times", players, games, game, cores, job, times)
			}
		}
	}
}

// At the end of a batch all cores end at about the same time: no core that takes what is next is busy much longer than the others.
func TestCoresEndTogether(t *testing.T) {
	for _, test := range []struct {
		cores, players, games int
		game                  time.Duration
	}{{2, 40, 12, 5 * time.Millisecond}, {8, 40, 12, 50 * time.Millisecond}, {16, 1, 5000, 200 * time.Millisecond}, {3, 2, 1000, time.Millisecond}} {
		d := newDealer(batchOf(test.players, test.games), paceOf(test.game))
		free := make([]time.Duration, test.cores)
		var work time.Duration
		for {
			next := 0
			for i := range free {
				if free[i] < free[next] {
					next = i
				}
			}
			b := d.deal(test.cores, false, time.Time{}.Add(free[next]))
			if b == nil {
				break
			}
			took := time.Duration(b.end-b.first) * test.game
			free[next] += took
			work += took
		}
		last := time.Duration(0)
		for _, at := range free {
			last = max(last, at)
		}
		if best := work / time.Duration(test.cores); last > best+max(best/10, test.game, leastBlock*3/2) {
			t.Errorf("%+v: it takes %v, at best %v", test, last, best)
		}
	}
}

// Blocks end where a player's games do, if that is near.
func TestBlocksAreOfWholePlayers(t *testing.T) {
	d := newDealer(batchOf(40, 12), paceOf(10*time.Millisecond))
	for b := d.deal(2, false, time.Time{}); b != nil; b = d.deal(2, false, time.Time{}) {
		if b.end%12 != 0 && b.end-b.first > 12 {
			t.Errorf("a block of jobs %d to %d cuts a player", b.first, b.end)
		}
	}
}

// A block that is late is dealt again to a core that would be idle, a lost one to any; each time after twice the patience.
func TestLateBlocks(t *testing.T) {
	at := func(d time.Duration) time.Time { return time.Time{}.Add(time.Hour + d) }
	d := newDealer(batchOf(1, 1), paceOf(time.Second))
	b := d.deal(1, true, at(0))
	for _, test := range []struct {
		after  time.Duration
		idle   bool
		dealt  bool
		reason string
	}{
		{3 * time.Second, true, false, "it may well be played"},
		{4 * time.Second, false, false, "nobody is idle"},
		{4 * time.Second, true, true, "it is late"},
		{10 * time.Second, true, false, "the second copy has its time, which is twice as long"},
		{11 * time.Second, true, true, "that is late, too"},
		{(11 + 4*70) * time.Second, false, false, "four times the patience"},
		{(12 + 4*70) * time.Second, false, true, "it must be lost"},
	} {
		if again := d.again(test.idle, true, at(test.after)); (again == b) != test.dealt {
			t.Errorf("after %v, idle %v: dealt again %v, want %v: %s", test.after, test.idle, again != nil, test.dealt, test.reason)
		}
	}
	d.played(0, time.Second)
	if d.again(true, true, at(24*time.Hour)) != nil || d.queued != 0 || len(d.out()) != 0 {
		t.Error("a block that is played is dealt again")
	}
}

// A core of this machine does not play what another core of it plays; a worker does.
func TestOwnBlocksAreNotPlayedTwiceHere(t *testing.T) {
	late := time.Time{}.Add(time.Hour)
	d := newDealer(batchOf(1, 1), paceOf(time.Second))
	d.deal(1, false, time.Time{})
	if d.again(true, false, late) != nil {
		t.Error("this machine got its own block again")
	}
	if d.again(true, true, late) == nil {
		t.Error("no worker got a block that is late here")
	}
	if d.queued != 1 {
		t.Errorf("%d blocks are in the queue, want 1", d.queued)
	}
}

// The first games of a search are dealt one by one, until somebody knows how long they take.
func TestUnknownPace(t *testing.T) {
	d := newDealer(batchOf(1, 1000), pace{})
	if b := d.deal(4, false, time.Time{}); b.end != 1 {
		t.Errorf("the first block has %d games", b.end)
	}
	d.played(0, time.Millisecond)
	if b := d.deal(4, false, time.Time{}); b.end-b.first < 20 {
		t.Errorf("then %d games of a millisecond", b.end-b.first)
	}
}

// A block's message stays small however many weights its players have.
func TestBlocksOfManyWeights(t *testing.T) {
	b := simulator.Batch{}
	for p := range 1000 {
		b.Players = append(b.Players, simulator.Player{Values: make(heuristic.Vector, 2000), Settings: engine.FixedDepth(1)})
		b.Jobs = append(b.Jobs, simulator.Job{Player: p})
	}
	d := newDealer(&b, pace{})
	d.pace.saw(d.search[0], time.Millisecond)
	if block := d.deal(1, true, time.Time{}); (block.end-block.first)*2000 > maxValues || block.end-block.first < 10 {
		t.Errorf("a block of %d games with 2,000 weights each", block.end-block.first)
	}
}
