package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestDiskFull: a run whose disk is full says so and stops. Once there is room the same command
// goes on, and the result is as if nothing had been. On a disk that became read-only it says so,
// and stored rows can still be read.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	disk := filepath.Join(folder, "disk")
	must(t, os.Mkdir(disk, 0o755))
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("needs to mount a small disk, as root on Linux: %v %s", err, out)
	}
	t.Cleanup(func() { exec.Command("umount", disk).Run() })
	write(t, filepath.Join(folder, "long.yaml"), crashing)
	ballast := filepath.Join(disk, "ballast")
	must(t, os.WriteFile(ballast, make([]byte, 23<<20), 0o644))
	args := []string{"-config", "long.yaml", "-db", "disk/results/tune.db"}
	code, stderr := start(t, folder, args...).end(t)
	if code != exitFailed || !strings.Contains(stderr, "the disk is full") ||
		!strings.Contains(stderr, "resume with:\n  tune -config long.yaml -db disk/results/tune.db\n") {
		t.Fatalf("on a full disk: exit code %d, stderr:\n%s", code, stderr)
	}
	must(t, os.Remove(ballast))
	p := start(t, folder, args...)
	code, stderr = p.end(t)
	if code != exitOK || !strings.Contains(stderr, "resuming run crashing") {
		t.Fatalf("with room again: exit code %d, stderr:\n%s", code, stderr)
	}
	reference := folderWith(t, crashing)
	if code, stderr := start(t, reference, "-config", "long.yaml").end(t); code != exitOK {
		t.Fatalf("on another disk: exit code %d, stderr:\n%s", code, stderr)
	}
	if got, want := content(t, disk, "crashing"), content(t, reference, "crashing"); got != want {
		t.Errorf("the content is another: %s", firstDifference(got, want))
	}

	if out, err := exec.Command("mount", "-o", "remount,ro", disk).CombinedOutput(); err != nil {
		t.Skipf("cannot make the disk read-only: %v %s", err, out)
	}
	if code, stderr := start(t, folder, args...).end(t); code != exitFailed || !strings.Contains(stderr, "read-only") ||
		!strings.Contains(stderr, "-db") {
		t.Errorf("on a read-only disk: exit code %d, stderr:\n%s", code, stderr)
	}
	if code, stderr := start(t, folder, "runs", "-db", args[3]).end(t); code != exitOK {
		t.Errorf("runs on a read-only disk: exit code %d, stderr:\n%s", code, stderr)
	}
}

// lockDatabase opens a transaction in a shell, as somebody might who looks at a run, and returns
// how to end it.
func lockDatabase(t *testing.T, folder string) (release func()) {
	t.Helper()
	shell := exec.Command("sqlite3", "-bail", filepath.Join(folder, defaultDatabase))
	in, err := shell.StdinPipe()
	must(t, err)
	out, err := shell.StdoutPipe()
	must(t, err)
	if err := shell.Start(); err != nil {
		t.Skip("needs the sqlite3 shell")
	}
	release = func() { in.Close(); shell.Wait() }
	t.Cleanup(release)
	io.WriteString(in, ".timeout 60000\nBEGIN IMMEDIATE;\nSELECT 'held';\n")
	if n, err := out.Read(make([]byte, 5)); n == 0 {
		t.Fatal(err)
	}
	return release
}

// TestLockedDatabase: a run waits for somebody's transaction, says so, and goes on to the next one.
// If it is interrupted meanwhile, it ends.
func TestLockedDatabase(t *testing.T) {
	t.Parallel() // it mostly waits
	folder := folderWith(t, long)
	p := start(t, folder, "-config", "long.yaml")
	p.await(t, ", generation ")
	release := lockDatabase(t, folder)
	p.await(t, "is held by another program")
	release()
	p.await(t, "is free again") // or else it might wait on, without a word of the second transaction
	lockDatabase(t, folder)
	p.await(t, "is held by another program")
	began := time.Now()
	p.Process.Signal(os.Interrupt)
	code, stderr := p.end(t)
	if code != exitInterrupted || !strings.Contains(stderr, " is saved; resume with:\n") {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}
	t.Logf("interrupted while it waited: ended after %v", time.Since(began).Round(time.Millisecond))
}

