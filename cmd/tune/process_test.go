package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// shallow begins configs of quick experiments.
const shallow = `
heuristic:
  dead: 0
  features:
    - {feature: line, weight: 1000}
    - {feature: empty, weight: {min: 0, max: 3000, start: 270}}
    - {feature: merges, weight: {min: 1, max: 5000, start: 700, scale: log}}
search: {depth: 1}
optimizer: {algorithm: genetic, population: 8}
`

// long is an experiment that takes hours, so that it is still running whenever a test looks.
const long = `
name: long
heuristic:
  dead: 0
  features: [{feature: line, weight: 1000}, {feature: empty, weight: {min: 0, max: 3000, start: 270}}]
search: {depth: 3}
optimizer: {algorithm: genetic, population: 10}
stages: [{name: tune, generations: 90000, games: 10}]
validation: {games: 10}
`

// process is a running tune in a folder of its own.
type process struct {
	*exec.Cmd
	folder string
	stderr *bufio.Reader
	stdout bytes.Buffer
	waited sync.Once
}

// wait is Wait for several callers.
func (p *process) wait() { p.waited.Do(func() { p.Wait() }) }

// start runs the real program in the folder with the given arguments.
func start(t *testing.T, folder string, args ...string) *process {
	t.Helper()
	return startProgram(t, folder, "tune", args...)
}

// startProgram runs one of those that TestMain knows: testscript puts them on the PATH.
func startProgram(t *testing.T, folder, program string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(program, args...), folder: folder}
	p.Dir = folder
	p.Stdout = &p.stdout
	pipe, err := p.StderrPipe()
	must(t, err)
	p.stderr = bufio.NewReader(pipe)
	must(t, p.Start())
	t.Cleanup(func() { p.Process.Kill(); p.wait() })
	return p
}

// await reads stderr until a line has the text, and returns the line.
func (p *process) await(t *testing.T, text string) (line string) {
	t.Helper()
	var seen strings.Builder
	for {
		line, err := p.stderr.ReadString('\n')
		seen.WriteString(line)
		if strings.Contains(line, text) {
			return line
		}
		if err != nil {
			t.Fatalf("stderr ended without %q:\n%s", text, &seen)
		}
	}
}

// awaitOrEnd is await for a process that may end without it.
func (p *process) awaitOrEnd(text string) {
	for {
		line, err := p.stderr.ReadString('\n')
		if err != nil || strings.Contains(line, text) {
			return
		}
	}
}

// end waits for the process and returns its exit code and the rest of stderr.
func (p *process) end(t *testing.T) (code int, stderr string) {
	t.Helper()
	rest, err := io.ReadAll(p.stderr)
	must(t, err)
	p.wait()
	return p.ProcessState.ExitCode(), string(rest)
}

// succeed waits for a process that must not meet a lock.
func succeed(t *testing.T, p *process) {
	t.Helper()
	if code, stderr := p.end(t); code != exitOK || strings.Contains(stderr, "locked") || strings.Contains(stderr, "busy") {
		t.Fatalf("%v: exit code %d, stderr:\n%s", p.Args, code, stderr)
	}
}

func folderWith(t *testing.T, config string) string {
	t.Helper()
	folder := t.TempDir()
	must(t, os.WriteFile(filepath.Join(folder, "long.yaml"), []byte(config), 0o644))
	return folder
}

// TestInterrupt: the first Ctrl-C saves and prints the command that resumes. So does a terminal
// that closes.
func TestInterrupt(t *testing.T) {
	for _, sent := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(sent) { // these tests run under nohup
			continue
		}
		folder := folderWith(t, long)
		must(t, os.Mkdir(filepath.Join(folder, "my db"), 0o755))
		p := start(t, folder, "-config", "long.yaml", "-db", "my db/x.db")
		p.await(t, ", generation ")
		p.Process.Signal(sent)
		code, stderr := p.end(t)
		if code != exitInterrupted || !strings.Contains(stderr, "resume with:\n  tune -config long.yaml -db 'my db/x.db'\n") {
			t.Fatalf("%v: exit code %d, stderr:\n%s", sent, code, stderr)
		}
		if p.stdout.Len() > 0 {
			t.Errorf("an interrupted run prints a result: %s", &p.stdout)
		}
		again := start(t, folder, "-config", "long.yaml", "-db", "my db/x.db")
		again.await(t, "resuming run long")
	}
}

// TestSecondSignal: another signal ends a command at once that the first one cannot end: it writes
// to a pipe that nobody empties.
func TestSecondSignal(t *testing.T) {
	folder := folderWith(t, shallow+"stages: [{generations: 1, games: 2}]\nvalidation: {games: 4}\n")
	if code, stderr := start(t, folder, "-config", "long.yaml").end(t); code != exitOK {
		t.Fatalf("exit code %d, stderr:\n%s", code, stderr)
	}
	for _, sent := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if signal.Ignored(sent) { // a shell began these tests in the background
			continue
		}
		full, pipe, err := os.Pipe()
		must(t, err)
		defer full.Close()
		cmd := exec.Command("tune", "report", "-o", "-")
		cmd.Dir, cmd.Stdout = folder, pipe
		must(t, cmd.Start())
		pipe.Close()
		first := make([]byte, 1)
		if _, err := io.ReadFull(full, first); err != nil { // it writes now: a page is larger than a pipe
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		again := time.NewTicker(2 * sameSignal)
		for n, running := 0, true; running; {
			select {
			case <-ended:
				running = false
			case <-again.C:
				n++
				if n > 100 {
					cmd.Process.Kill()
				}
				cmd.Process.Signal(sent)
			}
		}
		again.Stop()
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signal() != sent {
			t.Errorf("%v: ended by %v", sent, status.Signal())
		}
	}
}

// TestNohup: a run that nohup began goes on when its terminal closes.
func TestNohup(t *testing.T) {
	folder := folderWith(t, strings.Replace(long, "generations: 90000", "generations: 12", 1))
	p := startProgram(t, folder, "nohup", "tune", "-config", "long.yaml")
	p.await(t, ", generation ")
	p.Process.Signal(syscall.SIGHUP)
	if code, stderr := p.end(t); code != exitOK {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}
}
