package bot

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tune2048/engine"
)

// adoptOrphans makes this process the parent of the processes that a bot leaves behind.
func adoptOrphans() { syscall.Syscall(syscall.SYS_PRCTL, 36 /* PR_SET_CHILD_SUBREAPER */, 1, 0) }

// leaveGroup lets a child of a bot lead a session of its own.
func leaveGroup(child *exec.Cmd) { child.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// checkGone waits for the orphans of each group that a bot led, and checks that it is empty.
func checkGone(t *testing.T, pids []string) {
	t.Helper()
	for _, text := range pids {
		pid, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		var status syscall.WaitStatus
		for {
			if _, err := syscall.Wait4(-pid, &status, 0, nil); err == syscall.ECHILD {
				break
			} else if err == nil && (!status.Signaled() || status.Signal() != syscall.SIGKILL &&
				status.Signal() != syscall.SIGPIPE) {
				t.Errorf("a process of group %d ended with %v, want SIGKILL, or SIGPIPE as nobody reads it any more", pid, status)
			}
		}
		if err := syscall.Kill(-pid, 0); err != syscall.ESRCH {
			t.Errorf("group %d: %v, want no process", pid, err)
		}
	}
}

// TestFilesOfPipes: an argument that names a pipe has no hash, and nobody waits for its end.
func TestFilesOfPipes(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(folder, "file"), nil, 0o600)
	p := Program{Command: []string{"pipe", "file", "/dev/zero"}, Folder: folder}
	if files, err := p.Files(); err != nil || len(files) != 1 || files["file"] == "" {
		t.Errorf("got %v, %v", files, err)
	}
}

// TestTooManyFiles: where no more files may be opened, the bot's file is not a changed file.
func TestTooManyFiles(t *testing.T) {
	p, file := testBot(t, "starved", Games)
	text, _ := exec.Command(p.Command[0], p.Command[1:]...).Output()
	for _, want := range []string{"bot " + file + ": open " + file,
		"too many open files: allow more files with ulimit -n 1024"} {
		if strings.Count(string(text), want) != 1 {
			t.Errorf("got %s\nwant %s", text, want)
		}
	}
}

// TestNoProgram: a program that the system cannot run is no bot's fault. The error is the system's,
// with a hint.
func TestNoProgram(t *testing.T) {
	script := filepath.Join(t.TempDir(), "bot.py")
	os.WriteFile(script, []byte("print(1)\n"), 0o700)
	process := New(Program{Command: []string{script}, Answers: Games})
	defer process.Close()
	_, err := process.Play(t.Context(), engine.DefaultRules(), 1, nil, nil)
	if want := "bot.py: exec format error: build it for this machine, or name its interpreter"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// starve is a process that may open no more files, and starts a bot.
func starve(file string) {
	syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 3, Max: 3})
	p := Program{Command: []string{file}, Answers: Games, Folder: "/", Hashes: map[string]string{file: "0"}}
	_, err := New(p).Play(context.Background(), engine.DefaultRules(), 1, nil, nil)
	fmt.Println(err)
}

// TestDiesWithParent: a bot that ignores the end of its input, and its child, are killed with the
// program that started it. Its folder is removed.
func TestDiesWithParent(t *testing.T) {
	p, file := testBot(t, "stubborn", Moves)
	host := exec.Command(p.Command[0], "bot", "host", file+".host", file)
	folder := t.TempDir()
	host.Env = append(os.Environ(), "TMPDIR="+folder)
	stderr, _ := host.StderrPipe()
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stderr).ReadString('\n'); line != "ready\n" {
		t.Error(line, err)
	}
	host.Process.Kill()
	host.Wait()
	if len(pids(file)) != 2 { // testBot waits for their end
		t.Error("the bot or its child did not start")
	}
	for left := []os.DirEntry{nil}; len(left) > 0; left, _ = os.ReadDir(folder) { // until the guard is done
		runtime.Gosched()
	}
}

// TestCPU: the CPU time of a script's child counts. Its games are played until the clock ticks.
// From then on the time of a game without a tick is known, too: it is not the wall time.
func TestCPU(t *testing.T) {
	p, _ := testBot(t, "greedy", Moves)
	p.Command = append([]string{"sh", "-c", `"$@"; exit $?`, "sh"}, p.Command...)
	process := New(p)
	defer process.Close()
	total, seed := time.Duration(0), uint64(0)
	for ; total < 30*time.Millisecond && seed < 3000; seed++ {
		g, err := process.Play(t.Context(), engine.DefaultRules(), seed, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if total > 0 && g.CPU == 0 {
			t.Fatal("the CPU time of a short game is unknown")
		}
		total += g.CPU
	}
	if total < 30*time.Millisecond {
		t.Errorf("%d games took %v", seed, total)
	}
}

// TestEscaped: a child that left the group lives on. Its hold on the pipes stops nobody.
func TestEscaped(t *testing.T) {
	p, file := testBot(t, "escaped", Moves)
	process := New(p)
	defer process.Close()
	_, err := process.Play(t.Context(), engine.DefaultRules(), 1, nil, nil)
	if want := "it exited (exit status 4)"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	for _, text := range pids(file) {
		if pid, err := strconv.Atoi(text); err == nil {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}
