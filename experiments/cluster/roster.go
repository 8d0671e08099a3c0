package cluster

import (
	"math"
	"slices"
	"strings"
	"time"

	"tune2048/engine/simulator"
	"tune2048/experiments"
)

// roster knows the workers: those that say so now, and those whose results were taken. It is told the time.
type roster struct{ of map[string]*member }

// member is a worker, and what its processes say.
type member struct {
	experiments.Worker
	processes map[string]process
	proven    bool // whether an audit of it has ended well
	recent    float64
	counted   time.Time
	began     time.Time
}

// process is one of a worker's, as it said last.
type process struct {
	hello
	at time.Time
}

// speedSpan is the time over which a worker's speed is told.
const speedSpan = time.Minute

// member returns the worker of this name, who is heard of now.
func (r *roster) member(name string, now time.Time) *member {
	m := r.of[name]
	if m == nil {
		m = &member{processes: map[string]process{}, began: now, counted: now}
		m.Name, m.FirstSeen = name, now
		r.of[name] = m
	}
	m.LastSeen = now
	return m
}

// heard takes what a worker says of itself. It tells whether the worker is new or has changed.
func (r *roster) heard(h hello, now time.Time) (changed bool) {
	m := r.member(h.Worker, now)
	before, known := m.processes[h.Process]
	if h.Leaving {
		delete(m.processes, h.Process)
		return known
	}
	m.processes[h.Process] = process{h, now}
	m.Version, m.Signature = h.Version, h.Signature
	return !known || before.hello != h
}

// cores returns how many games the worker's processes of this program's play say that they play at once.
func (m *member) cores(now time.Time) (n int) {
	for id, p := range m.processes {
		switch {
		case now.Sub(p.at) > goneAfter:
			delete(m.processes, id)
		case p.Signature == simulator.Signature && m.CutOff == "":
			n += p.Cores
		}
	}
	return n
}

// cores returns those of all workers.
func (r *roster) cores(now time.Time) (n int) {
	for _, m := range r.of {
		n += m.cores(now)
	}
	return n
}

// another tells whether a worker other than this one plays.
func (r *roster) another(than string, now time.Time) bool {
	for name, m := range r.of {
		if name != than && m.cores(now) > 0 {
			return true
		}
	}
	return false
}

// count notes games of which a worker was the first to tell.
func (m *member) count(games int, now time.Time) {
	m.Games += int64(games)
	m.recent = float64(m.recent*math.Exp(-now.Sub(m.counted).Seconds()/speedSpan.Seconds())) + float64(games)
	m.counted = now
}

// speed returns its games per second of about the last minute.
func (m *member) speed(now time.Time) float64 {
	span := speedSpan.Seconds()
	seen := span * (1 - math.Exp(-now.Sub(m.began).Seconds()/span))
	if seen < 1 {
		return 0
	}
	return m.recent * math.Exp(-now.Sub(m.counted).Seconds()/span) / seen
}

// list returns the workers by name.
func (r *roster) list(now time.Time) (all []experiments.Worker) {
	for _, m := range r.of {
		w := m.Worker
		w.Cores, w.Speed = m.cores(now), m.speed(now)
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b experiments.Worker) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// cutOff returns those that are believed no more, and why.
func (r *roster) cutOff() map[string]string {
	all := map[string]string{}
	for name, m := range r.of {
		if m.CutOff != "" {
			all[name] = m.CutOff
		}
	}
	return all
}
