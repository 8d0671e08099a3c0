package cluster

import (
	"slices"
	"time"

	"tune2048/engine/simulator"
)

// A block has about a second's work, so its message costs little. Towards the end of a batch it has
// a third of a core's share of the rest, so that all cores end at about the same time.
const (
	usualBlock = beat
	minBlock   = 20 * time.Millisecond // below it the messages would cost more than they bring
	sharing    = 3
)

// The message of a block has at most maxBytes beside its form, which has at most as many, see
// Fits. Its result has at most maxBytes. The sizes are estimates of the JSON, too large rather
// than too small.
const (
	maxBytes   = maxMessage / 2
	faultBytes = 5000 // of a player: a bot may fail, with the end of its stderr
	valueBytes = 20
	gameBytes  = 220
)

// A block that is out for longer than overdue times its expected time and patience is late. Where
// no other is left it is dealt once more. A core of this machine does not wait for the patience, so
// it comes before the next worker. The worker that had it last waits for twice the patience, so
// another worker comes first.
const overdue = 4

// dealer deals the games of a batch in blocks, and knows which are played. It has no clock.
type dealer struct {
	batch  *simulator.Batch
	search string
	pace   gameTimes
	next   int      // the first job that was never dealt
	end    int      // of the jobs that are dealt
	parts  []int    // of Batch.Parts, those that have not begun
	done   []bool   // by job
	left   int      // jobs that are not done
	block  []*block // by job; nil: never dealt
	out    []*block // with a core of a worker, or of this machine; none is done
}

// block is the jobs from first to end-1.
type block struct {
	first, end int
	left       int           // jobs that are not done
	expected   time.Duration // that one core takes
	holder     *member       // who got it last
	given      time.Time     // to the holder
	begun      time.Time     // given to the first holder
	took       time.Duration // its games that are done
}

func newDealer(batch *simulator.Batch, p gameTimes) *dealer {
	jobs := len(batch.Jobs)
	return &dealer{batch: batch, search: batch.Search.String(), pace: p, end: jobs, parts: batch.Parts, left: jobs,
		done: make([]bool, jobs), block: make([]*block, jobs)}
}

// deal gives the next block to a core: one whose worker is gone, or else a new one, or else a late
// one. So nobody holds up a batch. nil: there is none.
func (d *dealer) deal(to *member, cores int, now time.Time) *block {
	b := d.repeatable(func(b *block) bool { return b.holder.gone(now) })
	if b == nil {
		b = d.cut(cores)
	}
	if b == nil {
		b = d.repeatable(func(b *block) bool {
			after := overdue * b.expected
			if !to.here {
				after += patience
			}
			if to == b.holder {
				after += patience
			}
			return !b.holder.here && now.Sub(b.given) > after
		})
	}
	if b == nil {
		return nil
	}
	b.holder, b.given = to, now
	if b.begun.IsZero() {
		b.begun = now
	}
	d.out = append(d.out, b)
	return b
}

// repeatable takes back the first block that fits, or returns nil.
func (d *dealer) repeatable(fits func(*block) bool) (b *block) {
	if i := slices.IndexFunc(d.out, fits); i >= 0 {
		b = d.out[i]
		d.out = slices.Delete(d.out, i, i+1)
	}
	return b
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
	jobs := d.batch.Jobs[d.next:d.end]
	if len(jobs) == 0 || d.over() {
		return nil
	}
	game := d.pace.mean(d.search)
	aim, bytes := minBlock, 0
	form := d.batch.Players[jobs[0].Player].Form
	b := &block{first: d.next}
	for i, job := range jobs {
		begins := i == 0 || job.Player != jobs[i-1].Player
		if begins {
			bytes += faultBytes + valueBytes*len(d.batch.Players[job.Player].Values)
		}
		bytes += gameBytes
		if i == 0 {
			aim = min(max(aim, time.Duration(len(jobs))*game/time.Duration(sharing*cores)), usualBlock)
		} else if b.expected+game > aim || begins && b.expected >= aim/2 || bytes > maxBytes ||
			d.batch.Players[job.Player].Form.Text != form.Text || d.over() {
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

// over reports whether no more jobs are dealt: the next one begins a part for which Batch.More has
// no time.
func (d *dealer) over() bool {
	for len(d.parts) > 0 && d.parts[0] <= d.next {
		d.parts = d.parts[1:]
		if !d.batch.More() {
			d.end, d.parts = d.next, nil
			for job := d.next; job < len(d.done); job++ {
				if !d.done[job] {
					d.left--
				}
			}
		}
	}
	return d.next >= d.end
}

// gone reports whether a worker has left, gives no sign of life, or cannot play.
func (m *member) gone(now time.Time) bool {
	return !m.here && (!m.able || m.left || now.Sub(m.seen) > patience)
}

// finished notes that a job is done, which it was not before, and how long its game took.
func (d *dealer) finished(job int, took time.Duration) {
	d.done[job] = true
	d.left--
	d.pace.saw(d.search, took)
	if b := d.block[job]; b != nil {
		b.took += took
		b.left--
		if b.left == 0 {
			d.out = slices.DeleteFunc(d.out, func(out *block) bool { return out == b })
		}
	}
}

// most is the longest time that a game can have taken: one core plays a block, one game after the
// other. A job that was never dealt was played for the run before it was resumed. Nobody knows when
// it began, so it counts like the mean at most.
func (d *dealer) most(job int, began, now time.Time) time.Duration {
	if b := d.block[job]; b != nil {
		return max(0, now.Sub(b.begun)-b.took)
	}
	return min(now.Sub(began), d.pace.mean(d.search))
}

// gameTimes is how long a game takes, by search: a mean that forgets within some tens of games.
type gameTimes map[string]time.Duration

// mean returns a guess where no game has been seen. It is long enough for blocks of one game.
func (p gameTimes) mean(search string) time.Duration {
	const guess = 15 * time.Second
	if mean, known := p[search]; known {
		return mean
	}
	return guess
}

func (p gameTimes) saw(search string, took time.Duration) {
	mean, known := p[search]
	if !known {
		mean = took
	}
	p[search] = max(mean+(took-mean)/20, time.Microsecond)
}
