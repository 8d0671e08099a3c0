package cluster

import (
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
	speed     meter
}

// process is one of a worker's, as it said last.
type process struct {
	hello
	at time.Time
}

// member returns the worker of this name, who is heard of now.
func (r *roster) member(name string, now time.Time) *member {
	m := r.of[name]
	if m == nil {
		m = &member{processes: map[string]process{}, speed: meter{began: now, at: now}}
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

// meter measures the speed of about the last minute.
type meter struct {
	began, at time.Time
	games     int64
	perSecond float64
}

// measure takes how many games there are by now, all in all.
func (m *meter) measure(games int64, now time.Time) {
	if seconds := now.Sub(m.at).Seconds(); seconds > 0 {
		share := min(1, seconds/min(60, now.Sub(m.began).Seconds()))
		m.perSecond += (float64(games-m.games)/seconds - m.perSecond) * share
	}
	m.at, m.games = now, games
}

// list returns the workers by name.
func (r *roster) list(now time.Time) (all []experiments.Worker) {
	for _, m := range r.of {
		m.speed.measure(m.Games, now)
		w := m.Worker
		w.Cores, w.Speed = m.cores(now), m.speed.perSecond
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
