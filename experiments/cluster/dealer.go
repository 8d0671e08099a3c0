package cluster

import (
	"slices"
	"time"

	"tune2048/engine/simulator"
)

// A block has about a second's work, so its message costs little. Towards the end of a batch it has
// a third of a core's share of the rest, so that all cores end at about the same time.
const (
	usualBlock = time.Second
	leastBlock = 20 * time.Millisecond // below it the messages would cost more than they bring
	sharing    = 3
)

// The message of a block has at most mostBytes, and so has its result. The sizes are estimates of
// the JSON, a little too large.
const (
	mostBytes   = maxMessage / 2
	playerBytes = 300
	valueBytes  = 20
	gameBytes   = 220
)

// A block that is out for longer than overdue times its expected time and overdueAfter is lost: it
// is dealt once more when nothing new is left. Each time the patience doubles.
const (
	overdue      = 4
	overdueAfter = 5 * time.Second
)

// dealer deals the games of a batch in blocks, and knows which are played. It has no clock.
type dealer struct {
	batch  *simulator.Batch
	search []string // of each player
	pace   pace
	next   int      // the first job that was never dealt
	done   []bool   // by job
	left   int      // jobs that are not done
	block  []*block // by job; nil: never dealt

	out    []*block // in the queue or with workers; some may be done
	queued int      // blocks of out that are not done
	lost   []*block // to deal again
}

// block is the jobs from first to end-1.
type block struct {
	first, end int
	left       int           // jobs that are not done
	expected   time.Duration // that one core takes
	queued     bool          // in dealer.queued
	dealt      time.Time     // to the queue, the last time
	times      int           // it was dealt to the queue
	text       []byte        // the message for a worker
	holder     *member       // a worker that got it; guarded by the coordinator's mutex, like given
	given      time.Time     // to the holder
}

func newDealer(batch *simulator.Batch, p pace) *dealer {
	jobs := len(batch.Jobs)
	d := &dealer{batch: batch, pace: p, left: jobs, done: make([]bool, jobs), block: make([]*block, jobs)}
	for i := range batch.Players {
		d.search = append(d.search, batch.Players[i].Settings.String())
	}
	return d
}

// deal returns the jobs of the next block for one of the cores that play: a new block, or else a
// lost one, or nil if there is none. With queue the block goes to the queue, otherwise to a core of
// this machine, which loses none.
func (d *dealer) deal(cores int, queue bool, now time.Time) (b *block, jobs []int) {
	b = d.cut(max(cores, 1))
	for b == nil && len(d.lost) > 0 {
		if d.lost[0].left > 0 {
			b = d.lost[0]
		}
		d.lost = d.lost[1:]
	}
	if b == nil {
		return nil, nil
	}
	if queue {
		b.queued, b.dealt = true, now
		b.times++
		d.queued++
		d.out = append(d.out, b)
	}
	return b, d.open(b)
}

// open returns the jobs of a block that are not done.
func (d *dealer) open(b *block) (jobs []int) {
	for job := b.first; job < b.end; job++ {
		if !d.done[job] {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// longest is the longest time that a worker's game can have taken, as far as this process knows.
func (d *dealer) longest(job int, now time.Time) time.Duration {
	if b := d.block[job]; b != nil && b.queued {
		return now.Sub(b.dealt)
	}
	return d.pace.of(d.search[d.batch.Jobs[job].Player])
}

// cut makes a block of jobs that were never dealt, or nil if there are none. It ends where the
// family changes. From half of its time on it ends where a player's games do, so that fewer tables
// are compiled.
func (d *dealer) cut(cores int) *block {
	for d.next < len(d.done) && d.done[d.next] {
		d.next++
	}
	jobs := d.batch.Jobs[d.next:]
	if len(jobs) == 0 {
		return nil
	}
	var game time.Duration
	aim, bytes := leastBlock, 0
	family := d.batch.Players[jobs[0].Player].Family
	b := &block{first: d.next}
	for i, job := range jobs {
		begins := i == 0 || job.Player != jobs[i-1].Player
		if begins {
			game = d.pace.of(d.search[job.Player])
			bytes += playerBytes + valueBytes*len(d.batch.Players[job.Player].Values)
		}
		bytes += gameBytes
		if i == 0 {
			aim = min(max(aim, time.Duration(len(jobs))*game/time.Duration(sharing*cores)), usualBlock)
		} else if b.expected+game > aim || begins && b.expected >= aim/2 || bytes > mostBytes ||
			d.batch.Players[job.Player].Family != family {
			break
		}
		if !d.done[d.next] {
			b.left++
		}
		d.block[d.next] = b
		b.expected += game
		d.next++
	}
	b.end = d.next
	return b
}

// findLost finds the blocks that are lost: those that are out for too long, or that no worker has.
// A worker that is there owes its late block.
func (d *dealer) findLost(now time.Time, gone func(*block) bool) {
	d.out = slices.DeleteFunc(d.out, func(b *block) bool {
		patience := (overdue*b.expected + overdueAfter) << min(b.times-1, 10)
		if late, away := now.Sub(b.dealt) > patience, gone(b); b.queued && (late || away) {
			if b.holder != nil && !away {
				b.holder.owes, b.holder.owed = true, b.first
			}
			b.queued = false
			d.queued--
			d.lost = append(d.lost, b)
		}
		return !b.queued
	})
}

// played notes that a job is done, which it was not before, and how long its game took.
func (d *dealer) played(job int, took time.Duration) {
	d.done[job] = true
	d.left--
	d.pace.saw(d.search[d.batch.Jobs[job].Player], took)
	if b := d.block[job]; b != nil {
		if b.left--; b.left == 0 && b.queued {
			b.queued = false
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

// of returns a guess where no game has been seen. It is long enough for blocks of one game.
func (p pace) of(search string) time.Duration {
	const guess = 15 * time.Second
	if known := p[search]; known != nil {
		return known.mean
	}
	return guess
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
