package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// screen is a terminal as far as the drawing of games uses one.
type screen struct {
	lines  []string // from the first line ever written
	row    int
	column int
	hidden bool
	shown  []string // what a person saw whenever the cursor came back
}

var control = regexp.MustCompile(`^\x1b\[(\??)([0-9;]*)([A-Za-z])`)

func (s *screen) write(t *testing.T, text string) {
	for text != "" {
		if m := control.FindStringSubmatch(text); m != nil {
			text = text[len(m[0]):]
			n, _ := strconv.Atoi(m[2])
			switch m[1] + m[3] {
			case "A":
				if s.row -= n; s.row < 0 {
					t.Fatal("the cursor goes up beyond what was drawn")
				}
			case "K":
				s.lines[s.row] = s.lines[s.row][:min(s.column, len(s.lines[s.row]))]
			case "?l", "?h":
				if n != 25 || s.hidden == (m[3] == "l") {
					t.Fatalf("unexpected %q", m[0])
				}
				if s.hidden = !s.hidden; !s.hidden {
					s.shown = append(s.shown, strings.Join(s.lines, "\n"))
				}
			default:
				t.Fatalf("unexpected %q", m[0])
			}
			continue
		}
		for len(s.lines) <= s.row {
			s.lines = append(s.lines, "")
		}
		switch c := text[0]; c {
		case '\r':
			s.column = 0
		case '\n':
			s.row, s.column = s.row+1, 0
		default:
			line := fmt.Sprintf("%-*s", s.column, s.lines[s.row])
			s.lines[s.row] = line[:s.column] + string(c) + line[min(len(line), s.column+1):]
			s.column++
		}
		for len(s.lines) <= s.row {
			s.lines = append(s.lines, "")
		}
		text = text[1:]
	}
}

// onTerminal runs tune on a terminal of the given size. It calls saw with the whole output whenever
// there is more.
func onTerminal(t *testing.T, columns, rows uint16, environment []string, saw func(*exec.Cmd, string), args ...string) (written string, code int) {
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

// gameArguments is a short game, of some 400 moves.
func gameArguments(more ...string) []string {
	return append([]string{"play", "-player", "greedy", "-seed", "5"}, more...)
}

// numbers are the tiles that a text draws.
func numbers(text string) []string {
	return strings.Fields(strings.NewReplacer("|", " ", "+", " ", "-", " ").Replace(text))
}

// TestPlayOnTerminal: the game is drawn in place, and the last board stays with its line.
func TestPlayOnTerminal(t *testing.T) {
	out, err := exec.Command("tune", gameArguments("-json")...).Output()
	must(t, err)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var last struct {
		Board [4][4]int
		Score int
	}
	must(t, json.Unmarshal([]byte(lines[len(lines)-1]), &last))
	var want []string
	for _, row := range last.Board {
		for _, face := range row {
			if face > 0 {
				want = append(want, fmt.Sprint(face))
			}
		}
	}
	ending := fmt.Sprintf("score %d, largest tile", last.Score)
	const height = 11
	written, code := onTerminal(t, 40, 20, []string{"TERM=xterm-256color"}, nil, gameArguments("-fps", "1000")...)
	var s screen
	s.write(t, written)
	if code != exitOK || s.hidden || s.column != 0 || len(s.shown) != len(lines) || len(s.lines) != height+1 {
		t.Fatalf("exit code %d, %d frames, want %d, %+v", code, len(s.shown), len(lines), s.lines)
	}
	board, below := strings.Join(s.lines[:height-1], "\n"), s.lines[height-1]
	if got := numbers(board); strings.Join(got, " ") != strings.Join(want, " ") || !strings.HasPrefix(below, ending) {
		t.Errorf("ends on %v, %q; want %v, %q", got, below, want, ending)
	}
	for i, frame := range s.shown[:len(s.shown)-1] {
		below := regexp.MustCompile(`^\n\nmove (\d+), score \d+, (up|down|left|right)\n$`).FindStringSubmatch(frame[strings.LastIndex(frame, "\n\n"):])
		if below == nil || below[1] != fmt.Sprint(i+1) {
			t.Fatalf("frame %d is\n%s", i+1, frame)
		}
	}
}

// TestPlayOnPoorTerminal: one that is dumb or small gets the text that a pipe gets, but for the
// line of a move.
func TestPlayOnPoorTerminal(t *testing.T) {
	text, err := exec.Command("tune", gameArguments()...).Output()
	must(t, err)
	if written, _ := onTerminal(t, 80, 24, []string{"TERM=dumb"}, nil, gameArguments()...); written != string(text) {
		t.Error("a dumb terminal gets something else than a pipe")
	}
	for _, size := range [][2]uint16{{30, 24}, {80, 11}} {
		written, _ := onTerminal(t, size[0], size[1], nil, nil, gameArguments("-fps", "1000")...)
		if strings.Contains(written, "\x1b") || !strings.Contains(written, "|     2 |") || !strings.Contains(written, "no move left") {
			t.Errorf("a terminal of %v gets %q", size, written[:min(len(written), 500)])
		}
	}
}

// TestPlayInterrupted: a signal ends the wait for the next frame, and leaves the terminal as it
// was.
func TestPlayInterrupted(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		sent := false
		written, code := onTerminal(t, 80, 24, nil, func(cmd *exec.Cmd, written string) {
			if !sent && strings.Contains(written, "move 1,") {
				sent = true
				cmd.Process.Signal(signal)
			}
		}, gameArguments("-fps", "0.001")...)
		var s screen
		s.write(t, written)
		if code != exitInterrupted || s.hidden || !strings.HasSuffix(written, "\x1b[?25h\n") || strings.Contains(written, "no move left") {
			t.Errorf("%v: exit code %d, %q", signal, code, written[max(0, len(written)-200):])
		}
	}
}
