package main

import (
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestEvalWaitsWithItsDatabaseOpen: a target runner that waits for its turn asks for the run again,
// and does not open the database again for that.
func TestEvalWaitsWithItsDatabaseOpen(t *testing.T) {
	folder := folderWith(t, crashing)
	first := converse(t, folder)
	first.ask(t, 0)
	watch, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(watch)
	if _, err := unix.InotifyAddWatch(watch, filepath.Dir(filepath.Join(folder, defaultDatabase)), unix.IN_OPEN); err != nil {
		t.Fatal(err)
	}
	waits := start(t, folder, "eval", "-config", "long.yaml", "-games", "5", "-target-runner", "1", "1", "7", "x", "--empty", "200")
	opened, asked := 0, 0
	for buffer := make([]byte, 1<<16); asked < 100; {
		n, err := unix.Read(watch, buffer)
		if err != nil {
			t.Fatal(err)
		}
		for rest := buffer[:n]; len(rest) > 0; {
			event := (*unix.InotifyEvent)(unsafe.Pointer(&rest[0]))
			end := unix.SizeofInotifyEvent + int(event.Len)
			name := strings.TrimRight(string(rest[unix.SizeofInotifyEvent:end]), "\x00")
			rest = rest[end:]
			switch {
			case name == filepath.Base(defaultDatabase):
				opened++
			case strings.HasSuffix(name, "lock"):
				asked++
			}
		}
	}
	if opened > 5 {
		t.Errorf("the database was opened %d times while the run was asked for %d times", opened, asked)
	}
	first.in.Close()
	if code, stderr := waits.end(t); code != exitOK || !strings.HasPrefix(waits.stdout.String(), "-") {
		t.Errorf("exit code %d, stdout %s, stderr %s", code, &waits.stdout, stderr)
	}
}
