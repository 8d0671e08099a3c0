package cluster

import (
	"fmt"
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

// members are the workers by name: those that are there now, and those whose results were taken.
type members map[string]*member

// member is a worker and its processes.
type member struct {
	experiments.Worker
	processes map[string]process
	speed     meter
}

// process is the last hello of one process of a worker.
type process struct {
	hello
	at time.Time
}

// member returns the worker of this name, which has sent something now.
func (of members) member(name string, now time.Time) *member {
	m := of[name]
	if m == nil {
		m = &member{processes: map[string]process{}, speed: meter{began: now, at: now}}
		m.Name, m.FirstSeen = name, now
		of[name] = m
	}
	m.LastSeen = now
	return m
}

// heard takes a hello. It reports whether the process is new.
func (of members) heard(h hello, now time.Time) bool {
	m := of.member(h.Worker, now)
	_, known := m.processes[h.Process]
	if h.Leaving {
		delete(m.processes, h.Process)
		return false
	}
	m.processes[h.Process] = process{h, now}
	m.Version, m.Signature = h.Version, h.Signature
	return !known
}

// cores returns the number of games that the worker's processes with this signature play at once.
func (m *member) cores(now time.Time) (n int) {
	for id, p := range m.processes {
		if now.Sub(p.at) > goneAfter {
			delete(m.processes, id)
		} else if p.Signature == simulator.Signature {
			n += p.Cores
		}
	}
	return n
}

// meter measures the speed of about the last minute.
type meter struct {
	began, at time.Time
	games     int64
	perSecond float64
}

// measure takes the number of all games by now.
func (m *meter) measure(games int64, now time.Time) {
	if seconds := now.Sub(m.at).Seconds(); seconds > 0 {
		share := min(1, seconds/min(60, now.Sub(m.began).Seconds()))
		m.perSecond += (float64(games-m.games)/seconds - m.perSecond) * share
	}
	m.at, m.games = now, games
}

// list returns the workers by name.
func (of members) list(now time.Time) (all []experiments.Worker) {
	for _, m := range of {
		m.speed.measure(m.Games, now)
		w := m.Worker
		w.Cores, w.Speed = m.cores(now), m.speed.perSecond
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b experiments.Worker) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// heard is a run's last notice.
type heard struct {
	notice
	at time.Time
}

// hear takes a run's notice.
func (s *shift) hear(m *nats.Msg) {
	if n, err := decode[notice](m.Data); err == nil {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.runs[n.Run] = heard{n, time.Now()}
	}
}

// present publishes a hello every helloEvery, and calls Status. It ends when the cores have left.
func (s *shift) present(left <-chan struct{}) {
	ticker := time.NewTicker(helloEvery)
	defer ticker.Stop()
	began := time.Now()
	speed := meter{began: began, at: began}
	for leaving := false; ; {
		s.nc.Publish(workersSubject, s.hello(leaving))
		speed.measure(s.games.Load(), time.Now())
		status := s.status(speed.perSecond)
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
	status := Status{Connected: s.nc.IsConnected(), Games: s.games.Load(), Speed: speed, Message: s.trouble}
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
