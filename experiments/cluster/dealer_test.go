package cluster

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tune2048/engine"
	"tune2048/engine/eval"
	"tune2048/engine/simulator"
)

const deep = "depth 3"

var start = time.Time{}.Add(time.Hour)

// batchOf has so many games of each of some players at depth 3.
func batchOf(players, games int) *simulator.Batch {
	b, form := &simulator.Batch{Search: engine.FixedDepth(3)}, eval.NewForm(engine.DefaultRules(), &eval.Heuristic{})
	for p := range players {
		b.Players = append(b.Players, form.Player(nil))
		for seed := range games {
			b.Jobs = append(b.Jobs, simulator.Job{Player: p, Seed: uint64(seed)})
		}
	}
	return b
}

// jobs deals a block, to a worker or to a core of this machine, and returns its jobs.
func (d *dealer) jobs(cores int, to *member, now time.Time) []int {
	if to == nil {
		if b := d.dealHere(cores, now); b != nil {
			return d.open(b)
		}
	} else if b := d.deal(cores, anyBlock); b != nil {
		d.give(b, to, now)
		to.blocks = append(to.blocks, b.first)
		return d.open(b)
	}
	return nil
}

func anyBlock(*block) bool { return true }

// present is a worker that is there for years.
func present() *member { return &member{seen: start.Add(24 * 365 * time.Hour)} }

// paceOf has seen one game of that time.
func paceOf(game time.Duration) pace {
	p := pace{}
	p.saw(deep, game)
	return p
}

