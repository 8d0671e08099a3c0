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

// A block that is out for longer than overdue times its expected time and overdueAfter is late, and
// is dealt once more. This patience doubles each time that the block goes to a connection that has
// returned games. An idle core of this machine plays a late block without overdueAfter.
const (
	overdue      = 4
	overdueAfter = 5 * time.Second
)

// dealer deals the games of a batch in blocks, and knows which are played. It has no clock.
type dealer struct {
	batch  *simulator.Batch
	search string
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
	dealt      time.Time     // to the first worker
	had        []string      // the ids of the connections that got it
	times      int           // a connection that had returned games got it
	holder     *member       // the last worker that got it
	given      time.Time     // to the holder
	patience   time.Duration // with the holder
}

func newDealer(batch *simulator.Batch, p pace) *dealer {
	jobs := len(batch.Jobs)
	return &dealer{batch: batch, search: batch.Search.String(), pace: p, left: jobs, done: make([]bool, jobs), block: make([]*block, jobs)}
}

// deal returns the next block for a worker: a new one, or else the first lost one that it may have,
// or nil if there is none.
func (d *dealer) deal(cores int, may func(*block) bool) *block {
	if b := d.cut(cores); b != nil {
		return b
	}
	return again(&d.lost, may)
}

// dealHere returns the next block for a core of this machine, which loses none: a lost one, or else
// a new one, or else one that is out for long. So nobody holds up a batch.
func (d *dealer) dealHere(cores int, now time.Time) *block {
	b := again(&d.lost, func(*block) bool { return true })
	if b == nil {
		b = d.cut(cores)
	}
	if b == nil {
		b = again(&d.out, func(b *block) bool { return now.Sub(b.dealt) > overdue*b.expected })
	}
	return b
}

// again takes the first block that fits and is not done from the list, or returns nil.
func again(list *[]*block, fits func(*block) bool) (b *block) {
	*list = slices.DeleteFunc(*list, func(b *block) bool { return b.left == 0 })
	if i := slices.IndexFunc(*list, fits); i >= 0 {
		b = (*list)[i]
		*list = slices.Delete(*list, i, i+1)
	}
	return b
}

// give notes that a worker gets the block.
func (d *dealer) give(b *block, to *member, now time.Time) {
	if b.holder == nil {
		b.dealt = now
	}
	b.holder, b.given, b.had = to, now, append(b.had, to.id)
	b.patience = overdue*b.expected + overdueAfter
	if to.played {
		b.patience <<= min(b.times, 10)
		b.times++
	}
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
// form changes. From half of its time on it ends where a player's games do, so that fewer tables
// are compiled.
func (d *dealer) cut(cores int) *block {
	for d.next < len(d.done) && d.done[d.next] {
		d.next++
	}
	jobs := d.batch.Jobs[d.next:]
	if len(jobs) == 0 {
		return nil
	}
	game := d.pace.of(d.search)
	aim, bytes := leastBlock, 0
	form := d.batch.Players[jobs[0].Player].Form
	b := &block{first: d.next}
	for i, job := range jobs {
		begins := i == 0 || job.Player != jobs[i-1].Player
		if begins {
			bytes += playerBytes + valueBytes*len(d.batch.Players[job.Player].Values)
			if form.Heuristic.Bot != nil {
				bytes += faultBytes
			}
		}
		bytes += gameBytes
		if i == 0 {
			aim = min(max(aim, time.Duration(len(jobs))*game/time.Duration(sharing*cores)), usualBlock)
		} else if b.expected+game > aim || begins && b.expected >= aim/2 || bytes > mostBytes ||
			d.batch.Players[job.Player].Form.Text != form.Text {
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
		gone := m.refused || m.left || now.Sub(m.seen) > replyIn
		has := since <= replyIn || slices.Contains(m.blocks, b.first)
		if since <= b.patience && !gone && has {
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
	d.pace.saw(d.search, took)
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
