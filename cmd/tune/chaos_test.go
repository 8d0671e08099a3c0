package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestChaos: whatever happens to machines and servers, a run ends with the content that it has on
// one machine. Package cluster tests what happens to the network.
func TestChaos(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many small runs")
	}
	config := fmt.Sprintf(everywhere, 600)
	local := folderWith(t, config)
	fingerprint, content := finished(t, local, launch(t, local, "tune", "-config", "long.yaml")), shared(t, local)
	var games int64
	ask(t, local, "SELECT count(*) FROM games", func(row []any) { games = row[0].(int64) })
	for _, external := range []bool{false, true} {
		t.Run(fmt.Sprint("external server ", external), func(t *testing.T) {
			t.Parallel()
			w := &site{external: external, folder: folderWith(t, config), address: freeAddress(t)}
			write(t, filepath.Join(w.folder, "token"), secret)
			if external {
				w.startServer(t)
			}
			w.startCoordinator(t)
			for range 3 {
				w.startWorker(t)
			}
			random := rand.New(rand.NewPCG(2048, 0))
			happens := events
			if external {
				happens = append(happens[:len(happens):len(happens)],
					event{"the NATS server is killed, its storage emptied", func(w *site, t *testing.T) {
						kill(t, w.server)
						w.startServer(t)
					}})
			}
			for i, k := range random.Perm(len(happens)) {
				moment := games * int64(i+1) / int64(len(happens)+2)
				until(t, fmt.Sprintf("%d games are recorded", moment), func() bool {
					return recorded(t, w.folder) >= moment || w.coordinator.over()
				}, w.coordinator.said)
				if w.coordinator.over() {
					break
				}
				t.Logf("at %d games: %s", moment, happens[k].name)
				happens[k].do(w, t)
			}
			if got := finished(t, w.folder, w.coordinator); got != fingerprint {
				t.Errorf("fingerprint %s, want %s", got, fingerprint)
			}
			if got := shared(t, w.folder); got != content {
				t.Errorf("the content is another than that of the local pool: %s", firstDifference(got, content))
			}
		})
	}
}

// site is where a run is played.
type site struct {
	external            bool   // whether the NATS server belongs to no run
	folder, address     string // the address of the NATS server
	server, coordinator *spoken
	workers             []*spoken // the last one started last
}

// event is something that happens.
type event struct {
	name string
	do   func(w *site, t *testing.T)
}

var events = []event{
	{"a worker is killed, another one starts", func(w *site, t *testing.T) {
		kill(t, w.workers[len(w.workers)-1])
		w.startWorker(t)
	}},
	{"a worker is frozen until its games were given to others", func(w *site, t *testing.T) {
		frozen := w.workers[0].Process
		frozen.Signal(syscall.SIGSTOP)
		before := recorded(t, w.folder)
		until(t, "others play", func() bool {
			return recorded(t, w.folder) > before+20 || w.coordinator.over()
		}, w.coordinator.said)
		frozen.Signal(syscall.SIGCONT)
	}},
	{"a worker is asked to leave, another one starts", func(w *site, t *testing.T) {
		last := w.workers[len(w.workers)-1]
		until(t, "the worker is there", func() bool { return last.says("worker w") || last.over() }, last.said) // it takes signals from then on
		last.Process.Signal(syscall.SIGTERM)
		until(t, "the worker leaves", last.over, last.said)
		if code := last.ProcessState.ExitCode(); code != exitOK {
			t.Errorf("a worker that was asked to leave: exit code %d, stderr:\n%s", code, last.said())
		}
		w.startWorker(t)
	}},
	{"the coordinator is killed and resumed", func(w *site, t *testing.T) {
		kill(t, w.coordinator)
		w.startCoordinator(t)
	}},
	{"the coordinator is interrupted and resumed", func(w *site, t *testing.T) {
		w.coordinator.Process.Signal(os.Interrupt)
		until(t, "the interrupted coordinator ends", w.coordinator.over, w.coordinator.said)
		if code := w.coordinator.ProcessState.ExitCode(); code != exitInterrupted && code != exitOK {
			t.Errorf("interrupted: exit code %d, stderr:\n%s", code, w.coordinator.said())
		}
		w.startCoordinator(t)
	}},
}

func (w *site) startServer(t *testing.T) {
	w.server = launchServer(t, w.folder, w.address, "--auth", secret)
}

func (w *site) startCoordinator(t *testing.T) {
	how := "-listen=" + w.address
	if w.external {
		how = "-server=nats://" + w.address
	}
	w.coordinator = launch(t, w.folder, "tune", "-config", "long.yaml", how, "-token-file", "token", "-workers", "0")
	until(t, "the coordinator is there", func() bool {
		return w.coordinator.says("join") || w.coordinator.says("waiting for workers") || w.coordinator.over()
	})
}

func (w *site) startWorker(t *testing.T) {
	w.workers = append(w.workers,
		launchWorker(t, w.address, fmt.Sprint("w", len(w.workers)), "-token-file", filepath.Join(w.folder, "token")))
}

// kill ends a process for good.
func kill(t *testing.T, s *spoken) {
	s.Process.Kill()
	until(t, "a killed process ends", s.over)
}
