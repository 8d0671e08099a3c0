package main

import (
	"bytes"
	"flag"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// everywhere goes through all phases in a second or two, with races in them.
const everywhere = shallow + `
name: everywhere
stages:
  - {name: explore, generations: 3, games: 8, rounds: 2}
  - {name: refine, search: {depth: 3}, generations: 3, games: 6}
playoff: {finalists: 4, games: 60, rounds: 3, search: {depth: 3}}
validation: {games: %d, search: [{depth: 1}, {depth: 3}]}
ablation: {games: 100}
`

// secret is a token. Who has it may be a worker.
const secret = "0123456789abcdef"

// natsServer is the main package of nats-server: a server that belongs to no run.
func natsServer() {
	options, err := server.ConfigureOptions(flag.NewFlagSet("nats-server", flag.ExitOnError), os.Args[1:], func() {},
		func() {}, func() {})
	if err != nil {
		server.PrintAndDie(err.Error())
	}
	s, err := server.NewServer(options)
	if err != nil {
		server.PrintAndDie(err.Error())
	}
	s.ConfigureLogger()
	if err := server.Run(s); err != nil {
		server.PrintAndDie(err.Error())
	}
	s.WaitForShutdown()
}

// spoken is a process whose stderr is kept.
type spoken struct {
	*process
	mutex sync.Mutex
	text  bytes.Buffer
	ended chan struct{} // closed when it has ended
}

// launch runs a program in the folder: tune or nats-server.
func launch(t *testing.T, folder, program string, args ...string) *spoken {
	t.Helper()
	s := &spoken{process: startProgram(t, folder, program, args...), ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		for {
			line, err := s.stderr.ReadString('\n')
			s.mutex.Lock()
			s.text.WriteString(line)
			s.mutex.Unlock()
			if err != nil {
				s.wait()
				return
			}
		}
	}()
	return s
}

// said returns its stderr so far.
func (s *spoken) said() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.String()
}

func (s *spoken) says(text string) bool { return strings.Contains(s.said(), text) }

// over reports whether it has ended.
func (s *spoken) over() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// until waits until a condition holds. If that takes too long, it fails with the condition's name
// and the text that said returns.
func until(t *testing.T, what string, so func() bool, said ...func() string) {
	t.Helper()
	const patience = 2 * time.Minute
	for deadline := time.Now().Add(patience); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			for _, text := range said {
				what += "\n" + text()
			}
			t.Fatalf("it did not come about in %v: %s", patience, what)
		}
	}
}

// freeAddress is one on which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return l.Addr().String()
}

// launchServer starts a NATS server.
func launchServer(t *testing.T, folder, address string, args ...string) *spoken {
	t.Helper()
	host, port, _ := net.SplitHostPort(address)
	s := launch(t, folder, "nats-server", append([]string{"-a", host, "-p", port}, args...)...)
	until(t, "the NATS server is ready", func() bool { return s.says("Server is ready") || s.over() }, s.said)
	if s.over() {
		t.Fatal(s.said())
	}
	return s
}

// launchWorker starts a worker of one core.
func launchWorker(t *testing.T, address, name string, args ...string) *spoken {
	t.Helper()
	return launch(t, t.TempDir(), "tune",
		append([]string{"worker", "-server", "nats://" + address, "-name", name, "-workers", "1"}, args...)...)
}

// finished waits for the end of a run and returns its fingerprint. No game may be there twice.
func finished(t *testing.T, folder string, p *spoken) (fingerprint string) {
	t.Helper()
	until(t, "the run ends", p.over, p.said)
	if code := p.ProcessState.ExitCode(); code != exitOK {
		t.Fatalf("exit code %d, stderr:\n%s", code, p.said())
	}
	ask(t, folder, "SELECT fingerprint FROM runs", func(row []any) { fingerprint = row[0].(string) })
	ask(t, folder, `SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM (SELECT DISTINCT candidate_id, phase, search, seed FROM games)),
		(SELECT sum(games) FROM evaluations)`, func(row []any) {
		if row[0] != row[1] || row[0] != row[2] {
			t.Errorf("there are %v games, of which %v differ, and evaluations of %v", row[0], row[1], row[2])
		}
	})
	return fingerprint
}

// shared is all that a database has in common however many machines played.
func shared(t *testing.T, folder string) string {
	return content(t, folder, "everywhere", "workers", "worker_id")
}

// TestTwoRuns: runs that share workers both go on, and end as each does by itself.
func TestTwoRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many small runs")
	}
	t.Parallel()
	address := freeAddress(t)
	launchServer(t, t.TempDir(), address)
	var runs [2]*spoken
	var folders, want [2]string
	for i := range runs {
		config := fmt.Sprintf("seed: %d", i) + fmt.Sprintf(everywhere, 100)
		local := folderWith(t, config)
		want[i] = finished(t, local, launch(t, local, "tune", "-config", "long.yaml"))
		folders[i] = folderWith(t, config)
		runs[i] = launch(t, folders[i], "tune", "-config", "long.yaml", "-server", "nats://"+address, "-workers", "0")
	}
	for _, r := range runs {
		until(t, "the run is there", func() bool { return r.says("new run") }, r.said)
	}
	for n := range 2 {
		launchWorker(t, address, fmt.Sprint("w", n))
	}
	until(t, "a run ends", func() bool { return runs[0].over() || runs[1].over() })
	var games [2]int64
	for i := range runs {
		games[i] = recorded(t, folders[i])
	}
	t.Logf("when the first one ended the runs had %d and %d games", games[0], games[1])
	if min(games[0], games[1]) == 0 {
		t.Errorf("one run waits for the other: they have %d and %d games", games[0], games[1])
	}
	for i, r := range runs {
		if got := finished(t, folders[i], r); got != want[i] {
			t.Errorf("run %d: fingerprint %s, alone it is %s", i, got, want[i])
		}
		ask(t, folders[i], "SELECT count(worker_id) FROM games", func(row []any) { t.Logf("run %d: %v games", i, row[0]) })
	}
}

// TestAWorkerThatLeavesTriesNoMore: its last line says why it has played nothing, and announces no
// attempt.
func TestAWorkerThatLeavesTriesNoMore(t *testing.T) {
	t.Parallel()
	w := launchWorker(t, freeAddress(t), "lone")
	until(t, "it tries again", func() bool { return w.says("; trying again") || w.over() }, w.said)
	w.Process.Signal(os.Interrupt)
	until(t, "it leaves", w.over, w.said)
	_, last, left := strings.Cut(w.said(), "worker lone has played 0 games")
	if !left || !strings.Contains(last, "nobody listens") || strings.Contains(last, "trying again") {
		t.Error(w.said())
	}
}
