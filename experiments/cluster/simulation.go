package cluster

import (
	"container/heap"
	"time"

	"tune2048/engine/portable"
	"tune2048/engine/simulator"
)

// Simulation tells how long generations take on so many cores, without them: the dealer is the coordinator's own, and cores wait for
// as long as games take. It is a simulation of discrete events, and a function of its fields.
type Simulation struct {
	Cores  int     // of workers
	Slow   float64 // share of the cores that are slow
	Slower float64 // how many times as long a game takes there
	// What is played: in each round of a generation, that many batches one after the other, all candidates of all populations play.
	Restarts, Population, Games, Rounds int
	Times                               []time.Duration // quantiles of how long a game takes, at equal distances from the least to the most
	Costs
	Seed uint64
}

// Costs are what there is beside games. What the coordinator does it does in a row.
type Costs struct {
	Block     time.Duration // of the coordinator, for a block: publishing it and taking its result
	Game      time.Duration // of the coordinator, for a game: taking and recording it
	Candidate time.Duration // of the coordinator, for a candidate, when the games of its round are over
	Messages  float64       // that the coordinator sends or takes in a second, at most; 0: any number
	Latency   time.Duration // of a message
	Tables    time.Duration // of a core, for each player of a block
}

// Simulated is how a generation went, on average.
type Simulated struct {
	Took        time.Duration
	Ideal       time.Duration // as if cores shared the games perfectly and there were nothing else
	Coordinator float64       // share of the time in which the coordinator was busy
	Blocks      float64
	Repeated    float64 // of these, for the second time
}

// Efficiency is the share of the cores' time in which they play games that nobody played before.
func (s Simulated) Efficiency() float64 { return float64(s.Ideal) / float64(s.Took) }

// simulated is a Simulation under way.
type simulated struct {
	Simulation
	random *portable.Source
	now    time.Duration // since it began
	events events
	pace   pace

	speed []float64 // by core
	idle  []int     // cores
	queue []*simulatedBlock
	until time.Duration // when the coordinator will have done what it has to do
	busy  time.Duration // that it was

	dealer *dealer // of the batch at hand
	took   []time.Duration
	blocks int
}

// simulatedBlock is a message with games, and then with their outcomes.
type simulatedBlock struct {
	of   *dealer
	jobs []int
}

// event is something that happens at a time; of two at the same time the first that was foreseen comes first.
type event struct {
	at     time.Duration
	number int
	do     func()
}

type events struct {
	list []event
	seen int
}

func (e *events) Len() int { return len(e.list) }
func (e *events) Less(i, k int) bool {
	a, b := e.list[i], e.list[k]
	return a.at < b.at || a.at == b.at && a.number < b.number
}
func (e *events) Swap(i, k int) { e.list[i], e.list[k] = e.list[k], e.list[i] }
func (e *events) Push(x any)    { e.list = append(e.list, x.(event)) }
func (e *events) Pop() any {
	last := len(e.list) - 1
	x := e.list[last]
	e.list = e.list[:last]
	return x
}

// Run carries so many generations of each population out.
func (s Simulation) Run(generations int) Simulated {
	r := &simulated{Simulation: s, random: portable.NewSource(s.Seed), pace: pace{}}
	capacity := 0.0 // in cores that are not slow
	for core := range s.Cores {
		speed := 1.0
		if float64(core) < s.Slow*float64(s.Cores) {
			speed /= s.Slower
		}
		r.speed, r.idle, capacity = append(r.speed, speed), append(r.idle, core), capacity+speed
	}
	for i := range r.idle {
		k := int(r.random.Float64() * float64(i+1))
		r.idle[i], r.idle[k] = r.idle[k], r.idle[i]
	}
	work, repeated := time.Duration(0), 0
	for range generations {
		for round := range s.Rounds {
			batch := &simulator.Batch{Players: make([]simulator.Player, s.Restarts*s.Population)}
			r.took = nil
			games := s.Games*(round+1)/s.Rounds - s.Games*round/s.Rounds
			for player := range batch.Players {
				for range games {
					batch.Jobs = append(batch.Jobs, simulator.Job{Player: player})
					r.took = append(r.took, r.draw())
					work += r.took[len(r.took)-1]
				}
			}
			r.play(batch)
			repeated += r.dealer.repeated
			r.work(time.Duration(len(batch.Players)) * s.Candidate)
			r.now = max(r.now, r.until)
		}
	}
	n := time.Duration(generations)
	return Simulated{
		Took: r.now / n, Ideal: time.Duration(float64(work)/capacity) / n, Coordinator: float64(r.busy) / float64(r.now),
		Blocks: float64(r.blocks) / float64(n), Repeated: float64(repeated) / float64(n),
	}
}

