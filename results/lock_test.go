package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"

	"tune2048/experiments"
)

// holdRun begins the run snake, in a database that it may have to create, says whether it could,
// and holds it until the input ends or the process is killed.
func holdRun(path string) error {
	s, err := Open(path)
	if err != nil {
		return err
	}
	_, err = s.Begin(ctx, spec("snake", "a"))
	switch {
	case errors.Is(err, experiments.ErrBusy):
		fmt.Println("busy")
	case err != nil:
		return err
	default:
		fmt.Println("held", os.Getpid())
	}
	io.Copy(io.Discard, os.Stdin)
	return s.Close()
}

func TestARunIsHeldByOneProcess(t *testing.T) {
	s, path := open(t)
	other := start(t, "hold", path)
	pid := strings.Fields(other.line(t))[1]
	_, err := s.Begin(ctx, spec("snake", "a"))
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

	// The kernel gives a killed process's lock up. What its file says is of no account.
	must(t, other.cmd.Process.Kill())
	other.cmd.Wait()
	if run := find(t, s, "snake"); run.Alive || run.Status != experiments.Running {
		t.Errorf("the run of a killed process: %+v", run)
	}
	if got := holder(path + ".run-1.lock"); !strings.Contains(got, pid) {
		t.Fatalf("the killed process's lock file says %q", got)
	}
	run := begin(t, s, spec("snake", "a"))
	if !run.Resumed || run.Status != experiments.Running {
		t.Errorf("got %+v", run)
	}
	if got := holder(path + ".run-1.lock"); !strings.Contains(got, fmt.Sprint("pid ", os.Getpid(), " ")) {
		t.Errorf("the lock file still says %q", got)
	}
}

func TestARunIsHeldByOneStoreOfAProcess(t *testing.T) {
	s, path := open(t)
	run := begin(t, s, spec("snake", "a"))
	link := filepath.Join(t.TempDir(), "link.db")
	must(t, os.Symlink(path, link))
	linked := reopen(t, link) // the same file by another name
	for _, other := range []*Store{s, linked} {
		fails(t, "", second(other.Begin(ctx, spec("snake", "a"))), "(wait for it or stop it); -new begins another run",
			experiments.ErrBusy)
	}
	resumed := spec("snake", "a")
	resumed.Resume = run.ID
	if err := second(s.Begin(ctx, resumed)); !errors.Is(err, experiments.ErrBusy) || strings.Contains(err.Error(), "-new") {
		t.Errorf("a resume beside its run: %v", err)
	}
	must(t, s.Close())
	begin(t, linked, spec("snake", "a"))
}

func TestProcessesThatCreateTheSameRunAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results", "tune.db")
	var all []*process
	for range 4 {
		all = append(all, start(t, "hold", path))
	}
	answers := map[string]int{}
	for _, p := range all {
		answers[strings.Fields(p.line(t))[0]]++
	}
	if answers["held"] != 1 || answers["busy"] != 3 {
		t.Errorf("got %v", answers)
	}
	s := reopen(t, path)
	if runs, err := s.Reader().Runs(ctx); err != nil || len(runs) != 1 {
		t.Errorf("got %d runs, %v", len(runs), err)
	}
}

// TestALockWaitsForWhoAsks: a process that asks whether a run is alive may be left waiting by the
// machine while it shares the lock: the run begins nevertheless. One that works on the run is not
// waited for.
func TestALockWaitsForWhoAsks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.lock")
	synctest.Test(t, func(t *testing.T) { // its clock takes no time
		asks := flock.New(path)
		if shared, err := asks.TryRLock(); !shared {
			t.Fatal(err)
		}
		time.AfterFunc(askerPatience/2, func() { asks.Unlock() })
		l := sure(acquire(path))(t)
		began := time.Now()
		if _, err := acquire(path); !errors.Is(err, experiments.ErrBusy) || time.Since(began) > 0 {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		must(t, l.release())

		stuck := flock.New(path)
		if shared, err := stuck.TryRLock(); !shared {
			t.Fatal(err)
		}
		defer stuck.Unlock()
		fails(t, "", second(acquire(path)), "", experiments.ErrBusy)
	})
}

// TestALockLeavesHardLinksAlone: a lock file that is also somebody's other file is neither written
// nor removed.
func TestALockLeavesHardLinksAlone(t *testing.T) {
	s, path := open(t)
	victim := filepath.Join(t.TempDir(), "victim")
	must(t, os.WriteFile(victim, []byte("secret"), 0o644))
	must(t, os.Link(victim, path+".run-1.lock"))
	fails(t, "", second(s.Begin(ctx, spec("snake", "a"))), "run-1.lock is a link, or no regular file: remove it")
	must(t, s.Close())
	if text := sure(os.ReadFile(victim))(t); string(text) != "secret" {
		t.Errorf("the file has become %q", text)
	}
	must(t, os.Remove(path+".run-1.lock"))
	begin(t, reopen(t, path), spec("snake", "a"))
}

// TestLocksThatComeAndGo: of many that take and ask for a lock at once one has it, and its file
// goes with it.
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
				alive(path)
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
					for range 10 {
						fails(t, "beside its holder", second(acquire(path)), "", experiments.ErrBusy)
					}
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
	fails(t, "", second(os.Stat(path)), "", fs.ErrNotExist)
}

// TestLockFileStaysUntilTheResultIsShown: a process that is killed between the end of its run and
// its own leaves the lock file. So the next one knows.
func TestLockFileStaysUntilTheResultIsShown(t *testing.T) {
	s, path := open(t)
	unshown := func(name string) bool { return reading(t, path).Unshown(find(t, s, name)) }
	run := begin(t, s, spec("snake", "a"))
	if unshown("snake") {
		t.Error("it is under way")
	}
	must(t, s.Finish(ctx, run.ID, experiments.Finished))
	if !unshown("snake") {
		t.Error("it is finished, and was not shown")
	}
	other := reopen(t, path) // the lock is free
	must(t, other.Finish(ctx, begin(t, other, spec("snake", "a")).ID, experiments.Finished))
	begin(t, s, spec("other", "b"))
	if unshown("snake") {
		t.Error("another run has begun")
	}
	must(t, s.Finish(ctx, begin(t, s, spec("third", "c")).ID, experiments.Finished))
	must(t, other.Close())
	must(t, s.Close())
	s = reopen(t, path)
	for _, name := range []string{"snake", "third"} {
		if unshown(name) {
			t.Errorf("%s: the store was closed", name)
		}
	}
}
