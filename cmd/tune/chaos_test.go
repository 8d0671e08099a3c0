package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// TestChaos: whatever happens to machines and servers, every run ends with the content that it has on
// one machine. Package cluster tests what happens to the network.
func TestChaos(t *testing.T) {
	left := len(chaos) // events
	config := fmt.Sprintf(everywhere, 600)
	reference := folderWith(t, config)
	w := site{
		config: config, fingerprint: finished(t, reference, launch(t, reference, "tune", "-config", "long.yaml")), content: shared(t, reference),
		random: rand.New(rand.NewPCG(2048, 0)), happened: map[string]int{},
	}
	ask(t, reference, "SELECT count(*) FROM games", func(row []any) { w.games = row[0].(int64) })
	for n := 0; left > 0; n++ {
		w.external = n%2 == 1
		most := left
		if n < 2 { // a run of each kind, and more if one ends before its last event
			most = (left + 1 - n) / (2 - n)
		}
		t.Run(fmt.Sprintf("run %d, external server %v", n, w.external), func(t *testing.T) { left -= w.run(t, most) })
		if t.Failed() {
			return
		}
	}
	for _, event := range slices.Sorted(maps.Keys(w.happened)) {
		t.Logf("%3d times: %s", w.happened[event], event)
	}
	t.Logf("in %d runs of %d games, which all ended with the same content", w.runs, w.games)
}

// site is where runs are played.
type site struct {
	config, fingerprint, content string
	games                        int64 // of a run
	random                       *rand.Rand
	happened                     map[string]int
	urn                          []event
	runs                         int

	// Of the run at hand.
	external    bool
	folder      string
	address     string // of the NATS server
	server      *spoken
	coordinator *spoken
	machines    []*machine
	named       int
	undo        []func(t *testing.T) // what is to be mended when the next event has happened
}

// machine is a worker.
type machine struct {
	*spoken
	name string
	busy bool // with an event
}

// event is something that happens. It reports whether it could.
type event struct {
	name string
	do   func(w *site, t *testing.T) bool
}

var chaos = []event{
	{"a worker is killed, another one starts", (*site).killWorker},
	{"a worker is frozen, and thawed", (*site).freeze},
	{"a worker is asked to leave, another one starts", (*site).leave},
	{"the coordinator is killed and resumed", (*site).killCoordinator},
	{"the coordinator is interrupted and resumed", (*site).interrupt},
	{"the NATS server is killed, its storage emptied", (*site).killServer},
}

// run carries one run out with at most so many events.
func (w *site) run(t *testing.T, most int) (happened int) {
	w.folder, w.address, w.machines, w.undo = folderWith(t, w.config), freeAddress(t), nil, nil
	w.runs++
	must(t, os.WriteFile(filepath.Join(w.folder, "token"), []byte(secret), 0o600))
	defer func() {
		if t.Failed() && w.coordinator != nil {
			t.Log(w.coordinator.said())
			for _, m := range w.machines {
				t.Log(m.name, m.said())
			}
		}
	}()
	if w.external {
		w.startServer(t)
	}
	w.startCoordinator(t)
	for range 3 {
		w.startWorker(t)
	}
	var moments []int64 // counted in games that are recorded
	for range min(most, 10) {
		moments = append(moments, 20+w.random.Int64N(w.games*8/10))
	}
	slices.Sort(moments)
	for _, moment := range moments {
		until(t, fmt.Sprintf("%d games are recorded", moment), func() bool {
			games, _ := recorded(t, w.folder)
			return games >= moment || w.coordinator.over()
		}, w.coordinator.said)
		if w.coordinator.over() {
			break
		}
		later := w.undo
		w.undo = nil
		e := w.draw()
		for !e.do(w, t) {
			e = w.draw()
		}
		for _, undo := range later {
			undo(t)
		}
		t.Logf("at %d games: %s", moment, e.name)
		w.happened[e.name]++
		happened++
		if t.Failed() {
			return happened
		}
	}
	for _, undo := range w.undo {
		undo(t)
	}
	if got := finished(t, w.folder, w.coordinator); got != w.fingerprint {
		t.Errorf("fingerprint %s, want %s", got, w.fingerprint)
	}
	if got := shared(t, w.folder); got != w.content {
		t.Errorf("the content is another than that of the local pool: %s", firstDifference(got, w.content))
	}
	ask(t, w.folder, "SELECT count(worker_id) FROM games", func(row []any) { t.Logf("workers played %v games", row...) })
	return happened
}

// draw draws the next event: each once, then all again.
func (w *site) draw() event {
	if len(w.urn) == 0 {
		w.urn = slices.Clone(chaos)
		w.random.Shuffle(len(w.urn), func(i, j int) { w.urn[i], w.urn[j] = w.urn[j], w.urn[i] })
	}
	e := w.urn[0]
	w.urn = w.urn[1:]
	return e
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
	w.named++
	m := &machine{name: fmt.Sprint("w", w.named)}
	m.spoken = launchWorker(t, w.address, m.name, "-token-file", filepath.Join(w.folder, "token"))
	w.machines = append(w.machines, m)
}

// some is a worker to which nothing else happens, or nil if too few of them are left.
func (w *site) some() *machine {
	var free []*machine
	for _, m := range w.machines {
		if !m.busy && !m.over() {
			free = append(free, m)
		}
	}
	if len(free) < 2 {
		return nil
	}
	return free[w.random.IntN(len(free))]
}

// kill ends a process for good.
func kill(t *testing.T, s *spoken) {
	s.Process.Kill()
	until(t, "a killed process ends", s.over)
}

func (w *site) killWorker(t *testing.T) bool {
	m := w.some()
	if m == nil {
		return false
	}
	kill(t, m.spoken)
	w.startWorker(t)
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
