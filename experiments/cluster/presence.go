package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"tune2048/engine/simulator"
)

// heard is a run's last notice.
type heard struct {
	notice
	at time.Time
}

// hear takes a run's notice.
func (s *shift) hear(m *nats.Msg) {
	n, err := decode[notice](m.Data)
	if err != nil {
		s.set(func() { s.dropped++ })
		return
	}
	s.set(func() { s.runs[n.Run] = heard{n, time.Now()} })
	if why, cut := n.CutOff[s.Name]; cut {
		s.end(dismissed{fmt.Errorf("run %s has cut off worker %s: %s; once it is mended, start it under another name with -name", n.Name, s.Name, why)})
	}
}

// present tells the runs that the worker is there, and Status how it fares, until leave is closed.
func (s *shift) present(leave <-chan struct{}) {
	const statusEvery = time.Second
	status, presence := time.NewTicker(statusEvery), time.NewTicker(helloEvery)
	defer status.Stop()
	defer presence.Stop()
	speed := meter{began: s.began, at: s.began}
	for {
		select {
		case <-presence.C:
			s.hello(false)
		case <-status.C:
			speed.measure(s.games.Load(), time.Now())
			s.tell(speed.perSecond)
		case <-s.changed:
			s.tell(speed.perSecond)
		case <-leave:
			s.hello(true)
			speed.measure(s.games.Load(), time.Now())
			s.tell(speed.perSecond)
			return
		}
	}
}

// hello tells the runs that the worker is there.
func (s *shift) hello(leaving bool) {
	s.mutex.Lock()
	nc := s.nc
	s.mutex.Unlock()
	if nc == nil {
		return
	}
	nc.Publish(workersSubject, encode(hello{
		Worker: s.Name, Process: s.process, Cores: max(1, s.Cores), Version: s.Version, Signature: simulator.Signature, Leaving: leaving,
	}))
	if leaving {
		nc.FlushTimeout(time.Second)
	}
}

// tell calls Status.
func (s *shift) tell(speed float64) {
	if s.Status != nil {
		s.Status(s.status(speed))
	}
}

func (s *shift) status(speed float64) Status {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	fares := Status{Connected: s.connected, Playing: int(s.playing.Load()), Games: s.games.Load(), Speed: speed}
	var others []string
	for run, n := range s.runs {
		switch {
		case time.Since(n.at) > goneAfter:
			delete(s.runs, run)
		case n.Signature == simulator.Signature:
			fares.Runs = append(fares.Runs, n.Name)
		default:
			others = append(others, fmt.Sprintf("run %s wants tune %s (play %s), this is tune %s (play %s)",
				n.Name, n.Version, n.Signature, s.Version, simulator.Signature))
		}
	}
	slices.Sort(fares.Runs)
	slices.Sort(others)
	said := []string{s.network, cmp.Or(s.rights, s.service), s.storing} // without rights the service says nothing of its own
	if len(fares.Runs) == 0 {
		said = append(said, others...)
	}
	count := func(n int, what string) {
		if n > 0 {
			said = append(said, fmt.Sprintf("%s: %d", what, n))
		}
	}
	count(s.dropped, "messages that could not be understood and were dropped")
	count(s.returned, "unfinished blocks that are left to others")
	count(s.untold, "blocks that were played but could not be told, so that others play them again")
	fares.Message = strings.Join(slices.DeleteFunc(said, func(text string) bool { return text == "" }), "; ")
	return fares
}