// Every job is dealt once, whatever is done meanwhile, in blocks of at most a second.
func TestDealsEveryJobOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		players, games := 1+random.IntN(60), 1+random.IntN(200)
		game := time.Duration(1 + random.Int64N(int64(3*time.Second)))
		cores := 1 + random.IntN(200)
		d := newDealer(batchOf(players, games), paceOf(game))
		seen := make([]int, players*games)
		who := []*member{nil, present()}
		for jobs := d.jobs(cores, who[random.IntN(2)], start); jobs != nil; jobs = d.jobs(cores, who[random.IntN(2)], start) {
			if n := len(jobs); n > 1 && time.Duration(n)*game > usualBlock || n > mostBytes/gameBytes {
				t.Fatalf("a block of %d games of %v", n, game)
			}
			for _, job := range jobs {
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

// At the end of a batch no core is busy much longer than the others.
func TestCoresEndTogether(t *testing.T) {
	for _, test := range []struct {
		cores, players, games int
		game                  time.Duration
	}{
		{2, 40, 12, 5 * time.Millisecond}, {8, 40, 12, 50 * time.Millisecond},
		{16, 1, 5000, 200 * time.Millisecond}, {3, 2, 1000, time.Millisecond},
	} {
		d := newDealer(batchOf(test.players, test.games), paceOf(test.game))
		free := make([]time.Duration, test.cores)
		var work time.Duration
		for {
			next := slices.Index(free, slices.Min(free))
			jobs := d.jobs(test.cores, nil, start)
			if jobs == nil {
				break
			}
			took := time.Duration(len(jobs)) * test.game
			free[next] += took
			work += took
		}
		last := slices.Max(free)
		if best := work / time.Duration(test.cores); last > best+max(best/10, test.game, leastBlock*3/2) {
			t.Errorf("%+v: it takes %v, at best %v", test, last, best)
		}
	}
}

// A block that is late is dealt once more when nothing new is left. The patience doubles with each
// connection that has returned games, and with no other.
func TestLateBlocks(t *testing.T) {
	for _, played := range []bool{false, true} {
		d, now := newDealer(batchOf(1, 2), paceOf(time.Second)), start
		deal := func(after time.Duration) []int {
			now = now.Add(after)
			d.findLost(now)
			w := present()
			w.played = played
			return d.jobs(1, w, now)
		}
		patience := overdue*time.Second + overdueAfter
		deal(0)
		if jobs := deal(patience + 1); !slices.Equal(jobs, []int{1}) {
			t.Errorf("got %v, want the new job first", jobs)
		}
		d.played(1, time.Second)
		if jobs := deal(0); !slices.Equal(jobs, []int{0}) {
			t.Errorf("got %v, want the late job", jobs)
		}
		for range 3 {
			if played {
				patience *= 2
			}
			if jobs := deal(patience); jobs != nil {
				t.Errorf("played %v: dealt %v before %v have passed", played, jobs, patience)
			}
			if jobs := deal(1); !slices.Equal(jobs, []int{0}) {
				t.Errorf("played %v: dealt %v after %v", played, jobs, patience)
			}
		}
		d.played(0, time.Second)
		if jobs := deal(1000 * time.Hour); jobs != nil || len(d.out) > 0 {
			t.Errorf("%v is dealt again, though it is played", jobs)
		}
	}
}

// A core of this machine takes a late block before a new one. When nothing new is left it takes a
// block that is out for long, whoever got it meanwhile.
func TestThisMachineTakesLateBlocks(t *testing.T) {
	d := newDealer(batchOf(1, 3), paceOf(time.Second))
	late := overdue*time.Second + overdueAfter + 1
	d.jobs(1, present(), start)
	d.findLost(start.Add(late))
	for i, want := range [][]int{{0}, {1}} {
		if jobs := d.jobs(1, nil, start.Add(late)); !slices.Equal(jobs, want) {
			t.Errorf("block %d has the jobs %v, want %v", i, jobs, want)
		}
	}
	d.jobs(1, &member{seen: start}, start)
	again := start.Add(replyIn + 1)
	d.findLost(again)
	d.jobs(1, present(), again)
	for _, test := range []struct {
		after time.Duration
		want  []int
	}{{overdue * time.Second, nil}, {overdue*time.Second + 1, []int{2}}} {
		if jobs := d.jobs(1, nil, start.Add(test.after)); !slices.Equal(jobs, test.want) {
			t.Errorf("after %v: the jobs %v, want %v", test.after, jobs, test.want)
		}
	}
}

// A connection gets a block again only if it does not have it, and nobody else can play it.
func TestWhoGetsALostBlock(t *testing.T) {
	here := []*simulator.Pool{nil}
	ours, other := simulator.Signature, "other"
	for name, test := range map[string]struct {
		pools  []*simulator.Pool
		blocks []int // that the holder names
		others []member
		want   bool
	}{
		"nobody else":        {nil, nil, nil, true},
		"it names the block": {nil, []int{0}, nil, false},
		"this machine plays": {here, nil, nil, false},
		"another worker":     {nil, nil, []member{{signature: ours}}, false},
		"one that cannot":    {nil, nil, []member{{signature: other}, {signature: ours, refused: true}}, true},
	} {
		holder := &member{id: "holder", signature: ours, blocks: test.blocks}
		c := &Coordinator{pools: test.pools, members: map[string]*member{"holder": holder}}
		d := newDealer(batchOf(1, 1), paceOf(time.Second))
		b := d.deal(1, anyBlock)
		d.give(b, holder, start)
		for i := range test.others {
			id := string(rune('a' + i))
			test.others[i].id, c.members[id] = id, &test.others[i]
			if !c.mayHave(b, c.members[id]) {
				t.Errorf("%s: no other worker may have it", name)
			}
		}
		if got := c.mayHave(b, holder); got != test.want {
			t.Errorf("%s: may have it again: %v", name, got)
		}
	}
}

// A block is lost when its worker is gone, or does not name it among those at hand for some time.
func TestBlockIsGone(t *testing.T) {
	for name, test := range map[string]struct {
		holder member
		after  time.Duration
		want   bool
	}{
		"given just now": {member{}, 0, false},
		"at hand":        {member{seen: start.Add(4 * time.Second), blocks: []int{5, 0}}, 4 * time.Second, false},
		"not at hand":    {member{seen: start.Add(4 * time.Second), blocks: []int{5}}, 4 * time.Second, true},
		"refused":        {member{blocks: []int{0}, refused: true}, 0, true},
		"worker left":    {member{blocks: []int{0}, left: true}, 0, true},
		"worker silent":  {member{blocks: []int{0}}, 4 * time.Second, true},
	} {
		d := newDealer(batchOf(1, 2), paceOf(time.Second))
		if test.holder.seen.IsZero() {
			test.holder.seen = start
		}
		d.give(d.deal(1, anyBlock), &test.holder, start)
		if d.findLost(start.Add(test.after)); (len(d.lost) > 0) != test.want || (len(d.out) == 0) != test.want {
			t.Errorf("%s: %d blocks are lost", name, len(d.lost))
		}
	}
}

// The first games of a search are dealt one by one, until somebody knows how long they take.
func TestUnknownPace(t *testing.T) {
	d := newDealer(batchOf(1, 1000), pace{})
	if jobs := d.jobs(4, nil, start); len(jobs) != 1 {
		t.Errorf("the first block has %d games", len(jobs))
	}
	d.played(0, time.Millisecond)
	if jobs := d.jobs(4, nil, start); len(jobs) < 20 {
		t.Errorf("then %d games of a millisecond", len(jobs))
	}
}

// A message has one form, so a block ends where the next player has another one.
func TestBlockHasOneForm(t *testing.T) {
	b := batchOf(6, 2)
	for i := range b.Players { // equal ones may be made twice
		b.Players[i] = eval.NewForm(engine.DefaultRules(), &eval.Heuristic{Dead: eval.Dead{Value: float64(i / 3)}}).Player(nil)
	}
	d := newDealer(b, paceOf(time.Millisecond))
	for _, want := range [][]int{{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}} {
		if jobs := d.jobs(1, present(), start); !slices.Equal(jobs, want) {
			t.Errorf("a block has the jobs %v, want %v", jobs, want)
		}
	}
}

// A block's message stays small however many weights its players have.
func TestBlocksOfManyWeights(t *testing.T) {
	b := batchOf(1000, 1)
	for p := range b.Players {
		b.Players[p].Values = make(eval.Vector, 2000)
	}
	d := newDealer(b, paceOf(time.Millisecond))
	if n := len(d.jobs(1, present(), start)); n*2000*valueBytes > mostBytes || n < 3 {
		t.Errorf("a block of %d games with 2,000 weights each", n)
	}
}

// TestTried: a worker says that a bot failed at a game, and in the games behind it the same.
func TestTried(t *testing.T) {
	for fault, want := range map[string]bool{
		"its game with seed 7: it exited (exit status 3)\nThe end of its stderr:\nits game with seed 8: ": true,
		"it refuses these weights: low > high": true,
		"its game with seed 8: it exited":      false,
		"its game with seed 77: it exited":     false,
		"it is lazy":                           false,
	} {
		p := play{batch: simulator.Batch{Jobs: []simulator.Job{{Seed: 7}}}}
		if got := p.tried(0, simulator.Outcome{Failed: fault}); got != want {
			t.Errorf("%q: %v", fault, got)
		}
	}
}
