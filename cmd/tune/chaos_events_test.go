package main

import (
	"os"
	"syscall"
	"testing"
)

func (w *site) killWorker(t *testing.T) bool {
	m := w.some()
	if m == nil {
		return false
	}
	kill(t, m.spoken)
	w.startWorker(t)
	return true
}

func (w *site) killAll(t *testing.T) bool {
	for _, m := range w.machines {
		kill(t, m.spoken)
	}
	w.machines = nil
	for range 3 {
		w.startWorker(t)
	}
	return true
}

// freeze lets a worker sleep until the next event.
func (w *site) freeze(t *testing.T) bool {
	m := w.some()
	if m == nil {
		return false
	}
	m.busy = true
	m.Process.Signal(syscall.SIGSTOP)
	w.undo = append(w.undo, func(t *testing.T) {
		m.Process.Signal(syscall.SIGCONT)
		m.busy = false
	})
	return true
}

// impede lets a worker's network treat it so until the next event.
func (w *site) impede(how manner) bool {
	m := w.some()
	if m == nil {
		return false
	}
	m.busy = true
	m.way.be(how)
	w.undo = append(w.undo, func(*testing.T) { m.way.be(passing); m.busy = false })
	return true
}

func (w *site) late(t *testing.T) bool {
	w.startWorker(t)
	if len(w.machines) > 5 {
		return w.leave(t)
	}
	return true
}

func (w *site) leave(t *testing.T) bool {
	m := w.some()
	if m == nil {
		return false
	}
	until(t, "the worker is there", func() bool { return m.says("worker "+m.name) || m.over() }, m.said) // it takes signals from then on
	m.Process.Signal(syscall.SIGTERM)
	until(t, "the worker leaves", m.over, m.said)
	if code := m.ProcessState.ExitCode(); code != exitOK {
		t.Errorf("a worker that was asked to leave: exit code %d, stderr:\n%s", code, m.said())
	}
	w.startWorker(t)
	return true
}

func (w *site) killCoordinator(t *testing.T) bool {
	kill(t, w.coordinator)
	w.startCoordinator(t)
	return true
}

func (w *site) interrupt(t *testing.T) bool {
	w.coordinator.Process.Signal(os.Interrupt)
	until(t, "the interrupted coordinator ends", w.coordinator.over, w.coordinator.said)
	if code := w.coordinator.ProcessState.ExitCode(); code != exitInterrupted && code != exitOK {
		t.Errorf("interrupted: exit code %d, stderr:\n%s", code, w.coordinator.said())
	}
	w.startCoordinator(t)
	return true
}

func (w *site) killServer(t *testing.T) bool {
	if !w.external {
		return false
	}
	kill(t, w.server)
	w.startServer(t)
	return true
}
