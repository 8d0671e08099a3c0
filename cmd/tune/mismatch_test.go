package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// TestWrongWorker: the first outcome of a worker has wrong digits, as faulty memory makes them. The
// run stops and names worker, game and both outcomes. What is stored stays. Without the worker the
// same command ends the run, and verify finds the wrong game.
func TestWrongWorker(t *testing.T) {
	t.Parallel()
	config := fmt.Sprintf(everywhere, 100)
	folder, address := folderWith(t, config), freeAddress(t)
	command := []string{"-config", "long.yaml", "-listen", address, "-workers", "0"}
	p := launch(t, folder, "tune", command...)
	until(t, "the run is there", func() bool { return p.says("new run") || p.over() }, p.said)
	launchWorker(t, address, "good")
	until(t, "the good worker has played", func() bool { return recorded(t, folder) > 0 || p.over() }, p.said)

	bad := launchWorker(t, faultyWay(t, address), "bad worker")
	until(t, "the run stops", p.over, p.said, bad.said)
	if code := p.ProcessState.ExitCode(); code != exitFailed {
		t.Errorf("exit code %d", code)
	}
	for _, part := range []string{"run everywhere: worker bad worker reported another outcome than this machine finds " +
		"for the game with seed ", " at depth ", ": reported ",
		" points, ", ", found ", "last board ", "tune verify everywhere -all",
		"stop worker bad worker too, then resume with:\n  tune -config long.yaml -listen " + address + " -workers 0"} {
		if !p.says(part) {
			t.Errorf("no %q in\n%s", part, p.said())
		}
	}
	if t.Failed() {
		t.FailNow()
	}
	kill(t, bad)
	ask(t, folder, "SELECT status, (SELECT count(*) FROM games AS g JOIN workers AS w ON w.id = g.worker_id "+
		"WHERE w.name = 'good') > 0 FROM runs", func(row []any) {
		if row[0] != "failed" || row[1] != int64(1) {
			t.Errorf("the run is %v; games of the good worker: %v", row...)
		}
	})

	finished(t, folder, launch(t, folder, "tune", command...))
	verify := exec.Command("tune", "verify", "everywhere", "-all")
	verify.Dir = folder
	text, err := verify.CombinedOutput()
	if verify.ProcessState.ExitCode() != exitFailed || !strings.Contains(string(text), " moves and the largest tile ") {
		t.Errorf("%v\n%s", err, text)
	}
}

// faultyWay returns the address of a TCP proxy that changes two digits of the first outcome that is
// sent through it.
func faultyWay(t *testing.T, to string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		var altered atomic.Bool
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				from.Close()
				continue
			}
			go func() { io.Copy(from, server); from.Close() }()
			go func() { io.Copy(faultyWriter{server, &altered}, from); server.Close() }()
		}
	}()
	return l.Addr().String()
}

type faultyWriter struct {
	io.Writer
	altered *atomic.Bool
}

// result has a game's score and moves.
var result = regexp.MustCompile(`"Score":(\d+),"MaxTile":\d+,"Moves":(\d+),`)

// Write makes two spawned twos of the first game a four, or a four two twos where the message would
// have another length. Such a game might have been.
func (w faultyWriter) Write(sent []byte) (int, error) {
	if at := result.FindSubmatchIndex(sent); at != nil && !w.altered.Swap(true) {
		score, _ := strconv.Atoi(string(sent[at[2]:at[3]]))
		moves, _ := strconv.Atoi(string(sent[at[4]:at[5]]))
		for _, more := range []int{-1, 1} {
			s, m := strconv.Itoa(score+4*more), strconv.Itoa(moves+more)
			if len(s) == at[3]-at[2] && len(m) == at[5]-at[4] {
				sent = bytes.Clone(sent)
				copy(sent[at[2]:], s)
				copy(sent[at[4]:], m)
				break
			}
		}
	}
	return w.Writer.Write(sent)
}
