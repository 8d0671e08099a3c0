package results

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"
	"tune2048/experiments"
)

// Some tests need another process: this binary again, with the role in the environment.
const (
	roleVariable = "RESULTS_TEST_ROLE"
	pathVariable = "RESULTS_TEST_PATH"
)

var roles = map[string]func(path string) error{
	"hold": holdRun, "create": createRun, "unprivileged": unprivileged, "write": write, "upgrade": upgradeRole,
}

func TestMain(m *testing.M) {
	if role := roles[os.Getenv(roleVariable)]; role != nil {
		if err := role(os.Getenv(pathVariable)); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	for _, do := range atExit {
		do()
	}
	os.Exit(code)
}

// atExit is what is left to do after the tests.
var atExit []func()

// process is this binary in another role. It lives until its standard input ends.
type process struct {
	cmd   *exec.Cmd
	lines *bufio.Reader
	stdin io.Closer
}

func start(t *testing.T, role, path string) *process {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), roleVariable+"="+role, pathVariable+"="+path)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	p := &process{cmd: cmd, lines: bufio.NewReader(stdout), stdin: stdin}
	t.Cleanup(func() { stdin.Close(); cmd.Process.Kill(); cmd.Wait() })
	return p
}

func (p *process) line(t *testing.T) string {
	t.Helper()
	line, err := p.lines.ReadString('\n')
	if err != nil {
		t.Fatalf("the other process said %q, then: %v", line, err)
	}
	return strings.TrimSpace(line)
}

// holdRun begins the run snake and holds it until the input ends, or the process is killed.
func holdRun(path string) error {
	s, err := Open(path)
	if err != nil {
		return err
	}
	run, err := s.Begin(context.Background(), spec("snake", "a"))
	if err != nil {
		return err
	}
	if err := s.AddCandidates(context.Background(), run.ID, []experiments.Candidate{{}}); err != nil && !run.Resumed {
		return err
	}
	fmt.Println("held", os.Getpid())
	io.Copy(io.Discard, os.Stdin)
	return s.Close()
}

func TestARunIsHeldByOneProcess(t *testing.T) {
	s, path := open(t)
	other := start(t, "hold", path)
	pid := strings.Fields(other.line(t))[1]
	_, err := s.Begin(context.Background(), spec("snake", "a"))
	if !errors.Is(err, experiments.ErrBusy) || !strings.Contains(err.Error(), "pid "+pid+" on host") ||
		!strings.Contains(err.Error(), path+".run-1.lock") {
		t.Fatalf("got %v", err)
	}
	if run := find(t, s, "snake"); !run.Alive {
		t.Error("a run that is held is not alive")
	}
	if begin(t, s, spec("snake", "b")).Name != "snake.2" {
		t.Error("another run of the same database could not be begun")
	}

	// The kernel gives a killed process's lock up; what its file says is of no account.
	must(t, other.cmd.Process.Kill())
	other.cmd.Wait()
	if run := find(t, s, "snake"); run.Alive || run.Status != experiments.Running {
		t.Errorf("the run of a killed process: %+v", run)
	}
	if text, err := os.ReadFile(path + ".run-1.lock"); err != nil || !strings.Contains(string(text), pid) {
		t.Fatalf("the killed process's lock file: %q, %v", text, err)
	}
	run := begin(t, s, spec("snake", "a"))
	if !run.Resumed || run.Status != experiments.Running {
		t.Errorf("got %+v", run)
	}
	if got := holder(path + ".run-1.lock"); !strings.Contains(got, fmt.Sprint("pid ", os.Getpid(), " ")) {
		t.Errorf("the lock file still says %q", got)
	}
	must(t, s.Finish(context.Background(), run.ID, experiments.Finished))
	if _, err := os.Stat(path + ".run-1.lock"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock file is left: %v", err)
	}
}

func TestARunIsHeldByOneStoreOfAProcess(t *testing.T) {
	s, path := open(t)
	begin(t, s, spec("snake", "a"))
	link := filepath.Join(t.TempDir(), "link.db")
	must(t, os.Symlink(path, link))
	second, err := Open(link) // the same file by another name
	must(t, err)
	defer second.Close()
	for _, other := range []*Store{s, second} {
		if _, err := other.Begin(context.Background(), spec("snake", "a")); !errors.Is(err, experiments.ErrBusy) {
			t.Errorf("got %v", err)
		}
	}
	must(t, s.Close())
	begin(t, second, spec("snake", "a"))
}

// createRun creates the database and the run snake, and holds it if it can.
func createRun(path string) error {
	s, err := Open(path)
	if err != nil {
		return err
	}
	_, err = s.Begin(context.Background(), spec("snake", "a"))
	switch {
	case errors.Is(err, experiments.ErrBusy):
		fmt.Println("busy")
	case err != nil:
		return err
	default:
		fmt.Println("held")
	}
	io.Copy(io.Discard, os.Stdin)
	return s.Close()
}

func TestProcessesThatCreateTheSameRunAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results", "tune.db")
	var all []*process
	for range 6 {
		all = append(all, start(t, "create", path))
	}
	answers := map[string]int{}
	for _, p := range all {
		answers[p.line(t)]++
	}
	if answers["held"] != 1 || answers["busy"] != 5 {
		t.Errorf("got %v", answers)
	}
	s, err := Open(path)
	must(t, err)
	defer s.Close()
	if runs, err := s.Reader().Runs(context.Background()); err != nil || len(runs) != 1 {
		t.Errorf("got %d runs, %v", len(runs), err)
	}
}

// A process that asks whether a run is alive may be left waiting by the machine while it has the lock: the run begins
// nevertheless. One that works on the run is not waited for.
func TestALockWaitsForWhoAsks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.lock")
	synctest.Test(t, func(t *testing.T) { // its clock takes no time
		asks := flock.New(path)
		if shared, err := asks.TryRLock(); !shared {
			t.Fatal(err)
		}
		time.AfterFunc(askerPatience/2, func() { asks.Unlock() })
		l, err := acquire(path)
		must(t, err)
		began := time.Now()
		if _, err := acquire(path); !errors.Is(err, experiments.ErrBusy) || time.Since(began) > time.Second {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		must(t, l.release())

		stuck := flock.New(path)
		if shared, err := stuck.TryRLock(); !shared {
			t.Fatal(err)
		}
		defer stuck.Unlock()
		if _, err := acquire(path); !errors.Is(err, experiments.ErrBusy) {
			t.Errorf("got %v", err)
		}
	})
}

// Whoever releases removes the file: a lock that was taken on a removed file must not count.
func TestLocksThatComeAndGo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.lock")
	var (
		group   sync.WaitGroup
		holding sync.Mutex
		held    int
	)
	for range 8 {
		group.Go(func() {
			for range 200 {
				l, err := acquire(path)
				if errors.Is(err, experiments.ErrBusy) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if !holding.TryLock() {
					t.Error("two hold the lock")
				} else {
					held++
					holding.Unlock()
				}
				if err := l.release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if held == 0 {
		t.Error("nobody ever held the lock")
	}
}
