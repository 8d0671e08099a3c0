package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tune2048/engine/simulator"
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
	if w.long {
		const gone = 11 * time.Second // so that the run knows of no worker any more
		time.Sleep(gone)
	}
	for range 3 {
		w.startWorker(t)
	}
	return true
}

// freeze lets a worker sleep: in the longest test until its blocks were handed to others.
func (w *site) freeze(t *testing.T) bool {
	m := w.some()
	if m == nil {
		return false
	}
	m.busy = true
	frozen := time.Now()
	m.Process.Signal(syscall.SIGSTOP)
	w.undo = append(w.undo, func(t *testing.T) {
		const redelivered = 16 * time.Second
		if w.long {
			time.Sleep(redelivered - time.Since(frozen))
		}
		m.Process.Signal(syscall.SIGCONT)
		m.busy = false
	})
	return true
}

func (w *site) cut(t *testing.T) bool   { return w.impede(refusing) }
func (w *site) stall(t *testing.T) bool { return w.impede(stalling) }

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

// join connects with the workers' token; nil if the run has ended, and its server with it.
func (w *site) join(t *testing.T) (nc *nats.Conn, js jetstream.JetStream) {
	t.Helper()
	until(t, "somebody can connect", func() (so bool) {
		var err error
		nc, err = nats.Connect("nats://"+w.address, nats.Token(secret), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
		return err == nil || w.coordinator.over()
	})
	if nc == nil {
		return nil, nil
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return nc, js
}

// excuse accepts an error if it is because the run has ended.
func (w *site) excuse(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		until(t, err.Error(), w.coordinator.over)
	}
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

func (w *site) freezeCoordinator(t *testing.T) bool {
	const long = 12 * time.Second // until it takes all workers for gone
	w.coordinator.Process.Signal(syscall.SIGSTOP)
	if w.long {
		time.Sleep(long)
	}
	w.coordinator.Process.Signal(syscall.SIGCONT)
	return true
}

func (w *site) killServer(t *testing.T) bool {
	if !w.external {
		return false
	}
	kill(t, w.server)
	w.startServer(t)
	w.listenIn(t)
	return true
}

func (w *site) hostileBytes(t *testing.T) bool {
	noise := make([]byte, 1<<20)
	for i := range noise {
		noise[i] = byte(w.random.Uint32())
	}
	for _, bytes := range []string{
		string(noise), "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT {\r\n", strings.Repeat("PING", 1<<20), "PUB tune.jobs.x 99999999999999999999\r\n",
		"CONNECT {\"auth_token\": \"" + secret + "\"}\r\nPUB tune.workers -5\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
	} {
		c, err := net.Dial("tcp", w.address)
		if err != nil {
			w.excuse(t, err)
			return true
		}
		io.WriteString(c, bytes)
		c.Close()
	}
	return true
}

// runKey is the name of the run in subjects.
func (w *site) runKey(t *testing.T, nc *nats.Conn) string {
	heard, err := nc.SubscribeSync("tune.runs")
	if err != nil {
		t.Fatal(err)
	}
	var m *nats.Msg
	until(t, "a run says that it is there", func() bool {
		m, err = heard.NextMsg(500 * time.Millisecond)
		return err == nil || w.coordinator.over()
	}, w.coordinator.said)
	if m == nil {
		return "" // it has ended
	}
	var notice struct{ Run string }
	if err := json.Unmarshal(m.Data, &notice); err != nil || notice.Run == "" {
		t.Fatalf("a run says %s: %v", m.Data, err)
	}
	return notice.Run
}

func (w *site) garbage(t *testing.T) bool {
	nc, _ := w.join(t)
	if nc == nil {
		return true
	}
	defer nc.Close()
	run := w.runKey(t, nc)
	if run == "" {
		return true
	}
	largest := make([]byte, 1<<20-100)
	texts := []string{
		"", "{", "null", "[]", `"x"`, string(largest), `{"id": "x", "worker": "w", "signature": "` + simulator.Signature + `", "players": [{"seeds": [1], "games": [[1]]}]}`,
		strings.Repeat("[", 1<<19), `{"worker": "w1", "signature": "` + simulator.Signature + `", "players": [{"key": "x", "seeds": [1, 2], "games": []}]}`,
		`{"worker": "w1\u0000'); DROP TABLE games; --", "signature": "` + simulator.Signature + `", "players": []}`,
		`{"worker": "w", "cores": 1e99}`, `{"worker": "", "cores": 1}`, `{"worker": "g", "process": "g", "cores": 65537, "signature": "` + simulator.Signature + `"}`,
	}
	for _, text := range texts {
		for _, subject := range []string{"tune.results." + run, "tune.workers", "tune.results.other", "tune.results." + run + ".more"} {
			w.excuse(t, nc.Publish(subject, []byte(text)))
		}
	}
	w.excuse(t, nc.Flush())
	return true
}

// steal acknowledges jobs that it does not play.
func (w *site) steal(t *testing.T) bool {
	nc, js := w.join(t)
	if nc == nil {
		return true
	}
	defer nc.Close()
	stolen := false
	until(t, "there are jobs to take", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		c, err := js.Consumer(ctx, "TUNE_JOBS", simulator.Signature)
		if err != nil {
			return w.coordinator.over()
		}
		batch, err := c.Fetch(3, jetstream.FetchMaxWait(500*time.Millisecond))
		if err != nil {
			return w.coordinator.over()
		}
		for m := range batch.Messages() {
			m.Ack()
			stolen = true
		}
		return stolen || w.coordinator.over()
	}, w.coordinator.said)
	nc.Flush()
	return true
}

// listenIn counts the games that are told over the server.
func (w *site) listenIn(t *testing.T) {
	nc, _ := w.join(t)
	if nc == nil {
		return
	}
	t.Cleanup(nc.Close)
	server := w.server
	go func() { <-server.ended; nc.Close() }()
	_, err := nc.Subscribe("tune.results.*", func(m *nats.Msg) {
		var told struct {
			Players []struct{ Games [][7]uint64 }
		}
		if json.Unmarshal(m.Data, &told) == nil {
			for _, p := range told.Players {
				w.told.Add(int64(len(p.Games)))
			}
		}
	})
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
}
