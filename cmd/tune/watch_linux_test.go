package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// frames are the screens that a person saw. Each goes up over the one before it, and
// clears what is left of its lines.
func frames(t *testing.T, written string) []string {
	t.Helper()
	all := regexp.MustCompile(`\x1b\[(\d+)A`).Split(written, -1)
	for i, m := range regexp.MustCompile(`\x1b\[(\d+)A`).FindAllStringSubmatch(written, -1) {
		if m[1] != fmt.Sprint(strings.Count(all[i], "\n")) ||
			strings.Count(all[i], "\x1b[K\n") != strings.Count(all[i], "\n") {
			t.Fatalf("%q goes up %s lines", all[i], m[1])
		}
	}
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], "\x1b[K", "")
		if strings.Contains(all[i], "\x1b") {
			t.Fatalf("unexpected %q", all[i])
		}
	}
	return all
}

// onTerminal runs tune on a terminal of the given size. It calls saw with the whole output whenever
// there is more.
func onTerminal(t *testing.T, columns, rows uint16, environment []string, saw func(*exec.Cmd, string),
	args ...string) (written string, code int) {
	t.Helper()
	pty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals on this machine:", err)
	}
	defer pty.Close()
	check := func(err error) {
		must(t, err)
	}
	check(unix.IoctlSetPointerInt(int(pty.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(pty.Fd()), unix.TIOCGPTN)
	check(err)
	check(unix.IoctlSetWinsize(int(pty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: columns, Row: rows}))
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	check(err)
	cmd := exec.Command("tune", args...)
	cmd.Env = append(os.Environ(), "NO_COLOR=", "COLORTERM=", "TERM=xterm")
	cmd.Env = append(cmd.Env, environment...)
	cmd.Stdout, cmd.Stderr = tty, io.Discard
	check(cmd.Start())
	tty.Close()
	buffer := make([]byte, 1<<16)
	for {
		n, err := pty.Read(buffer)
		written += string(buffer[:n])
		if saw != nil {
			saw(cmd, written)
		}
		if err != nil { // EIO: nobody has the terminal open any more
			break
		}
	}
	cmd.Wait()
	return strings.ReplaceAll(written, "\r\n", "\n"), cmd.ProcessState.ExitCode()
}

// gameArguments is a short game, of 34 moves: its player likes a full board.
func gameArguments(t *testing.T, more ...string) []string {
	path := filepath.Join(t.TempDir(), "full.yaml")
	must(t, os.WriteFile(path, []byte("heuristic: {features: [{feature: empty, weight: -9}]}\nsearch: {depth: 1}\n"),
		0o644))
	return append([]string{"play", "-config", path, "-seed", "45"}, more...)
}

// TestPlayOnTerminal: the game is drawn in place, and each frame has what a pipe gets.
func TestPlayOnTerminal(t *testing.T) {
	text, err := exec.Command("tune", gameArguments(t)...).Output()
	must(t, err)
	written, code := onTerminal(t, 40, 20, []string{"TERM=xterm-256color"}, nil, gameArguments(t)...)
	if shown := frames(t, written); code != exitOK || len(shown) != 35 || strings.Join(shown, "") != string(text) {
		t.Errorf("exit code %d, %d frames, the last one:\n%s", code, len(shown), shown[len(shown)-1])
	}
}

// TestPlayOnPoorTerminal: one that is dumb gets the text that a pipe gets.
func TestPlayOnPoorTerminal(t *testing.T) {
	text, err := exec.Command("tune", gameArguments(t)...).Output()
	must(t, err)
	if written, _ := onTerminal(t, 80, 24, []string{"TERM=dumb"}, nil, gameArguments(t)...); written != string(text) {
		t.Error("a dumb terminal gets something else than a pipe")
	}
}

// TestProgressOnPoorTerminal: one that is dumb gets the lines that a log gets.
func TestProgressOnPoorTerminal(t *testing.T) {
	pty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals on this machine:", err)
	}
	defer pty.Close()
	for name, logs := range map[string]bool{"dumb": true, "xterm": false} {
		t.Setenv("TERM", name)
		p := newProgress(pty, func() string { return "" })
		if p.stop(); (p.log != nil) != logs {
			t.Errorf("a terminal %s has a log: %v", name, !logs)
		}
	}
}

// TestPlayInterrupted: a signal ends the game, and leaves the terminal as it was.
func TestPlayInterrupted(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		sent := false
		written, code := onTerminal(t, 80, 24, nil, func(cmd *exec.Cmd, written string) {
			if !sent && strings.Contains(written, "score 0,") {
				sent = true
				cmd.Process.Signal(signal)
			}
		}, gameArguments(t)...)
		if code != exitInterrupted || len(frames(t, written)) > 30 || !strings.HasSuffix(written, "\n") ||
			strings.Contains(written, "no move left") {
			t.Errorf("%v: exit code %d, %q", signal, code, written[max(0, len(written)-200):])
		}
	}
}

// TestTerminalObeysNoFormat: a terminal gets nothing that it would obey, in the formats that files
// and pipes get as they are, and in others.
func TestTerminalObeysNoFormat(t *testing.T) {
	t.Chdir(t.TempDir())
	db := evilDatabase(t)
	for _, args := range append(raw, outputs[:8]...) {
		written, _ := onTerminal(t, 80, 24, nil, nil, append(args, "-db", db)...)
		checkHarmless(t, args, written, "")
	}
}
