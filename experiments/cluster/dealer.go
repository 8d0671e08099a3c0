package cluster

import (
	"time"

	"tune2048/engine/simulator"
)

// Blocks are of about a second's work: enough that a message costs nothing beside it, and little to lose. Towards the end of a
// batch they are smaller, so that all cores end at about the same time: a core takes a third of its share of what is left. Below
// leastBlock the messages would cost more than they bring.
const (
	usualBlock = time.Second
	leastBlock = 20 * time.Millisecond
	sharing    = 3
	maxPlayers = 200     // of a block, so that its message stays small
	maxValues  = 1 << 15 // of all its players together, 20 bytes each
)

// A block that has been out for longer than it should is dealt once more: where a core would be idle otherwise after overdue times
// what was expected of it; in any case, since somebody may have lost it, after lost times that and lostAfter. Each time the patience doubles.
const (
	overdue      = 3
	overdueAfter = 200 * time.Millisecond
	lost         = 10
	lostAfter    = time.Minute
)

// dealer deals the games of a batch in blocks, and knows which are played. It is told the time.
type dealer struct {
	batch  *simulator.Batch
	search []string // of each player
	pace   pace
	next   int     // the first job that was never dealt
	done   []bool  // by job
	left   int     // jobs that are not done
	block  []int32 // by job, its block's index in all; -1: never dealt
	all    []*block
	open   []*block // dealt, not done when somebody looked last; in the order of dealing
	queued int      // blocks of open that are dealt to the queue, and not done

	repeated int                 // blocks that were dealt again
	looked   map[asker]time.Time // when nothing was late for one like this
}

// asker is for whom late blocks are looked for.
type asker struct{ idle, queue bool }

// block is a run of jobs that is dealt as a whole.
type block struct {
	first, end int           // jobs first to end-1; some may have been done before it was dealt
	left       int           // jobs that are not done
	expected   time.Duration // that one core takes; 0: nobody knows yet
	dealt      time.Time     // when it was dealt last
	times      int           // it was dealt
	queue      bool          // whether it was dealt to the queue; otherwise to this machine
}

func newDealer(batch *simulator.Batch, p pace) *dealer {
	d := &dealer{batch: batch, pace: p, left: len(batch.Jobs), looked: map[asker]time.Time{}, done: make([]bool, len(batch.Jobs)), block: make([]int32, len(batch.Jobs))}
	for i := range batch.Players {
		d.search = append(d.search, batch.Players[i].Settings.String())
	}
	for i := range d.block {
		d.block[i] = -1
	}
	return d
}

// deal deals the next block that nobody has had yet, for one of so many cores that play; nil if there is none.
func (d *dealer) deal(cores int, queue bool, now time.Time) *block {
	for d.next < len(d.done) && d.done[d.next] {
		d.next++
	}
	if d.next == len(d.done) {
		return nil
	}
	game := d.pace.of(d.search[d.batch.Jobs[d.next].Player])
	n := d.size(game, max(cores, 1))
	b := &block{first: d.next, end: d.next + n, expected: time.Duration(n) * game, dealt: now, times: 1, queue: queue}
	for job := b.first; job < b.end; job++ {
		if !d.done[job] {
			b.left++
		}
		d.block[job] = int32(len(d.all))
	}
	d.next = b.end
	d.all, d.open = append(d.all, b), append(d.open, b)
	if queue {
		d.queued++
	}
	return b
}

// size is how many games the next block has, of which one takes about so long.
func (d *dealer) size(game time.Duration, cores int) int {
	rest := len(d.done) - d.next
	if game <= 0 {
		return 1
	}
	aim := max(leastBlock, min(usualBlock, time.Duration(rest)*game/time.Duration(sharing*cores)))
	n := min(max(int(aim/game), 1), rest, maxGames*2/3)
	jobs, players := d.batch.Jobs, 1
	values := len(d.batch.Players[jobs[d.next].Player].Values)
	for i := 1; i < n; i++ {
		if jobs[d.next+i].Player != jobs[d.next+i-1].Player {
			players++
			if values += len(d.batch.Players[jobs[d.next+i].Player].Values); players > maxPlayers || values > maxValues {
				return i
			}
		}
	}
	// Where a player's games end nearby the block ends there, so that fewer tables are compiled.
	for off := 0; off <= n/2; off++ {
		for _, end := range [2]int{d.next + n + off, d.next + n - off} {
			if end == len(jobs) || end > d.next && end < len(jobs) && jobs[end-1].Player != jobs[end].Player {
				return end - d.next
			}
		}
	}
	return n
}

// again deals a block a second time that should have been played by now: for a core that is idle, or because it must have been
// lost. A core of this machine takes none that another core of it plays. It returns nil if there is none.
func (d *dealer) again(idle, queue bool, now time.Time) *block {
	who := asker{idle, queue}
	if now.Sub(d.looked[who]) < tick { // to look at all blocks for each result would cost more than anything else
		return nil
	}
	d.forget()
	for i, b := range d.open {
		if !queue && !b.queue {
			continue
		}
		expected := b.expected
		if expected == 0 {
			expected = time.Duration(b.end-b.first) * d.pace.of(d.search[d.batch.Jobs[b.first].Player])
		}
		patience := lost*expected + lostAfter
		if idle && expected > 0 {
			patience = overdue*expected + overdueAfter
		}
		if now.Sub(b.dealt) <= patience<<min(b.times-1, 10) {
			continue
		}
		b.dealt = now
		b.times++
		d.repeated++
		if queue && !b.queue {
			b.queue = true
			d.queued++
		}
		d.open = append(append(d.open[:i:i], d.open[i+1:]...), b)
		return b
	}
	d.looked[who] = now
	return nil
}

// out returns the blocks that are dealt to the queue and not done.
func (d *dealer) out() (list []*block) {
	d.forget()
	for _, b := range d.open {
		if b.queue {
			list = append(list, b)
		}
	}
	return list
}

// forget drops from open what is done.
func (d *dealer) forget() {
	open := d.open[:0]
	for _, b := range d.open {
		if b.left > 0 {
			open = append(open, b)
		}
	}
	clear(d.open[len(open):])
	d.open = open
}

// jobs returns the jobs of a block that are not done.
func (d *dealer) jobs(b *block) (list []int) {
	for job := b.first; job < b.end; job++ {
		if !d.done[job] {
			list = append(list, job)
		}
	}
	return list
}

// played notes that a job is done, which it was not before, and how long its game took.
func (d *dealer) played(job int, took time.Duration) {
	d.done[job] = true
	d.left--
	if i := d.block[job]; i >= 0 {
		d.pace.saw(d.search[d.batch.Jobs[job].Player], took)
		b := d.all[i]
		if b.left--; b.left == 0 && b.queue {
			d.queued--
		}
	}
}

// pace is how long a game takes, by search: the mean of about the last hundred.
type pace map[string]*paced

type paced struct {
	mean  time.Duration
	games int
}

// of is 0 where no game has been seen.
func (p pace) of(search string) time.Duration {
	if known := p[search]; known != nil {
		return known.mean
	}
	return 0
}

func (p pace) saw(search string, took time.Duration) {
	const remembered = 100
	known := p[search]
	if known == nil {
		known = &paced{}
		p[search] = known
	}
	known.games = min(known.games+1, remembered)
	known.mean += (max(took, time.Microsecond) - known.mean) / time.Duration(known.games)
}
