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

// jobs deals a block, and returns its jobs.
func (d *dealer) jobs(cores int, to *member, now time.Time) []int {
	if b := d.deal(to, cores, now); b != nil {
		return d.open(b)
	}
	return nil
}

// here is a core of this machine.
var here = &member{here: true}

// present is a worker that is there for years.
func present() *member { return &member{able: true, seen: start.Add(24 * 365 * time.Hour)} }

// paceOf has seen one game of that time.
func paceOf(game time.Duration) gameTimes {
	p := gameTimes{}
	p.saw(deep, game)
	return p
}

// Every job is dealt once, whatever is done meanwhile, in blocks of at most a second.
func TestDealsEveryJobOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		players, games := 1+random.IntN(20), 1+random.IntN(60)
		game := time.Duration(1 + random.Int64N(int64(3*time.Second)))
		cores := 1 + random.IntN(200)
		d := newDealer(batchOf(players, games), paceOf(game))
		seen := make([]int, players*games)
		who := []*member{here, present()}
		for jobs := d.jobs(cores, who[random.IntN(2)], start); jobs != nil; jobs = d.jobs(cores, who[random.IntN(2)], start) {
			if n := len(jobs); n > 1 && time.Duration(n)*game > usualBlock || n > maxBytes/gameBytes {
				t.Fatalf("a block of %d games of %v", n, game)
			}
			for _, job := range jobs {
				seen[job]++
			}
			if random.IntN(3) == 0 { // a result of an earlier process
				if job := random.IntN(len(seen)); !d.done[job] {
					d.finished(job, game)
					seen[job] = 1
				}
			}
		}
		for job, times := range seen {
			if times != 1 {
				t.Fatalf("%d players of %d games of %v, %d cores: job %d is dealt %d times", players, games, game, cores, job,
					times)
			}
		}
	}
}

// A block that is late is dealt once more when nothing new is left: to a worker after the patience
// since it was dealt last, to the same worker after twice the patience, and to a core of this
// machine without. The block of a worker that is gone comes before new ones. A core of this machine
// loses none.
func TestLateBlocks(t *testing.T) {
	d, gone := newDealer(batchOf(1, 4), paceOf(time.Second)), &member{able: true, seen: start}
	late := overdue * time.Second
	for i, step := range []struct {
		after time.Duration
		to    *member
		want  []int
	}{
		{0, present(), []int{0}}, {0, gone, []int{1}}, {late + patience + 1, here, []int{1}},
		{late + patience + 1, present(), []int{2}},
		{late + patience + 1, here, []int{3}}, {late + patience + 1, here, []int{0}}, // which nobody gets from here
		{2*late + patience + 1, present(), nil}, {2*late + patience + 1, here, nil}, {2*late + patience + 2, here, []int{2}},
	} {
		if jobs := d.jobs(1, step.to, start.Add(step.after)); !slices.Equal(jobs, step.want) {
			t.Errorf("step %d: dealt %v, want %v", i, jobs, step.want)
		}
	}
	d = newDealer(batchOf(1, 1), paceOf(time.Second))
	d.jobs(1, present(), start)
	for at := start; at.Before(start.Add(time.Minute)); {
		at = at.Add(late + patience + 1)
		if early, jobs := d.jobs(1, present(), at.Add(-1)), d.jobs(1, present(), at); early != nil ||
			!slices.Equal(jobs, []int{0}) {
			t.Errorf("dealt %v early, and %v when late", early, jobs)
		}
	}
	again, at := present(), start.Add(2*time.Minute)
	for _, step := range []struct {
		after time.Duration
		want  []int
	}{{0, []int{0}}, {late + patience + 1, nil}, {late + 2*patience + 1, []int{0}}} {
		if jobs := d.jobs(1, again, at.Add(step.after)); !slices.Equal(jobs, step.want) {
			t.Errorf("the same worker gets %v after %v, want %v", jobs, step.after, step.want)
		}
	}
	d.finished(0, time.Second)
	if jobs := d.jobs(1, here, start.Add(1000*time.Hour)); jobs != nil || len(d.out) > 0 {
		t.Errorf("%v is dealt again, though it is played", jobs)
	}
}

// A block is dealt again before new ones when its worker is gone.
func TestBlockIsGone(t *testing.T) {
	for name, test := range map[string]struct {
		holder member
		after  time.Duration
		want   int // the job that is dealt
	}{
		"at hand":       {member{able: true}, patience, 1},
		"refused":       {member{}, 0, 0},
		"worker left":   {member{able: true, left: true}, 0, 0},
		"worker silent": {member{able: true}, patience + 1, 0},
	} {
		d := newDealer(batchOf(1, 2), paceOf(time.Second))
		test.holder.seen = start
		d.jobs(1, &test.holder, start)
		if jobs := d.jobs(1, present(), start.Add(test.after)); !slices.Equal(jobs, []int{test.want}) {
			t.Errorf("%s: dealt %v, want %d", name, jobs, test.want)
		}
	}
}

// The first games of a search are dealt one by one, until somebody knows how long they take.
func TestUnknownPace(t *testing.T) {
	d := newDealer(batchOf(1, 1000), gameTimes{})
	if jobs := d.jobs(4, here, start); len(jobs) != 1 {
		t.Errorf("the first block has %d games", len(jobs))
	}
	d.finished(0, time.Millisecond)
	if jobs := d.jobs(4, here, start); len(jobs) < 20 {
		t.Errorf("then %d games of a millisecond", len(jobs))
	}
}

// A message has one form, so a block ends where the next player has another one.
func TestBlockHasOneForm(t *testing.T) {
	b := batchOf(6, 2)
	for i := range b.Players { // equal ones may be made twice
		b.Players[i] = eval.NewForm(engine.DefaultRules(),
			&eval.Heuristic{Dead: eval.Dead{Value: float64(i / 3)}}).Player(nil)
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
	if n := len(d.jobs(1, present(), start)); n*2000*valueBytes > maxBytes || n < 2 {
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
