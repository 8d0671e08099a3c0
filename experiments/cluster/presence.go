package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// Runs and workers learn about each other from two messages that no stream keeps: hello and notice.
// The first part of this file is the run's side, the second the worker's.

// member is a worker: it is there now, or a result of it was taken.
type member struct {
	experiments.Worker
	processes map[string]hello // the last one of each process
	speed     meter
}

// member returns the worker of this name, which has sent something now. Its caller holds the mutex.
func (c *Coordinator) member(name string) *member {
	now := time.Now()
	m := c.members[name]
	if m == nil {
		m = &member{processes: map[string]hello{}}
		m.speed.measure(0, now)
		m.Name, m.FirstSeen = name, now
		c.members[name] = m
	}
	m.LastSeen = now
	return m
}

// hear takes a worker's hello.
func (c *Coordinator) hear(message *nats.Msg) {
	h, err := decode[hello](message.Data)
	if err = cmp.Or(err, h.check()); err != nil {
		c.drop(err)
		return
	}
	c.mutex.Lock()
	m := c.member(h.Worker)
	_, known := m.processes[h.Process]
	if h.Leaving {
		delete(m.processes, h.Process)
	} else {
		h.at = m.LastSeen
		m.processes[h.Process] = h
		m.Version, m.Signature = h.Version, h.Signature
	}
	c.mutex.Unlock()
	if !known && !h.Leaving && h.Signature != simulator.Signature {
		c.warn(fmt.Sprintf("worker %s gets no games: it is tune %s, whose play has the signature %s; this run is played by tune %s, %s",
			h.Worker, h.Version, h.Signature, c.Version, simulator.Signature))
	}
}

// cores returns the number of games that the worker's processes with this signature play at once.
func (m *member) cores() (n int) {
	for id, p := range m.processes {
		if time.Since(p.at) > goneAfter {
			delete(m.processes, id)
		} else if p.Signature == simulator.Signature {
			n += p.Cores
		}
	}
	return n
}

// meter measures the speed of the last minute.
type meter struct {
	readings []reading // at most one a second, the oldest first; the second one is less than a minute old
}

// reading is the number of all games at a time.
type reading struct {
	at    time.Time
	games int64
}

// measure takes the number of all games by now, and returns the games per second.
func (m *meter) measure(games int64, now time.Time) float64 {
	if n := len(m.readings); n == 0 || now.Sub(m.readings[n-1].at) >= time.Second {
		m.readings = append(m.readings, reading{now, games})
	}
	for len(m.readings) > 1 && now.Sub(m.readings[1].at) >= time.Minute {
		m.readings = m.readings[1:]
	}
	if seconds := now.Sub(m.readings[0].at).Seconds(); seconds > 0 {
		return float64(games-m.readings[0].games) / seconds
	}
	return 0
}

// Workers returns those that have played for the run, or offer to, by name.
func (c *Coordinator) Workers() (all []experiments.Worker) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, name := range slices.Sorted(maps.Keys(c.members)) {
		m := c.members[name]
		m.Cores, m.Speed = m.cores(), m.speed.measure(m.Games, time.Now())
		all = append(all, m.Worker)
	}
	return all
}

// workerCores returns the number of games that all workers play at once.
func (c *Coordinator) workerCores() (n int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, m := range c.members {
		n += m.cores()
	}
	return n
}

// count counts a worker's game, and returns the number of its games.
func (c *Coordinator) count(worker string) int64 {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	m := c.member(worker)
	m.Games++
	return m.Games
}

// drop warns of the first message that cannot be decoded.
func (c *Coordinator) drop(err error) {
	c.strange.Do(func() {
		c.warn(fmt.Sprintf("dropped a message that cannot be decoded: %v; there is no warning of others", err))
	})
}

// hear takes a run's notice.
func (s *shift) hear(m *nats.Msg) {
	if n, err := decode[notice](m.Data); err == nil {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		n.at = time.Now()
		_, known := s.runs[n.Run]
		if s.runs[n.Run] = n; !n.Ended {
			return
		}
		delete(s.runs, n.Run)
		if n.Signature != simulator.Signature || !known && s.games.Load() == 0 { // a short run is played before it is heard of
			return
		}
		s.ended = append(s.ended, n.Name)
		if s.Once && !slices.ContainsFunc(slices.Collect(maps.Values(s.runs)), func(o notice) bool { return o.Signature == simulator.Signature }) {
			s.end(nil)
		}
	}
}

// present publishes a hello every helloEvery, and calls Status. It ends when the cores have left.
func (s *shift) present(left <-chan struct{}) {
	ticker := time.NewTicker(helloEvery)
	defer ticker.Stop()
	var speed meter
	for leaving := false; ; {
		s.nc.Publish(workersSubject, s.hello(leaving))
		status := s.status(speed.measure(s.games.Load(), time.Now()))
		if s.Status != nil {
			s.Status(status)
		}
		if leaving {
			s.nc.FlushTimeout(time.Second)
			return
		}
		select {
		case <-ticker.C:
		case <-left:
			leaving = true
		}
	}
}

func (s *shift) hello(leaving bool) []byte {
	return encode(hello{
		Worker: s.Name, Process: s.process, Cores: max(1, s.Cores), Version: s.Version, Signature: simulator.Signature, Leaving: leaving,
	})
}

// status also says to the server which jobs are being played.
func (s *shift) status(speed float64) Status {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	status := Status{Connected: s.nc.IsConnected(), Games: s.games.Load(), Speed: speed, Ended: slices.Clone(s.ended), Message: s.trouble}
	for message := range s.hand.Range {
		message.(jetstream.Msg).InProgress()
		status.Playing++
	}
	var others []string
	for run, n := range s.runs {
		switch {
		case time.Since(n.at) > goneAfter:
			delete(s.runs, run)
		case n.Signature == simulator.Signature:
			status.Runs = append(status.Runs, n.Name)
		default:
			others = append(others, fmt.Sprintf("run %s wants tune %s (play %s), this is tune %s (play %s)",
				n.Name, n.Version, n.Signature, s.Version, simulator.Signature))
		}
	}
	slices.Sort(status.Runs)
	slices.Sort(others)
	if len(status.Runs) == 0 && status.Message == "" {
		status.Message = strings.Join(others, "; ")
	}
	return status
}
