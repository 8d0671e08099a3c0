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
	playerBytes = 500
	valueBytes  = 20
	gameBytes   = 220
	faultBytes  = 5000 // of a player that is a bot: it may fail, with the end of its stderr
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
	out    []*block // with workers; none is done
	lost   []*block // to deal again
}

// block is the jobs from first to end-1.
type block struct {
	first, end int
	left       int           // jobs that are not done
	expected   time.Duration // that one core takes
	times      int           // a worker got it
	holder     *member       // the last one that did
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

// deal returns the next block for one of the cores that play: a new one, or else a lost one, or nil
// if there is none.
func (d *dealer) deal(cores int) *block {
	b := d.cut(cores)
	for b == nil && len(d.lost) > 0 {
		if d.lost[0].left > 0 {
			b = d.lost[0]
		}
		d.lost = d.lost[1:]
	}
	return b
}

// give notes that a worker gets the block. A core of this machine loses none, and needs no note.
func (d *dealer) give(b *block, to *member, now time.Time) {
	b.holder, b.given = to, now
	b.times++
	d.out = append(d.out, b)
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
			if family.Bot != nil {
				bytes += faultBytes
			}
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

// findLost finds the blocks that are lost: they are out for too long, or their worker is gone or
// does not say that it has them.
func (d *dealer) findLost(now time.Time) {
	d.out = slices.DeleteFunc(d.out, func(b *block) bool {
		m, since := b.holder, now.Sub(b.given)
		patience := (overdue*b.expected + overdueAfter) << min(b.times-1, 10)
		gone := m.refused || m.left || now.Sub(m.seen) > replyIn
		has := since <= replyIn || slices.Contains(m.blocks, b.first)
		if since <= patience && !gone && has {
			return false
		}
		d.lost = append(d.lost, b)
		return true
	})
}

// played notes that a job is done, which it was not before, and how long its game took.
func (d *dealer) played(job int, took time.Duration) {
	d.done[job] = true
	d.left--
	d.pace.saw(d.search[d.batch.Jobs[job].Player], took)
	if b := d.block[job]; b != nil {
		if b.left--; b.left == 0 {
			d.out = slices.DeleteFunc(d.out, func(out *block) bool { return out == b })
		}
	}
}

// pace is how long a game takes, by search: a mean that forgets within some tens of games.
type pace map[string]time.Duration

// of returns a guess where no game has been seen. It is long enough for blocks of one game.
func (p pace) of(search string) time.Duration {
	const guess = 15 * time.Second
	if mean, known := p[search]; known {
		return mean
	}
	return guess
}

func (p pace) saw(search string, took time.Duration) {
	mean, known := p[search]
	if !known {
		mean = took
	}
	p[search] = max(mean+(took-mean)/20, time.Microsecond)
}
