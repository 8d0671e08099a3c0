package results

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"tune2048/experiments"
)

// runLock is the right to work on one run. It is a lock of the kernel on a file beside the
// database, so it ends with the process that holds it, however that ends. What the file says is for
// people only. The holder removes the file when it releases the lock, of a finished run when it has
// shown the result. A killed process leaves it to the next holder.
type runLock struct{ file *flock.Flock }

func lockPath(database string, run int64) string {
	return fmt.Sprintf("%s.run-%d.lock", database, run)
}

// askerPatience is how long acquire waits for processes that only ask whether a run is alive: alive
// shares the lock for an instant, which may be long on a slow machine.
const askerPatience = 2 * time.Second

// acquire takes the lock. The error wraps experiments.ErrBusy if another process has it.
func acquire(path string) (*runLock, error) {
	// the lock would be on another file, and overwrite it
	foreign := fmt.Errorf("lock the run: %s is a link, or no regular file: remove it", path)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, foreign
	}
	file := flock.New(path, flock.SetPermissions(0o644))
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		locked, err := file.TryLock()
		asked := false
		if err == nil && !locked {
			asked, err = file.TryRLock() // fails only while a process works on the run
		}
		switch {
		case err == nil && locked && !inPlace(file):
			file.Unlock() // the holder before has removed this file: lock the one that is there now
		case errors.Is(err, syscall.ENOLCK) || errors.Is(err, errors.ErrUnsupported):
			return nil, fmt.Errorf("lock the run: %w (%s)", err, noLocks)
		case err != nil:
			return nil, fmt.Errorf("lock the run: %w (the folder of the database must be writable; or more files be allowed "+
				"with: ulimit -n 1024)", err)
		case locked:
			if info, err := file.Stat(); err != nil || links(info) > 1 { // only now: its remover frees nobody's lock
				file.Unlock()
				return nil, cmp.Or(err, foreign)
			}
			l := &runLock{file}
			l.sign()
			return l, nil
		case asked && time.Since(began) < askerPatience:
			file.Unlock()
		default:
			file.Close()
			return nil, fmt.Errorf("%w by %s: lock file %s (wait for it or stop it)",
				experiments.ErrBusy, holder(path), path)
		}
	}
}

// inPlace reports whether the path of a lock still names the file that is locked.
func inPlace(file *flock.Flock) bool {
	locked, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(file.Path())
	return err == nil && os.SameFile(locked, named)
}

// sign writes into the file who holds the lock. The lock holds whether or not that can be written.
func (l *runLock) sign() {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	text := fmt.Sprintf("pid %d on host %s since %s\n", os.Getpid(), host, time.Now().UTC().Format(time.RFC3339))
	_ = os.WriteFile(l.file.Path(), []byte(text), 0o644)
}

// release removes the file before it gives the lock up: afterwards the file may be somebody else's.
func (l *runLock) release() error {
	if inPlace(l.file) {
		_ = os.Remove(l.file.Path()) // a file that stays does no harm
	}
	return l.file.Unlock()
}

// holder returns the text of sign in the lock file.
func holder(path string) string {
	text, err := os.ReadFile(path)
	if line := strings.TrimSpace(string(text)); err == nil && line != "" {
		return line
	}
	return "another process"
}

// alive reports whether a process holds the lock of that file.
func alive(path string) bool {
	// The file is opened without creating it: if it does not exist, nobody holds the lock.
	file := flock.New(path, flock.SetFlag(os.O_RDONLY))
	shared, err := file.TryRLock()
	if shared {
		file.Unlock()
	}
	return err == nil && !shared
}

// links returns how many names a file has by hard links, or 1 where the system does not count them.
func links(file os.FileInfo) uint64 {
	if count := reflect.Indirect(reflect.ValueOf(file.Sys())).FieldByName("Nlink"); count.IsValid() && count.CanUint() {
		return count.Uint()
	}
	return 1
}
