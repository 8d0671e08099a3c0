package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"tune2048/experiments"
)

// runLock is the right to work on one run. It is a lock of the kernel on a file beside the database, so it ends
// with the process that holds it, however that ends. What the file says is for people only.
type runLock struct {
	path string
	file *flock.Flock
}

func lockPath(database string, run int64) string {
	return fmt.Sprintf("%s.run-%d.lock", database, run)
}

// How often a lock that another process has is tried before it is given up: a process that is about to find that its
// lock file was removed holds it for an instant.
const (
	lockAttempts = 20
	lockPause    = 5 * time.Millisecond
	// askerPatience is how long who only asks may keep a lock, on a slow machine. Others that write wait meanwhile.
	askerPatience = 2 * time.Second
)

// acquire takes the lock. The error wraps experiments.ErrBusy if another process has it.
func acquire(path string) (*runLock, error) {
	for attempts, began := 0, time.Now(); attempts < lockAttempts; {
		if err := checkPlain(path); err != nil {
			return nil, fmt.Errorf("lock the run: %w (remove it)", err)
		}
		file := flock.New(path, flock.SetPermissions(0o644))
		locked, err := file.TryLock()
		if err != nil {
			hint := "the folder of the database must be writable"
			if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
				hint = "no more files may be opened; close some, or allow more with: ulimit -n 1024"
			}
			return nil, fmt.Errorf("lock the run: %w (%s)", err, hint)
		}
		if locked && current(file) {
			l := &runLock{path: path, file: file}
			l.sign()
			return l, nil
		}
		// Whoever only asks whether the run is alive shares the lock for an instant. That is no reason to give up, however
		// long the machine lets it wait in the middle of it.
		asked := false
		if !locked {
			asked, _ = file.TryRLock()
		}
		file.Close()
		if !asked || time.Since(began) > askerPatience {
			attempts++
		}
		if !locked {
			time.Sleep(lockPause)
		}
	}
	return nil, fmt.Errorf("%w by %s: lock file %s (wait for it, stop it, or start another run with -new)",
		experiments.ErrBusy, holder(path), path)
}

// current tells whether the locked file is still the one of that name. It is not when the former holder removed it
// between our opening and locking it: the lock is then on a file that nobody else will ever find.
func current(file *flock.Flock) bool {
	mine, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(file.Path())
	return err == nil && os.SameFile(mine, named)
}

// sign writes who holds the lock. It is a courtesy, so its failure is none of the lock.
func (l *runLock) sign() {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	text := fmt.Sprintf("pid %d on host %s since %s\n", os.Getpid(), host, clock().UTC().Format(time.RFC3339))
	_ = os.WriteFile(l.path, []byte(text), 0o644)
}

// release gives the lock up and removes its file, in the order that leaves no moment in which two processes hold
// a lock on files of this name: see current.
func (l *runLock) release() error {
	err := os.Remove(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, l.file.Unlock())
}

// holder says who signed the lock file.
func holder(path string) string {
	text, err := readBeginning(path)
	if line := strings.TrimSpace(string(text)); err == nil && line != "" {
		return line
	}
	return "another process"
}

// readBeginning reads as much of a lock file as sign writes.
func readBeginning(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, 500))
}

// alive tells whether a process holds the lock of that file.
func alive(path string) bool {
	if checkPlain(path) != nil {
		return false // nobody locks such a thing, and to open a pipe is to wait
	}
	// Without creating it: no file, no holder.
	file := flock.New(path, flock.SetFlag(os.O_RDONLY))
	locked, err := file.TryRLock()
	if locked {
		file.Unlock()
	}
	return err == nil && !locked
}