// draw returns how long a game takes.
func (r *simulated) draw() time.Duration {
	at := r.random.Float64() * float64(len(r.Times)-1)
	low := int(at)
	return r.Times[low] + time.Duration((at-float64(low))*float64(r.Times[min(low+1, len(r.Times)-1)]-r.Times[low]))
}

// play plays a batch.
func (r *simulated) play(batch *simulator.Batch) {
	r.dealer, r.queue = newDealer(batch, r.pace), nil // what nobody has begun is taken back
	if len(r.pace) == 0 {                             // as if the run had gone on for some time
		for _, took := range r.took {
			r.pace.saw(r.dealer.search[0], took)
		}
	}
	r.publish()
	d := r.dealer
	r.wake(d)
	for d.left > 0 {
		next := heap.Pop(&r.events).(event)
		r.now = next.at
		next.do()
	}
}

// after foresees something.
func (r *simulated) at(at time.Duration, do func()) {
	r.events.seen++
	heap.Push(&r.events, event{at, r.events.seen, do})
}

// work is done by the coordinator, after what it has to do already.
func (r *simulated) work(took time.Duration) {
	r.until = max(r.until, r.now) + took
	r.busy += took
}

// message is the coordinator's work for one of the two messages of a block.
func (r *simulated) message() time.Duration {
	took := r.Block / 2
	if r.Messages > 0 {
		took = max(took, time.Duration(float64(time.Second)/r.Messages))
	}
	return took
}

func (r *simulated) clock() time.Time { return time.Time{}.Add(time.Hour + r.now) }

// wake looks after late blocks, again and again, as the coordinator does.
func (r *simulated) wake(of *dealer) {
	r.at(r.now+tick, func() {
		if r.dealer == of {
			r.publish()
			r.wake(of)
		}
	})
}

// publish deals what workers should have now, by play.publishDue's rules.
func (r *simulated) publish() {
	d := r.dealer
	send := func(b *block) {
		r.work(r.message())
		r.blocks++
		sent := &simulatedBlock{d, d.jobs(b)}
		r.at(r.until+r.Latency, func() {
			if r.dealer == d {
				r.queue = append(r.queue, sent)
				r.hand()
			}
		})
	}
	for d.queued < window*r.Cores {
		b := d.deal(r.Cores, true, r.clock())
		if b == nil {
			break
		}
		send(b)
	}
	for b := d.again(d.queued < r.Cores, true, r.clock()); b != nil; b = d.again(d.queued < r.Cores, true, r.clock()) {
		send(b)
	}
}

// hand gives the first blocks of the queue to cores that wait. A core asks for the next when it has played one.
func (r *simulated) hand() {
	for len(r.queue) > 0 && len(r.idle) > 0 {
		b, core := r.queue[0], r.idle[0]
		r.queue, r.idle = r.queue[1:], r.idle[1:]
		took, players := time.Duration(0), 0
		for i, job := range b.jobs {
			took += r.took[job]
			if i == 0 || b.of.batch.Jobs[job].Player != b.of.batch.Jobs[b.jobs[i-1]].Player {
				players++
			}
		}
		took = time.Duration(float64(took+time.Duration(players)*r.Tables) / r.speed[core])
		r.at(r.now+r.Latency+took, func() {
			r.at(r.now+r.Latency, func() { r.result(b, r.speed[core]) })
			r.at(r.now+r.Latency, func() { // it asks for another
				r.idle = append(r.idle, core)
				r.hand()
			})
		})
	}
}

// result takes the outcomes of a block.
func (r *simulated) result(b *simulatedBlock, speed float64) {
	r.work(r.message() + time.Duration(len(b.jobs))*r.Game)
	r.at(r.until, func() {
		if b.of != r.dealer {
			return
		}
		for _, job := range b.jobs {
			if !r.dealer.done[job] {
				r.dealer.played(job, time.Duration(float64(r.took[job])/speed))
			}
		}
		r.publish()
	})
}