// refusing is a library that refuses all locks of bytes, as a network drive may.
const refusing = `
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int refuse(int file, int command, long argument) {
	if (command == F_SETLK || command == F_SETLKW) {
		errno = atoi(getenv("REFUSED"));
		return -1;
	}
	return syscall(SYS_fcntl, file, command, argument);
}

#define refused(name) int name(int file, int command, ...) { \
	va_list list; \
	va_start(list, command); \
	long argument = va_arg(list, long); \
	va_end(list); \
	return refuse(file, command, argument); \
}
refused(fcntl)
refused(fcntl64)
`

// TestADriveWithoutLocks: a file system that refuses locks is named as the cause. No other program
// is, and no file of the question stays.
func TestADriveWithoutLocks(t *testing.T) {
	t.Parallel()
	folder := folderWith(t, long)
	write(t, filepath.Join(folder, "refusing.c"), refusing)
	build := exec.Command("gcc", "-shared", "-fPIC", "-o", "refusing.so", "refusing.c")
	build.Dir = folder
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("needs gcc on Linux: %v %s", err, out)
	}
	must(t, os.Mkdir(filepath.Join(folder, "results"), 0o755))
	for _, refused := range []syscall.Errno{syscall.ENOLCK, syscall.EACCES, syscall.EAGAIN, syscall.EIO, syscall.ENOSYS} {
		p := exec.Command("tune", "-config", "long.yaml")
		p.Dir = folder
		p.Env = append(os.Environ(), "LD_PRELOAD="+filepath.Join(folder, "refusing.so"), "REFUSED="+
			strconv.Itoa(int(refused)))
		out, err := p.CombinedOutput()
		if text := string(out); err == nil || !strings.Contains(text, "network") || !strings.Contains(text, "with -db") ||
			strings.Contains(text, "another program") {
			t.Errorf("%v: it ends with %v and says\n%s", refused, err, text)
		}
	}
	if left, err := filepath.Glob(filepath.Join(folder, "results", ".*")); err != nil || left != nil {
		t.Errorf("it leaves %v, %v", left, err)
	}
}

// TestFilesMayNotGrow: a run that meets a limit of the size of files names it.
func TestFilesMayNotGrow(t *testing.T) {
	t.Parallel()
	folder := folderWith(t, crashing)
	p := startProgram(t, folder, "sh", "-c", "ulimit -f 600; exec tune -config long.yaml")
	if code, stderr := p.end(t); code != exitFailed || !strings.Contains(stderr, "allow more with ulimit -f unlimited") ||
		strings.Contains(stderr, "network") {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}
}

// TestFirstProcess: where the program is the first process, as in a container, orphans of a bot
// leave no zombies. This bot answers when there is none. The exit code is the program's.
func TestFirstProcess(t *testing.T) {
	t.Parallel()
	alone := []string{"--pid", "--fork", "--mount-proc"}
	if err := exec.Command("unshare", append(alone, "true")...).Run(); err != nil {
		t.Skipf("needs namespaces, as root on Linux: %v", err)
	}
	folder := folderWith(t, "player: {command: [sh, bot.sh], answers: games, timeout: 20s, weights: {a: {min: 0, max: "+
		"1}}}\n")
	write(t, filepath.Join(folder, "bot.sh"), `while read -r line; do
  (true &)
  while grep -qs '^State:.Z' /proc/[0-9]*/status; do :; done
  echo '{"score": 7}'
done
`)
	p := startProgram(t, folder, "unshare", append(alone, "tune", "check", "-config", "long.yaml")...)
	if code, stderr := p.end(t); code != exitOK || !strings.Contains(p.stdout.String(), "the bot repeats itself") {
		t.Errorf("exit code %d, stdout:\n%s\nstderr:\n%s", code, p.stdout.String(), stderr)
	}
	p = startProgram(t, folder, "unshare", append(alone, "tune", "chekc")...)
	if code, stderr := p.end(t); code != exitUsage {
		t.Errorf("a wrong command: exit code %d, stderr:\n%s", code, stderr)
	}
}

// TestNoFolderForABot: where nothing may be written beside the database, a bot's run names the
// remedy.
func TestNoFolderForABot(t *testing.T) {
	t.Parallel()
	folder := folderWith(t, "player: {command: [cat], answers: games, weights: {a: {min: 0, max: 1}}}\n")
	p := startProgram(t, folder, "env", "TMPDIR="+filepath.Join(folder, "none"), "tune", "-config", "long.yaml")
	if code, stderr := p.end(t); code != exitFailed || !strings.Contains(stderr, "TMPDIR=FOLDER") {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}
}
